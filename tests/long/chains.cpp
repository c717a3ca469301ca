// SPDX-License-Identifier: BSD-3-Clause
// A hundred thousand steps of `energy_momentum`.
#include <gtest/gtest.h>

#include "support/structure.hpp"
#include "verification/measured.hpp"

namespace polhode::support {
namespace {

TEST(LongRuns, ChainAndSpringPendulumKeepEnergyAndMomentum) {
  const Machine hung(chain(true, 10, false));
  const Machine spring(spring_pendulum());
  for (const auto& [machine, name, h] :
       {std::tuple(&hung, "chain of ten", 0.002), std::tuple(&spring, "spring pendulum", 0.005)}) {
    const Kept kept = run_kept(machine->system, settings_of("energy_momentum"), h, 100000);
    const std::string what =
        "energy_momentum, 1e5 steps of " + std::to_string(1e3 * h).substr(0, 1) + " ms: change of the ";
    verification::expect_at_most(name, what + "energy, relative", kept.energy, 1e-10);
    verification::expect_at_most(name, what + "momentum about the vertical, relative", kept.angular_z, 1e-10);
  }
}

}  // namespace
}  // namespace polhode::support
