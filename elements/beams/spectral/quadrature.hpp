// SPDX-License-Identifier: BSD-3-Clause
// Nodes and weights on [-1, 1]: Gauss-Legendre for integrals, Gauss-Lobatto-Legendre for the nodes of elements, and
// Lagrange's polynomials over such nodes.
#pragma once
#include <array>
#include <vector>

namespace polhode::elements::spectral {

inline constexpr int most_nodes = 9;  // of an element: order 8

// P_n(x) and its derivative, Legendre's polynomial, by the three-term recursion.
struct Legendre {
  double value;
  double derivative;
};
Legendre legendre(int n, double x);

struct Quadrature {
  std::vector<double> points;
  std::vector<double> weights;
};
Quadrature gauss(int n);                   // n points, exact up to degree 2 n - 1
std::vector<double> lobatto_nodes(int n);  // n >= 2: the ends and the roots of P_(n-1)', ascending, exactly symmetric

// Values at xi of the polynomials that are 1 at their own node and 0 at the others, and their derivatives.
struct Shapes {
  std::array<double, most_nodes> value{};
  std::array<double, most_nodes> derivative{};
};
Shapes lagrange(const std::vector<double>& nodes, double xi);

}  // namespace polhode::elements::spectral
