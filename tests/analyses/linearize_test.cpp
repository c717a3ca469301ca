// SPDX-License-Identifier: BSD-3-Clause
// Linear models: matrices against differences, state spaces against closed forms and modes.
#include <gtest/gtest.h>

#include <complex>
#include <map>

#include "polhode/analyses/initial/start.hpp"
#include "polhode/analyses/linearize/linear_model.hpp"
#include "polhode/analyses/modal/modal.hpp"
#include "polhode/analyses/motion/rotating.hpp"
#include "polhode/math/dense.hpp"
#include "support/deck_text.hpp"
#include "support/places.hpp"
#include "support/statics.hpp"

namespace polhode::analyses {
namespace {

using Complex = std::complex<double>;
using math::MatrixX;
using math::Vec3;
using model::State;
using model::Vec6;
using model::VectorX;

// All analyses of type static, then the linear model and the modes.
struct LinearizedDeck {
  explicit LinearizedDeck(const std::string& text, const std::vector<std::string>& settings = {})
      : deck(text.starts_with('/') ? io::read_deck(text, settings)
                                   : support::deck_of("format: polhode-deck/1\n" + text, settings)) {
    system = assembly::System::make(deck.model, problems);
    if (!system) throw std::runtime_error(problems.front().path + ": " + problems.front().message);
    q = system->initial_state();
    for (const Analysis& analysis : deck.analyses) {
      support::PathKeeper keeper;
      if (const auto* statics = analysis.as<StaticSettings>())
        run_static(*system, *statics, false, q, keeper, problems);
      if (const auto* settings_given = analysis.as<LinearizeSettings>()) {
        made = make_linear_model(*system, *settings_given, q, "analysis", problems);
        if (made && made->linear.degrees() <= 150)
          modes = run_modal(*system, {.modes = 1000, .band = {}, .rotation = settings_given->rotation}, q, "analysis",
                            problems);
      }
    }
    if (!problems.empty()) throw std::runtime_error(problems.front().path + ": " + problems.front().message);
  }
  // C (s I - A)^-1 B + D
  Complex transfer(Complex s, Eigen::Index output, Eigen::Index input = 0) const {
    // In real numbers: (Re s I - A) x - Im s y = b, Im s x + (Re s I - A) y = 0.
    const Eigen::Index n = made->a.rows();
    const MatrixX one = MatrixX::Identity(n, n);
    MatrixX P(2 * n, 2 * n);
    P << s.real() * one - made->a, -s.imag() * one, s.imag() * one, s.real() * one - made->a;
    VectorX b = VectorX::Zero(2 * n);
    b.head(n) = made->b.col(input);
    const VectorX x = math::solve(P, b);
    const auto c = made->c.row(output);
    return Complex(c.dot(x.head(n)), c.dot(x.tail(n))) + made->d(output, input);
  }
  std::optional<Rotation> rotation() const { return deck.analyses.back().as<LinearizeSettings>()->rotation; }
  io::Deck deck;
  std::optional<assembly::System> system;
  State q;
  model::Problems problems;
  std::optional<LinearModel> made;
  ModalResult modes;
};

const std::string beam =
    "nodes: {root: {position: [0.3, 0, 0], fixed: true}, tip: {position: [1.2, 0.2, 0.1]}}\n"
    "sections: {bar: {stiffness: {EA: 4000, GAy: 1500, GAz: 1700, GJ: 30, EIy: 20, EIz: 50},\n"
    "  mass: {per_length: 2, inertia: [0.05, 0.02, 0.03]}, damping: 1.0e-3}}\n"
    "beams: {arm: {section: bar, from: root, to: tip, elements: 2, order: 2, orientation: [0, 1, 0]}}\n"
    "bodies: {mass: {type: rigid_body, node: tip, mass: 1.5, inertia: [0.1, 0.3, 0.2], center_of_mass: [0.1, 0.05, "
    "0]},\n"
    "  free: {type: rigid_body, node: end, mass: 1, inertia: [0.2, 0.1, 0.15]}}\n";
const std::string hinged =
    "joints: {pin: {type: revolute, connects: [tip, end], at: [1.3, 0.2, 0.1], axis: [0, 1, 1], "
    "stiffness: 12, damping: 0.3}}\n";

std::string turning(const std::string& loads) {
  std::string text = "gravity: [0, 0, -3]\n" + beam + hinged + loads +
                     "analysis:\n  - {type: static, rotation: {axis: [0, 0, 1], speed: 3, about: [0.1, 0, 0]}}\n"
                     "  - {type: linearize, rotation: {axis: [0, 0, 1], speed: 3, about: [0.1, 0, 0]}}\n";
  return text.replace(text.find("tip: {pos"), 0, "end: {position: [1.5, 0.3, 0.2]}, ");
}

// Columns of the three matrices against differences of the residual along motions as seen in the turning frame, which
// are set by the kinematics of rigid rotation: u = omega x (x - p) + y', Omega = R^T omega + y', udot = omega x omega x
// (x - p) + 2 omega x y' + y'', Omegadot = Omega x y' + y''.
TEST(Linearize, MatricesAreTheDerivativesOfTheResidual) {
  const LinearizedDeck s(
      turning("forces: {push: {type: load, node: tip, force: [3, -2, 5], moment: [0.5, 1, -1], follower: true}}\n"));
  const Linearized& linear = s.made->linear;
  const Rotation rotation = s.deck.analyses.back().as<LinearizeSettings>()->rotation.value_or(Rotation{});
  const Vec3 omega = rotation.speed * rotation.axis;
  const int k = s.system->free_unknowns();
  const int size = s.system->size();
  const auto residual = [&](const VectorX& y, const VectorX& y1, const VectorX& y2) {
    std::vector<Vec6> at(s.system->nodes());
    std::vector<Vec6> rate = at;
    std::vector<Vec6> acceleration = at;
    VectorX all = VectorX::Zero(size);
    for (const auto& [from, to] : {std::pair{&y, &at}, {&y1, &rate}, {&y2, &acceleration}}) {
      all.head(k) = *from;
      s.system->scatter(all, *to);
    }
    State q = linear.q;
    move(q, at);
    set_steady_rotation(rotation, 1, q);
    for (std::size_t i = 1; i < q.x.size(); ++i) {
      const Vec3 Omega = q.v[i].tail<3>();
      const Vec3 u1 = rate[i].head<3>();
      const Vec3 Omega1 = rate[i].tail<3>();
      q.v[i] += rate[i];
      q.vdot[i] += acceleration[i];
      q.vdot[i].head<3>() += 2 * omega.cross(u1);
      q.vdot[i].tail<3>() += Omega.cross(Omega1);
    }
    assembly::Residual r = s.system->make_residual();
    s.system->set_residual(q, r);
    s.system->gather(r, {}, 1, all);
    return all;
  };
  const VectorX zero = VectorX::Zero(k);
  const double h = 1e-3;
  int which = 0;
  for (const assembly::SparseMatrix* X : {&linear.k, &linear.c, &linear.m}) {
    MatrixX given = MatrixX::Zero(size, k);
    MatrixX found(size, k);
    for (int j = 0; j < k; ++j) {
      for (int p = X->column_start[j]; p < X->column_start[j + 1]; ++p)
        given(X->row[p], j) = X->at(p) / (X->row[p] < k ? linear.scale : 1);
      const auto at = [&](double step) {
        const VectorX moved = step * VectorX::Unit(k, j);
        return residual(which == 0 ? moved : zero, which == 1 ? moved : zero, which == 2 ? moved : zero);
      };
      found.col(j) = (8 * (at(h) - at(-h)) - at(2 * h) + at(-2 * h)) / (12 * h);
      if (which > 0) found.col(j).tail(size - k).setZero();
    }
    EXPECT_LE((given - found).cwiseAbs().maxCoeff(), 1e-8 * given.cwiseAbs().maxCoeff()) << "K, C, M: " << which;
    EXPECT_GT(given.cwiseAbs().maxCoeff(), 0);
    ++which;
  }
}

// Each mode is an eigenvalue of A and, in pairs, the other way round.
TEST(Linearize, EigenvaluesOfTheStateSpaceAreTheModes) {
  const LinearizedDeck s(turning(""));
  const Eigen::VectorXcd eigenvalues = math::general_eigen(s.made->a).values;
  ASSERT_EQ(eigenvalues.size(), 2 * s.made->linear.degrees());
  EXPECT_EQ(s.made->linear.degrees(), static_cast<int>(s.modes.modes.size()));
  bool damped = false;
  for (const Mode& mode : s.modes.modes)
    for (const Complex value : {mode.lambda, std::conj(mode.lambda)}) {
      const double nearest = (eigenvalues.array() - value).abs().minCoeff();
      EXPECT_LE(nearest, 1e-8 * std::abs(value)) << value;
      damped = damped || value.real() < -1e-3 * std::abs(value);
    }
  EXPECT_TRUE(damped);
}

// m x'' + c x' + k x = f: tension k x + c x', all of it at several places of the plane.
TEST(Linearize, SpringAndMassHaveTheTransferFunctionOfTheirClosedForm) {
  const double m = 2.5;
  const double c = 0.7;
  const double k = 40;
  const LinearizedDeck s(
      "nodes: {a: {position: [1, 0, 0], dofs: translation, fixed: [y, z]}}\n"
      "bodies: {a: {type: point_mass, node: a, mass: 2.5}}\n"
      "forces: {spring: {type: spring_damper, connects: [ground, a], at: [[0, 0, 0], [1, 0, 0]], stiffness: 40, "
      "damping: 0.7}}\n"
      "analysis: {type: linearize, inputs: [nodes.a.force.x, forces.spring.actuator], outputs: [nodes.a.position.x, "
      "nodes.a.velocity.x, nodes.a.acceleration.x, forces.spring.force]}\n");
  ASSERT_EQ(s.made->a.rows(), 2);
  for (const Complex p : {Complex(0, 0), Complex(0, 2), Complex(0, 4), Complex(0.5, -7), Complex(-3, 1)}) {
    const Complex G = 1.0 / (m * p * p + c * p + k);
    const Complex exact[] = {G, p * G, p * p * G, (k + c * p) * G};
    for (int i = 0; i < 4; ++i) EXPECT_LE(std::abs(s.transfer(p, i) - exact[i]), 1e-9 * (std::abs(exact[i]) + 1)) << i;
    EXPECT_LE(std::abs(s.transfer(p, 0, 1) + G), 1e-9);  // the actuator pulls back
  }
  EXPECT_NEAR(s.made->d(2, 0), 1 / m, 1e-12);
  EXPECT_EQ(s.made->outputs[0].name, "nodes.a.position.x");
  EXPECT_EQ(s.made->outputs[0].value, 1);
  EXPECT_EQ(s.made->outputs[3].units, "N");
}

// I theta'' + m g l theta = tau; reaction on the body along x: m x'' with x = -l theta.
TEST(Linearize, OutputsMayDependOnMultipliersAndAccelerations) {
  const double m = 2;
  const double l = 0.5;
  const double I = 0.1 + m * l * l;
  const double g = 9.81;
  const LinearizedDeck s(
      "gravity: [0, 0, -9.81]\nnodes: {bob: {position: [0, 0, -0.5]}}\n"
      "bodies: {bob: {type: rigid_body, node: bob, mass: 2, inertia: [0.1, 0.1, 0.1]}}\n"
      "joints: {pin: {type: revolute, connects: [ground, bob], at: [0, 0, 0], axis: [0, 1, 0]}}\n"
      "analysis: {type: linearize, inputs: [nodes.bob.moment.y, joints.pin.motor], outputs: [joints.pin.coordinates, "
      "joints.pin.force, nodes.bob.acceleration.x, energy.total]}\n");
  for (const Complex p : {Complex(0, 0), Complex(0, 3), Complex(1, 5)}) {
    const Complex theta = 1.0 / (I * p * p + m * g * l);
    for (const int input : {0, 1}) {
      EXPECT_LE(std::abs(s.transfer(p, 0, input) - theta), 1e-10);
      EXPECT_LE(std::abs(s.transfer(p, 1, input) + m * l * p * p * theta), 1e-9);
      EXPECT_LE(std::abs(s.transfer(p, 2, input)), 1e-9);
      EXPECT_LE(std::abs(s.transfer(p, 3, input)), 1e-9);
      EXPECT_LE(std::abs(s.transfer(p, 4, input) + l * p * p * theta), 1e-9);
      EXPECT_LE(std::abs(s.transfer(p, 5, input)), 1e-8);  // energy is flat at an equilibrium
    }
  }
  EXPECT_EQ(s.made->outputs[1].name, "joints.pin.force.x");
  EXPECT_NEAR(s.made->outputs[3].value, m * g, 1e-9);
}

TEST(Linearize, CartAndPoleHaveTheirClosedForm) {
  const LinearizedDeck s(POLHODE_SOURCE_DIR "/inputs/examples/cart_and_pole.yaml");
  // l = 1
  const double M = 2;
  const double m = 0.5;
  const double g = 9.81;
  for (const Complex p : {Complex(0, 1), Complex(2, 4)}) {
    // (M + m) x'' + m theta'' = f,  x'' + theta'' = g theta
    const Complex theta = -1.0 / (M * p * p - (M + m) * g);
    const Complex x = (g - p * p) / (p * p) * theta;
    EXPECT_LE(std::abs(s.transfer(p, 0) - x), 1e-6);
    EXPECT_LE(std::abs(s.transfer(p, 1) - theta), 1e-6);
  }
  const Eigen::VectorXcd poles = math::general_eigen(s.made->a).values;
  EXPECT_NEAR(poles.real().maxCoeff(), std::sqrt((1 + m / M) * g), 1e-6);
}

// A force on a support goes into it and nowhere else.
TEST(Linearize, SupportsFeelForcesOnThem) {
  const LinearizedDeck s(
      "gravity: [0, 0, -9.81]\n" + beam.substr(0, beam.find("  free")) + "}\n" +
      "analysis: [{type: static}, {type: linearize, inputs: [nodes.root.force, nodes.root.moment.z], outputs: "
      "[reactions.root.force, reactions.root.moment, nodes.tip.position]}]\n");
  MatrixX expected = MatrixX::Zero(9, 4);
  expected.topLeftCorner<3, 3>() = -MatrixX::Identity(3, 3);
  expected(5, 3) = -1;
  EXPECT_LE((s.made->d - expected).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_LE(s.made->b.norm(), 0);
}

// What loads do per unit of their inputs, whatever they are in the deck.
TEST(Linearize, InputsOfLoadsAreTheirForcesPerUnit) {
  const LinearizedDeck s(
      "nodes: {a: {position: [0, 0, 0], orientation: {axis: [0, 0, 1], angle_deg: 90}}, b: {position: [2, 0, 0], "
      "fixed: "
      "true}, c: {position: [6, 0, 0], fixed: [x, y]}}\n"
      "sections: {bar: {stiffness: {EA: 10, GAy: 10, GAz: 10, GJ: 10, EIy: 10, EIz: 10}, mass: {per_length: 1, "
      "inertia: "
      "[1, 1, 1]}}}\n"
      "beams: {arm: {section: bar, from: b, to: c, elements: 1, orientation: [0, 1, 0]}}\n"
      "bodies: {a: {type: rigid_body, node: a, mass: 2, inertia: [1, 1, 1]}}\n"
      "forces:\n"
      "  hold: {type: bushing, connects: [ground, a], at: [0, 0, 0], stiffness: [90, 90, 90, 90, 90, 90]}\n"
      "  push: {type: load, node: a, force: [0, 0, 8], moment: [0, 1, 0], history: \"=sin(t)\"}\n"
      "  follow: {type: load, node: a, force: [0, 0, 8], follower: true, history: 0}\n"
      "  wind: {type: distributed_load, beam: arm, force: [0, 0, 7], history: 0}\n"
      "analysis: {type: linearize, inputs: [forces.push.history, forces.push.moment.x, forces.follow.force.x, "
      "forces.wind.force.z, nodes.a.moment.x]}\n");
  const auto input = [&](std::size_t i, std::size_t node) { return s.made->inputs[i].force[node]; };
  const auto expect_force = [&](std::size_t i, const Vec3& force, const Vec3& moment) {
    EXPECT_LE((input(i, 1).head<3>() - force).norm(), 1e-14) << i;
    EXPECT_LE((input(i, 1).tail<3>() - moment).norm(), 1e-14) << i;
  };
  expect_force(0, Vec3(0, 0, 8), Vec3(1, 0, 0));   // inertial y is the node's x
  expect_force(1, Vec3(0, 0, 0), Vec3(0, -1, 0));  // inertial x is the node's -y
  expect_force(2, Vec3(0, 1, 0), Vec3(0, 0, 0));   // the node's x is inertial y
  expect_force(4, Vec3(0, 0, 0), Vec3(0, -1, 0));
  EXPECT_NEAR(input(3, 2)[2] + input(3, 3)[2], 4, 1e-13);  // a beam of 4 m
  EXPECT_EQ(s.made->inputs[3].units, "N/m");
}

// The output of an entry has its own input in it, with or without motion.
TEST(Linearize, AnInputActsDirectlyOnTheOutputsOfItsEntry) {
  const LinearizedDeck slide(
      "nodes: {m: {position: [1, 0, 0], dofs: translation, fixed: [y, z]}}\n"
      "bodies: {m: {type: point_mass, node: m, mass: 2}}\n"
      "forces: {sp: {type: spring_damper, connects: [ground, m], stiffness: 50, damping: 1, at: [[0, 0, 0], [1, 0, "
      "0]]},"
      "  other: {type: spring_damper, connects: [ground, m], stiffness: 5, at: [[0, 0, 0], [1, 0, 0]]}}\n"
      "analysis: {type: linearize, inputs: [forces.sp.actuator], outputs: [forces.sp.force, forces.other.force, "
      "nodes.m.acceleration.x]}\n");
  EXPECT_LE((slide.made->d.col(0) - Vec3(1, 0, -0.5)).norm(), 1e-9) << slide.made->d;
  const LinearizedDeck wheel(
      "nodes: {m: {position: [0, 0, 0]}}\nbodies: {m: {type: rigid_body, node: m, mass: 2, inertia: [3, 2, 4]}}\n"
      "joints: {pin: {type: revolute, connects: [ground, m], at: [0, 0, 0], axis: [0, 0, 1], stiffness: 5}}\n"
      "forces: {ts: {type: torsional_spring_damper, connects: [ground, m], axis: [0, 0, 1], stiffness: 5}}\n"
      "analysis: {type: linearize, inputs: [joints.pin.motor, forces.ts.actuator],\n"
      "  outputs: [joints.pin.axis_torque, forces.ts.moment, nodes.m.angular_acceleration.z]}\n");
  const double torque = wheel.made->b(1, 1) / wheel.made->b(1, 0);  // what the actuator does of what the motor does
  EXPECT_NEAR(std::abs(torque), 1, 1e-12);
  MatrixX expected = MatrixX::Zero(3, 2);
  expected(0, 0) = 1;
  expected(1, 1) = 1;
  expected.row(2) << 0.25, 0.25 * torque;
  EXPECT_LE((wheel.made->d - expected).norm(), 1e-9) << wheel.made->d;
}

TEST(Linearize, MotorsInGroupsAreInputs) {
  const LinearizedDeck screwed(
      "nodes: {m: {position: [0, 0, 0]}}\nbodies: {m: {type: rigid_body, node: m, mass: 2, inertia: [3, 2, 4]}}\n"
      "joints: {c: {type: cylindrical, connects: [ground, m], at: [0, 0, 0], axis: [0, 0, 1], about: {damping: 1}}}\n"
      "analysis: {type: linearize, inputs: [joints.c.about.motor, joints.c.along.motor],\n"
      "  outputs: [joints.c.axis_torque, joints.c.axis_force, nodes.m.angular_acceleration.z, "
      "nodes.m.acceleration.z]}\n");
  MatrixX expected = MatrixX::Zero(4, 2);
  expected << 1, 0, 0, 1, 0.25, 0, 0, 0.5;
  EXPECT_LE((screwed.made->d - expected).norm(), 1e-9) << screwed.made->d;
}

TEST(Linearize, LowestModesMakeASmallerStateSpace) {
  const std::string text = "gravity: [0, 0, -9.81]\n" + beam.substr(0, beam.find("  free")) + "}\n";
  const std::string names = "inputs: [nodes.tip.force.z], outputs: [nodes.tip.position.z]";
  const LinearizedDeck all(text + "analysis: [{type: static}, {type: linearize, " + names + "}]\n");
  const LinearizedDeck few(text + "analysis: [{type: static}, {type: linearize, modes: 12, " + names + "}]\n");
  ASSERT_EQ(few.made->a.rows(), 24);
  ASSERT_EQ(all.made->a.rows(), 48);
  const Complex s(0, 3);
  EXPECT_NEAR(std::abs(few.transfer(s, 0) / all.transfer(s, 0)), 1, 1e-2);
}

TEST(Linearize, DataInCompressedRowsAreTheMatrices) {
  const LinearizedDeck s(turning(""));
  std::map<std::string, polhode::results::StaticData> data;
  for (polhode::results::StaticData& one : linear_data(*s.made, "/linear/analysis_1"))
    data.emplace(one.path.substr(19), one);
  const Linearized& linear = s.made->linear;
  const int k = s.system->free_unknowns();
  for (const auto& [name, X, rows] :
       {std::tuple{"K", &linear.k, k}, {"C", &linear.c, k}, {"M", &linear.m, k}, {"B", &linear.k, s.system->rows()}}) {
    const std::string at = name;
    const bool gradient = at == "B";
    MatrixX found = MatrixX::Zero(rows, k);
    MatrixX given = found;
    const std::vector<int>& start = data.at(at + "/indptr").indices;
    ASSERT_EQ(start.size(), static_cast<std::size_t>(rows) + 1);
    for (int row = 0; row < rows; ++row)
      for (int i = start[static_cast<std::size_t>(row)]; i < start[static_cast<std::size_t>(row) + 1]; ++i)
        found(row, data.at(at + "/indices").indices[static_cast<std::size_t>(i)]) =
            data.at(at + "/data").numbers[static_cast<std::size_t>(i)];
    for (int column = 0; column < k; ++column)
      for (int p = X->column_start[column]; p < X->column_start[column + 1]; ++p)
        if ((X->row[p] >= k) == gradient)
          given(gradient ? X->row[p] - k : X->row[p], column) = X->at(p) / (gradient ? 1 : linear.scale);
    EXPECT_EQ(found, given) << name;
  }
  EXPECT_EQ(data.at("unknowns").names.size(), static_cast<std::size_t>(k));
  EXPECT_EQ(data.at("Z").shape, (std::vector<int>{k, linear.degrees()}));
}

// The restarted Krylov method for complex eigenvalues, against all eigenvalues of the state space: 192 degrees of
// freedom, gyroscopic and damped.
TEST(Linearize, LargeGyroscopicModelsHaveTheEigenvaluesOfTheirStateSpace) {
  LinearizedDeck s(POLHODE_SOURCE_DIR "/inputs/benchmarks/rotating_cantilever.yaml",
                   {"beams.arm.elements=8",
                    "sections.strip={stiffness: {EA: 1.0e+4, GAy: 1.0e+4, GAz: 1.0e+4, GJ: 1, EIy: 1, "
                    "EIz: 4}, mass: {per_length: 1, inertia: [4.0e-3, 2.0e-3, 2.0e-3]}, damping: 1.0e-4}",
                    "analysis.1={type: linearize, rotation: {axis: [0, 0.6, 0.8], speed: 2}}",
                    "analysis.0.rotation={axis: [0, 0.6, 0.8], speed: 2}"});
  s.modes = run_modal(*s.system, {.modes = 10, .band = {}, .rotation = s.rotation()}, s.q, "analysis", s.problems);
  ASSERT_EQ(s.modes.modes.size(), 10u);
  ASSERT_GT(s.made->linear.degrees(), 150);
  const Eigen::VectorXcd eigenvalues = math::general_eigen(s.made->a).values;
  double last = 0;
  for (const Mode& mode : s.modes.modes) {
    EXPECT_LE((eigenvalues.array() - mode.lambda).abs().minCoeff(), 1e-6 * std::abs(mode.lambda)) << mode.lambda;
    EXPECT_LT(mode.lambda.real(), -1e-6 * std::abs(mode.lambda));
    last = std::abs(mode.lambda);
  }
  // None is missing: as many lie within the circle of the last.
  EXPECT_EQ(((eigenvalues.array().abs() < last * (1 + 1e-9)) && (eigenvalues.array().imag() >= 0)).count(), 10);
}

TEST(Linearize, EndsWhereItIsAskedToWithoutAProblem) {
  const io::Deck deck = io::read_deck(POLHODE_SOURCE_DIR "/inputs/examples/cart_and_pole.yaml");
  for (const int looks : {1, 2, 4}) {  // before the basis, behind it, and at a column
    model::Problems problems;
    const auto system = assembly::System::make(deck.model, problems);
    ASSERT_TRUE(system);
    int asked = 0;
    const auto made =
        make_linear_model(*system, *deck.analyses.front().as<LinearizeSettings>(), system->initial_state(), "analysis",
                          problems, [&asked, most = looks] { return ++asked >= most; });
    EXPECT_FALSE(made) << looks;
    EXPECT_TRUE(problems.empty());
    EXPECT_EQ(asked, looks);
  }
}

TEST(Linearize, NamesThatAreNoneAreProblems) {
  const LinearizedDeck s(
      "nodes: {a: {position: [0, 0, 0]}}\nbodies: {a: {type: rigid_body, node: a, mass: 3, inertia: [2, 3, 4]}}\n"
      "joints: {pin: {type: revolute, connects: [ground, a], at: [0, 0, 0], axis: [0, 0, 1], rotation: 0}}\n"
      "analysis: {type: linearize}\n");
  const auto problem = [&](const std::string& input, const std::string& output) {
    LinearizeSettings settings;
    if (!input.empty()) settings.inputs = {input};
    if (!output.empty()) settings.outputs = {output};
    model::Problems problems;
    check_linearize(*s.system, settings, "analysis", problems);
    return problems.size() == 1 ? problems[0].path + ": " + problems[0].message : std::to_string(problems.size());
  };
  EXPECT_NE(problem("nodes.a.forc.x", "").find("analysis.inputs.0: there is no input \"nodes.a.forc.x\"; did you mean"),
            std::string::npos);
  EXPECT_NE(problem("joints.pin.rotation", "").find("it prescribes a motion"), std::string::npos);
  EXPECT_NE(problem("nodes.a.force.w", "").find("has no component \"w\""), std::string::npos);
  EXPECT_NE(problem("", "nodes.a.positio").find("analysis.outputs.0"), std::string::npos);
  EXPECT_NE(problem("", "solver.time").find("no number of the motion"), std::string::npos);
  EXPECT_EQ(problem("nodes.a.force", "nodes.a.position"), "0");
}

}  // namespace
}  // namespace polhode::analyses
