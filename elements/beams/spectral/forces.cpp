// SPDX-License-Identifier: BSD-3-Clause
// Internal forces and their exact tangents, energy, damping power and outputs.
//
// Residual r_i = sum over points of weight B_i^T sigma. Its tangent is weight B_j^T (C B_k + D grad(strain rate)_k) and
// the derivative of B_j with sigma = [N; M] held, which follows from the Lagrangian of the interpolation,
//   sigma . strain - mu . (A kappa - sum L_i' phi_i) + nu . sum L_i phi_i,
//   A^T mu = M,   A^T nu = N x g - sum T_i^-1 p_i,
// p_i = P_i^T mu, z_i = p_i + L_i nu (so the moment of node i is T_i^-T z_i): with mu and nu held and first variations
// of Q and kappa, nothing else varies.
#include "elements/beams/spectral/kinematics.hpp"

namespace polhode::elements::spectral {

using math::tilde;

// The virtual work of a point is weight sigma . delta(strain) with delta(strain) = sum B_i [dx_i; dTheta_i]:
// the residual is the transpose of what the strains' variations are made of,
// in exact arithmetic and in code.
void add_forces_to(const Element& d, NodeSpan n, VectorMap r) {
  const Frames frames(d, n);
  for (const Point& point : d.points) {
    const Kinematics k(d, point, n, frames);
    const Vec6 sigma = point.weight * k.stress(d, n);
    for (int i = 0; i < d.nodes; ++i) r.segment<6>(6 * i).noalias() += k.B(i).transpose() * sigma;
  }
}

namespace {

// weight times the derivative of B_j^T sigma by [dx_k; dTheta_k], sigma held.
void add_geometric_tangent_to(const Element& d, const Kinematics& k, const Vec6& sigma, MatrixMap K) {
  const Point& p = k.p;
  const auto n = static_cast<std::size_t>(k.n);
  const Vec3 N = sigma.head<3>();
  const Vec3 M = sigma.tail<3>();
  // Multipliers of the two constraints of the interpolation: of A kappa = sum L_i' phi_i,
  // and of the mean's definition sum L_i phi_i = 0. Both equations are linear with the matrix A^T.
  const Vec3 mu = k.Ai.transpose() * M;
  std::array<Vec3, most_nodes> z;
  Vec3 nu = N.cross(k.g);
  for (std::size_t i = 0; i < n; ++i) {
    z[i] = k.P[i].transpose() * mu;
    nu -= k.Ti[i] * z[i];
  }
  nu = (k.Ai.transpose() * nu).eval();
  // Derivatives by phi_i: of T_i^-T z_i less L_i T_i^-T hessian (own), of T_i^-1 z_i less the same (mean), and of
  // L_i T_i^-1 mu (bend).
  std::array<Mat3, most_nodes> own;
  std::array<Mat3, most_nodes> mean;
  std::array<Mat3, most_nodes> bend;
  Mat3 mean_sum = Mat3::Zero();
  Mat3 bend_sum = Mat3::Zero();
  for (std::size_t i = 0; i < n; ++i) {
    z[i] += p.L[i] * nu;
    const Mat3 X = p.L[i] * hessian(k.turn[i], k.kappa, mu);
    own[i] = gradient(k.turn[i], z[i], Side::transposed) - k.Ti[i].transpose() * X;
    mean[i] = gradient(k.turn[i], z[i], Side::plain) - k.Ti[i] * X;
    bend[i] = p.L[i] * gradient(k.turn[i], mu, Side::plain);
    mean_sum.noalias() -= mean[i] * k.Ti[i].transpose();
    bend_sum.noalias() -= bend[i] * k.Ti[i].transpose();
  }
  // Forces L_j' Q N turn with the mean rotation: -L_j' Q N~ dTheta. Moments W_j^T (N x g)
  // vary with g = Q^T x' by nodes that move and by the mean that turns. All else comes from the rotations
  // phi_i.
  const Mat3 QN = k.Q * tilde(N);
  const Mat3 NQ = QN.transpose() * -1;
  const Mat3 Ng = tilde(N) * tilde(k.g);
  for (std::size_t c = 0; c < n; ++c) {
    const int column = 6 * static_cast<int>(c);
    const Mat3 moved = p.weight * p.dL[c] * NQ;
    // What a column adds through the mean rotation, through the bending, and to the force:
    // sums over the rows follow below, so that the work grows with the square of the number of nodes,
    // not with its cube.
    const Mat3 by_mean =
        p.weight * (Ng * k.W[c] - mean[c] * k.TiE[c] - mean_sum * k.W[c] - bend_sum.transpose() * k.Y[c]);
    const Mat3 by_bend = -p.weight * (bend[c] * k.TiE[c] + bend_sum * k.W[c]);
    const Mat3 shear = -p.weight * (QN * k.W[c]);
    for (std::size_t j = 0; j < n; ++j) {
      const int row = 6 * static_cast<int>(j);
      K.block<3, 3>(row, column + 3) += p.dL[j] * shear;
      K.block<3, 3>(row + 3, column).noalias() += k.W[j].transpose().lazyProduct(moved);
      Mat3 moment = k.W[j].transpose() * by_mean + k.Y[j].transpose() * by_bend;
      moment.noalias() -= p.weight * (d.E[j] * (own[j] * (k.Ti[j].transpose() * k.W[c])));
      moment.noalias() -= p.weight * (k.TiE[j].transpose() * (bend[j].transpose() * k.Y[c]));
      if (j == c) moment.noalias() += p.weight * (d.E[j] * (own[j] * k.TiE[j]));
      K.block<3, 3>(row + 3, column + 3) += moment;
    }
  }
}

}  // namespace

// Material part B^T C B, damping part B^T D B in C and B^T D grad(rate) in K, geometric part.
// Products with the constant matrices are formed once a node, not once a pair of nodes.
void add_force_tangents_to(const Element& d, NodeSpan n, MatrixMap C, MatrixMap K) {
  const Frames frames(d, n);
  std::array<Mat6, most_nodes> B;
  std::array<Mat6, most_nodes> stress_gradient;
  std::array<Mat6, most_nodes> rate_gradient;
  for (const Point& point : d.points) {
    const Kinematics k(d, point, n, frames);
    for (int i = 0; i < d.nodes; ++i) {
      const auto at = static_cast<std::size_t>(i);
      B[at] = k.B(i);
      stress_gradient[at].noalias() = point.weight * (point.C * B[at]);
    }
    if (d.damped) {
      set_rate_gradient(k, d, n, rate_gradient);
      for (int j = 0; j < d.nodes; ++j) {
        const auto at = static_cast<std::size_t>(j);
        stress_gradient[at].noalias() += point.weight * (point.D * rate_gradient[at]);
        const Mat6 DB = point.weight * (point.D * B[at]);
        for (int i = 0; i < d.nodes; ++i)
          C.block<6, 6>(6 * i, 6 * j).noalias() += B[static_cast<std::size_t>(i)].transpose().lazyProduct(DB);
      }
    }
    for (int j = 0; j < d.nodes; ++j)
      for (int i = 0; i < d.nodes; ++i)
        K.block<6, 6>(6 * i, 6 * j).noalias() +=
            B[static_cast<std::size_t>(i)].transpose().lazyProduct(stress_gradient[static_cast<std::size_t>(j)]);
    add_geometric_tangent_to(d, k, k.stress(d, n), K);
  }
}

// Damping takes energy out, -rate . D rate for each point: D is positive semidefinite.
double power(const Element& d, NodeSpan n) {
  if (!d.damped) return 0;
  const Frames frames(d, n);
  double sum = 0;
  for (const Point& point : d.points) {
    const Vec6 rate = Kinematics(d, point, n, frames).strain_rate(n);
    sum -= point.weight * rate.dot(point.D * rate);
  }
  return sum;
}

// Strains and forces of an element are kept in its own axes, those of results in the axes of the section at
// the point.
void write_outputs(const Element& d, NodeSpan n, double* out) {
  const Frames frames(d, n);
  for (const Point& point : d.points) {
    const Kinematics k(d, point, n, frames);
    const Vec6 sigma = k.stress(d, n);
    for (const Vec6* v : {&k.strain, &sigma})
      for (int part = 0; part < 2; ++part, out += 3)
        Eigen::Map<Vec3>{out} = point.section.transpose() * v->segment<3>(3 * part);
  }
}

}  // namespace polhode::elements::spectral
