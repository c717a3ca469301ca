// SPDX-License-Identifier: BSD-3-Clause
// Published decks run without files.
#include "verification/run.hpp"

#include <cmath>
#include <cstdio>
#include <stdexcept>

#include "polhode/io/deck/deck.hpp"
#include "polhode/results/names.hpp"
#include "polhode/results/sampler.hpp"
#include "support/places.hpp"

namespace polhode::verification {
namespace {

std::string exact(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

class Keeper final : public analyses::Observer {
 public:
  Keeper(const assembly::System& system, const std::vector<std::string>& names, bool discrete)
      : sampler_(system, {}, {.discrete_invariants = discrete}) {
    for (const std::string& name : names) {
      std::string problem;
      selections_.push_back(results::select(sampler_.layout(), name, problem));
      if (!selections_.back().channel) throw std::runtime_error(problem);
    }
    kept_.resize(names.size());
  }

  void begin(long every) { every_ = every; }

  void observe(const model::State& q, const integrators::StepRecord& step, const analyses::Progress& progress,
               bool last) override {
    const bool wanted = every_ > 0 ? progress.step % every_ == 0 : last;
    if (!wanted) return;
    const assembly::Residual* residual = progress.step > 0 ? step.integrator.residual() : nullptr;
    const auto row = sampler_.state_row(q, residual, progress.external_work, 0, {}, step.integrator.invariants());
    time_.push_back(q.t);
    for (std::size_t i = 0; i < selections_.size(); ++i) {
      const auto part = row.subspan(selections_[i].offset, selections_[i].size);
      kept_[i].insert(kept_[i].end(), part.begin(), part.end());
    }
  }
  void warn(const std::string&) override {}

  void move_to(Histories& run) {
    using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const auto rows = static_cast<Eigen::Index>(time_.size());
    for (const std::vector<double>& numbers : kept_)
      run.histories.push_back(Eigen::Map<const RowMajor>(
          numbers.data(), rows, static_cast<Eigen::Index>(numbers.size()) / std::max<Eigen::Index>(rows, 1)));
    run.time = std::move(time_);
  }

 private:
  results::Sampler sampler_;
  std::vector<results::Selection> selections_;
  std::vector<std::vector<double>> kept_;
  std::vector<double> time_;
  long every_ = 0;
};

}  // namespace

Histories run(const std::string& name, const std::vector<std::string>& settings, const std::vector<std::string>& names,
              double interval) {
  const std::string folder = name.find('/') == std::string::npos ? "benchmarks/" : "";
  const io::Deck deck = io::read_deck(POLHODE_SOURCE_DIR "/inputs/" + folder + name + ".yaml", settings);
  model::Problems problems;
  auto system = assembly::System::make(deck.model, problems);
  if (!system) throw std::runtime_error(io::format_problems(deck, problems));
  Keeper keeper(*system, names, analyses::contents_of(deck.analyses).discrete_invariants);
  model::State q = system->initial_state();
  Histories result;
  double work = 0;
  for (const analyses::Analysis& any : deck.analyses) {
    const auto& analysis = *any.as<analyses::TransientSettings>();
    const long every = analysis.control ? 1 : std::lround(interval / analysis.step);
    keeper.begin(interval > 0 ? every : 0);
    const analyses::TransientResult done = run_transient(*system, analysis, q, work, keeper, problems);
    if (done.end != analyses::TransientResult::End::done)
      throw std::runtime_error(name + ": " + io::format_problems(deck, problems) +
                               std::string(text_of(done.failure.outcome)));
    if (done.progress.halved > 0) throw std::runtime_error(name + ": a step was subdivided");
    work = done.progress.external_work;
    result.analyses.push_back(done.progress);
  }
  keeper.move_to(result);
  return result;
}

std::string set_method(const std::string& method) { return "analysis.integrator.method=" + method; }
std::string set_step(double h) { return "analysis.step=" + exact(h); }
std::string set_duration(double seconds) { return "analysis.duration=" + exact(seconds); }

}  // namespace polhode::verification
