// SPDX-License-Identifier: BSD-3-Clause
// Modes against closed forms, and their laws.
#include "polhode/analyses/modal/modal.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/deck_text.hpp"
#include "support/places.hpp"
#include "support/statics.hpp"

namespace polhode::analyses {
namespace {

constexpr double two_pi = 2 * std::numbers::pi;

struct ModalDeck {
  // All analyses of type static, then the modal one.
  explicit ModalDeck(const std::string& text, const std::vector<std::string>& settings = {})
      : deck(text.starts_with('/') ? io::read_deck(text, settings)
                                   : support::deck_of("format: polhode-deck/1\n" + text, settings)) {
    model::Problems none;
    system = assembly::System::make(deck.model, none);
    if (!system) throw std::runtime_error(none.front().path + ": " + none.front().message);
    q = system->initial_state();
    for (const Analysis& analysis : deck.analyses) {
      support::PathKeeper keeper;
      if (const auto* statics = analysis.as<StaticSettings>())
        run_static(*system, *statics, false, q, keeper, problems);
      if (const auto* modal = analysis.as<ModalSettings>())
        result = run_modal(*system, *modal, q, "analysis.0", problems);
    }
  }
  std::vector<double> rates() const {  // |Im lambda| of motions that are not free, ascending
    std::vector<double> all;
    for (const Mode& mode : result.modes)
      if (!mode.free) all.push_back(mode.lambda.imag());
    return all;
  }
  int free() const {
    return static_cast<int>(
        std::count_if(result.modes.begin(), result.modes.end(), [](const Mode& m) { return m.free; }));
  }
  io::Deck deck;
  std::optional<assembly::System> system;
  model::State q;
  model::Problems problems;
  ModalResult result;
};

void expect_relative(double value, double exact, double bound) {
  EXPECT_NEAR(value / exact, 1, bound) << value << " for " << exact;
}

const std::string benchmarks = POLHODE_SOURCE_DIR "/inputs/benchmarks/";

TEST(Modal, CantileverHasTheFrequenciesOfEulerBernoulli) {
  const ModalDeck s(benchmarks + "cantilever_modes.yaml");
  const double exact[] = {3.516015269, 22.03449156, 61.69721441, 120.9019161, 199.8595301, 298.5555310};
  std::vector<double> along_z;
  for (const Mode& mode : s.result.modes)
    if (mode.text.find("along [0, 0, 1]") != std::string::npos) along_z.push_back(mode.lambda.imag());
  ASSERT_EQ(along_z.size(), 6u);
  for (int i = 0; i < 6; ++i) expect_relative(along_z[i], exact[i], 1e-4);
}

TEST(Modal, FreeBeamHasSixFreeMotionsAndTheFrequenciesOfEulerBernoulli) {
  const ModalDeck s(benchmarks + "cantilever_modes.yaml",
                    {"nodes.clamp.fixed=false", "beams.arm.elements=10", "analysis.band=[0, 70]"});
  const double exact[] = {22.37328545, 61.67282287, 120.9033917, 199.8594481, 298.5555353, 416.9907858};
  EXPECT_EQ(s.free(), 6);
  EXPECT_EQ(s.result.free_text, "six free motions: the model is not held");
  const std::vector<std::string> table = table_of(s.result.modes, s.result.free_text);
  EXPECT_EQ(table.size(), s.result.modes.size() - 4);  // a head, and one line in the place of six
  EXPECT_TRUE(table[1].ends_with(s.result.free_text)) << table[1];
  std::vector<double> along_z;
  for (const Mode& mode : s.result.modes)
    if (mode.text.ends_with("along [0, 0, 1]")) along_z.push_back(mode.lambda.imag());
  ASSERT_EQ(along_z.size(), 6u);
  for (int i = 0; i < 6; ++i) expect_relative(along_z[i], exact[i], 1e-4);
}

// Dense, and by Krylov's method; real and complex: the n-th look ends it.
TEST(Modal, EndsWhereItIsAskedTo) {
  const auto four_modes = [](const std::string& setting) {
    return io::read_deck(benchmarks + "cantilever_modes.yaml", {setting, "analysis={type: modal, modes: 4}"});
  };
  const io::Deck real = four_modes("beams.arm.elements=8");
  const io::Deck large = four_modes("beams.arm.elements=100");
  const io::Deck complex = four_modes("sections.strip.damping=1.0e-4");
  for (const auto& [deck, looks] : {std::pair(&real, 1), std::pair(&large, 1), std::pair(&large, 12),
                                    std::pair(&complex, 1), std::pair(&complex, 30)}) {
    model::Problems problems;
    const auto system = assembly::System::make(deck->model, problems);
    ASSERT_TRUE(system);
    int asked = 0;
    const ModalResult result = run_modal(*system, *deck->analyses.front().as<ModalSettings>(), system->initial_state(),
                                         "analysis", problems, [&asked, most = looks] { return ++asked >= most; });
    EXPECT_EQ(result.end, ModalResult::End::interrupted) << asked;
    EXPECT_EQ(asked, looks) << "nobody looks again";
    EXPECT_TRUE(result.modes.empty());
    EXPECT_TRUE(problems.empty());
  }
}

TEST(Modal, RotatingCantileverFlapsAsPublished) {
  const std::vector<std::pair<double, std::array<double, 3>>> rows{{3, {4.797278532, 23.32026367, 62.98496748}},
                                                                   {6, {7.360373019, 26.80908168, 66.68391438}},
                                                                   {12, {13.17015049, 37.60311233, 79.61447849}}};
  for (const auto& [speed, exact] : rows) {
    const ModalDeck s(benchmarks + "rotating_cantilever.yaml",
                      {"parameters.Omega=" + std::to_string(speed), "analysis.1.modes=8"});
    std::vector<double> flap;
    for (const Mode& mode : s.result.modes)
      if (mode.text.ends_with("along [0, 0, 1]")) flap.push_back(mode.lambda.imag());
    ASSERT_GE(flap.size(), 3u);
    for (std::size_t i = 0; i < 3; ++i) expect_relative(flap[i], exact[i], 2e-5);
  }
}

// m 2, centre 0.5 m below the pin, inertia 0.1: omega^2 = m g l / (I + m l^2).
TEST(Modal, PendulumSwingsAsItsClosedFormSays) {
  const std::string text =
      "gravity: [0, 0, -9.81]\nnodes: {bob: {position: [0, 0, -0.5]}}\n"
      "bodies: {bob: {type: rigid_body, node: bob, mass: 2, inertia: [0.1, 0.1, 0.1]}}\n"
      "joints: {pin: {type: revolute, connects: [ground, bob], at: [0, 0, 0], axis: [0, 1, 0]}}\nanalysis: {type: "
      "modal}\n";
  const ModalDeck s(text);
  ASSERT_EQ(s.rates().size(), 1u);
  expect_relative(s.rates()[0], std::sqrt(2 * 9.81 * 0.5 / (0.1 + 2 * 0.25)), 1e-12);
  // A damped one: c = 0.6 N m s.
  const ModalDeck damped(text +
                         "forces: {d: {type: torsional_spring_damper, connects: [ground, bob], axis: [0, 1, 0], "
                         "stiffness: 0, damping: 0.6}}\n");
  ASSERT_EQ(damped.result.modes.size(), 1u);
  EXPECT_NEAR(damped.result.modes[0].lambda.real(), -0.6 / (2 * 0.6), 1e-9);
  EXPECT_NEAR(damped.result.modes[0].lambda.imag(), std::sqrt(2 * 9.81 * 0.5 / 0.6 - 0.25), 1e-9);
}

// Two points of 1 kg on rods of 1 m: omega^2 = g (2 -+ sqrt 2).
TEST(Modal, DoublePendulumSwingsAsItsClosedFormSays) {
  const ModalDeck s(
      "gravity: [0, 0, -9.81]\nnodes: {a: {position: [0, 0, -1]}, b: {position: [0, 0, -2]}}\n"
      "bodies: {a: {type: rigid_body, node: a, mass: 1, inertia: [1.0e-9, 1.0e-9, 1.0e-9]},\n"
      "  b: {type: rigid_body, node: b, mass: 1, inertia: [1.0e-9, 1.0e-9, 1.0e-9]}}\n"
      "joints: {top: {type: revolute, connects: [ground, a], at: [0, 0, 0], axis: [0, 1, 0]},\n"
      "  middle: {type: revolute, connects: [a, b], at: [0, 0, -1], axis: [0, 1, 0]}}\nanalysis: {type: modal}\n");
  ASSERT_EQ(s.rates().size(), 2u);
  expect_relative(s.rates()[0], std::sqrt(9.81 * (2 - std::sqrt(2))), 1e-8);
  expect_relative(s.rates()[1], std::sqrt(9.81 * (2 + std::sqrt(2))), 1e-8);
}

// A body of 3 kg and inertias 2, 3, 4 on a bushing at its centre.
TEST(Modal, SpringMountedBodyVibratesAsItsClosedFormSays) {
  const ModalDeck s(
      "nodes: {a: {position: [0, 0, 0]}}\nbodies: {a: {type: rigid_body, node: a, mass: 3, inertia: [2, 3, 4]}}\n"
      "forces: {mount: {type: bushing, connects: [ground, a], at: [0, 0, 0], stiffness: [30, 60, 120, 500, 1800, "
      "6400]}}\n"
      "analysis: {type: modal}\n");
  const double exact[] = {std::sqrt(10), std::sqrt(20), std::sqrt(40), std::sqrt(250), std::sqrt(600), 40};
  ASSERT_EQ(s.rates().size(), 6u);
  for (int i = 0; i < 6; ++i) expect_relative(s.rates()[i], exact[i], 1e-10);
}

// A top that turns steadily about the vertical as a whole (spin and precession in one) at Omega = 4: m 15, l 1,
// inertias about the pivot A = 15.234375 across and C = 0.46875 along, its axis at theta from the upward vertical, cos
// theta = c, with a rotor of momentum h along.
struct SteadyTop {
  static constexpr double A = 15.234375;
  static constexpr double C = 0.46875;
  static constexpr double mgl = 15 * 9.81;
  static constexpr double Omega = 4;
  double c;
  double h;

  std::string deck() const {
    const double s = std::sqrt(1 - c * c);
    char text[1200];
    std::snprintf(
        text, sizeof text,
        "gravity: [0, 0, -9.81]\n"
        "nodes: {centre: {position: [0, %.17g, %.17g], orientation: {y_axis: [0, %.17g, %.17g], x_axis: [1, 0, 0]}}}\n"
        "bodies: {top: {type: rigid_body, node: centre, mass: 15, inertia: [0.234375, 0.46875, 0.234375]}}\n"
        "joints: {pivot: {type: spherical, connects: [ground, centre], at: [0, 0, 0]}}\n"
        "analysis: {type: modal, rotation: {axis: [0, 0, 1], speed: 4}}\n",
        s, c, s, c);
    if (h == 0) return text;
    char rotor[100];
    std::snprintf(rotor, sizeof rotor, "forces: {spin: {type: rotor, node: centre, momentum: [0, %.17g, 0]}}\n", h);
    return std::string(text) + rotor;
  }
  // rad/s, from the energy in theta: f = (b - a cos)^2 / (2 A sin^2) + m g l cos, a = C w3 + h, b = a cos + A Omega
  // sin^2, omega^2 = f'' / A.
  double nutation() const {
    const double a = C * Omega * c + h;
    const double b = a * c + A * Omega * (1 - c * c);
    const double theta = std::acos(c);
    const double step = 1e-4;
    const auto f = [&](double t) {
      const long double ct = std::cos(static_cast<long double>(t));
      const long double st = std::sin(static_cast<long double>(t));
      return (b - a * ct) * (b - a * ct) / (2 * A * st * st) + mgl * ct;
    };
    return std::sqrt(static_cast<double>((f(theta + step) - 2 * f(theta) + f(theta - step)) / (step * step)) / A);
  }
};

void expect_nods(const SteadyTop& steady) {
  const ModalDeck top(steady.deck());
  ASSERT_TRUE(top.problems.empty()) << top.problems[0].message;
  ASSERT_EQ(top.rates().size(), 1u) << "nutation alone; precession and spin are free";
  expect_relative(top.rates()[0], steady.nutation(), 1e-6);
  EXPECT_EQ(top.free(), 2);
  EXPECT_EQ(top.result.free_text, "");
}

// cos theta = -m g l / ((A - C) Omega^2).
TEST(Modal, HeavyTopNodsAboutItsSteadyPrecession) {
  using T = SteadyTop;
  expect_nods({.c = -T::mgl / ((T::A - T::C) * T::Omega * T::Omega), .h = 0});
}

// At 60 degrees: A Omega^2 cos - a Omega + m g l = 0 in steady precession.
TEST(Modal, InclinedTopWithASpinOfItsOwnNods) {
  using T = SteadyTop;
  const double c = 0.5;
  const double a = (T::A * T::Omega * T::Omega * c + T::mgl) / T::Omega;
  expect_nods({.c = c, .h = a - T::C * T::Omega * c});
}

// A top that spins upright: A p^2 - C Omega p + m g l = 0 has the speeds of precession and of nutation, p - Omega as
// seen in the frame that turns with the spin; the spin itself is free.
TEST(Modal, SleepingTopPrecessesAndNutates) {
  const double A = 1;
  const double C = 0.5;
  const double mgl = 10;
  const double Omega = 20;
  const ModalDeck top(
      "gravity: [0, 0, -10]\nnodes: {centre: {position: [0, 0, 0.5]}}\n"
      "bodies: {top: {type: rigid_body, node: centre, mass: 2, inertia: [0.5, 0.5, 0.5]}}\n"
      "joints: {pivot: {type: spherical, connects: [ground, centre], at: [0, 0, 0]}}\n"
      "analysis: {type: modal, rotation: {axis: [0, 0, 1], speed: 20}}\n");
  ASSERT_TRUE(top.problems.empty()) << top.problems[0].message;
  const double root = std::sqrt(C * C * Omega * Omega - 4 * A * mgl);
  const double nutation = (C * Omega + root) / (2 * A);
  const double precession = (C * Omega - root) / (2 * A);
  ASSERT_EQ(top.rates().size(), 2u);
  expect_relative(top.rates()[0], Omega - nutation, 1e-9);
  expect_relative(top.rates()[1], Omega - precession, 1e-9);
  EXPECT_EQ(top.free(), 1);
}

// Flap and lag of a blade cross as it turns faster: numbers stay with the shapes.
TEST(Modal, NumbersFollowTheShapes) {
  ModeNumbers numbers;
  std::vector<std::string> first;
  std::vector<std::string> last;
  std::vector<int> order;
  for (const double speed : {2.0, 5.0, 8.0, 11.0}) {
    ModalDeck s(benchmarks + "rotating_cantilever.yaml",
                {"parameters.Omega=" + std::to_string(speed), "beams.arm.elements=2", "analysis.1.modes=4"});
    numbers.give(*s.system, s.result.modes);
    order.clear();
    for (const Mode& mode : s.result.modes) {
      if (speed == 2.0) first.push_back(mode.text);
      EXPECT_TRUE(speed == 2.0 ? mode.agreement == 1 : mode.agreement > 0.9) << mode.agreement;
      EXPECT_EQ(mode.text.substr(mode.text.find("along")),
                first[static_cast<std::size_t>(mode.number) - 1].substr(mode.text.find("along")));
      order.push_back(mode.number);
    }
  }
  EXPECT_EQ((std::vector<int>(order.begin(), order.begin() + 2)), (std::vector<int>{2, 1}));
}

// 2000 elements of two nodes, 1 m each: the lowest eigenvalue of K is 3e-17 of the largest.
TEST(Modal, LowestFrequenciesOfLongChainsAreFound) {
  const ModalDeck s(benchmarks + "chain.yaml", {"parameters.N=2000", "analysis={type: modal, modes: 6}"});
  const double exact[] = {3.516015269, 22.03449156, 61.69721441};
  ASSERT_EQ(s.rates().size(), 6u);
  for (std::size_t i = 0; i < 6; ++i)
    expect_relative(s.rates()[i], exact[i / 2] * std::sqrt(1e3) / (2000.0 * 2000.0), 2e-5);
}

// 10 000 elements: 1e-20 of the largest. Stiffness that is exact leaves these digits, and what is free is told from it.
TEST(Modal, LowestFrequenciesOfVeryLongChainsAreToldFromFreeMotions) {
  const ModalDeck clamped(benchmarks + "chain.yaml", {"parameters.N=10000", "analysis={type: modal, modes: 2}"});
  EXPECT_EQ(clamped.free(), 0);
  ASSERT_EQ(clamped.rates().size(), 2u);
  for (const double rate : clamped.rates()) expect_relative(rate, 3.516015269 * std::sqrt(1e3) / 1e8, 1e-3);
  const ModalDeck free(benchmarks + "chain.yaml",
                       {"parameters.N=5000", "nodes.clamp.fixed=false", "analysis={type: modal, modes: 8}"});
  EXPECT_EQ(free.free(), 6);
  ASSERT_EQ(free.rates().size(), 2u);
  for (const double rate : free.rates()) expect_relative(rate, 22.37328545 * std::sqrt(1e3) / 2.5e7, 1e-3);
}

// In a direction without round numbers, of elements of several orders, hinged or not.
TEST(Modal, FreeMotionsOfLongChainsAreToldAsSuch) {
  for (const auto& [order, fixed, count] : std::vector<std::tuple<int, std::string, int>>{
           {1, "false", 6}, {1, "[x, y, z]", 3}, {3, "[x, y, z]", 3}, {4, "false", 6}}) {
    const ModalDeck s(benchmarks + "chain.yaml",
                      {"parameters.N=1000", "nodes.tip.position=[600, 480, 640]", "nodes.clamp.fixed=" + fixed,
                       "beams.chain.order=" + std::to_string(order),
                       "beams.chain.elements=" + std::to_string(1000 / order / 2), "analysis={type: modal, modes: 8}"});
    EXPECT_EQ(s.free(), count) << "order " << order << ", fixed " << fixed;
    for (const Mode& mode : s.result.modes) EXPECT_TRUE(mode.free || mode.frequency() > 1e-6) << mode.text;
  }
}

TEST(Modal, StateOutOfEquilibriumIsRefusedWithForceAndRow) {
  const ModalDeck s(
      "gravity: [0, 0, -9.81]\nnodes: {bob: {position: [0.5, 0, 0]}}\n"
      "bodies: {bob: {type: rigid_body, node: bob, mass: 2, inertia: [0.1, 0.1, 0.1]}}\n"
      "joints: {pin: {type: revolute, connects: [ground, bob], at: [0, 0, 0], axis: [0, 1, 0]}}\nanalysis: {type: "
      "modal}\n");
  ASSERT_EQ(s.problems.size(), 1u);
  EXPECT_EQ(s.problems[0].path, "analysis.0");
  EXPECT_NE(s.problems[0].message.find("the state is no equilibrium: forces of "), std::string::npos);
  EXPECT_NE(s.problems[0].message.find("most at nodes.bob: force z"), std::string::npos) << s.problems[0].message;
}

// The restarted Krylov method (30 elements, 720 unknowns) against the dense one, twice the same frequency in each pair.
TEST(Modal, LargeModelsHaveTheModesOfSmallOnes) {
  // Softer along and across than the deck's, whose stiffness leaves five digits to so many elements.
  const auto rates = [](const std::string& elements) {
    return ModalDeck(benchmarks + "cantilever_modes.yaml",
                     {"beams.arm.elements=" + elements, "analysis.band=[0, 10]", "sections.strip.stiffness.EIz=1",
                      "sections.strip.stiffness.EA=1.0e+5", "sections.strip.stiffness.GAy=1.0e+5",
                      "sections.strip.stiffness.GAz=1.0e+5"})
        .rates();
  };
  const std::vector<double> small = rates("8");
  const std::vector<double> large = rates("30");
  ASSERT_EQ(small.size(), 6u);
  ASSERT_EQ(large.size(), 6u);
  for (std::size_t i = 0; i < 6; ++i) expect_relative(large[i], small[i], 1e-6);
}

}  // namespace
}  // namespace polhode::analyses
