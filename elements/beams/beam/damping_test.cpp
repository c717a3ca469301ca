// SPDX-License-Identifier: BSD-3-Clause
// Damping of beams beside time constants: full matrices, proportional to mass, by ratios; laws and closed forms.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "elements/beams/spectral/kind.hpp"
#include "polhode/analyses/modal/modal.hpp"
#include "polhode/math/dense.hpp"
#include "support/bench.hpp"
#include "support/methods.hpp"
#include "support/transients.hpp"

namespace polhode::support::beam_damping_test {
namespace {

using math::Mat6;

constexpr double pi = std::numbers::pi;
constexpr double length = 2;

Mat6 random_matrix(std::mt19937& random) {
  Mat6 X;
  for (double& x : X.reshaped()) x = random_vector(random)[0];
  return X;
}
Mat6 random_definite(std::mt19937& random) {
  const Mat6 X = random_matrix(random);
  return X * X.transpose() + 0.01 * Mat6::Identity();
}

Mat6 mass_of(double m, const Vec3& c, const Vec3& inertia) {
  Mat6 mass = Mat6::Zero();
  mass.diagonal() << m, m, m, inertia;
  mass.bottomLeftCorner<3, 3>() = m * math::tilde(c);
  mass.topRightCorner<3, 3>() = -m * math::tilde(c);
  mass.bottomRightCorner<3, 3>() -= m * math::tilde(c) * math::tilde(c);
  return mass;
}

// Coupled, with an offset.
model::SectionEntry random_section(std::mt19937& random) {
  model::SectionEntry section;
  section.name = "s";
  section.stiffness = 10 * random_definite(random);
  section.mass = mass_of(1.5, 0.2 * random_vector(random), Vec3(0.3, 0.1, 0.2));
  return section;
}

// A bar without gravity; its ends are turned against the sections.
model::Model bar(int order, const model::SectionEntry& section, bool turned = true) {
  ModelMaker m;
  m.node("a", Vec3(0.3, 0.1, -0.2)).orientation = math::so3::exp_quaternion(Vec3(turned ? 0.4 : 0, 0, 0));
  m.node("b", Vec3(0.3 + length, 0.1, -0.2));
  m.model.sections.push_back(section);
  m.add(Family::beam, "beam", "rod",
        {{"section", value("s")},
         {"from", value("a")},
         {"to", value("b")},
         {"order", double(order)},
         {"elements", 2.0},
         {"orientation", value(Vec3(0, 1, 0))}});
  return std::move(m.model);
}

State shaken(const assembly::System& system, std::mt19937& random, double turn = 0.5) {
  State q = system.initial_state();
  for (std::size_t i = 1; i < q.x.size(); ++i) {
    q.x[i] += 0.1 * random_vector(random);
    q.set_rotation(i, q.quat[i] * math::so3::exp_quaternion(turn * random_vector(random)));
    q.v[i] << random_vector(random), random_vector(random);
  }
  return q;
}

// Node by node, as velocities().
VectorX forces(const assembly::System& system, const State& q, model::Parts parts = {false, true, false}) {
  assembly::Residual r = system.make_residual();
  system.set_residual(q, r, parts);
  State nodal = q;
  std::copy(r.force.begin(), r.force.end(), nodal.v.begin());
  return velocities(nodal);
}

State at_rest(State q) {
  for (Vec6& v : q.v) v.setZero();
  return q;
}

// Of the whole, about the origin, from those of the nodes.
Vec6 total(const State& q, const VectorX& momenta) {
  Vec6 sum = Vec6::Zero();
  for (std::size_t i = 1; i < q.x.size(); ++i) {
    const Vec6 p = momenta.segment<6>(6 * static_cast<Eigen::Index>(i - 1));
    sum.head<3>() += p.head<3>();
    sum.tail<3>() += q.x[i].cross(Vec3(p.head<3>())) + q.R[i] * p.tail<3>();
  }
  return sum;
}

// M v: the inertia of accelerations that are the velocities, at rest.
VectorX momenta(const assembly::System& system, const State& q) {
  State s = at_rest(q);
  s.vdot = q.v;
  return forces(system, s, {true, false, false});
}

constexpr std::array orders{1, 2, 5};

TEST(BeamDamping, OfAMatrixIsThatOfTheTimeConstantsWithTheSameMatrix) {
  std::mt19937 random(1);
  for (const int order : orders) {
    model::SectionEntry section = random_section(random);
    section.damping << 0.1, 0, 0.2, 0.3, 0.05, 0;
    const Machine constants(bar(order, section));
    section.damping_matrix = elements::spectral::damping(section.stiffness, section.damping);
    section.damping.setZero();
    const Machine matrix(bar(order, section));
    const State q = shaken(constants.system, random);
    const VectorX r = forces(constants.system, q);
    EXPECT_GT((r - forces(constants.system, at_rest(q))).norm(), 0.01 * r.norm());
    EXPECT_LE((forces(matrix.system, q) - r).norm(), 1e-14 * r.norm());
    EXPECT_NEAR(matrix.system.power(q), constants.system.power(q), 1e-13 * std::abs(constants.system.power(q)));
  }
}

// Random coupled stiffness, offset mass, full damping matrices of any rank, and motions.
TEST(BeamDamping, NeverFeedsPower) {
  std::mt19937 random(2);
  std::uniform_int_distribution<int> rank(0, 6);
  int motions = 0;
  for (int i = 0; motions < 10000; ++i) {
    model::SectionEntry section = random_section(random);
    const Mat6 X = random_matrix(random);
    const Eigen::Index columns = rank(random);
    section.damping_matrix = X.leftCols(columns) * X.leftCols(columns).transpose();
    if (i % 2) section.damping = random_vector(random).cwiseMax(0).replicate<2, 1>();
    if (i % 3) section.mass_damping = 0.5;
    const Machine machine(bar(orders[static_cast<std::size_t>(i) % orders.size()], section, i % 5 > 0));
    for (int k = 0; k < 10; ++k, ++motions) {
      const State q = shaken(machine.system, random, 1);
      const double power = machine.system.power(q);
      const VectorX r = forces(machine.system, q) - forces(machine.system, at_rest(q));
      const VectorX v = velocities(q);
      EXPECT_LE(power, 1e-14 * r.norm() * v.norm());
      EXPECT_NEAR(power, -r.dot(v), 1e-12 * (1 + r.norm() * v.norm()));
    }
  }
}

TEST(BeamDamping, ProportionalToMassIsTheMassMatrixTimesTheVelocities) {
  std::mt19937 random(3);
  constexpr double alpha = 0.7;
  for (const int order : orders)
    for (const bool offset : {false, true})
      for (const bool turned : {false, true}) {
        model::SectionEntry section = random_section(random);
        if (!offset) section.mass = mass_of(1.5, Vec3::Zero(), Vec3(0.3, 0.1, 0.2));
        section.mass_damping = alpha;
        const Machine machine(bar(order, section, turned));
        const State q = shaken(machine.system, random);
        const VectorX r = forces(machine.system, q) - forces(machine.system, at_rest(q));
        const VectorX expected = alpha * momenta(machine.system, q);
        EXPECT_LE((r - expected).norm(), 1e-13 * (1 + forces(machine.system, q).norm())) << order;
        const double kinetic = machine.system.energies(q).kinetic;
        EXPECT_NEAR(machine.system.power(q), -2 * alpha * kinetic, 1e-13 * kinetic) << order;
      }
}

// Stations with and without it: of a translation the power is that of the integral of alpha times mass, linear both.
TEST(BeamDamping, ProportionalToMassChangesAlongTheBeam) {
  for (const int order : {1, 3}) {
    model::Model model = bar(order, [] {
      model::SectionEntry s;
      s.name = "s";
      s.stiffness = Mat6::Identity();
      s.mass = mass_of(1, Vec3(0, 0.1, 0), Vec3::Ones());
      return s;
    }());
    model::SectionEntry end = model.sections[0];
    end.name = "end";
    end.mass *= 3;
    end.mass_damping = 0.6;
    model.sections.push_back(end);
    model::Entry& beam = model.entries[0];
    beam.values.erase("section");
    beam.values["sections"] = std::vector<std::string>{"s", "end"};
    beam.values["stations"] = VectorX(Eigen::Vector2d(0, 1));
    const Machine machine(std::move(model));
    State q = machine.system.initial_state();
    for (std::size_t i = 1; i < q.x.size(); ++i) q.v[i].head<3>() = Vec3(1, 2, 2);
    // integral of 0.6 s (1 + 2 s) over [0, 1]
    EXPECT_NEAR(machine.system.power(q), -9 * length * 0.6 * (0.5 + 2.0 / 3), 1e-12);
  }
}

// The bound that beam.md states for sections with hardly any inertia about their center of mass: the worst velocities
// of an element whose second node is turned by an angle.
TEST(BeamDamping, ProportionalToMassTakesOutEnergyWhereTheKineticEnergyIsPositive) {
  const Vec3 c(0, 0.3, 0);
  constexpr double angle = 0.4;
  for (const bool above : {false, true}) {
    model::SectionEntry section;
    section.name = "s";
    section.stiffness = Mat6::Identity();
    const double inertia = (above ? 1.01 : 0.99) * (1 - std::cos(angle)) * 2 * c.squaredNorm();
    section.mass = mass_of(2, c, Vec3::Constant(inertia));
    section.mass_damping = 1;
    model::Model model = bar(1, section, false);
    model.entries[0].values["elements"] = 1.0;
    const Machine machine(std::move(model));
    State q = machine.system.initial_state();
    q.set_rotation(2, q.quat[2] * math::so3::exp_quaternion(Vec3(0, angle, 0)));
    for (const std::size_t i : {1u, 2u}) {
      const Vec3 Omega(0, 0, i == 1 ? 1 : -1);
      q.v[i] << -(q.R[i] * Omega.cross(c)), Omega;
    }
    const double kinetic = machine.system.energies(q).kinetic;
    EXPECT_EQ(kinetic > 0, above);
    EXPECT_NEAR(machine.system.power(q), -2 * kinetic, 1e-15);
  }
}

// A beam in free flight, bent and spinning: both momenta fall with exp(-alpha t), whatever it does besides.
class MomentaOfAFreeBeam : public testing::TestWithParam<std::string> {};

TEST_P(MomentaOfAFreeBeam, FallExponentially) {
  const bool own_steps = has_own_steps(GetParam());
  const std::string settings = std::string(", step: ") + (own_steps ? "{tolerance: 1.0e-7}" : "5.0e-3") +
                               ", integrator: {method: " + GetParam() + "}}\n";
  for (const int order : {1, 3}) {
    const io::Deck deck = deck_of(
        "format: polhode-deck/1\nnodes:\n  a: {position: [0, 0, 0], velocity: [0, 1, 0]}\n"
        "  b: {position: [2, 0, 0], velocity: [0, 4, 1], angular_velocity: [1, 0, 2]}\n"
        "sections:\n  s:\n    stiffness: {EA: 400, GAy: 200, GAz: 200, GJ: 20, EIy: 20, EIz: 30}\n"
        "    mass: [[2, 0, 0, 0, 0, -0.4], [0, 2, 0, 0, 0, 0], [0, 0, 2, 0.4, 0, 0],\n"
        "           [0, 0, 0.4, 0.5, 0, 0], [0, 0, 0, 0, 0.2, 0], [-0.4, 0, 0, 0, 0, 0.4]]\n"
        "    damping: 0.01\n    mass_damping: 0.8\n"
        "beams: {rod: {section: s, from: a, to: b, elements: 2, orientation: [0, 1, 0], order: " +
        std::to_string(order) + "}}\nanalysis: {type: transient, duration: 1" + settings);
    const Machine machine(deck.model);
    const State at_start = machine.system.initial_state();
    const Vec6 start = total(at_start, momenta(machine.system, at_start));
    const Transient run(deck);
    ASSERT_TRUE(run.problems.empty()) << run.problems.front().message;
    ASSERT_NEAR(run.q.t, 1, 1e-12);
    const Vec6 end = total(run.q, momenta(run.machine.system, run.q));
    const double left = std::exp(-0.8);
    EXPECT_LE((end - left * start).head<3>().norm(), 2e-5 * start.head<3>().norm()) << order;
    EXPECT_LE((end - left * start).tail<3>().norm(), 5e-5 * start.tail<3>().norm()) << order;
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, MomentaOfAFreeBeam, testing::ValuesIn([] {
                           std::vector<std::string> all;
                           for (const std::string& name : built_methods())
                             if (name != "energy_momentum" && name != "variational") all.push_back(name);
                           return all;
                         }()),
                         [](const auto& one) { return one.param; });

std::vector<analyses::Mode> modes_of(const std::string& damping) {
  const io::Deck deck = deck_of(
      "format: polhode-deck/1\nnodes: {clamp: {position: [0, 0, 0], fixed: true}, tip: {position: [1, 0, 0]}}\n"
      "sections:\n  s: {stiffness: {EA: 1.0e+5, GAy: 4.0e+4, GAz: 4.0e+4, GJ: 30, EIy: 20, EIz: 50},\n"
      "    mass: {per_length: 2, inertia: [0.02, 0.01, 0.01]}" +
      damping +
      "}\nbeams: {arm: {section: s, from: clamp, to: tip, elements: 4, order: 3, orientation: [0, 1, 0]}}\n"
      "analysis: {type: modal, modes: 8}\n");
  const Machine machine(deck.model);
  model::Problems problems;
  auto result = run_modal(machine.system, *deck.analyses.front().as<analyses::ModalSettings>(),
                          machine.system.initial_state(), "analysis", problems);
  EXPECT_TRUE(problems.empty());
  return result.modes;
}

// All modes of a cantilever, at the frequencies that it has without damping.
TEST(BeamDamping, HasItsRatioAtBothFrequencies) {
  const std::vector<analyses::Mode> plain = modes_of("");
  ASSERT_EQ(plain.size(), 8u);
  for (const auto& [first, second] : {std::pair<std::size_t, std::size_t>{0, 3}, {1, 2}, {6, 2}, {1, 1}}) {
    constexpr double ratio = 0.03;
    const double f1 = plain[first].frequency();
    const double f2 = plain[second].frequency();
    const std::vector<analyses::Mode> damped =
        modes_of(fmt::format(", damping: {{ratio: {}, frequencies: [{:.17g}, {:.17g}]}}", ratio, f1, f2));
    ASSERT_EQ(damped.size(), plain.size());
    EXPECT_NEAR(damped[first].damping(), ratio, 1e-7 * ratio);
    EXPECT_NEAR(damped[second].damping(), ratio, 1e-7 * ratio);
    for (std::size_t i = 0; i < plain.size(); ++i) {
      const double f = plain[i].frequency();
      EXPECT_NEAR(damped[i].damping(), ratio * (f1 * f2 / f + f) / (f1 + f2), 1e-7) << f;
    }
  }
}

TEST(BeamDamping, ProportionalToMassHasTheRatioOfItsFrequency) {
  const std::vector<analyses::Mode> plain = modes_of("");
  const std::vector<analyses::Mode> damped = modes_of(", mass_damping: 1.5");
  ASSERT_EQ(damped.size(), plain.size());
  for (std::size_t i = 0; i < plain.size(); ++i)
    EXPECT_NEAR(damped[i].damping(), 1.5 / (4 * pi * plain[i].frequency()), 1e-9);
}

}  // namespace
}  // namespace polhode::support::beam_damping_test
