// SPDX-License-Identifier: BSD-3-Clause
// A pendulum under control: 2 kg, 0.1 kg m^2 about its center 0.5 m off the hinge, released level, so that
// phi'' 0.6 kg m^2 = 9.81 N m cos phi + torque.
#pragma once
#include <cmath>

#include "support/transients.hpp"

namespace polhode::support {

// `signals` may take `angle` and `rate`; `step` is a number or a mapping.
inline std::string controlled_pendulum(const std::string& signals, const std::string& motor, double duration,
                                       const std::string& step,
                                       const std::string& integrator = "{method: lie_alpha, rho_infinity: 0.8}") {
  return "format: polhode-deck/1\ngravity: [0, 0, -9.81]\nnodes: {c: {position: [0.5, 0, 0]}}\n"
         "bodies: {rod: {type: rigid_body, node: c, mass: 2, inertia: [0.1, 0.1, 0.1]}}\n"
         "signals:\n  angle: {of: joints.hinge.coordinates}\n  rate: {of: joints.hinge.rates}\n" +
         signals + "joints: {hinge: {type: revolute, connects: [ground, c], at: [0, 0, 0], axis: [0, 1, 0], motor: \"" +
         motor + "\"}}\nanalysis: {type: transient, duration: " + std::to_string(duration) + ", step: " + step +
         ", integrator: " + integrator + ", newton: {relative: 1e-10, absolute: 1e-12}}\n";
}
inline std::string controlled_pendulum(const std::string& signals, const std::string& motor, double duration, double h,
                                       const std::string& integrator = "{method: lie_alpha, rho_infinity: 0.8}") {
  return controlled_pendulum(signals, motor, duration, std::to_string(h), integrator);
}

inline double angle_of(const State& q) { return std::atan2(-q.x[1].z(), q.x[1].x()); }

// Of a run that is completed.
inline double angle_at_end(const std::string& text) {
  Transient run(deck_of(text));
  EXPECT_EQ(run.result.end, TransientResult::End::done);
  return angle_of(run.q);
}

}  // namespace polhode::support
