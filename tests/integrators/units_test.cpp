// SPDX-License-Identifier: BSD-3-Clause
// The same machine in meters, millimeters and kilometers: the same motion by every method.
#include "support/units.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "polhode/integrators/sundials/sundials.hpp"
#include "support/methods.hpp"
#include "support/transients.hpp"

namespace polhode::support {
namespace {

TEST(ExponentOfLength, IsThatOfSiUnits) {
  for (const auto& [unit, exponent] : std::initializer_list<std::pair<const char*, int>>{{"", 0},
                                                                                         {"m", 1},
                                                                                         {"rad", 0},
                                                                                         {"kg m^2", 2},
                                                                                         {"kg/m^3", -3},
                                                                                         {"m/s^2", 1},
                                                                                         {"N", 1},
                                                                                         {"N/m", 0},
                                                                                         {"N s/m", 0},
                                                                                         {"N m s/rad", 2}})
    EXPECT_EQ(exponent_of_length(unit), exponent) << unit;
  EXPECT_THROW(exponent_of_length("ft"), std::invalid_argument);
}

// A crank that a motor turns, an arm on it, and a rod on a ball joint, out of the plane; a spring to the ground, a
// bushing with damping, a load that varies. The box around it is no cube of 1 m.
const std::string rigid_machine = R"deck(
format: polhode-deck/1
gravity: [0, -9.81, 0.5]
nodes:
  crank: {position: [0.15, 0, 0]}
  arm: {position: [0.6, 0, 0]}
  rod: {position: [0.9, -0.2, 0.1]}
bodies:
  crank: {type: rigid_body, node: crank, mass: 3, inertia: [0.01, 0.03, 0.03]}
  arm: {type: rigid_body, node: arm, mass: 2, inertia: [0.01, 0.06, 0.05], center_of_mass: [0.02, 0.01, 0]}
  rod: {type: rigid_body, node: rod, mass: 0.7, inertia: [0.02, 0.01, 0.02]}
joints:
  motor: {type: revolute, connects: [ground, crank], at: [0, 0, 0], axis: [0, 0, 1], rotation: "=6*t*t"}
  pin: {type: revolute, connects: [crank, arm], at: [0.3, 0, 0], axis: [0, 0, 1], stiffness: 4, damping: 0.1}
  ball: {type: spherical, connects: [arm, rod], at: [0.9, 0, 0]}
forces:
  spring: {type: spring_damper, connects: [ground, rod], at: [[1, -1, 0.3], [0.9, -0.2, 0.1]], stiffness: 200, damping: 3, free_length: 0.5}
  push: {type: load, node: arm, force: [3, 0, 1], history: "=sin(9*t)"}
)deck";

// A flexible blade on the arm, and rubber between crank and arm.
const std::string blade = R"deck(
  rubber: {type: bushing, connects: [crank, arm], at: [0.3, 0, 0], stiffness: [300, 300, 300, 3, 3, 3], damping: [1, 1, 1, 0.02, 0.02, 0.02]}
sections:
  blade:
    stiffness: {EA: 2000, GAy: 900, GAz: 900, GJ: 1.5, EIy: 2, EIz: 3}
    mass: {per_length: 0.8, inertia: [0.002, 0.001, 0.001]}
    damping: [[2, 0, 0, 0, 0, 0.01], [0, 0.9, 0, 0, 0, 0], [0, 0, 0.9, 0.005, 0, 0], [0, 0, 0.005, 2.0e-3, 0, 0], [0, 0, 0, 0, 2.0e-3, 0], [0.01, 0, 0, 0, 0, 3.0e-3]]
    mass_damping: 0.4
beams:
  blade: {section: blade, from: arm, to: tip, elements: 2, orientation: [1, 0, 0]}
)deck";

std::string analysis(const std::string& method) {
  const std::string step = has_own_steps(method) ? "{tolerance: 1.0e-6}" : "0.001";
  return "analysis: {type: transient, duration: 0.3, step: " + step + ", integrator: {method: " + method +
         "}, newton: {criterion: increment}}\n";
}

io::Deck machine_with_blade(const std::string& method) {
  std::string text = rigid_machine + blade + analysis(method);
  const std::string nodes = "nodes:\n";
  text.insert(text.find(nodes) + nodes.size(), "  tip: {position: [0.6, 0.5, 0]}\n");
  return deck_of(text);
}

class UnitsOfLength : public testing::TestWithParam<std::string> {
 protected:
  // Relative to the size and the speeds of the model. Newton's matrix of bdf is made of differences, whose rounding
  // errors come back in what its iteration leaves: a tenth of the tolerance.
  static void expect_same_motion(const io::Deck& deck) {
    const bool exact = GetParam() != "bdf";
    const double same = exact ? 1e-10 : 1e-7;
    const Transient meters(deck);
    ASSERT_EQ(meters.result.end, TransientResult::End::done);
    const double size = meters.machine.system.length();
    const VectorX& lambda = meters.q.lambda;
    double speed = 0;
    for (const Vec6& v : meters.q.v) speed = std::max({speed, v.head<3>().norm() / size, v.tail<3>().norm()});
    for (const double per_meter : {1000.0, 0.001}) {
      SCOPED_TRACE(testing::Message() << per_meter << " units in a meter");
      const UnitOfLength unit(per_meter);
      io::Deck other = deck;
      other.model = unit.convert(deck.model);
      const Transient run(other);
      ASSERT_EQ(run.result.end, TransientResult::End::done);
      if (exact) {
        EXPECT_EQ(run.result.progress.step, meters.result.progress.step);
        EXPECT_EQ(run.result.progress.iterations, meters.result.progress.iterations);
      }
      for (std::size_t i = 1; i < meters.q.x.size(); ++i) {
        EXPECT_LE((run.q.x[i] / per_meter - meters.q.x[i]).norm(), same * size) << i;
        EXPECT_LE((run.q.R[i] - meters.q.R[i]).norm(), same) << i;
        EXPECT_LE((run.q.v[i].head<3>() / per_meter - meters.q.v[i].head<3>()).norm(), 10 * same * size * speed) << i;
        EXPECT_LE((run.q.v[i].tail<3>() - meters.q.v[i].tail<3>()).norm(), 10 * same * speed) << i;
      }
      for (int row = 0; row < lambda.size(); ++row) {
        const bool length = meters.machine.system.row_is_length(row);
        const double largest = lambda.lpNorm<Eigen::Infinity>() * (length ? 1 : size);
        EXPECT_NEAR(run.q.lambda[row] / unit.factor(length ? 1 : 2), lambda[row], 1000 * same * largest) << row;
      }
    }
  }
};

class UnitsOfLengthWithBeams : public UnitsOfLength {};

TEST_P(UnitsOfLength, DoNotChangeTheMotion) { expect_same_motion(deck_of(rigid_machine + analysis(GetParam()))); }

TEST_P(UnitsOfLengthWithBeams, DoNotChangeTheMotion) { expect_same_motion(machine_with_blade(GetParam())); }

const auto name_of_method = [](const auto& method) { return std::string(method.param); };
INSTANTIATE_TEST_SUITE_P(Methods, UnitsOfLength, testing::ValuesIn(built_methods()), name_of_method);
INSTANTIATE_TEST_SUITE_P(Methods, UnitsOfLengthWithBeams,
                         testing::Values("lie_alpha", "lie_alpha_index2", "ul_crv", "ul_rotation_vector", "rosenbrock4",
                                         "rosenbrock_w2", "radau5"),
                         name_of_method);

}  // namespace
}  // namespace polhode::support
