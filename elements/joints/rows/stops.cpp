// SPDX-License-Identifier: BSD-3-Clause
// Stops: contact forces, their energy and their means over a step.
#include "elements/joints/rows/stops.hpp"

#include <algorithm>
#include <cmath>

namespace polhode::elements {
namespace {

// Both stops push against the growth of their penetration: `toward` is d(penetration)/ds.
struct Contact {
  double depth;
  double toward;
};
// The one that s is in; there is no other, as the lower stop is below the upper one.
Contact contact_at(const Stops& stops, double s) {
  if (s > stops.upper) return {s - stops.upper, 1};
  if (s < stops.lower) return {stops.lower - s, -1};
  return {0, 0};
}

double elastic(const Stops& stops, double depth) { return stops.stiffness * std::pow(depth, stops.exponent); }
double stored(const Stops& stops, double depth) {
  return depth > 0 ? elastic(stops, depth) * depth / (stops.exponent + 1) : 0;
}

// Of this relative change of the penetration the difference of energies has too few digits left.
constexpr double close = 5e-3;

// The mean of the elastic force on the way from one penetration to another (below zero: a gap), and its derivative by
// the second. Close to each other, with the middle m and the difference D:
//   fbar = k sum over even j of binomial(n, j) m^(n - j) D^j / ((j + 1) 2^j)
Stops::Mean mean_of(const Stops& stops, double from, double to) {
  if (from <= 0 && to <= 0) return {0, 0};
  const double n = stops.exponent;
  const double change = to - from;
  const double middle = 0.5 * (from + to);
  if (std::min(from, to) > 0 && std::abs(change) < close * middle) {
    const double ratio = change / middle;
    const double second = n * (n - 1) / 24;
    const double fourth = second * (n - 2) * (n - 3) / 80;
    const double force = elastic(stops, middle);
    const double squares = ratio * ratio;
    const double by_middle = n + squares * (second * (n - 2) + squares * fourth * (n - 4));
    const double by_change = ratio * (2 * second + 4 * squares * fourth);
    return {force * (1 + squares * (second + squares * fourth)), force / middle * (0.5 * by_middle + by_change)};
  }
  const double mean = (stored(stops, to) - stored(stops, from)) / change;
  return {mean, ((to > 0 ? elastic(stops, to) : 0) - mean) / change};
}

}  // namespace

CoordinateLaw::Value Stops::operator()(double s, double rate) const {
  const Contact contact = contact_at(*this, s);
  const double factor = 1 + damping * contact.toward * rate;
  if (!(contact.depth > 0) || factor <= 0) return {0, 0, 0};
  const double force = elastic(*this, contact.depth);
  return {-contact.toward * force * factor, -exponent * force / contact.depth * factor, -force * damping};
}

double Stops::energy(double s) const { return stored(*this, contact_at(*this, s).depth); }

double Stops::power(double s, double rate) const {
  const Contact contact = contact_at(*this, s);
  if (!(contact.depth > 0)) return 0;
  const double approach = contact.toward * rate;
  return -elastic(*this, contact.depth) * std::max(damping * approach, -1.0) * approach;
}

// Each stop by itself: a step may lead from one to the other.
Stops::Mean Stops::over(double s, double change, double h) const {
  Mean sum{0, 0};
  for (const double toward : {1.0, -1.0}) {
    const double limit = toward > 0 ? upper : lower;
    if (std::isinf(limit)) continue;
    const Mean spring = mean_of(*this, toward * (s - limit), toward * (s + change - limit));
    const double factor = 1 + damping * toward * change / h;
    if (factor <= 0) continue;
    sum.force -= toward * spring.force * factor;
    sum.by_end -= spring.by_end * factor + spring.force * damping / h;
  }
  return sum;
}

}  // namespace polhode::elements
