// SPDX-License-Identifier: BSD-3-Clause
// What is said at the end of a transient of energy that nothing gave or took, and of motion that steps do not resolve.
#pragma once
#include "analyses/transient/energy_balance.hpp"
#include "analyses/transient/monitors.hpp"
#include "polhode/analyses/transient/transient.hpp"

namespace polhode::analyses {

// A transient that has ended. References live as long as the call.
struct EndedTransient {
  const assembly::System& system;
  const TransientSettings& settings;
  const EnergyBalance& energies;
  // Of the external work, J
  double uncertainty;
  // Drives jump in value or in rate: the vibrations behind that are damped, as they should be
  bool impulses;
};

// Warns of energy that the model has gained or lost: not in a run that did not begin, nor after a failure by energy,
// which has said so. Where drives alone move the model to `q`, and velocities meet the constraints, the motion is known
// without energies: what is missing in their balance is an error of the drives' work, and a notice of the result; so is
// what the work of loads and dampers is uncertain by.
// `result` has its end and its failure.
void warn_of_energies(const EndedTransient& ended, const State& q, Observer& observer, TransientResult& result);

// Vibrations that fixed steps pass over, and that dominate the motion, are a warning.
void warn_of_unresolved_motion(const FastestMotion& motion, Observer& observer);

}  // namespace polhode::analyses
