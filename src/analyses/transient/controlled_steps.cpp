// SPDX-License-Identifier: BSD-3-Clause
// The loop of steps under control: breakpoints of the functions of time are hit, and the method starts anew behind
// them.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "polhode/integrators/step_control.hpp"
#include "transient_run.hpp"

namespace polhode::analyses {
namespace {

using model::VectorX;

// What happens to loads and drives at a breakpoint, with the configuration held: they are looked at a little before and
// after, twice on each side. A jump of a drive's rate or acceleration counts as one of a load.
class Breaks {
 public:
  enum class Kind { smooth, kink, jump };
  explicit Breaks(const assembly::System& system)
      : system_(system),
        residual_(system.make_residual()),
        Bv_(VectorX::Zero(system.rows())),
        phi_t_(Bv_),
        gamma_(Bv_) {
    for (auto& f : f_) f = VectorX::Zero(static_cast<Eigen::Index>(6 * system.nodes()) + 2 * system.rows());
  }

  Kind look(State& q, double h) {
    const double e = 1e-4 * h;
    const double closer = e / 8;
    // per e: f''e if smooth, the change of f' at a kink
    const double wide = bend(q, e);
    const double near = bend(q, closer);
    if (jump_) return Kind::jump;
    const double noticeable = 1e-6 * size_ / h;
    return near > 0.5 * wide && near > noticeable ? Kind::kink : Kind::smooth;
  }

  // Whether loads and drives do more from q.t up to the stop than grow evenly: a pulse that a single step could miss.
  bool more_than_linear(State& q, double stop) {
    const double t = q.t;
    const double span = stop - t;
    evaluate(q, t + 1e-9 * span, f_[0]);
    evaluate(q, stop - 1e-9 * span, f_[3]);
    double size = std::max(f_[0].norm(), f_[3].norm());
    double most = 0;
    for (const double s : {0.25, 0.5, 0.75}) {
      evaluate(q, t + s * span, f_[1]);
      size = std::max(size, f_[1].norm());
      most = std::max(most, (f_[1] - (1 - s) * f_[0] - s * f_[3]).norm());
    }
    q.t = t;
    return most > 1e-3 * size;
  }

 private:
  void evaluate(State& q, double t, VectorX& f) {
    q.t = t;
    system_.set_residual(q, residual_, {false, true, false});
    system_.set_rates(q, Bv_, phi_t_, gamma_);
    const auto n = static_cast<Eigen::Index>(6 * residual_.force.size());
    f.head(n) = Eigen::Map<const VectorX>(residual_.force.front().data(), n);
    f.segment(n, phi_t_.size()) = phi_t_;
    f.tail(gamma_.size()) = gamma_;
  }

  double bend(State& q, double e) {
    const double t = q.t;
    constexpr std::array<int, 4> places{-2, -1, 1, 2};
    size_ = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      evaluate(q, t + places[i] * e, f_[i]);
      size_ = std::max(size_, f_[i].norm());
    }
    q.t = t;
    const VectorX before = f_[1] - f_[0];
    const VectorX across = f_[2] - f_[1];
    const VectorX after = f_[3] - f_[2];
    jump_ = across.norm() > 10 * (before.norm() + after.norm()) + 1e-9 * size_;
    return (after - before).norm() / e;
  }

  const assembly::System& system_;
  assembly::Residual residual_;
  VectorX Bv_;
  VectorX phi_t_;
  VectorX gamma_;
  std::array<VectorX, 4> f_;
  double size_ = 0;
  bool jump_ = false;
};

// From consistent accelerations, behind the jump.
bool start_anew(TransientRun& run, double h) {
  const double t = run.q.t;
  run.stepper.project_velocities(run.q);
  run.q.t = t + 1e-12 * run.settings.duration;
  const bool good = set_accelerations(run.system, run.q, run.problems) && run.start(h);
  run.q.t = t;
  return good;
}

}  // namespace

std::vector<Stop> find_stops(const assembly::System& system, const TransientSettings& settings, double t, double end) {
  std::vector<Stop> all;
  for (const double at : system.breakpoints(t, end)) all.push_back({at, true, false});
  for (const double at : settings.integrator.velocity_projection) all.push_back({at, false, true});
  const double same = 1e-12 * std::max(std::abs(t), std::abs(end));
  std::sort(all.begin(), all.end(), [](const Stop& a, const Stop& b) { return a.t < b.t; });
  std::vector<Stop> stops;
  for (const Stop& stop : all) {
    if (stop.t <= t + same || stop.t >= end - same) continue;
    if (!stops.empty() && stop.t <= stops.back().t + same) {
      stops.back().breakpoint |= stop.breakpoint;
      stops.back().projection |= stop.projection;
      continue;
    }
    stops.push_back(stop);
  }
  const std::vector<double>& times = settings.integrator.velocity_projection;
  stops.push_back({end, false, !times.empty() && times.back() >= end - same});
  return stops;
}

TransientResult::End run_controlled(TransientRun& run) {
  const integrators::StepControlSettings& settings = *run.settings.control;
  const double duration = run.settings.duration;
  const double end = run.q.t + duration;
  const std::vector<Stop> stops = find_stops(run.system, run.settings, run.q.t, end);
  const double max = settings.max.value_or(std::max(duration / 200, settings.initial.value_or(0)));
  const double min = settings.min.value_or(std::min({1e-10 * duration, max, settings.initial.value_or(max)}));
  const auto up_to = [&](double t, const Stop& stop) { return (stop.t - t) / 20; };
  const double initial = settings.initial.value_or(std::min(1e-4 * duration, up_to(run.q.t, stops.front())));
  integrators::StepControl control(settings, initial, max, min);
  if (!run.start(control.propose(stops.front().t - run.q.t))) return TransientResult::End::invalid;
  run.begin();
  Breaks breaks(run.system);
  Progress& progress = run.result.progress;
  progress.shortest = std::numeric_limits<double>::infinity();

  for (auto stop = stops.begin(); stop != stops.end();) {
    if (run.observer.interrupted()) return TransientResult::End::interrupted;
    const double h = control.propose(stop->t - run.q.t);
    const bool hits = control.reaches_stop();
    // Loads and drives that jump at the stop have not jumped yet at the end of the step.
    const double before = stop->breakpoint ? 8 * std::numeric_limits<double>::epsilon() * std::abs(stop->t) : 0;
    const double t_next = hits ? stop->t - before : run.q.t + h;
    if (!run.stepper.attempt(run.q, h, t_next)) {
      if (!run.tell(run.redundancy.after_failure(run.q))) control.newton_failed();
    } else if (const double error = run.stepper.local_error(); control.judge(error)) {
      run.stepper.accept(run.q, error / control.allowed());
      progress.shortest = std::min(progress.shortest, h);
      progress.longest = std::max(progress.longest, h);
      const bool last = hits && stop + 1 == stops.end();
      run.finish_step(h, hits ? stop->t : t_next, hits && stop->projection, last);
      if (!hits) continue;
      const bool breakpoint = stop->breakpoint;
      ++stop;
      if (!breakpoint || last) continue;
      const Breaks::Kind kind = breaks.look(run.q, h);
      const bool even = kind != Breaks::Kind::jump && !breaks.more_than_linear(run.q, stop->t);
      const double longest = even ? std::numeric_limits<double>::infinity() : up_to(run.q.t, *stop);
      if (kind == Breaks::Kind::jump) {
        control.restart(longest);
        if (!start_anew(run, control.propose(stop->t - run.q.t))) return TransientResult::End::invalid;
        run.power = run.system.power(run.q);
      } else if (kind == Breaks::Kind::kink) {
        control.restart(longest);
        run.stepper.forget_change(run.q);
      }
    } else {
      run.stepper.reject(error / control.allowed());
    }
    if (control.gave_up()) return run.fail();
  }
  return TransientResult::End::done;
}

}  // namespace polhode::analyses
