// SPDX-License-Identifier: BSD-3-Clause
// The exact tangents of the internal forces.
//
// Residual r_i = sum over points of weight B_i^T sigma. Its tangent is weight B_j^T (C B_k + D grad(strain rate)_k) and
// the derivative of B_j with sigma = [N; M] held, which follows from the Lagrangian of the interpolation,
//   sigma . strain - mu . (A kappa - sum L_i' phi_i) + nu . sum L_i phi_i,
//   A^T mu = M,   A^T nu = N x g - sum T_i^-1 p_i,
// p_i = P_i^T mu, z_i = p_i + L_i nu (so the moment of node i is T_i^-T z_i): with mu and nu held and first variations
// of Q and kappa, nothing else varies.
//
// Right factors go to the columns of each node before its pairs with other nodes are formed, so that C and K are one sum
// there: the block of moments and rotations of a pair is the product of 3x12 numbers of its row and 12x3 of its column.
#include "elements/beams/spectral/variations.hpp"

namespace polhode::elements::spectral {
namespace {

// Derivatives of the rows with the stress held.
struct Geometry {
  // by phi_i: of T_i^-T z_i less L_i T_i^-T hessian (own), of T_i^-1 z_i less the same (mean), and of L_i T_i^-1 mu (bend)
  std::array<Matrix, most_nodes> own;
  std::array<Matrix, most_nodes> mean;
  std::array<Matrix, most_nodes> bend;
  // By the mean rotation and by kappa, which N and g have a part in
  Matrix by_mean;
  Matrix bend_sum = Matrix::Zero();
  // Multipliers of the two constraints of the interpolation: of A kappa = sum L_i' phi_i,
  // and of the mean's definition sum L_i phi_i = 0. Both equations are linear with the matrix A^T.
  Geometry(const Kinematics& k, const Variations& v, const Stress& stress) {
    const Vector mu = k.mean.Ai.transpose() * stress.M;
    std::array<Vector, most_nodes> z;
    Vector nu = stress.N.cross(k.g);
    for (std::size_t i = 0; i < k.n; ++i) {
      z[i] = v.P[i].transpose() * mu;
      nu -= v.Ti[i] * z[i];
    }
    nu = (k.mean.Ai.transpose() * nu).eval();
    by_mean = left(stress.N, tilde(k.g));
    for (std::size_t i = 0; i < k.n; ++i) {
      const Turn& t = k.turn(i);
      const Lanes L = k.p.L[i];
      z[i] += L * nu;
      const Matrix X = L * hessian(t, k.kappa, mu);
      own[i] = gradient(t, z[i], Side::transposed);
      subtract_product(v.Ti[i].transpose(), X, own[i]);
      // T^-1 = T^-T + phi~, and the same of the gradients
      mean[i] = own[i] - left(t.phi, X);
      add_tilde(-z[i], mean[i]);
      bend[i] = L * gradient(t, mu, Side::plain);
      add_product(mean[i], v.Ti[i].transpose(), by_mean);
      subtract_product(bend[i], v.Ti[i].transpose(), bend_sum);
    }
  }
};

// A row of a pair of nodes: what the moment of node j has of the four parts of a column, a, b, W and Y, in the order of
// the members; and its block by translations, per dL of the column.
struct Row {
  // W^T and Y^T of the node act
  const Columns* columns;
  Matrix of_W;
  Matrix of_Y_transposed;
  Matrix of_translations;
};

// Column c of the rows of one node: 6 + 6 numbers by its translations and rotations.
void add_pair(const Row& row, const Lanes& dL_row, const Lanes& dL_column, const Matrix& Fx, const Matrix& F,
              const std::array<const Matrix*, 4>& parts, Lanes* to, std::size_t stride) {
  const Lanes both = dL_row * dL_column;
  for (int c = 0; c < 3; ++c, to += stride)
    for (int i = 0; i < 3; ++i) {
      to[i].v += both.v * Fx(i, c).v;
      to[3 + i].v += dL_column.v * row.of_translations(i, c).v;
    }
  for (int c = 0; c < 3; ++c, to += stride) {
    for (int i = 0; i < 3; ++i) to[i].v += dL_row.v * F(i, c).v;
    Lanes::Register x = to[3].v;
    Lanes::Register y = to[4].v;
    Lanes::Register z = to[5].v;
    const Matrix& W = row.columns->W;
    const Matrix& Y = row.columns->Y;
    for (int k = 0; k < 3; ++k) {
      const Lanes::Register a = (*parts[0])(k, c).v;
      const Lanes::Register b = (*parts[1])(k, c).v;
      const Lanes::Register w = (*parts[2])(k, c).v;
      const Lanes::Register q = (*parts[3])(k, c).v;
      x += W(k, 0).v * a;
      y += W(k, 1).v * a;
      z += W(k, 2).v * a;
      x += Y(k, 0).v * b;
      y += Y(k, 1).v * b;
      z += Y(k, 2).v * b;
      x -= row.of_W(0, k).v * w;
      y -= row.of_W(1, k).v * w;
      z -= row.of_W(2, k).v * w;
      x -= row.of_Y_transposed(k, 0).v * q;
      y -= row.of_Y_transposed(k, 1).v * q;
      z -= row.of_Y_transposed(k, 2).v * q;
    }
    to[3].v = x;
    to[4].v = y;
    to[5].v = z;
  }
}

// The stress of a point by W and Y of a column, weight included.
struct StressGradient {
  Matrix N_by_W;
  Matrix N_by_Y;
  Matrix M_by_W;
  Matrix M_by_Y;
  StressGradient(const Kinematics& k, const Lanes& weight) : N_by_Y(weight * k.p.C12), M_by_Y(weight * k.p.C22) {
    N_by_W = right(weight * k.p.C11, k.g);
    M_by_W = right(N_by_Y.transpose(), k.g);
  }
};

// Damping constants of a point, weight included.
struct Damping {
  Matrix D11;
  Matrix D12;
  Matrix D22;
  void set(const Point& p) {
    D11 = p.weight * p.D11;
    D12 = p.weight * p.D12;
    D22 = p.weight * p.D22;
  }
  // N += D11 Gamma + D12 kappa, M += D12^T Gamma + D22 kappa.
  void add_to(const Matrix& Gamma, const Matrix& kappa, Matrix& N, Matrix& M) const {
    add_product(D11, Gamma, N);
    add_product(D12, kappa, N);
    add_product(D12.transpose(), Gamma, M);
    add_product(D22, kappa, M);
  }
};

// What damping adds to the columns, and the stress. Without damping it is not set, and costs nothing.
class DampedPoint {
 public:
  explicit DampedPoint(const Kinematics& k) : k_(k) {}
  void set(const Elements& d, NodeSpan nodes, const Variations& v) {
    rates_.set(d, k_, nodes);
    gradient_.set(k_, rates_, v);
    damping_.set(k_.p);
  }
  Stress stress() const { return {k_.p, rates_}; }
  void add_to(StressGradient& s) const {
    damping_.add_to(gradient_.Gamma_by_W, gradient_.kappa_by_W, s.N_by_W, s.M_by_W);
    add_product(damping_.D12, gradient_.kappa_by_Y, s.N_by_Y);
    add_product(damping_.D22, gradient_.kappa_by_Y, s.M_by_Y);
  }
  // To the columns of translations, per dL: of C and K.
  void add_translations_to(const Sink& t, const Matrix& Qt, Matrix& N, Matrix& M) const {
    const Matrix of_rate = t.c * Qt - t.k * left(rates_.Omega, Qt);
    add_product(damping_.D11, of_rate, N);
    add_product(damping_.D12.transpose(), of_rate, M);
  }
  // By the velocity of a node, and by its own axes with the velocities held.
  void set_rotations(const Columns& of_c, const Columns& of_k, std::size_t node, Matrix& N, Matrix& M) const {
    Matrix Gamma = left(k_.g, of_c.W);
    Matrix kappa = of_c.Y;
    add_product(gradient_.Gamma_by_own[node], of_k.own, Gamma);
    add_product(gradient_.kappa_by_own[node], of_k.own, kappa);
    N.setZero();
    M.setZero();
    damping_.add_to(Gamma, kappa, N, M);
  }

 private:
  const Kinematics& k_;
  StrainRates rates_;
  RateGradient gradient_;
  Damping damping_;
};

// Forces L_j' Q N turn with the mean rotation: -L_j' Q N~ dTheta. Moments W_j^T (N x g)
// vary with g = Q^T x' by nodes that move and by the mean that turns. All else comes from the rotations phi_i.
void add_point_to(const Elements& d, const Point& p, NodeSpan nodes, const Frames& frames,
                  const std::array<Matrix, most_nodes>& Et, const Sink& t) {
  const Kinematics k(p, nodes, frames, true);
  const Variations v(d, k, Et);
  Stress stress(k);
  StressGradient s(k, p.weight);
  const Matrix Qt = k.Q.transpose();
  const Lanes weight = t.k * p.weight;
  Matrix Nx = weight * product(p.C11, Qt);
  Matrix Mx = weight * product(p.C12.transpose(), Qt);
  DampedPoint damped(k);
  if (d.damped) {
    damped.set(d, nodes, v);
    stress.add(damped.stress());
    damped.add_to(s);
    damped.add_translations_to(t, Qt, Nx, Mx);
  }
  stress.scale(p.weight);
  const Geometry geometry(k, v, stress);
  // Rows: of the forces, per dL, and the parts a and b of the moments; by W and Y of a column
  const Matrix F_by_W = product(k.Q, Matrix(s.N_by_W - tilde(stress.N)));
  const Matrix F_by_Y = product(k.Q, s.N_by_Y);
  const Matrix a_by_W = geometry.by_mean - left(k.g, s.N_by_W);
  const Matrix a_by_Y = -left(k.g, s.N_by_Y) - geometry.bend_sum.transpose();
  const Matrix b_by_W = s.M_by_W - geometry.bend_sum;
  const Matrix& b_by_Y = s.M_by_Y;
  const Matrix Fx = product(k.Q, Nx);
  const Matrix moved = t.k * left(stress.N, Qt) - left(k.g, Nx);

  std::array<Row, most_nodes> rows;
  for (std::size_t j = 0; j < k.n; ++j) {
    const Columns& of = v.columns[j];
    Row& row = rows[j];
    row.columns = &of;
    row.of_W = product(geometry.own[j], v.Ti[j].transpose());
    if (d.turned) row.of_W = product(Et[j].transpose(), row.of_W);
    row.of_Y_transposed = product(geometry.bend[j], of.own);
    row.of_translations = product(of.W.transpose(), moved);
    add_product(of.Y.transpose(), Mx, row.of_translations);
  }
  for (std::size_t c = 0; c < k.n; ++c) {
    const Columns of_k = v.columns[c].times(t.k, t.rot_k, c);
    Matrix F = product(F_by_W, of_k.W);
    add_product(F_by_Y, of_k.Y, F);
    Matrix a = product(a_by_W, of_k.W);
    add_product(a_by_Y, of_k.Y, a);
    subtract_product(geometry.mean[c], of_k.own, a);
    Matrix b = product(b_by_W, of_k.W);
    add_product(b_by_Y, of_k.Y, b);
    subtract_product(geometry.bend[c], of_k.own, b);
    if (d.damped) {
      Matrix N;
      Matrix M;
      damped.set_rotations(v.columns[c].times(t.c, t.rot_c, c), of_k, c, N, M);
      add_product(k.Q, N, F);
      a -= left(k.g, N);
      b += M;
    }
    for (std::size_t j = 0; j < k.n; ++j)
      add_pair(rows[j], p.dL[j], p.dL[c], Fx, F, {&a, &b, &of_k.W, &of_k.Y}, t.at(6 * j, 6 * c),
               static_cast<std::size_t>(t.size));
    Matrix own = product(geometry.own[c], of_k.own);
    if (d.turned) own = product(Et[c].transpose(), own);
    for (int column = 0; column < 3; ++column)
      for (int i = 0; i < 3; ++i) t.at(6 * c + 3, 6 * c + 3 + static_cast<std::size_t>(column))[i] += own(i, column);
  }
}

}  // namespace

// Material part B^T C B, damping part B^T D B in C and B^T D grad(rate) in K, geometric part.
void add_force_tangents_to(const Elements& d, NodeSpan n, const Sink& t) {
  const Frames frames(d, n);
  std::array<Matrix, most_nodes> Et;
  if (d.turned)
    for (std::size_t i = 0; i < n.size(); ++i) Et[i] = math::so3::rotation_matrix(d.E[i]).transpose();
  for (const Point& point : d.points) add_point_to(d, point, n, frames, Et, t);
}

}  // namespace polhode::elements::spectral
