// SPDX-License-Identifier: BSD-3-Clause
// Roots by Newton's method from Chebyshev's, made exactly symmetric.
#include "elements/beams/spectral/quadrature.hpp"

#include <cmath>
#include <numbers>

namespace polhode::elements::spectral {

// Bonnet's recursion k P_k = (2 k - 1) x P_(k-1) - (k - 1) P_(k-2). The derivative n
// (x P_n - P_(n-1))/(x^2 - 1) has a limit at the ends, +-n (n + 1)/2.
Legendre legendre(int n, double x) {
  double before = 1;
  double value = x;
  if (n == 0) return {1, 0};
  for (int k = 2; k <= n; ++k) {
    const double next = ((2 * k - 1) * x * value - (k - 1) * before) / k;
    before = value;
    value = next;
  }
  const double derivative =
      std::abs(x) == 1 ? 0.5 * n * (n + 1) * (n % 2 == 0 ? x : 1) : n * (x * value - before) / (x * x - 1);
  return {value, derivative};
}

// Weights 2/((1 - x^2) P_n'(x)^2). One half of the roots is found, the other has the opposite sign:
// sums of odd functions vanish to the last bit, and an element does not depend on the direction in which it
// is read.
Quadrature gauss(int n) {
  Quadrature q{std::vector<double>(static_cast<std::size_t>(n)), std::vector<double>(static_cast<std::size_t>(n))};
  for (int i = 0; i < (n + 1) / 2; ++i) {
    double x = 2 * i + 1 == n ? 0 : std::cos(std::numbers::pi * (i + 0.75) / (n + 0.5));
    for (int k = 0; k < 20; ++k) {
      const Legendre p = legendre(n, x);
      x -= p.value / p.derivative;
    }
    const double slope = legendre(n, x).derivative;
    const double weight = 2 / ((1 - x * x) * slope * slope);
    const auto low = static_cast<std::size_t>(i);
    const auto high = static_cast<std::size_t>(n - 1 - i);
    q.points[low] = -x;
    q.points[high] = x;
    q.weights[low] = q.weights[high] = weight;
  }
  return q;
}

Quadrature between_breaks(int order, const std::vector<double>& breaks) {
  if (breaks.empty()) return gauss(order);
  const int pieces = static_cast<int>(breaks.size()) + 1;
  const Quadrature rule = gauss(1 + (order + pieces - 1) / pieces);
  Quadrature all;
  for (std::size_t piece = 0; piece <= breaks.size(); ++piece) {
    const double begin = piece == 0 ? -1 : breaks[piece - 1];
    const double end = piece == breaks.size() ? 1 : breaks[piece];
    for (std::size_t g = 0; g < rule.points.size(); ++g) {
      all.points.push_back(0.5 * (begin + end) + 0.5 * (end - begin) * rule.points[g]);
      all.weights.push_back(0.5 * (end - begin) * rule.weights[g]);
    }
  }
  return all;
}

// Newton on P' with P'' from Legendre's equation: (1 - x^2) P'' = 2 x P' - m (m + 1) P, m = n - 1.
// Between two ends the extrema of P_(n-1); Chebyshev's points cos(pi i/m) are close enough for each to find
// its own.
std::vector<double> lobatto_nodes(int n) {
  const int m = n - 1;
  std::vector<double> nodes(static_cast<std::size_t>(n));
  for (int i = 0; i < (n + 1) / 2; ++i) {
    double x = 2 * i == m ? 0 : std::cos(std::numbers::pi * i / m);
    for (int k = 0; i > 0 && 2 * i != m && k < 20; ++k) {
      const Legendre p = legendre(m, x);
      x -= p.derivative * (1 - x * x) / (2 * x * p.derivative - m * (m + 1) * p.value);
    }
    nodes[static_cast<std::size_t>(i)] = -x;
    nodes[static_cast<std::size_t>(n - 1 - i)] = x;
  }
  return nodes;
}

// Product over j != i of (xi - x_j)/(x_i - x_j), its derivative by the product rule alongside:
// no division by xi - x_j, so that xi may be a node.
Shapes lagrange(const std::vector<double>& nodes, double xi) {
  Shapes shapes;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    double value = 1;
    double derivative = 0;
    for (std::size_t j = 0; j < nodes.size(); ++j) {
      if (j == i) continue;
      const double scale = 1 / (nodes[i] - nodes[j]);
      derivative = scale * (derivative * (xi - nodes[j]) + value);
      value *= scale * (xi - nodes[j]);
    }
    shapes.value[i] = value;
    shapes.derivative[i] = derivative;
  }
  return shapes;
}

}  // namespace polhode::elements::spectral
