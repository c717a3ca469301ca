// SPDX-License-Identifier: BSD-3-Clause
// Momentum and energy of the heavy top over many steps.
#include "verification/keeps.hpp"

#include <cmath>
#include <cstdio>

#include "verification/measured.hpp"
#include "verification/run.hpp"

namespace polhode::verification {

std::string set_integrator(const std::string& integrator) { return "analysis.integrator={" + integrator + "}"; }

std::string at_step(const std::string& what, double h) {
  char text[40];
  std::snprintf(text, sizeof text, "h = %g: ", h);
  return text + what;
}

void expect_heavy_top_keeps(double thousands_of_steps) {
  const std::string model = "heavy top";
  const auto top = [&](const std::string& method, double h) {
    return run("heavy_top",
               {set_integrator("method: " + method), set_step(h), set_duration(1e3 * thousands_of_steps * h)},
               {"invariants.discrete_energy", "invariants.discrete_angular_momentum"}, 10 * h);
  };
  const std::string after = " in " + std::to_string(static_cast<long>(thousands_of_steps)) + " thousand steps";
  const auto turn = [](const Histories& run) {
    return (run[1].col(2).array() - run[1](0, 2)).abs().maxCoeff() / run[1].row(0).norm();
  };
  std::vector<double> spread;
  for (const double h : {2e-3, 1e-3}) {
    const Histories a = top("variational", h);
    const Histories b = top("energy_momentum", h);
    const Series energy = a[0].bottomRows(a[0].rows() - 1);
    spread.push_back(energy.maxCoeff() - energy.minCoeff());
    expect_at_most(model, at_step("variational: change of the momentum about the vertical, relative", h) + after,
                   turn(a), 1e-10);
    expect_at_most(model, at_step("energy_momentum: change of the momentum about the vertical, relative", h) + after,
                   turn(b), 1e-10);
    expect_at_most(model, at_step("energy_momentum: change of the energy, relative", h) + after,
                   (b[0].array() - b[0](0, 0)).abs().maxCoeff() / b[0](0, 0), 1e-10);
  }
  expect_between(model, "variational: spread of the energy [J], h = 2 ms" + after, spread[0], 0.21, 0.23, 4);
  expect_order(model, "variational: order of the spread of the energy [J], h = 2 and 1 ms" + after, {2e-3, 1e-3},
               spread, 1.9, 2.2);
}

}  // namespace polhode::verification
