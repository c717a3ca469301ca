// SPDX-License-Identifier: BSD-3-Clause
// What the balance of energy leaves, against what a method may lose and what counts as an error; steps too long for the
// motion.
#include "analyses/transient/energy_warnings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "polhode/integrators/catalog.hpp"

namespace polhode::analyses {
namespace {

// Of the largest kinetic and strain energy of the analysis, and of what dampers, loads and drives did in it. The energy
// of gravity does not count: it is as large as the height of the origin makes it.
constexpr double allowed_gain = 0.05;
// Of a state, of all that was put in: a drive whose work goes into a damper within a step seems to put in nothing.
constexpr double beyond_doubt = 10;

double gain_of(const EndedTransient& ended) {
  return ended.energies.unexplained() - ended.energies.overcounted() - ended.uncertainty;
}

double loss_of(const EndedTransient& ended) { return -ended.energies.unexplained() - ended.uncertainty; }

// What a method may lose, numerical damping and errors within its tolerance, is known to it.
double allowed_loss_of(const TransientSettings& settings) {
  const integrators::StepControlSettings* control = settings.control ? &*settings.control : nullptr;
  return integrators::allowed_loss(settings.integrator, control);
}

// By the balance, or far above all that was ever put in: where dampers seem to take much, and their work is as uncertain,
// nothing is left of the balance.
bool has_gained(const EndedTransient& ended) {
  const EnergyBalance& energies = ended.energies;
  return gain_of(ended) > allowed_gain * energies.scale() ||
         energies.excess() > beyond_doubt * (energies.put_in() + energies.round_off());
}

// Vibrations after an impulse are damped, as they should be.
bool has_lost(const EndedTransient& ended) {
  if (ended.impulses) return false;
  return loss_of(ended) > allowed_loss_of(ended.settings) * ended.energies.scale();
}

// Energy that nothing gave is an error of the solution.
void warn_of_gained_energy(Observer& observer) {
  observer.warn(
      "the model has gained energy that nothing gave it: the results are wrong or inaccurate; use a smaller `step` "
      "or `tolerance`, or, of generalized-alpha methods, more numerical damping (a smaller `rho_infinity`)");
}

void warn_of_lost_energy(const EndedTransient& ended, Observer& observer) {
  const EnergyBalance& energies = ended.energies;
  observer.warn(fmt::format(
      "the model has lost {:.3g} J, {:.2g} % of its largest energy, that no load, drive or damper took; `{}` may lose "
      "{:.2g} %: the results are wrong or inaccurate; use a smaller `step` or `tolerance`",
      -energies.unexplained(), -100 * energies.unexplained() / energies.scale(), ended.settings.integrator.method,
      100 * allowed_loss_of(ended.settings)));
}

std::string notice_of_work(const EnergyBalance& energies) {
  return fmt::format(
      "drives alone move the model: its motion is as accurate as they are, but their work, which the steps are too "
      "long for, is off by {:.3g} J; a smaller `step` or `max` makes it right",
      -energies.unexplained());
}

// A balance that is off by as much as a warning needs, where what dampers and loads did is as uncertain: it says nothing.
bool is_excused(const EndedTransient& ended) {
  const double off = ended.energies.unexplained() / ended.energies.scale();
  return off > allowed_gain || (!ended.impulses && -off > allowed_loss_of(ended.settings));
}

std::string notice_of_uncertain_work(const EndedTransient& ended) {
  return fmt::format(
      "the balance of energy is off by {:.3g} J, and the work of loads and dampers is as uncertain: the steps are too "
      "long for them, so that energies do not show whether the motion is right; a smaller `step` or `max` does",
      ended.energies.unexplained());
}

// Whether no motion is free and velocities meet the constraints.
bool is_driven_alone(const EndedTransient& ended, const State& q) {
  constexpr double met = 1e-6;
  const assembly::System& system = ended.system;
  if (system.rows() == 0 || system.rows() - q.dropped.count() < system.free_unknowns()) return false;
  model::VectorX Bv = model::VectorX::Zero(system.rows());
  model::VectorX phi_t = Bv;
  model::VectorX gamma = Bv;
  system.set_rates(q, Bv, phi_t, gamma);
  const double slowest = std::min(system.length(), 1.0) / ended.settings.duration;
  const double fastest = std::max({Bv.lpNorm<Eigen::Infinity>(), phi_t.lpNorm<Eigen::Infinity>(), slowest});
  return (Bv + phi_t).lpNorm<Eigen::Infinity>() <= met * fastest;
}

}  // namespace

void warn_of_energies(const EndedTransient& ended, const State& q, Observer& observer, TransientResult& result) {
  using integrators::Outcome;
  const Outcome outcome = result.failure.outcome;
  const bool failed = result.end == TransientResult::End::failed;
  if (result.end == TransientResult::End::invalid || result.progress.step == 0) return;
  if (failed && (outcome == Outcome::not_finite || outcome == Outcome::unbounded)) return;
  const bool gained = has_gained(ended);
  const bool lost = !failed && has_lost(ended);
  if (!gained && !lost) {
    if (!failed && is_excused(ended)) result.notices.push_back(notice_of_uncertain_work(ended));
    return;
  }
  if (is_driven_alone(ended, q)) {
    result.notices.push_back(notice_of_work(ended.energies));
    return;
  }
  if (gained) warn_of_gained_energy(observer);
  if (lost) warn_of_lost_energy(ended, observer);
}

void warn_of_unresolved_motion(const FastestMotion& motion, Observer& observer) {
  if (!motion.is_unresolved()) return;
  observer.warn(fmt::format(
      "t = {:.6g} s: the fastest part of the motion is not resolved, it goes on by more than 2.5 rad a step; "
      "use a smaller `step`, or damping of what vibrates so fast",
      motion.time()));
}

}  // namespace polhode::analyses
