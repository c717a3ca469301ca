// SPDX-License-Identifier: BSD-3-Clause
// Stages, end and error of a Rosenbrock-Nystrom step.
#include "polhode/integrators/rosenbrock/rosenbrock.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "integrators/nodal.hpp"

namespace polhode::integrators {
namespace {

constexpr int oldest = 10;  // steps for which tangents are kept at most

}  // namespace

Rosenbrock::Rosenbrock(const assembly::System& system, const IntegratorSettings& settings, bool keep_tangents)
    : k_(settings.method == "rosenbrock_w2" ? rosenbrock_w2_coefficients() : rosenbrock4_coefficients()),
      space_(system, settings.own_or_default<RosenbrockSettings>().coordinates),
      system_(system),
      u_(static_cast<std::size_t>(k_.stages), VectorX::Zero(system.free_unknowns())),
      v_(u_[0]),
      z_(u_[0]),
      zd_(u_[0]),
      F_(u_[0]),
      F1_(u_[0]),
      b_(u_[0]),
      d_(u_[0]),
      keep_tangents_(keep_tangents) {}

Rosenbrock::Attempt Rosenbrock::attempt(const State& q, double h, double t_next, double limit) {
  factorizations_ = solves_ = 0;
  h_ = h;
  t_next_ = t_next;
  origin_ = &q;
  if (fresh_) {
    if (!space_.begin(q, last_h_ > 0 ? last_h_ : h)) return Attempt::singular_start;
    gather(system_, q.v, v_);
    gather(system_, q.vdot, F1_);
    if (!keep_tangents_ || ++age_ > oldest || last_h_ == 0) {
      space_.linearize(h);
      age_ = 0;
      if (disturbance) space_.disturb_tangents(disturbance);
    }
    power1_ = space_.origin_power();
    fresh_ = false;
  }
  double power = power1_;
  work_ = 0;
  space_.stop_at(limit);
  ++factorizations_;
  if (!space_.factorize(h, k_.gamma)) return Attempt::singular;
  for (int i = 0; i < k_.stages; ++i) {
    if (i == 0) {
      F_ = F1_;
    } else if (!k_.same_as_before(i)) {
      z_ = h * k_.alpha_sum[i] * v_;
      zd_ = v_;
      for (int j = 0; j < i; ++j) {
        z_ += h * k_.theta(i, j) * u_[j];
        zd_ += k_.a(i, j) * u_[j];
      }
      if (!space_.evaluate(z_, zd_, q.t + k_.alpha_sum[i] * h, F_)) return Attempt::no_positions;
      power = space_.power();
    }
    b_ = h * F_;
    d_ = k_.gamma_sum[i] * v_;
    for (int j = 0; j < i; ++j) {
      b_ += k_.c(i, j) * u_[j];
      d_ += k_.delta(i, j) * u_[j];
    }
    space_.solve(b_, d_, h * k_.gamma_sum[i], u_[i]);
    ++solves_;
    if (!u_[i].allFinite()) return Attempt::singular;
    // k_i = h P_i + h D P (sum gamma_ij k_j), as of any other component; the others do not depend on it.
    if (k_.b[i] != 0) work_ += k_.b[i] * h * (power + space_.power_change(u_[i], h * k_.gamma_sum[i], power1_));
  }
  return Attempt::done;
}

double Rosenbrock::error(double tolerance) {
  z_.setZero();
  zd_.setZero();
  for (int i = 0; i < k_.stages; ++i) {
    z_ += h_ * (k_.mu[i] - k_.mu_hat[i]) * u_[i];
    zd_ += (k_.m[i] - k_.m_hat[i]) * u_[i];
  }
  space_.represent(z_);
  space_.represent(zd_);
  b_ = h_ * v_;
  d_ = v_;  // the way of the step, and the velocity at its end
  for (int i = 0; i < k_.stages; ++i) {
    b_ += h_ * k_.mu[i] * u_[i];
    d_ += k_.m[i] * u_[i];
  }
  double sum = 0;
  for (std::size_t i = 1; i < system_.nodes(); ++i)
    for (int k = 0; k < 6; ++k) sum += share(i, k, tolerance);
  return std::sqrt(sum / (2 * std::max(1, space_.lift().counted())));
}

double Rosenbrock::share(std::size_t node, int component, double tolerance) const {
  const model::NodeUnknowns& at = system_.unknowns()[node];
  if (at.local[component] < 0) return 0;
  const int j = at.first + at.local[component];
  if (!space_.lift().counts(j)) return 0;
  const double x = component < 3 ? origin_->x[node][component] : 1;
  const double dx = component < 3 ? b_[j] : 0;
  const double position = std::max(std::abs(x), std::abs(x + dx));
  const double speed = std::max(std::abs(v_[j]), std::abs(d_[j]));
  const double e = z_[j] / (tolerance * (1 + position));
  const double ed = zd_[j] / (tolerance * (1 + speed));
  return e * e + ed * ed;
}

std::vector<std::string> Rosenbrock::worst_rows(double tolerance, int count) {
  std::vector<std::pair<double, int>> sizes;
  for (std::size_t i = 1; i < system_.nodes(); ++i)
    for (int k = 0; k < 6; ++k)
      if (const double size = share(i, k, tolerance); size > 0)
        sizes.push_back({std::sqrt(size), system_.unknowns()[i].first + system_.unknowns()[i].local[k]});
  std::sort(sizes.begin(), sizes.end(), std::greater<>());
  std::vector<std::string> rows;
  for (std::size_t i = 0; i < std::min(sizes.size(), static_cast<std::size_t>(count)); ++i) {
    char number[32];
    std::snprintf(number, sizeof number, "  %.3g", sizes[i].first);
    rows.push_back(system_.name_of(sizes[i].second) + number);
  }
  return rows;
}

void Rosenbrock::resume(double h) {
  last_h_ = h;
  age_ = oldest;
}

bool Rosenbrock::finish(State& next) {
  z_ = h_ * v_;
  zd_ = v_;
  for (int i = 0; i < k_.stages; ++i) {
    z_ += h_ * k_.mu[i] * u_[i];
    zd_ += k_.m[i] * u_[i];
  }
  if (!space_.evaluate(z_, zd_, t_next_, F_)) return false;
  const State& end = space_.evaluated();
  next = end;
  next.last_step = h_;
  system_.update_history(next);
  last_h_ = h_;
  return true;
}

}  // namespace polhode::integrators
