// SPDX-License-Identifier: BSD-3-Clause
// Laws of the builder: nodes of the deck become nodes with unknowns and start velocities, and names become indices.
#include "polhode/model/builder.hpp"

#include <gtest/gtest.h>

namespace polhode::model {
namespace {

constexpr std::array<bool, 6> all_fixed{true, true, true, true, true, true};

// Nodes a, b and c in a row; a body on b, a beam from b to c. The builder asks entries for names alone.
Model row_of_nodes() {
  Model model;
  for (const char* name : {"a", "b", "c"}) {
    NodeEntry& node = model.nodes.emplace_back();
    node.name = name;
    node.position = Vec3(1.0 + static_cast<double>(model.nodes.size()), 0.5, -0.25);
    node.orientation = math::so3::exp_quaternion(Vec3(0.3, -0.2, 0.7));
  }
  Entry& body = model.entries.emplace_back();
  body.name = "mass";
  body.family = Family::body;
  body.values.emplace("node", std::string("b"));
  Entry& beam = model.entries.emplace_back();
  beam.name = "arm";
  beam.family = Family::beam;
  beam.values.emplace("from", std::string("b"));
  beam.values.emplace("to", std::string("c"));
  return model;
}

InitialMotion motion_along_x(double speed) {
  InitialMotion motion;
  motion.velocity = Vec3(speed, 0, 0);
  return motion;
}

// Speeds along x of the three nodes.
Vec3 speeds_of(const Model& model) {
  const Builder builder(model);
  return {builder.at(1).velocity[0], builder.at(2).velocity[0], builder.at(3).velocity[0]};
}

TEST(Builder, TheGroundIsNodeZeroAndHasNoUnknowns) {
  const Model model = row_of_nodes();
  Builder builder(model);
  EXPECT_EQ(builder.node("ground"), 0);
  EXPECT_TRUE(builder.at(0).is_fixed());
  EXPECT_EQ(builder.at(0).label(), "ground");
  EXPECT_EQ(builder.at(0).position, Vec3::Zero());
  for (int i = 1; i <= 3; ++i) EXPECT_EQ(builder.node(model.nodes[i - 1].name), i);
}

TEST(Builder, APointWithoutRotationLosesItsRotationsAlone) {
  Model model = row_of_nodes();
  model.nodes[0].translation_only = true;
  model.nodes[0].fixed = {false, true, false, false, false, false};
  model.nodes[1].fixed = all_fixed;
  const Builder builder(model);
  EXPECT_EQ(builder.at(1).removed, (std::array<bool, 6>{false, true, false, true, true, true}));
  EXPECT_FALSE(builder.at(1).is_fixed());
  EXPECT_TRUE(builder.at(2).is_fixed());
}

// u + omega x (x - x_0), and omega in the axes of the node.
TEST(Builder, ARigidMotionLeavesDistancesAlone) {
  Model model = row_of_nodes();
  InitialMotion turn;
  turn.velocity = Vec3(0.1, -0.4, 2);
  turn.angular_velocity = Vec3(1, 2, -3);
  turn.about = Vec3(-1, 0, 5);
  model.initial_motion.push_back(turn);
  const Builder builder(model);
  for (int i = 1; i <= 3; ++i) {
    const NodeData& node = builder.at(i);
    EXPECT_LE((node.orientation * node.angular_velocity - turn.angular_velocity).norm(), 1e-15);
    for (int j = 1; j < i; ++j)
      EXPECT_NEAR((node.velocity - builder.at(j).velocity).dot(node.position - builder.at(j).position), 0, 1e-14);
  }
  EXPECT_EQ(motion_at(turn, turn.about).velocity, turn.velocity);
}

TEST(Builder, TheLastMotionThatNamesAPartOfANodeCounts) {
  Model model = row_of_nodes();
  model.initial_motion.push_back(motion_along_x(1));
  EXPECT_EQ(speeds_of(model), Vec3(1, 1, 1));
  InitialMotion of_body = motion_along_x(2);
  of_body.everything = false;
  of_body.bodies = {"mass"};
  model.initial_motion.push_back(of_body);
  EXPECT_EQ(speeds_of(model), Vec3(1, 2, 1));
  InitialMotion of_beam = motion_along_x(3);
  of_beam.everything = false;
  of_beam.beams = {"arm"};
  model.initial_motion.push_back(of_beam);
  EXPECT_EQ(speeds_of(model), Vec3(1, 3, 3));
  InitialMotion of_node = motion_along_x(4);
  of_node.everything = false;
  of_node.nodes = {"c", "a"};
  model.initial_motion.push_back(of_node);
  EXPECT_EQ(speeds_of(model), Vec3(4, 3, 4));
  model.nodes[2].velocity = Vec3(5, 0, 0);  // of the node itself: above all motions
  EXPECT_EQ(speeds_of(model), Vec3(4, 3, 5));
}

TEST(Builder, ANameOfABodyIsNoneOfABeam) {
  Model model = row_of_nodes();
  InitialMotion motion = motion_along_x(1);
  motion.everything = false;
  motion.bodies = {"arm"};
  motion.beams = {"mass"};
  model.initial_motion.push_back(motion);
  EXPECT_EQ(speeds_of(model), Vec3(0, 0, 0));
}

TEST(Builder, FixedDirectionsDropAMotionSilentlyAndReportTheVelocityOfTheNode) {
  Model model = row_of_nodes();
  InitialMotion motion = motion_along_x(1);
  motion.angular_velocity = Vec3(0, 0, 1);
  model.initial_motion.push_back(motion);
  model.nodes[0].fixed = all_fixed;
  const Builder silent(model);
  EXPECT_TRUE(silent.problems_.empty());
  EXPECT_EQ(silent.at(1).velocity, Vec3::Zero());
  EXPECT_EQ(silent.at(1).angular_velocity, Vec3::Zero());

  model.nodes[0].velocity = Vec3(0, 2, 0);
  model.nodes[0].angular_velocity = Vec3(0, 0, 3);
  const Builder loud(model);
  ASSERT_EQ(loud.problems_.size(), 2u);
  EXPECT_EQ(loud.problems_[0].path, "nodes.a.velocity");
  EXPECT_EQ(loud.problems_[1].path, "nodes.a.angular_velocity");
  EXPECT_EQ(loud.at(1).velocity, Vec3::Zero());
}

TEST(Builder, NodesAreReferencedByThoseWhoAskForThem) {
  const Model model = row_of_nodes();
  Builder builder(model);
  builder.node("b");
  EXPECT_FALSE(builder.at(1).referenced);
  EXPECT_TRUE(builder.at(2).referenced);
  EXPECT_THROW(builder.node("none"), std::out_of_range);
}

TEST(Builder, InnerNodesAreLabeledByTheirBeam) {
  const Model model = row_of_nodes();
  Builder builder(model);
  NodeData inner;
  inner.name = "arm.1";
  inner.inner = true;
  EXPECT_EQ(builder.add_node(inner), 4);
  EXPECT_EQ(builder.node("arm.1"), 4);
  EXPECT_EQ(builder.at(4).label(), "beams.arm node 1");
  EXPECT_EQ(builder.at(2).label(), "nodes.b");
  // Nodes of instances have dots, too.
  NodeData placed;
  placed.name = "leg.1";
  EXPECT_EQ(builder.at(builder.add_node(placed)).label(), "nodes.leg.1");
}

TEST(Builder, MotionsOfABeamAreThoseOfAllAndThoseThatNameIt) {
  Model model = row_of_nodes();
  EXPECT_EQ(Builder(model).motion_of_beam("arm"), nullptr);
  InitialMotion other = motion_along_x(1);
  other.everything = false;
  other.nodes = {"b", "c"};
  model.initial_motion.push_back(other);
  EXPECT_EQ(Builder(model).motion_of_beam("arm"), nullptr);
  model.initial_motion.push_back(motion_along_x(2));
  EXPECT_EQ(Builder(model).motion_of_beam("arm"), &model.initial_motion[1]);
  other.beams = {"arm"};
  model.initial_motion.push_back(other);
  EXPECT_EQ(Builder(model).motion_of_beam("arm"), &model.initial_motion[2]);
}

TEST(Builder, ProblemsStandAtTheKeyOrAtTheEntry) {
  const Model model = row_of_nodes();
  Builder builder(model);
  builder.problem(model.entries[1], "from", "is wrong");
  builder.problem(model.entries[0], "", "is wrong, too");
  ASSERT_EQ(builder.problems_.size(), 2u);
  EXPECT_EQ(builder.problems_[0].path, "beams.arm.from");
  EXPECT_EQ(builder.problems_[1].path, "bodies.mass");
  EXPECT_EQ(builder.index_of(model.entries[1]), 1);
}

TEST(Builder, RoundOffIsNoLeverOfAPointWithoutRotation) {
  Model model = row_of_nodes();
  model.nodes[1].translation_only = true;
  Builder builder(model);
  const Entry& beam = model.entries.back();
  EXPECT_TRUE(builder.check_lever(beam, 1, Vec3(1, 0, 0), "the joint"));  // it has a rotation
  EXPECT_TRUE(builder.check_lever(beam, 2, Vec3(0, 2e-16, 0), "the joint"));
  EXPECT_TRUE(builder.problems_.empty());
  EXPECT_FALSE(builder.check_lever(beam, 2, Vec3(0, 1e-9, 0), "the joint"));
  ASSERT_EQ(builder.problems_.size(), 1u);
  EXPECT_EQ(builder.problems_.front().message, "is off the point `b`, which has no rotation; put the joint on it");
}

}  // namespace
}  // namespace polhode::model
