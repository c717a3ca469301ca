// SPDX-License-Identifier: BSD-3-Clause
// Tangents and inputs that spring-dampers along a length and about an axis share.
#include "elements/forces/spring_damper/tension.hpp"

namespace polhode::elements {

// r = T(s, sdot) g with sdot = g . v. By v: d g g^T. By q: T' g and d H^T v of the rate, along g, and T H,
// as g itself turns.
void Tension::add_tangents_to(double total, double stiffness, const Mat<12>& g, const PairBlock& H, const Mat<12>& v,
                              PairBlock& C, PairBlock& K) const {
  C.noalias() += damping * g * g.transpose();
  K.noalias() += g * (stiffness * g + damping * (H.transpose() * v)).transpose();
  K += total * H;
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
