// SPDX-License-Identifier: BSD-3-Clause
// Equilibria of what hangs, swings and turns freely: far from the start, with weight as the only stiffness.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "polhode/analyses/static/static.hpp"
#include "support/deck_text.hpp"
#include "support/program.hpp"
#include "support/statics.hpp"

namespace polhode::analyses {
namespace {

using math::Vec3;
using model::State;

constexpr long most_solves = 200;  // linear solves of a whole analysis, failed attempts included

struct Hung {
  explicit Hung(const std::string& text, const std::string& head = "format: polhode-deck/1\ngravity: [0, 0, -9.81]\n")
      : deck(support::deck_of(head + text)) {
    model::Problems problems;
    system = assembly::System::make(deck.model, problems);
    if (!system) throw std::runtime_error(problems.front().path + ": " + problems.front().message);
    path = support::path_of(*system, *deck.analyses.front().as<StaticSettings>(), 0, result, q);
  }
  // N, over what the supports carry
  double unbalance() const {
    assembly::Residual residual = system->make_residual();
    system->set_residual(q, residual);
    return system->force_norm(residual);
  }
  Vec3 position(const std::string& name) const {
    for (std::size_t i = 1; i < system->nodes(); ++i)
      if (system->node(i).name == name) return q.x[i];
    throw std::runtime_error("no node " + name);
  }
  void expect_found() const {
    ASSERT_EQ(result.end, StaticResult::End::done) << result.failure;
    EXPECT_LE(result.iterations + result.wasted, most_solves);
    EXPECT_EQ(result.load_factor, 1);
  }

  io::Deck deck;
  std::optional<assembly::System> system;
  StaticResult result;
  State q;
  support::PathKeeper path;
};

// Links of 0.2 m and 0.1 kg, in a row along `direction`.
std::string chain(int links, const std::string& joint, const Vec3& direction) {
  constexpr double length = 0.2;
  std::string nodes;
  std::string bodies;
  std::string joints;
  for (int i = 0; i < links; ++i) {
    const Vec3 center = (i + 0.5) * length * direction;
    const Vec3 at = i * length * direction;
    nodes += fmt::format("  link{}: {{position: [{}, {}, {}]}}\n", i, center.x(), center.y(), center.z());
    bodies += fmt::format(
        "  link{}: {{type: rigid_body, node: link{}, mass: 0.1, inertia: [1.0e-4, 4.0e-4, 4.0e-4]}}\n", i, i);
    joints += fmt::format("  j{}: {{connects: [{}, link{}], at: [{}, {}, {}], {}}}\n", i,
                          i == 0 ? "ground" : fmt::format("link{}", i - 1), i, at.x(), at.y(), at.z(), joint);
  }
  return "nodes:\n" + nodes + "bodies:\n" + bodies + "joints:\n" + joints + "analysis: {type: static}\n";
}

// From the side and from nearly above: 200 links of a plumb line 10 m long would show 1e-9 rad as 1e-8 m.
TEST(StaticHanging, AChainOfFiftyLinksHangsPlumbWhereverItStarts) {
  for (const Vec3& direction : {Vec3(1, 0, 0), Vec3(0.01, 0, std::sqrt(1 - 1e-4))}) {
    const Hung hung(chain(50, "type: revolute, axis: [0, 1, 0]", direction));
    hung.expect_found();
    EXPECT_EQ(hung.result.unstable, 0);
    for (int i = 0; i < 50; ++i)
      EXPECT_LT((hung.position(fmt::format("link{}", i)) - Vec3(0, 0, -(i + 0.5) * 0.2)).norm(), 1e-8) << i;
  }
}

TEST(StaticHanging, LinksThatMaySpinHangPlumbAndTheirSpinIsReported) {
  const Hung hung(chain(50, "type: spherical", {1, 0, 0}));
  hung.expect_found();
  EXPECT_LT((hung.position("link49") - Vec3(0, 0, -49.5 * 0.2)).norm(), 1e-8);
  ASSERT_FALSE(hung.path.warnings.empty());
  EXPECT_NE(hung.path.warnings[0].find("held"), std::string::npos) << hung.path.warnings[0];
}

TEST(StaticHanging, AShaftThatIsFreeToTurnIsHeldAndReportedByItsJoint) {
  const Hung hung(
      "nodes: {rotor: {position: [0, 0, 0]}}\n"
      "bodies: {rotor: {type: rigid_body, node: rotor, mass: 2, inertia: [0.01, 0.01, 0.01]}}\n"
      "joints: {shaft: {type: revolute, connects: [ground, rotor], at: [0, 0, 0], axis: [1, 0, 0]}}\n"
      "analysis: {type: static}\n");
  hung.expect_found();
  ASSERT_EQ(hung.path.warnings.size(), 1u);
  EXPECT_EQ(hung.path.warnings[0], "joints.shaft is free to turn: held at 0");
  EXPECT_EQ(hung.q.x[1], Vec3::Zero());
}

// Under its weight it hangs down from its hinge; turning at 20 rad/s it stands out nearly flat.
TEST(StaticHanging, AFlappingBladeHangsAtRestAndStandsOutWhenItTurns) {
  const std::string blade =
      "nodes: {root: {position: [0.5, 0, 0]}, tip: {position: [10.5, 0, 0]}}\n"
      "sections: {s: {stiffness: {EA: 1.0e+7, GAy: 1.0e+7, GAz: 1.0e+7, GJ: 1.0e+4, EIy: 1.0e+4, EIz: 4.0e+5}, "
      "mass: {per_length: 8, inertia: [0.5, 0.1, 0.4]}}}\n"
      "beams: {blade: {section: s, from: root, to: tip, elements: 10, orientation: [0, 1, 0]}}\n"
      "joints: {flap: {type: revolute, connects: [ground, root], at: [0.5, 0, 0], axis: [0, 1, 0]}}\n";
  const Hung rest(blade + "analysis: {type: static}\n");
  rest.expect_found();
  // Straight down, longer by the weight: m g L^2 / (2 EA).
  EXPECT_LT((rest.position("tip") - Vec3(0.5, 0, -10 - 8 * 9.81 * 100 / 2e7)).norm(), 1e-8);
  const Hung turning(blade + "analysis: {type: static, rotation: {axis: [0, 0, 1], speed: 20}}\n");
  turning.expect_found();
  // Of a rigid blade: g/(omega^2 (2/3 L + e)) rad below the plane.
  EXPECT_NEAR(turning.position("tip").z(), -9.81 / 400 * 10 / (10 * 2.0 / 3 + 0.5), 0.01);
}

// Cable elements of rest length l carry H along and V + (weight above) down: with N = hypot(H, V) an element runs along
// (H, V)/N over l (1 + N/EA). Nodes have half of the weight of each element beside them.
TEST(StaticHanging, ACableFromACornerHangsAsThePolygonOfTheClosedForm) {
  constexpr int elements = 40;
  constexpr double span = 10;
  constexpr double rest_length = 12.0 / elements;
  constexpr double EA = 1e5;
  const Hung hung(
      "nodes: {a: {position: [0, 0, 0], fixed: true, dofs: translation}, m: {position: [3, 0, -2], dofs: translation}, "
      "b: {position: [10, 0, 0], fixed: true, dofs: translation}}\n"
      "sections: {s: {stiffness: {EA: 1.0e+5}, mass: {per_length: 1}}}\n"
      "beams: {l: {type: cable, section: s, from: a, to: m, elements: 20, length: 6}, "
      "r: {type: cable, section: s, from: m, to: b, elements: 20, length: 6}}\nanalysis: {type: static}\n");
  hung.expect_found();
  const double weight = 9.81 * rest_length;
  // By symmetry the vertical force of element i is known; H by bisection on the span.
  const auto run_of = [&](double H, int count) {
    Vec3 at = Vec3::Zero();
    for (int i = 0; i < count; ++i) {
      const double V = weight * (i + 0.5 - elements / 2.0);
      const double N = std::hypot(H, V);
      at += rest_length * (1 + N / EA) / N * Vec3(H, 0, V);
    }
    return at;
  };
  double low = 1;
  double high = 1000;
  for (int i = 0; i < 200; ++i) {
    const double middle = (low + high) / 2;
    (run_of(middle, elements).x() < span ? low : high) = middle;
  }
  EXPECT_LT((hung.position("m") - run_of(low, 20)).norm(), 1e-9);
  EXPECT_LT(hung.unbalance(), 1e-6);
}

// Nodes of n rows of n, clamped along one edge; a net of beams.
std::string sheet(int n, double bending) {
  const double h = 1.0 / (n - 1);
  std::string nodes;
  std::string beams;
  const auto add_beam = [&](char name, int i, int j, int to_i, int to_j) {
    beams += fmt::format("  {}{}_{}: {{section: s, from: n{}_{}, to: n{}_{}, elements: 1, orientation: [0, 0, 1]}}\n",
                         name, i, j, i, j, to_i, to_j);
  };
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      nodes +=
          fmt::format("  n{}_{}: {{position: [{}, {}, 0]{}}}\n", i, j, i * h, j * h, i == 0 ? ", fixed: true" : "");
      if (i + 1 < n) add_beam('x', i, j, i + 1, j);
      if (i > 0 && j + 1 < n) add_beam('y', i, j, i, j + 1);
    }
  return fmt::format(
      "nodes:\n{}sections: {{s: {{stiffness: {{EA: 1.0e+3, GAy: 1.0e+3, GAz: 1.0e+3, GJ: {}, EIy: {}, EIz: {}}}, mass: "
      "{{per_length: 0.01, inertia: [1.0e-6, 5.0e-7, 5.0e-7]}}}}}}\nbeams:\n{}analysis: {{type: static}}\n",
      nodes, bending, bending, bending, beams);
}

// Between two balls at its own length, of EA = 100 N under 9.81 N: sag 0.17 of the span. Without bending stiffness, at
// arc length s of the beam without load: x = H s/EA + H/w (asinh(V/H) - asinh((V - w s)/H)),
// z = -(V s - w s^2/2)/EA - (hypot(H, V) - hypot(H, V - w s))/w, V = w L/2 (Irvine, Cable Structures, 1981, 2.20).
TEST(StaticHanging, ABeamThatHardlyBendsHangsInTheElasticCatenary) {
  constexpr double length = 1;
  constexpr double w = 9.81;
  constexpr double EA = 100;
  constexpr double V = w * length / 2;
  double H = 1;  // N, by bisection of the span
  for (double low = 0, high = 100; high - low > 1e-15 * high; H = (low + high) / 2)
    (H * length / EA + 2 * H / w * std::asinh(V / H) < length ? low : high) = H;
  const Hung hung(
      "nodes: {a: {position: [0, 0, 0]}, b: {position: [1, 0, 0]}}\n"
      "sections: {s: {stiffness: {EA: 100, GAy: 100, GAz: 100, GJ: 1.0e-12, EIy: 1.0e-12, EIz: 1.0e-12}, "
      "mass: {per_length: 1, inertia: [1.0e-8, 5.0e-9, 5.0e-9]}}}\n"
      "beams: {rope: {section: s, from: a, to: b, elements: 20, order: 4, orientation: [0, 0, 1]}}\n"
      "joints: {a: {type: spherical, connects: [ground, a], at: [0, 0, 0]}, "
      "b: {type: spherical, connects: [ground, b], at: [1, 0, 0]}}\nanalysis: {type: static}\n");
  hung.expect_found();
  const State start = hung.system->initial_state();
  double worst = 0;
  for (std::size_t i = 1; i < start.x.size(); ++i) {
    const double s = start.x[i].x();
    const Vec3 exact(H * s / EA + H / w * (std::asinh(V / H) - std::asinh((V - w * s) / H)), 0,
                     -(V * s - w * s * s / 2) / EA - (std::hypot(H, V) - std::hypot(H, V - w * s)) / w);
    worst = std::max(worst, (hung.q.x[i] - exact).norm());
  }
  EXPECT_LT(worst, 1e-10);  // measured 2.5e-12
}

// Blades of stiff sections, whose elimination leaves a free shaft the stiffness of round-off: it is found to be free.
// With a blade upright, and turned by 20 degrees, where the weight of the bent blades turns the rotor a little.
TEST(StaticHanging, TheRotorOfATurbineWithAFreeShaftComesToRest) {
  std::string deck = support::content_of(support::shipped("examples/turbine.yaml"));
  const auto replace = [&](const std::string& what, const std::string& by) {
    ASSERT_NE(deck.find(what), std::string::npos) << what;
    deck.replace(deck.find(what), what.size(), by);
  };
  replace("axis: [1, 0, 0], rotation: 0}", "axis: [1, 0, 0]}");
  replace(deck.substr(deck.find("analysis:\n")), "analysis: {type: static}\n");
  Hung(deck, "").expect_found();
  replace("hub: {position: [-11, 0, 150]}",
          "hub: {position: [-11, 0, 150], orientation: {axis: [1, 0, 0], angle_deg: 20}}");
  const Hung turned(deck, "");
  turned.expect_found();
  EXPECT_EQ(turned.result.unstable, 0);
  EXPECT_LT(turned.unbalance(), 1e-6 * 2.08e6 * 9.81);
}

TEST(StaticHanging, ASoftSheetThatIsClampedAlongAnEdgeHangsDown) {
  for (const int n : {10, 40}) {
    const Hung hung(sheet(n, 1e-3));
    hung.expect_found();
    EXPECT_LT(hung.position(fmt::format("n{}_{}", n - 1, n / 2)).z(), -0.8) << n;
    EXPECT_LT(hung.unbalance(), 1e-5) << n;
  }
}

TEST(StaticHanging, WhatFallsForEverHasNoEquilibrium) {
  const Hung fallen(
      "nodes: {a: {position: [0, 0, 0]}}\nbodies: {a: {type: rigid_body, node: a, mass: 2, inertia: [1, 1, 1]}}\n"
      "analysis: {type: static}\n");
  EXPECT_EQ(fallen.result.end, StaticResult::End::failed);
  EXPECT_EQ(fallen.result.failure, "the model is free to move, and its loads drive it:");
  EXPECT_EQ(fallen.q.x[1], Vec3::Zero());
}

// No descent is tried where nothing can stop it: that of a large model takes minutes.
TEST(StaticHanging, APartThatNothingCanHoldIsReportedAtOnce) {
  const std::string beside =
      "nodes: {a: {position: [0, 0, 0]}, b: {position: [1, 0, 0]}, c: {position: [2, 0, 0]}}\n"
      "bodies: {a: {type: rigid_body, node: a, mass: 2, inertia: [1, 1, 1]}, "
      "b: {type: rigid_body, node: b, mass: 2, inertia: [1, 1, 1]}, "
      "c: {type: rigid_body, node: c, mass: 2, inertia: [1, 1, 1]}}\n"
      "joints: {hold: {type: revolute, connects: [ground, a], at: [-0.1, 0, 0.1], axis: [0, 1, 0]}, "
      "pin: {type: spherical, connects: [b, c], at: [1.5, 0, 0]}}\n"
      "forces: {blow: {type: load, node: b, force: [0, 1, 0]}@}\nanalysis: {type: static}\n";
  const auto with = [&](const std::string& force) {
    std::string deck = beside;
    return deck.replace(deck.find('@'), 1, force);
  };
  const Hung loose(with(""));
  EXPECT_EQ(loose.result.failure, "the model is free to move, and its loads drive it:");
  EXPECT_EQ(loose.result.wasted, 0) << "solves";
  // Opposite forces turn it to where they are in line; without gravity nothing falls
  const Hung turning(
      "nodes: {a: {position: [0, 0, 0]}, b: {position: [1, 0, 0]}}\n"
      "bodies: {a: {type: rigid_body, node: a, mass: 2, inertia: [1, 1, 1]}, "
      "b: {type: rigid_body, node: b, mass: 2, inertia: [1, 1, 1]}}\n"
      "joints: {rod: {type: fixed, connects: [a, b], at: [0.5, 0, 0]}}\n"
      "forces: {left: {type: load, node: a, force: [-3, -4, 0]}, right: {type: load, node: b, force: [3, 4, 0]}}\n"
      "analysis: {type: static}\n",
      "format: polhode-deck/1\n");
  turning.expect_found();
  EXPECT_LT((turning.position("b") - turning.position("a") - Vec3(0.6, 0.8, 0)).norm(), 1e-6);
  // A spring may hold it somewhere, and is asked
  const Hung tied(
      with(", rope: {type: spring_damper, connects: [ground, c], at: [[2, 0, 3], [2, 0, 0]], "
           "stiffness: 1e3}"));
  tied.expect_found();
}

}  // namespace
}  // namespace polhode::analyses
