// SPDX-License-Identifier: BSD-3-Clause
// Cables against closed forms: hanging, swinging, waves; what they keep, and what they do when slack.
#include "elements/beams/cable/cable.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "elements/beams/cable/hanging.hpp"
#include "polhode/analyses/modal/modal.hpp"
#include "support/bench.hpp"
#include "support/deck_text.hpp"
#include "support/runs.hpp"
#include "support/statics.hpp"
#include "support/structure.hpp"
#include "support/transients.hpp"

namespace polhode::support::cable_test {
namespace {

using elements::cable_info;
using elements::hanging_nodes;
using elements::HangingCable;

constexpr double pi = std::numbers::pi;
constexpr double g = 9.81;
constexpr double mass = 0.5;

// Between two points, `ends` their positions; EA in N, 0.5 kg/m.
std::string cable_deck(const std::string& ends, double stiffness, const std::string& cable, const std::string& analysis,
                       const std::string& gravity = "[0, 0, -9.81]") {
  return fmt::format(
      "format: polhode-deck/1\ngravity: {}\nnodes: {{{}}}\n"
      "sections: {{rope: {{stiffness: {{EA: {}}}, mass: {{per_length: {}}}}}}}\n"
      "beams: {{rope: {{type: cable, section: rope, from: a, to: b, {}}}}}\nanalysis: {}\n",
      gravity, ends, stiffness, mass, cable, analysis);
}
const std::string fixed_ends =
    "a: {position: [0, 0, 0], dofs: translation, fixed: true}, b: {position: [8, 0, 0], dofs: translation, fixed: "
    "true}";

// The elastic catenary (Irvine, Cable Structures, 1981, section 2.2) of ends at one height: its point at the part s of
// the length L without tension, H the horizontal tension.
struct Catenary {
  double stiffness;
  double length;
  double H;
  double x(double s) const {
    const double V = 0.5 * weight();
    const double w = mass * g;
    return H * s / stiffness + H / w * (std::asinh(V / H) - std::asinh((V - w * s) / H));
  }
  double depth(double s) const {
    const double V = 0.5 * weight();
    const double w = mass * g;
    return s / stiffness * (V - 0.5 * w * s) + H / w * (std::hypot(1, V / H) - std::hypot(1, (V - w * s) / H));
  }
  double weight() const { return mass * g * length; }
};
Catenary catenary(double stiffness, double length, double span) {
  double low = 1e-6;
  double high = stiffness;
  for (int i = 0; i < 200; ++i) {
    const double middle = std::sqrt(low * high);
    (Catenary{stiffness, length, middle}.x(length) > span ? high : low) = middle;
  }
  return {stiffness, length, low};
}

analyses::ModalResult modes_of(const assembly::System& system, const State& q, int count) {
  model::Problems problems;
  analyses::ModalSettings settings;
  settings.modes = count;
  auto result = run_modal(system, settings, q, "analysis", problems);
  if (!problems.empty()) throw std::runtime_error(problems.front().message);
  return result;
}

// Stiff and soft, slack and taut: 9 m, 8.1 m, 8 m and 7.8 m between points 8 m apart. The model stands in equilibrium
// from the start, and its middle comes to the catenary's with the square of the number of elements.
TEST(Cable, HangsAsTheElasticCatenary) {
  for (const double stiffness : {1e7, 2e3})
    for (const double length : {9.0, 8.1, 8.0, 7.8}) {
      const Catenary exact = catenary(stiffness, length, 8);
      std::array<double, 2> error{};
      for (int level = 0; level < 2; ++level) {
        const int elements = level == 0 ? 16 : 32;
        const Machine machine(
            deck_of(cable_deck(fixed_ends, stiffness, fmt::format("elements: {}, length: {}", elements, length),
                               "{type: static}"))
                .model);
        int solves = 0;
        const State q = equilibrium(machine.system, &solves);
        EXPECT_LE(solves, 2) << stiffness << ' ' << length;
        const Vec3 middle = q.x[static_cast<std::size_t>(machine.system.beams()[0].nodes[elements / 2])];
        EXPECT_NEAR(middle.x(), 4, 1e-9);
        error[static_cast<std::size_t>(level)] = std::abs(middle.z() + exact.depth(0.5 * length));
      }
      EXPECT_LE(error[1], 1e-3 * exact.depth(0.5 * length)) << stiffness << ' ' << length;
      // A taut string is a parabola at its nodes to round-off.
      if (error[0] < 1e-6) continue;
      EXPECT_NEAR(std::log2(error[0] / error[1]), 2, 0.1) << stiffness << ' ' << length;
    }
}

// With any weight and ends at different heights: in equilibrium to round-off.
TEST(Cable, HangsInEquilibriumBetweenAnyPoints) {
  for (const Vec3& weight : {Vec3(0, 0, -1), Vec3(0.3, -0.5, 0.2), Vec3(1e-3, 0, 0), Vec3(-40, 3, 0)})
    for (const Vec3& to : {Vec3(1, 0, 0), Vec3(0.2, 0.3, -2), Vec3(-1, 4, 1)})
      for (const double slack : {0.7, 0.999, 1.0, 1.3, 5.0}) {
        constexpr int elements = 40;
        // It turns back where the tension is zero, and there the shape ends in steps of round-off.
        const bool folds = slack > 1 && weight.cross(to).norm() < 1e-12;
        const HangingCable cable{elements, slack * to.norm() / elements, 1e4 * weight.norm(), weight / elements};
        const auto inner = hanging_nodes(cable, Vec3::Zero(), to);
        ASSERT_TRUE(inner.has_value()) << slack;
        std::vector<Vec3> x{Vec3::Zero()};
        x.insert(x.end(), inner->begin(), inner->end());
        x.push_back(to);
        Vec3 before = Vec3::Zero();
        for (std::size_t k = 0; k < elements; ++k) {
          const Vec3 d = x[k + 1] - x[k];
          const Vec3 T = cable.stiffness * std::max(d.norm() / cable.length - 1, 0.0) * d.normalized();
          if (k > 0) {
            EXPECT_LE((before - T - cable.weight).norm(), (folds ? 1e-4 : 1e-6) * std::max(T.norm(), weight.norm()))
                << k;
          }
          before = T;
        }
      }
  EXPECT_FALSE(hanging_nodes({10, 0.2, 1e4, Vec3::Zero()}, Vec3::Zero(), Vec3(1, 0, 0)).has_value());
}

// A heavy chain that hangs from one end: omega = j_k/2 sqrt(g/L), j_k the zeros of J_0 (Daniel Bernoulli, 1733).
TEST(Cable, SwingsAsTheHangingChain) {
  constexpr double length = 4;
  constexpr std::array zeros{2.404825557695773, 5.520078110286311, 8.653727912911012};
  std::array<std::array<double, 3>, 2> error{};
  for (int level = 0; level < 2; ++level) {
    const int elements = level == 0 ? 20 : 40;
    const Machine machine(deck_of(cable_deck("a: {position: [0, 0, 4], dofs: translation, fixed: true}, b: {position: "
                                             "[0, 0, 0], dofs: translation}",
                                             1e9, fmt::format("elements: {}, tension: 1", elements), "{type: static}"))
                              .model);
    const auto modes = modes_of(machine.system, equilibrium(machine.system), 6).modes;
    for (std::size_t k = 0; k < 3; ++k) {
      const double exact = 0.5 * zeros[k] * std::sqrt(g / length) / (2 * pi);
      EXPECT_NEAR(modes[2 * k].frequency(), modes[2 * k + 1].frequency(), 1e-6 * exact);
      error[static_cast<std::size_t>(level)][k] = std::abs(modes[2 * k].frequency() / exact - 1);
    }
  }
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_LE(error[1][k], 0.01);
    EXPECT_NEAR(std::log2(error[0][k] / error[1][k]), 2, 0.25) << k;
  }
}

// A taut string, by its frequencies: waves along it with sqrt(EA/m) by the length without tension, across it with
// sqrt(T/m') by the stretched one, m' its mass per stretched length.
TEST(Cable, HasTheSpeedOfBothWaves) {
  constexpr double stiffness = 400;
  constexpr double tension = 20;
  constexpr int elements = 60;
  const Machine machine(
      deck_of(cable_deck(fixed_ends, stiffness, fmt::format("elements: {}, tension: {}", elements, tension),
                         "{type: static}", "[0, 0, 0]"))
          .model);
  const auto modes = modes_of(machine.system, machine.system.initial_state(), 12).modes;
  const double stretch = 1 + tension / stiffness;
  const double across = std::sqrt(tension * stretch / mass) / (2 * 8);
  const double along = std::sqrt(stiffness / mass) / (2 * 8 / stretch);
  std::vector<double> exact{along};
  for (int k = 1; k <= 6; ++k) exact.insert(exact.end(), 2, k * across);
  std::sort(exact.begin(), exact.end());
  for (std::size_t k = 0; k < modes.size(); ++k) EXPECT_NEAR(modes[k].frequency(), exact[k], 5e-3 * exact[k]) << k;
}

// N never below zero; no cable with pressure has that bound.
TEST(Cable, NeverPushesUnlessItIsABar) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> number(-1, 1);
  int slack = 0;
  int pressed = 0;
  for (int i = 0; i < 2000; ++i) {
    std::vector<std::unique_ptr<model::BatchBase>> samples = cable_info.samples(random);
    for (auto& sample : samples) {
      Bench bench(std::move(sample));
      const State q = bench.random_state(random, 0.3);
      VectorX out(12);
      bench.batch().write_outputs(0, 1, q, bench.context(q), out.data(), 12);
      if (out[6] == 0 && out[0] < 0) ++slack;
      if (out[6] < 0) ++pressed;
      EXPECT_LE(bench.batch().power(q, bench.context(q)), 1e-12);
    }
  }
  EXPECT_GT(slack, 300);
  EXPECT_GT(pressed, 100);
}

// Let go at one end from beside the other it falls, snaps taut and falls again; under each method with fixed steps. Its
// energy never rises above that of the start, and numbers stay finite.
class SlackCable : public testing::TestWithParam<std::string> {};
TEST_P(SlackCable, FallsAndSnapsTaut) {
  const std::string& name = GetParam();
  const io::Deck deck = deck_of(cable_deck(
      "a: {position: [0, 0, 0], dofs: translation, fixed: true}, b: {position: [1, 0.2, 0], dofs: translation}", 2e3,
      "elements: 12, length: 3",
      fmt::format("{{type: transient, duration: 2, step: 1.0e-3, integrator: {{method: {}}}}}", name)));
  const Transient run(deck);
  EXPECT_EQ(run.result.end, TransientResult::End::done);
  EXPECT_NEAR(run.q.t, 2, 1e-9);
  const double start = run.machine.system.energies(run.machine.system.initial_state()).total();
  EXPECT_LE(run.machine.system.energies(run.q).total(), start + 0.02 * std::abs(start));
  EXPECT_LE((run.q.x.back() - run.q.x[1]).norm(), 4);
}

// A weight thrown up beside its point flies free while the cable is slack, whatever its damping, and is caught by it:
// against Runge-Kutta's method of N = max(EA e + D e', 0) in a hundred times as many steps.
TEST_P(SlackCable, DampedCatchesAThrownWeight) {
  constexpr double stiffness = 1e4;
  constexpr double length = 0.5;
  for (const double damping : {0.0, 1e-3, 1e-2}) {
    const auto deck = [&](double duration) {
      return deck_of(
          fmt::format("format: polhode-deck/1\ngravity: [0, 0, -10]\n"
                      "nodes: {{a: {{position: [0, 0, 0], dofs: translation, fixed: true}}, "
                      "b: {{position: [0, 0, -0.5], dofs: translation, velocity: [0, 0, 2]}}}}\n"
                      "sections: {{rope: {{stiffness: {{EA: {}}}, mass: {{per_length: 1.0e-9}}, damping: {}}}}}\n"
                      "beams: {{rope: {{type: cable, section: rope, from: a, to: b}}}}\n"
                      "bodies: {{weight: {{type: point_mass, node: b, mass: 1}}}}\n"
                      "analysis: {{type: transient, duration: {}, step: 1.0e-4, integrator: {{method: {}}}}}\n",
                      stiffness, damping, duration, GetParam()));
    };
    const auto acceleration = [&](double z, double w) {
      const double along = stiffness * (-z - length) / length;
      return -10 + std::max(along - stiffness * damping / length * w, 0.0);
    };
    const auto thrown = [&](double duration) {
      double z = -length;
      double w = 2;
      const auto steps = static_cast<int>(std::lround(duration * 1e6));
      for (int i = 0; i < steps; ++i) {
        const double h = duration / steps;
        const double a1 = acceleration(z, w);
        const double a2 = acceleration(z + 0.5 * h * w, w + 0.5 * h * a1);
        const double a3 = acceleration(z + 0.5 * h * w + 0.25 * h * h * a1, w + 0.5 * h * a2);
        const double a4 = acceleration(z + h * w + 0.5 * h * h * a2, w + h * a3);
        z += h * w + h * h / 6 * (a1 + a2 + a3);
        w += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
      }
      return std::pair(z, w);
    };
    for (const double duration : {0.35, 0.6}) {  // slack; behind the catch
      const Transient run(deck(duration));
      const auto [z, w] = thrown(duration);
      EXPECT_NEAR(run.q.x.back().z(), z, 2e-4) << damping << ' ' << duration;
      EXPECT_NEAR(run.q.v.back()[2], w, 1e-2) << damping << ' ' << duration;
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Methods, SlackCable,
                         testing::Values("lie_alpha", "lie_alpha_index2", "ul_crv", "energy_momentum", "variational",
                                         "rosenbrock4", "radau5"),
                         [](const auto& one) { return one.param; });

// Thrown and turning, some elements slack: energy and momenta to round-off.
TEST(Cable, InFlightKeepsEnergyAndMomenta) {
  for (const char* slack : {"true", "false"}) {
    io::Deck deck = deck_of(
        cable_deck("a: {position: [0, 0, 0], dofs: translation, velocity: [0, 0, 1]}, b: {position: [3, 0, 0.5], dofs: "
                   "translation, velocity: [0.5, 2, -3]}",
                   500, fmt::format("elements: 8, slack: {}", slack),
                   "{type: transient, duration: 1, step: 0.01, integrator: {method: energy_momentum}}", "[0, 0, 0]"));
    const Machine machine(std::move(deck.model));
    const Kept kept = run_kept(machine.system, settings_of("energy_momentum"), 0.01, 2000);
    EXPECT_LE(kept.energy, kept_to) << slack;
    EXPECT_LE(kept.linear, kept_to);
    EXPECT_LE(kept.angular, kept_to);
  }
}

// The same motion by both forms: masses along the elements and at the nodes differ by O(1/n^2), so do the tips.
TEST(Cable, WithMassesAtItsNodesMovesAsTheOther) {
  std::array<double, 2> apart{};
  for (int level = 0; level < 2; ++level) {
    std::array<Vec3, 2> tip;
    for (std::size_t form = 0; form < 2; ++form) {
      const io::Deck deck =
          deck_of(cable_deck("a: {position: [0, 0, 0], dofs: translation, fixed: true}, b: {position: [2, 0, 0], dofs: "
                             "translation, velocity: "
                             "[0, 1, 0]}",
                             200, fmt::format("elements: {}, tension: 0.5", level == 0 ? 8 : 16),
                             fmt::format("{{type: transient, duration: 0.5, step: 5.0e-4, integrator: {{method: {}}}}}",
                                         form == 0 ? "lie_alpha" : "energy_momentum")));
      const Transient run(deck);
      tip[form] = run.q.x[static_cast<std::size_t>(run.machine.system.beams()[0].nodes.back())];
    }
    apart[static_cast<std::size_t>(level)] = (tip[0] - tip[1]).norm();
  }
  EXPECT_LE(apart[1], 0.01);
  EXPECT_GE(apart[0] / apart[1], 2.5);
}

std::string refusal_of_cable(const std::string& section, const std::string& cable, const std::string& rest = "",
                             const std::string& gravity = "[0, 0, -9.81]") {
  const std::string text = fmt::format(
      "format: polhode-deck/1\ngravity: {}\nnodes: {{a: {{position: [0, 0, 0], dofs: translation, fixed: true}},\n"
      "  b: {{position: [1, 0, 0], dofs: translation}}, c: {{position: [0, 1, 0]}}}}\n"
      "bodies: {{c: {{type: rigid_body, node: c, mass: 1, inertia: [1, 1, 1]}}}}\n"
      "sections: {{s: {}}}\nbeams: {{rope: {{section: s, from: a, to: b, elements: 4{}}}}}\n{}\n"
      "analysis: {{type: static}}\n",
      gravity, section, cable, rest);
  const std::string refusal = refusal_of(text);
  if (!refusal.empty()) return refusal;
  model::Problems problems;
  const io::Deck deck = deck_of(text);
  assembly::System::make(deck.model, problems);
  std::string all;
  for (const model::Problem& problem : problems) all += problem.path + ": " + problem.message + "\n";
  return all;
}

TEST(Cable, NamesWhatItCannotTake) {
  const std::string line = "{stiffness: {EA: 1000}, mass: {per_length: 1}}";
  const auto expect = [](const std::string& refusal, const std::string& part) {
    EXPECT_NE(refusal.find(part), std::string::npos) << refusal;
  };
  EXPECT_EQ(refusal_of_cable(line, ", type: cable"), "");
  expect(refusal_of_cable(line, ""), "has `EA` alone, which is a section of cables");
  expect(refusal_of_cable("{stiffness: {EA: 1000, EIy: 2}, mass: {per_length: 1}}", ", type: cable"),
         "'GAy' is missing");
  expect(refusal_of_cable(line, ", type: cable, length: 2, tension: 3"), "goes not together with `length`");
  expect(refusal_of_cable(line, ", type: cable, length: 2", "", "[0, 0, 0]"), "no gravity");
  expect(
      refusal_of_cable(line, ", type: cable", "forces: {q: {type: distributed_load, beam: rope, moment: [1, 0, 0]}}"),
      "acts on a cable, which takes forces alone");
  expect(refusal_of_cable(line, ", type: cable",
                          "forces: {q: {type: distributed_load, beam: rope, force: [1, 0, 0], follower: true}}"),
         "those of a cable have no directions");
  expect(refusal_of_cable(line, ", type: cable", "forces: {q: {type: load, node: rope.2, moment: [1, 0, 0]}}"),
         "forces.q");
  expect(refusal_of_cable(line, ", type: cable", "joints: {j: {type: fixed, connects: [rope.2, c], at: [0, 1, 0]}}"),
         "joints.j");
  expect(
      refusal_of_cable("{stiffness: [[1000, 0, 0, 0, 0, 9], [0, 500, 0, 0, 0, 0], [0, 0, 500, 0, 0, 0], [0, 0, 0, 9, "
                       "0, 0], [0, 0, 0, 0, 9, 0], [9, 0, 0, 0, 0, 9]], mass: {per_length: 1, inertia: [1, 1, 1]}}",
                       ", type: cable"),
      "couples its tension with other strains");
}

}  // namespace
}  // namespace polhode::support::cable_test
