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
    loads::vector("force", "N/m",
                  "per length of the unloaded beam; inertial components, or the section's with `follower`"),
    loads::vector("moment", "N", "per length; inertial components, or the section's with `follower`"),
    loads::follower("force and moment turn with the sections"),
    loads::history,
};

// Beams are built before forces, so their shares are known. Data are per length and become those of nodes;
// a follower's components are taken from the section's to the node's frame, in which nodal loads follow.
void build(const model::Entry& entry, model::Builder& builder) {
  const Load::Data per_length = loads::read(entry, builder);
  const std::string& name = entry.text("beam");
  const auto beam = std::find_if(builder.beams_.begin(), builder.beams_.end(), [&](const model::BeamTopology& b) {
    return builder.model().entries[static_cast<std::size_t>(b.entry)].name == name;
  });
  if (beam == builder.beams_.end()) return;  // the beam has a problem of its own, told there
  if (!beam->framed && (per_length.follower || !per_length.moment.isZero(0)))
    return builder.problem(entry, per_length.follower ? "follower" : "moment",
                           per_length.follower
                               ? "turns with sections, and those of a cable have no directions; give inertial "
                                 "components, or make the cable a `type: beam`"
                               : "acts on a cable, which takes forces alone; remove it, or make the cable a "
                                 "`type: beam`");
  for (const model::BeamTopology::Share& share : beam->shares) {
    Load::Data data = per_length;
    data.force *= share.length;
    data.moment *= share.length;
    if (data.follower) {
      data.force = (share.section * data.force).eval();
      data.moment = (share.section * data.moment).eval();
    }
    builder.add<Load>(entry, {share.node}, std::move(data));
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
