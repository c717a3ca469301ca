// SPDX-License-Identifier: BSD-3-Clause
// Attempts of a generalized-alpha step, and the data that it keeps.
#include "polhode/integrators/generalized_alpha/alpha_step.hpp"

#include "polhode/integrators/step_control.hpp"

namespace polhode::integrators {

// An estimate of the error is only made where a controller asks for it.
AlphaStep::AlphaStep(const assembly::System& system, const IntegratorSettings& settings, const NewtonSettings& newton,
                     const StepControlSettings* control)
    : system_(system),
      settings_(settings),
      newton_settings_(newton),
      scheme_(make_scheme(settings, system.node_lots())) {
  if (control) {
    tolerance_ = control->tolerance;
    local_error_.emplace(system, AlphaParameters::of(settings), *tolerance_);
  }
  make_solvers();
}

void AlphaStep::make_solvers() {
  newton_.emplace(system_, newton_settings_, settings_);
  velocities_.emplace(system_);
  const bool sizes_vary = tolerance_.has_value();
  step_change_.emplace(system_, *scheme_, newton_->equations(), *velocities_, sizes_vary);
}

// The last factorization is that of an attempt from here on, and no direction of the present state follows from it.
void AlphaStep::attempt(const State& q, const Step& step, State& next, StepReport& report) {
  const State* origin = &q;
  if (StepChange::changes(q, step.h)) {
    rebased_ = q;
    step_change_->apply(rebased_, step.h);
    origin = &rebased_;
  }
  step_change_->factorization_lost();
  last_h_ = step.h;
  projected_ = false;
  report = newton_->step(*scheme_, *origin, next, step.h, step.t_next, step.stop);
  if (!report.succeeded() || !tolerance_) return;
  error_ = local_error_->estimate(*origin, next, *scheme_, newton_->equations());
  report.error = std::max(error_.accumulating / allowed_error(*tolerance_), error_.of_step / allowed_once(*tolerance_));
  if (!(report.error <= 1)) report.outcome = Outcome::inaccurate;
}

void AlphaStep::accepted() {
  step_change_->step_accepted(last_h_, local_error_ ? local_error_->held() : std::span<const Vec6>{});
  if (local_error_) local_error_->accept();
}

std::vector<std::string> AlphaStep::worst_rows(int count) const {
  return local_error_ ? local_error_->worst_rows(count) : std::vector<std::string>{};
}

// The residual is no longer that of the state then.
void AlphaStep::project_velocities(State& q) {
  if (system_.rows() == 0) return;
  step_change_->velocities_changed();
  projected_ = true;
  velocities_->scale_violation(q, 0);
}

// Of the last iterate only if that is the state: a step whose increment was accepted has moved since.
const assembly::Residual* AlphaStep::residual() const {
  return newton_->residual_is_current() && !projected_ ? &newton_->residual() : nullptr;
}

// Number of driven rows and the rows, errors of the last steps, offsets, then the direction, which else needs the last
// factorization.
void AlphaStep::save(const State& q, std::vector<double>& data) {
  const std::vector<int> driven = local_error_ ? local_error_->drives().rows() : std::vector<int>{};
  data.push_back(static_cast<double>(driven.size()));
  data.insert(data.end(), driven.begin(), driven.end());
  if (local_error_) local_error_->trend().save(data);
  const auto add = [&data](const std::vector<Vec6>& of_nodes) {
    for (const Vec6& x : of_nodes) data.insert(data.end(), x.begin(), x.end());
  };
  const auto copied = [](std::span<const Vec6> of_nodes) {
    return std::vector<Vec6>(of_nodes.begin(), of_nodes.end());
  };
  State lent = q;
  const std::vector<Vec6> normal = copied(step_change_->normal(lent));
  const std::vector<Vec6> mean = copied(step_change_->mean());
  const double step_of_mean = step_change_->step_of_mean();
  if (!mean.empty()) data.push_back(step_of_mean);
  add(mean);
  add(normal);
  make_solvers();
  step_change_->set_mean(step_of_mean, mean);
  if (!normal.empty()) step_change_->set_normal(normal);
}

// Data of earlier versions have no offsets.
bool AlphaStep::load(std::span<const double> data) {
  const std::size_t nodes = system_.nodes();
  if (data.empty() || !(data[0] >= 0 && data[0] <= system_.rows())) return false;
  const auto count = static_cast<std::size_t>(data[0]);
  if (data.size() < 1 + count) return false;
  std::vector<int> driven(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (!(data[1 + i] >= 0 && data[1 + i] < system_.rows())) return false;
    driven[i] = static_cast<int>(data[1 + i]);
  }
  data = data.subspan(1 + count);
  if (local_error_ && !local_error_->trend().load(data)) return false;
  const std::size_t of_mean = 1 + 6 * nodes;
  const bool has_mean = !step_change_->mean().empty() && (data.size() == of_mean || data.size() == of_mean + 6 * nodes);
  if (!has_mean && !data.empty() && data.size() != 6 * nodes) return false;
  if (local_error_ && count > 0) local_error_->drives().set_rows(std::move(driven));
  make_solvers();
  const auto taken = [&data](std::size_t size) {
    std::vector<Vec6> of_nodes(size);
    for (std::size_t i = 0; i < size; ++i) of_nodes[i] = Vec6::Map(data.data() + 6 * i);
    data = data.subspan(6 * size);
    return of_nodes;
  };
  if (has_mean) {
    const double step_of_mean = data[0];
    data = data.subspan(1);
    step_change_->set_mean(step_of_mean, taken(nodes));
  }
  if (!data.empty()) step_change_->set_normal(taken(nodes));
  return true;
}

}  // namespace polhode::integrators
