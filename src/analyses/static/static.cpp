// SPDX-License-Identifier: BSD-3-Clause
// Static analysis: the start, the walk along the path, the end.
#include "polhode/analyses/static/static.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "arc_length.hpp"
#include "load_steps.hpp"
#include "polhode/analyses/initial/posture.hpp"
#include "polhode/analyses/initial/start.hpp"

namespace polhode::analyses {

using assembly::System;

namespace {

// Velocities, accelerations and what a method remembers of them: a transient starts anew from here.
void rest(State& q) {
  std::fill(q.v.begin(), q.v.end(), model::Vec6::Zero());
  std::fill(q.vdot.begin(), q.vdot.end(), model::Vec6::Zero());
  q.memory.clear();
  q.last_step = 0;
}

// Statics of a machine that samples or delays are those of another one (model::SignalForm::at_rest). Its states as
// states of the machine itself.
class AsGiven final : public StaticObserver {
 public:
  AsGiven(const System& system, const System& resting, const State& start, StaticObserver& observer)
      : system_(system), resting_(resting), start_(start.signals), observer_(observer) {}
  State operator()(State q) const {
    resting_.signals().settle(q);
    const model::SignalState rested = std::exchange(q.signals, start_);
    system_.signals().take_over(resting_.signals(), rested, q);
    return q;
  }
  void observe(const State& q, const StaticStep& step, bool last) override {
    observer_.observe((*this)(q), step, last);
  }
  bool interrupted() const override { return observer_.interrupted(); }
  void warn(const std::string& message) override { observer_.warn(message); }
  RestartPoints* restart_points() override { return observer_.restart_points(); }

 private:
  const System& system_;
  const System& resting_;
  model::SignalState start_;
  StaticObserver& observer_;
};

}  // namespace

// Drives at load factor 0 are where the deck stands, or at 1 where an analysis before has put them:
// of each equation the smaller violation counts.
void check_static_start(const System& system, const State& q, bool loaded, model::Problems& problems) {
  check_rank(system, q, problems);
  if (loaded || system.rows() == 0) return;
  State undriven = q;
  undriven.load_factor = 0;
  assembly::Residual residual = system.make_residual();
  system.set_residual(undriven, residual, {false, false, true});
  // An analysis of type initial has put drives where they are to go: what they are off at load factor 0 is then
  // released as they come.
  State driven = q;
  driven.load_factor = 1;
  assembly::Residual there = system.make_residual();
  system.set_residual(driven, there, {false, false, true});
  for (Eigen::Index row = 0; row < residual.phi.size(); ++row)
    if (std::abs(there.phi[row]) < std::abs(residual.phi[row])) residual.phi[row] = there.phi[row];
  check_positions(system, residual.phi, system.model().position_tolerance, "break this joint",
                  "correct the nodes, widen `initial.positions`, or put an analysis of type initial before", problems);
}

namespace {

// Gravity that is not along the axis turns in the turning frame, which no equilibrium can follow.
// At the end the state stands still, or turns with the frame.
StaticResult follow(const System& system, const StaticSettings& settings, bool loaded, State& q,
                    StaticObserver& observer, model::Problems& problems) {
  StaticResult result;
  Redundancy redundancy(system);
  if (const std::string text = redundancy.begin(q); !text.empty()) observer.warn(text);
  check_static_start(system, q, loaded, problems);
  if (!problems.empty()) {
    result.end = StaticResult::End::invalid;
    return result;
  }
  if (settings.rotation && system.model().gravity.cross(settings.rotation->axis).norm() >
                               1e-9 * system.model().gravity.norm() * std::abs(settings.rotation->speed))
    observer.warn(
        "gravity is not along the axis of the rotation: in the turning frame it is no steady load, and counts in its "
        "present direction");
  rest(q);
  // Multipliers of a loaded start are those of its equilibrium, near at hand for the first step.
  // Angles are counted anew from the deck's configuration there, where drives have not turned anything yet; but on from
  // coordinates that the deck gives its joints, which may be whole turns.
  if (!loaded) {
    q.lambda.setZero();
    q.load_factor = 0;
    if (gives_coordinates(system.model()))
      system.update_history(q);
    else
      system.initialize_history(q);
  }
  const VectorX signals = q.signals.z;
  Path path(system, settings, loaded, q, redundancy, observer, result);
  std::vector<double> way;
  const bool goes_on = path.take_up(way);
  if (goes_on || path.begin()) {
    const auto follow = [&](auto&& steps) {
      if (goes_on) steps.take_up(way);
      steps.follow();
    };
    if (settings.control == StaticSettings::Control::arc_length)
      follow(ArcLength(path));
    else
      follow(LoadSteps(path));
    if (result.end == StaticResult::End::done && path.rest_signals(signals)) path.finish();
  }
  q = path.here().q;
  q.signals.gain = 0;
  system.signals().settle(q);
  q.load_factor = 1;
  if (settings.rotation)
    clear_fixed_motion(system, q);
  else
    rest(q);
  return result;
}

}  // namespace

// A second system, made for this analysis alone, so that states of blocks that sample are sought as all others are.
StaticResult run_static(const System& system, const StaticSettings& settings, bool loaded, State& q,
                        StaticObserver& observer, model::Problems& problems) {
  const assembly::SignalNetwork& signals = system.signals();
  if (!signals.has_samples() && !signals.has_delays()) return follow(system, settings, loaded, q, observer, problems);
  const std::optional<System> resting =
      System::make(system.model(), problems, {.at_rest = true, .approximants = 0, .lags = false});
  StaticResult result;
  result.end = StaticResult::End::invalid;
  if (!resting) return result;
  // Observers know the machine of the deck alone
  AsGiven as_given(system, *resting, q, observer);
  State rested = q;
  resting->signals().start(rested);
  resting->signals().take_over(signals, q.signals, rested);
  result = follow(*resting, settings, loaded, rested, as_given, problems);
  q = as_given(rested);
  return result;
}

}  // namespace polhode::analyses
