// SPDX-License-Identifier: BSD-3-Clause
// A hundred thousand steps of a free flying beam by `energy_momentum`.
#include <gtest/gtest.h>

#include "support/structure.hpp"
#include "support/thrown_beam.hpp"
#include "verification/measured.hpp"

namespace polhode::support {
namespace {

TEST(LongRuns, FlyingBeamsKeepEnergyAndMomenta) {
  for (const auto& [elements, order] : {std::pair(8, 1), std::pair(4, 2), std::pair(2, 4)}) {
    const Machine machine(thrown_beam(elements, order, true));
    const Kept kept = run_kept(machine.system, settings_of("energy_momentum"), 0.01, 100000);
    const std::string name = "flying beam, order " + std::to_string(order);
    const std::string what = "energy_momentum, 1e5 steps of 10 ms: change of the ";
    verification::expect_at_most(name, what + "energy, relative", kept.energy, 1e-9);
    verification::expect_at_most(name, what + "momentum, relative", kept.linear, 1e-9);
    verification::expect_at_most(name, what + "angular momentum, relative", kept.angular, 1e-9);
  }
}

}  // namespace
}  // namespace polhode::support
