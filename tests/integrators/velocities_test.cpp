// SPDX-License-Identifier: BSD-3-Clause
// Velocities that meet the constraints: of momenta, with a violation that is scaled, with parts normal to them; and the
// accelerations that go with them.
#include <gtest/gtest.h>

#include "integrators/moving_models.hpp"
#include "polhode/integrators/structure/consistent_accelerations.hpp"
#include "polhode/integrators/structure/momentum_velocities.hpp"
#include "polhode/integrators/velocity_correction.hpp"

namespace polhode::support {
namespace {

using assembly::System;
using integrators::StructureMethod;

class VelocitiesOf : public testing::TestWithParam<MovingModel> {
 protected:
  double violation(const State& at) const {
    VectorX Bv(system.rows());
    VectorX phi_t(system.rows());
    VectorX gamma(system.rows());
    system.set_rates(at, Bv, phi_t, gamma);
    return VectorX((Bv + phi_t)(kept_rows(system, at))).norm();
  }
  // Velocities that do not meet the constraints.
  State disturbed(unsigned seed) const {
    std::mt19937 random(seed);
    State off = q;
    off.v = by_node(system, free_of(system, q.v) + 0.3 * random_free(system, random));
    return off;
  }
  const Machine machine{GetParam().make()};
  const System& system = machine.system;
  const State q = moving_state(system, 9);
};
INSTANTIATE_TEST_SUITE_P(Models, VelocitiesOf, testing::ValuesIn(moving_models.begin(), moving_models.begin() + 3),
                         name_of_model);

TEST_P(VelocitiesOf, MomentaOfAnAdmissibleStateAreItsOwnAgainAndOthersLoseTheirImpulse) {
  const StructureMethod of(system, settings_of("variational"));
  integrators::MomentumVelocities velocities(of);
  const auto with_momenta = [&](State s) {
    s.memory.assign(s.x.size(), Vec6::Zero());
    for (std::size_t i = 1; i < s.memory.size(); ++i) s.memory[i] = of.bodies[i].momentum(s.R[i], s.v[i]);
    return s;
  };
  State same = with_momenta(q);
  ASSERT_TRUE(velocities.set(same));
  EXPECT_LE((free_of(system, same.v) - free_of(system, q.v)).norm(), 1e-11 * free_of(system, q.v).norm());
  EXPECT_LE((free_of(system, same.vdot) - free_of(system, q.vdot)).norm(), 1e-8 * free_of(system, q.vdot).norm());
  const State off = disturbed(2);
  State once = with_momenta(off);
  ASSERT_TRUE(velocities.set(once));
  EXPECT_LE(violation(once), 1e-11);
  State twice = with_momenta(once);
  ASSERT_TRUE(velocities.set(twice));
  EXPECT_LE((free_of(system, twice.v) - free_of(system, once.v)).norm(), 1e-11 * free_of(system, q.v).norm());
  // What is taken away is normal, in the mass, to each change that the constraints allow.
  const MatrixX M = mass_matrix(system, q);
  const VectorX taken = M * (free_of(system, off.v) - free_of(system, once.v));
  const VectorX allowed = free_of(system, once.v) - free_of(system, q.v);
  EXPECT_GT(taken.norm(), 0.01);
  EXPECT_LE(std::abs(taken.dot(allowed)), 1e-10 * taken.norm() * (1 + allowed.norm()));
}

TEST_P(VelocitiesOf, ViolationIsScaledByTheFactorAndProjectionsAreIdempotent) {
  integrators::VelocityCorrection correction(system);
  const State off = disturbed(3);
  const double before = violation(off);
  ASSERT_GT(before, 0.01);
  for (const double factor : {0.0, 0.25, 1.0, 4.0, -1.0}) {
    State q1 = off;
    ASSERT_TRUE(correction.scale_violation(q1, factor));
    EXPECT_NEAR(violation(q1), std::abs(factor) * before, 1e-11 * before) << factor;
    if (factor == 0) continue;
    ASSERT_TRUE(correction.scale_violation(q1, 1 / factor));
    EXPECT_LE((free_of(system, q1.v) - free_of(system, off.v)).norm(), 1e-11) << "and back";
  }
  State projected = off;
  ASSERT_TRUE(correction.scale_violation(projected, 0));
  const VectorX once = free_of(system, projected.v);
  ASSERT_TRUE(correction.scale_violation(projected, 0));
  EXPECT_LE((free_of(system, projected.v) - once).norm(), 1e-12);
}

TEST_P(VelocitiesOf, NormalPartsAddUpAndLeaveOutWhatTheConstraintsAllow) {
  integrators::VelocityCorrection correction(system);
  std::mt19937 random(4);
  const VectorX offset = random_free(system, random);
  const auto added = [&](const VectorX& part) {
    State moved = q;
    EXPECT_TRUE(correction.add_normal_part(moved, by_node(system, part)));
    return VectorX(free_of(system, moved.v) - free_of(system, q.v));
  };
  const VectorX normal = added(offset);
  EXPECT_GT(normal.norm(), 0.01);
  EXPECT_LE((added(normal) - normal).norm(), 1e-11);
  EXPECT_LE(added(offset - normal).norm(), 1e-11);
  EXPECT_LE((added(2 * offset + normal) - 3 * normal).norm(), 1e-10);
}

TEST_P(VelocitiesOf, ConsistentAccelerationsMeetBothEquationsWhateverStoodThere) {
  integrators::ConsistentAccelerations consistent(system);
  State wrong = q;
  std::mt19937 random(5);
  wrong.vdot = by_node(system, 100 * random_free(system, random));
  wrong.lambda.setConstant(7);
  const State once = consistent.of(wrong);
  EXPECT_LE((free_of(system, once.vdot) - free_of(system, q.vdot)).norm(), 1e-8 * free_of(system, q.vdot).norm());
  EXPECT_EQ(free_of(system, once.v), free_of(system, q.v));
  assembly::Residual r = system.make_residual();
  system.set_residual(once, r);
  EXPECT_LE(system.force_norm(r), 1e-10 * (1 + free_of(system, once.vdot).norm()));
  const State twice = consistent.of(once);
  EXPECT_LE((twice.lambda - once.lambda).norm(), 1e-12 * once.lambda.norm());
}

}  // namespace
}  // namespace polhode::support
