// SPDX-License-Identifier: BSD-3-Clause
// Every kind: tangents, constraint gradients and rates against differences on the manifold and along motions.
#include "support/kinds.hpp"

namespace polhode::support {
namespace {

using model::Factors;

constexpr double of_differences = 1e-7;

class Tangents : public EveryKind {};

TEST_P(Tangents, MassMatchesDifferences) {
  for_samples([](const Bench& bench, const State& q, std::mt19937&) {
    MatrixX M(bench.size(), bench.size());
    for (int j = 0; j < bench.size(); ++j)
      M.col(j) = derivative(
          [&](double t) {
            State r = q;
            r.vdot[1 + j / 6][j % 6] += t;
            return bench.residual(r);
          },
          0.1);
    EXPECT_LE(relative_difference(bench.M(q), M), of_differences);
  });
}

TEST_P(Tangents, DampingMatchesDifferences) {
  for_samples([](const Bench& bench, const State& q, std::mt19937&) {
    MatrixX C(bench.size(), bench.size());
    for (int j = 0; j < bench.size(); ++j)
      C.col(j) = derivative([&](double t) {
        State r = q;
        r.v[1 + j / 6][j % 6] += t;
        return bench.residual(r);
      });
    EXPECT_LE(relative_difference(bench.C(q), C), of_differences);
  });
}

TEST_P(Tangents, StiffnessMatchesDifferences) {
  for_samples([](const Bench& bench, const State& q, std::mt19937&) {
    const MatrixX K = gradient(q, bench.size(), bench.size(), [&](const State& r) { return bench.residual(r); });
    EXPECT_LE(relative_difference(bench.K(q), K), of_differences);
  });
}

TEST_P(Tangents, GeometricStiffnessOfMultipliersMatchesDifferences) {
  for_samples([](const Bench& bench, State q, std::mt19937&) {
    const MatrixX with = bench.K(q);
    const MatrixX difference = gradient(q, bench.size(), bench.size(), [&](const State& r) {
      return bench.residual(r, {false, false, true});
    });
    q.lambda.setZero();
    EXPECT_LE(relative_difference(with - bench.K(q), difference), of_differences);
  });
}

TEST_P(Tangents, ConstraintGradientMatchesDifferences) {
  for_samples([](const Bench& bench, const State& q, std::mt19937&) {
    const MatrixX B = gradient(q, bench.size(), bench.rows(), [&](const State& r) { return bench.phi(r); });
    EXPECT_LE(relative_difference(bench.B(q), B), of_differences);
  });
}

TEST_P(Tangents, ConstraintForcesAreTheGradientTimesMultipliers) {
  for_samples([](const Bench& bench, const State& q, std::mt19937&) {
    const MatrixX S = bench.matrix(q, {});
    const MatrixX Bt = S.topRightCorner(bench.size(), bench.rows());
    EXPECT_LE(relative_difference(Bt, bench.B(q).transpose()), 0);
    EXPECT_LE(relative_difference(bench.residual(q, {false, false, true}), Bt * q.lambda), 1e-14);
  });
}

TEST_P(Tangents, VelocityGradientMatchesDifferences) {
  for_samples([](const Bench& bench, const State& q, std::mt19937&) {
    const MatrixX Z = gradient(q, bench.size(), bench.rows(), [&](const State& r) {
      const Bench::Rates rates = bench.rates(r);
      return VectorX(rates.Bv + rates.phi_t);
    });
    EXPECT_LE(relative_difference(bench.Z(q), Z), of_differences);
  });
}

// d/dt Phi = B v + Phi_t, d/dt (B v + Phi_t) = B vdot + Gamma along any motion.
TEST_P(Tangents, ConstraintRatesAreThoseOfAMotion) {
  for_samples([](const Bench& bench, const State& q, std::mt19937&) {
    const VectorX first = derivative([&](double dt) { return bench.phi(flow(q, dt)); });
    const Bench::Rates rates = bench.rates(q);
    EXPECT_LE(relative_difference(rates.Bv + rates.phi_t, first), of_differences);
    EXPECT_LE(relative_difference(rates.Bv, bench.B(q) * velocities(q)), 1e-13);

    const VectorX second = derivative([&](double dt) {
      const Bench::Rates r = bench.rates(flow(q, dt));
      return VectorX(r.Bv + r.phi_t);
    });
    State accelerated = q;
    accelerated.v = q.vdot;
    EXPECT_LE(relative_difference(bench.rates(accelerated).Bv + rates.gamma, second), of_differences);
  });
}

// Right factors multiply from the right, each its own tangent: scalars, and for rotations a matrix of each node.
TEST_P(Tangents, RightFactorsMultiplyTheirTangents) {
  for_samples([](const Bench& bench, const State& q, std::mt19937& random) {
    const auto number = [&] { return random_vector(random)[0]; };
    const int n = bench.size();
    const int nodes = bench.batch().nodes();
    const MatrixX M = bench.M(q);
    const MatrixX C = bench.C(q);
    const MatrixX K = bench.K(q);
    const MatrixX B = bench.B(q);
    Factors factors{number(), number(), number(), number()};
    MatrixX S = bench.matrix(q, factors);
    EXPECT_LE(relative_difference(S.topLeftCorner(n, n), factors.m * M + factors.c * C + factors.k * K), 1e-13);
    EXPECT_LE(relative_difference(S.bottomLeftCorner(bench.rows(), n), factors.b * B), 1e-13);

    std::array<std::vector<Mat3>, 4> rotations;
    std::array<MatrixX, 4> F;
    const std::array scalars{factors.m, factors.c, factors.k, factors.b};
    for (std::size_t k = 0; k < 4; ++k) {
      F[k] = scalars[k] * MatrixX::Identity(n, n);
      for (int i = 0; i <= nodes; ++i) rotations[k].push_back(Mat3::NullaryExpr(number));
      for (int i = 1; i <= nodes; ++i)
        F[k].block<3, 3>(6 * i - 3, 6 * i - 3) = rotations[k][static_cast<std::size_t>(i)];
    }
    factors.rot_m = rotations[0];
    factors.rot_c = rotations[1];
    // K and B by numbers alone, as in the spatial frame.
    S = bench.matrix(q, factors);
    EXPECT_LE(relative_difference(S.topLeftCorner(n, n), M * F[0] + C * F[1] + factors.k * K), 1e-13);
    EXPECT_LE(relative_difference(S.bottomLeftCorner(bench.rows(), n), factors.b * B), 1e-13);
    factors.rot_k = rotations[2];
    factors.rot_b = rotations[3];
    S = bench.matrix(q, factors);
    EXPECT_LE(relative_difference(S.topLeftCorner(n, n), M * F[0] + C * F[1] + K * F[2]), 1e-13);
    EXPECT_LE(relative_difference(S.bottomLeftCorner(bench.rows(), n), B * F[3]), 1e-13);
  });
}

POLHODE_FOR_EVERY_KIND(Tangents);

}  // namespace
}  // namespace polhode::support
