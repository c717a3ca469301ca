// SPDX-License-Identifier: BSD-3-Clause
// Published motions of beams: composite cantilever struck at its tip, blades of two wind turbines, flying spaghetti.
// Numbers with their sources stand in the decks.
#include <gtest/gtest.h>

#include "polhode/analyses/modal/modal.hpp"
#include "polhode/io/deck/deck.hpp"
#include "support/places.hpp"
#include "verification/measured.hpp"
#include "verification/reference.hpp"
#include "verification/run.hpp"

namespace polhode::verification {
namespace {

using math::Vec3;

std::string text_of_time(double value) { return std::to_string(value); }

// Positions of the tip at `times`, each the end of a run.
std::vector<Vec3> tips_at(const std::string& deck, const std::vector<double>& times,
                          std::vector<std::string> settings) {
  std::vector<Vec3> tips;
  for (const double t : times) {
    std::vector<std::string> with_end = settings;
    with_end.push_back(set_duration(t));
    with_end.emplace_back("responses={}");
    tips.emplace_back(run(deck, with_end, {"nodes.tip.position"})[0].bottomRows<1>().transpose());
  }
  return tips;
}

// BeamDyn's five nodes and steps of 5 ms are within 1 % at first; the converged motion is that of three meshes.
TEST(BeamsInMotion, CompositeCantileverStruckAtItsTip) {
  const std::string name = "composite cantilever, struck";
  const std::vector<double> times{0.05, 0.1, 0.2, 0.5, 1};
  const std::vector<Vec3> tips = tips_at("composite_cantilever_struck", times, {});
  const std::vector<double> published{0.7684, 2.0535};
  const std::vector<double> converged{0.77131, 2.03787, 1.07405, 0.24754, 0.42167};
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (i < published.size())
      expect_at_most(name, "tip at " + text_of_time(times[i]) + " s against BeamDyn, relative",
                     std::abs(tips[i].z() / published[i] - 1), 0.01);
    expect_at_most(name, "tip at " + text_of_time(times[i]) + " s against the converged motion [m]",
                   std::abs(tips[i].z() - converged[i]), 1e-4);
  }
  const std::vector<Vec3> other =
      tips_at("composite_cantilever_struck", times, {"beams.box.elements=40", "beams.box.order=2"});
  for (std::size_t i = 0; i < times.size(); ++i)
    expect_at_most(name,
                   "40 elements of order 2, tip at " + text_of_time(times[i]) + " s against the converged motion [m]",
                   std::abs(other[i].z() - converged[i]), 1e-4);
}

// The published motion fits a twist about the direction to the tip; the deck has it about that to the root, which the
// frequencies fit. The first two numbers carry the time of the first wave through one element of 11 nodes.
TEST(BeamsInMotion, Iea15MwBladeUnderAForceAtItsTip) {
  const std::string deck = "examples/blade_tip_load";
  const io::Deck plain = io::read_deck(POLHODE_SOURCE_DIR "/inputs/" + deck + ".yaml");
  std::string twist = "beams.blade.twist=[";
  for (const double angle : plain.model.entries.front().vector("twist")) twist += std::to_string(-angle) + ", ";
  twist.replace(twist.size() - 2, 2, "]");
  const std::vector<std::string> settings{
      twist,
      "parameters.tau=0",
      "forces.pull.force=[2.0e+5, 0, 0]",
      "forces.pull.history=1",
      "beams.blade.elements=12",
      "output={}",
      "analysis={type: transient, duration: 1, step: 0.001, integrator: {rho_infinity: 0.4}}"};
  const std::vector<double> times{0.05, 0.1, 0.5, 1};
  const std::vector<double> published{3.215, 6.280, 17.67, 25.19};
  const std::vector<double> bounds{0.05, 0.05, 0.01, 0.01};
  const std::vector<Vec3> tips = tips_at(deck, times, settings);
  for (std::size_t i = 0; i < times.size(); ++i)
    expect_at_most("IEA 15 MW blade", "tip at " + text_of_time(times[i]) + " s against BeamDyn, relative",
                   std::abs((tips[i].x() + 4) / published[i] - 1), bounds[i]);
}

// Against an independent Timoshenko model of the same data.
TEST(BeamsInMotion, FrequenciesOfTheClampedIea15MwBlade) {
  const io::Deck deck =
      io::read_deck(POLHODE_SOURCE_DIR "/inputs/examples/blade_tip_load.yaml",
                    {"forces={}", "responses={}", "parameters.tau=0", "analysis={type: modal, modes: 4}"});
  model::Problems problems;
  const auto system = assembly::System::make(deck.model, problems);
  ASSERT_TRUE(system);
  const analyses::ModalResult modes = run_modal(*system, *deck.analyses.front().as<analyses::ModalSettings>(),
                                                system->initial_state(), "analysis", problems);
  const std::vector<double> published{0.504, 0.690};
  for (std::size_t i = 0; i < published.size(); ++i)
    expect_at_most("IEA 15 MW blade", i == 0 ? "first frequency, relative error" : "second frequency, relative error",
                   std::abs(modes.modes[i].frequency() / published[i] - 1), 0.003);
}

// By the steps of the published run: the weight begins at once, which steps of 10 ms see as they may.
TEST(BeamsInMotion, Nrel5MwBladeUnderItsWeight) {
  const std::vector<double> times{0.1, 0.2, 0.5};
  const std::vector<double> published{-0.0461, -0.327, -0.879};
  const std::vector<double> bounds{0.05, 0.01, 0.01};
  const std::vector<Vec3> tips = tips_at("blade_nrel_5mw", times, {});
  for (std::size_t i = 0; i < times.size(); ++i)
    expect_at_most("NREL 5 MW blade", "tip at " + text_of_time(times[i]) + " s against BeamDyn, relative",
                   std::abs(tips[i].y() / published[i] - 1), bounds[i]);
}

// The throw gives 500 N s / 10; what flies on keeps momentum to round-off, the rest with order two.
TEST(BeamsInMotion, FlyingSpaghettiKeepsItsMomentum) {
  const std::string name = "flying spaghetti";
  std::vector<double> energies;
  std::vector<double> momenta;
  for (const double h : {0.01, 0.005}) {
    const Histories flight = run("flying_spaghetti", {set_step(h), "responses={}"},
                                 {"invariants.linear_momentum", "invariants.angular_momentum", "energy.total"}, 0.1);
    double linear = 0;
    double angular = 0;
    double energy = 0;
    for (std::size_t i = 50; i < flight.time.size(); ++i) {
      const auto row = static_cast<Eigen::Index>(i);
      linear = std::max(linear, (flight[0].row(row).transpose() - Vec3(50, 0, 0)).norm());
      angular = std::max(angular, (flight[1].row(row) - flight[1].row(50)).norm() / flight[1].row(50).norm());
      energy = std::max(energy, std::abs(flight[2](row, 0) / flight[2](50, 0) - 1));
    }
    expect_at_most(name, "h = " + text_of_time(h) + ": momentum off (50, 0, 0) [N s]", linear, 1e-11);
    expect_at_most(name, "h = " + text_of_time(h) + ": change of the angular momentum, relative", angular, 5e-5);
    expect_at_most(name, "h = " + text_of_time(h) + ": change of the energy, relative", energy, 2e-5);
    momenta.push_back(angular);
    energies.push_back(energy);
  }
  expect_order(name, "order of the angular momentum", {0.01, 0.005}, momenta, 1.9, 2.1);
  expect_order(name, "order of the energy", {0.01, 0.005}, energies, 1.9, 2.1);
}

}  // namespace
}  // namespace polhode::verification
