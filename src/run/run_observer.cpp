// SPDX-License-Identifier: BSD-3-Clause
// States and steps of analyses, handed on.
#include "run_observer.hpp"

#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "polhode/model/units_in_text.hpp"

namespace polhode::run {

RunObserver::RunObserver(const assembly::System& system, const io::Deck& deck, Recorder& recorder,
                         const RunCallbacks& callbacks, Messages& messages, const RunSettings& settings)
    : system_(system),
      settings_(deck.output),
      units_(deck.units),
      recorder_(recorder),
      callbacks_(callbacks),
      messages_(messages),
      headline_(settings.headline),
      must_fit_(settings.must_fit),
      output_(system, deck.output, recorder, callbacks.interrupted) {}

// Work and progress go on from the analysis before.
void RunObserver::begin_analysis(int index, double begin, double end, double external_work) {
  recorder_.begin_analysis(index);
  output_.begin_analysis(external_work);
  static_work_.begin_analysis(external_work);
  not_stored_.reset();
  progress_ = {index, begin, end, begin, 0, 0};
}

// A model that cannot start leaves no file: it is made when there is something to store.
void RunObserver::begin(const model::State& q) {
  if (begun_) return;
  announce();
  first_energy_ = system_.energies(q).total();
  recorder_.open();
  if (!headline_.empty()) messages_.info(headline_);
}

void RunObserver::announce() {
  if (must_fit_) recorder_.check_space();
  begun_ = true;
  if (callbacks_.first_state) callbacks_.first_state();
}

void RunObserver::take_over(const io::RestartSource& source, const io::RestartHead& point) {
  announce();
  if (!headline_.empty()) messages_.info(headline_);
  recorder_.take_over(source, point, stored_);
}

// Of each path the last ones count; which of them are indices is known from their kind.
void RunObserver::store(const std::vector<results::StaticData>& data) {
  recorder_.replace(data);
  for (const results::StaticData& one : data) {
    std::erase_if(stored_, [&](const results::StaticData& old) { return old.path == one.path; });
    results::StaticData form;
    form.path = one.path;
    form.description = one.description;
    form.shape = one.shape;
    form.units = one.units;
    form.integer = one.integer || !one.indices.empty();
    stored_.push_back(std::move(form));
  }
}

void RunObserver::archive(math::Archive& a) {
  const std::size_t known = warnings_.size();
  a(recorder_, output_, static_work_, first_energy_, warnings_);
  bool has = not_stored_.has_value();
  a(has);
  if (a.is_reading()) not_stored_.reset();
  if (a.is_reading() && has) not_stored_.emplace();
  if (has) a(not_stored_->load_factor, not_stored_->iterations, not_stored_->smallest_pivot, not_stored_->limit_point);
  std::size_t count = stored_.size();
  a(count);
  if (a.is_reading()) stored_.assign(a.is_good() ? count : 0, {});
  for (results::StaticData& form : stored_) a(form.path, form.description, form.shape, form.units, form.integer);
  if (a.is_reading())
    for (std::size_t i = known; i < warnings_.size(); ++i) messages_.warning(warnings_[i]);
}

// A state apart from steps: of analyses that have none.
void RunObserver::observe(const model::State& q, double external_work) {
  begin(q);
  StateNumbers numbers;
  numbers.external_work = external_work;
  output_.store(q, numbers);
}

// Limit points and both ends of a path are stored whatever `output` asks for.
void RunObserver::observe(const model::State& q, const analyses::StaticStep& step, bool last) {
  begin(q);
  static_work_.add(system_.energies(q).total());
  const long before = static_work_.steps() - 1;
  const bool wanted = before == 0 || last || step.limit_point || before % settings_.every == 0;
  StateNumbers numbers;
  numbers.external_work = static_work_.external_work();
  numbers.statics = {step.load_factor, step.iterations, step.smallest_pivot, step.limit_point};
  not_stored_.reset();
  if (wanted)
    output_.store(q, numbers);
  else
    not_stored_ = numbers.statics;
  if (messages_.wants(Level::detail))
    messages_.detail(fmt::format("load step {} to load factor {:.6g}: {} linear solves, smallest pivot {:.2g}", before,
                                 step.load_factor, step.iterations, step.smallest_pivot));
}

void RunObserver::observe(const model::State& q, const integrators::StepRecord& record,
                          const analyses::Progress& progress, bool last) {
  // The time that output takes is reported by the summary.
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  begin(q);
  if (progress.step > 0) report_steps(record, progress);
  output_.add(q, record, progress, last);
  progress_.time = q.t;
  progress_.steps = progress.step;
  progress_.linear_solves = progress.iterations;
  if (callbacks_.progress) callbacks_.progress(progress_);
  output_seconds_ += std::chrono::duration<double>(Clock::now() - start).count();
  if (callbacks_.step) callbacks_.step(q, progress_);
}

// A step that was subdivided has one report for each part; wasted solves count with the first.
void RunObserver::report_steps(const integrators::StepRecord& record, const analyses::Progress& progress) {
  int wasted = record.wasted_iterations;
  const bool detailed = messages_.wants(Level::detail);
  for (const integrators::StepReport& report : record.reports) {
    recorder_.add_step(report, wasted, record.watched);
    wasted = 0;
    if (detailed)
      messages_.detail(fmt::format(
          "step {} of {:.6g} s to t = {:.9g} s: {} linear solves, residual {:.3g}, constraints {:.3g}", progress.step,
          report.h, report.t, report.iterations, report.residual, report.constraint_residual));
  }
}

// Kept for the result of the run, and reported at once.
void RunObserver::warn(const std::string& message) {
  warnings_.push_back(model::in_units_of_deck(message, units_));
  messages_.warning(warnings_.back());
}

// A run that ended early has a last state that no rule of the output asked for.
void RunObserver::finish(const model::State& q, double external_work) {
  if (!begun_) return;
  StateNumbers numbers;
  numbers.external_work = external_work;
  if (not_stored_) {
    numbers.statics = *not_stored_;
    output_.store(q, numbers);
  } else if (q.t != recorder_.last_time()) {
    output_.store(q, numbers);
  }
}

}  // namespace polhode::run
