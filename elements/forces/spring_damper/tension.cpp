// SPDX-License-Identifier: BSD-3-Clause
// Tangents and inputs that spring-dampers along a length and about an axis share.
#include "elements/forces/spring_damper/tension.hpp"

namespace polhode::elements {

// r = T(s, sdot) g with sdot = g . v. By v: T_sdot g g^T. By q: T_s g and T_sdot H^T v of the rate, along g, and T H,
// as g itself turns.
void add_tension_tangents_to(const CoordinateLaw::Value& T, const Mat<12>& g, const PairBlock& H, const Mat<12>& v,
                             PairBlock& C, PairBlock& K) {
  C.noalias() += T.by_rate * g * g.transpose();
  K.noalias() += g * (T.by_position * g + T.by_rate * (H.transpose() * v)).transpose();
  K += T.force * H;
}

Mat<12> velocities(const PairNodes& n) {
  Mat<12> v;
  v << n[0].v, n[1].v;
  return v;
}

model::TimeFunction read_actuator(const model::Entry& entry) {
  return entry.has("actuator") ? entry.function("actuator") : model::TimeFunction(0);
}

}  // namespace polhode::elements
