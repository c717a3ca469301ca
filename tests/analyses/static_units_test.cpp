// SPDX-License-Identifier: BSD-3-Clause
// Paths of load steps of a frame of thin beams with moments: the same in every unit of length, and never across from
// the stable path to an unstable one.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "polhode/analyses/static/static.hpp"
#include "support/deck_text.hpp"
#include "support/models.hpp"
#include "support/statics.hpp"
#include "support/units.hpp"

namespace polhode::support {
namespace {

using analyses::StaticResult;

// Three beams in a row out of a wall, a body on a universal joint with a torsional bushing at their end, a spring to the
// ground. The path is stable up to three times these loads at least, by load steps of 0.02.
std::string thin_frame(double loads) {
  const auto vector = [loads](double x, double y, double z) {
    return fmt::format("[{}, {}, {}]", loads * x, loads * y, loads * z);
  };
  return "format: polhode-deck/1\ngravity: " + vector(-6.77, 5.61, 4.23) +
         "\nnodes: {g: {position: [0, 0, 0], fixed: true}, n0: {position: [-0.882, -0.179, -0.34]}, "
         "n1: {position: [-0.576, -0.627, -0.563]}, n2: {position: [0.104, -0.272, -0.284]}, "
         "h: {position: [0.367, -0.423, -0.116]}}\n"
         "sections:\n"
         "  s0: {stiffness: {EA: 73200, GAy: 22000, GAz: 29300, GJ: 8.5, EIy: 13.5, EIz: 16.6}, "
         "mass: {per_length: 0.421, inertia: [0.002, 0.001, 0.001]}}\n"
         "  s1: {stiffness: {EA: 85100, GAy: 25500, GAz: 34000, GJ: 38.3, EIy: 42.2, EIz: 84}, "
         "mass: {per_length: 0.36, inertia: [0.002, 0.001, 0.001]}}\n"
         "  s2: {stiffness: {EA: 59800, GAy: 17900, GAz: 23900, GJ: 9.21, EIy: 9.84, EIz: 9.89}, "
         "mass: {per_length: 0.707, inertia: [0.002, 0.001, 0.001]}}\n"
         "bodies:\n"
         "  n0: {type: rigid_body, node: n0, mass: 1.77, inertia: [0.092, 0.072, 0.085]}\n"
         "  n1: {type: rigid_body, node: n1, mass: 1.41, inertia: [0.074, 0.098, 0.058]}\n"
         "  n2: {type: rigid_body, node: n2, mass: 1.42, inertia: [0.052, 0.067, 0.072]}\n"
         "  h: {type: rigid_body, node: h, mass: 0.878, inertia: [0.02, 0.02, 0.02]}\n"
         "beams:\n"
         "  b0: {from: g, to: n0, section: s0, elements: 4, order: 3, orientation: [0.0906, 0.69, -0.598]}\n"
         "  b1: {from: n0, to: n1, section: s1, elements: 5, order: 2, orientation: [0.735, 0.17, 0.663]}\n"
         "  b2: {from: n1, to: n2, section: s2, elements: 4, order: 2, orientation: [0.0798, -0.38, 0.287]}\n"
         "forces:\n"
         "  tb: {type: bushing, connects: [n2, h], at: [0.104, -0.272, -0.284], stiffness: [0, 0, 0, 3.8, 3.8, 3.8]}\n"
         "  f: {type: load, node: n0, force: " +
         vector(4.11, 2.79, -2.63) + ", moment: " + vector(-0.71, 0.484, 0.381) +
         "}\n"
         "  d: {type: distributed_load, beam: b0, force: [-3.18, 0.00789, 2.91]}\n"
         "  s: {type: spring_damper, connects: [ground, n2], at: [[1.245, 0.852, -0.15], [0.104, -0.272, -0.284]], "
         "stiffness: 6.52, free_length: 1.447}\n"
         "joints: {j: {type: universal, connects: [n2, h], at: [0.104, -0.272, -0.284], "
         "axes: [[-0.1, 0.2, 0.3], [0.3, 0, 0.1]]}}\n"
         "analysis: {type: static}\n";
}

struct FramePath {
  explicit FramePath(model::Model model) : machine(std::move(model)), path(path_of(machine.system, {}, 0, result, q)) {}
  Machine machine;
  StaticResult result;
  State q;
  PathKeeper path;
};

TEST(StaticUnits, LoadStepsAreTheSameInMetersMillimetersAndKilometers) {
  const model::Model model = deck_of(thin_frame(1)).model;
  const FramePath meters(model);
  ASSERT_EQ(meters.result.end, StaticResult::End::done) << meters.result.failure;
  for (const double per_meter : {1000.0, 0.001}) {
    const FramePath other(UnitOfLength(per_meter).convert(model));
    ASSERT_EQ(other.result.end, StaticResult::End::done) << per_meter << ": " << other.result.failure;
    ASSERT_EQ(other.path.steps.size(), meters.path.steps.size()) << per_meter;
    for (std::size_t i = 0; i < meters.path.steps.size(); ++i) {
      EXPECT_EQ(other.path.steps[i].load_factor, meters.path.steps[i].load_factor) << per_meter;
      for (std::size_t node = 1; node < meters.q.x.size(); ++node)
        EXPECT_LE((other.path.states[i].x[node] / per_meter - meters.path.states[i].x[node]).norm(), 1e-6) << per_meter;
    }
    EXPECT_EQ(other.path.warnings, meters.path.warnings);
  }
}

TEST(StaticUnits, LoadStepsDoNotCrossToAnUnstablePart) {
  for (const double loads : {0.65, 0.7, 1.2, 1.25, 1.35, 2.5}) {
    const FramePath frame(deck_of(thin_frame(loads)).model);
    ASSERT_EQ(frame.result.end, StaticResult::End::done) << loads << ": " << frame.result.failure;
    EXPECT_TRUE(frame.path.warnings.empty()) << loads << ": " << frame.path.warnings.front();
    EXPECT_EQ(frame.result.unstable, 0) << loads;
  }
}

}  // namespace
}  // namespace polhode::support
