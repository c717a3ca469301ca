// SPDX-License-Identifier: BSD-3-Clause
// Nodes and weights on [-1, 1]: Gauss-Legendre for integrals, Gauss-Lobatto-Legendre for the nodes of elements, and
// Lagrange's polynomials over such nodes.
// All roots are found by Newton's method to round-off, and made exactly symmetric.
#pragma once
#include <array>
#include <vector>

namespace polhode::elements::spectral {

// Of an element: order 8. Arrays by node have this size, so that kernels allocate nothing.
inline constexpr int most_nodes = 9;
// Integration points of the internal forces of an element.
inline constexpr int most_points = 128;

// P_n(x) and its derivative, Legendre's polynomial, by the three-term recursion.
// Preconditions: n >= 0. At x = -1 and x = 1 the derivative is n (n + 1)/2, up to sign.
struct Legendre {
  double value;
  double derivative;
};
Legendre legendre(int n, double x);

// Integral over [-1, 1] of f = sum_g weights[g] f(points[g]), points ascending.
struct Quadrature {
  std::vector<double> points;
  std::vector<double> weights;
};
// Gauss-Legendre: n points, all inside, exact for polynomials up to degree 2 n - 1.
Quadrature gauss(int n);
// For elements of this order whose data have kinks at `breaks`, inside (-1, 1) and ascending: 1 + order/m points, rounded
// up, in each of the m pieces, which sees every piece and is exact where data and strains are smooth enough between
// them; without breaks `order` points, as many as reduced integration has.
Quadrature between_breaks(int order, const std::vector<double>& breaks);
// The ends and the roots of P_(n-1)', ascending; n >= 2. Nodes there keep high orders free of Runge's oscillations.
std::vector<double> lobatto_nodes(int n);

// Values at xi of the polynomials that are 1 at their own node and 0 at the others, and their derivatives.
// Entries beyond the number of nodes are zero.
struct Shapes {
  std::array<double, most_nodes> value{};
  std::array<double, most_nodes> derivative{};
};
// `nodes`: at most most_nodes different numbers. Derivatives are by xi, not by arc length.
Shapes lagrange(const std::vector<double>& nodes, double xi);

}  // namespace polhode::elements::spectral
