// SPDX-License-Identifier: BSD-3-Clause
// Redundant constraints that are resolved: the right motion, multipliers of least norm, changes of rank.
#include "polhode/analyses/redundancy.hpp"

#include <gtest/gtest.h>

#include "polhode/analyses/transient/transient.hpp"
#include "support/models.hpp"

namespace polhode::analyses {
namespace {

using model::Family;
using support::expression;
using support::Machine;
using support::ModelMaker;
using support::rigid_four_bar;
using support::State;
using support::value;
using support::Vec3;
using support::VectorX;

class SilentObserver : public Observer {
 public:
  void observe(const State& q, const integrators::StepRecord&, const Progress&, bool) override { states.push_back(q); }
  bool interrupted() const override { return false; }
  void warn(const std::string& text) override { warnings.push_back(text); }
  std::vector<State> states;
  std::vector<std::string> warnings;
};

struct RedundantRun {
  std::unique_ptr<Machine> machine;
  SilentObserver seen;
  TransientResult result;
  const State& last() const { return seen.states.back(); }
};

RedundantRun redundant_run(model::Model m, double duration) {
  RedundantRun run{std::make_unique<Machine>(std::move(m)), {}, {}};
  State q = run.machine->system.initial_state();
  model::Problems problems;
  TransientSettings settings;
  settings.duration = duration;
  settings.step = 0.005;
  run.result = run_transient(run.machine->system, settings, q, 0, run.seen, problems);
  EXPECT_TRUE(problems.empty());
  return run;
}

// The four-bar falls from a position beside its equilibrium; gravity in its plane.
model::Model four_bar(bool redundant) {
  model::Model m = rigid_four_bar();
  m.gravity = Vec3(2, -9.81, 0);
  m.resolve_redundant = redundant;
  if (redundant) return m;
  for (model::Entry& entry : m.entries)  // the same motion with hinges B and C as balls
    if (entry.name == "hinge_B" || entry.name == "hinge_C") {
      entry.kind = model::find_kind(Family::joint, "spherical");
      entry.values.erase("axis");
    }
  return m;
}

TEST(Redundancy, AFourBarWithFourHingesMovesAsOneWithTwoBalls) {
  const RedundantRun resolved = redundant_run(four_bar(true), 2);
  const RedundantRun plain = redundant_run(four_bar(false), 2);
  ASSERT_EQ(resolved.result.end, TransientResult::End::done);
  ASSERT_EQ(resolved.seen.warnings.size(), 1u);
  EXPECT_NE(resolved.seen.warnings[0].find("over-constrained by 3 redundant constraint equations; dropped: "),
            std::string::npos)
      << resolved.seen.warnings[0];
  for (std::size_t k = 0; k < plain.seen.states.size(); ++k)
    for (std::size_t i = 1; i < plain.last().x.size(); ++i) {
      EXPECT_LE((resolved.seen.states[k].x[i] - plain.seen.states[k].x[i]).norm(), 1e-9) << k;
      EXPECT_LE((resolved.seen.states[k].v[i] - plain.seen.states[k].v[i]).norm(), 1e-7) << k;
    }
  EXPECT_GE((plain.last().x[1] - plain.seen.states[0].x[1]).norm(), 0.05);  // it has moved
}

TEST(Redundancy, MultipliersBalanceTheForcesAndHaveTheLeastNorm) {
  RedundantRun four = redundant_run(four_bar(true), 0.5);
  const assembly::System& system = four.machine->system;
  const State& q = four.last();
  assembly::Residual r = system.make_residual();
  system.set_residual(q, r);
  EXPECT_LE(system.force_norm(r), 1e-4 * q.lambda.norm());
  const assembly::ConstraintRank rank = assembly::constraint_rank(system, q);
  ASSERT_EQ(rank.dependencies.size(), 3u);
  for (const VectorX& n : rank.dependencies) {
    EXPECT_NEAR(n.dot(q.lambda), 0, 1e-9 * q.lambda.norm());  // no part that could be taken away
    State other = q;
    other.lambda = n;
    assembly::Residual forces = system.make_residual();
    system.set_residual(other, forces, {false, false, true});
    EXPECT_LE(system.force_norm(forces), 1e-7);  // which gives no force
  }
}

// A cardan joint between shafts at right angles, whose arm on the driven shaft turns into the axis of the other at 1 s.
model::Model cardan_at_right_angles(bool resolve) {
  ModelMaker m;
  m.model.resolve_redundant = resolve;
  m.node("in", Vec3(-0.2, 0, 0));
  m.node("out", Vec3(0, 0.2, 0));
  m.body("in", "in", 1, Vec3(0.01, 0.01, 0.01));
  m.body("out", "out", 1, Vec3(0.01, 0.01, 0.01));
  model::Entry& motor = m.joint("revolute", "motor", "ground", "in", Vec3(-0.2, 0, 0));
  motor.values.emplace("axis", value(Vec3(1, 0, 0)));
  motor.values.emplace("rotation", expression("pi/2*t^2"));
  math::MatrixX arms(3, 2);
  arms << Vec3(0, 0, 1), Vec3(1, 0, 0);
  m.joint("universal", "cross", "in", "out", Vec3(0, 0, 0)).values.emplace("axes", arms);
  m.joint("point_on_line", "bearing", "ground", "out", Vec3(0, 0.2, 0)).values.emplace("axis", value(Vec3(0, 1, 0)));
  return std::move(m.model);
}

TEST(Redundancy, ASingularPositionOnTheWayIsPassedAndTold) {
  for (const bool resolve : {false, true}) {
    const RedundantRun shaft = redundant_run(cardan_at_right_angles(resolve), 1.2);
    EXPECT_EQ(shaft.result.end, TransientResult::End::done);
    EXPECT_LE((shaft.last().R[2] - math::Mat3::Identity()).norm(), 1e-9);  // the arm of the other shaft is in the axis
    ASSERT_GE(shaft.seen.warnings.size(), 1u);
    EXPECT_NE(shaft.seen.warnings[0].find("t = 1 s: "), std::string::npos) << shaft.seen.warnings[0];
    EXPECT_NE(shaft.seen.warnings[0].find("a singular position"), std::string::npos) << shaft.seen.warnings[0];
  }
}

// Two bars in line at the start: the rows of the third hinge are redundant there, and count once the bars have folded.
TEST(Redundancy, ARowThatBecomesIndependentCountsAgain) {
  ModelMaker m;
  m.model.gravity = Vec3(0, -9.81, 0);
  m.model.resolve_redundant = true;
  m.node("left", Vec3(0.5, 0, 0));
  m.node("right", Vec3(1.4, 0, 0));
  m.body("one", "left", 1, Vec3(0.1, 0.1, 0.1));
  m.body("two", "right", 1, Vec3(0.1, 0.1, 0.1));
  const Vec3 axis(0, 0, 1);
  m.joint("revolute", "A", "ground", "left", Vec3(0, 0, 0)).values.emplace("axis", value(axis));
  m.joint("revolute", "B", "left", "right", Vec3(1, 0, 0)).values.emplace("axis", value(axis));
  m.joint("point_on_line", "guide", "ground", "right", Vec3(1.8, 0, 0)).values.emplace("axis", value(Vec3(1, 0, 0)));
  const RedundantRun slider = redundant_run(std::move(m.model), 0.4);
  ASSERT_EQ(slider.result.end, TransientResult::End::done);
  const State& q = slider.last();
  const Vec3 end = q.x[2] + q.R[2] * Vec3(0.4, 0, 0);
  EXPECT_NEAR(end.y(), 0, 1e-9);
  EXPECT_NEAR(end.z(), 0, 1e-9);
}

// A parallelogram whose cranks go round: where all bars lie in one line it might fold the other way.
TEST(Redundancy, ASingularPositionOnTheWayIsSurvivedAndTold) {
  ModelMaker m;
  const double angle = 1;
  const double speed = 3;
  const Vec3 crank(std::cos(angle), std::sin(angle), 0);
  const Vec3 axis(0, 0, 1);
  for (const char* name : {"left", "right"}) {
    const Vec3 pivot(name[0] == 'l' ? 0 : 2, 0, 0);
    model::NodeEntry& node = m.node(name, pivot + crank / 2);
    node.velocity = speed * axis.cross(crank / 2);
    node.angular_velocity = speed * axis;
    m.body(name, name, 1, Vec3(0.1, 0.1, 0.1));
    m.joint("revolute", std::string("pivot_") + name, "ground", name, pivot).values.emplace("axis", value(axis));
  }
  math::MatrixX ends(3, 2);
  ends << crank, Vec3(2, 0, 0) + crank;
  m.joint("distance", "rod", "left", "right", Vec3::Zero()).values.insert_or_assign("at", ends);
  const RedundantRun turning = redundant_run(std::move(m.model), 1.2);
  ASSERT_EQ(turning.result.end, TransientResult::End::done);
  ASSERT_EQ(turning.seen.warnings.size(), 1u);
  const std::string& told = turning.seen.warnings[0];
  EXPECT_EQ(told.find("t = 0.72"), 0u) << told;  // the step after (pi - 1)/3 s = 0.714 s
  EXPECT_NE(told.find("close to a singular position, where constraint equations nearly follow from others "
                      "(joints.rod [distance])"),
            std::string::npos)
      << told;
  EXPECT_NEAR(turning.last().x[1].norm(), 0.5, 1e-9);
}

}  // namespace
}  // namespace polhode::analyses
