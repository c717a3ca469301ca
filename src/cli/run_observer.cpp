// SPDX-License-Identifier: BSD-3-Clause
// What a run writes while it goes.
#include "run_observer.hpp"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <utility>

namespace polhode::cli {
namespace {

volatile std::sig_atomic_t signalled = 0;
void on_signal(int) { signalled = 1; }

}  // namespace

void catch_interrupts() {
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
}

bool is_interrupted() { return signalled != 0; }

void ignore_interrupts() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_IGN);
  signalled = 0;
}

void Log::say(const std::string& line) {
  std::fprintf(stderr, "%s\n", line.c_str());
  note(line);
}

RunObserver::RunObserver(const assembly::System& system, const io::Deck& deck, std::string results,
                         std::string headline, Log& log, model::Problems& problems)
    : system_(system),
      deck_(deck),
      results_(std::move(results)),
      headline_(std::move(headline)),
      log_(log),
      sampler_(system, deck.output.fields, analyses::any_controlled(deck.analyses), analyses::has_static(deck.analyses),
               analyses::any_keeps_structure(deck.analyses)),
      responses_(sampler_.layout(), deck.responses, problems),
      invariants_(sampler_.layout()),
      times_(deck.output) {}

void RunObserver::begin_analysis(int index, double begin, double end, double external_work) {
  grid_values_.reset();
  analysis_ = index;
  static_step_ = 0;
  not_stored_.reset();
  work_before_ = external_work;
  progress_.emplace(begin, end);
}

void RunObserver::begin(const model::State& q) {
  if (std::exchange(begun_, true)) return;
  first_energy_ = system_.energies(q).total();
  if (results_.empty()) return;
  io::RunInfo info{deck_.title, deck_.text, {}, analyses::expected_states(deck_.analyses, deck_.output)};
  for (std::size_t i = 0; i < responses_.size(); ++i)
    info.responses.push_back({responses_.name(i), responses_.units(i), responses_.description(i)});
  file_ = std::make_unique<io::ResultsFile>(results_, info, sampler_.layout());
  log_.say(headline_);
}

void RunObserver::observe(const model::State& q, double external_work) {
  begin(q);
  store(q, nullptr, external_work);
}

// The work of loads and drives that grow slowly is what the model has gained.
void RunObserver::observe(const model::State& q, const analyses::StaticStep& step, bool last) {
  const bool first = static_step_++ == 0;
  begin(q);
  const double energy = system_.energies(q).total();
  if (first) energy_before_ = energy;
  const results::StaticNumbers numbers{step.load_factor, step.iterations, step.smallest_pivot, step.limit_point};
  const bool wanted = first || last || step.limit_point || (static_step_ - 1) % deck_.output.every == 0;
  external_work_ = work_before_ + energy - energy_before_;
  if (wanted) store(q, nullptr, external_work_, numbers);
  not_stored_.reset();
  if (!wanted) not_stored_ = numbers;
}

void RunObserver::observe(const model::State& q, const integrators::Stepper& stepper,
                          const analyses::Progress& progress, bool last) {
  const auto start = std::chrono::steady_clock::now();
  begin(q);
  if (!stepper.has_middle_values())
    grid_values_.reset();
  else if (!grid_values_)
    grid_values_.emplace(system_);
  if (progress.step > 0) {
    int wasted = stepper.wasted_iterations();
    for (const integrators::StepReport& report : stepper.reports()) {
      const auto row = sampler_.step_row(report, wasted);
      if (file_) file_->append_step(row);
      responses_.add_step(row);
      wasted = 0;
    }
  }
  const assembly::Residual* residual =
      progress.step > 0 && stepper.residual_is_current() ? &stepper.residual() : nullptr;
  bool stored = false;
  if (times_.any() && progress.step > 0) stored = store_between(stepper, q, residual, progress.external_work);
  work_before_ = progress.external_work;
  const bool by_steps = !times_.any() && progress.step % deck_.output.every == 0;
  if (!stored && (last || progress.step == 0 || by_steps))
    store(q, residual, progress.external_work, {}, stepper.invariants());
  else if (!stored && responses_.size() > 0)
    responses_.add_state(
        sampler_.state_row(at_grid(q), residual, progress.external_work, analysis_, {}, stepper.invariants()));
  progress_->update(q.t, progress.step, progress.iterations);
  output_seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

const model::State& RunObserver::at_grid(const model::State& q) { return grid_values_ ? grid_values_->of(q) : q; }

void RunObserver::store(const model::State& q, const assembly::Residual* residual, double external_work,
                        const results::StaticNumbers& statics, const integrators::Invariants* invariants) {
  const auto row = sampler_.state_row(at_grid(q), residual, external_work, analysis_, statics, invariants);
  largest_kinetic_ = std::max(largest_kinetic_, sampler_.kinetic_energy());
  const bool first_of_later_analysis = analysis_ > last_analysis_ && q.t == last_stored_ && !last_row_.empty();
  // Of an analysis that starts where the one before ended, the first state counts only if it differs (/time, /analysis
  // and /static aside).
  const std::ptrdiff_t from = results::Sampler::numbers_before_nodes(analyses::has_static(deck_.analyses));
  if (first_of_later_analysis && std::equal(row.begin() + from, row.end(), last_row_.begin() + from)) return;
  if (deck_.analyses.size() > 1) last_row_.assign(row.begin(), row.end());
  last_stored_ = q.t;
  last_analysis_ = analysis_;
  if (file_) file_->append_state(row);
  responses_.add_state(row);
  invariants_.add(row);
}

bool RunObserver::store_between(const integrators::Stepper& stepper, const model::State& q,
                                const assembly::Residual* residual, double external_work) {
  const model::State& before = stepper.previous();
  while (const auto t = times_.next(before.t, q.t)) {
    if (*t == q.t) {
      store(q, residual, external_work, {}, stepper.invariants());
      return true;
    }
    double work = 0;
    if (auto* dense = stepper.dense_output(); dense && dense->between(*t, between_, work)) {
      store(between_, nullptr, work);
      continue;
    }
    analyses::interpolate(system_, before, q, *t, between_);
    work = stepper.invariants() ? (*t - before.t) / (q.t - before.t) * (external_work - work_before_)
                                : 0.5 * (*t - before.t) * (system_.power(before) + system_.power(between_));
    store(between_, nullptr, work_before_ + work);
  }
  return false;
}

void RunObserver::store(const std::vector<results::StaticData>& data) {
  if (!file_) return;
  for (const results::StaticData& one : data) file_->replace(one);
}

bool RunObserver::interrupted() const { return signalled != 0; }

void RunObserver::warn(const std::string& message) {
  if (progress_) progress_->clear();
  log_.say("warning: " + message);
}

void RunObserver::finish(const model::State& q, double external_work, io::Status status) {
  progress_.reset();
  if (!begun_) return;
  if (not_stored_)
    store(q, nullptr, external_work, *not_stored_);
  else if (q.t != last_stored_)
    store(q, nullptr, external_work);
  if (!file_) return;
  for (std::size_t i = 0; i < responses_.size(); ++i) file_->set_response(responses_.name(i), responses_.value(i));
  file_->finish(status, log_.text());
}

}  // namespace polhode::cli
