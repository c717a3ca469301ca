// SPDX-License-Identifier: BSD-3-Clause
// A transient as an analysis of a run: its counts, its summary, and what to do where a step failed.
#include "analyses/transient/analysis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "polhode/analyses/transient/steps.hpp"
#include "polhode/assembly/feedback.hpp"
#include "polhode/integrators/catalog.hpp"
#include "polhode/model/text.hpp"
#include "polhode/results/output_times.hpp"

namespace polhode::analyses {
namespace {

constexpr const char* remedy_past_bound =
    "an element of a beam takes less than half a turn along its length, and less from node to node the higher its "
    "order, a bushing less than a whole turn. To go on: more `elements` in the beam; a joint with a "
    "`torsional_spring_damper`, which counts turns, in the place of the bushing";

std::string remedy_of_controlled_steps(const integrators::StepReport& failure) {
  if (failure.outcome == integrators::Outcome::inaccurate)
    return fmt::format(
        "its estimated error is {:.3g} times what the tolerance allows a step; the rows above have most of it "
        "(positions by the size of the model). To go on: a smaller `step: {{min}}` or a larger `tolerance`; a smoother "
        "load or drive at this time; more damping in stiff parts",
        failure.error);
  return "no larger step than `step: {min}` converges. To go on: a smaller `min`; a smoother load or drive at this "
         "time; look at the motion up to here, which is kept";
}

std::string remedy_of(const integrators::StepReport& failure, const TransientSettings& settings) {
  if (failure.outcome == integrators::Outcome::past_bound) return remedy_past_bound;
  if (const std::string advice = advice_after(settings.integrator, failure); !advice.empty()) return advice;
  if (settings.control) return remedy_of_controlled_steps(failure);
  const int halvings = settings.newton.halvings.value_or(integrators::NewtonSettings::default_halvings);
  if (halvings == 0)
    return "to go on: a smaller `step`, or `newton: {halvings: 4}` to repeat a failed step in smaller parts";
  return fmt::format(
      "{} halvings of the step did not help. To go on: a smaller `step`; a smoother load or drive at this time; look "
      "at the motion up to here, which is kept",
      halvings);
}

// What led there is no matter of Newton's iteration: a step that succeeded, and many before it.
Failure failure_of_energy(const integrators::StepReport& report) {
  Failure failure;
  failure.what = report.said;
  failure.details.push_back(
      report.h > 0
          ? "the solution is unstable. To go on: a smaller `step` or `tolerance`, or, of generalized-alpha methods, "
            "more numerical damping (a smaller `rho_infinity`); look at the motion up to here, which is kept"
          : "to go on: look at the velocities, masses and stiffnesses of the deck for a wrong unit or exponent");
  return failure;
}

// A stop, a force without value, or what a library or the network of signals said.
bool has_named_cause(const TransientResult& done) {
  using integrators::Outcome;
  const integrators::StepReport& report = done.failure;
  const bool of_energy = report.outcome == Outcome::not_finite || report.outcome == Outcome::unbounded;
  return !done.stopped_by.what.empty() || report.without_value >= 0 || (!report.said.empty() && !of_energy);
}

// A machine that a controller drives apart fails at any step. "": nothing follows measurements, or the cause is known.
std::string hint_of_feedback(const assembly::System& system, const TransientResult& done) {
  if (has_named_cause(done)) return "";
  const std::vector<assembly::Feedback> feedback = assembly::feedback_of(system);
  if (feedback.empty()) return "";
  const assembly::Feedback& first = feedback.front();
  return system.model().entries[static_cast<std::size_t>(first.entry)].path(first.key) +
         " follows measurements: if the motion up to here grows at any `step`, the closed loop is unstable, which "
         "`modal` or `linearize` of the machine at rest show (eigenvalues with positive real parts)";
}

// The report of the integrator in the words of a run.
Failure failure_of(const TransientResult& done, const TransientSettings& settings) {
  using integrators::Outcome;
  const integrators::StepReport& report = done.failure;
  if (!done.stopped_by.what.empty()) {
    Failure failure;
    failure.what = done.stopped_by.what;
    failure.details.push_back(
        done.stopped_by.remedy.empty()
            ? "to go on: let the event lock what comes to rest and nothing twice, or end the run; look "
              "at the motion up to here, which is kept"
            : done.stopped_by.remedy);
    return failure;
  }
  if (report.outcome == Outcome::not_finite || report.outcome == Outcome::unbounded) return failure_of_energy(report);
  Failure failure;
  failure.what = fmt::format("the step of {:.6g} s to t = {:.9g} s {} after {}", report.h, report.t,
                             integrators::text_of(report.outcome), model::counted(report.iterations, "linear solve"));
  failure.iterations = report.history;
  failure.worst = report.worst;
  if (!report.said.empty()) failure.details.push_back(report.said);
  failure.details.push_back(remedy_of(report, settings));
  return failure;
}

// Without numbers and names, which are added by event.
results::StaticData dataset(std::string path, std::string description, std::string units = "") {
  results::StaticData data;
  data.path = std::move(path);
  data.description = std::move(description);
  data.units = std::move(units);
  return data;
}

// One row an event, in the order in which they happened.
std::vector<results::StaticData> event_data(const std::vector<EventRecord>& events) {
  results::StaticData time = dataset("/events/time", "when the event happened", "s");
  results::StaticData name = dataset("/events/names", "the event of the deck");
  results::StaticData what = dataset("/events/what", "what it did");
  results::StaticData impulse =
      dataset("/events/impulse",
              "of the first lock, along its coordinate, on the second node of the joint; N s along a slide", "N m s");
  results::StaticData energy =
      dataset("/events/energy_change", "of the kinetic energy; of events at one time with the first of them", "J");
  results::StaticData momenta[] = {
      dataset("/events/momentum_before", "linear, of the whole mechanism, inertial", "N s"),
      dataset("/events/momentum_after", "linear, of the whole mechanism, inertial", "N s"),
      dataset("/events/angular_momentum_before", "about the origin, of the whole mechanism, inertial", "N m s"),
      dataset("/events/angular_momentum_after", "about the origin, of the whole mechanism, inertial", "N m s")};
  for (results::StaticData& data : momenta) data.shape = {static_cast<int>(events.size()), 3};
  for (const EventRecord& event : events) {
    const math::Vec3* const of_event[] = {&event.before.linear, &event.behind.linear, &event.before.angular,
                                          &event.behind.angular};
    for (std::size_t i = 0; i < 4; ++i)
      momenta[i].numbers.insert(momenta[i].numbers.end(), of_event[i]->data(), of_event[i]->data() + 3);
    time.numbers.push_back(event.t);
    name.names.push_back(event.name);
    what.names.push_back(event.what);
    impulse.numbers.push_back(event.impulse);
    energy.numbers.push_back(event.energy_change);
  }
  return {time, name, what, impulse, energy, momenta[0], momenta[1], momenta[2], momenta[3]};
}

Counts counts_of(const Progress& progress) {
  return {progress.step,           progress.iterations, progress.wasted,
          progress.factorizations, progress.halved,     progress.round_off};
}

class TransientAnalysis final : public AnalysisTypeOf<TransientSettings> {
 public:
  using AnalysisTypeOf::AnalysisTypeOf;
  AnalysisResult run(const TransientSettings& settings, AnalysisContext& context) const override;
  void check(const TransientSettings& settings, const CheckContext& context) const override;
  std::string check_start(const TransientSettings& settings, const StartContext& context) const override;
  double duration(const TransientSettings& settings) const override { return settings.duration; }
  double expected_states(const TransientSettings& settings, const results::OutputSettings& output,
                         double begin) const override;
  results::RunContents contents(const TransientSettings& settings) const override;
  std::string describe(const TransientSettings& settings) const override;
};

AnalysisResult TransientAnalysis::run(const TransientSettings& settings, AnalysisContext& context) const {
  TransientSteps steps = begin_transient(settings, context);
  if (steps.start())
    while (steps.step()) continue;
  return end_transient(settings, context, steps.finish());
}

// How fast bodies turn is checked when the analysis begins; here they are at rest.
void TransientAnalysis::check(const TransientSettings& settings, const CheckContext& context) const {
  State still = context.system.initial_state();
  for (model::Vec6& v : still.v) v.setZero();
  check_transient(context.system, settings, still, context.problems);
}

// As a run begins: constraints met, accelerations set, then what the method asks of the model.
std::string TransientAnalysis::check_start(const TransientSettings& settings, const StartContext& context) const {
  const StartReport start = check_consistent_start(context);
  if (context.problems.empty()) check_transient(context.system, settings, context.q, context.problems);
  if (context.system.rows() == 0) return "";
  return fmt::format("constraints met to {:.2g} of the size, {:.2g} of the speed", start.position_violation,
                     start.velocity_violation);
}

double TransientAnalysis::expected_states(const TransientSettings& settings, const results::OutputSettings& output,
                                          double begin) const {
  return results::expected_states(output, begin, settings.duration, expected_steps(settings));
}

results::RunContents TransientAnalysis::contents(const TransientSettings& settings) const {
  return {.step_control = settings.control.has_value(),
          .discrete_invariants = method_of(settings.integrator).conserves};
}

std::string TransientAnalysis::describe(const TransientSettings& settings) const {
  const std::string steps = settings.control ? fmt::format("steps by tolerance {:g}", settings.control->tolerance)
                                             : fmt::format("step {:g} s", settings.step);
  return fmt::format("{:g} s with {}, {}", settings.duration, steps, settings.integrator.method);
}

}  // namespace

// Loads act in full, whatever a static analysis left; work goes on from the analyses before.
TransientSteps begin_transient(const TransientSettings& settings, AnalysisContext& context) {
  context.loaded = true;
  return {context.system, settings, context.q, context.external_work, context.observer, context.problems};
}

AnalysisResult end_transient(const TransientSettings& settings, AnalysisContext& context, const TransientResult& done) {
  const Progress& progress = done.progress;
  context.external_work = progress.external_work;

  AnalysisResult result;
  result.data = done;
  result.counts = counts_of(progress);
  if (settings.control && progress.step > 0)
    result.summary.push_back(fmt::format(
        "steps under control: {} accepted, {:.3g} to {:.3g} s; rejected: {} for their error, {} by Newton",
        progress.step, progress.shortest, progress.longest, progress.rejected_for_error, progress.rejected_by_newton));
  result.monitors = done.monitors.lines();
  result.monitor_notes = done.monitors.lines(true);
  result.summary.insert(result.summary.end(), done.notices.begin(), done.notices.end());
  context.events.insert(context.events.end(), done.events.begin(), done.events.end());
  if (!context.events.empty()) context.observer.store(event_data(context.events));
  result.ends_run = done.ends_run;
  switch (done.end) {
    case TransientResult::End::done:
      break;
    case TransientResult::End::interrupted:
      result.end = End::interrupted;
      result.summary.push_back(fmt::format("interrupted at t = {:.6g} s", context.q.t));
      break;
    case TransientResult::End::failed:
      result.end = End::failed;
      result.failure = failure_of(done, settings);
      if (std::string hint = hint_of_feedback(context.system, done); !hint.empty())
        result.failure->details.push_back(std::move(hint));
      break;
    case TransientResult::End::invalid:
      result.end = End::invalid;
      break;
  }
  return result;
}

const AnalysisTypeOf<TransientSettings>& transient_analysis() {
  static const TransientAnalysis type(transient_table);
  return type;
}

}  // namespace polhode::analyses
