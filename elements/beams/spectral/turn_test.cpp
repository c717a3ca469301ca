// SPDX-License-Identifier: BSD-3-Clause
// How far the nodes of an element may turn against each other: right up to the bound of each order, and by name beyond.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numbers>

#include "elements/beams/spectral/kind.hpp"
#include "support/bench.hpp"
#include "support/models.hpp"

namespace polhode::support::turned_beam_test {
namespace {

namespace spectral = elements::spectral;

constexpr double pi = std::numbers::pi;

// A straight beam of one element along x with a round section.
model::Model rod_of(int order, const model::Value& integration) {
  ModelMaker m;
  m.node("a", Vec3::Zero());
  m.node("b", Vec3(2, 0, 0));
  m.section("s", Vec6::Ones(), 1, Vec3::Ones());
  m.add(Family::beam, "beam", "rod",
        {{"section", value("s")},
         {"from", value("a")},
         {"to", value("b")},
         {"order", double(order)},
         {"stations", VectorX(Eigen::Vector2d(0, 1))},
         {"twist", VectorX(Eigen::Vector2d(0, 0))},
         {"integration", integration}});
  return std::move(m.model);
}

// Angles of the nodes of one element about its axis, and what follows from them.
struct Coaxial {
  Coaxial(int order_, const model::Value& integration) : order(order_), machine(rod_of(order_, integration)) {}
  // Largest error of the twist at the integration points against the derivative of the interpolated angle; infinite if
  // the element is refused by name.
  double error(const std::vector<double>& angles, int points) {
    State q = machine.system.initial_state();
    const auto& along = machine.system.beams().front().nodes;
    for (std::size_t i = 0; i < along.size(); ++i) {
      const auto node = static_cast<std::size_t>(along[i]);
      q.set_rotation(node, math::so3::exp_quaternion(Vec3(angles[i], 0, 0)) * q.quat[node]);
    }
    const assembly::System::PastBound past = machine.system.past_bound(q, q);
    if (past.found()) {
      EXPECT_EQ(past.element, "beams.rod");
      EXPECT_GT(past.turn, 1);
      return std::numeric_limits<double>::infinity();
    }
    std::vector<double> out(12 * static_cast<std::size_t>(points));
    machine.system.batches().front()->write_outputs(0, 1, q, machine.system.context(q), out.data(), out.size());
    const std::vector<double> nodes = spectral::lobatto_nodes(order + 1);
    const spectral::Quadrature rule = spectral::gauss(points);
    double largest = 0;
    for (std::size_t g = 0; g < rule.points.size(); ++g) {
      const spectral::Shapes shapes = spectral::lagrange(nodes, rule.points[g]);
      double twist = 0;
      for (std::size_t i = 0; i < nodes.size(); ++i) twist += shapes.derivative[i] * angles[i];
      largest = std::max(largest, std::abs(out[12 * g + 3] - twist));
    }
    return largest;
  }
  // pi over the largest sum of positive weights at an integration point, rad.
  double bound(int points) const {
    const std::vector<double> nodes = spectral::lobatto_nodes(order + 1);
    double largest = 1;
    for (const double xi : spectral::gauss(points).points) {
      double sum = 0;
      for (const double L : spectral::lagrange(nodes, xi).value) sum += std::max(L, 0.0);
      largest = std::max(largest, sum);
    }
    return pi / largest;
  }
  int order;
  Machine machine;
};

// Angles anywhere in an interval: below the bound all are right, beyond it right or refused. Derivatives of the shape
// functions multiply round-off by less than 1e2.
TEST(TurnedBeam, NodesTurnedUpToTheBoundOfTheirOrderHaveTheRightTwist) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> part(0, 1);
  for (int order = 1; order <= 8; ++order)
    for (const int points : {order, order + 1, order + 5}) {
      SCOPED_TRACE(order);
      Coaxial rod(order, double(points));
      const double bound = rod.bound(points);
      int refused = 0;
      for (int trial = 0; trial < 2000; ++trial) {
        const bool beyond = trial % 4 == 3;
        const double interval = bound * (beyond ? 1 + part(random) : 0.5 + 0.5 * part(random));
        std::vector<double> angles(static_cast<std::size_t>(order) + 1);
        const bool ends_alone = trial % 2 == 0 || trial % 8 == 7;
        for (double& angle : angles) angle = 0.3 + interval * (ends_alone ? std::round(part(random)) : part(random));
        const double error = rod.error(angles, points);
        if (!beyond) {
          EXPECT_LE(error, 1e-12) << interval / bound;
        } else if (std::isinf(error)) {
          ++refused;
        } else if (*std::ranges::max_element(angles) - *std::ranges::min_element(angles) < pi) {
          EXPECT_LE(error, 1e-12) << interval / bound;  // shortest turns are those of the angles
        }
      }
      EXPECT_EQ(refused > 0, order > 1);  // two nodes: the shortest turn is always one
    }
}

// From the table of the beam's page, degrees.
TEST(TurnedBeam, BoundsOfTheOrdersAreThoseOfThePage) {
  const std::array table{180, 160, 144, 137, 130, 125, 121, 118};
  for (int order = 1; order <= 8; ++order)
    EXPECT_EQ(std::lround(Coaxial(order, double(order)).bound(order) * 180 / pi),
              table[static_cast<std::size_t>(order - 1)]);
}

// What turns smoothly goes on to nearly half a turn between the ends; the examples of a wrong mean are refused.
TEST(TurnedBeam, SmoothTurnsGoOnToHalfATurnAndWrongMeansAreRefused) {
  for (const int order : {2, 4, 8}) {
    Coaxial rod(order, value("reduced"));
    std::vector<double> angles;
    for (const double xi : spectral::lobatto_nodes(order + 1)) angles.push_back(0.5 * (1 + xi) * 178 * pi / 180);
    EXPECT_LE(rod.error(angles, order), 1e-12);
    std::vector<double> wrong(angles.size(), 170 * pi / 180);
    wrong.back() = 0;
    EXPECT_TRUE(std::isinf(rod.error(wrong, order))) << order;
    std::vector<double> alternating;
    for (std::size_t i = 0; i < angles.size(); ++i) alternating.push_back(i % 2 == 0 ? 0 : 170 * pi / 180);
    const double error = rod.error(alternating, order);
    EXPECT_TRUE(error <= 1e-12 || std::isinf(error)) << order << ' ' << error;
  }
}

// Nodes turned about any axes, with any two within the bound: the mean is the one that is come to from where all nodes
// were alike, in steps.
TEST(TurnedBeam, MeansOfRotationsInSpaceAreThoseOfTheMotionThatLedThere) {
  std::mt19937 random(4);
  std::uniform_real_distribution<double> part(0, 1);
  for (const int order : {2, 4, 8}) {
    const std::vector<double> nodes = spectral::lobatto_nodes(order + 1);
    const double bound = Coaxial(order, double(order)).bound(order);
    for (int trial = 0; trial < 300; ++trial) {
      std::vector<Vec3> turns;
      while (turns.size() < nodes.size()) {
        const Vec3 turn = 0.58 * bound * std::cbrt(part(random)) * random_vector(random).normalized();
        const auto close = [&](const Vec3& other) {
          return math::so3::exp_quaternion(turn).angularDistance(math::so3::exp_quaternion(other)) < bound;
        };
        if (std::ranges::all_of(turns, close)) turns.push_back(turn);
      }
      const double xi = spectral::gauss(order).points[static_cast<std::size_t>(trial % order)];
      const spectral::Shapes shapes = spectral::lagrange(nodes, xi);
      std::array<math::Lanes, spectral::most_nodes> L;
      for (std::size_t i = 0; i < L.size(); ++i) L[i] = math::Lanes(shapes.value[i]);
      math::so3::Quaternion before = math::so3::Quaternion::Identity();
      for (int step = 1; step <= 40; ++step) {
        std::array<spectral::Quaternion, spectral::most_nodes> Q;
        for (std::size_t i = 0; i < turns.size(); ++i) {
          math::so3::Quaternion q = math::so3::exp_quaternion(step / 40.0 * turns[i]);
          Q[i] << math::Lanes(q.w()), math::Lanes(q.x()), math::Lanes(q.y()), math::Lanes(q.z());
          if (Q[i].dot(Q[0])[0] < 0) Q[i] = -Q[i];
        }
        spectral::Mean mean;
        ASSERT_TRUE(spectral::set_mean({Q.data(), turns.size()}, L, false, mean));
        const math::so3::Quaternion now(mean.Q[0][0], mean.Q[1][0], mean.Q[2][0], mean.Q[3][0]);
        ASSERT_LE(before.angularDistance(now), 0.5) << "the mean jumps in step " << step;
        before = now;
      }
    }
  }
}

}  // namespace
}  // namespace polhode::support::turned_beam_test
