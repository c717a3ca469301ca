// SPDX-License-Identifier: BSD-3-Clause
// Drives that jump are reported before the run, by joint, time and size; drives with a kink alone are not.
#include <gtest/gtest.h>

#include "polhode/analyses/transient/transient.hpp"
#include "support/models.hpp"

namespace polhode::analyses {
namespace {

using support::Machine;
using support::ModelMaker;
using support::State;

class Listener : public Observer {
 public:
  void observe(const State&, const integrators::StepRecord&, const Progress&, bool) override {}
  bool interrupted() const override { return false; }
  void warn(const std::string& text) override { warnings.push_back(text); }
  std::vector<std::string> warnings;
};

std::vector<std::string> warnings_of(std::string_view drive) {
  ModelMaker m = support::pump(drive);
  Machine machine(std::move(m.model));
  State q = machine.system.initial_state();
  model::Problems problems;
  Listener listener;
  TransientSettings settings;
  settings.duration = 1;
  settings.step = 0.01;
  run_transient(machine.system, settings, q, 0, listener, problems);
  EXPECT_TRUE(problems.empty());
  return listener.warnings;
}

TEST(DriveJumps, AJumpIsToldWithJointTimeAndSize) {
  const auto warnings = warnings_of("t > 0.5 ? 0.25 : 0");
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(
      warnings[0],
      "the drive of joints.pump [translation] jumps by 0.25 m at t = 0.5 s, and no motion follows it; give it time");
}

TEST(DriveJumps, AKinkIsNone) { EXPECT_TRUE(warnings_of("t > 0.5 ? (t - 0.5)/10 : 0").empty()); }

}  // namespace
}  // namespace polhode::analyses
