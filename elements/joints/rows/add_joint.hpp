// SPDX-License-Identifier: BSD-3-Clause
// Adds the joint of an entry: its element, its place in the topology, and what sensors may read of its reactions.
#pragma once
#include <memory>

#include "elements/joints/rows/law_sensor.hpp"
#include "elements/joints/rows/reaction_sensor.hpp"

namespace polhode::elements {

// A result that is the multiplier of a drive: its name, and the row of the drive among those of the element.
struct DriveOutput {
  std::string_view name;
  int row;
};

// `data` has markers as its base, whose points go into the topology.
template <class Kind>
void add_joint(const model::Entry& entry, model::Builder& builder, const std::array<int, 2>& at,
               typename Kind::Data data, std::vector<DriveOutput> drives = {}) {
  builder.add_topology(model::JointTopology{builder.index_of(entry), at, {data.s_a, data.s_b}});
  std::shared_ptr<const typename Kind::Data> kept;
  if (builder.needs_sensors()) kept = std::make_shared<const typename Kind::Data>(data);
  builder.add<Kind>(entry, at, std::move(data));
  if (!kept) return;
  const auto [batch, number] = builder.last_of<Kind>();
  const model::Sensor::Element element{batch, number};
  const auto make = [=](std::string_view quantity, int, int component) -> std::unique_ptr<model::Sensor> {
    for (const DriveOutput& drive : drives)
      if (quantity == drive.name) return std::make_unique<MultiplierSensor>(element, drive.row);
    if (quantity == "multipliers" && component < Kind::rows)
      return std::make_unique<MultiplierSensor>(element, component);
    if (quantity != "force" && quantity != "moment") return make_law_sensor<Kind>(kept, quantity, at, element);
    return std::make_unique<ReactionSensor<Kind>>(kept, at, element, component + (quantity == "force" ? 0 : 3));
  };
  builder.add_measured(entry, {make});
}

}  // namespace polhode::elements
