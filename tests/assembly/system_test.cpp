// SPDX-License-Identifier: BSD-3-Clause
// The assembled system: matrix against differences of the residual, removed unknowns, names, norms.
#include "polhode/assembly/system.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cmath>
#include <limits>

#include "polhode/math/parallel.hpp"
#include "support/bench.hpp"
#include "support/dense.hpp"
#include "support/mechanisms.hpp"
#include "support/models.hpp"

namespace polhode::support {
namespace {

using assembly::SparseMatrix;
using assembly::System;
using model::Factors;

// Every sort of neighbourhood: a beam from a clamp, bodies, joints to the ground and between bodies, a partly fixed
// node, a point, and two elements on the same pair of nodes.
model::Model mixture(bool with_supports) {
  ModelMaker m;
  m.model.gravity = Vec3(1, 2, -9);
  m.node("clamp", Vec3(0, 0, 0)).fixed.fill(with_supports);
  m.node("elbow", Vec3(1, 0.2, 0));
  m.node("slider", Vec3(1.5, 1, 0.3)).fixed = {with_supports, false, with_supports, true, true, false};
  m.node("point", Vec3(2, 2, 2)).translation_only = true;
  m.node("wheel", Vec3(-1, 1, 0));
  if (!with_supports) m.model.nodes[2].fixed.fill(false);
  Vec6 stiffness;
  stiffness << 100, 60, 70, 8, 9, 10;
  m.section("bar", stiffness, 1.5, Vec3(0.2, 0.1, 0.1));
  m.body("mass", "elbow", 2, Vec3(0.1, 0.2, 0.15), Vec3(0.1, 0.2, -0.1));
  m.body("block", "slider", 3, Vec3(0.3, 0.2, 0.25), Vec3(0, 0.1, 0));
  m.body("disc", "wheel", 1, Vec3(0.3, 0.2, 0.25));
  m.add(Family::body, "point_mass", "drop", {{"node", value("point")}, {"mass", 0.7}});
  m.add(Family::beam, "beam", "arm",
        {{"section", value("bar")}, {"from", value("clamp")}, {"to", value("elbow")}, {"elements", 6.0}});
  m.joint("spherical", "ball", "slider", "point", Vec3(2, 2, 2));
  m.joint("revolute", "hinge", "elbow", "slider", Vec3(1.2, 0.5, 0.1)).values.emplace("axis", value(Vec3(1, 1, 0)));
  m.joint("revolute", "motor", "ground", "wheel", Vec3(-1, 1, 0.1)).values = {
      {"connects", std::vector<std::string>{"ground", "wheel"}},
      {"at", value(Vec3(-1, 1, 0.1))},
      {"axis", value(Vec3(0, 0, 1))},
      {"rotation", expression("2*t + t^2")}};
  m.joint("spherical", "rope", "wheel", "elbow", Vec3(0, 0.5, 0));
  m.add(Family::force, "load", "wind",
        {{"node", value("slider")}, {"force", value(Vec3(1, 2, 3))}, {"follower", true}});
  return std::move(m.model);
}

// Free unknowns move; velocities, accelerations and multipliers are random, zero where removed.
State random_state(const System& system, unsigned seed) {
  std::mt19937 random(seed);
  State q = system.initial_state();
  q.t = 0.3;
  std::vector<Vec6> dx(system.nodes());
  const auto vector = [&] {
    VectorX v(system.size());
    for (double& x : v) x = random_vector(random)[0];
    return v;
  };
  system.scatter(vector(), q.v);
  system.scatter(vector(), q.vdot);
  system.scatter(0.3 * vector(), dx);
  q.lambda = vector().tail(system.rows());
  for (std::size_t i = 1; i < dx.size(); ++i) {
    q.x[i] += dx[i].head<3>();
    q.set_rotation(i, q.quat[i] * math::so3::exp_quaternion(dx[i].tail<3>()));
  }
  return q;
}

VectorX all_rows(const System& system, const State& q) {
  assembly::Residual r = system.make_residual();
  system.set_residual(q, r);
  VectorX vector(system.size());
  system.gather(r, {}, 1, vector);
  return vector;
}

void expect_derivatives(model::Model model) {
  const Machine machine(std::move(model));
  const System& system = machine.system;
  const State q = random_state(system, 5);
  const int k = system.free_unknowns();
  const Factors by_q{.k = 1, .b = 1};
  const Factors by_v{.c = 1};
  const Factors by_vdot{.m = 1};
  MatrixX K(system.size(), system.size());
  MatrixX C = MatrixX::Zero(system.size(), system.size());
  MatrixX M = C;
  for (int j = 0; j < system.size(); ++j) {
    std::vector<Vec6> e(system.nodes());
    system.scatter(VectorX::Unit(system.size(), j), e);
    const VectorX multiplier = VectorX::Unit(system.size(), j).tail(system.rows());
    const auto along = [&](double to_q, double to_v, double to_vdot) {
      return [&, to_q, to_v, to_vdot](double s) {
        State r = q;
        for (std::size_t i = 1; i < e.size(); ++i) {
          r.x[i] += s * to_q * e[i].head<3>();
          r.set_rotation(i, q.quat[i] * math::so3::exp_quaternion(s * to_q * e[i].tail<3>()));
          r.v[i] += s * to_v * e[i];
          r.vdot[i] += s * to_vdot * e[i];
        }
        r.lambda += s * to_q * multiplier;
        return all_rows(system, r);
      };
    };
    K.col(j) = derivative(along(1, 0, 0));
    C.col(j) = derivative(along(0, 1, 0), 0.5);
    M.col(j) = derivative(along(0, 0, 1), 0.5);
  }
  SparseMatrix S = system.make_matrix();
  system.set_matrix(q, by_q, 1, S);
  EXPECT_LE(relative_difference(dense_of(S), K), 1e-9);
  system.set_matrix(q, by_v, 1, S);
  EXPECT_LE((dense_of(S).leftCols(k) - C.leftCols(k)).cwiseAbs().maxCoeff(), 1e-9 * (1 + C.maxCoeff()));
  system.set_matrix(q, by_vdot, 1, S);
  EXPECT_LE((dense_of(S).leftCols(k) - M.leftCols(k)).cwiseAbs().maxCoeff(), 1e-9 * (1 + M.maxCoeff()));
  // the scale is of the forces alone
  SparseMatrix scaled = system.make_matrix();
  system.set_matrix(q, by_q, 1, S);
  system.set_matrix(q, by_q, 0.25, scaled);
  EXPECT_EQ(dense_of(scaled).topLeftCorner(k, k), 0.25 * dense_of(S).topLeftCorner(k, k));
  EXPECT_EQ(dense_of(scaled).rightCols(system.rows()), dense_of(S).rightCols(system.rows()));
}

// Who adds first at a node clears it, so what stood there before must not matter, nor that two chunks share nodes.
void expect_nothing_left_over(const model::Model& model) {
  const Machine machine(model);
  const System& system = machine.system;
  const State q = system.initial_state();
  const model::Factors factors{.m = 1, .c = 0.1, .k = 0.01, .b = 1};
  SparseMatrix clean = system.make_matrix();
  SparseMatrix dirty = system.make_matrix();
  assembly::Residual r = system.make_residual();
  assembly::Residual s = system.make_residual();
  std::fill(dirty.values.begin(), dirty.values.end(), 7.0);
  std::fill(s.force.begin() + 1, s.force.end(), Vec6::Constant(7));
  system.set_matrix(q, factors, 1, clean);
  system.set_matrix(q, factors, 1, dirty);
  system.set_residual(q, r);
  system.set_residual(q, s);
  EXPECT_EQ(clean.values, dirty.values);
  EXPECT_EQ(r.force, s.force);
  EXPECT_GT(*std::max_element(clean.values.begin(), clean.values.end()), 0);
}

// Of a system whose nodes are in lots, and of one that has too few for them. The sums have the same order for any number
// of threads.
TEST(System, NormsAndWhatIsNotFiniteAreFoundInAllLots) {
  for (model::Model& model : std::vector<model::Model>{mixture(true), binary_tree_of_bodies(1023, "spherical")}) {
    const Machine machine(std::move(model));
    const System& system = machine.system;
    const bool is_large = system.nodes() > 1000;
    ASSERT_EQ(system.node_lots().lots() > 1, is_large);
    ASSERT_EQ(system.row_lots().lots(), system.node_lots().lots());
    const VectorX all = VectorX::LinSpaced(system.size(), 1, 2);
    const Eigen::Index free = system.free_unknowns();
    assembly::Residual r = system.make_residual();
    std::vector<Vec6> nodal(system.nodes());
    EXPECT_TRUE(system.scatter_finite(all, r.force));
    system.scatter(all.head(free), nodal);
    EXPECT_EQ(nodal, r.force);
    r.phi = all.tail(system.rows());
    const System::Norms norms = system.norms(r);
    EXPECT_NEAR(norms.force, all.head(free).norm(), 1e-12 * norms.force);
    EXPECT_NEAR(norms.phi, r.phi.norm(), 1e-12 * norms.phi);
    VectorX gathered(system.size());
    system.gather(r, {}, 2, gathered, -3);
    EXPECT_EQ(gathered.head(free), 2 * all.head(free));
    EXPECT_EQ(gathered.tail(system.rows()), -3 * r.phi);
    for (const int threads : {2, 3}) {
      math::set_number_of_threads(threads);
      EXPECT_EQ(system.norms(r).force, norms.force);
      EXPECT_EQ(system.norms(r).phi, norms.phi);
      math::set_number_of_threads(1);
    }
    for (const Eigen::Index bad : {Eigen::Index{0}, free - 1, free, all.size() - 1}) {
      VectorX with_bad = all;
      with_bad[bad] = std::numeric_limits<double>::quiet_NaN();
      EXPECT_FALSE(system.scatter_finite(with_bad, nodal)) << bad;
    }
  }
}

TEST(System, SetsAllOfMatrixAndForcesWhateverStoodThere) {
  expect_nothing_left_over(mixture(true));
  expect_nothing_left_over(mixture(false));
  expect_nothing_left_over(support::cantilever(700));
  model::Model redundant = support::rigid_four_bar();
  redundant.resolve_redundant = true;
  expect_nothing_left_over(redundant);
}

TEST(System, MatrixIsTheDerivativeOfTheResidual) {
  expect_derivatives(mixture(true));
  expect_derivatives(mixture(false));
}

// Many elements of a kind, which a batch may take several at a time.
TEST(System, MatrixOfManyElementsIsTheDerivativeOfTheResidual) {
  expect_derivatives(cantilever(11));
  expect_derivatives(rigid_four_bar());
}

TEST(System, VelocityTangentsAreTheDerivativeOfConstraintRates) {
  const Machine machine(mixture(true));
  const System& system = machine.system;
  const State q = random_state(system, 6);
  MatrixX Z(system.rows(), system.free_unknowns());
  for (int j = 0; j < system.free_unknowns(); ++j) {
    std::vector<Vec6> e(system.nodes());
    system.scatter(VectorX::Unit(system.size(), j), e);
    Z.col(j) = derivative([&](double s) {
      State r = q;
      for (std::size_t i = 1; i < e.size(); ++i) {
        r.x[i] += s * e[i].head<3>();
        r.set_rotation(i, q.quat[i] * math::so3::exp_quaternion(s * e[i].tail<3>()));
      }
      VectorX Bv(system.rows());
      VectorX phi_t(system.rows());
      VectorX gamma(system.rows());
      system.set_rates(r, Bv, phi_t, gamma);
      return VectorX(Bv + phi_t);
    });
  }
  SparseMatrix S = system.make_matrix();
  system.add_velocity_tangents_to(q, Factors{.b = 1}, S);
  EXPECT_LE(relative_difference(dense_of(S).bottomLeftCorner(system.rows(), system.free_unknowns()), Z), 1e-9);
}

// Removing unknowns takes rows and columns away and changes nothing in the others.
TEST(System, RemovedUnknownsLeaveTheOtherRowsAsTheyAre) {
  const Machine some(mixture(true));
  const Machine all(mixture(false));
  const State q = random_state(some.system, 7);
  State full = all.system.initial_state();
  const VectorX history = full.history;
  full = q;
  full.history = history;
  std::vector<int> kept;
  for (std::size_t i = 1; i < all.system.nodes(); ++i)
    for (int k = 0; k < 6; ++k)
      if (some.system.unknowns()[i].local[k] >= 0)
        kept.push_back(all.system.unknowns()[i].first + all.system.unknowns()[i].local[k]);
  for (int row = 0; row < all.system.rows(); ++row) kept.push_back(all.system.free_unknowns() + row);
  ASSERT_EQ(static_cast<int>(kept.size()), some.system.size());
  ASSERT_LT(some.system.size(), all.system.size());
  EXPECT_EQ(VectorX(all_rows(all.system, full)(kept)), all_rows(some.system, q));

  SparseMatrix S_some = some.system.make_matrix();
  SparseMatrix S_all = all.system.make_matrix();
  const Factors factors{.m = 3, .c = 2, .k = 1, .b = 1};
  some.system.set_matrix(q, factors, 0.5, S_some);
  all.system.set_matrix(full, factors, 0.5, S_all);
  EXPECT_EQ(MatrixX(dense_of(S_all)(kept, kept)), dense_of(S_some));
}

TEST(System, NamesUnknownsAndRowsAsTheDeckDoes) {
  const Machine machine(mixture(true));
  const System& system = machine.system;
  EXPECT_EQ(system.name_of(0), "nodes.elbow: force x");
  EXPECT_EQ(system.name_of(5), "nodes.elbow: moment z");
  EXPECT_EQ(system.name_of(6), "nodes.slider: force y");
  EXPECT_EQ(system.name_of(7), "nodes.slider: moment z");
  EXPECT_EQ(system.name_of(8), "nodes.point: force x");
  EXPECT_EQ(system.name_of(system.free_unknowns() - 30), "beams.arm node 1: force x");
  EXPECT_EQ(system.name_of(system.free_unknowns() - 1), "beams.arm node 5: moment z");
  std::vector<std::string> rows;
  for (int row = 0; row < system.rows(); ++row) {
    rows.push_back(system.name_of(system.free_unknowns() + row));
    const std::string path = machine.model.entries[system.entry_of_row(row)].path();
    EXPECT_EQ(rows.back().substr(0, path.size() + 2), path + ": ");
    EXPECT_EQ(system.row_is_length(row), rows.back().find("position") != std::string::npos);
  }
  std::sort(rows.begin(), rows.end());
  EXPECT_EQ(std::unique(rows.begin(), rows.end()), rows.end());
  for (const char* name :
       {"joints.ball: position x", "joints.hinge: axis 2", "joints.motor: rotation", "joints.rope: position z"})
    EXPECT_TRUE(std::binary_search(rows.begin(), rows.end(), name)) << name;
}

TEST(System, NormIsOverFreeRowsOnly) {
  const Machine machine(mixture(true));
  const State q = random_state(machine.system, 8);
  assembly::Residual r = machine.system.make_residual();
  machine.system.set_residual(q, r);
  EXPECT_NEAR(machine.system.force_norm(r), all_rows(machine.system, q).head(machine.system.free_unknowns()).norm(),
              1e-12);
}

// 2 kg about one point, J = 0.6, 0.6, 0.8 kg m^2: the mass is 0.7 m from its center, in the mean square.
model::Model body_at_one_place() {
  ModelMaker m;
  m.node("body", Vec3(100, 0, 0));
  m.body("body", "body", 2, Vec3(0.6, 0.6, 0.8));
  return std::move(m.model);
}

double length_of(model::Model model) { return Machine(std::move(model)).system.length(); }

TEST(System, SizeOfWhatIsAllAtOnePlaceIsThatOfItsBodies) {
  EXPECT_NEAR(length_of(body_at_one_place()), 2 * std::sqrt(0.5), 1e-12);
  model::Model moving = body_at_one_place();
  moving.nodes[0].velocity = Vec3(50, 0, 0);
  moving.duration = 10;
  EXPECT_NEAR(length_of(std::move(moving)), 2 * std::sqrt(0.5), 1e-12);
  ModelMaker two;
  two.node("a", Vec3::Zero());
  two.node("b", Vec3(0, 3, 0));
  for (const char* name : {"a", "b"}) two.body(name, name, 2, Vec3(0.6, 0.6, 0.8));
  EXPECT_EQ(length_of(std::move(two.model)), 3);
}

TEST(System, SizeOfABodyHasTheOffsetOfItsCenter) {
  ModelMaker m;
  m.node("body", Vec3(1, 2, 3));
  m.body("body", "body", 1, Vec3::Constant(1e-9), Vec3(0, 0, 2));
  EXPECT_NEAR(length_of(std::move(m.model)), 2, 1e-3);
}

TEST(System, SizeOfAPointIsTheWayItGoes) {
  ModelMaker m;
  m.node("point", Vec3::Zero()).translation_only = true;
  m.add(Family::body, "point_mass", "drop", {{"node", value("point")}, {"mass", 0.7}});
  {
    const Machine still(m.model);
    EXPECT_EQ(still.system.length(), 1);
    EXPECT_FALSE(still.system.length_is_known());
  }
  m.model.duration = 2;
  m.model.nodes[0].velocity = Vec3(3, 0, 0);
  const Machine moving(m.model);
  EXPECT_NEAR(moving.system.length(), 6, 1e-12);
  EXPECT_TRUE(moving.system.length_is_known());
}

// Before the way that it goes, which under gravity would be as far as the run is long.
TEST(System, SizeOfAPointOnASpringIsTheLengthOfTheSpring) {
  ModelMaker m;
  m.model.gravity = Vec3(0, 0, -9.81);
  m.model.duration = 100;
  m.node("point", Vec3(1, 2, 3)).translation_only = true;
  m.add(Family::body, "point_mass", "drop", {{"node", value("point")}, {"mass", 0.7}});
  math::MatrixX ends(3, 2);
  ends << 1, 1, 2, 2, 7, 3;
  m.add(Family::force, "spring_damper", "spring",
        {{"connects", std::vector<std::string>{"ground", "point"}}, {"at", ends}, {"stiffness", 10.0}});
  const Machine machine(m.model);
  EXPECT_EQ(machine.system.length(), 4);
  EXPECT_TRUE(machine.system.length_is_known());
}

TEST(System, SizeOfABodyCountsBeforeItsSprings) {
  model::Model body = body_at_one_place();
  ModelMaker m;
  m.model = std::move(body);
  math::MatrixX ends(3, 2);
  ends << 90, 100, 0, 0, 0, 0;
  m.add(Family::force, "spring_damper", "spring",
        {{"connects", std::vector<std::string>{"ground", "body"}}, {"at", ends}, {"stiffness", 10.0}});
  EXPECT_NEAR(length_of(std::move(m.model)), 2 * std::sqrt(0.5), 1e-12);
}

TEST(System, SizeOfTheDeckCountsBeforeAll) {
  model::Model model = mixture(true);
  model.size = 0.25;
  EXPECT_EQ(length_of(std::move(model)), 0.25);
}

TEST(System, NamesNodesWithoutUseAndWithoutMass) {
  for (const char* name : {"lonely", "massless"}) {
    ModelMaker m;
    m.node("used", Vec3::Zero());
    m.node(name, Vec3::UnitX());
    m.body("mass", "used", 1, Vec3(1, 1, 1));
    if (name == std::string("massless"))
      m.add(Family::force, "load", "push", {{"node", value(name)}, {"force", value(Vec3(1, 0, 0))}});
    model::Problems problems;
    EXPECT_FALSE(System::make(m.model, problems));
    ASSERT_EQ(problems.size(), 1u);
    EXPECT_EQ(problems[0].path, "nodes." + std::string(name));
  }
}

// Bodies one behind the other, and a motion that names them one by one.
model::Model named_row(int bodies) {
  ModelMaker m;
  model::InitialMotion motion;
  motion.everything = false;
  motion.velocity = Vec3(1, 0, 0);
  std::string before = "ground";
  for (int i = 0; i < bodies; ++i) {
    const std::string name = "body" + std::to_string(i);
    m.node(name, Vec3(i + 0.5, 0, 0));
    m.body(name, name, 1, Vec3(0.1, 0.2, 0.2));
    m.joint("spherical", "joint" + std::to_string(i), before, name, Vec3(i, 0, 0));
    motion.bodies.push_back(name);
    before = name;
  }
  m.model.initial_motion.push_back(motion);
  return std::move(m.model);
}

// Processor time without that of the system, which gives new memory at a price of its own.
double user_time() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  return static_cast<double>(used.ru_utime.tv_sec) + 1e-6 * static_cast<double>(used.ru_utime.tv_usec);
}

// Four small models take as long as one of four times the parts, and a fourth of it where each part searches all others:
// in turns, since the load of a machine changes, and the least of eight.
TEST(System, IsMadeInATimeThatGrowsWithTheNumberOfItsParts) {
  const auto time_of = [](const model::Model& model, int times) {
    const double begin = user_time();
    for (int i = 0; i < times; ++i) {
      model::Problems problems;
      EXPECT_TRUE(System::make(model, problems));
    }
    return user_time() - begin;
  };
  const model::Model small = named_row(5000);
  const model::Model large = named_row(20000);
  double ratio = std::numeric_limits<double>::max();
  for (int i = 0; i < 8; ++i) {
    const double of_small = time_of(small, 4);
    ratio = std::min(ratio, time_of(large, 1) / of_small);
  }
  EXPECT_LT(ratio, 2);
}

}  // namespace
}  // namespace polhode::support
