// SPDX-License-Identifier: BSD-3-Clause
// What the balance of energy leaves, against what a method may lose and what counts as an error.
#include "analyses/transient/energy_warnings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "polhode/integrators/catalog.hpp"

namespace polhode::analyses {
namespace {

// Energy that nothing took. What a method may lose, numerical damping and errors within its tolerance, is known to it.
void warn_of_lost_energy(const EnergyBalance& energies, double uncertainty, const TransientSettings& settings,
                         Observer& observer) {
  const double lost = -energies.unexplained() - uncertainty;
  const integrators::StepControlSettings* control = settings.control ? &*settings.control : nullptr;
  const double allowed = integrators::allowed_loss(settings.integrator, control);
  if (!(lost > allowed * energies.scale())) return;
  observer.warn(fmt::format(
      "the model has lost {:.3g} J, {:.2g} % of its largest energy, that no load, drive or damper took; `{}` may lose "
      "{:.2g} %: the results are wrong or inaccurate; use a smaller `step` or `tolerance`",
      -energies.unexplained(), -100 * energies.unexplained() / energies.scale(), settings.integrator.method,
      100 * allowed));
}

// Energy that nothing gave is an error of the solution: above 5 % of the largest energy of the analysis, and of what
// dampers, loads and drives did in it.
void warn_of_gained_energy(const EnergyBalance& energies, double uncertainty, Observer& observer) {
  constexpr double allowed = 0.05;
  const double gained = energies.unexplained() - energies.overcounted() - uncertainty;
  const double scale = std::max(
      {energies.scale(), std::abs(energies.first_energy()), std::abs(energies.last_energy() - energies.unexplained())});
  if (!(gained > allowed * scale)) return;
  observer.warn(
      "the model has gained energy that nothing gave it: the results are wrong or inaccurate; use a smaller `step` or "
      "`tolerance`, or, of generalized-alpha methods, more numerical damping (a smaller `rho_infinity`)");
}

}  // namespace

void warn_of_energies(const EnergyBalance& energies, double uncertainty, const TransientSettings& settings,
                      const TransientResult& result, bool impulses, Observer& observer) {
  using integrators::Outcome;
  const Outcome outcome = result.failure.outcome;
  const bool failed = result.end == TransientResult::End::failed;
  if (result.end == TransientResult::End::invalid || result.progress.step == 0) return;
  if (failed && (outcome == Outcome::not_finite || outcome == Outcome::unbounded)) return;
  warn_of_gained_energy(energies, uncertainty, observer);
  if (!failed && !impulses) warn_of_lost_energy(energies, uncertainty, settings, observer);
}

}  // namespace polhode::analyses
