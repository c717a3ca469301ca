// SPDX-License-Identifier: BSD-3-Clause
// Warnings at the end of a transient of energy that nothing gave or took.
#pragma once
#include "analyses/transient/energy_balance.hpp"
#include "polhode/analyses/transient/transient.hpp"

namespace polhode::analyses {

// By the balance of the run that `result` is of, whose external work is known up to `uncertainty`, J. None of a run
// that did not begin, or whose failure is one of energy, which has said so. `impulses`: drives have jumped; the
// vibrations behind that are damped, as they should be.
void warn_of_energies(const EnergyBalance& energies, double uncertainty, const TransientSettings& settings,
                      const TransientResult& result, bool impulses, Observer& observer);

}  // namespace polhode::analyses
