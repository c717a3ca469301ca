// SPDX-License-Identifier: BSD-3-Clause
// Fields that are kept, and channels in a row.
#include "polhode/results/kept_fields.hpp"

#include <algorithm>

#include "polhode/results/names.hpp"

namespace polhode::results {

// "joints.pivot" keeps /joints/pivot/force, but not /joints/pivot2/force.
bool KeptFields::keep(const std::string& path) const {
  if (names_.empty()) return true;
  const std::string dotted = dotted_name(path);
  return std::any_of(names_.begin(), names_.end(), [&](const std::string& name) {
    const bool in_group = dotted.size() > name.size() && dotted.starts_with(name) && dotted[name.size()] == '.';
    return dotted == name || in_group;
  });
}

// Behind the channels that the row has so far.
std::size_t append_channel(Channel channel, std::vector<Channel>& channels, std::size_t& row_size) {
  channel.offset = row_size;
  row_size += numbers_of(channel.shape);
  channels.push_back(std::move(channel));
  return channels.back().offset;
}

}  // namespace polhode::results
