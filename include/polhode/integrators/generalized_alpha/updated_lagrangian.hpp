// SPDX-License-Identifier: BSD-3-Clause
// Updated Lagrangian generalized-alpha method, BCA12 section 6: the classical formulas in local coordinates q^n about
// q_n.
//
//   q_{n+1} = q_n mu(q_1)                                               (73), (80)
//   v_{n+1} = T(q_1) qdot_1,  vdot_{n+1} = T(q_1) qddot_1 + Tdot(q_1, qdot_1) qdot_1     (74), (75)
//   a_{n+1} = T(q_1) a_1 + Tdot(q_1, qdot_1) qdot_1                     (76)
//   q_1 = h v_n + (1/2 - beta) h^2 a_n + beta h^2 a_1,  qdot_1 = v_n + (1 - gamma) h a_n + gamma h a_1   (77), (78)
//   (1 - alpha_m) a_1 + alpha_m a_n = (1 - alpha_f) qddot_1 + alpha_f vdot_n             (79)
// Exact iteration matrix: with dqdot_1 = gamma' dq_1 and dqddot_1 = beta' dq_1, the factors are the derivatives of
// (vdot, v, q) by q_1:
//   F_m = D(T qddot) + D(Tdot qdot) + gamma' D_qdot(Tdot qdot) + beta' T,  F_c = D(T qdot) + gamma' T,  F_k = T.
#pragma once
#include "polhode/integrators/generalized_alpha/scheme.hpp"
#include "polhode/math/chart.hpp"

namespace polhode::integrators {

class UpdatedLagrangian final : public Scheme {
 public:
  UpdatedLagrangian(math::Chart chart, const AlphaParameters& parameters, const math::IndexLots& nodes)
      : chart_(chart),
        p_(parameters),
        nodes_(nodes),
        q_(nodes.count(), Vec6::Zero()),
        qdot_(q_),
        qddot_(q_),
        F_m_(nodes.count(), Mat3::Zero()),
        F_c_(F_m_),
        T_(F_m_) {}
  std::string_view name() const override {
    return chart_ == math::Chart::rotation_vector ? "ul_rotation_vector" : "ul_crv";
  }
  void predict(const State& old, State& next, double h, NewtonSettings::Predictor predictor) override;
  void update(const State& old, State& next, std::span<const Vec6> dx, std::span<const Vec6> dy) override;
  Factors factors(const State& next) override;
  void finish(const State& old, State& next) override;
  std::span<const Vec6> increment() const override { return q_; }
  Offsets offsets(const Vec6& v, const Vec6& vdot, const Vec6& vddot) const override;
  Vec6 local_truncation_error(const Vec6& v, const Vec6& vdot, const Vec6& vddot) const override;

 private:
  // Eqs. (73) to (75).
  void compose(const State& old, State& next) const;
  // Of the local coordinates at q_n by time: vddot + Omega x Omegadot/2 for rotations, and |Omega|^2 Omega/8 more for
  // the conformal rotation vector.
  Vec6 third_derivative(const Vec6& v, const Vec6& vdot, const Vec6& vddot) const;
  math::Chart chart_;
  AlphaParameters p_;
  math::IndexLots nodes_;
  double h_ = 0;
  // q_1 and its rates
  std::vector<Vec6> q_;
  std::vector<Vec6> qdot_;
  std::vector<Vec6> qddot_;
  // factors of the rotations
  std::vector<Mat3> F_m_;
  std::vector<Mat3> F_c_;
  std::vector<Mat3> T_;
};

}  // namespace polhode::integrators
