// SPDX-License-Identifier: BSD-3-Clause
// Damped, gyroscopic and circulatory motions: (lambda^2 M + lambda C + K) y + B^T mu = 0, B y = 0.
//
// With z = [y; y' / s] the first-order form is lambda E z = A z; its inverse shifted by a real s > 0,
//   z = T b = (A - s E)^-1 E b:   P(s) y = -(C + s M) b_1 - s M b_2,   P(s) = K + s C + s^2 M (with constraints),
//                                 y'/s = b_1 / s + y,
// has the eigenvalues theta = 1 / (lambda - s). s > 0 keeps free motions (lambda = 0) regular.
#include <Spectra/GenEigsSolver.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <random>

#include "eigen.hpp"
#include "polhode/assembly/sparse_algebra.hpp"

namespace polhode::analyses {

namespace {

using Complex = std::complex<double>;
using Eigen::MatrixXcd;
using Eigen::VectorXcd;

// T; motions already found, an orthonormal basis of them, are taken out.
class FirstOrder {
 public:
  using Scalar = double;
  FirstOrder(const Linearized& linear, const ShiftedInverse& inverse, double shift)
      : linear_(linear),
        inverse_(inverse),
        shift_(shift),
        k_(linear.metric.size()),
        force_(k_),
        velocity_(k_),
        part_(k_) {}
  Eigen::Index rows() const { return 2 * k_; }
  Eigen::Index cols() const { return 2 * k_; }
  void perform_op(const double* b, double* z) const {
    apply(b, z);
    Eigen::Map<VectorX> result(z, 2 * k_);
    if (found.cols() > 0) result -= found * (found.transpose() * result);
  }
  void apply(const double* b, double* z) const {
    const auto k = static_cast<int>(k_);
    const Eigen::Map<const VectorX> b1(b, k_);
    assembly::multiply(linear_.c, b, force_.data(), k);
    velocity_ = shift_ * (b1 + Eigen::Map<const VectorX>(b + k_, k_));
    assembly::multiply(linear_.m, velocity_.data(), part_.data(), k);
    force_ = -force_ - part_;
    inverse_.apply(force_.data(), z);
    Eigen::Map<VectorX>(z + k_, k_) = b1 / shift_ + Eigen::Map<VectorX>(z, k_);
  }
  MatrixX found;

 private:
  const Linearized& linear_;
  const ShiftedInverse& inverse_;
  double shift_;
  Eigen::Index k_;
  mutable VectorX force_;
  mutable VectorX velocity_;
  mutable VectorX part_;
};

// All of T within the motions that the constraints allow.
void dense(const Linearized& linear, const FirstOrder& T, VectorXcd& theta, MatrixXcd& shapes) {
  const MatrixX Z = null_space(linear);
  const Eigen::Index k = Z.rows();
  const Eigen::Index n = Z.cols();
  MatrixX reduced(2 * n, 2 * n);
  VectorX b(2 * k);
  VectorX z(2 * k);
  for (Eigen::Index j = 0; j < 2 * n; ++j) {
    b.setZero();
    b.segment(j < n ? 0 : k, k) = Z.col(j % n);
    T.apply(b.data(), z.data());
    reduced.col(j) << Z.transpose() * z.head(k), Z.transpose() * z.tail(k);
  }
  const Eigen::EigenSolver<MatrixX> eigen(reduced);
  theta = eigen.eigenvalues();
  shapes = Z.cast<Complex>() * eigen.eigenvectors().topRows(n);
}

// Restarted Arnoldi; again without what was found until nothing comes that is nearer (as in eigen_real.cpp).
bool krylov(FirstOrder& T, int count, VectorXcd& theta, MatrixXcd& shapes) {
  const Eigen::Index size = T.rows();
  std::mt19937 random(1);
  std::normal_distribution<double> number;
  std::vector<double> sizes;
  for (int round = 0; round < 8; ++round) {
    const int wanted = round == 0 ? count : std::max(4, count / 4);
    const int space = static_cast<int>(std::min<Eigen::Index>(size, std::max(2 * wanted + 10, 30)));
    Spectra::GenEigsSolver<FirstOrder> solver(T, wanted, space);
    VectorX start(size);
    VectorX once(size);
    for (double& value : start) value = number(random);
    T.perform_op(start.data(), once.data());
    T.perform_op(once.data(), start.data());
    solver.init(start.data());
    const auto converged = static_cast<int>(solver.compute(Spectra::SortRule::LargestMagn, 300, 1e-11));
    if (converged == 0) {
      if (round > 0) break;
      return false;
    }
    const VectorXcd values = solver.eigenvalues();
    const MatrixXcd vectors = solver.eigenvectors(converged);
    std::sort(sizes.rbegin(), sizes.rend());
    const double reach = static_cast<int>(sizes.size()) >= count ? sizes[static_cast<std::size_t>(count - 1)] : 0;
    MatrixX basis(size, T.found.cols() + 2 * values.size());
    basis.leftCols(T.found.cols()) = T.found;
    Eigen::Index columns = T.found.cols();
    bool nearer = false;
    for (Eigen::Index i = 0; i < values.size(); ++i) {
      nearer = nearer || std::abs(values[i]) > (1 + 1e-9) * reach;
      sizes.push_back(std::abs(values[i]));
      if (values[i].imag() < 0) continue;  // its conjugate gives the same two directions
      basis.col(columns++) = vectors.col(i).real();
      if (values[i].imag() > 0) basis.col(columns++) = vectors.col(i).imag();
    }
    // Gram-Schmidt, twice; what depends on the others is dropped.
    Eigen::Index kept = T.found.cols();
    for (Eigen::Index j = kept; j < columns; ++j) {
      VectorX v = basis.col(j).normalized();
      for (int twice = 0; twice < 2; ++twice) v -= basis.leftCols(kept) * (basis.leftCols(kept).transpose() * v);
      if (v.norm() > 1e-8) basis.col(kept++) = v.normalized();
    }
    T.found = basis.leftCols(kept);
    if (!nearer) break;
  }
  // T within the invariant subspace of all that was found.
  const MatrixX Q = T.found;
  MatrixX TQ(size, Q.cols());
  for (Eigen::Index j = 0; j < Q.cols(); ++j) T.apply(Q.col(j).data(), TQ.col(j).data());
  const Eigen::EigenSolver<MatrixX> eigen(Q.transpose() * TQ);
  theta = eigen.eigenvalues();
  shapes = (Q.topRows(size / 2)).cast<Complex>() * eigen.eigenvectors();
  return true;
}

double largest_ratio(const assembly::SparseMatrix& a, const assembly::SparseMatrix& b, Eigen::Index k) {
  double top = 0;
  double bottom = 0;
  for (int column = 0; column < k; ++column)
    for (int p = a.column_start[column]; p < a.column_start[column + 1]; ++p)
      if (a.row[p] < k) {
        top = std::max(top, std::abs(a.at(p)));
        bottom = std::max(bottom, std::abs(b.at(p)));
      }
  return bottom > 0 ? top / bottom : 0;
}

// The size of the lowest frequency above zero, by the undamped motions; else by C or K against M.
double choose_shift(const Linearized& linear) {
  const RealModes undamped = real_modes(linear, 8);
  double lowest = 0;
  // Of turning models stiffness and centrifugal terms may cancel and leave round-off, as of a free spin.
  const Eigen::Index k = linear.metric.size();
  const double rate = largest_ratio(linear.c, linear.m, k);
  double zero = 1e-14 * rate * rate;
  if (undamped.squares.size() > 0) zero = std::max(zero, 1e-12 * undamped.squares.cwiseAbs().maxCoeff());
  for (Eigen::Index i = undamped.squares.size() - 1; i >= 0; --i)
    if (!undamped.is_free(i) && std::abs(undamped.squares[i]) > zero) {
      const double omega = std::sqrt(std::abs(undamped.squares[i]));
      lowest = lowest > 0 ? std::min(lowest, omega) : omega;
    }
  if (lowest > 0) return lowest;
  if (rate > 0) return rate;
  const double square = largest_ratio(linear.k, linear.m, k);
  return square > 0 ? std::sqrt(square) : 1;
}

}  // namespace

ComplexModes complex_modes(const Linearized& linear, int count) {
  ComplexModes modes;
  const bool is_dense = small_enough_for_dense(linear, true);
  ShiftedInverse inverse(linear);
  modes.shift = choose_shift(linear);
  for (int attempt = 0;; ++attempt) {
    if (inverse.factorize(modes.shift, modes.shift * modes.shift) && inverse.accurate()) break;
    if (attempt == 4) {
      modes.failed = true;
      return modes;
    }
    modes.shift *= 1.7;  // on an eigenvalue of an unstable motion
  }
  FirstOrder T(linear, inverse, modes.shift);
  VectorXcd theta;
  MatrixXcd shapes;
  if (is_dense)
    dense(linear, T, theta, shapes);
  else if (!krylov(T, std::min(2 * count + 12, 2 * linear.degrees() - 4), theta, shapes)) {
    modes.failed = true;
    return modes;
  }
  const double least = 1e-13 * theta.cwiseAbs().maxCoeff();  // below: no inertia
  std::vector<Eigen::Index> order;
  std::vector<Complex> lambda(static_cast<std::size_t>(theta.size()));
  for (Eigen::Index i = 0; i < theta.size(); ++i) {
    if (std::abs(theta[i]) <= least) continue;
    lambda[static_cast<std::size_t>(i)] = modes.shift + 1.0 / theta[i];
    const Complex value = lambda[static_cast<std::size_t>(i)];
    if (value.imag() >= 0 || std::abs(value) < 1e-5 * modes.shift) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(), [&](Eigen::Index a, Eigen::Index b) {
    return std::abs(lambda[static_cast<std::size_t>(a)]) < std::abs(lambda[static_cast<std::size_t>(b)]);
  });
  modes.all = is_dense;
  modes.lambda.resize(static_cast<Eigen::Index>(order.size()));
  modes.shapes.resize(shapes.rows(), modes.lambda.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    modes.lambda[static_cast<Eigen::Index>(i)] = lambda[static_cast<std::size_t>(order[i])];
    modes.shapes.col(static_cast<Eigen::Index>(i)) = shapes.col(order[i]);
  }
  return modes;
}

}  // namespace polhode::analyses
