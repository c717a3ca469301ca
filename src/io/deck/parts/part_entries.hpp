// SPDX-License-Identifier: BSD-3-Clause
// Entries of parts in the frame and under the names of the deck.
#pragma once
#include <Eigen/Geometry>
#include <string>
#include <unordered_set>

#include "../reader.hpp"

namespace polhode::io {

// Where the frame of a part stands: x = at + turn x_part, in the inertial frame.
struct Placement {
  math::Vec3 at = math::Vec3::Zero();
  Eigen::Quaterniond turn = Eigen::Quaterniond::Identity();

  bool is_moved() const { return !at.isZero(0); }
  bool is_turned() const { return turn.w() != 1; }
  // A placement that is given in this one.
  Placement operator*(const Placement& inner) const;
};

// Names that entries may refer to, as they are in the flat deck.
struct FlatNames {
  std::unordered_set<std::string> nodes;
  std::unordered_set<std::string> sections;
  std::unordered_set<std::string> beams;
  std::unordered_set<std::string> joints;
  // Of a deck with parts, not of a flat one
  std::unordered_set<std::string> parts;
  std::unordered_set<std::string> instances;

  // Other families have no names that entries refer to.
  void add(std::string_view family, const std::string& name);
  void remove(std::string_view family, const std::string& name);
  // True of "leg.foot" where there is an instance `leg`.
  bool is_in_instance(const std::string& name) const;

 private:
  std::unordered_set<std::string>* of(std::string_view family);
};

// The keys of an entry of `nodes`, `sections`, `bodies`, ...; nullptr where its type is none.
const Table* table_of_entry(std::string_view family, const Item& entry);

// Moves and turns what the table declares to be in the frame of the part. Values that are wrong stay as they are: the
// reader of the flat deck reports them. What cannot be turned goes to the findings. `quiet` reads values.
void place_entry(Item& entry, const std::string& path, const Table& table, const Placement& placement,
                 Findings& findings, Reader& quiet);

// References become names of the flat deck: `prefix` + name where that is one, else the name as it is.
void rename_references(Item& entry, const Table& table, const std::string& prefix, const FlatNames& names);

// The pose of a node of the flat deck.
Placement pose_of(const Item& node, Reader& quiet);

// A list of numbers, as an item without a key.
Item numbers_item(const math::VectorX& values, Place place);

}  // namespace polhode::io
