// SPDX-License-Identifier: BSD-3-Clause
// The shape in which a cable hangs.
#include "elements/beams/cable/hanging.hpp"

#include <Eigen/LU>
#include <cmath>

namespace polhode::elements {

using math::Mat3;
using math::Vec3;

namespace {

// First and second derivative of the function of T_1, sum_k L (|T|^2/(2 EA) + |T|) - (to - from) . T_1. The roundness of
// |T| at zero keeps the latter regular.
struct ConvexSum {
  Vec3 gradient;
  Mat3 second;

  ConvexSum(const HangingCable& c, const Vec3& chord, const Vec3& first, double roundness)
      : gradient(-chord), second(Mat3::Zero()) {
    for (int k = 0; k < c.elements; ++k) {
      const Vec3 T = first - k * c.weight;
      const double size = std::sqrt(T.squaredNorm() + roundness * roundness);
      gradient += c.length * (1 / c.stiffness + 1 / size) * T;
      second += c.length * ((1 / c.stiffness + 1 / size) * Mat3::Identity() - T * T.transpose() / (size * size * size));
    }
  }
};

// Newton's method from `first`, whose steps are halved until the gradient falls; false where it does not end.
bool find_least(const HangingCable& cable, const Vec3& chord, double roundness, Vec3& first) {
  const double whole = cable.elements * cable.length;
  constexpr int most_steps = 100;
  for (int step = 0; step < most_steps; ++step) {
    const ConvexSum here(cable, chord, first, roundness);
    const double error = here.gradient.norm();
    if (error < 1e-15 * whole) return true;
    const Vec3 way = -here.second.partialPivLu().solve(here.gradient);
    const auto falls = [&](double part) {
      return ConvexSum(cable, chord, first + part * way, roundness).gradient.norm() < (1 - 1e-4 * part) * error;
    };
    double part = 1;
    while (part > 1e-9 && !falls(part)) part *= 0.5;
    if (part <= 1e-9) return error < 1e-9 * whole;  // round-off, or no solution
    first += part * way;
  }
  return false;
}

}  // namespace

// From a tension along the chord as large as the weight. Where the cable folds the tension goes through zero: the
// roundness falls from one solution to the next. At its end elements of a tension above 1e-3 of the weight have the
// length that they have without it, to 1e-10 of it.
std::optional<std::vector<Vec3>> hanging_nodes(const HangingCable& cable, const Vec3& from, const Vec3& to) {
  const Vec3 chord = to - from;
  const double weight = cable.elements * cable.weight.norm();
  if (weight == 0 && cable.elements * cable.length > chord.norm()) return std::nullopt;
  const double scale = weight > 0 ? weight : cable.stiffness;
  Vec3 first = scale * chord.normalized() + 0.5 * (cable.elements - 1) * cable.weight;
  double roundness = scale;
  for (int i = 0; i < 8; ++i) {
    roundness *= 0.1;
    if (!find_least(cable, chord, roundness, first)) return std::nullopt;
  }
  std::vector<Vec3> nodes;
  Vec3 x = from;
  for (int k = 0; k + 1 < cable.elements; ++k) {
    const Vec3 T = first - k * cable.weight;
    x += cable.length * (1 / cable.stiffness + 1 / std::sqrt(T.squaredNorm() + roundness * roundness)) * T;
    nodes.push_back(x);
  }
  return nodes;
}

}  // namespace polhode::elements
