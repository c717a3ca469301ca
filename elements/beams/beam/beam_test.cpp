// SPDX-License-Identifier: BSD-3-Clause
// The beam against closed forms: constant strains, equilibrium under an end moment, mass, offsets, turned sections.
#include <gtest/gtest.h>

#include <numbers>

#include "support/bench.hpp"
#include "support/models.hpp"

namespace polhode::support::beam_test {
namespace {

const Vec6 stiffness = (Vec6() << 1000, 400, 500, 7, 8, 9).finished();
constexpr double mass = 1.5;
constexpr double length = 2;
const Vec3 inertia(0.3, 0.1, 0.2);
const Vec3 from(0.3, -0.2, 0.5);
const Vec3 along = Vec3(2, 1, -2) / 3;

struct Options {
  int elements = 1;
  // of the ends
  math::so3::Quaternion first = math::so3::Quaternion::Identity();
  math::so3::Quaternion second = first;
  Vec3 center_of_mass = Vec3::Zero();
};

model::Model bar(const Options& options) {
  ModelMaker m;
  m.model.gravity = Vec3(0, 0, -9.81);
  m.node("a", from).orientation = options.first;
  m.node("b", from + length * along).orientation = options.second;
  model::SectionEntry& section = m.section("bar", stiffness, mass, inertia);
  const Mat3 c = math::tilde(options.center_of_mass);
  section.mass.topRightCorner<3, 3>() = -mass * c;
  section.mass.bottomLeftCorner<3, 3>() = mass * c;
  section.mass.bottomRightCorner<3, 3>() -= mass * c * c;
  m.add(Family::beam, "beam", "bar",
        {{"section", value("bar")},
         {"from", value("a")},
         {"to", value("b")},
         {"elements", double(options.elements)},
         {"orientation", value(Vec3(0, 1, 0))}});
  return std::move(m.model);
}

// Section's frame of the straight bar.
Mat3 frame() {
  Mat3 E;
  const Vec3 y = (Vec3::UnitY() - along.y() * along).normalized();
  E << along, y, along.cross(y);
  return E;
}

// Strains (6) and section forces (6) of an element.
VectorX outputs(const assembly::System& system, const State& q, std::size_t element = 0) {
  VectorX out(12);
  system.batches().front()->write_outputs(element, 1, q, system.context(q), out.data(), out.size());
  return out;
}

VectorX residual(const assembly::System& system, const State& q, model::Parts parts = {}) {
  assembly::Residual r = system.make_residual();
  system.set_residual(q, r, parts);
  VectorX rows(system.size());
  system.gather(r, {}, 1, rows);
  return rows;
}

// A line of nodes with constant strain: each element turns by `kappa` times its length, its middle frame drags the next
// node along.
State strained(const assembly::System& system, const Vec3& Gamma, const Vec3& kappa, int elements) {
  State q = system.initial_state();
  const double L = length / elements;
  math::so3::Quaternion Q = q.quat[1] * math::so3::exp_quaternion(Vec3(0.4, -0.8, 0.3));
  Vec3 x(1, 2, 3);
  for (const int node : system.beams().front().nodes) {
    const std::size_t i = static_cast<std::size_t>(node);
    q.x[i] = x;
    q.set_rotation(i, Q);
    x += L * (Q * math::so3::exp_quaternion(Vec3(0.5 * L * kappa)) * Vec3(Gamma + Vec3::UnitX()));
    Q = Q * math::so3::exp_quaternion(Vec3(L * kappa));
  }
  return q;
}

Options with_section_frames(int elements) {
  Options options;
  options.elements = elements;
  options.first = options.second = math::so3::Quaternion(frame());
  return options;
}

TEST(Beam, IsFreeOfStrainInTheDecksConfigurationAndAfterARigidMotion) {
  for (const double turn : {0.0, 1e-6, 1.0, 3.0}) {
    Options options;
    options.elements = 3;
    options.first = math::so3::exp_quaternion(Vec3(0.3, 1.2, -0.7));
    options.second = math::so3::exp_quaternion(Vec3(-2, 0.5, 1));
    const Machine machine(bar(options));
    const State q = rigidly_moved(machine.system.initial_state(), math::so3::exp_quaternion(turn * Vec3(0.6, 0, 0.8)),
                                  Vec3(1, -2, 3));
    for (std::size_t e = 0; e < 3; ++e) EXPECT_LE(outputs(machine.system, q, e).head<6>().norm(), 1e-14);
    EXPECT_LE(machine.system.energies(q).strain, 1e-25);
    EXPECT_LE(residual(machine.system, q, {false, true, false}).norm(), 1e-11);
  }
}

TEST(Beam, ConstantStrainsAreMetExactly) {
  const Machine machine(bar(with_section_frames(4)));
  const std::vector<std::pair<Vec3, Vec3>> cases{{Vec3(0.1, 0, 0), Vec3::Zero()},
                                                 {Vec3(0, 0.2, -0.1), Vec3::Zero()},
                                                 {Vec3::Zero(), Vec3(1.3, 0, 0)},
                                                 {Vec3::Zero(), Vec3(0, 0, std::numbers::pi)},
                                                 {Vec3(0.1, -0.2, 0.3), Vec3(0.5, -2, 1)}};
  for (const auto& [Gamma, kappa] : cases) {
    const State q = strained(machine.system, Gamma, kappa, 4);
    Vec6 strain;
    strain << Gamma, kappa;
    for (std::size_t e = 0; e < 4; ++e) {
      const VectorX out = outputs(machine.system, q, e);
      EXPECT_LE((out.head<6>() - strain).norm(), 1e-13);
      EXPECT_LE((out.tail<6>() - stiffness.cwiseProduct(strain)).norm(), 1e-11);
    }
    EXPECT_NEAR(machine.system.energies(q).strain, 0.5 * length * strain.dot(stiffness.cwiseProduct(strain)), 1e-11);
  }
}

// Bent to a circle by moments at its ends, the bar is in equilibrium at each inner node, for any number of elements.
TEST(Beam, EndMomentsBendToACircle) {
  for (const int elements : {3, 4, 10}) {
    const Machine machine(bar(with_section_frames(elements)));
    const Vec3 kappa(0, 0, 2 * std::numbers::pi / length);
    const State q = strained(machine.system, Vec3::Zero(), kappa, elements);
    EXPECT_LE((q.x[2] - q.x[1]).norm(), 1e-13);  // closed
    VectorX r = residual(machine.system, q, {false, true, false});
    EXPECT_LE((r.segment<6>(0) - (Vec6() << 0, 0, 0, 0, 0, -9 * kappa.z()).finished()).norm(), 1e-11);
    EXPECT_LE((r.segment<6>(6) - (Vec6() << 0, 0, 0, 0, 0, 9 * kappa.z()).finished()).norm(), 1e-11);
    EXPECT_LE(r.tail(6 * (elements - 1)).norm(), 1e-11);
  }
}

TEST(Beam, MassSumsUp) {
  for (const int elements : {1, 5}) {
    Options options = with_section_frames(elements);
    options.center_of_mass = Vec3(0, 0.2, -0.1);
    const Machine machine(bar(options));
    State q = machine.system.initial_state();
    for (std::size_t i = 1; i < q.x.size(); ++i) q.v[i] << 3, -4, 12, 0, 0, 0;
    EXPECT_NEAR(machine.system.energies(q).kinetic, 0.5 * mass * length * 169, 1e-11);
    const Vec3 centre = from + 0.5 * length * along + frame() * options.center_of_mass;
    EXPECT_NEAR(machine.system.energies(q).gravity, mass * length * 9.81 * centre.z(), 1e-11);
    // falling freely: no residual
    for (std::size_t i = 1; i < q.x.size(); ++i) q.vdot[i] << 0, 0, -9.81, 0, 0, 0;
    EXPECT_LE(residual(machine.system, q).norm(), 1e-11);
  }
}

// A straight bar that turns as a whole: velocities are linear along it, so kinetic energy and momenta are exact.
TEST(Beam, TurnsLikeARigidBar) {
  for (const int elements : {1, 4}) {
    Options options = with_section_frames(elements);
    options.center_of_mass = Vec3(0, 0.2, -0.1);
    const Machine machine(bar(options));
    State q = machine.system.initial_state();
    // about the middle
    const Vec3 spin(0.7, -1.1, 0.4);
    const Vec3 velocity(1, 2, 3);
    const Vec3 middle = from + 0.5 * length * along;
    for (std::size_t i = 1; i < q.x.size(); ++i)
      q.v[i] << velocity + spin.cross(q.x[i] - middle), q.R[i].transpose() * spin;
    const Vec3 w = frame().transpose() * spin;
    const Vec3 u = frame().transpose() * velocity;
    const Vec3 c = options.center_of_mass;
    const Mat3 J = length * (Mat3(inertia.asDiagonal()) - mass * math::tilde(c) * math::tilde(c)) +
                   mass * length * length * length / 12 * Mat3(Vec3(0, 1, 1).asDiagonal());
    const double kinetic =
        0.5 * mass * length * u.squaredNorm() + mass * length * u.dot(w.cross(c)) + 0.5 * w.dot(J * w);
    EXPECT_NEAR(machine.system.energies(q).kinetic, kinetic, 1e-12);
  }
}

// A mass off the axis is the same as an axis through the mass, carried by nodes that are off it: while the section
// frames are parallel and turn alike, since the two forms of the element interpolate differently what differs along it.
TEST(Beam, OffsetMassActsAtItsPlace) {
  Options options = with_section_frames(1);
  const Machine centred(bar(options));
  options.center_of_mass = Vec3(0, 0.3, 0.2);
  const Machine offset(bar(options));
  State q = centred.system.initial_state();
  State shifted = q;
  std::mt19937 random(3);
  const Vec3 spin = random_vector(random);
  const Vec3 spin_rate = random_vector(random);
  for (std::size_t i = 1; i <= 2; ++i) {
    q.v[i] << random_vector(random), spin;
    q.vdot[i] << random_vector(random), spin_rate;
    // the node that carries the same mass from a distance: x = x_mass - R c
    const Vec3 c = options.center_of_mass;
    const Vec3 Omega = q.v[i].tail<3>();
    const Vec3 Omegadot = q.vdot[i].tail<3>();
    shifted.x[i] = q.x[i] - q.R[i] * c;
    shifted.v[i] << q.v[i].head<3>() - q.R[i] * Omega.cross(c), Omega;
    shifted.vdot[i] << q.vdot[i].head<3>() - q.R[i] * (Omegadot.cross(c) + Omega.cross(Omega.cross(c))), Omegadot;
  }
  EXPECT_NEAR(offset.system.energies(shifted).kinetic, centred.system.energies(q).kinetic, 1e-12);
  EXPECT_NEAR(offset.system.energies(shifted).gravity, centred.system.energies(q).gravity, 1e-11);
  const VectorX at_mass = residual(centred.system, q, {true, false, false});
  const VectorX at_node = residual(offset.system, shifted, {true, false, false});
  for (int i = 0; i < 2; ++i) {
    const Vec3 force = at_mass.segment<3>(6 * i);
    const Vec3 moment = at_mass.segment<3>(6 * i + 3);
    EXPECT_LE((at_node.segment<3>(6 * i) - force).norm(), 1e-12);
    const Vec3 body_force = q.R[i + 1].transpose() * force;
    EXPECT_LE((at_node.segment<3>(6 * i + 3) - moment - options.center_of_mass.cross(body_force)).norm(), 1e-12);
  }
}

// The frames of the end nodes are a matter of taste: they turn the components of moments and of nothing else.
TEST(Beam, DoesNotCareHowItsNodesAreTurned) {
  Options options = with_section_frames(2);
  options.center_of_mass = Vec3(0, 0.1, 0.2);
  const Machine plain(bar(options));
  const std::array turn{math::so3::exp_quaternion(Vec3(0.3, -1, 2)), math::so3::exp_quaternion(Vec3(1.5, 0.4, -0.3))};
  options.first = options.first * turn[0];
  options.second = options.second * turn[1];
  const Machine turned(bar(options));
  std::mt19937 random(4);
  State q = plain.system.initial_state();
  State r = q;
  for (std::size_t i = 1; i <= 3; ++i) {
    q.x[i] += 0.2 * random_vector(random);
    q.set_rotation(i, q.quat[i] * math::so3::exp_quaternion(0.7 * random_vector(random)));
    q.v[i] << random_vector(random), random_vector(random);
    q.vdot[i] << random_vector(random), random_vector(random);
  }
  r = q;
  for (std::size_t i = 1; i <= 2; ++i) {
    const Mat3 E = turn[i - 1].toRotationMatrix().transpose();
    r.set_rotation(i, q.quat[i] * turn[i - 1]);
    r.v[i].tail<3>() = E * q.v[i].tail<3>();
    r.vdot[i].tail<3>() = E * q.vdot[i].tail<3>();
  }
  for (std::size_t e = 0; e < 2; ++e)
    EXPECT_LE((outputs(plain.system, q, e) - outputs(turned.system, r, e)).norm(), 1e-11);
  EXPECT_NEAR(plain.system.energies(q).total(), turned.system.energies(r).total(), 1e-11);
  VectorX expected = residual(plain.system, q);
  for (int i = 0; i < 2; ++i)
    expected.segment<3>(6 * i + 3) = turn[i].conjugate() * Vec3(expected.segment<3>(6 * i + 3));
  EXPECT_LE((residual(turned.system, r) - expected).norm(), 1e-11);
}

TEST(Beam, InnerNodesTakeTheirVelocityFromTheEnds) {
  model::Model model = bar(with_section_frames(4));
  model.nodes[0].velocity = Vec3(1, 0, 0);
  model.nodes[1].velocity = Vec3(5, 0, 4);
  const Machine machine(std::move(model));
  const State q = machine.system.initial_state();
  EXPECT_LE((q.v[3].head<3>() - Vec3(2, 0, 1)).norm(), 1e-15);
  EXPECT_LE((q.v[5].head<3>() - Vec3(4, 0, 3)).norm(), 1e-15);
}

TEST(Beam, RefusesEndsAtOnePlaceAndAnOrientationAlongItself) {
  for (const bool coincident : {true, false}) {
    model::Model model = bar({});
    if (coincident)
      model.nodes[1].position = from;
    else
      model.entries[0].values["orientation"] = value(along);
    model::Problems problems;
    EXPECT_FALSE(assembly::System::make(model, problems));
    ASSERT_EQ(problems.size(), 1u);
    EXPECT_EQ(problems[0].path, coincident ? "beams.bar.to" : "beams.bar.orientation");
  }
}

}  // namespace
}  // namespace polhode::support::beam_test
