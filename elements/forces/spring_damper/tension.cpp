// SPDX-License-Identifier: BSD-3-Clause
// Tangents and inputs that spring-dampers along a length and about an axis share.
#include "elements/forces/spring_damper/tension.hpp"

namespace polhode::elements {

// r = T(s, sdot) g with sdot = g . v. By v: T_sdot g g^T. By q: T_s g and T_sdot H^T v of the rate, along g, and T H,
// as g itself turns.
void add_tension_tangents_to(const CoordinateLaw::Value& T, const Mat<12>& g, const PairBlock& H, const Mat<12>& v,
                             PairBlock& C, PairBlock& K) {
  Mat<12> by_position;
  Mat<12> by_velocity;
  set_tension_gradient(T, g, H, v, by_position, by_velocity);
  C.noalias() += g * by_velocity.transpose();
  K.noalias() += g * by_position.transpose();
  K += T.force * H;
}

void set_tension_gradient(const CoordinateLaw::Value& T, const Mat<12>& g, const PairBlock& H, const Mat<12>& v,
                          Mat<12>& by_position, Mat<12>& by_velocity) {
  by_position = T.by_position * g + T.by_rate * (H.transpose() * v);
  by_velocity = T.by_rate * g;
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
