// SPDX-License-Identifier: BSD-3-Clause
// Observed orders: the runs, and what their errors say.
#include "polhode/analyses/convergence/convergence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <ctime>
#include <limits>
#include <numeric>
#include <thread>

#include "polhode/analyses/initial/posture.hpp"
#include "polhode/integrators/generalized_alpha/alpha_parameters.hpp"
#include "polhode/integrators/structure/consistent_accelerations.hpp"
#include "polhode/math/parallel.hpp"

namespace polhode::analyses {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// CPU time of this thread: runs are compared while others use the processor.
double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Keeps the points of the common grid.
class Keeper final : public Observer {
 public:
  // Memory for all rows at once: observing allocates nothing.
  Keeper(const assembly::System& system, const ConvergencePlan& plan, const std::vector<Component>& components,
         StepRun& run, ConvergenceObserver& observer)
      : system_(system), plan_(plan), components_(components), run_(run), observer_(observer) {
    reserve(plan.kept.size(), components, run.trajectory);
  }
  // A run counts its own steps: a point of the common grid is a whole number of them,
  // so states are compared at equal times without interpolation.
  void observe(const State& q, const integrators::StepRecord& step, const Progress& progress, bool last) override {
    const long steps_an_interval = run_.steps / plan_.intervals;
    // Points are ascending; each is met once.
    if (next_ < plan_.kept.size() && progress.step == plan_.kept[next_] * steps_an_interval) {
      append(at_its_time(q, step), components_, run_.trajectory);
      ++next_;
    }
    constexpr long told_at_once = 64;
    if (progress.step - told_ >= told_at_once || last) {
      observer_.advanced(progress.step - told_);
      told_ = progress.step;
    }
  }
  bool interrupted() const override { return observer_.interrupted(); }
  void warn(const std::string& message) override { run_.warnings.push_back(message); }

 private:
  // As results have it: methods with values in the middle of a step get those at its end from the state.
  const State& at_its_time(const State& q, const integrators::StepRecord& step) {
    if (!step.integrator.has_middle_values()) return q;
    if (!accelerations_) accelerations_.emplace(system_);
    return accelerations_->of(q);
  }

  const assembly::System& system_;
  const ConvergencePlan& plan_;
  const std::vector<Component>& components_;
  StepRun& run_;
  ConvergenceObserver& observer_;
  std::optional<integrators::ConsistentAccelerations> accelerations_;
  std::size_t next_ = 0;
  long told_ = 0;
};

// Each run builds a system of its own: runs are the threads.
void run_one(const model::Model& model, TransientSettings transient, const ConvergencePlan& plan,
             const std::vector<Component>& components, StepRun& run, ConvergenceObserver& observer) {
  const double begin = thread_seconds();
  transient.step = run.step;
  transient.duration = plan.duration;
  // Orders are those of fixed steps.
  transient.control.reset();
  auto system = assembly::System::make(model, run.problems);
  if (!system) return;
  Keeper keeper(*system, plan, components, run, observer);
  State q = system->initial_state();
  PostureReport posture;
  if (!set_coordinates(*system, q, posture, run.problems)) return;
  const TransientResult result = run_transient(*system, transient, q, 0, keeper, run.problems);
  run.progress = result.progress;
  run.cpu = thread_seconds() - begin;
  run.interrupted = result.end == TransientResult::End::interrupted;
  if (result.end != TransientResult::End::failed) return;
  const std::string outcome(integrators::text_of(result.failure.outcome));
  run.problem = fmt::format("the step to t = {:.6g} s {}", result.failure.t, outcome);
}

// A duration that is no multiple by round-off of the deck still is one.
bool is_whole(double ratio) { return std::round(ratio) >= 1 && std::abs(ratio - std::round(ratio)) < 1e-6; }

}  // namespace

// Steps until the start of a generalized-alpha method has died out, n^2 rho^n < 1e-3, with rho the spectral radius at
// infinity; a million where it never does.
long steps_of_transient(const integrators::IntegratorSettings& settings) {
  const integrators::AlphaParameters p = integrators::AlphaParameters::of(settings);
  // At infinity: a simple root of the averaging, and a double one of Newmark's formulas.
  const double rho = std::max(p.alpha_f / (1 - p.alpha_f), std::sqrt(std::max(0.0, (0.5 - p.gamma + p.beta) / p.beta)));
  constexpr long many = 1000000;
  if (rho >= 1 - 1e-9) return many;
  const double peak = rho > 0 ? -2 / std::log(rho) : 0;  // of n^2 rho^n
  auto n = static_cast<long>(std::max(4.0, std::ceil(peak)));
  while (n < many && 2 * std::log(static_cast<double>(n)) + static_cast<double>(n) * std::log(rho) > std::log(1e-3))
    ++n;
  return n;
}

namespace {

// Steps in descending order, and that of the reference. False, with the problem, if they compare nothing.
// Largest first. Without results of another program as the reference, one more run with a tenth of the
// smallest step serves: its error is about a hundredth for methods of second order.
bool set_steps(const ConvergenceSettings& settings, bool reference_is_given, ConvergencePlan& plan,
               std::string& problem) {
  plan.steps = settings.steps;
  std::sort(plan.steps.begin(), plan.steps.end(), std::greater<>());
  if (plan.steps.size() < 2)
    problem = "an order needs two steps or more, as in --steps 1e-3,5e-4,2.5e-4";
  else if (std::adjacent_find(plan.steps.begin(), plan.steps.end()) != plan.steps.end())
    problem = "one of the steps is there twice";
  if (!problem.empty()) return false;
  if (reference_is_given) return true;
  plan.reference_step = settings.reference_step.value_or(plan.steps.back() / 10);
  if (!(plan.reference_step < plan.steps.back()))
    problem = fmt::format("the reference's step of {:g} s is not smaller than all others", plan.reference_step);
  return problem.empty();
}

// What a run of so many steps is refused with, before it is started; "" if it is none too long. Runs end at `to`, which
// is not checked yet.
std::string too_many_steps(double h, double duration, const std::optional<double>& to) {
  constexpr double most_counted = 1e15;  // whole numbers in floating point
  const double all = duration / h;
  const double part = to && *to > 0 && *to < duration ? *to / duration : 1;
  const double steps = all > most_counted ? all : all * part;
  if (!(steps > most_transient_steps)) return "";
  return fmt::format(
      "a step of {:.9g} s makes {:.3g} steps, and a run has at most {:.3g}; take larger ones, or a shorter run by --to",
      h, steps, most_transient_steps);
}

// Numbers of steps of each run, and the intervals of the grid that all share.
// The greatest common divisor of the numbers of steps is the number of intervals that all runs share.
bool set_grid(bool reference_is_given, const std::optional<double>& to, ConvergencePlan& plan, std::string& problem) {
  std::vector<double> all = plan.steps;
  if (!reference_is_given) all.push_back(plan.reference_step);
  for (const double h : all) {
    problem = too_many_steps(h, plan.duration, to);
    if (!problem.empty()) return false;
    const double ratio = plan.duration / h;
    if (!is_whole(ratio)) {
      problem = fmt::format(
          "a step of {:.9g} s is no whole part of the duration of {:.9g} s ({:.6g} steps); the nearest are {:.9g} s "
          "and {:.9g} s, or change analysis.duration by --set",
          h, plan.duration, ratio, plan.duration / std::ceil(ratio), plan.duration / std::max(1.0, std::floor(ratio)));
      return false;
    }
    plan.counts.push_back(std::lround(ratio));
    plan.intervals = std::gcd(plan.intervals, plan.counts.back());
  }
  if (plan.intervals < 2)
    problem = fmt::format(
        "the steps share no time but the end, {:.9g} s; take steps that are whole multiples of each other, as in "
        "{:g},{:g},{:g}",
        plan.duration, plan.steps[0], plan.steps[0] / 2, plan.steps[0] / 4);
  return problem.empty();
}

// Runs end at the last shared time that is not beyond `to`: nothing runs further than it counts.
bool end_at(double to, ConvergencePlan& plan, std::string& problem) {
  if (!(to > 0 && to <= plan.duration * (1 + 1e-9))) {
    problem = fmt::format("--to {:g} lies outside of the run, (0, {:g}] s", to, plan.duration);
    return false;
  }
  const double point = to / plan.duration * static_cast<double>(plan.intervals);
  const long last = static_cast<long>(std::floor(point + 1e-6));
  if (last < 2) {
    problem =
        fmt::format("up to {:g} s the steps share less than two times; the common grid is {:g} s", to, plan.time(1));
    return false;
  }
  for (long& count : plan.counts) count = count / plan.intervals * last;
  plan.duration = plan.time(last);
  plan.intervals = last;
  return true;
}

// Errors count from here on; by default once the start of the largest step has died out, in the first half of the run.
// Orders are observed behind the transient of the start, whose multipliers are of first order
// (docs/theory.md): errors before and after are parted there.
bool begin_at(const std::optional<double>& from, long transient_steps, ConvergencePlan& plan, std::string& problem) {
  const double grid = plan.time(1);
  const double end_of_transient = static_cast<double>(transient_steps) * plan.steps.front();
  if (from && !(*from > 0 && *from < plan.duration)) {
    problem = fmt::format("--from {:g} lies outside of the run, (0, {:g}) s", *from, plan.duration);
    return false;
  }
  if (from) {
    plan.from = *from;
    plan.why_from = "given";
  } else if (end_of_transient <= plan.duration / 2) {
    plan.from = grid * std::ceil(end_of_transient / grid - 1e-6);
    plan.why_from = fmt::format("{} of the largest steps, after which n^2 rho^n < 1e-3", transient_steps);
  } else {
    plan.from = plan.duration / 2;
    plan.why_from = "half of the run, shorter than the transient of the largest step";
  }
  return true;
}

// Points of the grid that are kept: all, or every so many that the numbers of all runs fit into memory.
void choose_points(std::size_t numbers_a_state, ConvergencePlan& plan) {
  constexpr double most_numbers = 1e8;  // of all runs together
  const double numbers = static_cast<double>(numbers_a_state) * static_cast<double>(plan.counts.size());
  // Beyond some memory points are skipped evenly.
  const long stride = 1 + static_cast<long>(static_cast<double>(plan.intervals) * numbers / most_numbers);
  for (long point = 0; point <= plan.intervals; point += stride) plan.kept.push_back(point);
  if (plan.kept.back() != plan.intervals) plan.kept.push_back(plan.intervals);
}

}  // namespace

ConvergencePlan plan_convergence(const TransientSettings& transient, const ConvergenceSettings& settings,
                                 bool reference_is_given, std::size_t numbers_a_state, std::string& problem) {
  ConvergencePlan plan;
  plan.duration = transient.duration;
  if (!set_steps(settings, reference_is_given, plan, problem)) return plan;
  if (!set_grid(reference_is_given, settings.to, plan, problem)) return plan;
  if (settings.to && !end_at(*settings.to, plan, problem)) return plan;
  if (!begin_at(settings.from, steps_of_transient(transient.integrator), plan, problem)) return plan;
  choose_points(numbers_a_state, plan);
  return plan;
}

// Longest runs first, so that threads end together. An exception of one is thrown once all have ended.
std::vector<StepRun> run_convergence(const model::Model& model, const TransientSettings& transient,
                                     const ConvergencePlan& plan, const std::vector<Component>& components, int jobs,
                                     ConvergenceObserver& observer) {
  std::vector<StepRun> runs(plan.counts.size());
  for (std::size_t i = 0; i < runs.size(); ++i) {
    runs[i].step = i < plan.steps.size() ? plan.steps[i] : plan.reference_step;
    runs[i].steps = plan.counts[i];
  }
  std::atomic<std::size_t> next = runs.size();  // from the last, which takes longest
  std::vector<std::exception_ptr> errors(runs.size());
  const auto work = [&] {
    math::set_number_of_threads(1);  // the runs are the threads
    for (std::size_t taken = next--; taken > 0 && taken <= runs.size(); taken = next--) {
      try {
        run_one(model, transient, plan, components, runs[taken - 1], observer);
      } catch (...) {
        errors[taken - 1] = std::current_exception();
      }
    }
  };
  std::vector<std::thread> threads;
  for (int i = 1; i < std::min<int>(jobs, static_cast<int>(runs.size())); ++i) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& error : errors)
    if (error) std::rethrow_exception(error);
  return runs;
}

// The whole run, and its parts before and behind the transient.
std::vector<Interval> intervals_of(const ConvergencePlan& plan) {
  return {{"whole", 0, plan.duration}, {"before", 0, plan.from}, {"after", plan.from, plan.duration}};
}

// The error of a step is the largest distance in the interval; its order is that against the next larger step whose
// error is known, and `order` the slope of the least-squares line of all. Vague are errors at round-off, and orders
// below 0.8 of small errors.
Errors errors_of(const std::vector<double>& steps, const std::vector<std::vector<double>>& distances,
                 const std::vector<double>& time, const Interval& interval, double size) {
  Errors result;
  const double slack = time.empty() ? 0 : 1e-9 * time.back();
  std::size_t before = steps.size();  // the last step whose error is known
  double n = 0;
  double x = 0;
  double y = 0;
  double xx = 0;
  double xy = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    // Unknown where the run failed before the interval ends.
    double error = nan;
    // Runs that failed are shorter.
    if (distances[i].size() == time.size())
      for (std::size_t k = 0; k < time.size(); ++k)
        if (time[k] >= interval.begin - slack && time[k] <= interval.end + slack)
          error = std::isnan(error) ? distances[i][k] : std::max(error, distances[i][k]);
    double order = nan;
    bool vague = !std::isnan(error) && error <= 1e-12 * size;
    // Least squares of log(error) over log(step), from known errors only.
    if (!std::isnan(error)) {
      if (before < i) {
        order = std::log(result.errors[before] / error) / std::log(steps[before] / steps[i]);
        vague = vague || (error < 1e-4 * size && !(order > 0.8)) || result.vague[before];
      }
      before = i;
      const double a = std::log(steps[i]);
      const double b = std::log(error);
      n += 1;
      x += a;
      y += b;
      xx += a * a;
      xy += a * b;
    }
    result.errors.push_back(error);
    result.orders.push_back(order);
    result.vague.push_back(vague);
  }
  result.order = n >= 2 ? (n * xy - x * y) / (n * xx - x * x) : nan;
  return result;
}

}  // namespace polhode::analyses
