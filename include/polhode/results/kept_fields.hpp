// SPDX-License-Identifier: BSD-3-Clause
// Which channels a deck stores (`output: {fields: …}`), and the places of channels in a row.
#pragma once
#include <string>
#include <vector>

#include "polhode/results/channel.hpp"

namespace polhode::results {

// Names of groups and channels as decks write them: "nodes", "joints.pivot", "energy.kinetic".
// Labels are kept whatever the names are (ChannelOptions::label).
class KeptFields {
 public:
  // No name at all keeps everything.
  explicit KeptFields(std::vector<std::string> names) : names_(std::move(names)) {}

  // True where `path` ("/joints/pivot/force") is one of the names, or stands in a group that is.
  bool keep(const std::string& path) const;
  // Of a part of a shared channel; "joints.force" keeps the forces of all joints.
  bool keep(const std::string& path, const std::string& shared_path) const { return keep(path) || keep(shared_path); }

 private:
  std::vector<std::string> names_;
};

// Adds `channel` at the end of a row of `row_size` numbers, which grows by those of the channel. Returns its offset.
std::size_t append_channel(Channel channel, std::vector<Channel>& channels, std::size_t& row_size);

}  // namespace polhode::results
