// SPDX-License-Identifier: BSD-3-Clause
// A reused iteration matrix (`jacobian: kept`) gives the trajectories of full Newton, with fewer factorizations.
#include <gtest/gtest.h>

#include "verification/measured.hpp"
#include "verification/run.hpp"

namespace polhode::verification {
namespace {

struct KeptCase {
  std::string deck;
  std::string place;
  double duration;  // s
  double bound;     // m
  double share;     // of the factorizations of full Newton, at most
};

void expect_same(const KeptCase& c, const std::vector<std::string>& settings) {
  std::vector<std::string> all = settings;
  all.push_back(set_duration(c.duration));
  const Histories full = run(c.deck, all, {c.place}, 0.1 * c.duration);
  all.push_back("analysis.newton.jacobian=kept");
  const Histories kept = run(c.deck, all, {c.place}, 0.1 * c.duration);
  const std::string how = settings.empty() ? "" : " (" + settings.front().substr(9) + ")";
  expect_at_most(c.deck, "kept matrix" + how + ": largest change of " + c.place + " [m]",
                 (full[0] - kept[0]).cwiseAbs().maxCoeff(), c.bound);
  EXPECT_EQ(full.analyses[0].factorizations, full.analyses[0].iterations);
  expect_between(
      c.deck, "kept matrix" + how + ": factorizations relative to full Newton",
      static_cast<double>(kept.analyses[0].factorizations) / static_cast<double>(full.analyses[0].factorizations), 0,
      c.share, 2);
}

const KeptCase kept_top{"heavy_top", "nodes.centre.position", 1, 1e-9, 0.4};
const KeptCase right_angle{"right_angle_beam", "nodes.tip.position", 10, 1e-6, 0.9};
const KeptCase kept_bars{"four_bar", "nodes.C_bc.position", 2, 1e-9, 0.7};

TEST(KeptJacobian, SameTrajectoryAsFullNewton) {
  for (const KeptCase& c : {kept_top, right_angle, kept_bars}) expect_same(c, {});
}

// With the criterion of increments, the defaults of the program: errors of its tolerance, relative 1e-6 a step.
TEST(KeptJacobian, SameTrajectoryWithinTheToleranceOfIncrements) {
  for (KeptCase c : {kept_top, kept_bars}) {
    c.bound = 1e-5;
    c.share = 0.9;
    expect_same(c, {"analysis.newton={jacobian: full}"});
  }
  expect_same({"right_angle_beam", "nodes.tip.position", 10, 1e-5, 0.6},
              {"analysis.newton={jacobian: full}", set_step(0.1)});
  expect_same({"right_angle_beam", "nodes.tip.position", 10, 1e-4, 0.3},
              {"analysis.newton={jacobian: full}", set_step(0.02)});
  expect_same({"four_bar", "nodes.C_bc.position", 2, 1e-6, 0.7},
              {"analysis.newton={jacobian: full}", set_method("lie_alpha_index2")});
}

}  // namespace
}  // namespace polhode::verification
