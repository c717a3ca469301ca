// SPDX-License-Identifier: BSD-3-Clause
// Lie group generalized-alpha method: one time step of BCA12, Table 1; for index 2 as well, where (30) has a further
// term that the equations of the step add (index2.hpp).
//
//   q_{n+1} = q_n exp(h Dq_n)                                    (29)
//   Dq_n    = v_n + (1/2 - beta) h a_n + beta h a_{n+1}          (30)
//   v_{n+1} = v_n + (1 - gamma) h a_n + gamma h a_{n+1}          (31)
//   (1 - alpha_m) a_{n+1} + alpha_m a_n = (1 - alpha_f) vdot_{n+1} + alpha_f vdot_n   (32)
// Iteration matrix, eq. (34): factors beta' I, gamma' I and T(h Dq_n).
#pragma once
#include "polhode/integrators/generalized_alpha/scheme.hpp"

namespace polhode::integrators {

class LieAlpha : public Scheme {
 public:
  // `index2`: velocities and accelerations follow dy, and v needs no perturbed start.
  LieAlpha(const AlphaParameters& parameters, const math::IndexLots& nodes, bool index2 = false)
      : p_(parameters),
        index2_(index2),
        nodes_(nodes),
        hdq_(nodes.count(), Vec6::Zero()),
        of_tangent_(nodes.count(), {0.5, 1.0 / 6}),
        T_(nodes.count(), Mat3::Identity()) {}
  std::string_view name() const override { return index2_ ? "lie_alpha_index2" : "lie_alpha"; }
  void predict(const State& old, State& next, double h, NewtonSettings::Predictor predictor) override;
  void update(const State& old, State& next, std::span<const Vec6> dx, std::span<const Vec6> dy) override;
  Factors factors(const State& next) override;
  Factors dynamic_factors() override;
  void finish(const State& old, State& next) override;
  std::span<const Vec6> increment() const override { return hdq_; }
  bool meets_velocity_constraints() const override { return index2_; }
  Offsets offsets(const Vec6& v, const Vec6& vdot, const Vec6& vddot) const override;
  Vec6 local_truncation_error(const Vec6& v, const Vec6& vdot, const Vec6& vddot) const override;

 protected:
  const AlphaParameters& parameters() const { return p_; }
  // h of the last predict(), s.
  double step() const { return h_; }
  // Of one node: the predicted vdot_{n+1}, v_{n+1} and h Dq_n; what an increment adds to h Dq_n; and eq. (29).
  void predict_node(std::size_t node, const State& old, State& next, NewtonSettings::Predictor predictor);
  void add_increment(std::size_t node, const Vec6& dx) { hdq_[node] += dx; }
  // Gives exp of the rotation.
  [[gnu::always_inline]] math::so3::Quaternion compose(std::size_t node, const State& old, State& next) {
    const Vec6& increment = hdq_[node];
    const auto [E, coefficients] = math::so3::exp_and_tangent(increment.tail<3>());
    of_tangent_[node] = coefficients;
    next.x[node] = old.x[node] + increment.head<3>();
    // Normalized, so that round-off does not pile up over steps
    next.set_rotation(node, (old.quat[node] * E).normalized());
    return E;
  }
  const math::IndexLots& nodes() const { return nodes_; }
  // Of all nodes
  void begin_step(double h) { h_ = h; }
  // a_{n+1} of eq. (32).
  Vec6 recursion(const Vec6& vdot, const Vec6& vdot_n, const Vec6& a_n) const {
    return ((1 - p_.alpha_f) * vdot + p_.alpha_f * vdot_n - p_.alpha_m * a_n) / (1 - p_.alpha_m);
  }

 private:
  AlphaParameters p_;
  bool index2_;
  math::IndexLots nodes_;
  double h_ = 0;
  // h Dq_n: m and rad, by node
  std::vector<Vec6> hdq_;
  // Of T(h Dq_n) of the rotations: exp has found them already
  std::vector<math::so3::TangentCoefficients> of_tangent_;
  std::vector<Mat3> T_;
};

// The predicted vdot_{n+1}: zero (Table 1), or the one that continues a_{n+1} = a_n + (h/h_old) (vdot_n - vdot_{n-1}).
Vec6 predicted_vdot(const AlphaParameters& p, const State& old, std::size_t node, double h,
                    NewtonSettings::Predictor predictor);

}  // namespace polhode::integrators
