// SPDX-License-Identifier: BSD-3-Clause
// `frame: nodes.hub`: poses of nodes of the flat deck, inner nodes of beams among them.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "part_entries.hpp"

namespace polhode::io {

class Frames {
 public:
  // `flat` grows while parts are placed; all must live as long as this.
  Frames(const Item& flat, const FlatNames& names, const Parameters& parameters)
      : flat_(flat), names_(names), parameters_(parameters) {}

  // An entry of the flat deck that was added; `prefix` is what its references are looked up with.
  void add(std::size_t family, std::size_t index, const std::string& prefix);

  struct Found {
    // Nothing: it may come later
    std::optional<Placement> pose;
    // There never will be one: what is wrong, or "" where that is reported elsewhere
    std::optional<std::string> problem;
  };
  // The node that `frame` names, for an entry whose references are looked up with the prefix.
  Found find(const std::string& frame, const std::string& prefix);
  // Why there is still none, when all that can be placed is placed; "" where the beam has no such ends.
  std::string problem(const std::string& frame, const std::string& prefix, const Findings& findings) const;

 private:
  struct Entry {
    std::size_t family;
    std::size_t index;
    std::string prefix;
  };
  const Item& flat_;
  const FlatNames& names_;
  const Parameters& parameters_;
  std::map<std::string, Entry> nodes_;
  std::map<std::string, Entry> beams_;
  // Of the inner nodes of beams that were asked for; none of a faulty beam
  std::map<std::string, std::vector<Placement>> inner_;

  const Item& item(const Entry& entry) const { return flat_.items[entry.family].items[entry.index]; }
  Found find_inner(const std::string& beam, const std::string& number);
  std::vector<Item> sections_of(const Item& beam) const;
  std::vector<Placement> inner_nodes(const Item& beam, const Item& from, const Item& to) const;
};

}  // namespace polhode::io
