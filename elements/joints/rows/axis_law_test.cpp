// SPDX-License-Identifier: BSD-3-Clause
// Laws along axes by expressions and stops: forces and powers as written, means over steps, and motions in closed form.
#include "elements/joints/rows/axis_law.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/joints.hpp"
#include "support/statics.hpp"

namespace polhode::support::axis_law_test {
namespace {

using elements::CoordinateLaw;
using elements::Stops;

const std::vector<std::string> of_angle{"angle", "rate"};
const std::vector<std::string> of_displacement{"displacement", "rate"};

State turning(const assembly::System& system, double angle, double rate, double t) {
  State q = placed(system.initial_state(), math::so3::exp_quaternion(Vec3(0, 0, angle)), Vec3::Zero(), Vec3::Zero());
  q.v[1][5] = rate;
  q.t = t;
  return q;
}

TEST(AxisLaws, TorqueAndPowerAreThoseOfTheExpression) {
  const Machine machine(body_on_ground(
      "revolute", 0.5,
      {{"axis", value(Vec3(0, 0, 1))}, {"torque", law("-2*angle^3 - 0.5*rate*abs(rate) + sin(t)", of_angle)}}));
  for (const double angle : {-0.7, 1.2}) {
    for (const double rate : {-3.0, 2.0}) {
      const State q = turning(machine.system, angle, rate, 0.8);
      const double torque = -2 * angle * angle * angle - 0.5 * rate * std::abs(rate) + std::sin(0.8);
      EXPECT_NEAR(joint_outputs(machine.system, q, 8)[7], torque, 1e-13);
      EXPECT_NEAR(machine.system.power(q), torque * rate, 1e-13);
      EXPECT_EQ(machine.system.energies(q).strain, 0);
    }
  }
}

TEST(AxisLaws, OfADisplacementTakeItsSignFromB) {
  const Machine machine(
      body_on_ground("cylindrical", 0.5,
                     {{"axis", value(Vec3(0, 0, 1))},
                      {"along.force", law("displacement > 0 ? -3*displacement : 7*rate", of_displacement)},
                      {"about.torque", law("5*rate", of_angle)}}));
  State q =
      placed(machine.system.initial_state(), math::so3::exp_quaternion(Vec3::Zero()), Vec3::Zero(), Vec3(0, 0, 2));
  q.v[1] << 0, 0, 0.5, 0, 0, 0.25;
  EXPECT_EQ(joint_outputs(machine.system, q, 10)[9], -6);
  EXPECT_EQ(joint_outputs(machine.system, q, 10)[8], 1.25);
  q.x[1][2] = -2;
  EXPECT_EQ(joint_outputs(machine.system, q, 10)[9], 3.5);
}

// The same joint without laws has the same forces and tangents, to the last bit.
TEST(AxisLaws, OfAJointThatIsApartAreNone) {
  const Machine with(body_on_ground("cylindrical", 0.5,
                                    {{"axis", value(Vec3(0, 0, 1))},
                                     {"along.stiffness", 40.0},
                                     {"along.damping", 3.0},
                                     {"about.stiffness", 2.0},
                                     {"about.torque", law("5*rate", of_angle)}}));
  const Machine without(body_on_ground("cylindrical", 0.5, {{"axis", value(Vec3(0, 0, 1))}}));
  State q =
      placed(with.system.initial_state(), math::so3::exp_quaternion(Vec3(0.1, 0, 0.7)), Vec3::Zero(), Vec3(0.2, 0, 2));
  q.v[1] << 0.3, 0, 0.5, 0, 0.1, 0.25;
  const auto tangents = [&](const Machine& machine) {
    assembly::SparseMatrix matrix = machine.system.make_matrix();
    machine.system.set_matrix_of_all_rows(q, {.m = 1, .c = 1, .k = 1, .b = 1}, 1, matrix);
    return std::vector<double>(matrix.values.begin(), matrix.values.end());
  };
  const auto forces = [&](const Machine& machine) {
    assembly::Residual r = machine.system.make_residual();
    machine.system.set_residual(q, r);
    return r;
  };
  EXPECT_NE(tangents(with), tangents(without));
  q.dropped = {.rows = {0, 1, 2, 3}, .open = {0, 1, 2, 3}, .revision = 1};
  EXPECT_EQ(tangents(with), tangents(without));
  EXPECT_EQ(forces(with).force, forces(without).force);
  EXPECT_EQ(forces(with).phi.norm(), 0);
  EXPECT_EQ(with.system.power(q), 0);
  EXPECT_EQ(with.system.energies(q).strain, 0);
  EXPECT_EQ(joint_outputs(with.system, q, 10)[8], 0);
  EXPECT_EQ(joint_outputs(with.system, q, 10)[9], 0);
}

// What forces and sensors take of a coordinate against the rows that constraints take.
template <class Coordinate>
void expect_reading_as_rows() {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> number(-1, 1);
  const auto vector = [&] { return Vec3(number(random), number(random), number(random)); };
  for (int i = 0; i < 20; ++i) {
    const elements::Markers d = elements::sample_markers(random);
    const std::array<Vec3, 2> x{vector(), vector()};
    const std::array<math::so3::Quaternion, 2> quat{math::so3::exp_quaternion(2 * vector()),
                                                    math::so3::exp_quaternion(2 * vector())};
    const std::array<Mat3, 2> R{quat[0].toRotationMatrix(), quat[1].toRotationMatrix()};
    math::Mat<12> v;
    v << vector(), vector(), vector(), vector();
    const std::array<math::Vec6, 2> of_nodes{v.head<6>(), v.tail<6>()};
    const elements::PairNodes n{model::Node{x[0], quat[0], R[0], of_nodes[0], of_nodes[0]},
                                model::Node{x[1], quat[1], R[1], of_nodes[1], of_nodes[1]}};
    const typename Coordinate::Reading at(d, n);
    const elements::PairGradient g = Coordinate::gradient(d, n);
    elements::PairBlock H = elements::PairBlock::Zero();
    Coordinate::add_tangent_to(d, n, 1, H);
    const elements::PairGradient rate_row = v.transpose() * H;
    // Close to where the angle is not defined all grow
    const double size = 1 + g.squaredNorm() + H.norm();

    EXPECT_NEAR(at.value(9), Coordinate::value(d, n, 9), 1e-14 * size);
    EXPECT_NEAR(at.rate(), g.dot(v), 1e-14 * size);
    math::Mat<12> force = math::Mat<12>::Zero();
    at.add_row_to(-3, force);
    EXPECT_LT((force + 3 * g.transpose()).norm(), 1e-14 * size);
    std::array<math::Vec6, 2> row{math::Vec6::Zero(), math::Vec6::Zero()};
    at.set_rate_row(row);
    EXPECT_LT((row[0] - rate_row.head<6>().transpose()).norm() + (row[1] - rate_row.tail<6>().transpose()).norm(),
              1e-13 * size);
    elements::PairBlock C = elements::PairBlock::Zero();
    elements::PairBlock K = elements::PairBlock::Zero();
    at.add_force_tangents_to(2, -5, 7, C, K);
    EXPECT_LT((C + 7 * g.transpose() * g).norm(), 1e-13 * size);
    EXPECT_LT((K + 2 * H + g.transpose() * (-5 * g + 7 * rate_row)).norm(), 1e-12 * size * size);
  }
}

TEST(AxisCoordinates, OfForcesAndSensorsAreThoseOfTheRows) {
  expect_reading_as_rows<elements::AxisAngle>();
  expect_reading_as_rows<elements::AxisDisplacement>();
}

// J phi'' = -c phi'|phi'|: phi' = w/(1 + c w t/J), phi = J/c log(1 + c w t/J), over many turns.
TEST(AxisLaws, AWheelInAirSlowsDownAsInClosedForm) {
  const double J = 0.5;
  const double c = 0.05;
  const double w = 40;
  for (const std::string& name : methods) {
    std::array<double, 2> error{};
    for (int level = 0; level < 2; ++level) {
      model::Model model = body_on_ground(
          "revolute", J, {{"axis", value(Vec3(0, 0, 1))}, {"torque", law("-0.05*rate*abs(rate)", of_angle)}});
      model.nodes.front().angular_velocity = Vec3(0, 0, w);
      const Machine machine(std::move(model));
      const int steps = 100 << level;
      const State end =
          run(machine.system, consistent_start(machine.system), method(name), to_round_off(), 1.0 / steps, steps);
      error[level] = std::abs(end.v[1][5] - w / (1 + c * w / J));
      if (level == 0) continue;
      EXPECT_NEAR(joint_outputs(machine.system, end, 8)[6], J / c * std::log(1 + c * w / J), 0.01) << name;
    }
    EXPECT_NEAR(std::log2(error[0] / error[1]), 2, 0.1) << name;
  }
}

// Each part by the other: powers are forces times rates less what the energy takes, slopes are differences.
TEST(Stops, PushAsWrittenAndNeverPull) {
  const Stops stops{-0.2, 0.3, 50, 1.5, 2};
  for (const double s : {-0.6, -0.21, -0.2, 0.0, 0.3, 0.31, 0.9}) {
    for (const double rate : {-2.0, -0.3, 0.0, 0.4, 3.0}) {
      const double depth = std::max({0.0, s - 0.3, -0.2 - s});
      const double sign = s > 0 ? -1 : 1;
      const double force = sign * std::max(0.0, 50 * std::pow(depth, 1.5) * (1 - sign * 2 * rate));
      const CoordinateLaw::Value value = stops(s, rate);
      EXPECT_NEAR(value.force, force, 1e-13) << s << ' ' << rate;
      EXPECT_GE(sign * value.force, 0);
      EXPECT_NEAR(stops.energy(s), 20 * std::pow(depth, 2.5), 1e-13);
      const double lost = (force - sign * 50 * std::pow(depth, 1.5)) * rate;
      EXPECT_NEAR(stops.power(s, rate), lost, 1e-14 * (1 + std::abs(lost)));
      EXPECT_LE(stops.power(s, rate), 0);
      const auto at = [&](double ds, double dr) { return stops(s + ds, rate + dr).force; };
      EXPECT_NEAR(value.by_rate, (at(0, 1e-6) - at(0, -1e-6)) / 2e-6, 1e-6) << s << ' ' << rate;
      if (s == -0.2 || s == 0.3) continue;
      EXPECT_NEAR(value.by_position, (at(1e-7, 0) - at(-1e-7, 0)) / 2e-7, 1e-4);
    }
  }
}

// On both sides of the change below which a series takes over, across the begin of contact, and from stop to stop.
TEST(Stops, MeanForceTimesWayIsTheChangeOfTheEnergy) {
  for (const double exponent : {1.0, 1.5, 2.0, 3.7, 8.0}) {
    const Stops stops{-0.2, 0.3, 50, exponent, 0};
    for (const double begin : {-0.5, -0.2013, 0.0, 0.29995, 0.3013, 0.71}) {
      for (const double change : {-0.9, -0.1, -1e-3, -1e-6, 1e-7, 1e-4, 1.5e-3, 2.1e-3, 0.2, 0.9}) {
        const Stops::Mean mean = stops.over(begin, change, 0.1);
        const double work = stops.energy(begin) - stops.energy(begin + change);
        EXPECT_NEAR(mean.force * change, work, 4e-15 * (1 + stops.energy(begin) + stops.energy(begin + change)))
            << exponent << ' ' << begin << ' ' << change;
        const double end = begin + change;
        const double d = 1e-4 * std::min({std::abs(change), std::abs(end - stops.upper), std::abs(end - stops.lower)});
        const double slope =
            (stops.over(begin, change + d, 0.1).force - stops.over(begin, change - d, 0.1).force) / (2 * d);
        EXPECT_NEAR(mean.by_end, slope, 1e-6 * (1 + std::abs(mean.by_end)) + 1e-13 * std::abs(mean.force) / d)
            << exponent << ' ' << begin << ' ' << change;
      }
    }
  }
}

TEST(Stops, MeanWithDampingIsThatOfTheMeanRate) {
  const Stops damped{-0.2, 0.3, 50, 1.5, 0.8};
  Stops elastic = damped;
  elastic.damping = 0;
  const double h = 0.1;
  for (const double change : {-0.3, 0.01, 0.2}) {
    const double factor = std::max(0.0, 1 + 0.8 * change / h);
    EXPECT_NEAR(damped.over(0.4, change, h).force, factor * elastic.over(0.4, change, h).force, 1e-13);
    const auto force = [&](double d) { return damped.over(0.4, change + d, h).force; };
    EXPECT_NEAR(damped.over(0.4, change, h).by_end, (force(1e-6) - force(-1e-6)) / 2e-6, 1e-5);
  }
}

// Weight 9.81 N against a soft spring, a hardening law and a stop that is met on the way.
TEST(Stops, CarryAWeightAtRest) {
  model::Model model =
      body_on_ground("prismatic", 0.5,
                     {{"axis", value(Vec3(0, 0, 1))},
                      {"stiffness", 2.0},
                      {"force", law("-10*displacement - 400*displacement^3 - 5*rate", of_displacement)},
                      {"stops.lower", -0.1},
                      {"stops.stiffness", 3000.0},
                      {"stops.damping", 1.0}});
  model.gravity = Vec3(0, 0, -9.81);
  const Machine machine(std::move(model));
  const State q = equilibrium(machine.system);
  const double z = q.x[1][2];
  EXPECT_LT(z, -0.11);
  EXPECT_NEAR(-12 * z - 400 * z * z * z + 3000 * std::pow(-0.1 - z, 1.5), 9.81, 1e-9);
}

// Of Hunt and Crossley's contact without other forces: the speed of return u against that of approach v fulfils
//   -c u - ln(1 - c u) = c v - ln(1 + c v),   from m d'' = -k d^n (1 + c d'), whatever k and n.
TEST(Stops, SpeedsOfReturnAreThoseOfTheClosedForm) {
  const double c = 0.3;
  for (const double v : {0.2, 1.0, 3.0}) {
    const auto integral = [&](double x) { return x / c - std::log1p(c * x) / (c * c); };
    double low = 0;
    double high = std::min(v, 1 / c);
    while (high - low > 1e-15) {
      const double u = 0.5 * (low + high);
      (integral(-u) < integral(v) ? low : high) = u;
      if (u == 0.5 * (low + high)) break;
    }
    for (const double exponent : {1.5, 3.0}) {
      model::Model model = body_on_ground("prismatic", 0.5,
                                          {{"axis", value(Vec3(1, 0, 0))},
                                           {"stops.upper", 0.1},
                                           {"stops.stiffness", 3000.0},
                                           {"stops.exponent", exponent},
                                           {"stops.damping", c}});
      model.nodes.front().velocity = Vec3(v, 0, 0);
      const Machine machine(std::move(model));
      State q = consistent_start(machine.system);
      const double h = 2e-4 / v;
      q = run(machine.system, std::move(q), method("lie_alpha"), to_round_off(), h, static_cast<int>(2 / (v * h)));
      EXPECT_LT(q.x[1][0], 0.1);
      EXPECT_NEAR(-q.v[1][0], low, 1e-4 * v) << v << ' ' << exponent;
    }
  }
}

}  // namespace
}  // namespace polhode::support::axis_law_test
