// SPDX-License-Identifier: BSD-3-Clause
// Every kind: mass, energies, and the balance of work between residual, energies and power.
#include <algorithm>

#include "support/equations.hpp"
#include "support/kinds.hpp"

namespace polhode::support {
namespace {

using Scalar = Eigen::Matrix<double, 1, 1>;

class Energy : public EveryKind {};

TEST_P(Energy, MassIsSymmetricAndNeverNegative) {
  for_samples([](const Bench& bench, const State& q, std::mt19937&) {
    const MatrixX M = bench.M(q);
    EXPECT_LE(relative_difference(M, M.transpose()), 1e-14);
    const VectorX eigenvalues = math::symmetric_eigen(M).values;
    EXPECT_GE(eigenvalues.minCoeff(), -1e-13 * eigenvalues.maxCoeff());
  });
}

TEST_P(Energy, KineticEnergyIsHalfTheMassTimesVelocitySquared) {
  for_samples([](const Bench& bench, const State& q, std::mt19937&) {
    const VectorX v = velocities(q);
    const double kinetic = 0.5 * v.dot(bench.M(q) * v);
    EXPECT_NEAR(bench.energies(q).kinetic, kinetic, 1e-13 * (1 + std::abs(kinetic)));
  });
}

// The momenta of the nodes are M v, but for what turns in them at rest; angular momentum about the origin.
TEST_P(Energy, MomentumIsMassTimesVelocity) {
  for_samples([](const Bench& bench, const State& q, std::mt19937&) {
    const VectorX p = bench.M(q) * velocities(q);
    Vec3 linear = Vec3::Zero();
    Vec3 angular = Vec3::Zero();
    for (int i = 0; i < bench.batch().nodes(); ++i) {
      const Vec3 pi = p.segment<3>(6 * i);
      linear += pi;
      angular += q.x[i + 1].cross(pi) + q.R[i + 1] * p.segment<3>(6 * i + 3);
    }
    const model::Totals totals = bench.batch().observe(0, 1, q, bench.context(q), nullptr, 0);
    State still = q;
    set_velocities(still, VectorX::Zero(bench.size()));
    const model::Totals at_rest = bench.batch().observe(0, 1, still, bench.context(q), nullptr, 0);
    EXPECT_LE((totals.linear - linear).norm(), 1e-13 * (1 + linear.norm()));
    EXPECT_LE((totals.angular - at_rest.angular - angular).norm(), 1e-13 * (1 + angular.norm()));
    EXPECT_EQ(totals.energies.total(), bench.energies(q).total());
  });
}

// The forces of single elements are those of the batch.
TEST_P(Energy, ForcesOfOneElementAreItsResidual) {
  for_samples([](const Bench& bench, const State& q, std::mt19937&) {
    std::vector<Vec6> force(q.x.size(), Vec6::Zero());
    const std::array<std::size_t, 1> element{0};
    bench.batch().add_residual_of(element, q, bench.context(q), force);
    const VectorX r = bench.residual(q);
    for (int i = 0; i < bench.batch().nodes(); ++i) EXPECT_EQ(force[i + 1], r.segment<6>(6 * i));
  });
}

// At rest the residual without inertia is the gradient of strain and gravity energy, less what comes from outside: the
// part of the power that changes its sign with the velocities (that of dampers does not, at low velocities: one that
// never pushes ends at some velocity).
TEST_P(Energy, ForcesAreTheGradientOfTheEnergy) {
  for_samples([](const Bench& bench, State q, std::mt19937& random) {
    set_velocities(q, VectorX::Zero(bench.size()));
    set_accelerations(q, VectorX::Zero(bench.size()));
    q.lambda.setZero();
    const VectorX r = bench.residual(q);
    for (int i = 0; i < 4; ++i) {
      VectorX direction(bench.size());
      for (double& d : direction) d = random_vector(random)[0];
      const double rise =
          derivative([&](double s) { return Scalar(bench.energies(moved(q, s * direction)).total()); })[0];
      State forth = q;
      State back = q;
      constexpr double slow = 1e-4;
      set_velocities(forth, slow * direction);
      set_velocities(back, -slow * direction);
      const double outside = (bench.power(forth) - bench.power(back)) / (2 * slow);
      EXPECT_NEAR(r.dot(direction), rise - outside, 1e-8 * (1 + r.norm()));
    }
  });
}

// v . (M vdot + g) = d/dt (kinetic + strain + gravity) - power of loads and dampers, along any motion.
TEST_P(Energy, WorkBalances) {
  for_samples([](const Bench& bench, State q, std::mt19937&) {
    q.lambda.setZero();
    const double rate = derivative([&](double dt) { return Scalar(bench.energies(flow(q, dt)).total()); })[0];
    const double work = velocities(q).dot(bench.residual(q));
    EXPECT_NEAR(work, rate - bench.power(q), 1e-8 * (1 + std::abs(rate) + bench.residual(q).norm()));
  });
}

// The power of a drive is its multiplier times its rate; ideal constraints have none: v . B^T lambda = -power where B v
// = -Phi_t.
TEST_P(Energy, ConstraintsDoTheWorkOfTheirDrivesOnly) {
  for_samples([](const Bench& bench, State q, std::mt19937&) {
    if (bench.rows() == 0) return;
    q = bench.on_constraints(q);
    const MatrixX B = bench.B(q);
    const Bench::Rates rates = bench.rates(q);
    VectorX v = velocities(q);
    v -= least_norm(B, rates.Bv + rates.phi_t);
    set_velocities(q, v);
    const double work = v.dot(bench.residual(q, {false, false, true}));
    EXPECT_NEAR(work, -q.lambda.dot(rates.phi_t), 1e-12);
    State idle = q;
    idle.lambda.setZero();
    EXPECT_NEAR(bench.power(q) - bench.power(idle), -work, 1e-12);
  });
}

POLHODE_FOR_EVERY_KIND(Energy);

// Random coupled sections and motions of elements of all orders: damping never feeds energy.
TEST(Damping, OfBeamsHasNoPositivePower) {
  const auto kinds = model::catalog();
  const auto beam =
      std::find_if(kinds.begin(), kinds.end(), [](const model::KindInfo* kind) { return kind->name == "beam"; });
  ASSERT_NE(beam, kinds.end());
  std::mt19937 random(1);
  int damped = 0;
  for (int motions = 0; motions < 10000;)
    for (auto& batch : (*beam)->samples(random)) {
      const Bench bench(std::move(batch));
      const double power = bench.power(bench.random_state(random, 1));
      EXPECT_LE(power, 0) << bench.batch().kind();
      damped += power < 0;
      ++motions;
    }
  EXPECT_GT(damped, 6000);  // by strain rates, by mass, or both
}

}  // namespace
}  // namespace polhode::support
