// SPDX-License-Identifier: BSD-3-Clause
// Tangents in the chart of a step, the linear system of a stage, and loads beyond a kink.
#include <gtest/gtest.h>

#include "integrators/stage_parts.hpp"
#include "polhode/math/chart.hpp"

namespace polhode::support {
namespace {

using assembly::SparseMatrix;
using assembly::System;
using integrators::Coordinates;
using integrators::ExtrapolatedLoads;
using integrators::JacobianPlaces;
using integrators::Lift;
using integrators::StageLinearization;
using integrators::StageSystem;

class StageTangentsOf : public StageParts {};
INSTANTIATE_TEST_SUITE_P(Models, StageTangentsOf, testing::ValuesIn(moving_models), name_of_model);

// r, B v + Phi_t and B vdot + Gamma along v = T(theta) theta', in the chart about q.
struct ChartValues {
  VectorX force;
  VectorX rate;
  VectorX acceleration;
};
ChartValues values_in_chart(const System& system, const State& origin, const VectorX& theta, const VectorX& dv) {
  State q = origin;
  const std::vector<Vec6> turn = by_node(system, theta);
  const std::vector<Vec6> faster = by_node(system, dv);
  for (std::size_t i = 1; i < system.nodes(); ++i) {
    const Vec3 psi = turn[i].tail<3>();
    const Vec6 rate = origin.v[i] + faster[i];
    const math::ChartPoint point(math::Chart::rotation_vector, psi);
    const Mat3 T = math::so3::tangent(psi);
    q.x[i] += turn[i].head<3>();
    q.set_rotation(i, origin.quat[i] * math::so3::exp_quaternion(psi));
    q.v[i] << rate.head<3>(), T * rate.tail<3>();
    q.vdot[i] << origin.vdot[i].head<3>(), T * origin.vdot[i].tail<3>() + point.convective(rate.tail<3>());
  }
  ChartValues values;
  assembly::Residual r = system.make_residual();
  system.set_residual(q, r);
  values.force = free_of(system, r.force);
  VectorX Bv(system.rows());
  VectorX phi_t(system.rows());
  VectorX gamma(system.rows());
  system.set_rates(q, Bv, phi_t, gamma);
  values.rate = Bv + phi_t;
  VectorX unused(system.rows());
  VectorX unused2(system.rows());
  State accelerated = q;
  accelerated.v = q.vdot;
  system.set_rates(accelerated, Bv, unused, unused2);
  values.acceleration = Bv + gamma;
  return values;
}

TEST_P(StageTangentsOf, TangentsOfStagesAreTheDerivativesInTheChart) {
  StageLinearization linearization(system, places);
  linearization.linearize(q, 0.01);
  const integrators::StageTangents& tangents = linearization.tangents();
  const int m = system.rows();
  MatrixX K(n, n);
  MatrixX C(n, n);
  MatrixX Z(m, n);
  MatrixX A1(m, n);
  MatrixX A2(m, n);
  const VectorX zero = VectorX::Zero(n);
  for (int j = 0; j < n; ++j) {
    const VectorX e = VectorX::Unit(n, j);
    const auto along = [&](VectorX ChartValues::*part, bool position) {
      return derivative([&](double d) -> VectorX {
        return values_in_chart(system, q, position ? VectorX(d * e) : zero, position ? zero : VectorX(d * e)).*part;
      });
    };
    K.col(j) = along(&ChartValues::force, true);
    C.col(j) = along(&ChartValues::force, false);
    if (m == 0) continue;
    Z.col(j) = along(&ChartValues::rate, true);
    A1.col(j) = along(&ChartValues::acceleration, true);
    A2.col(j) = along(&ChartValues::acceleration, false);
  }
  EXPECT_LE(relative_difference(dense_of(tangents.K).topLeftCorner(n, n), K), 1e-8);
  EXPECT_LE((dense_of(tangents.C).topLeftCorner(n, n) - C).cwiseAbs().maxCoeff(), 1e-8 * (1 + C.cwiseAbs().maxCoeff()));
  if (m == 0) return;
  const auto expect_rows = [&](const SparseMatrix& tangent, const MatrixX& exact, const char* name) {
    const MatrixX D = MatrixX(dense_of(tangent).bottomLeftCorner(m, n))(kept, Eigen::all);
    const MatrixX E = exact(kept, Eigen::all);
    EXPECT_LE((D - E).cwiseAbs().maxCoeff(), 1e-7 * (1 + E.cwiseAbs().maxCoeff())) << name;
  };
  expect_rows(tangents.Z, Z, "Z");
  expect_rows(tangents.A1, A1, "A1");
  expect_rows(tangents.Z, A2 / 2, "A2 = 2 Z");
}

TEST_P(StageTangentsOf, TangentsByTimeAreThoseOfLoadsAndDrivesAlone) {
  StageLinearization linearization(system, places);
  const double h = 1e-3;
  linearization.linearize(q, h);
  const auto at = [&](double t) {
    State later = q;
    later.t = t;
    assembly::Residual r = system.make_residual();
    system.set_residual(later, r, {false, true, false});
    VectorX Bv(system.rows());
    VectorX phi_t(system.rows());
    VectorX gamma(system.rows());
    system.set_rates(later, Bv, phi_t, gamma);
    VectorX all(n + 2 * system.rows());
    all << free_of(system, r.force), phi_t, gamma;
    return all;
  };
  const VectorX exact = derivative([&](double d) -> VectorX { return at(q.t + d); }, 1e-5);
  const integrators::StageTangents& tangents = linearization.tangents();
  VectorX found(n + 2 * system.rows());
  found << tangents.r_t, tangents.b_t, tangents.a_t;
  EXPECT_LE((found - exact).norm(), 1e-5 * (1 + exact.norm()));
}

// (I/gamma - h J2 - h^2 gamma J1) u = b + h^2 J1 d + h dt f_t with J = -M^-1 [K C], f_t = -M^-1 r_t.
TEST(StageSystem, WithoutConstraintsIsThatOfDenseAlgebra) {
  const Machine machine(bent_cantilever());
  const System& system = machine.system;
  const int n = system.free_unknowns();
  State q = moving_state(system, 8);
  SparseMatrix matrix = system.make_matrix();
  const JacobianPlaces places(system, matrix);
  Lift lift(system, places, Coordinates::mass);
  lift.update(q, 0);
  StageLinearization linearization(system, places);
  linearization.linearize(q, 0.02);
  StageSystem stages(places, lift, linearization.tangents(), matrix);
  const MatrixX M = dense_of(lift.matrix());
  const MatrixX C = dense_of(linearization.tangents().C);
  const MatrixX K = dense_of(linearization.tangents().K);
  std::mt19937 random(2);
  for (const double h : {1e-3, 0.02, 0.5}) {
    const double gamma = 0.57;
    ASSERT_TRUE(stages.factorize(h, gamma));
    const VectorX b = random_free(system, random);
    const VectorX d = random_free(system, random);
    const double dt = 0.3;
    VectorX u(n);
    stages.solve(b, d, dt, u);
    const VectorX right = M * b - h * h * K * d - h * dt * linearization.tangents().r_t;
    const VectorX left = M * u / gamma + h * C * u + h * h * gamma * K * u;
    EXPECT_LE((left - right).norm(), 1e-9 * (M.norm() + h * h * K.norm()) * (u.norm() + d.norm())) << h;
  }
}

TEST_P(StageTangentsOf, StagesAreLinearInTheirRightHandSidesAndMeetTheConstraints) {
  Lift lift(system, places, Coordinates::weighted);
  lift.update(q, 0.01);
  StageLinearization linearization(system, places);
  linearization.linearize(q, 0.01);
  StageSystem stages(places, lift, linearization.tangents(), matrix);
  ASSERT_TRUE(stages.factorize(0.01, 0.57));
  std::mt19937 random(4);
  VectorX sum = VectorX::Zero(n);
  VectorX b = VectorX::Zero(n);
  VectorX d = VectorX::Zero(n);
  double dt = 0;
  VectorX u(n);
  for (const double part : {0.7, -2.0, 1.3}) {
    const VectorX one = random_free(system, random);
    const VectorX two = random_free(system, random);
    stages.solve(one, two, part, u);
    sum += part * u;
    b += part * one;
    d += part * two;
    dt += part * part;
    const VectorX p = stages.solution().head(n);
    EXPECT_LE((p - 0.01 * (two + 0.57 * u)).norm(), 1e-12 * (1 + p.norm())) << "p = h (d + gamma u)";
    if (kept.empty()) continue;
    EXPECT_LE((gradient() * p + part * VectorX(linearization.tangents().Phi_t(kept))).norm(), 1e-9 * (1 + p.norm()));
  }
  stages.solve(b, d, dt, u);
  EXPECT_LE((u - sum).norm(), 1e-9 * (1 + sum.norm()));
}

// Loads of a polynomial of degree 0 ... 3 in time; they and drives jump at 0.5 s.
class Extrapolated : public testing::TestWithParam<int> {
 protected:
  static std::string polynomial() {
    const std::array<const char*, 4> terms{"0.3", " + 1.2*t", " - 2.5*t^2", " + 0.8*t^3"};
    std::string text;
    for (std::size_t i = 0; i <= static_cast<std::size_t>(GetParam()); ++i) text += terms[i];
    return text;
  }
  static model::Model pushed_slide(const std::string& push, const std::string& drive) {
    ModelMaker m;
    m.node("slide", Vec3(1, 0, 0)).velocity = Vec3(0.4, 0, 0);
    m.body("slide", "slide", 2, Vec3(1, 1, 1));
    m.add(Family::force, "load", "push",
          {{"node", value("slide")}, {"force", value(Vec3(3, 1, 2))}, {"history", expression(push)}});
    model::Entry& joint = m.joint("prismatic", "pump", "ground", "slide", Vec3(1, 0, 0));
    joint.values.emplace("axis", value(Vec3(1, 0, 0)));
    joint.values.emplace("translation", expression(drive));
    m.model.position_tolerance = m.model.velocity_tolerance = 1e3;
    return std::move(m.model);
  }
};
INSTANTIATE_TEST_SUITE_P(Degrees, Extrapolated, testing::Range(0, 4));

TEST_P(Extrapolated, LoadsBeyondTheLimitAreTheParabolaThroughTimesBeforeIt) {
  const double begin = 0.3;
  const double limit = 0.499;
  const double d = (limit - begin) / 4;
  const Machine cut(pushed_slide("t < 0.5 ? " + polynomial() + " : 100", "t < 0.5 ? " + polynomial() + " : 7"));
  const Machine smooth(pushed_slide(polynomial(), polynomial()));
  ExtrapolatedLoads loads(cut.system);
  loads.set_begin(begin);
  loads.set_limit(limit);
  for (const double t : {0.31, 0.499, 0.56, 0.7, 0.9}) {
    State q = smooth.system.initial_state();
    q.t = t;
    assembly::Residual exact = smooth.system.make_residual();
    smooth.system.set_residual(q, exact);
    VectorX Bv(smooth.system.rows());
    VectorX phi_t(smooth.system.rows());
    VectorX gamma(smooth.system.rows());
    smooth.system.set_rates(q, Bv, phi_t, gamma);
    const double power = smooth.system.power(q);
    q = cut.system.initial_state();
    q.t = t;
    q.v[1][0] = 0.4;
    loads.set_phi(q);
    loads.set_forces(q);
    loads.set_rates(q);
    // The error of the parabola, f'''/3! (t - t_0) (t - t_1) (t - t_2), of a factor whose third derivative is 4.8.
    const double off = t <= limit || GetParam() < 3 ? 0 : 0.8 * (t - limit) * (t - limit + d) * (t - limit + 2 * d);
    EXPECT_EQ(q.t, t);
    EXPECT_NEAR((loads.residual().force[1] - exact.force[1]).head<3>().norm(), off * Vec3(3, 1, 2).norm(), 1e-12);
    EXPECT_NEAR((loads.residual().phi - exact.phi).norm(), off, 1e-12);
    EXPECT_LE((loads.Bv() - Bv).norm(), 1e-13) << "what does not depend on time stays as it is";
    if (GetParam() < 3) {
      EXPECT_LE((loads.phi_t() - phi_t).norm(), 1e-12);
      EXPECT_LE((loads.gamma() - gamma).norm(), 1e-11);
      EXPECT_NEAR(loads.power(q), power, 1e-11 * (1 + std::abs(power)));
    }
  }
}

}  // namespace
}  // namespace polhode::support
