// SPDX-License-Identifier: BSD-3-Clause
// Runs on a grid of times.
#include "verification/controlled.hpp"

#include <cmath>
#include <cstdio>
#include <stdexcept>

#include "polhode/analyses/transient/dense_output.hpp"
#include "polhode/io/deck/deck.hpp"
#include "polhode/results/output_times.hpp"
#include "support/places.hpp"

namespace polhode::verification {
namespace {

class GridKeeper final : public analyses::Observer {
 public:
  GridKeeper(const assembly::System& system, double interval, GridRun& run) : system_(system), run_(run) {
    settings_.interval = interval;
  }
  void observe(const model::State& q, const integrators::StepRecord& step, const analyses::Progress& progress,
               bool) override {
    if (progress.step == 0) return;
    for (const auto& report : step.reports) run_.estimates.push_back(report.error);
    while (const auto t = times_.next(step.previous->t, q.t)) {
      if (*t != q.t)
        analyses::interpolate(system_, *step.previous, q, *t, between_, analyses::velocities_of(step.integrator));
      run_.states.push_back(*t == q.t ? q : between_);
    }
  }
  void warn(const std::string&) override {}

 private:
  const assembly::System& system_;
  GridRun& run_;
  results::OutputSettings settings_;
  results::OutputTimes times_{settings_};
  model::State between_;
};

math::Vec3 turn(const model::State& a, const model::State& b, std::size_t node) {
  return math::so3::log((a.quat[node].conjugate() * b.quat[node]).normalized());
}

}  // namespace

GridRun grid_run(const std::string& name, const std::vector<std::string>& settings, double interval) {
  const io::Deck deck = io::read_deck(POLHODE_SOURCE_DIR "/inputs/" + name + ".yaml", settings);
  model::Problems problems;
  auto system = assembly::System::make(deck.model, problems);
  if (!system) throw std::runtime_error(io::format_problems(deck, problems));
  GridRun run;
  run.length = system->length();
  run.unknowns = system->free_unknowns();
  GridKeeper keeper(*system, interval, run);
  model::State q = system->initial_state();
  const analyses::TransientResult result =
      run_transient(*system, *deck.analyses.at(0).as<analyses::TransientSettings>(), q, 0, keeper, problems);
  if (result.end != analyses::TransientResult::End::done)
    throw std::runtime_error(name + ": " + io::format_problems(deck, problems) +
                             std::string(text_of(result.failure.outcome)));
  run.progress = result.progress;
  return run;
}

double distance(const GridRun& a, const GridRun& b) {
  if (a.states.size() != b.states.size()) throw std::runtime_error("different grids");
  double largest = 0;
  for (std::size_t n = 0; n < a.states.size(); ++n) {
    double sum = 0;
    for (std::size_t i = 1; i < a.states[n].x.size(); ++i) {
      sum += ((a.states[n].x[i] - b.states[n].x[i]) / a.length).squaredNorm();
      sum += turn(a.states[n], b.states[n], i).squaredNorm();
    }
    largest = std::max(largest, sum);
  }
  return std::sqrt(largest / a.unknowns);
}

GridRun extrapolated(const GridRun& coarse, const GridRun& fine) {
  GridRun result = fine;
  for (std::size_t n = 0; n < fine.states.size(); ++n)
    for (std::size_t i = 1; i < fine.states[n].x.size(); ++i) {
      const model::State& a = coarse.states.at(n);
      const model::State& b = fine.states[n];
      result.states[n].x[i] = b.x[i] + (b.x[i] - a.x[i]) / 3;
      result.states[n].set_rotation(
          i, (b.quat[i] * math::so3::exp_quaternion(math::Vec3(turn(a, b, i) / 3))).normalized());
    }
  return result;
}

std::string set_tolerance(double tolerance) {
  char text[64];
  std::snprintf(text, sizeof text, "analysis.step={tolerance: %.17g}", tolerance);
  return text;
}

}  // namespace polhode::verification
