// SPDX-License-Identifier: BSD-3-Clause
// The rigid body: an offset of its centre of mass against a node at the centre, and which inertias a body can have.
#include "elements/bodies/rigid_body/rigid_body.hpp"

#include <gtest/gtest.h>

#include "elements/bodies/rigid_body/shape.hpp"
#include "support/bench.hpp"
#include "support/models.hpp"

namespace polhode::support::rigid_body_test {
namespace {

// The same motion of the same body, seen from its centre and from a node at the distance c.
TEST(RigidBody, ActsAlikeFromItsCentreAndFromAnotherNode) {
  const Vec3 c(0.3, -0.2, 0.4);
  const Vec3 J(0.5, 0.6, 0.4);
  ModelMaker centred;
  ModelMaker offset;
  for (ModelMaker* m : {&centred, &offset}) {
    m->model.gravity = Vec3(1, 2, -9);
    m->node("body", Vec3::Zero());
    m->body("body", "body", 2, J, m == &centred ? Vec3(0, 0, 0) : c);
  }
  const Machine at_centre(std::move(centred.model));
  const Machine at_node(std::move(offset.model));
  std::mt19937 random(1);
  State q = at_centre.system.initial_state();
  State p = q;
  q.x[1] = random_vector(random);
  q.set_rotation(1, math::so3::exp_quaternion(2 * random_vector(random)));
  q.v[1] << random_vector(random), random_vector(random);
  q.vdot[1] << random_vector(random), random_vector(random);
  p = q;
  const Vec3 Omega = q.v[1].tail<3>();
  const Vec3 Omegadot = q.vdot[1].tail<3>();
  p.x[1] -= q.R[1] * c;
  p.v[1].head<3>() -= q.R[1] * Omega.cross(c);
  p.vdot[1].head<3>() -= q.R[1] * (Omegadot.cross(c) + Omega.cross(Omega.cross(c)));

  assembly::Residual a = at_centre.system.make_residual();
  assembly::Residual b = at_node.system.make_residual();
  at_centre.system.set_residual(q, a);
  at_node.system.set_residual(p, b);
  const Vec3 force = a.force[1].head<3>();
  const Vec3 moment = a.force[1].tail<3>();
  EXPECT_LE((b.force[1].head<3>() - force).norm(), 1e-13);
  EXPECT_LE((b.force[1].tail<3>() - moment - c.cross(q.R[1].transpose() * force)).norm(), 1e-13);
  EXPECT_NEAR(at_node.system.energies(p).kinetic, at_centre.system.energies(q).kinetic, 1e-13);
  EXPECT_NEAR(at_node.system.energies(p).gravity, at_centre.system.energies(q).gravity, 1e-13);
  // Newton and Euler at the centre
  EXPECT_LE((force - 2 * (q.vdot[1].head<3>() - Vec3(1, 2, -9))).norm(), 1e-14);
  EXPECT_LE((moment - J.cwiseProduct(Omegadot) - Omega.cross(J.cwiseProduct(Omega))).norm(), 1e-14);
}

TEST(RigidBody, RefusesAnInertiaThatNoBodyHas) {
  using elements::is_inertia;
  const auto diagonal = [](double a, double b, double c) -> Mat3 { return Vec3(a, b, c).asDiagonal(); };
  EXPECT_TRUE(is_inertia(diagonal(1, 2, 3)));  // flat
  EXPECT_TRUE(is_inertia(diagonal(3, 1, 2)));
  EXPECT_TRUE(is_inertia(diagonal(0, 1, 1)));  // a rod
  EXPECT_TRUE(is_inertia(diagonal(1, 2, 3 * (1 + 0.9e-6))));
  EXPECT_FALSE(is_inertia(diagonal(1, 2, 3.001)));
  EXPECT_FALSE(is_inertia(diagonal(-0.1, 1, 1)));
  const Mat3 turn = math::so3::exp(Vec3(0.3, 1, -2));
  EXPECT_TRUE(is_inertia(turn * diagonal(1, 2, 2.9) * turn.transpose()));
  EXPECT_FALSE(is_inertia(turn * diagonal(1, 2, 3.1) * turn.transpose()));

  ModelMaker m;
  m.node("body", Vec3::Zero());
  m.body("body", "body", 1, Vec3(1, 1, 5));
  model::Problems problems;
  EXPECT_FALSE(assembly::System::make(m.model, problems));
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].path, "bodies.body.inertia");
}

// Sums over the particles of a fine grid.
TEST(BodyShape, HasTheMassAndInertiaOfItsParticles) {
  const Vec3 edges(0.7, 1.1, 1.5);
  const auto expect = [&](const elements::BodyShape& shape, const auto& inside, const Vec3& half) {
    const int n = 60;
    double volume = 0;
    Vec3 J = Vec3::Zero();
    const double cell = 8 * half.prod() / (n * n * n);
    for (int i = 0; i < n * n * n; ++i) {
      const Eigen::Array3d at(i % n, i / n % n, i / n / n);
      const Vec3 p = ((2 * at + 1) / n - 1) * half.array();
      if (!inside(p)) continue;
      volume += cell;
      const Vec3 s = p.cwiseAbs2();
      J += cell * Vec3(s[1] + s[2], s[2] + s[0], s[0] + s[1]);
    }
    EXPECT_NEAR(shape.volume, volume, 0.02 * volume);
    EXPECT_LE((volume * shape.specific_inertia - J).norm(), 0.02 * J.norm());
  };
  expect(
      elements::box(edges), [](const Vec3&) { return true; }, edges / 2);
  expect(
      elements::sphere(0.8), [](const Vec3& p) { return p.norm() < 0.8; }, Vec3::Constant(0.8));
  for (int axis = 0; axis < 3; ++axis) {
    Vec3 half = Vec3::Constant(0.8);
    half[axis] = 1;
    const auto inside = [axis](Vec3 p) {
      p[axis] = 0;
      return p.norm() < 0.8 && p.norm() > 0.5;
    };
    expect(elements::tube(0.8, 0.5, 2, axis), inside, half);
  }
}

TEST(RigidBody, BoxOfADensityIsTheBodyOfItsMassAndInertia) {
  ModelMaker m;
  m.node("box", Vec3::Zero());
  m.add(Family::body, "rigid_body", "box",
        {{"node", value("box")}, {"shape", value("box")}, {"size", value(Vec3(1, 2, 3))}, {"density", 0.5}});
  const Machine machine(std::move(m.model));
  const model::BodyTopology& body = machine.system.bodies()[0];
  EXPECT_DOUBLE_EQ(body.mass, 3);
  EXPECT_LE((body.inertia.diagonal() - 3.0 / 12 * Vec3(13, 10, 5)).norm(), 1e-14);
}

}  // namespace
}  // namespace polhode::support::rigid_body_test
