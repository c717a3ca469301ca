// SPDX-License-Identifier: BSD-3-Clause
// The catalog: the one place where a kind is made known, one line each, sorted by family and name.
#include "polhode/model/catalog.hpp"

#include <algorithm>
#include <array>

#include "elements/analysis/start/start.hpp"
#include "elements/beams/beam/beam.hpp"
#include "elements/beams/cable/cable.hpp"
#include "elements/bodies/point_mass/point_mass.hpp"
#include "elements/bodies/rigid_body/rigid_body.hpp"
#include "elements/events/event/event.hpp"
#include "elements/forces/bushing/bushing.hpp"
#include "elements/forces/distributed_load/distributed_load.hpp"
#include "elements/forces/load/load.hpp"
#include "elements/forces/rotor/rotor.hpp"
#include "elements/forces/spring_damper/spring_damper.hpp"
#include "elements/forces/torsional_spring_damper/torsional_spring_damper.hpp"
#include "elements/forces/tyre/tyre.hpp"
#include "elements/joints/coupling/coupling.hpp"
#include "elements/joints/cylindrical/cylindrical.hpp"
#include "elements/joints/distance/distance.hpp"
#include "elements/joints/fixed/fixed.hpp"
#include "elements/joints/motion/motion.hpp"
#include "elements/joints/planar/planar.hpp"
#include "elements/joints/point_on_line/point_on_line.hpp"
#include "elements/joints/point_on_plane/point_on_plane.hpp"
#include "elements/joints/prismatic/prismatic.hpp"
#include "elements/joints/revolute/revolute.hpp"
#include "elements/joints/screw/screw.hpp"
#include "elements/joints/spherical/spherical.hpp"
#include "elements/joints/universal/universal.hpp"
#include "elements/signals/delay/delay.hpp"
#include "elements/signals/expression/expression.hpp"
#include "elements/signals/external/external.hpp"
#include "elements/signals/integrator/integrator.hpp"
#include "elements/signals/limit/limit.hpp"
#include "elements/signals/low_pass/low_pass.hpp"
#include "elements/signals/mode/mode.hpp"
#include "elements/signals/pid/pid.hpp"
#include "elements/signals/sample_hold/sample_hold.hpp"
#include "elements/signals/sensor/sensor.hpp"
#include "elements/signals/state_space/state_space.hpp"
#include "elements/signals/switch/switch.hpp"
#include "elements/signals/table/table.hpp"
#include "elements/signals/transfer_function/transfer_function.hpp"

namespace polhode::model {

// Explicit, as objects that register themselves are dropped by the linker from a static library.
std::span<const KindInfo* const> catalog() {
  // clang-format off
  static const std::array kinds{
      &elements::point_mass_info,
      &elements::rigid_body_info,
      &elements::beam_info,
      &elements::cable_info,
      &elements::coupling_info,
      &elements::cylindrical_info,
      &elements::distance_info,
      &elements::fixed_info,
      &elements::motion_info,
      &elements::planar_info,
      &elements::point_on_line_info,
      &elements::point_on_plane_info,
      &elements::prismatic_info,
      &elements::revolute_info,
      &elements::screw_info,
      &elements::spherical_info,
      &elements::universal_info,
      &elements::bushing_info,
      &elements::distributed_load_info,
      &elements::load_info,
      &elements::rotor_info,
      &elements::spring_damper_info,
      &elements::torsional_spring_damper_info,
      &elements::tyre_info,
      &elements::delay_info,
      &elements::expression_info,
      &elements::external_info,
      &elements::integrator_info,
      &elements::limit_info,
      &elements::low_pass_info,
      &elements::mode_info,
      &elements::pid_info,
      &elements::sample_hold_info,
      &elements::sensor_info,
      &elements::state_space_info,
      &elements::switch_info,
      &elements::table_info,
      &elements::transfer_function_info,
      &elements::event_info,
      &elements::start_info,
  };
  // clang-format on
  return kinds;
}

// Linear: some twenty kinds, looked up once for each entry of a deck.
const KindInfo* find_kind(Family family, std::string_view name) {
  const auto kinds = catalog();
  const auto it = std::find_if(kinds.begin(), kinds.end(),
                               [&](const KindInfo* k) { return k->family == family && k->name == name; });
  return it == kinds.end() ? nullptr : *it;
}

}  // namespace polhode::model
