// SPDX-License-Identifier: BSD-3-Clause
// Load steps end at a limit load, wherever the last one lands: no equilibrium beyond is on the path.
#include <gtest/gtest.h>

#include "support/truss.hpp"

namespace polhode::support {
namespace {

using analyses::StaticResult;
using analyses::StaticSettings;

// How far the path of a truss leads under a load of so many limit loads.
Followed truss_under(double limits, double first_step, double height, double extent) {
  Truss truss{.height = height, .load = 0, .extent = extent};
  truss.load = limits * Truss{.height = height, .load = 1}.limit();
  StaticSettings settings;
  settings.first_step = first_step;
  return Followed(truss, settings);
}

// `uncertain`: of the load factor, by Newton's tolerance, which is a part of the extent
void expect_end_at_limit(double limits, double first_step, double height, double extent, double uncertain) {
  SCOPED_TRACE(testing::Message() << limits << " limit loads, first step " << first_step << ", height " << height);
  const Followed run = truss_under(limits, first_step, height, extent);
  EXPECT_EQ(run.result.end, StaticResult::End::failed);
  EXPECT_NEAR(run.result.load_factor, 1 / limits, 1e-3);
  EXPECT_LE(run.result.load_factor, 1 / limits + uncertain);
  EXPECT_GT(run.q.x[1].y(), 0) << "on the far part of the path";
  EXPECT_NE(run.result.failure.find("beyond a limit point"), std::string::npos) << run.result.failure;
}

// The last but one step lands on the limit point, a little below it, or above.
TEST(LimitLoad, EndsThePathWhereAStepLandsOnIt) {
  for (const double limits : {2.0, 4.0, 8.0})
    for (const double beside : {0.0, 1e-6, -1e-6, 1e-4, -1e-4, -1e-3, -1e-2})
      expect_end_at_limit(limits + beside, 1, 0.2, 0, 1e-9);
  for (const double height : {0.1, 0.6}) expect_end_at_limit(2, 1, height, 0, 1e-9);
}

TEST(LimitLoad, EndsThePathWhateverTheLoadAndTheFirstStep) {
  for (const double limits : {1.01, 1.3, 1.5, 1.9, 2.1, 3.0, 6.0})
    for (const double first : {1.0, 0.3, 0.07}) expect_end_at_limit(limits, first, 0.2, 0, 1e-9);
}

TEST(LimitLoad, EndsThePathInAModelOfGreatExtent) {
  for (const double limits : {1.3, 1.5, 1.9999, 2.0, 2.0001, 4.0, 8.0}) expect_end_at_limit(limits, 1, 0.2, 1000, 1e-4);
}

// A spring across the bars that is as stiff as they are leaves no limit point: the tangent is long, and then short, but
// the path goes on.
TEST(LimitLoad, IsNotSeenWhereThePathIsOnlySteep) {
  const Truss truss{.height = 0.2, .load = 0.02};
  model::Model model = truss.model();
  ModelMaker m;
  m.model = std::move(model);
  MatrixX at(3, 2);
  at << Vec3(0, -1000, 0), Vec3(0, truss.height, 0);
  // The curve falls by 0.0396 k at most per unit of length, at y = 0.
  m.add(Family::force, "spring_damper", "across",
        {{"connects", std::vector<std::string>{"ground", "apex"}}, {"at", at}, {"stiffness", 0.04 * Truss::stiffness}});
  const Machine machine(std::move(m.model));
  for (const double first : {1.0, 0.5, 0.1}) {
    StaticSettings settings;
    settings.first_step = first;
    StaticResult result;
    State q;
    path_of(machine.system, settings, 1, result, q);
    EXPECT_EQ(result.end, StaticResult::End::done) << result.failure;
    EXPECT_LT(q.x[1].y(), 0);
  }
}

}  // namespace
}  // namespace polhode::support
