// SPDX-License-Identifier: BSD-3-Clause
// A quantity of all entities of a group, on its way to be one channel.
//
// How the numbers lie is said by one table in shared_channel.cpp:
//   one_each  [T, J, 3]   an item an entity: /joints/force
//   points    [T, P, 6]   some items an entity, all of one width: /beams/forces, with the places /beams/points [B, 2]
//   numbers   [T, M]      some numbers an entity: /joints/multipliers, with the places /joints/rows [J, 2]
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "entities.hpp"
#include "polhode/results/channel.hpp"

namespace polhode::results {

// Appends /<group>/names to the layout unless it is there.
void add_names_of(const EntityGroup& group, Layout& layout);

class SharedChannel {
 public:
  // `quantity` is the last part of the path: "force". `group` must outlive this.
  SharedChannel(const EntityGroup& group, std::string_view quantity);

  const std::string& path() const { return path_; }
  bool is_of(const EntityGroup& group, std::string_view quantity) const;

  // What the entity has of the quantity: `shape` {3}, {m} or {points, 6}. Entities come in their order; one that is
  // not kept gets no place unless its place is that of its index.
  void add(int entity, const std::vector<int>& shape, const PartForm& form, bool kept);
  // The number of calls of add() so far.
  std::size_t size() const { return members_.size(); }

  // Appends the channel with its tables to the layout, unless nothing is kept.
  void append_to(Layout& layout);
  // Place in a row of what the call number `member` of add() has kept; after append_to().
  std::size_t offset_of(std::size_t member) const;

 private:
  struct Member {
    Part part;
    bool kept;
  };
  // Gives all parts their places; returns the number of items.
  int place_parts();
  void add_tables(Layout& layout, Channel& channel) const;
  void add_texts_that_differ(Layout& layout, Channel& channel) const;
  std::string add_places(Layout& layout) const;

  const EntityGroup& group_;
  std::string path_;
  std::vector<int> item_shape_;
  std::vector<PartForm> forms_;
  std::vector<Member> members_;
  std::size_t offset_ = 0;
};

}  // namespace polhode::results
