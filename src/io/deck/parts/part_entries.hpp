// SPDX-License-Identifier: BSD-3-Clause
// Entries of parts in the frame and under the names of the deck.
#pragma once
#include <Eigen/Geometry>
#include <map>
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

// Names that entries may refer to, as they are in the flat deck, by the key of the deck that they stand under; of a file
// with parts those of parts and instances, too.
class FlatNames {
 public:
  void add(std::string_view family, const std::string& name);
  void remove(std::string_view family, const std::string& name);
  bool contains(std::string_view family, const std::string& name) const;
  // Of an entry, or of what an entry makes: an inner node "rod.2", a coordinate "slider.rotation", an output "plant.0";
  // and where there is an instance `leg`, "leg.foot".
  bool is_known(std::string_view family, const std::string& name) const;

 private:
  std::map<std::string, std::unordered_set<std::string>, std::less<>> of_family_;
};

// The keys of an entry of `nodes`, `sections`, `bodies`, ...; nullptr where its type is none, and of `responses`.
const Table* table_of_entry(std::string_view family, const Item& entry);

// Moves and turns what the table declares to be in the frame of the part. Values that are wrong stay as they are: the
// reader of the flat deck reports them. What cannot be turned goes to the findings. `quiet` reads values.
void place_entry(Item& entry, const std::string& path, const Table& table, const Placement& placement,
                 Findings& findings, Reader& quiet);

// References become names of the flat deck: `prefix` + name where that is one, else the name as it is. Also in paths of
// results and in expressions of signals.
void rename_references(Item& entry, std::string_view family, const std::string& prefix, const FlatNames& names);

// The pose of a node of the flat deck.
Placement pose_of(const Item& node, Reader& quiet);

// A list of numbers, as an item without a key.
Item numbers_item(const math::VectorX& values, Place place);

}  // namespace polhode::io
