// SPDX-License-Identifier: BSD-3-Clause
// What a step resolves of accelerations and of their rates.
#include "analyses/transient/smooth_accelerations.hpp"

#include <gtest/gtest.h>

#include "support/transients.hpp"

namespace polhode::support {
namespace {

// A body on a spring along x that is at its free length, at rest; N, m, s, kg.
model::Model held_body(double mass, double damping, double stiffness) {
  ModelMaker m;
  m.node("body", Vec3(1, 0, 0));
  m.body("body", "body", mass, Vec3(1, 1, 1));
  math::MatrixX at(3, 2);
  at << 0, 1, 0, 0, 0, 0;
  m.add(Family::force, "spring_damper", "spring",
        {{"connects", std::vector<std::string>{"ground", "body"}},
         {"at", at},
         {"stiffness", stiffness},
         {"damping", damping},
         {"free_length", 1.0}});
  return std::move(m.model);
}

// Of the only mode: m / (m + h/2 c + h^2/4 k) is left, and nothing is changed where that is half or more.
TEST(SmoothRates, AreThoseThatAStepResolves) {
  constexpr double m = 2;
  constexpr double c = 5e3;
  constexpr double k = 3e4;
  const Machine machine(held_body(m, c, k));
  const State q = consistent_start(machine.system);
  Vec6 along_x = Vec6::Zero();
  along_x[0] = 7;
  for (const double h : {1e-5, 1e-4, 1e-3, 1e-2, 0.1}) {
    const double left = m / (m + h / 2 * c + h * h / 4 * k);
    std::vector<Vec6> rates(machine.system.nodes(), Vec6::Zero());
    rates[1] = along_x;
    EXPECT_EQ(analyses::smooth_rates(machine.system, h, q, rates), left < 0.5) << h;
    EXPECT_LE((rates[1] - (left < 0.5 ? left : 1) * along_x).norm(), 1e-12 * along_x.norm()) << h;
  }
}

// Strains of damped beams settle within far less than a step: their rates are no part of what the method carries.
TEST(PerturbedStart, IsSoundWhereDampedBeamsAreLoadedAtOnce) {
  const auto end = [](const std::string& initial, const std::string& duration) {
    const Transient run(deck_of(
        "format: polhode-deck/1\ngravity: [1, -2, -9]\n"
        "nodes: {a: {position: [0, 0, 0], fixed: true}, b: {position: [1, 0, 0]}}\n"
        "sections: {s: {E: 2e9, nu: 0.3, density: 1500, shape: circle, radius: 0.01, damping: 1e-2}}\n"
        "beams: {beam: {from: a, to: b, elements: 4, order: 3, section: s, orientation: [0, 0, 1]}}\n"
        "bodies: {tip: {type: rigid_body, node: b, mass: 0.5, inertia: [1e-3, 1e-3, 2e-3]}}\n"
        "analysis: {type: transient, duration: " +
        duration + ", step: 0.001, integrator: {method: lie_alpha, rho_infinity: 0.5, initial: " + initial + "}}\n"));
    EXPECT_EQ(run.result.end, TransientResult::End::done);
    EXPECT_TRUE(run.looker.warnings.empty());
    return run.q;
  };
  constexpr double moved = 0.017;  // m, until 0.06 s
  for (const char* duration : {"0.003", "0.01", "0.06"}) {
    const State consistent = end("consistent", duration);
    const State perturbed = end("perturbed", duration);
    for (std::size_t i = 0; i < consistent.x.size(); ++i)
      EXPECT_LE((perturbed.x[i] - consistent.x[i]).norm(), 3e-5 * moved) << duration;
  }
}

}  // namespace
}  // namespace polhode::support
