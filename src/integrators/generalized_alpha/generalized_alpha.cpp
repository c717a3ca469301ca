// SPDX-License-Identifier: BSD-3-Clause
// Generalized-alpha methods as an Integrator: start, attempts, the data they keep.
#include "polhode/integrators/generalized_alpha/generalized_alpha.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include "polhode/integrators/step_control.hpp"

namespace polhode::integrators {

// An estimate of the error is only made where a controller asks for it.
GeneralizedAlpha::GeneralizedAlpha(const assembly::System& system, const IntegratorSettings& settings,
                                   const NewtonSettings& newton, const StepControlSettings* control)
    : system_(system), settings_(settings), newton_settings_(newton), scheme_(make_scheme(settings, system.nodes())) {
  if (control) {
    tolerance_ = control->tolerance;
    local_error_.emplace(system, AlphaParameters::of(settings));
  }
  make_solvers();
}

// Made anew when a run is saved or loaded: pivots and reused Jacobians of before would make a restarted run
// differ from one that was never stopped.
void GeneralizedAlpha::make_solvers() {
  newton_.emplace(system_, newton_settings_, settings_);
  velocities_.emplace(system_);
  const bool sizes_vary = tolerance_.has_value();
  step_change_.emplace(system_, *scheme_, newton_->equations(), *velocities_, sizes_vary);
}

// Without rates a_0 = vdot_0. With them (a perturbed start) a_0 and v_0 get the offsets that the method
// itself carries along a smooth motion, v_0 only their part normal to the constraints
// (docs/theory.md, Perturbed start).
bool GeneralizedAlpha::start(State& q, const Start& start) {
  Scheme::start(q);
  if (!wants_rates()) return true;
  const std::size_t n = q.v.size();
  std::vector<Vec6> velocity_offsets(n);
  for (std::size_t i = 0; i < n; ++i) {
    const Scheme::Offsets offsets = scheme_->offsets(q.v[i], q.vdot[i], start.vddot[i]);
    q.memory[i] += start.h * offsets.a;
    q.memory[n + i] = q.vdot[i] - start.h * start.vddot[i];  // vdot before the start, for the predictor
    velocity_offsets[i] = start.h * start.h * offsets.v;
  }
  q.last_step = start.h;
  return scheme_->meets_velocity_constraints() || velocities_->add_normal_part(q, velocity_offsets);
}

// The step goes from q, or from a copy of it re-based to the new step size, to next_;
// q itself stays as it is. The last factorization is that of an attempt from here on,
// and no direction of the present state follows from it.
const StepReport& GeneralizedAlpha::attempt(const State& q, const Step& step) {
  if (next_.x.size() != q.x.size()) next_ = q;
  next_.memory.resize(q.memory.size());
  const State* origin = &q;
  if (StepChange::changes(q, step.h)) {
    rebased_ = q;
    step_change_->apply(rebased_, step.h);
    origin = &rebased_;
  }
  step_change_->factorization_lost();
  projected_ = false;
  report_ = newton_->step(*scheme_, *origin, next_, step.h, step.t_next, step.stop);
  if (!report_.succeeded() || !tolerance_) return report_;
  report_.error = local_error_->estimate(*origin, next_, *scheme_, newton_->equations()) / allowed_error(*tolerance_);
  if (!(report_.error <= 1)) report_.outcome = Outcome::inaccurate;
  return report_;
}

// By exchange: memory of the old state serves the next attempt.
void GeneralizedAlpha::accept(State& q) {
  q.swap(next_);
  step_change_->step_accepted();
}

// Of a step that was inaccurate: the rows with most of the estimated error.
void GeneralizedAlpha::name_worst(StepReport& report) {
  constexpr int count = 5;
  if (local_error_) report.worst = local_error_->worst_rows(count);
}

// The whole violation goes, by the least change in the norm of M; the residual is no longer that of the
// state then.
void GeneralizedAlpha::project_velocities(State& q) {
  if (system_.rows() == 0) return;
  step_change_->velocities_changed();
  projected_ = true;
  velocities_->scale_violation(q, 0);
}

// Of the last iterate only if that is the state: a step whose increment was accepted has moved since.
const assembly::Residual* GeneralizedAlpha::residual() const {
  return newton_->residual_is_current() && !projected_ ? &newton_->residual() : nullptr;
}

// Once: both methods are the same without constraints.
std::string GeneralizedAlpha::notice() {
  const bool same = settings_.method == "lie_alpha_index2" && system_.rows() == 0;
  if (!same || std::exchange(noticed_, true)) return "";
  return "lie_alpha_index2 is the same as lie_alpha here, since the model has no constraints";
}

// The direction of StepChange, which else needs the last factorization.
void GeneralizedAlpha::save(const State& q, std::vector<double>& data) {
  const std::span<const Vec6> normal = step_change_->normal(q);
  std::vector<Vec6> kept(normal.begin(), normal.end());
  for (const Vec6& x : kept) data.insert(data.end(), x.begin(), x.end());
  make_solvers();
  if (!kept.empty()) step_change_->set_normal(kept);
}

// Numbers of another model are refused by their count.
bool GeneralizedAlpha::load(const State& q, std::span<const double> data) {
  const std::size_t nodes = system_.nodes();
  if (q.memory.size() != 2 * nodes || (!data.empty() && data.size() != 6 * nodes)) return false;
  make_solvers();
  if (data.empty()) return true;
  std::vector<Vec6> normal(nodes);
  for (std::size_t i = 0; i < nodes; ++i) normal[i] = Vec6::Map(data.data() + 6 * i);
  step_change_->set_normal(normal);
  return true;
}

}  // namespace polhode::integrators
