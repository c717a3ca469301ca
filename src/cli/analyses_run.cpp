// SPDX-License-Identifier: BSD-3-Clause
// What each type of analysis does to the state of a run, and what is said of it.
#include "analyses_run.hpp"

#include <cstdio>

#include "polhode/analyses/initial/initial.hpp"
#include "polhode/analyses/linearize/linear_model.hpp"
#include "polhode/model/text.hpp"

namespace polhode::cli {

using model::counted, model::format;

using analyses::TransientResult;

namespace {

void explain(const integrators::StepReport& failure, const analyses::TransientSettings& settings, Log& log) {
  log.say(format("error: the step of %.6g s to t = %.9g s %s after %s", failure.h, failure.t,
                 std::string(integrators::text_of(failure.outcome)).c_str(),
                 counted(failure.iterations, "linear solve").c_str()));
  if (!failure.history.empty())
    log.say("  iteration   residual [N, N m]   constraints [m, rad]   increment [weighted]   contraction");
  const std::size_t count = failure.history.size();
  const std::size_t first = count > 8 ? count - 8 : 0;
  for (std::size_t i = first; i < count; ++i) {
    const integrators::Iteration& it = failure.history[i];
    const double before = i > 0 ? failure.history[i - 1].increment : 0;
    log.say(format("  %9zu   %17.6g   %20.6g   %20s   %11s", i, it.residual, it.constraint_residual,
                   it.increment > 0 ? format("%.6g", it.increment).c_str() : "-",
                   it.increment > 0 && before > 0 ? format("%.3g", it.increment / before).c_str() : "-"));
  }
  if (!failure.worst.empty()) log.say("  worst rows:");
  for (const std::string& row : failure.worst) log.say("    " + row);
  if (!failure.said.empty()) log.say("  " + failure.said);
  if (settings.integrator.is_of_sundials() && failure.outcome != integrators::Outcome::inaccurate)
    log.say(std::string("  no larger step than `step: {min}` converges. To go on: a smaller `min` or `initial`; ") +
            (settings.integrator.method == "bdf" ? "`rosenbrock4` or `lie_alpha`" : "`bdf` or `rosenbrock4`") +
            " where parts are stiff; a smoother load or drive at this time; look at the motion up to here, which is "
            "kept");
  else if (settings.control)
    log.say(
        failure.outcome == integrators::Outcome::inaccurate
            ? format(
                  "  its estimated error is %.3g times what the tolerance allows a step; the rows above have most of "
                  "it (positions by the size of the model). To go on: a smaller `step: {min}` or a larger "
                  "`tolerance`; a smoother load or drive at this time; more damping in stiff parts",
                  failure.error)
            : "  no larger step than `step: {min}` converges. To go on: a smaller `min`; a smoother load or drive at "
              "this "
              "time; look at the motion up to here, which is kept");
  else if (settings.integrator.method == "variational")
    log.say(
        "  to go on: a smaller `step` from the start, since a changed one would be another method; or, where a body "
        "turns "
        "too far in a step, `integrator: {increments: cayley}`");
  else if (settings.newton.halvings == 0)
    log.say("  to go on: a smaller `step`, or `newton: {halvings: 4}` to repeat a failed step in smaller parts");
  else
    log.say(
        format("  %d halvings of the step did not help. To go on: a smaller `step`; a smoother load or drive at this "
               "time; look at "
               "the motion up to here, which is kept",
               settings.newton.halvings));
}

void tell_control(const analyses::Progress& p, Log& log) {
  if (p.step == 0) return;
  log.say(format("steps under control: %ld accepted, %.3g to %.3g s; rejected: %ld for their error, %ld by Newton",
                 p.step, p.shortest, p.longest, p.rejected_for_error, p.rejected_by_newton));
}

}  // namespace

void check_analyses(const assembly::System& system, const io::Deck& deck, model::Problems& problems) {
  model::State still = system.initial_state();  // how fast bodies turn is looked at when an analysis begins
  for (model::Vec6& v : still.v) v.setZero();
  for (std::size_t i = 0; i < deck.analyses.size(); ++i)
    if (const auto* settings = std::get_if<analyses::LinearizeSettings>(&deck.analyses[i]))
      check_linearize(system, *settings, io::analysis_path(deck, i), problems);
    else if (const auto* transient = std::get_if<analyses::TransientSettings>(&deck.analyses[i]))
      check_structure(system, transient->integrator, transient->path, still, transient->step, problems);
}

ExitStatus AnalysesRun::run(const io::Deck& deck) {
  ExitStatus status = done;
  for (std::size_t i = 0; i < deck.analyses.size() && status == done; ++i) {
    const analyses::Analysis& analysis = deck.analyses[i];
    index_ = static_cast<int>(i);
    path_ = io::analysis_path(deck, i);
    observer_.begin_analysis(index_, q_.t, q_.t + analyses::duration_of(analysis), external_work_);
    status = std::visit([this](const auto& settings) { return run(settings); }, analysis);
  }
  return status;
}

ExitStatus AnalysesRun::run(const analyses::TransientSettings& settings) {
  loaded_ = true;
  const TransientResult result = run_transient(system_, settings, q_, external_work_, observer_, problems_);
  external_work_ = result.progress.external_work;
  total_.step += result.progress.step;
  total_.iterations += result.progress.iterations;
  total_.wasted += result.progress.wasted;
  total_.factorizations += result.progress.factorizations;
  total_.halved += result.progress.halved;
  total_.round_off += result.progress.round_off;
  if (settings.control) tell_control(result.progress, log_);
  switch (result.end) {
    case TransientResult::End::done:
      return done;
    case TransientResult::End::interrupted:
      log_.say(format("interrupted at t = %.6g s", q_.t));
      return interrupted;
    case TransientResult::End::failed:
      explain(result.failure, settings, log_);
      return solution_failed;
    case TransientResult::End::invalid:
      break;
  }
  return invalid_model;
}

ExitStatus AnalysesRun::run(const analyses::InitialSettings&) {
  constexpr std::size_t most_lines = 20;
  const double energy = system_.energies(q_).total();
  std::vector<analyses::NodeChange> changes;
  std::string redundant;
  if (!meet_all_constraints(system_, q_, changes, redundant, problems_)) return invalid_model;
  if (observer_.has_begun()) external_work_ += system_.energies(q_).total() - energy;  // else the run begins here
  observer_.observe(q_, external_work_);
  if (!redundant.empty()) observer_.warn(redundant);
  if (changes.empty()) {
    log_.say("initial: positions and velocities of the deck meet the constraints, nothing was moved");
    return done;
  }
  log_.say(format("initial: %zu of %zu nodes moved to meet the constraints", changes.size(), system_.nodes() - 1));
  for (const std::string& line : table_of(system_, changes, most_lines)) log_.say(line);
  if (changes.size() > most_lines)
    for (const std::string& line : table_of(system_, changes, changes.size())) log_.note(line);
  return done;
}

ExitStatus AnalysesRun::run(const analyses::StaticSettings& settings) {
  using analyses::StaticResult;
  const StaticResult result = run_static(system_, settings, loaded_, q_, observer_, problems_);
  if (result.end == StaticResult::End::invalid) return invalid_model;
  loaded_ = true;
  external_work_ = observer_.external_work();
  for (const double load : result.limit_loads) log_.say(format("static: limit point at load factor %.6g", load));
  log_.say(format("static: %d load steps to load factor %.6g, %ld linear solves%s, smallest pivot %.2g", result.steps,
                  result.load_factor, result.iterations,
                  result.wasted ? format(" and %ld of failed attempts", result.wasted).c_str() : "",
                  result.smallest_pivot));
  switch (result.end) {
    case StaticResult::End::interrupted:
      log_.say(format("interrupted at load factor %.6g", result.load_factor));
      return interrupted;
    case StaticResult::End::failed:
      log_.say("error: " + result.failure);
      for (const std::string& line : result.details) log_.say("  " + line);
      return solution_failed;
    default:
      return done;
  }
}

ExitStatus AnalysesRun::run(const analyses::ModalSettings& settings) {
  using analyses::ModalResult;
  ModalResult result = run_modal(system_, settings, q_, path_, problems_);
  if (result.end == ModalResult::End::invalid) return invalid_model;
  observer_.observe(q_, external_work_);
  if (!result.note.empty()) observer_.warn(result.note);
  if (result.end == ModalResult::End::failed) {
    log_.say("error: " + result.failure);
    return solution_failed;
  }
  mode_numbers_.give(system_, result.modes);
  log_.say(format("modal: %zu modes%s%s", result.modes.size(),
                  settings.rotation ? format(", turning at %.6g rad/s", settings.rotation->speed).c_str() : "",
                  result.modes.empty() ? ", none is in the band" : ""));
  if (!result.modes.empty())
    for (const std::string& line : analyses::table_of(result.modes)) log_.say(line);
  for (analyses::Mode& mode : result.modes) {
    modes_.push_back(std::move(mode));
    modes_from_.push_back(index_);
  }
  if (!modes_.empty()) observer_.store(modal_data(system_, modes_, modes_from_));
  return done;
}

ExitStatus AnalysesRun::run(const analyses::LinearizeSettings& settings) {
  const auto made = make_linear_model(system_, settings, q_, path_, problems_);
  if (!made) return invalid_model;
  observer_.observe(q_, external_work_);
  if (!made->note.empty()) observer_.warn(made->note);
  const std::string group = "/linear/analysis_" + std::to_string(index_);
  observer_.store(linear_data(*made, group));
  log_.say(
      format("linearize: %d unknowns, %d constraint rows, %d states, %zu inputs, %zu outputs, in %s of the results",
             system_.free_unknowns(), system_.rows(), static_cast<int>(made->a.rows()), made->inputs.size(),
             made->outputs.size(), group.c_str()));
  return done;
}

}  // namespace polhode::cli
