// SPDX-License-Identifier: BSD-3-Clause
// Random trees and loops whose joints are given coordinates: the posture is found, or the loop that does not close named.
#include <gtest/gtest.h>

#include <numbers>

#include "polhode/analyses/initial/posture.hpp"
#include "support/postures.hpp"

namespace polhode::support::posture_random_test {
namespace {

using math::so3::Quaternion;

// Of a joint, measured on a state without the solver's own functions.
struct Coordinates {
  double angle;
  double displacement;
  double angle_rate;
  double displacement_rate;
};

// Positions and velocities of the joint's point on both nodes; the angle up to whole turns.
Coordinates coordinates_of(const assembly::System& system, const State& q, std::string_view name) {
  const State deck = system.initial_state();
  for (const model::JointTopology& joint : system.joints()) {
    const model::Entry& entry = system.model().entries[static_cast<std::size_t>(joint.entry)];
    if (entry.name != name) continue;
    const std::size_t a = joint.nodes[0];
    const std::size_t b = joint.nodes[1];
    const Mat3 turn_a = q.R[a] * deck.R[a].transpose();
    const Mat3 turn_b = q.R[b] * deck.R[b].transpose();
    const Vec3 axis = entry.vector3("axis").normalized();
    const Vec3 omega_a = q.R[a] * q.v[a].tail<3>();
    const Vec3 omega_b = q.R[b] * q.v[b].tail<3>();
    const Vec3 at_a = q.x[a] + q.R[a] * joint.offsets[0];
    const Vec3 at_b = q.x[b] + q.R[b] * joint.offsets[1];
    const Vec3 slip = q.v[b].head<3>() + omega_b.cross(at_b - q.x[b]) - q.v[a].head<3>() - omega_a.cross(at_b - q.x[a]);
    const Vec3 now = turn_a * axis;
    return {axis.dot(math::so3::log(Mat3(turn_a.transpose() * turn_b))), now.dot(at_b - at_a),
            now.dot(omega_b - omega_a), now.dot(slip)};
  }
  throw std::logic_error("no such joint");
}

// The angle that a joint without drive and law counts.
double angle_of(const assembly::System& system, const State& q, std::string_view name) {
  for (const auto& batch : system.batches())
    for (std::size_t e = 0; e < batch->size(); ++e)
      if (system.model().entries[static_cast<std::size_t>(batch->entry_of(e))].name == name)
        return q.history[batch->first_history() + static_cast<int>(e) * batch->history()];
  throw std::logic_error("no such joint");
}

void expect_angle(double measured, double given, double tolerance, const std::string& what) {
  EXPECT_NEAR(std::remainder(measured - given, 2 * std::numbers::pi), 0, tolerance) << what;
}

// Bodies on hinges and slides, some of them two bodies with a beam between, in any order.
struct RandomTree {
  ModelMaker m;
  std::map<std::string, Coordinates> given;
};

void make_tree(std::mt19937& random, RandomTree& tree) {
  ModelMaker& m = tree.m;
  Vec6 stiffness;
  stiffness << 1e6, 1e5, 1e5, 1e3, 1e3, 1e3;
  m.section("s", stiffness, 1, Vec3(2e-3, 1e-3, 1e-3));
  const int bodies = 2 + static_cast<int>(random() % 7);
  std::vector<std::string> names{"ground"};
  for (int i = 0; i < bodies; ++i) {
    const std::string name = "b" + std::to_string(i);
    const std::string joint = "j" + std::to_string(i);
    const Vec3 position = random_vector(random, 2);
    const std::string inboard = names[random() % names.size()];
    add_body(m, name, position, random);
    // Which end comes first makes no difference for a tree but the sign.
    const bool turned_round = random() % 3 == 0;
    const char* const types[] = {"revolute", "prismatic", "cylindrical"};
    const int type = static_cast<int>(random() % 3);
    model::Entry& entry = m.joint(types[type], joint, turned_round ? name : inboard, turned_round ? inboard : name,
                                  Vec3(random_vector(random, 2)));
    entry.values.emplace("axis", value(Vec3(2 * random_direction(random))));
    const Coordinates c{uniform(random, -4, 4), uniform(random, -1, 1), uniform(random, -2, 2), uniform(random, -1, 1)};
    const bool is_given = random() % 4 != 0;
    tree.given.emplace(joint, is_given ? Coordinates{type == 1 ? 0 : c.angle, type == 0 ? 0 : c.displacement,
                                                     type == 1 ? 0 : c.angle_rate, type == 0 ? 0 : c.displacement_rate}
                                       : Coordinates{0, 0, 0, 0});
    if (is_given && type == 0) {
      entry.values.emplace("initial.angle", c.angle);
      entry.values.emplace("initial.rate", c.angle_rate);
    } else if (is_given && type == 1) {
      entry.values.emplace("initial.displacement", c.displacement);
      entry.values.emplace("initial.rate", c.displacement_rate);
    } else if (is_given) {
      entry.values.emplace("initial.angle", c.angle);
      entry.values.emplace("initial.angle_rate", c.angle_rate);
      entry.values.emplace("initial.displacement", c.displacement);
      entry.values.emplace("initial.displacement_rate", c.displacement_rate);
    }
    names.push_back(name);
  }
  // A beam from the last body to one more, which hangs on nothing else.
  add_body(m, "tip", Vec3(m.model.nodes.back().position + Vec3(1, 0.2, 0)), random);
  m.add(Family::beam, "beam", "arm",
        {{"section", value("s")},
         {"from", value(names.back().c_str())},
         {"to", value("tip")},
         {"elements", 3.0},
         {"orientation", value(Vec3(0, 0, 1))}});
  // As in a deck, bodies and beams stand before joints.
  std::stable_sort(m.model.entries.begin(), m.model.entries.end(),
                   [](const model::Entry& a, const model::Entry& b) { return a.family < b.family; });
}

TEST(PostureRandom, TreesHaveTheirCoordinatesAndNoStrain) {
  for (unsigned seed = 1; seed <= 100; ++seed) {
    std::mt19937 random(seed);
    RandomTree tree;
    make_tree(random, tree);
    const Machine machine(std::move(tree.m.model));
    State q = machine.system.initial_state();
    analyses::PostureReport report;
    model::Problems problems;
    const bool any = analyses::gives_coordinates(machine.model);
    ASSERT_TRUE(analyses::set_coordinates(machine.system, q, report, problems)) << "seed " << seed;
    EXPECT_EQ(report.summary.empty(), !any) << "seed " << seed;
    EXPECT_LE(violation(machine.system, q), 1e-12) << "seed " << seed;
    EXPECT_LE(rate_violation(machine.system, q), 1e-11) << "seed " << seed;
    EXPECT_LE(machine.system.energies(q).strain, 1e-18) << "seed " << seed;
    for (const auto& [name, c] : tree.given) {
      const std::string what = "seed " + std::to_string(seed) + ", " + name;
      const Coordinates found = coordinates_of(machine.system, q, name);
      expect_angle(found.angle, c.angle, 1e-12, what);
      EXPECT_NEAR(found.displacement, c.displacement, 1e-12) << what;
      EXPECT_NEAR(found.angle_rate, c.angle_rate, 1e-11) << what;
      EXPECT_NEAR(found.displacement_rate, c.displacement_rate, 1e-11) << what;
    }
  }
}

// A four-bar in any plane, A (0, 0), B and C in turn, D: hinges A and B, a ball C, a cylindrical joint D, so that no
// equation follows from others; and a body that hangs on the coupler by a hinge of its own.
struct FourBar {
  std::array<Eigen::Vector2d, 4> at;
  double crank = 0;
  double rate = 0;
  double hook = 0;
  double length(int i, int j) const { return (at[i] - at[j]).norm(); }
  // B with the crank turned by this angle
  Eigen::Vector2d pin(double angle) const { return Eigen::Rotation2Dd(angle) * at[1]; }
  // By how much coupler and rocker overlap (m) with the crank there: below zero the loop cannot close.
  double slack(double angle) const {
    const double way = (at[3] - pin(angle)).norm();
    const double coupler = length(1, 2);
    const double rocker = length(2, 3);
    return std::min(coupler + rocker - way, way - std::abs(coupler - rocker));
  }
  // The least on the way from the deck's configuration.
  double least_slack() const {
    double least = slack(crank);
    for (int i = 0; i <= 400; ++i) least = std::min(least, slack(crank * i / 400));
    return least;
  }
};

// Angle of the rocker on the branch of the deck: C stands on the same side of the line from B to D.
double rocker_of(const FourBar& bar) {
  const auto direction = [](const Eigen::Vector2d& v) { return std::atan2(v.y(), v.x()); };
  const auto elbow = [&](const Eigen::Vector2d& b) {  // between DB and DC, from the sides
    const double way = (b - bar.at[3]).norm();
    const double rocker = bar.length(2, 3);
    const double coupler = bar.length(1, 2);
    return std::acos(std::clamp((way * way + rocker * rocker - coupler * coupler) / (2 * way * rocker), -1.0, 1.0));
  };
  const Eigen::Vector2d to_b = bar.at[1] - bar.at[3];
  const Eigen::Vector2d to_c = bar.at[2] - bar.at[3];
  const double side = to_b.x() * to_c.y() - to_b.y() * to_c.x() > 0 ? 1 : -1;
  const Eigen::Vector2d b = bar.pin(bar.crank);
  return direction(b - bar.at[3]) + side * elbow(b) - direction(to_c);
}

FourBar random_four_bar(std::mt19937& random) {
  FourBar bar;
  bar.at[0].setZero();
  do {
    for (int i = 1; i < 4; ++i) bar.at[i] = Eigen::Vector2d(uniform(random, -1, 1), uniform(random, -1, 1));
  } while (bar.length(0, 1) < 0.2 || bar.length(1, 2) < 0.2 || bar.length(2, 3) < 0.2 || bar.slack(0) < 0.05);
  bar.crank = uniform(random, -2.5, 2.5);
  bar.rate = uniform(random, -2, 2);
  bar.hook = uniform(random, -3, 3);
  return bar;
}

model::Model model_of(const FourBar& bar, const Mat3& plane, std::mt19937& random) {
  ModelMaker m;
  const auto place = [&](const Eigen::Vector2d& p) {
    return Vec3(plane * Vec3(p.x(), p.y(), 0) + Vec3(0.3, 0.1, -0.2));
  };
  const auto middle = [&](int i, int j) { return place(0.5 * (bar.at[i] + bar.at[j])); };
  add_body(m, "crank", middle(0, 1), random);
  add_body(m, "coupler", middle(1, 2), random);
  add_body(m, "rocker", middle(2, 3), random);
  add_body(m, "weight", middle(0, 2) + Vec3(0.1, 0.4, 0.2), random);
  const Vec3 normal = plane.col(2);
  model::Entry& a = m.joint("revolute", "A", "ground", "crank", place(bar.at[0]));
  a.values.emplace("axis", value(normal));
  a.values.emplace("initial.angle", bar.crank);
  a.values.emplace("initial.rate", bar.rate);
  m.joint("revolute", "B", "crank", "coupler", place(bar.at[1])).values.emplace("axis", value(normal));
  m.joint("spherical", "C", "coupler", "rocker", place(bar.at[2]));
  m.joint("cylindrical", "D", "ground", "rocker", place(bar.at[3])).values.emplace("axis", value(normal));
  model::Entry& hook = m.joint("revolute", "hook", "coupler", "weight", middle(0, 2));
  hook.values.emplace("axis", value(random_direction(random)));
  hook.values.emplace("initial.angle", bar.hook);
  return std::move(m.model);
}

TEST(PostureRandom, LoopsCloseOrAreNamed) {
  int closed = 0;
  int open = 0;
  for (unsigned seed = 1; closed + open < 100; ++seed) {
    std::mt19937 random(seed);
    const FourBar bar = random_four_bar(random);
    const double slack = bar.least_slack();
    // Next to a dead center a digit decides whether the loop closes.
    if (std::abs(slack) < 1e-3) continue;
    const Mat3 plane = math::so3::exp(random_vector(random, 3));
    const Machine machine(model_of(bar, plane, random));
    State q = machine.system.initial_state();
    analyses::PostureReport report;
    model::Problems problems;
    const std::string what = "seed " + std::to_string(seed) + ", slack " + std::to_string(slack);
    const bool found = analyses::set_coordinates(machine.system, q, report, problems);
    if (slack < 0 && bar.slack(bar.crank) < 0) {
      ++open;
      ASSERT_FALSE(found) << what;
      ASSERT_EQ(problems.size(), 1u) << what;
      EXPECT_EQ(problems[0].path, "joints.A.initial") << what;
      EXPECT_NE(problems[0].message.find("the loop of joints.A, joints.B, joints.C, joints.D does not close"),
                std::string::npos)
          << problems[0].message;
      EXPECT_NE(problems[0].message.find("misses by"), std::string::npos);
      EXPECT_EQ(q.x, machine.system.initial_state().x) << what;
      continue;
    }
    // Beyond a gap that the crank cannot pass, either answer is right.
    if (slack < 0) continue;
    ++closed;
    ASSERT_TRUE(found) << what << (problems.empty() ? "" : problems[0].message);
    EXPECT_LE(violation(machine.system, q), 1e-12) << what;
    EXPECT_LE(rate_violation(machine.system, q), 1e-10) << what;
    expect_angle(coordinates_of(machine.system, q, "A").angle, bar.crank, 1e-12, what);
    expect_angle(coordinates_of(machine.system, q, "hook").angle, bar.hook, 1e-12, what);
    expect_angle(coordinates_of(machine.system, q, "D").angle, rocker_of(bar), 1e-11 / std::sqrt(slack), what);
    EXPECT_NEAR(coordinates_of(machine.system, q, "A").angle_rate, bar.rate, 1e-10) << what;
  }
  EXPECT_GT(closed, 30);
  EXPECT_GT(open, 10);
}

// Crank and rocker both given: to all digits they fit, and with another digit they do not. The deck stands far away, and
// either may be near a dead center of the other.
TEST(PostureRandom, CoordinatesThatFitEachOtherCloseALoop) {
  int tried = 0;
  for (unsigned seed = 1; tried < 60; ++seed) {
    std::mt19937 random(seed);
    const FourBar bar = random_four_bar(random);
    if (bar.least_slack() < 1e-3) continue;
    ++tried;
    model::Model model = model_of(bar, Mat3::Identity(), random);
    analyses::PostureReport report;
    model::Problems problems;
    const Machine alone(model);
    State there = alone.system.initial_state();
    ASSERT_TRUE(analyses::set_coordinates(alone.system, there, report, problems)) << "seed " << seed;
    // Whole turns, too
    const double counted = 2 * std::numbers::pi *
                           std::round((angle_of(alone.system, there, "D") - rocker_of(bar)) / (2 * std::numbers::pi));
    for (const double off : {0.0, 0.01}) {
      for (model::Entry& entry : model.entries)
        if (entry.name == "D") entry.values.insert_or_assign("initial.angle", rocker_of(bar) + counted + off);
      const Machine machine(model);
      State q = machine.system.initial_state();
      problems.clear();
      const bool found = analyses::set_coordinates(machine.system, q, report, problems);
      EXPECT_EQ(found, off == 0) << "seed " << seed << (problems.empty() ? "" : ": " + problems[0].message);
      if (found) {
        EXPECT_LE(violation(machine.system, q), 1e-12) << "seed " << seed;
      } else {
        EXPECT_NE(problems.at(0).message.find("the loop of joints.A"), std::string::npos) << seed;
      }
    }
  }
}

}  // namespace
}  // namespace polhode::support::posture_random_test
