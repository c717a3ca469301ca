// SPDX-License-Identifier: BSD-3-Clause
// The matrix of the stabilized index-2 formulation against its block form, from matrices of the system at any state.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>

#include "integrators/moving_models.hpp"
#include "polhode/integrators/generalized_alpha/index2_matrix.hpp"
#include "support/deck_text.hpp"

namespace polhode::support {
namespace {

using assembly::SparseMatrix;
using integrators::Index2Layout;
using integrators::Index2Matrix;

// Five bodies on one: so many that its p is not eliminated. One of them has two joints with it.
model::Model star_of_bodies() {
  ModelMaker m;
  m.node("center", Vec3(0, 0, 0));
  m.body("center", "center", 2, Vec3(0.2, 0.3, 0.4));
  for (int i = 0; i < 5; ++i) {
    const std::string name = "arm" + std::to_string(i);
    const Vec3 at(std::cos(i), std::sin(i), 0.2 * i);
    m.node(name, at);
    m.body(name, name, 1, Vec3(0.1, 0.2, 0.2));
    m.joint("spherical", name, "center", name, 0.5 * at);
  }
  m.joint("point_on_plane", "second", "center", "arm4", Vec3(0.3, 0.1, 0.2))
      .values.emplace("axis", value(Vec3(1, 2, 3)));
  return std::move(m.model);
}

// A motor that follows the rate of a body which no force couples with its own.
model::Model controlled_arm() {
  return deck_of(
             "format: polhode-deck/1\n"
             "nodes: {a: {position: [1, 0, 0]}, b: {position: [2, 0.2, 0]}, c: {position: [3, 0, 0.3]}}\n"
             "bodies:\n"
             "  a: {type: rigid_body, node: a, mass: 2, inertia: [0.1, 0.2, 0.3]}\n"
             "  b: {type: rigid_body, node: b, mass: 1, inertia: [0.1, 0.1, 0.2]}\n"
             "  c: {type: rigid_body, node: c, mass: 1, inertia: [0.1, 0.1, 0.2]}\n"
             "signals: {rate: {of: nodes.c.angular_velocity.y}}\n"
             "joints:\n"
             "  first: {type: revolute, connects: [ground, a], at: [0.5, 0, 0], axis: [0, 1, 0], motor: \"=-3*rate\"}\n"
             "  second: {type: spherical, connects: [a, b], at: [1.5, 0, 0]}\n"
             "  third: {type: spherical, connects: [b, c], at: [2.5, 0, 0]}\n"
             "analysis: {type: transient, duration: 1, step: 0.01}\n")
      .model;
}

std::vector<MovingModel> models_with_stars() {
  std::vector<MovingModel> models(moving_models.begin(), moving_models.end());
  models.push_back({"star", &star_of_bodies});
  models.push_back({"controlled", &controlled_arm});
  return models;
}

class LayoutOf : public testing::TestWithParam<MovingModel> {
 protected:
  const Machine machine{GetParam().make()};
  const assembly::System& system = machine.system;
  const int n = system.free_unknowns();
  const int m = system.rows();
  const Index2Layout layout = integrators::make_index2_layout(system);

  // What differs between frames: factors of the first values, of B in row four and of what adds to it; the turns of N,
  // or none; and what the matrix does at the end.
  struct Frame {
    model::Factors of_configuration;
    model::Factors of_rows{.b = 1};
    model::Factors of_velocity_tangents;
    std::vector<math::so3::Quaternion> E{};
    std::function<void(Index2Matrix&)> end;
  };
  void expect_block_form(const Frame& frame) const {
    const State before = moving_state(system, 1);
    const State q = moving_state(system, 2);
    std::mt19937 random(7);
    const VectorX inverse_weight = (random_free(system, random).array() + 2).matrix();
    SparseMatrix normal = system.make_matrix();
    SparseMatrix first = system.make_matrix();
    SparseMatrix second = system.make_matrix();
    SparseMatrix velocity = system.make_matrix();
    system.set_matrix(before, {.b = 1}, 0, normal);
    system.set_matrix(q, frame.of_configuration, 0.6, first);
    const model::Factors of_dynamics{.m = 1.3, .c = 0.7, .b = 1};
    system.set_matrix(q, of_dynamics, 0.6, second);
    system.set_matrix(q, frame.of_rows, 0, velocity);
    system.add_velocity_tangents_to(q, frame.of_velocity_tangents, velocity);
    Index2Matrix matrix(system, inverse_weight);
    for (const double left : {0.0, 7.0}) {  // nothing is left of what was there
      std::fill(matrix.all().values.begin(), matrix.all().values.end(), left);
      system.set_matrix(before, {.b = 1}, 0, matrix.second());
      matrix.set_normal(matrix.whole());
      if (!frame.E.empty()) matrix.turn_normal(frame.E);
      system.set_matrix(q, of_dynamics, 0.6, matrix.second());
      matrix.set_dynamics(matrix.whole());
      system.add_velocity_tangents_to(q, frame.of_velocity_tangents, 1, matrix.second());
      system.set_matrix(q, frame.of_configuration, 0.6, matrix.first());
      frame.end(matrix);
    }

    const MatrixX N = inverse_weight.asDiagonal() * dense_of(normal).topRightCorner(n, m);
    const MatrixX row_four = (dense_of(velocity) - dense_of(first)).bottomLeftCorner(m, n);
    const MatrixX expected =
        block_form(dense_of(first), dense_of(second), frame.E.empty() ? N : turned_back(frame.E, N), row_four);
    EXPECT_LE((dense_of(matrix.all()) - expected).cwiseAbs().maxCoeff(), 1e-14 * expected.cwiseAbs().maxCoeff());

    std::uniform_real_distribution<double> uniform(-1, 1);
    VectorX x(layout.pattern.size);
    for (double& number : x) number = uniform(random);
    VectorX p = VectorX::Zero(n);
    matrix.add_p(x, p);
    EXPECT_LE((p - N * x.tail(m)).norm(), 1e-14 * (1 + N.norm()));
  }

 private:
  // E^T N; components that are fixed have no part.
  MatrixX turned_back(std::span<const math::so3::Quaternion> E, const MatrixX& N) const {
    MatrixX by_unknown = MatrixX::Identity(n, n);
    for (std::size_t i = 0; i < system.nodes(); ++i) {
      const model::NodeUnknowns& u = system.unknowns()[i];
      const Mat3 R = E[i].toRotationMatrix();
      for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 3; ++column)
          if (u.local[3 + row] >= 0 && u.local[3 + column] >= 0)
            by_unknown(u.first + u.local[3 + row], u.first + u.local[3 + column]) = R(column, row);
    }
    return by_unknown * N;
  }

  // [ A A_0 B^T A_0 N_0 ; 0 I 0 -N_p ; B T 0 0 0 ; row four, B, 0, B N_0 ] with N_0 of the nodes whose p is eliminated, N_p
  // of the others; and the identity of dropped equations. S1 = [ A B^T ; B T 0 ], S2 = [ A_0 . ; B . ].
  MatrixX block_form(const MatrixX& S1, const MatrixX& S2, const MatrixX& N, const MatrixX& row_four) const {
    MatrixX eliminated = N;
    for (int j = 0; j < n; ++j)
      if (layout.p_place[j] >= 0) eliminated.row(j).setZero();
    const int l = layout.first_lambda;
    const int e = layout.first_eta;
    MatrixX expected = MatrixX::Zero(layout.pattern.size, layout.pattern.size);
    expected.topLeftCorner(n, n) = S1.topLeftCorner(n, n);
    expected.block(0, l, n, m) = S1.topRightCorner(n, m);
    expected.block(l, 0, m, n) = S1.bottomLeftCorner(m, n);
    expected.block(l, l, m, m) = S1.bottomRightCorner(m, m);
    expected.block(0, e, n, m) = S2.topLeftCorner(n, n) * eliminated;
    expected.block(e, e, m, m) = S2.bottomRightCorner(m, m) + S2.bottomLeftCorner(m, n) * eliminated;
    expected.block(e, 0, m, n) = row_four;
    for (int j = 0; j < n; ++j) {
      const int p = layout.p_place[j];
      if (p < 0) continue;
      expected.block(0, p, n, 1) = S2.block(0, j, n, 1);
      expected.block(e, p, m, 1) = S2.block(n, j, m, 1);
      expected.block(p, e, 1, m) = -N.row(j);
      expected(p, p) = 1;
    }
    return expected;
  }
};
INSTANTIATE_TEST_SUITE_P(Models, LayoutOf, testing::ValuesIn(models_with_stars()), name_of_model);

TEST_P(LayoutOf, PatternIsSymmetricWithAscendingRowsAndWholeBlocks) {
  const assembly::SparsePattern& pattern = layout.pattern;
  SparseMatrix ones(pattern);
  for (double& x : ones.values) x = 1;
  const MatrixX D = dense_of(ones);
  EXPECT_EQ(D, D.transpose());
  EXPECT_EQ(D.maxCoeff(), 1) << "no entry stands twice";
  EXPECT_EQ(pattern.block_start.front(), 0);
  EXPECT_EQ(pattern.block_start.back(), pattern.size);
  for (std::size_t b = 0; b + 1 < pattern.block_start.size(); ++b) {
    ASSERT_LT(pattern.block_start[b], pattern.block_start[b + 1]);
    for (int j = pattern.block_start[b] + 1; j < pattern.block_start[b + 1]; ++j)
      EXPECT_EQ(D.col(j), D.col(j - 1)) << "columns of a block have the same rows";
  }
  for (int j = 0; j < pattern.size; ++j)
    for (int p = pattern.column_start[j] + 1; p < pattern.column_start[j + 1]; ++p)
      EXPECT_GT(pattern.row[p], pattern.row[p - 1]);
  std::vector<int> places = pattern.place;
  std::sort(places.begin(), places.end());
  EXPECT_EQ(std::adjacent_find(places.begin(), places.end()), places.end()) << "no value twice";
  EXPECT_EQ(places.front(), 0);
  EXPECT_LT(places.back(), static_cast<int>(ones.values.size()));
}

// Of the models: the chain has a spring between two of its bodies; six joints meet at the center of the star.
TEST_P(LayoutOf, NodesHaveUnknownsOfTheirOwnWhereDynamicsCoupleThemOrManyGroupsMeet) {
  const State q = moving_state(system, 4);
  SparseMatrix S = system.make_matrix();
  system.set_matrix(q, {.m = 1, .c = 0.1}, 1, S);
  const MatrixX dynamics = dense_of(S).topLeftCorner(n, n);
  const MatrixX B = m > 0 ? constraint_gradient(system, q) : MatrixX::Zero(0, n);
  int next = n;
  for (std::size_t i = 1; i < system.nodes(); ++i) {
    const model::NodeUnknowns& u = system.unknowns()[i];
    if (u.count == 0) continue;
    const bool touched = m > 0 && !B.middleCols(u.first, u.count).isZero(0);
    const bool has_p = layout.p_place[u.first] >= 0;
    for (int k = 0; k < u.count; ++k) EXPECT_EQ(layout.p_place[u.first + k], has_p ? next + k : -1) << i;
    next += has_p ? u.count : 0;
    EXPECT_LE(has_p, touched) << i;
    MatrixX others = dynamics.middleCols(u.first, u.count);
    others.middleRows(u.first, u.count).setZero();
    EXPECT_GE(has_p, touched && !others.isZero(0)) << i;
  }
  EXPECT_EQ(layout.first_lambda, next);
  EXPECT_EQ(layout.first_eta, next + m);
  EXPECT_EQ(layout.pattern.size, next + 2 * m);
  const std::map<std::string, int> with_p{{"driven_top", 0}, {"chain", 12}, {"four_bar", 0},
                                          {"cantilever", 0}, {"star", 6},   {"controlled", 6}};
  EXPECT_EQ(next - n, with_p.at(GetParam().name));
}

// Row four is B + s Z T - B T.
TEST_P(LayoutOf, MatrixIsTheBlockForm) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<Mat3> turns(system.nodes());
  for (Mat3& turn : turns) turn = Mat3::Identity() + 0.1 * Mat3::NullaryExpr([&] { return uniform(random); });
  expect_block_form({.of_configuration = {.m = 1.3, .c = 0.7, .k = 0.9, .b = 1, .rot_k = turns, .rot_b = turns},
                     .of_velocity_tangents = {.b = 0.4, .rot_b = turns},
                     .end = [](Index2Matrix& matrix) { matrix.subtract_rows(matrix.whole()); }});
}

// Row four is B s F_c + s Z - B, and N is E^T N but for p itself.
TEST_P(LayoutOf, MatrixOfTheSpatialFrameIsTheBlockForm) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const double s = 0.3;
  std::vector<math::so3::Quaternion> E(system.nodes());
  std::vector<Mat3> F_c(system.nodes());
  std::vector<Mat3> s_F_c(system.nodes());
  for (std::size_t i = 0; i < E.size(); ++i) {
    E[i] = math::so3::exp_quaternion(Vec3::NullaryExpr([&] { return uniform(random); }));
    F_c[i] = Mat3::NullaryExpr([&] { return uniform(random); });
    s_F_c[i] = s * F_c[i];
  }
  expect_block_form({.of_configuration = {.m = 1.3, .c = 0.7, .k = 0.9, .b = 1, .rot_m = F_c, .rot_c = F_c},
                     .of_rows = {.b = 1, .rot_b = s_F_c},
                     .of_velocity_tangents = {.b = s},
                     .E = E,
                     .end = [&](Index2Matrix& matrix) { matrix.turn_rows(matrix.whole(), s, F_c); }});
}

// Bodies one behind the other: elements that follow each other meet at the borders of sections.
model::Model long_row() {
  ModelMaker m;
  std::string before = "ground";
  for (int i = 0; i < 300; ++i) {
    const std::string name = "body" + std::to_string(i);
    m.node(name, Vec3(i + 1, 0.1 * i, 0));
    m.body(name, name, 1, Vec3(0.1, 0.2, 0.2));
    m.joint("spherical", "joint" + std::to_string(i), before, name, Vec3(i + 0.5, 0.1 * i, 0));
    before = name;
  }
  return std::move(m.model);
}

// What is done behind each section reads nothing that a later one still changes.
TEST(Index2Matrix, IsTheSameSectionBySectionAsAtOnce) {
  const Machine machine{long_row()};
  const assembly::System& system = machine.system;
  ASSERT_TRUE(system.has_whole_sections());
  ASSERT_GT(system.sections().size(), 3U);
  const State before = moving_state(system, 1);
  const State q = moving_state(system, 2);
  const model::Factors of_dynamics{.m = 1.3, .c = 0.7, .b = 1};
  const model::Factors of_configuration{.m = 1.3, .c = 0.7, .k = 0.9, .b = 1};
  const VectorX weight = VectorX::Constant(system.free_unknowns(), 0.5);
  Index2Matrix at_once(system, weight);
  system.set_matrix(before, {.b = 1}, 0, at_once.second());
  at_once.set_normal(at_once.whole());
  system.set_matrix(q, of_dynamics, 0.6, at_once.second());
  at_once.set_dynamics(at_once.whole());
  system.add_velocity_tangents_to(q, {.b = 0.4}, 1, at_once.second());
  system.set_matrix(q, of_configuration, 0.6, at_once.first());
  at_once.subtract_rows(at_once.whole());

  Index2Matrix by_section(system, weight);
  std::fill(by_section.all().values.begin(), by_section.all().values.end(), 7.0);
  for (std::size_t i = 0; i < system.sections().size(); ++i) {
    system.set_rows_of_section(i, before, by_section.second());
    by_section.set_normal({i, i + 1});
  }
  for (std::size_t i = 0; i < system.sections().size(); ++i) {
    system.set_matrix_of_section(i, q, of_dynamics, 0.6, by_section.second());
    by_section.set_dynamics({i, i + 1});
    system.add_velocity_tangents_of_section(i, q, {.b = 0.4}, by_section.second());
    system.set_matrix_of_section(i, q, of_configuration, 0.6, by_section.first());
    by_section.subtract_rows({i, i + 1});
  }
  for (const int place : at_once.all().place)
    ASSERT_EQ(at_once.all().values[place], by_section.all().values[place]) << place;
}

}  // namespace
}  // namespace polhode::support
