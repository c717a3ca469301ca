// SPDX-License-Identifier: BSD-3-Clause
// Stages, end and error of a Rosenbrock-Nystrom step.
#include "polhode/integrators/rosenbrock/rosenbrock.hpp"

#include <algorithm>
#include <cmath>

#include "integrators/nodal.hpp"
#include "integrators/reference_point.hpp"
#include "polhode/integrators/step_report.hpp"

namespace polhode::integrators {
namespace {

constexpr int oldest = 10;  // steps for which tangents are kept at most

}  // namespace

Rosenbrock::Vectors::Vectors(const VectorX& zero, const VectorX& none, int stages)
    : u(static_cast<std::size_t>(stages), zero),
      v(zero),
      F1(zero),
      z(zero),
      zd(zero),
      F(zero),
      b(zero),
      d(zero),
      dc(static_cast<std::size_t>(stages), none),
      g(none),
      b_signals(none) {}

Rosenbrock::Rosenbrock(const assembly::System& system, const IntegratorSettings& settings, bool keep_tangents)
    : k_(settings.method == "rosenbrock_w2" ? rosenbrock_w2_coefficients() : rosenbrock4_coefficients()),
      space_(system, settings.own_or_default<RosenbrockSettings>().coordinates),
      stages_(system, space_, keep_tangents),
      system_(system),
      reference_(reference_point(system)),
      vectors_(VectorX::Zero(system.free_unknowns()), VectorX::Zero(system.signals().states()), k_.stages),
      is_driven_(may_drive(system)),
      is_filtered_(settings.own_or_default<RosenbrockSettings>().estimate == ErrorEstimate::filtered),
      keep_tangents_(keep_tangents) {}

Rosenbrock::Attempt Rosenbrock::attempt(const State& q, double h, double t_next, double limit,
                                        const math::StopRequest& stop) {
  last_ = {.h = h, .t_next = t_next, .origin = &q};
  if (fresh_ && !begin(q, h)) return Attempt::singular_start;
  space_.loads().set_limit(limit);
  ++last_.factorizations;
  double power = power1_;
  for (int i = 0; i < k_.stages; ++i) {
    if (math::is_asked_to_stop(stop)) return Attempt::interrupted;
    if (const Attempt outcome = solve_stage(i, power); outcome != Attempt::done) return outcome;
  }
  return Attempt::done;
}

// Tangents are those of an earlier step where they are kept and not too old.
bool Rosenbrock::begin(const State& q, double h) {
  if (!space_.begin(q, last_h_ > 0 ? last_h_ : h)) return false;
  stages_.begin();
  gather(system_, q.v, vectors_.v);
  gather(system_, q.vdot, vectors_.F1);
  if (!keep_tangents_ || ++age_ > oldest || last_h_ == 0) {
    stages_.linearize(h);
    age_ = 0;
    if (disturbance) stages_.disturb_tangents(disturbance);
  }
  power1_ = system_.power(space_.chart().origin());
  fresh_ = false;
  return true;
}

// States of the argument of a stage, y_n + sum a_ij k_j, and of the end of the step, with m in the place of a.
template <class Weights>
void Rosenbrock::set_signals(const Weights& weights, int stages) {
  VectorX& at = space_.chart().stage().signals.z;
  if (vectors_.g.size() == 0) return;
  at = last_.origin->signals.z;
  for (int j = 0; j < stages; ++j) at += weights(j) * vectors_.dc[static_cast<std::size_t>(j)];
}

Rosenbrock::Attempt Rosenbrock::solve_stage(int i, double& power) {
  auto& [u, v, F1, z, zd, F, b, d, dc, g, b_signals] = vectors_;
  const double h = last_.h;
  if (i == 0) {
    F = F1;
    if (g.size() > 0) g = last_.origin->signals.rate;
  } else if (!k_.same_as_before(i)) {
    z = h * k_.alpha_sum[i] * v;
    zd = v;
    for (int j = 0; j < i; ++j) {
      z += h * k_.theta(i, j) * u[j];
      zd += k_.a(i, j) * u[j];
    }
    set_signals([&](int j) { return k_.a(i, j); }, i);
    if (!space_.evaluate(z, zd, last_.origin->t + k_.alpha_sum[i] * h, F)) return Attempt::no_positions;
    power = space_.loads().power(space_.chart().stage());
    if (g.size() > 0) g = space_.chart().stage().signals.rate;
  }
  b = h * F;
  d = k_.gamma_sum[i] * v;
  b_signals = h * g;
  for (int j = 0; j < i; ++j) {
    b += k_.c(i, j) * u[j];
    d += k_.delta(i, j) * u[j];
    b_signals += k_.c(i, j) * dc[j];
  }
  const double dt = h * k_.gamma_sum[i];
  if (i > 0)
    stages_.solve(b, d, dt, u[i]);
  else if (!stages_.factorize_and_solve(h, k_.gamma, b, d, dt, u[i]))
    return Attempt::singular;
  stages_.add_signals(b_signals, d, dt, u[i], dc[i]);
  ++last_.solves;
  if (!u[i].allFinite()) return Attempt::singular;
  // k_i = h P_i + h D P (sum gamma_ij k_j), as of any other component; the others do not depend on it.
  if (k_.b[i] == 0 && (!is_driven_ || k_.b_hat[i] == 0)) return Attempt::done;
  const double part = h * (power + stages_.power_change(u[i], dt, power1_, dc[i]));
  last_.work += k_.b[i] * part;
  last_.work_difference += (k_.b[i] - k_.b_hat[i]) * part;
  last_.turnover += std::abs(k_.b[i] * part);
  return Attempt::done;
}

// With J1 and J2: (I - h gamma J2 - h^2 gamma^2 J1) zd' = zd + h gamma J1 z and z' = z + h gamma zd'.
void Rosenbrock::filter_error() {
  auto& [u, v, F1, z, zd, F, b, d, dc, g, b_signals] = vectors_;
  b = zd / k_.gamma;
  d = z / last_.h;
  b_signals = g / k_.gamma;
  stages_.solve(b, d, 0, zd);
  stages_.add_signals(b_signals, d, 0, zd, g);
  ++last_.solves;
  z += last_.h * k_.gamma * zd;
}

// z, zd and g get the difference to the embedded method, b and b_signals the increment of the step, d the velocity at
// its end.
double Rosenbrock::error(double tolerance) {
  auto& [u, v, F1, z, zd, F, b, d, dc, g, b_signals] = vectors_;
  const double h = last_.h;
  z.setZero();
  zd.setZero();
  g.setZero();
  for (int i = 0; i < k_.stages; ++i) {
    g += (k_.m[i] - k_.m_hat[i]) * dc[i];
    z += h * (k_.mu[i] - k_.mu_hat[i]) * u[i];
    zd += (k_.m[i] - k_.m_hat[i]) * u[i];
  }
  if (is_filtered_) filter_error();
  space_.origin().represent(z);
  space_.origin().represent(zd);
  b = h * v;
  d = v;
  b_signals.setZero();
  for (int i = 0; i < k_.stages; ++i) {
    b += h * k_.mu[i] * u[i];
    d += k_.m[i] * u[i];
    b_signals += k_.m[i] * dc[i];
  }
  double sum = 0;
  for (std::size_t i = 1; i < system_.nodes(); ++i)
    for (int k = 0; k < 6; ++k) sum += squared_error(i, k, tolerance);
  return std::max({std::sqrt(sum / (2 * std::max(1, space_.lifted().lift.counted()))), work_error(tolerance),
                   signal_error(tolerance)});
}

// By each state and by one: signals have units that nobody knows.
double Rosenbrock::signal_error(double tolerance) const {
  if (vectors_.g.size() == 0) return 0;
  const VectorX& before = last_.origin->signals.z;
  const auto sizes = 1 + before.array().abs().max((before + vectors_.b_signals).array().abs());
  return std::sqrt((vectors_.g.array() / sizes).square().mean()) / tolerance;
}

// As speeds by the larger of themselves and one, so work by what was turned over and that of the unit of speed.
double Rosenbrock::work_error(double tolerance) const {
  if (!is_driven_) return 0;
  constexpr double unit = 1;  // m^2/s^2
  return std::abs(last_.work_difference) /
         (tolerance * (space_.lifted().lift.mass() * unit + turnover_ + last_.turnover));
}

double Rosenbrock::squared_error(std::size_t node, int component, double tolerance) const {
  const model::NodeUnknowns& at = system_.unknowns()[node];
  if (at.local[component] < 0) return 0;
  const int j = at.first + at.local[component];
  if (!space_.lifted().lift.counts(j)) return 0;
  const double x = component < 3 ? last_.origin->x[node][component] - reference_[component] : 1;
  const double dx = component < 3 ? vectors_.b[j] : 0;
  const double position = std::max(std::abs(x), std::abs(x + dx));
  const double speed = std::max(std::abs(vectors_.v[j]), std::abs(vectors_.d[j]));
  const double e = vectors_.z[j] / (tolerance * (1 + position));
  const double ed = vectors_.zd[j] / (tolerance * (1 + speed));
  return e * e + ed * ed;
}

std::vector<std::string> Rosenbrock::worst_rows(double tolerance, int count) {
  std::vector<std::pair<double, int>> sizes;
  for (std::size_t i = 1; i < system_.nodes(); ++i)
    for (int k = 0; k < 6; ++k)
      if (const double size = squared_error(i, k, tolerance); size > 0)
        sizes.push_back({std::sqrt(size), system_.unknowns()[i].first + system_.unknowns()[i].local[k]});
  return names_of_largest(system_, sizes, static_cast<std::size_t>(count));
}

void Rosenbrock::resume(double h, double turnover) {
  last_h_ = h;
  turnover_ = turnover;
  age_ = oldest;
}

// The end of the step: the stages, weighted by mu and m, then the state that belongs to these coordinates.
bool Rosenbrock::finish(State& next) {
  auto& [u, v, F1, z, zd, F, b, d, dc, g, b_signals] = vectors_;
  const double h = last_.h;
  z = h * v;
  zd = v;
  for (int i = 0; i < k_.stages; ++i) {
    z += h * k_.mu[i] * u[i];
    zd += k_.m[i] * u[i];
  }
  set_signals([&](int i) { return k_.m[i]; }, k_.stages);
  if (!space_.evaluate(z, zd, last_.t_next, F)) return false;
  next = space_.chart().stage();
  next.last_step = h;
  system_.update_history(next);
  last_h_ = h;
  last_.finished = true;
  turnover_ += last_.turnover;
  end_.is_known = false;
  return true;
}

}  // namespace polhode::integrators
