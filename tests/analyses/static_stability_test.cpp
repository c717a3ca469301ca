// SPDX-License-Identifier: BSD-3-Clause
// Stability of equilibria: what is reported of unstable ones, and the stable branch beside them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "polhode/analyses/static/static.hpp"
#include "polhode/math/so3.hpp"
#include "support/deck_text.hpp"
#include "support/statics.hpp"

namespace polhode::analyses {
namespace {

using math::Vec3;
using model::State;
using support::PathKeeper;

struct Equilibria {
  explicit Equilibria(const std::string& text) : deck(support::deck_of("format: polhode-deck/1\n" + text)) {
    model::Problems problems;
    system = assembly::System::make(deck.model, problems);
    if (!system) throw std::runtime_error(problems.front().path + ": " + problems.front().message);
    path = support::path_of(*system, *deck.analyses.front().as<StaticSettings>(), 0, result, q);
  }
  bool done() const { return result.end == StaticResult::End::done; }
  std::string warning() const { return path.warnings.empty() ? "" : path.warnings.front(); }
  std::string note() const { return result.notes.empty() ? "" : result.notes.front(); }

  io::Deck deck;
  std::optional<assembly::System> system;
  StaticResult result;
  State q;
  PathKeeper path;
};

// A cantilever of length 1, EI = 1 in the plane of the load across, ten times that in the other one. Its strains by the
// axial load are 6e-7.
std::string column(double load_over_critical, double across, const std::string& analysis) {
  const double critical = std::numbers::pi * std::numbers::pi / 4;
  return "nodes: {a: {position: [0, 0, 0], fixed: true}, tip: {position: [1, 0, 0]}}\n"
         "sections: {s: {stiffness: {EA: 1.0e+7, GAy: 1.0e+7, GAz: 1.0e+7, GJ: 5, EIy: 10, EIz: 1}, "
         "mass: {per_length: 1, inertia: [0.02, 0.01, 0.01]}}}\n"
         "beams: {c: {section: s, from: a, to: tip, orientation: [0, 1, 0], elements: 6, order: 4}}\n"
         "forces: {press: {type: load, node: tip, force: [" +
         fmt::format("{}, {}, 0]}}}}\nanalysis: {}\n", -load_over_critical * critical, across, analysis);
}

std::string upright(const std::string& stiffness, const std::string& analysis) {
  return "gravity: [0, 0, -9.81]\nnodes: {bob: {position: [0, 0, 0.5]}}\n"
         "bodies: {bob: {type: rigid_body, node: bob, mass: 2, inertia: [0.1, 0.1, 0.1]}}\n"
         "joints: {pin: {type: revolute, connects: [ground, bob], at: [0, 0, 0], axis: [0, 1, 0]" +
         stiffness + "}}\nanalysis: " + analysis + "\n";
}

TEST(StaticStability, AColumnBeyondItsBucklingLoadIsReportedWithTheLoadFactorWhereItBuckles) {
  const Equilibria s(column(2.3, 1e-8, "{type: static}"));
  ASSERT_TRUE(s.done()) << s.result.failure;
  ASSERT_EQ(s.path.warnings.size(), 1u);
  EXPECT_TRUE(s.warning().starts_with("unstable in 1 direction since load factor 0.43")) << s.warning();
  EXPECT_NE(s.warning().find("`stable: true` takes the stable branch"), std::string::npos) << s.warning();
  EXPECT_EQ(s.result.unstable, 1);
  EXPECT_LT(s.q.x[2].y(), 0);  // against the load across
}

// Clamped and pinned: k L = tan(k L) gives P_cr = 20.190729 EI/L^2. One load step leads beyond it, where the lowest
// stiffness is that of other shapes than at the start.
TEST(StaticStability, TheLoadFactorOfBucklingDoesNotDependOnTheLoadSteps) {
  const double critical = 2 * 20.190729;
  for (const double load : {1.02, 1.5, 2.0, 4.0, 8.0})
    for (const char* analysis : {"{type: static}", "{type: static, largest_step: 0.1}"}) {
      const Equilibria s(
          "nodes: {a: {position: [0, 0, 0], fixed: true}, b: {position: [1, 0, 0], fixed: [y, z]}}\n"
          "sections: {s: {stiffness: {EA: 1.0e+7, GAy: 1.0e+7, GAz: 1.0e+7, GJ: 3, EIy: 2, EIz: 5}, "
          "mass: {per_length: 1, inertia: [2.0e-5, 1.0e-5, 1.0e-5]}}}\n"
          "beams: {c: {from: a, to: b, section: s, elements: 8, order: 3}}\n" +
          fmt::format("forces: {{P: {{type: load, node: b, force: [{}, 0, 0]}}}}\nanalysis: {}\n", -load * critical,
                      analysis));
      ASSERT_TRUE(s.done()) << s.result.failure;
      ASSERT_FALSE(s.path.warnings.empty()) << load;
      const std::string head = "since load factor ";
      const std::size_t at = s.warning().find(head);
      ASSERT_NE(at, std::string::npos) << s.warning();
      EXPECT_NEAR(std::stod(s.warning().substr(at + head.size())), 1 / load, 1e-3 / load) << analysis;
    }
}

// Elastica: P / P_cr = (2 K(sin(alpha/2)) / pi)^2 gives alpha = 2.339992; x = 2 E/K - 1, y = 2 sin(alpha/2) / K.
TEST(StaticStability, TheStableBranchOfAColumnIsTheElasticaOnTheSideOfTheLoadAcross) {
  for (const double side : {1.0, -1.0}) {
    const Equilibria s(column(2.3, side * 1e-8, "{type: static, stable: true}"));
    ASSERT_TRUE(s.done()) << s.result.failure;
    EXPECT_TRUE(s.path.warnings.empty()) << s.warning();
    EXPECT_EQ(s.result.unstable, 0);
    EXPECT_EQ(s.note(), "at load factor 1 an unstable equilibrium was left for a stable one");
    EXPECT_LT((s.q.x[2] - Vec3(-0.0386992, side * 0.7730141, 0)).norm(), 1e-4);
    EXPECT_NEAR(math::so3::log(s.q.quat[2]).z(), side * 2.3399916, 1e-4);
  }
}

// Its path bends off where the straight one is unstable; the load across adds some 1e-5 of the axial one.
TEST(StaticStability, AColumnWithALoadAcrossFollowsItsStablePathByItself) {
  for (const double side : {1.0, -1.0}) {
    const Equilibria s(column(2.3, side * 1e-5, "{type: static}"));
    ASSERT_TRUE(s.done()) << s.result.failure;
    EXPECT_TRUE(s.path.warnings.empty()) << s.warning();
    EXPECT_TRUE(s.result.notes.empty()) << s.note();
    EXPECT_LT((s.q.x[2] - Vec3(-0.0386992, side * 0.7730141, 0)).norm(), 1e-4);
  }
}

TEST(StaticStability, APerfectlyStraightColumnBucklesToOneSideWhereAskedFor) {
  const Equilibria s(column(2.3, 0, "{type: static, stable: true}"));
  ASSERT_TRUE(s.done()) << s.result.failure;
  EXPECT_EQ(s.result.unstable, 0);
  EXPECT_NEAR(std::abs(s.q.x[2].y()), 0.7730141, 1e-4);
}

TEST(StaticStability, AColumnBelowItsBucklingLoadIsSilentWithTheSameBitsInBothWays) {
  const Equilibria plain(column(0.9, 1e-3, "{type: static}"));
  const Equilibria stable(column(0.9, 1e-3, "{type: static, stable: true}"));
  ASSERT_TRUE(plain.done() && stable.done());
  EXPECT_TRUE(plain.path.warnings.empty()) << plain.warning();
  EXPECT_TRUE(plain.result.notes.empty()) << plain.note();
  EXPECT_TRUE(stable.result.notes.empty()) << stable.note();
  EXPECT_EQ(plain.q.x[2], stable.q.x[2]);
}

// The tip's force turns with the tip: K has no symmetry, and no real negative eigenvalue that a motion would leave by.
// It is steps of the load that must not decide about that.
TEST(StaticStability, AFollowerLoadThatMayFlutterIsNoDivergence) {
  for (const char* force : {"19.088", "23.86"})
    for (const char* steps :
         {"", ", first_step: 0.01", ", largest_step: 0.05", ", stable: true", ", stable: true, largest_step: 0.1"}) {
      const Equilibria s(
          "nodes: {a: {position: [0, 0, 0], fixed: true}, t: {position: [0, 1, 0]}}\n"
          "sections: {s: {stiffness: {EA: 1.0e+5, GAy: 1.0e+5, GAz: 1.0e+5, GJ: 1, EIy: 1, EIz: 1}, "
          "mass: {per_length: 1, inertia: [0.001, 0.0005, 0.0005]}}}\n"
          "beams: {b: {section: s, from: a, to: t, elements: 10, order: 3}}\n"
          "forces: {p: {type: load, node: t, force: [0, 0, " +
          std::string(force) +
          "], follower: true}}\n"
          "analysis: {type: static" +
          steps + "}\n");
      EXPECT_TRUE(s.done()) << force << steps;
      EXPECT_TRUE(s.path.warnings.empty()) << force << steps << ": " << s.warning();
      EXPECT_EQ(s.result.unstable, 0) << force << steps;
    }
}

// k against m g l = 9.81: stable above, unstable below, since load factor k / (m g l).
TEST(StaticStability, AnUprightPendulumNeedsASpringThatHoldsItsWeight) {
  const Equilibria held(upright(", stiffness: 12", "{type: static}"));
  ASSERT_TRUE(held.done()) << held.result.failure;
  EXPECT_TRUE(held.path.warnings.empty()) << held.warning();
  const Equilibria weak(upright(", stiffness: 5", "{type: static}"));
  ASSERT_TRUE(weak.done()) << weak.result.failure;
  EXPECT_TRUE(
      weak.warning().starts_with("unstable in 1 direction since load factor 0.51: rotation of nodes.bob about "
                                 "joints.pin"))
      << weak.warning();
}

// k angle = m g l sin(angle) with k = 5.
TEST(StaticStability, TheStableBranchOfAnUprightPendulumLeansOnItsSpring) {
  const Equilibria s(upright(", stiffness: 5", "{type: static, stable: true}"));
  ASSERT_TRUE(s.done()) << s.result.failure;
  const double angle = std::atan2(std::abs(s.q.x[1].x()), s.q.x[1].z());
  EXPECT_GT(angle, 1);
  EXPECT_NEAR(5 * angle, 9.81 * std::sin(angle), 1e-8);
  EXPECT_EQ(s.result.unstable, 0);
}

TEST(StaticStability, AnUprightPendulumWithoutASpringEndsHanging) {
  const Equilibria plain(upright("", "{type: static}"));
  EXPECT_TRUE(
      plain.warning().starts_with("unstable in 1 direction since load factor 0: rotation of nodes.bob about "
                                  "joints.pin"))
      << plain.warning();
  const Equilibria s(upright("", "{type: static, stable: true}"));
  ASSERT_TRUE(s.done()) << s.result.failure;
  EXPECT_NEAR(s.q.x[1].z(), -0.5, 1e-9);
}

TEST(StaticStability, WhatWeightItselfHoldsIsStable) {
  const Equilibria s(
      "gravity: [0, 0, -9.81]\nnodes: {a: {position: [0, 0, -0.5]}, b: {position: [0, 0, -1.5]}}\n"
      "bodies: {a: {type: rigid_body, node: a, mass: 2, inertia: [0.1, 0.1, 0.1]}, "
      "b: {type: rigid_body, node: b, mass: 1, inertia: [0.1, 0.1, 0.1]}}\n"
      "joints: {p: {type: revolute, connects: [ground, a], at: [0, 0, 0], axis: [1, 2, 0]}, "
      "q: {type: revolute, connects: [a, b], at: [0, 0, -1], axis: [2, -1, 0]}}\nanalysis: {type: static}\n");
  ASSERT_TRUE(s.done()) << s.result.failure;
  EXPECT_TRUE(s.path.warnings.empty()) << s.warning();
  EXPECT_TRUE(s.result.notes.empty()) << s.note();
}

// Two pins in a row beside one: constraint equations that follow from others are dropped.
TEST(StaticStability, RedundantConstraintsDoNotCount) {
  for (const bool up : {false, true}) {
    const std::string z = up ? "0.5" : "-0.5";
    const Equilibria s("gravity: [0, 0, -9.81]\nconstraints: {redundant: resolve}\nnodes: {bob: {position: [0, 0, " +
                       z +
                       "]}}\nbodies: {bob: {type: rigid_body, node: bob, mass: 2, inertia: [0.1, 0.1, 0.1]}}\n"
                       "joints: {left: {type: revolute, connects: [ground, bob], at: [0, -1, 0], axis: [0, 1, 0]}, "
                       "right: {type: revolute, connects: [ground, bob], at: [0, 1, 0], axis: [0, 1, 0]}}\n"
                       "analysis: {type: static}\n");
    ASSERT_TRUE(s.done()) << s.result.failure;
    EXPECT_EQ(s.result.unstable, up ? 1 : 0);
  }
}

// A column of 2 m and of 2000 mm, with forces in N and in mN.
TEST(StaticStability, UnitsDoNotMatter) {
  const auto text = [](double unit) {
    const auto number = [](double x) { return std::to_string(x); };
    return "nodes: {a: {position: [0, 0, 0], fixed: true}, tip: {position: [" + number(2 * unit) +
           ", 0, 0]}}\nsections: {s: {stiffness: {EA: " + number(1e4 * unit) + ", GAy: " + number(1e4 * unit) +
           ", GAz: " + number(1e4 * unit) + ", GJ: " + number(std::pow(unit, 3)) +
           ", EIy: " + number(2 * std::pow(unit, 3)) + ", EIz: " + number(std::pow(unit, 3)) +
           "}, mass: {per_length: 1, inertia: [1, 1, 1]}}}\n"
           "beams: {c: {section: s, from: a, to: tip, orientation: [0, 1, 0], elements: 8}}\n"
           "forces: {press: {type: load, node: tip, force: [" +
           number(-1 * unit) + ", 0, 0]}}\nanalysis: {type: static}\n";
  };
  const Equilibria meters(text(1));
  const Equilibria millimeters(text(1000));
  ASSERT_FALSE(meters.warning().empty());
  const std::string text_in_meters = meters.warning();
  EXPECT_EQ(text_in_meters.substr(0, text_in_meters.find(':')),
            millimeters.warning().substr(0, millimeters.warning().find(':')));
}

TEST(StaticStability, AnArcThroughLimitPointsReportsItsUnstablePartInTheSummaryAlone) {
  const Equilibria s(
      "nodes: {left: {position: [-1, 0, 0], fixed: true}, right: {position: [1, 0, 0], fixed: true}, "
      "apex: {position: [0, 0.2, 0], fixed: [x, z], dofs: translation}}\n"
      "bodies: {apex: {type: point_mass, node: apex, mass: 1}}\n"
      "forces: {l: {type: spring_damper, connects: [left, apex], at: [[-1, 0, 0], [0, 0.2, 0]], stiffness: 1.0e+6}, "
      "r: {type: spring_damper, connects: [right, apex], at: [[1, 0, 0], [0, 0.2, 0]], stiffness: 1.0e+6}, "
      "push: {type: load, node: apex, force: [0, -4000, 0]}}\nanalysis: {type: static, control: arc_length}\n");
  ASSERT_TRUE(s.done()) << s.result.failure;
  EXPECT_TRUE(s.path.warnings.empty()) << s.warning();
  ASSERT_EQ(s.result.notes.size(), 2u);
  EXPECT_TRUE(s.note().starts_with("unstable in 1 direction since load factor 0.")) << s.note();
  EXPECT_TRUE(s.result.notes[1].starts_with("stable again at load factor")) << s.result.notes[1];
  EXPECT_EQ(s.result.unstable, 0);
}

// A moment of fixed direction has no potential: its stiffness is unsymmetric, and negative directions are coupled.
TEST(StaticStability, MomentsOfFixedDirectionAreANoteAndNoWarning) {
  const Equilibria s(
      "nodes: {clamp: {position: [0, 0, 0], fixed: true}, tip: {position: [10, 0, 0]}}\n"
      "sections: {s: {stiffness: {EA: 1.0e+4, GAy: 1.0e+4, GAz: 1.0e+4, GJ: 100, EIy: 100, EIz: 100}, "
      "mass: {per_length: 1, inertia: [0.02, 0.01, 0.01]}}}\n"
      "beams: {arm: {section: s, from: clamp, to: tip, orientation: [0, 1, 0], elements: 20}}\n"
      "forces: {roll: {type: load, node: tip, moment: [0, 0, \"=20*pi\"]}}\nanalysis: {type: static}\n");
  ASSERT_TRUE(s.done()) << s.result.failure;
  EXPECT_TRUE(s.path.warnings.empty()) << s.warning();
  EXPECT_NE(s.note().find("loads without a potential"), std::string::npos) << s.note();
}

TEST(StaticStability, StableGoesWithLoadStepsAlone) {
  const std::string refusal = support::refusal_of("format: polhode-deck/1\n" +
                                                  column(1, 0, "{type: static, control: arc_length, stable: true}"));
  EXPECT_NE(refusal.find("analysis.stable: excludes control: arc_length"), std::string::npos) << refusal;
}

// A hinged body beside a beam that sags: what is free is named, whatever holds it on the way.
TEST(StaticStability, AFailedPathNeverSaysThatItConverged) {
  const Equilibria s(
      "gravity: [0, 0, -9.81]\n"
      "nodes: {b1: {position: [0.3, 0.2, -0.55]}, r: {position: [5, 0, 0], fixed: true}, s: {position: [6, 0.3, "
      "0.1]}}\n"
      "sections: {s: {stiffness: {EA: 1.0e+9, GAy: 1.0e+9, GAz: 1.0e+9, GJ: 5, EIy: 10, EIz: 1}, "
      "mass: {per_length: 1, inertia: [0.02, 0.01, 0.01]}}}\n"
      "beams: {c: {section: s, from: r, to: s, orientation: [0, 1, 0], elements: 3, order: 2}}\n"
      "bodies: {b1: {type: rigid_body, node: b1, mass: 1, inertia: [1, 1, 1]}}\n"
      "joints: {p: {type: revolute, connects: [ground, b1], at: [0.3, 0.2, 0], axis: [0.6, 0.5, 0]}}\n"
      "analysis: {type: static}\n");
  EXPECT_EQ(s.result.failure.find("converged even"), std::string::npos) << s.result.failure;
}

}  // namespace
}  // namespace polhode::analyses
