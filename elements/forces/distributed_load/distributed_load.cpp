// SPDX-License-Identifier: BSD-3-Clause
// The load along a beam, as loads on its nodes.
#include "elements/forces/distributed_load/distributed_load.hpp"

#include <algorithm>

#include "elements/forces/load/load.hpp"
#include "polhode/model/builder.hpp"

namespace polhode::elements {

using math::Vec3;
using model::Field;
using model::FieldType;

namespace {

constexpr std::array fields{
    Field{.name = "beam",
          .type = FieldType::beam,
          .unit = "",
          .doc = "the beam that is loaded, along its whole length",
          .required = true},
    Field{.name = "force",
          .type = FieldType::vector3,
          .unit = "N/m",
          .doc = "per length of the unloaded beam; inertial components, or the section's with `follower`",
          .default_text = "[0, 0, 0]"},
    Field{.name = "moment",
          .type = FieldType::vector3,
          .unit = "N",
          .doc = "per length; inertial components, or the section's with `follower`",
          .default_text = "[0, 0, 0]"},
    Field{.name = "follower",
          .type = FieldType::flag,
          .unit = "",
          .doc = "force and moment turn with the sections",
          .default_text = "false"},
    Field{.name = "history",
          .type = FieldType::function,
          .unit = "",
          .doc = "function of time that multiplies both",
          .default_text = "1"},
};

void build(const model::Entry& entry, model::Builder& builder) {
  if (!entry.has("force") && !entry.has("moment"))
    builder.problem(entry, "", "has neither `force` nor `moment`; give one of them");
  const std::string& name = entry.text("beam");
  const auto beam = std::find_if(builder.beams_.begin(), builder.beams_.end(), [&](const model::BeamTopology& b) {
    return builder.model().entries[static_cast<std::size_t>(b.entry)].name == name;
  });
  if (beam == builder.beams_.end()) return;  // the beam has a problem of its own, told there
  const bool follower = entry.flag("follower", false);
  const model::TimeFunction history = entry.has("history") ? entry.function("history") : model::TimeFunction(1);
  for (const model::BeamTopology::Share& share : beam->shares) {
    Vec3 force = share.length * entry.vector3("force", Vec3::Zero());
    Vec3 moment = share.length * entry.vector3("moment", Vec3::Zero());
    if (follower) {
      force = (share.section * force).eval();
      moment = (share.section * moment).eval();
    }
    builder.add<Load>(entry, {share.node}, {force, moment, Vec3::Zero(), follower, history});
  }
}

}  // namespace

const model::KindInfo distributed_load_info{"distributed_load",
                                            model::Family::force,
                                            "a force and a moment per length of a beam, with a history",
                                            fields,
                                            {},
                                            build,
                                            model::samples<Load>};

}  // namespace polhode::elements
