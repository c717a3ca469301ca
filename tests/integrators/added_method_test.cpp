// SPDX-License-Identifier: BSD-3-Clause
// One more method costs one folder and one line of the catalog: the example of docs/adding_a_method.md, run by the same
// loop over time as all others.
#include <gtest/gtest.h>

#include <cmath>

#include "integrators/symplectic_euler/symplectic_euler.hpp"
#include "support/transients.hpp"

namespace polhode::support {
namespace {

// The line of the catalog.
const integrators::Method symplectic_euler{"symplectic_euler", "of order 1, for models without constraints",
                                            &integrators::symplectic_euler_family};

const std::string swinging =
    "format: polhode-deck/1\nnodes: {mass: {position: [1, 0, 0]}}\n"
    "bodies: {mass: {type: rigid_body, node: mass, mass: 2, inertia: [1, 1, 1]}}\n"
    "forces: {spring: {type: spring_damper, connects: [ground, mass], at: [[0, 0, 0], [1, 0, 0]], stiffness: 8, free_length: 0.8}}\n"
    "analysis: {type: transient, duration: 3.2, integrator: {method: symplectic_euler}, step: ";

double error_at_the_end(double h) {
  const io::Deck deck = deck_of(swinging + std::to_string(h) + "}\n");
  const Transient run(deck);
  EXPECT_TRUE(run.problems.empty());
  EXPECT_EQ(run.result.end, TransientResult::End::done);
  return run.q.x[1][0] - (0.8 + 0.2 * std::cos(2 * 3.2));
}

class AddedMethod : public testing::Test {
 protected:
  static void SetUpTestSuite() { integrators::add_method(symplectic_euler); }
};

TEST_F(AddedMethod, IsFoundInTheCatalog) {
  ASSERT_NE(integrators::find_method("symplectic_euler"), nullptr);
  EXPECT_EQ(integrators::find_method("symplectic_euler")->family->name, "symplectic Euler");
}

TEST_F(AddedMethod, RunsWithItsOrder) {
  const double coarse = error_at_the_end(0.004);
  const double fine = error_at_the_end(0.002);
  EXPECT_LT(std::abs(coarse), 0.002);
  EXPECT_NEAR(coarse / fine, 2, 0.1);
}

TEST_F(AddedMethod, RefusesWhatItCannotDo) {
  const io::Deck deck = deck_of(swinging + "{tolerance: 1.0e-4}}\n");
  const Transient run(deck);
  EXPECT_EQ(run.result.end, TransientResult::End::invalid);
  ASSERT_EQ(run.problems.size(), 1u);
  EXPECT_EQ(run.problems[0].path, "analysis.step");
}

}  // namespace
}  // namespace polhode::support
