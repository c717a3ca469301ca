// SPDX-License-Identifier: BSD-3-Clause
// The start of a transient: constraints met with the least change, consistent accelerations, and what is refused.
#include "polhode/analyses/initial/start.hpp"

#include <gtest/gtest.h>

#include "support/models.hpp"

namespace polhode::support {
namespace {

using analyses::meet_constraints;
using analyses::StartReport;
using assembly::System;

double constraint_violation(const System& system, const State& q) {
  assembly::Residual r = system.make_residual();
  system.set_residual(q, r);
  return r.phi.norm();
}

double rate_violation(const System& system, const State& q) {
  VectorX Bv(system.rows());
  VectorX phi_t(system.rows());
  VectorX gamma(system.rows());
  system.set_rates(q, Bv, phi_t, gamma);
  return (Bv + phi_t).norm();
}

TEST(Start, ClosesSmallGapsAndRates) {
  model::Model model = heavy_top();
  *model.nodes[0].velocity += Vec3(1e-6, 2e-6, 0);
  const Machine machine(std::move(model));
  State q = machine.system.initial_state();
  const State before = q;
  // the deck's joint is made at the deck's positions: move the node away from it
  q.x[1] += Vec3(2e-8, 1e-8, -1e-8);
  model::Problems problems;
  const StartReport report = meet_constraints(machine.system, q, 1, problems);
  EXPECT_TRUE(problems.empty());
  EXPECT_LE(constraint_violation(machine.system, q), 1e-15);
  EXPECT_LE(rate_violation(machine.system, q), 1e-14 * 150);
  EXPECT_NEAR(report.position_violation, 2e-8 / machine.system.length(), 1e-15);
  EXPECT_GT(report.largest_move, 0);
  EXPECT_LE((q.x[1] - before.x[1]).norm(), 3e-8);
  EXPECT_LE((q.v[1] - before.v[1]).norm(), 1e-4);
}

TEST(Start, LeavesAConsistentStateAlone) {
  const Machine machine(heavy_top());
  State q = machine.system.initial_state();
  const State before = q;
  model::Problems problems;
  meet_constraints(machine.system, q, 1, problems);
  EXPECT_EQ(q.x[1], before.x[1]);
  EXPECT_EQ(q.quat[1].coeffs(), before.quat[1].coeffs());
  EXPECT_LE((q.v[1] - before.v[1]).norm(), 1e-13);
}

TEST(Start, RefusesPositionsThatBreakAJointByName) {
  const Machine machine(heavy_top());
  State q = machine.system.initial_state();
  q.x[1].x() += 1e-3;
  model::Problems problems;
  meet_constraints(machine.system, q, 1, problems);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].path, "joints.pivot");
  EXPECT_NE(problems[0].message.find("position x by -0.001 m"), std::string::npos) << problems[0].message;
}

TEST(Start, RefusesVelocitiesThatBreakAJointByName) {
  model::Model model = heavy_top();
  model.nodes[0].velocity->y() = 0.1;
  const Machine machine(std::move(model));
  State q = machine.system.initial_state();
  model::Problems problems;
  meet_constraints(machine.system, q, 1, problems);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].path, "joints.pivot");
  EXPECT_NE(problems[0].message.find("position y by -0.1 m/s"), std::string::npos) << problems[0].message;
}

TEST(Start, RefusesAnOverConstrainedModel) {
  const Machine machine(rigid_four_bar());
  State q = machine.system.initial_state();
  model::Problems problems;
  meet_constraints(machine.system, q, 1, problems);
  ASSERT_FALSE(problems.empty());
  for (const model::Problem& problem : problems) {
    EXPECT_EQ(problem.path.substr(0, 13), "joints.hinge_");
    EXPECT_NE(problem.message.find("over-constrained"), std::string::npos);
  }
}

TEST(Start, NamesTheUnknownWithoutInertia) {
  ModelMaker m;
  m.node("tip", Vec3::UnitX());
  m.add(Family::body, "point_mass", "mass", {{"node", value("tip")}, {"mass", 1.0}});
  const Machine machine(std::move(m.model));
  State q = machine.system.initial_state();
  model::Problems problems;
  EXPECT_FALSE(analyses::set_accelerations(machine.system, q, problems));
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].path, "nodes.tip");
  EXPECT_NE(problems[0].message.find("moment x"), std::string::npos) << problems[0].message;
}

// r = 0 and B vdot + Gamma = 0; the steady precession of the top has a known reaction of its pivot.
TEST(Start, AccelerationsAreConsistent) {
  const Machine machine(heavy_top());
  const System& system = machine.system;
  const State q = consistent_start(system);
  assembly::Residual r = system.make_residual();
  system.set_residual(q, r);
  EXPECT_LE(system.force_norm(r), 1e-10);
  State rate = q;
  rate.v = q.vdot;
  VectorX Bvdot(3);
  VectorX Bv(3);
  VectorX phi_t(3);
  VectorX gamma(3);
  VectorX unused(3);
  system.set_rates(q, Bv, phi_t, gamma);
  system.set_rates(rate, Bvdot, phi_t, unused);
  EXPECT_LE((Bvdot + gamma).norm(), 1e-12 * 150 * 150);
  // centre of mass: m xddot = m g + reaction on the top; Phi = ground - top, so the reaction is +lambda
  EXPECT_LE((15 * q.vdot[1].head<3>() - 15 * Vec3(0, 0, -9.81) - q.lambda).norm(), 1e-10);
}

// A pendulum of a point at the distance l, at rest and horizontal: falls with g, no reaction; hanging: reaction m g.
TEST(Start, PendulumFallsWithGravity) {
  for (const bool hanging : {false, true}) {
    ModelMaker m;
    m.model.gravity = Vec3(0, 0, -9.81);
    const Vec3 at = hanging ? Vec3(0, 0, -2) : Vec3(2, 0, 0);
    m.node("bob", at);
    m.body("bob", "bob", 3, Vec3(1e-9, 1e-9, 1e-9));
    m.joint("revolute", "pin", "ground", "bob", Vec3::Zero()).values.emplace("axis", value(Vec3(0, 1, 0)));
    const Machine machine(std::move(m.model));
    const State q = consistent_start(machine.system);
    EXPECT_LE((q.vdot[1].head<3>() - (hanging ? Vec3(0, 0, 0) : Vec3(0, 0, -9.81))).norm(), 1e-7);
    EXPECT_LE((q.lambda.head<3>() - (hanging ? Vec3(0, 0, 3 * 9.81) : Vec3(0, 0, 0))).norm(), 1e-7);
  }
}

}  // namespace
}  // namespace polhode::support
