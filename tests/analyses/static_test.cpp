// SPDX-License-Identifier: BSD-3-Clause
// Statics: equilibria of constrained models, free motions in words, rotating frames, exact tangents.
#include "polhode/analyses/static/static.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "polhode/analyses/initial/initial.hpp"
#include "polhode/analyses/motion/rotating.hpp"
#include "polhode/analyses/transient/transient.hpp"
#include "support/deck_text.hpp"
#include "support/places.hpp"
#include "support/statics.hpp"

namespace polhode::analyses {
namespace {

using math::Vec3;
using math::Vec6;
using model::State;
using support::PathKeeper;

const std::string head = "format: polhode-deck/1\n";

// A driven hinge and a torsion spring beside it: both count its angle. The angle and the type of analysis are open.
constexpr const char* turned_by =
    "nodes: {{b: {{position: [1, 0, 0]}}}}\n"
    "bodies: {{b: {{type: rigid_body, node: b, mass: 2, inertia: [0.1, 0.2, 0.25]}}}}\n"
    "joints: {{j: {{type: revolute, connects: [ground, b], at: [0, 0, 0], axis: [0, 0, 1], rotation: {0}}}}}\n"
    "forces: {{s: {{type: torsional_spring_damper, connects: [ground, b], axis: [0, 0, 1], stiffness: 3}}}}\n"
    "analysis: {{type: {1}}}\n";

struct StaticDeck {
  explicit StaticDeck(const std::string& text, double time = 0) : deck(support::deck_of(head + text)) {
    model::Problems problems;
    system = assembly::System::make(deck.model, problems);
    if (!system) throw std::runtime_error(problems.front().path + ": " + problems.front().message);
    path = support::path_of(*system, *deck.analyses.front().as<StaticSettings>(), time, result, q);
  }
  bool done() const { return result.end == StaticResult::End::done; }
  double unbalance() const {
    assembly::Residual r = system->make_residual();
    system->set_residual(q, r);
    return system->force_norm(r);
  }
  io::Deck deck;
  std::optional<assembly::System> system;
  StaticResult result;
  State q;
  PathKeeper path;
};

std::string pendulum(const std::string& position, const std::string& rest = "analysis: {type: static}\n") {
  return "gravity: [0, 0, -9.81]\nnodes: {bob: {position: " + position +
         "}}\nbodies: {bob: {type: rigid_body, node: bob, mass: 2, inertia: [0.1, 0.1, 0.1]}}\n"
         "joints: {pin: {type: revolute, connects: [ground, bob], at: [0, 0, 0], axis: [0, 1, 0]}}\n" +
         rest;
}

TEST(Static, APendulumThatHangsIsInEquilibriumByItsWeightAlone) {
  const StaticDeck s(pendulum("[0, 0, -0.5]"));
  ASSERT_TRUE(s.done()) << s.result.failure;
  EXPECT_NEAR(s.q.x[1].z(), -0.5, 1e-12);
  EXPECT_LT(s.unbalance(), 1e-9);
}

TEST(Static, APendulumOutOfEquilibriumComesToRestBelowItsPin) {
  for (const char* start : {"[0.5, 0, 0]", "[0.001, 0, -0.499999]", "[0.001, 0, 0.499999]"}) {
    const StaticDeck s(pendulum(start));
    ASSERT_TRUE(s.done()) << start << s.result.failure;
    EXPECT_NEAR(s.q.x[1].x(), 0, 1e-9) << start;
    EXPECT_NEAR(s.q.x[1].z(), -0.5, 1e-6) << start;
    EXPECT_LT(s.unbalance(), 1e-7) << start;
    EXPECT_EQ(s.result.unstable, 0) << start;
  }
}

TEST(Static, ABodyThatNothingHoldsStaysAndIsReportedInOneLine) {
  const StaticDeck s(
      "nodes: {a: {position: [1, 2, 3]}}\nbodies: {a: {type: rigid_body, node: a, mass: 2, inertia: [1, 1, 1]}}\n"
      "analysis: {type: static}\n");
  ASSERT_TRUE(s.done()) << s.result.failure;
  ASSERT_EQ(s.path.warnings.size(), 1u);
  EXPECT_EQ(s.path.warnings[0], "six free motions: the model is not held; it stays where it is");
  EXPECT_EQ(s.q.x[1], Vec3(1, 2, 3));
}

TEST(Static, SixFreeMotionsOfTwoPartsAreReportedOneByOne) {
  const StaticDeck s(
      "nodes: {a: {position: [1, 2, 3], fixed: [rx, ry, rz]}, b: {position: [0, 1, 0], fixed: [rx, ry, rz]}}\n"
      "bodies: {a: {type: rigid_body, node: a, mass: 2, inertia: [1, 1, 1]}, "
      "b: {type: rigid_body, node: b, mass: 2, inertia: [1, 1, 1]}}\n"
      "analysis: {type: static}\n");
  ASSERT_TRUE(s.done()) << s.result.failure;
  ASSERT_EQ(s.path.warnings.size(), 6u);
  EXPECT_TRUE(std::all_of(s.path.warnings.begin(), s.path.warnings.end(), [](const std::string& line) {
    return line.starts_with("free to move, held: translation of nodes.");
  }));
}

TEST(Static, ASliderAndABeamThatGoesWithItMoveAsOne) {
  const StaticDeck s(
      "nodes: {a: {position: [0, 0, 0]}, b: {position: [1, 0, 0]}}\n"
      "sections: {bar: {stiffness: {EA: 100, GAy: 100, GAz: 100, GJ: 1, EIy: 1, EIz: 1}, "
      "mass: {per_length: 1, inertia: [1, 1, 1]}}}\n"
      "beams: {bar: {section: bar, from: a, to: b, elements: 3}}\n"
      "joints: {slide: {type: prismatic, connects: [ground, a], at: [0, 0, 0], axis: [0, 1, 0]}}\n"
      "forces: {push: {type: load, node: b, force: [0, 1, 0]}}\nanalysis: {type: static}\n");
  EXPECT_EQ(s.result.failure, "the model is free to move, and its loads drive it:");
  EXPECT_NE(s.result.details.front().find("translation of "), std::string::npos) << s.result.details.front();
  EXPECT_NE(s.result.details.front().find("along [0, 1, 0]"), std::string::npos) << s.result.details.front();
}

// k (r - l) = m omega^2 r
TEST(Static, AMassOnASpringTurnsAtTheRadiusOfTheClosedForm) {
  const StaticDeck s(
      "nodes: {a: {position: [1, 0, 0], dofs: translation}}\nbodies: {a: {type: point_mass, node: a, mass: 2}}\n"
      "forces: {spring: {type: spring_damper, connects: [ground, a], at: [[0, 0, 0], [1, 0, 0]], stiffness: 100, "
      "damping: 7}}\n"
      "joints: {line: {type: point_on_line, connects: [ground, a], at: [1, 0, 0], axis: [1, 0, 0]}}\n"
      "analysis: {type: static, rotation: {axis: [0, 0, 2], speed: 4}}\n");
  ASSERT_TRUE(s.done()) << s.result.failure;
  EXPECT_NEAR(s.q.x[1].x(), 100.0 / (100 - 2 * 16), 1e-10);
  EXPECT_NEAR(s.q.v[1][1], 4 * s.q.x[1].x(), 1e-9);
  EXPECT_NEAR(s.q.vdot[1][0], -16 * s.q.x[1].x(), 1e-8);
}

// The tangent in a rotating frame against differences of the residual, of bodies and beams off the axis.
TEST(Static, TangentOfARotatingFrameIsExact) {
  const std::string text =
      "gravity: [0.3, -0.2, 9.81]\n"
      "nodes: {a: {position: [1, 0.2, 0.1]}, b: {position: [2, 0.7, -0.3]}, c: {position: [0, 1, 0], fixed: [x, y, "
      "z]}}\n"
      "sections: {bar: {stiffness: {EA: 100, GAy: 100, GAz: 100, GJ: 1, EIy: 2, EIz: 1}, "
      "mass: {per_length: 1, inertia: [3, 1, 2]}}}\n"
      "bodies: {a: {type: rigid_body, node: a, mass: 2, inertia: [1, 2, 2.5], center_of_mass: [0.1, 0.2, -0.3]}, "
      "c: {type: rigid_body, node: c, mass: 1, inertia: [1, 2, 2.5]}}\n"
      "beams: {bar: {section: bar, from: a, to: b, elements: 2}, bow: {section: bar, from: b, to: c, order: 2}}\n"
      "forces: {f: {type: load, node: b, force: [1, 2, 3], moment: [1, 0, 2], follower: true}, "
      "d: {type: spring_damper, connects: [ground, a], at: [[0, 0, 0], [1, 0.2, 0.3]], stiffness: 3, damping: 2}}\n"
      "analysis: {type: static}\n";
  io::Deck deck = support::deck_of(head + text);
  model::Problems problems;
  auto system = assembly::System::make(deck.model, problems);
  ASSERT_TRUE(system);
  State q = system->initial_state();
  std::vector<Vec6> dx(system->nodes());
  for (std::size_t i = 1; i < dx.size(); ++i)
    dx[i] << 0.1 * std::sin(i), 0.2 * std::cos(i), -0.1, 0.3, 0.2 * std::sin(3 * i), 0.1;
  const auto moved = [&](const State& from, const std::vector<Vec6>& by, double factor) {
    State to = from;
    std::vector<Vec6> scaled = by;
    for (std::size_t i = 0; i < scaled.size(); ++i)
      for (int k = 0; k < 6; ++k) scaled[i][k] *= system->node(i).removed[k] ? 0 : factor;
    scaled[0].setZero();
    move(to, scaled);
    return to;
  };
  q = moved(q, dx, 1);
  const Rotation rotation{Vec3(1, 2, -0.5).normalized(), 1.7, Vec3(0.3, -0.1, 0.2)};
  const auto residual = [&](State at) {
    set_steady_rotation(rotation, 1, at);
    assembly::Residual r = system->make_residual();
    system->set_residual(at, r);
    math::VectorX all(system->size());
    system->gather(r, {}, 1, all);
    return all;
  };
  assembly::SparseMatrix matrix = system->make_matrix();
  State turning = q;
  set_steady_rotation(rotation, 1, turning);
  RotatingTangent(*system).set_matrix(rotation, 1, turning, 1, matrix);
  for (std::size_t node = 1; node < system->nodes(); ++node)
    for (int k = 0; k < 6; ++k) {
      if (system->unknowns()[node].local[static_cast<std::size_t>(k)] < 0) continue;
      const int column = system->unknowns()[node].first + system->unknowns()[node].local[static_cast<std::size_t>(k)];
      std::vector<Vec6> one(system->nodes(), Vec6::Zero());
      one[node][k] = 1;
      const double h = 1e-5;
      const math::VectorX by_differences = (residual(moved(q, one, h)) - residual(moved(q, one, -h))) / (2 * h);
      math::VectorX exact = math::VectorX::Zero(system->size());
      for (int p = matrix.column_start[column]; p < matrix.column_start[column + 1]; ++p)
        exact[matrix.row[p]] = matrix.at(p);
      EXPECT_LT((exact - by_differences).norm(), 1e-6 * (1 + exact.norm())) << system->name_of(column);
    }
}

// Newton's last iterations are quadratic only with the unsymmetric tangent of follower loads.
TEST(Static, FollowerLoadsConvergeQuadratically) {
  const StaticDeck s(
      "nodes: {a: {position: [0, 0, 0], fixed: true}, b: {position: [1, 0, 0]}}\n"
      "sections: {bar: {stiffness: {EA: 1000, GAy: 1000, GAz: 1000, GJ: 1, EIy: 1, EIz: 1}, "
      "mass: {per_length: 1, inertia: [1, 1, 1]}}}\n"
      "beams: {bar: {section: bar, from: a, to: b, elements: 8}}\n"
      "forces: {push: {type: load, node: b, force: [0, 0, 4], moment: [0.3, 0, 0], follower: true}}\n"
      "analysis: {type: static}\n");
  ASSERT_TRUE(s.done()) << s.result.failure;
  EXPECT_LT(s.unbalance(), 1e-9);
  EXPECT_LE(s.result.iterations + s.result.wasted, 20);
}

// A driven hinge that turns a beam by one and a half turns: the load factor takes the drive along, turn by turn.
TEST(Static, DrivesGrowWithTheLoadFactorOverSeveralTurns) {
  const std::string text =
      "nodes: {a: {position: [0, 0, 0]}, b: {position: [1, 0, 0], fixed: true}}\n"
      "sections: {bar: {stiffness: {EA: 1000, GAy: 1000, GAz: 1000, GJ: 1, EIy: 1, EIz: 1}, "
      "mass: {per_length: 1, inertia: [1, 1, 1]}}}\n"
      "beams: {bar: {section: bar, from: a, to: b, elements: 6}}\n"
      "joints: {drive: {type: revolute, connects: [ground, a], at: [0, 0, 0], axis: [1, 0, 0], rotation: \"=t\"}}\n"
      "analysis: {type: static}\n";
  const double angle = 3 * std::numbers::pi;
  const StaticDeck s(text, angle);
  ASSERT_TRUE(s.done()) << s.result.failure;
  // torque GJ / L times the angle, on b = node a
  EXPECT_NEAR(std::abs(s.q.lambda[5]), angle, 1e-8);
  EXPECT_NEAR(s.q.history[0], angle, 1e-10);
}

// The first equilibrium is the deck's configuration, in which all angles are zero, wherever drives go to from there.
TEST(Static, AnglesOfDrivenJointsBeginAtZeroAndEndWithTheirDrives) {
  for (const double angle : {1.5, 4.0, 7.0, -100.0}) {
    const StaticDeck s(fmt::format(turned_by, angle, "static"));
    ASSERT_TRUE(s.done()) << s.result.failure;
    for (int counted = 0; counted < 2; ++counted) {
      EXPECT_NEAR(s.path.states.front().history[counted], 0, 1e-12) << counted;
      EXPECT_NEAR(s.q.history[counted], angle, 1e-12 * std::abs(angle)) << counted;
    }
  }
}

// What an analysis of type initial has put where its drive wants it, stays there while the load factor grows.
TEST(Static, DrivesThatAnInitialAnalysisHasMetStayMet) {
  StaticDeck s(
      "gravity: [0, 0, -9.81]\nnodes: {a: {position: [0.5, 0, 0]}}\n"
      "bodies: {a: {type: rigid_body, node: a, mass: 2, inertia: [0.1, 0.1, 0.1]}}\n"
      "joints: {pin: {type: revolute, connects: [ground, a], at: [0, 0, 0], axis: [0, 1, 0], rotation: 0.3}}\n"
      "analysis: {type: static}\n");
  State q = s.system->initial_state();
  std::vector<NodeChange> changes;
  std::string redundant;
  model::Problems problems;
  ASSERT_TRUE(meet_all_constraints(*s.system, q, changes, redundant, problems));
  PathKeeper path;
  const StaticResult result = run_static(*s.system, {}, false, q, path, problems);
  ASSERT_TRUE(problems.empty()) << problems[0].message;
  ASSERT_EQ(result.end, StaticResult::End::done) << result.failure;
  for (const State& state : path.states) EXPECT_NEAR(state.x[1].z(), -0.5 * std::sin(0.3), 1e-12);
  EXPECT_NEAR(std::abs(q.lambda[5]), 2 * 9.81 * 0.5 * std::cos(0.3), 1e-9);
}

TEST(Static, ATransientStartsFromTheEquilibriumAndStaysThere) {
  const StaticDeck s(
      "gravity: [0, 0, -9.81]\nnodes: {a: {position: [0, 0, 0], fixed: true}, b: {position: [1, 0, 0]}}\n"
      "sections: {bar: {stiffness: {EA: 1000, GAy: 1000, GAz: 1000, GJ: 1, EIy: 1, EIz: 1}, "
      "mass: {per_length: 1, inertia: [0.1, 0.1, 0.1]}}}\n"
      "beams: {bar: {section: bar, from: a, to: b, elements: 4}}\nanalysis: {type: static}\n");
  ASSERT_TRUE(s.done()) << s.result.failure;
  struct Silent final : Observer {
    void observe(const State&, const integrators::StepRecord&, const Progress&, bool) override {}
    void warn(const std::string&) override {}
  };
  Silent silent;
  State q = s.q;
  assembly::System system = *assembly::System::make(s.deck.model, *std::make_unique<model::Problems>());
  model::Problems problems;
  TransientSettings settings;
  settings.duration = 1;
  settings.step = 0.02;
  ASSERT_EQ(run_transient(system, settings, q, 0, silent, problems).end, TransientResult::End::done);
  for (std::size_t i = 0; i < q.x.size(); ++i) EXPECT_LT((q.x[i] - s.q.x[i]).norm(), 1e-10);
}

// Load steps and arc length: behind the n-th look the last equilibrium before it is the end.
TEST(Static, EndsWhereItIsAskedToAtTheLastEquilibrium) {
  struct Stopped final : analyses::StaticObserver {
    int looks = 0;
    mutable int asked = 0;
    std::vector<double> loads;
    void observe(const State&, const StaticStep& step, bool) override { loads.push_back(step.load_factor); }
    bool interrupted() const override { return ++asked >= looks; }
    void warn(const std::string&) override {}
  };
  for (const StaticSettings::Control control : {StaticSettings::Control::load, StaticSettings::Control::arc_length})
    for (const int looks : {1, 2, 3, 6}) {
      const io::Deck deck = io::read_deck(POLHODE_SOURCE_DIR "/inputs/benchmarks/elastica.yaml");
      model::Problems problems;
      const auto system = assembly::System::make(deck.model, problems);
      ASSERT_TRUE(system);
      StaticSettings settings;
      settings.control = control;
      Stopped observer;
      observer.looks = looks;
      State q = system->initial_state();
      const StaticResult result = run_static(*system, settings, false, q, observer, problems);
      EXPECT_EQ(result.end, StaticResult::End::interrupted) << looks << ' ' << result.failure;
      ASSERT_FALSE(observer.loads.empty());
      EXPECT_EQ(observer.loads.back(), result.load_factor);
      EXPECT_LT(result.load_factor, 1);
      EXPECT_LE(observer.asked, looks + 20) << "nothing long is begun any more";
    }
}

// Round-off of the forces in a skew beam that nothing loads moves it by some 1e-15 m from one load step to the next.
TEST(Static, AModelThatNothingLoadsIsInEquilibriumAsItIs) {
  for (const int order : {1, 2, 3})
    for (const double turn : {-1.31, 0.2, 2.0}) {
      const StaticDeck unloaded(fmt::format(
          "nodes: {{a: {{position: [0.149, 0.582, 0.83], fixed: true}}, b: {{position: [1.65, 1.58, -0.0373]}}}}\n"
          "sections: {{s: {{shape: rectangle, width: 0.02, height: 0.01, E: 2.0e+11, nu: 0.3, density: 7800}}}}\n"
          "beams: {{m: {{section: s, from: a, to: b, elements: 8, order: {}, orientation: [0.664, {}, 1]}}}}\n"
          "analysis: {{type: static}}\n",
          order, turn));
      EXPECT_TRUE(unloaded.done()) << order << " " << turn;
    }
}

// Two bodies that a drive wants 0.4 m further apart move along their line, the lighter one by more.
TEST(Initial, TheLeastChangeIsThatWeightedByMass) {
  const io::Deck deck =
      support::deck_of(head +
                       "nodes: {a: {position: [0, 0, 0]}, b: {position: [3, 0, 0], velocity: [0, 0, 1]}}\n"
                       "bodies: {a: {type: rigid_body, node: a, mass: 1, inertia: [1, 1, 1]}, "
                       "b: {type: rigid_body, node: b, mass: 3, inertia: [1, 1, 1]}}\n"
                       "joints: {rod: {type: motion, connects: [a, b], at: [0, 0, 0], axes: [[1, 0, 0], [0, 1, 0]], "
                       "motion: {x: \"=0.4 + 2*t\"}}}\n"
                       "analysis: {type: initial}\n");
  model::Problems problems;
  auto system = assembly::System::make(deck.model, problems);
  ASSERT_TRUE(system) << problems.front().message;
  State q = system->initial_state();
  std::vector<NodeChange> changes;
  std::string redundant;
  ASSERT_TRUE(meet_all_constraints(*system, q, changes, redundant, problems)) << problems.front().message;
  EXPECT_LT((q.x[1] - Vec3(-0.3, 0, 0)).norm(), 1e-12);
  EXPECT_LT((q.x[2] - Vec3(3.1, 0, 0)).norm(), 1e-12);
  EXPECT_LT((q.v[1].head<3>() - Vec3(-1.5, 0, 0)).norm(), 1e-12);
  EXPECT_LT((q.v[2].head<3>() - Vec3(0.5, 0, 1)).norm(), 1e-12);
  ASSERT_EQ(changes.size(), 2u);
  EXPECT_EQ(changes[0].node, 1);  // the largest first
  EXPECT_NEAR(changes[0].move, 0.3, 1e-12);
  EXPECT_NEAR(changes[1].velocity, 0.5, 1e-12);
}

const std::string far_from_the_drive =
    "nodes: {a: {position: [0.5, 0, 0]}, b: {position: [1.5, 0.01, 0.1]}}\n"
    "bodies: {a: {type: rigid_body, node: a, mass: 2, inertia: [0.01, 0.01, 0.01]}, "
    "b: {type: rigid_body, node: b, mass: 1, inertia: [0.01, 0.01, 0.01]}}\n"
    "joints: {pin: {type: revolute, connects: [ground, a], at: [0, 0, 0], axis: [0, 1, 0], rotation: 0.8}, "
    "link: {type: spherical, connects: [a, b], at: [1, 0, 0]}}\nanalysis: {type: initial}\n";

// The system of a deck at its start, and what `initial` makes of it.
struct InitialDeck {
  explicit InitialDeck(const std::string& text) : deck(support::deck_of(head + text)) {
    system = assembly::System::make(deck.model, problems);
    if (!system) throw std::runtime_error(problems.front().path + ": " + problems.front().message);
    q = start = system->initial_state();
  }
  bool meet(const math::StopRequest& stop = {}) {
    return meet_all_constraints(*system, q, changes, redundant, problems, stop);
  }
  io::Deck deck;
  std::optional<assembly::System> system;
  State start;
  State q;
  std::vector<NodeChange> changes;
  std::string redundant;
  model::Problems problems;
};

// A drive of 7 rad leads to where one of 0.717 rad does; what counts angles has to be told apart on the way there.
TEST(Initial, CountsTheTurnsOfDrivesInAllThatCountsAngles) {
  for (const double angle : {1.5, 4.0, 7.0, -100.0}) {
    InitialDeck initial(fmt::format(turned_by, angle, "initial"));
    ASSERT_TRUE(initial.meet()) << initial.problems.front().message;
    EXPECT_LT((initial.q.x[1] - Vec3(std::cos(angle), std::sin(angle), 0)).norm(), 1e-12);
    for (int counted = 0; counted < 2; ++counted)
      EXPECT_NEAR(initial.q.history[counted], angle, 1e-12 * std::abs(angle)) << counted;
    // A second one finds all as it should be, and so does a static analysis.
    ASSERT_TRUE(initial.meet());
    PathKeeper path;
    EXPECT_NEAR(initial.q.history[1], angle, 1e-12 * std::abs(angle));
    const StaticResult result = run_static(*initial.system, {}, false, initial.q, path, initial.problems);
    ASSERT_EQ(result.end, StaticResult::End::done) << result.failure;
    for (int counted = 0; counted < 2; ++counted)
      EXPECT_NEAR(initial.q.history[counted], angle, 1e-12 * std::abs(angle)) << counted;
  }
}

// The wheel turns by 7/2.5 rad, not by 0.717/2.5.
TEST(Initial, TurnsAWheelAsFarAsItsPinionOverSeveralTurns) {
  InitialDeck initial(
      "nodes: {a: {position: [0, 0, 0]}, b: {position: [0.2, 0, 0]}}\n"
      "bodies: {a: {type: rigid_body, node: a, mass: 1, inertia: [1, 1, 1]}, "
      "b: {type: rigid_body, node: b, mass: 1, inertia: [1, 1, 1]}}\n"
      "joints: {motor: {type: revolute, connects: [ground, a], at: [0, 0, 0], axis: [0, 0, 1], rotation: 7}, "
      "wheel: {type: revolute, connects: [ground, b], at: [0.2, 0, 0], axis: [0, 0, 1]}, "
      "teeth: {type: coupling, joints: {motor: 1, wheel: 2.5}}}\nanalysis: {type: initial}\n");
  ASSERT_TRUE(initial.meet()) << initial.problems.front().message;
  EXPECT_NEAR(math::so3::log(initial.q.quat[2]).z(), -7 / 2.5, 1e-12);
}

// The matrix of such joints is singular, however exactly the deck meets them.
TEST(Initial, NamesEquationsThatFollowFromOthersWhereTheDeckMeetsAll) {
  InitialDeck initial(
      "nodes: {b: {position: [1, 0.3, 0]}}\n"
      "bodies: {b: {type: rigid_body, node: b, mass: 1, inertia: [1, 1, 1]}}\n"
      "joints: {p: {type: spherical, connects: [ground, b], at: [0, 0, 0]}, "
      "q: {type: spherical, connects: [ground, b], at: [0.3, 1, 0.2]}}\nanalysis: {type: initial}\n");
  EXPECT_FALSE(initial.meet());
  ASSERT_EQ(initial.problems.size(), 1u);
  EXPECT_TRUE(initial.problems[0].path == "joints.p" || initial.problems[0].path == "joints.q");
  EXPECT_NE(initial.problems[0].message.find("over-constrained: the constraint equations [position "),
            std::string::npos)
      << initial.problems[0].message;
}

TEST(Initial, EndsWhereItIsAskedToAndMovesNothing) {
  for (const int looks : {1, 2, 5, 8}) {
    InitialDeck initial(far_from_the_drive);
    int asked = 0;
    EXPECT_FALSE(initial.meet([&] { return ++asked >= looks; })) << looks;
    EXPECT_TRUE(initial.problems.empty()) << initial.problems.front().message;
    EXPECT_TRUE(initial.changes.empty());
    EXPECT_EQ(initial.q.x, initial.start.x);
    EXPECT_LE(asked, looks + 3) << "nothing long is begun any more";
  }
}

// A drive far from the position of the deck: Phi and B v + Phi_t are met, and no nearby position is nearer.
TEST(Initial, FarFromTheStartTheChangeIsStillTheLeast) {
  InitialDeck initial(far_from_the_drive);
  ASSERT_TRUE(initial.meet()) << initial.problems.front().message;
  const State& start = initial.start;
  const State& q = initial.q;
  assembly::Residual r = initial.system->make_residual();
  initial.system->set_residual(q, r);
  EXPECT_LT(r.phi.norm(), 1e-14);
  // of b alone the orientation is free: M w is normal to it about the joint's point, w the way
  const auto cost = [&](const Vec3& turn) {
    const math::so3::Quaternion more = math::so3::exp_quaternion(turn);
    const math::so3::Quaternion to = q.quat[2] * more;
    const Vec3 pivot = q.x[2] + q.R[2] * (start.R[2].transpose() * (Vec3(1, 0, 0) - start.x[2]));
    const Vec3 x = pivot + to.toRotationMatrix() * (start.R[2].transpose() * (start.x[2] - Vec3(1, 0, 0)));
    return (x - start.x[2]).squaredNorm() + 0.01 * math::so3::log(start.quat[2].conjugate() * to).squaredNorm();
  };
  for (int k = 0; k < 3; ++k) {
    const double slope = (cost(1e-4 * Vec3::Unit(k)) - cost(-1e-4 * Vec3::Unit(k))) / 2e-4;
    EXPECT_NEAR(slope, 0, 2e-2 * cost(Vec3::Zero())) << k;
  }
}

}  // namespace
}  // namespace polhode::analyses
