// SPDX-License-Identifier: BSD-3-Clause
// What strains at an integration point and their rates are by the nodes of the element: for tangents, and for sensors.
#pragma once
#include "elements/beams/spectral/kinematics.hpp"

namespace polhode::elements::spectral {

inline Matrix tilde(const Vector& a) { return math::tilde_of<Lanes>(a); }
inline Matrix left(const Vector& a, const Matrix& X) { return math::cross_left_of<Lanes>(a, X); }
inline Matrix right(const Matrix& X, const Vector& a) { return math::cross_right_of<Lanes>(X, a); }

// X times the right factor of the rotations of a node.
inline Matrix factored(const Matrix& X, const Lanes& scalar, const Matrix* rotations, std::size_t node) {
  return rotations ? product(X, rotations[node]) : Matrix(scalar * X);
}

// What varies by the rotation of each node: by the node's own axes, T^-1 E^T, by the mean rotation, W, and by kappa, Y.
struct Columns {
  Matrix own;
  Matrix W;
  Matrix Y;
  Columns times(const Lanes& scalar, const Matrix* rotations, std::size_t node) const {
    return {factored(own, scalar, rotations, node), factored(W, scalar, rotations, node),
            factored(Y, scalar, rotations, node)};
  }
};

// Matrices of the variations of a point.
struct Variations {
  std::array<Matrix, most_nodes> Ti;
  std::array<Matrix, most_nodes> P;
  Matrix S;
  std::array<Columns, most_nodes> columns;
  // E_i^T are used where nodes are turned.
  Variations(const Elements& d, const Kinematics& k, const std::array<Matrix, most_nodes>& Et) {
    S.setZero();
    for (std::size_t i = 0; i < k.n; ++i) {
      Ti[i] = inverse_tangent(k.turn(i));
      P[i] = -k.p.L[i] * gradient(k.turn(i), k.kappa, Side::transposed);
      for (int c = 0; c < 3; ++c) P[i](c, c) += k.p.dL[i];
      add_product(P[i], Ti[i].transpose(), S);
    }
    for (std::size_t i = 0; i < k.n; ++i) {
      Columns& c = columns[i];
      c.own = d.turned ? product(Ti[i], Et[i]) : Ti[i];
      c.W = k.p.L[i] * product(k.mean.Ai, c.own);
      Matrix bend = product(P[i], c.own);
      subtract_product(S, c.W, bend);
      c.Y = product(k.mean.Ai, bend);
    }
  }
};

// The variation of the strain rates Gamma' = Q^T u' + g x Omega and kappa' with the velocities held: by W and Y of a
// column, the same for all nodes, and by the node's own axes.
// A node's Omega_i stays as it is in the node's own frame, while Q and the T_i change.
struct RateGradient {
  Matrix Gamma_by_W;
  Matrix kappa_by_W;
  Matrix kappa_by_Y;
  std::array<Matrix, most_nodes> Gamma_by_own;
  std::array<Matrix, most_nodes> kappa_by_own;
  void set(const Kinematics& k, const StrainRates& r, const Variations& v) {
    const Matrix& Ai = k.mean.Ai;
    // of A Omega and A kappa' by the mean rotation
    Matrix by_turn = Matrix::Zero();
    Matrix kappa_by_turn = Matrix::Zero();
    Matrix rates = Matrix::Zero();
    for (std::size_t i = 0; i < k.n; ++i) {
      const Turn& t = k.turn(i);
      const Lanes L = k.p.L[i];
      const Matrix spin = gradient(t, r.node[i], Side::plain) - gradient(t, r.Omega, Side::transposed);
      const Matrix by_phi = L * spin;
      Matrix kappa_by_phi = -L * (gradient(t, r.kappa, Side::transposed) + gradient_of_rate(t, k.kappa, r.phi[i]));
      add_product(v.P[i], spin, kappa_by_phi);
      subtract_product(by_phi, v.Ti[i].transpose(), by_turn);
      subtract_product(kappa_by_phi, v.Ti[i].transpose(), kappa_by_turn);
      rates += L * rate(t, r.phi[i]);
      const Matrix dOmega = product(Ai, by_phi);
      Gamma_by_own[i] = left(k.g, dOmega);
      subtract_product(v.S, dOmega, kappa_by_phi);
      kappa_by_own[i] = product(Ai, kappa_by_phi);
    }
    const Matrix dOmega = product(Ai, by_turn);
    Gamma_by_W = tilde(r.stretch) - left(r.Omega, tilde(k.g)) + left(k.g, dOmega);
    subtract_product(v.S, dOmega, kappa_by_turn);
    kappa_by_W = product(Ai, kappa_by_turn);
    kappa_by_Y = -product(Ai, rates);
  }
};

}  // namespace polhode::elements::spectral
