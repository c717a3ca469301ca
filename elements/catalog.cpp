// SPDX-License-Identifier: BSD-3-Clause
// The catalog: the one place where a kind is made known, one line each, sorted by family and name.
#include "polhode/model/catalog.hpp"

#include <algorithm>
#include <array>

#include "elements/beams/beam/beam.hpp"
#include "elements/bodies/point_mass/point_mass.hpp"
#include "elements/bodies/rigid_body/rigid_body.hpp"
#include "elements/forces/distributed_load/distributed_load.hpp"
#include "elements/forces/load/load.hpp"
#include "elements/joints/fixed/fixed.hpp"
#include "elements/joints/revolute/revolute.hpp"
#include "elements/joints/spherical/spherical.hpp"

namespace polhode::model {

std::span<const KindInfo* const> catalog() {
  // clang-format off
  static const std::array kinds{
      &elements::point_mass_info,
      &elements::rigid_body_info,
      &elements::beam_info,
      &elements::fixed_info,
      &elements::revolute_info,
      &elements::spherical_info,
      &elements::distributed_load_info,
      &elements::load_info,
  };
  // clang-format on
  return kinds;
}

const KindInfo* find_kind(Family family, std::string_view name) {
  const auto kinds = catalog();
  const auto it = std::find_if(kinds.begin(), kinds.end(),
                               [&](const KindInfo* k) { return k->family == family && k->name == name; });
  return it == kinds.end() ? nullptr : *it;
}

}  // namespace polhode::model
