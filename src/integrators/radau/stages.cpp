// SPDX-License-Identifier: BSD-3-Clause
// Prediction, states and increments of the stages.
#include "polhode/integrators/radau/stages.hpp"

#include "polhode/math/parallel.hpp"
#include "polhode/math/so3.hpp"

namespace polhode::integrators {
namespace {

// T(psi) w.
Vec3 apply_tangent(const math::so3::TangentCoefficients& k, const Vec3& psi, const Vec3& w) {
  const Vec3 turned = psi.cross(w);
  return w - k.b * turned + k.c * psi.cross(turned);
}

// T(psi)^-1 w but for O(psi^4), which an increment of the iteration may miss.
Vec3 apply_tangent_inverse(const Vec3& psi, const Vec3& w) {
  const Vec3 turned = psi.cross(w);
  return w + 0.5 * turned + psi.cross(turned) / 12;
}

}  // namespace

RadauStages::RadauStages(const assembly::System& system) : system_(system) {
  for (int i = 0; i < count; ++i) {
    states_[i] = system.initial_state();
    theta_[i].assign(system.nodes(), Vec6::Zero());
    last_lambda_[i] = VectorX::Zero(system.rows());
    zeta_[i] = VectorX::Zero(system.signals().states());
  }
  last_theta_ = theta_;
  last_zeta_ = zeta_;
}

void RadauStages::predict(const State& old, double h, double t_next, bool extrapolate) {
  const RadauCoefficients& k = radau_coefficients();
  h_ = h;
  constexpr double farthest = 2;  // steps
  const bool goes_on = extrapolate && last_h_ > 0 && h <= farthest * last_h_;
  std::array<Vec3, count> weights;
  for (int i = 0; i < count; ++i) {
    State& q = states_[i];
    q.t = i == count - 1 ? t_next : old.t + k.c[i] * h;
    q.history = old.history;
    q.dropped = old.dropped;
    q.load_factor = old.load_factor;
    q.last_step = h;
    if (!system_.signals().empty()) q.signals = old.signals;
    if (!goes_on) {
      const double s = k.c[i] * h;
      if (zeta_[i].size() > 0) zeta_[i] = s * old.signals.rate;
      for (std::size_t n = 0; n < old.v.size(); ++n) theta_[i][n] = s * old.v[n];
      if (extrapolate)
        for (std::size_t n = 0; n < old.v.size(); ++n) theta_[i][n] += s * s / 2 * old.vdot[n];
      if (extrapolate)
        q.lambda = old.lambda;
      else
        q.lambda.setZero();
      continue;
    }
    const double s = 1 + k.c[i] * h / last_h_;
    weights[i] = collocation_weights(s);
    const Vec3 at = stage_weights(s);
    q.lambda = at[0] * last_lambda_[0] + at[1] * last_lambda_[1] + at[2] * last_lambda_[2];
    const Vec3& w = weights[i];
    // From the end of the last step on, as positions are
    zeta_[i] = w[0] * last_zeta_[0] + w[1] * last_zeta_[1] + (w[2] - 1) * last_zeta_[2];
  }
  if (!goes_on) return;
  math::for_each_index(old.v.size(), [&](std::size_t n) {
    const Vec6& here = last_theta_[2][n];
    const math::so3::Quaternion back = math::so3::exp_quaternion(-here.tail<3>());
    for (int i = 0; i < count; ++i) {
      const Vec3& w = weights[i];
      const Vec6 there = w[0] * last_theta_[0][n] + w[1] * last_theta_[1][n] + w[2] * here;
      theta_[i][n].head<3>() = there.head<3>() - here.head<3>();
      theta_[i][n].tail<3>() = math::so3::log((back * math::so3::exp_quaternion(there.tail<3>())).normalized());
    }
  });
}

void RadauStages::add(int stage, const std::vector<Vec6>& dx) {
  std::vector<Vec6>& theta = theta_[stage];
  math::for_each_index(theta.size(), [&](std::size_t n) {
    theta[n].head<3>() += dx[n].head<3>();
    theta[n].tail<3>() += apply_tangent_inverse(theta[n].tail<3>(), dx[n].tail<3>());
  });
}

// Positions are those of the collocation polynomial in the coordinates of the begin, velocities its derivatives carried
// over by the tangent of the exponential, accelerations the derivatives of these in turn.
void RadauStages::set_states(const State& old) {
  const Mat3 D = radau_coefficients().D / h_;
  math::for_each_index(old.v.size(), [&](std::size_t n) {
    if (system_.unknowns()[n].count == 0) return;
    std::array<Vec6, count> dv;
    for (int i = 0; i < count; ++i) {
      const Vec6& theta = theta_[i][n];
      const Vec6 rate = D(i, 0) * theta_[0][n] + D(i, 1) * theta_[1][n] + D(i, 2) * theta_[2][n];
      State& q = states_[i];
      const Vec3 turn = theta.tail<3>();
      q.x[n] = old.x[n] + theta.head<3>();
      const auto [exp, tangent] = math::so3::exp_and_tangent(turn);
      q.set_rotation(n, (old.quat[n] * exp).normalized());
      q.v[n].head<3>() = rate.head<3>();
      q.v[n].tail<3>() = apply_tangent(tangent, turn, rate.tail<3>());
      dv[i] = q.v[n] - old.v[n];
    }
    for (int i = 0; i < count; ++i) states_[i].vdot[n] = D(i, 0) * dv[0] + D(i, 1) * dv[1] + D(i, 2) * dv[2];
  });
  if (system_.signals().states() == 0) return;
  for (int i = 0; i < count; ++i) states_[i].signals.z = old.signals.z + zeta_[i];
}

// Zero where the stages solve z' = g: the rates of the collocation polynomial are those of the network.
void RadauStages::set_signal_residual(int stage, VectorX& rho) const {
  const Mat3 D = radau_coefficients().D / h_;
  rho = states_[stage].signals.rate;
  for (int j = 0; j < count; ++j) rho -= D(stage, j) * zeta_[j];
}

// The next step begins from the polynomials of this one.
void RadauStages::accept() {
  last_h_ = h_;
  last_theta_.swap(theta_);
  last_zeta_.swap(zeta_);
  for (int i = 0; i < count; ++i) last_lambda_[i].swap(states_[i].lambda);
}

void RadauStages::save(std::vector<double>& data) const {
  data.push_back(last_h_);
  if (last_h_ == 0) return;
  for (int i = 0; i < count; ++i) {
    for (const Vec6& theta : last_theta_[i]) data.insert(data.end(), theta.begin(), theta.end());
    data.insert(data.end(), last_lambda_[i].begin(), last_lambda_[i].end());
    data.insert(data.end(), last_zeta_[i].begin(), last_zeta_[i].end());
  }
}

// False for data of another model; without a last step there is none of it.
bool RadauStages::load(std::span<const double> data) {
  if (data.empty()) return false;
  last_h_ = data[0];
  data = data.subspan(1);
  const std::size_t nodal = 6 * system_.nodes();
  const auto rows = static_cast<std::size_t>(system_.rows());
  const auto states = static_cast<std::size_t>(system_.signals().states());
  if (data.size() != (last_h_ > 0 ? count * (nodal + rows + states) : 0)) return false;
  if (data.empty()) return true;
  for (int i = 0; i < count; ++i) {
    for (std::size_t n = 0; n < system_.nodes(); ++n) last_theta_[i][n] = Vec6::Map(data.data() + 6 * n);
    last_lambda_[i] = VectorX::Map(data.data() + nodal, system_.rows());
    last_zeta_[i] = VectorX::Map(data.data() + nodal + rows, system_.signals().states());
    data = data.subspan(nodal + rows + states);
  }
  return true;
}

}  // namespace polhode::integrators
