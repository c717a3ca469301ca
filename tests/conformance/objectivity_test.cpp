// SPDX-License-Identifier: BSD-3-Clause
// Every kind: a rigid motion of the whole changes nothing but directions, and forces inside the model cancel.
#include "support/equations.hpp"
#include "support/kinds.hpp"

namespace polhode::support {
namespace {

constexpr double round_off = 1e-12;

class Objectivity : public EveryKind {};

struct Motion {
  math::so3::Quaternion turn;
  Vec3 shift;
  explicit Motion(std::mt19937& random)
      : turn(math::so3::exp_quaternion(random_vector(random, 2))), shift(random_vector(random)) {}
  State operator()(const State& q) const { return rigidly_moved(q, turn, shift); }
  // Turns translations; rotations are in the nodes' own frames and stay.
  VectorX operator()(const VectorX& r) const {
    VectorX result = r;
    for (Eigen::Index i = 0; i < r.size(); i += 6) result.segment<3>(i) = turn * Vec3(r.segment<3>(i));
    return result;
  }
};

TEST_P(Objectivity, EnergiesStay) {
  for_samples([](Bench& bench, const State& q, std::mt19937& random) {
    const Motion motion(random);
    State lifted = q;  // gravity energy counts from the origin: the shift alone, seen in the frame that does not turn
    for (std::size_t i = 1; i < q.x.size(); ++i) lifted.x[i] += motion.turn.conjugate() * motion.shift;
    const model::Energies before = bench.energies(q);
    const double gravity = bench.energies(lifted).gravity;
    bench.gravity = motion.turn * bench.gravity;
    const model::Energies after = bench.energies(motion(q));
    EXPECT_NEAR(after.kinetic, before.kinetic, round_off * (1 + before.kinetic));
    EXPECT_NEAR(after.strain, before.strain, round_off * (1 + before.strain));
    EXPECT_NEAR(after.gravity, gravity, round_off * (1 + std::abs(gravity)));
  });
}

TEST_P(Objectivity, ForcesTurnWithTheModel) {
  for_samples([](Bench& bench, State q, std::mt19937& random) {
    q.lambda.setZero();
    const Motion motion(random);
    const VectorX before = bench.residual(q);
    bench.gravity = motion.turn * bench.gravity;
    EXPECT_LE(relative_difference(bench.residual(motion(q)), motion(before)), round_off);
  });
}

// Rows may mix among themselves (inertial components): B^T B, B^T Phi and |Phi| tell the same constraint.
TEST_P(Objectivity, ConstraintsTurnWithTheModel) {
  for_samples([](Bench& bench, const State& q, std::mt19937& random) {
    if (bench.rows() == 0) return;
    const Motion motion(random);
    const MatrixX B = bench.B(q);
    const MatrixX B_moved = bench.B(motion(q));
    MatrixX expected = B;
    for (int i = 0; i < bench.rows(); ++i) expected.row(i) = motion(VectorX(B.row(i).transpose())).transpose();
    EXPECT_LE(relative_difference(B_moved.transpose() * B_moved, expected.transpose() * expected), round_off);
    const VectorX pull = B_moved.transpose() * bench.phi(motion(q));
    const VectorX pull_before = B.transpose() * bench.phi(q);
    // Phi is the difference of numbers of the order of one, and keeps their round-off where it is small itself.
    EXPECT_LE((pull - motion(pull_before)).norm(), round_off * (1 + pull.norm()));
    EXPECT_NEAR(bench.phi(motion(q)).norm(), bench.phi(q).norm(), round_off * (1 + bench.phi(q).norm()));
  });
}

TEST_P(Objectivity, OutputsStayOrTurnByTheirFrame) {
  for_samples([this](Bench& bench, State q, std::mt19937& random) {
    int count = 0;
    for (const model::Output& output : GetParam()->outputs) count += output.size;
    if (count == 0) return;
    const Motion motion(random);
    q = bench.on_constraints(q);
    State r = motion(q);
    bench.batch().update_history(r, bench.context(r));
    if (bench.rows() > 0) {  // the multipliers of the same forces
      const MatrixX Bt = bench.B(r).transpose();
      r.lambda = least_squares(Bt, motion(VectorX(bench.B(q).transpose() * q.lambda)));
    }
    VectorX expected = bench.outputs(q, count);
    int at = 0;
    for (const model::Output& output : GetParam()->outputs) {
      if (output.frame == "inertial")
        for (int i = at; i < at + output.size; i += 3)
          expected.segment<3>(i) = motion.turn * Vec3(expected.segment<3>(i));
      at += output.size;
    }
    EXPECT_LE(relative_difference(bench.outputs(r, count), expected), round_off);
  });
}

// Forces and moments about the origin; moments of the residual are in the nodes' frames.
void expect_balance(const State& q, const VectorX& r) {
  Vec3 force = Vec3::Zero();
  Vec3 moment = Vec3::Zero();
  for (std::size_t i = 1; i < q.x.size(); ++i) {
    const math::Vec6 f = r.segment<6>(6 * static_cast<Eigen::Index>(i - 1));
    force += f.head<3>();
    moment += q.x[i].cross(Vec3(f.head<3>())) + q.R[i] * f.tail<3>();
  }
  EXPECT_LE(force.norm(), round_off * (1 + r.norm()));
  EXPECT_LE(moment.norm(), round_off * (1 + r.norm()));
}

// Inertia forces are the rates of linear and angular momentum, whose parts at the nodes are M v: along any motion, so
// no motion makes momentum of nothing.
TEST_P(Objectivity, InertiaForcesAreTheRatesOfTheMomenta) {
  for_samples([](Bench& bench, const State& q, std::mt19937&) {
    bench.gravity.setZero();
    const auto total = [&](const State& s, const VectorX& parts) {
      math::Vec6 sum = math::Vec6::Zero();
      for (std::size_t i = 1; i < s.x.size(); ++i) {
        const math::Vec6 p = parts.segment<6>(6 * static_cast<Eigen::Index>(i - 1));
        sum.head<3>() += p.head<3>();
        sum.tail<3>() += s.x[i].cross(Vec3(p.head<3>())) + s.R[i] * p.tail<3>();
      }
      return VectorX(sum);
    };
    const VectorX rate = derivative([&](double dt) {
      const State s = flow(q, dt);
      return total(s, bench.M(s) * velocities(s));
    });
    const VectorX force = total(q, bench.residual(q, {true, false, false}));
    EXPECT_LE((force - rate).norm(), 1e-8 * (1 + rate.norm()));
  });
}

// Forces between the nodes have no power where these move as one rigid body; damping proportional to mass has.
bool resists_rigid_motion(const Bench& bench, State q) {
  q.lambda.setZero();
  const Vec3 spin(0.3, -1, 0.5);
  for (std::size_t i = 1; i < q.x.size(); ++i) q.v[i] << Vec3(1, 2, -1) + spin.cross(q.x[i]), q.R[i].transpose() * spin;
  return std::abs(bench.power(q)) > 1e-9;
}

// Where damping proportional to mass pulls from outside all else cancels: at rest.
TEST_P(Objectivity, InternalForcesCancel) {
  for_samples([this](const Bench& bench, State q, std::mt19937&) {
    if (resists_rigid_motion(bench, q)) {
      EXPECT_EQ(GetParam()->family, model::Family::beam);
      set_velocities(q, VectorX::Zero(bench.size()));
    }
    expect_balance(q, bench.residual(q, {false, true, false}));
  });
}

TEST_P(Objectivity, ReactionsCancelWhereTheConstraintHolds) {
  for_samples([](const Bench& bench, const State& q, std::mt19937&) {
    if (bench.rows() == 0) return;
    const State r = bench.on_constraints(q);
    ASSERT_LE(bench.phi(r).norm(), 1e-13);
    expect_balance(r, bench.residual(r, {false, false, true}));
  });
}

// The outputs `force` and `moment` are what the joint does to its second node, and its opposite what it does to the
// first.
TEST_P(Objectivity, ReactionOutputsAreTheConstraintForces) {
  for_samples([this](const Bench& bench, const State& q, std::mt19937&) {
    if (GetParam()->family != model::Family::joint || bench.batch().nodes() != 2) return;
    const State r = bench.on_constraints(q);
    int count = 0;
    for (const model::Output& output : GetParam()->outputs) count += output.size;
    const VectorX out = bench.outputs(r, count);
    const VectorX f = bench.residual(r, {false, false, true});
    EXPECT_LE((out.head<3>() + f.segment<3>(6)).norm(), round_off);
    EXPECT_LE((out.head<3>() - f.head<3>()).norm(), round_off);
    // the moments differ by the lever times the force: nothing along the force
    const Vec3 force = out.head<3>();
    const Vec3 couple = out.segment<3>(3) + r.R[2] * f.segment<3>(9);
    EXPECT_NEAR(couple.dot(force), 0, round_off);
  });
}

INSTANTIATE_TEST_SUITE_P(Catalog, Objectivity, testing::ValuesIn(internal_kinds()), name_of_kind);

}  // namespace
}  // namespace polhode::support
