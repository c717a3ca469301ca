// SPDX-License-Identifier: BSD-3-Clause
// Damped, gyroscopic and circulatory motions: (lambda^2 M + lambda C + K) y + B^T mu = 0, B y = 0.
//
// With z = [y; y' / s] the first-order form is lambda E z = A z; its inverse shifted by a real s > 0,
//   z = T b = (A - s E)^-1 E b:   P(s) y = -(C + s M) b_1 - s M b_2,   P(s) = K + s C + s^2 M (with constraints),
//                                 y'/s = b_1 / s + y,
// has the eigenvalues theta = 1 / (lambda - s). s > 0 keeps free motions (lambda = 0) regular. States of signals stand
// behind them (coupled_states.hpp).
#include <Spectra/GenEigsSolver.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

#include "coupled_states.hpp"
#include "deflation.hpp"
#include "eigen.hpp"
#include "polhode/assembly/sparse_algebra.hpp"
#include "polhode/math/dense.hpp"
#include "shifted_inverse.hpp"

namespace polhode::analyses {

namespace {

using Complex = std::complex<double>;
using Eigen::MatrixXcd;
using Eigen::VectorXcd;

// T; motions already found, an orthonormal basis of them, are taken out.
// The operator as Spectra calls it. Two vectors of k numbers, y and y'/s; dividing by s keeps both of one
// size. Then states of signals, if there are any.
class FirstOrder {
 public:
  using Scalar = double;
  FirstOrder(const Linearized& linear, const ShiftedInverse& inverse, const CoupledStates* states, double shift,
             const math::StopRequest& stop)
      : found(2 * linear.metric.size() + (states ? states->count() : 0)),
        linear_(linear),
        inverse_(inverse),
        states_(states),
        stop_(stop),
        shift_(shift),
        k_(linear.metric.size()),
        size_(2 * k_ + (states ? states->count() : 0)),
        force_(k_),
        velocity_(k_),
        part_(k_) {}
  Eigen::Index rows() const { return size_; }
  Eigen::Index cols() const { return size_; }
  Eigen::Index unknowns() const { return k_; }
  void perform_op(const double* b, double* z) const {
    apply(b, z);
    found.take_out(Eigen::Map<VectorX>(z, size_));
  }
  void apply(const double* b, double* z) const {
    end_if_asked(stop_);
    const auto k = static_cast<int>(k_);
    const Eigen::Map<const VectorX> b1(b, k_);
    assembly::multiply(linear_.c, b, force_.data(), k);
    velocity_ = shift_ * (b1 + Eigen::Map<const VectorX>(b + k_, k_));
    assembly::multiply(linear_.m, velocity_.data(), part_.data(), k);
    force_ = -force_ - part_;
    inverse_.apply(force_.data(), z);
    if (states_) states_->couple(b, b + 2 * k_, z, z + 2 * k_);
    Eigen::Map<VectorX>(z + k_, k_) = b1 / shift_ + Eigen::Map<VectorX>(z, k_);
  }
  OrthogonalDeflation found;

 private:
  const Linearized& linear_;
  const ShiftedInverse& inverse_;
  const CoupledStates* states_;
  const math::StopRequest& stop_;
  double shift_;
  Eigen::Index k_;
  Eigen::Index size_;
  mutable VectorX force_;
  mutable VectorX velocity_;
  mutable VectorX part_;
};

// All of T within the motions that the constraints allow.
// The same operator applied to a basis of what B allows, twice: a matrix of 2n columns without an inverse of
// M.
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
  const math::GeneralEigen eigen = math::general_eigen(reduced);
  theta = eigen.values;
  shapes = Z.cast<Complex>() * eigen.vectors.topRows(n);
}

// One run of the restarted Arnoldi method: eigenvalues and vectors that have converged; none if nothing has.
struct Converged {
  VectorXcd theta;
  MatrixXcd vectors;
};
// The start is sent through T twice, which takes out what the constraints forbid and motions without
// inertia.
Converged search(FirstOrder& T, int wanted, const std::function<double()>& number) {
  constexpr int most_restarts = 300;
  constexpr double tolerance = 1e-11;
  const Eigen::Index size = T.rows();
  const int space = static_cast<int>(std::min<Eigen::Index>(size, std::max(2 * wanted + 10, 30)));
  Spectra::GenEigsSolver<FirstOrder> solver(T, wanted, space);
  VectorX start(size);
  VectorX once(size);
  for (double& value : start) value = number();
  T.perform_op(start.data(), once.data());
  T.perform_op(once.data(), start.data());
  solver.init(start.data());
  const auto converged = static_cast<int>(solver.compute(Spectra::SortRule::LargestMagn, most_restarts, tolerance));
  if (converged == 0) return {};
  return {solver.eigenvalues(), solver.eigenvectors(converged)};
}

// Adds the directions of the vectors to what is found; a conjugate gives the same two.
void add_directions(const Converged& now, OrthogonalDeflation& found) {
  for (Eigen::Index i = 0; i < now.theta.size(); ++i) {
    if (now.theta[i].imag() < 0) continue;
    found.add(now.vectors.col(i).real());
    if (now.theta[i].imag() > 0) found.add(now.vectors.col(i).imag());
  }
}

// Restarted Arnoldi; again without what was found until nothing comes that is nearer (as in eigen_real.cpp).
// One start vector finds one direction of a multiple eigenvalue, so the search runs again without what it
// has found. Eigenvalues within the space of all finds are then computed at once,
// which repairs what deflation has coupled.
bool krylov(FirstOrder& T, int count, VectorXcd& theta, MatrixXcd& shapes) {
  constexpr int most_rounds = 8;
  std::mt19937 random(1);
  std::normal_distribution<double> number;
  std::vector<double> distances;  // of lambda from the shift, 1 / |theta|
  for (int round = 0; round < most_rounds; ++round) {
    const Converged now = search(T, round == 0 ? count : std::max(4, count / 4), [&] { return number(random); });
    if (now.theta.size() == 0) {
      if (round > 0) break;
      return false;
    }
    const double reach = reach_of(distances, count);
    bool nearer = false;
    for (const Complex value : now.theta) {
      nearer = nearer || std::abs(value) * reach > 1 + 1e-9;
      distances.push_back(1 / std::abs(value));
    }
    add_directions(now, T.found);
    if (!nearer) break;
  }
  // T within the invariant subspace of all that was found.
  const MatrixX& Q = T.found.basis();
  MatrixX TQ(Q.rows(), Q.cols());
  for (Eigen::Index j = 0; j < Q.cols(); ++j) T.apply(Q.col(j).data(), TQ.col(j).data());
  const math::GeneralEigen eigen = math::general_eigen(math::transposed_product(Q, TQ));
  theta = eigen.values;
  shapes = Q.topRows(T.unknowns()).cast<Complex>() * eigen.vectors;
  return true;
}

// max |A_ij| / max |B_ij| over the free unknowns.
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
// A shift of the size of the lowest frequency separates what is near zero;
// one that is far larger makes all eigenvalues of T alike.
double choose_shift(const Linearized& linear, const math::StopRequest& stop) {
  const RealModes undamped = real_modes(linear, 8, 0, stop);
  if (undamped.interrupted) throw Interrupted{};
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

// lambda = shift + 1/theta, nearest to zero first. Of a conjugate pair theta gives both; the one with positive imaginary
// part is kept. Motions without inertia have infinite lambda, theta = 0.
void set_modes(const VectorXcd& theta, const MatrixXcd& shapes, ComplexModes& modes) {
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
  modes.lambda.resize(static_cast<Eigen::Index>(order.size()));
  modes.shapes.resize(shapes.rows(), modes.lambda.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    modes.lambda[static_cast<Eigen::Index>(i)] = lambda[static_cast<std::size_t>(order[i])];
    modes.shapes.col(static_cast<Eigen::Index>(i)) = shapes.col(order[i]);
  }
}

// Round-off splits the double eigenvalue 0 of a free motion by its root, which a slow controller may be as small as: what
// the stiffness says of the motion itself decides.
void settle_free_motions(const Linearized& linear, ComplexModes& modes) {
  constexpr double doubtful = 1e-3;  // of the shift
  for (Eigen::Index i = 0; i < modes.lambda.size(); ++i) {
    if (std::abs(modes.lambda[i]) >= doubtful * modes.shift) continue;
    Eigen::Index largest = 0;
    modes.shapes.col(i).cwiseAbs().maxCoeff(&largest);
    MatrixX y = (modes.shapes.col(i) / modes.shapes(largest, i)).real();
    const double mass = y.col(0).dot(product(linear.m, y).col(0));
    if (!(mass > 0)) continue;
    y /= std::sqrt(mass);
    if (std::abs(y.col(0).dot(product(linear.k, y).col(0))) <= measured_noise(linear, y)[0]) modes.lambda[i] = 0;
  }
}

// States that nothing in the machine follows (a filter of a measurement) are no motions of it: they are dropped.
// `motion`: that of an eigenvector of length 1.
template <class Motion>
void drop_still(const Motion& motion, VectorXcd& theta) {
  constexpr double moves = 1e-10;
  for (Eigen::Index i = 0; i < theta.size(); ++i)
    if (motion.col(i).norm() < moves) theta[i] = 0;
}

// With states of signals always by the sparse search: state_space_modes() is there for small models.
ComplexModes find_modes(const Linearized& linear, CoupledStates* states, int count, const math::StopRequest& stop) {
  ComplexModes modes;
  const bool is_dense = !states && small_enough_for_dense(linear, true);
  ShiftedInverse inverse(linear);
  modes.shift = choose_shift(linear, stop);
  for (int attempt = 0;; ++attempt) {
    end_if_asked(stop);
    if (inverse.factorize(modes.shift, modes.shift * modes.shift) && inverse.accurate() &&
        (!states || states->factorize(inverse, modes.shift)))
      break;
    if (attempt == 4) {
      modes.failed = true;
      return modes;
    }
    modes.shift *= 1.7;  // on an eigenvalue of an unstable motion
  }
  FirstOrder T(linear, inverse, states, modes.shift, stop);
  VectorXcd theta;
  MatrixXcd shapes;
  if (is_dense)
    dense(linear, T, theta, shapes);
  else if (!krylov(T, std::min(2 * count + 12, 2 * linear.degrees() - 4), theta, shapes)) {
    modes.failed = true;
    return modes;
  }
  modes.all = is_dense;  // Krylov finds those nearest to zero; there are others
  if (states) drop_still(shapes, theta);
  set_modes(theta, shapes, modes);
  if (states) settle_free_motions(linear, modes);
  return modes;
}

ComplexModes find_unless_interrupted(const Linearized& linear, CoupledStates* states, int count,
                                     const math::StopRequest& stop) {
  try {
    return find_modes(linear, states, count, stop);
  } catch (const Interrupted&) {
    ComplexModes modes;
    modes.interrupted = true;
    return modes;
  }
}

}  // namespace

ComplexModes complex_modes(const Linearized& linear, int count, const math::StopRequest& stop) {
  return find_unless_interrupted(linear, nullptr, count, stop);
}

// States are sized at the first shift, and stay so for those that follow.
ComplexModes coupled_modes(const LinearModel& made, const std::optional<Rotation>& rotation, int count,
                           const math::StopRequest& stop) {
  CoupledStates states(made, rotation);
  return find_unless_interrupted(made.linear, &states, count, stop);
}

// Of (A - s 1)^-1, as above: what is near zero is known to a part of s, not of the largest eigenvalue.
ComplexModes state_space_modes(const Linearized& linear, const MatrixX& A, const MatrixX& motion,
                               const math::StopRequest& stop) {
  ComplexModes modes;
  modes.all = true;
  try {
    modes.shift = choose_shift(linear, stop);
    end_if_asked(stop);
  } catch (const Interrupted&) {
    modes.interrupted = true;
    return modes;
  }
  // Dense: its inverse is made once, and QR finds all eigenvalues of that. With 2000 states some minutes.
  MatrixX shifted = A;
  Eigen::PartialPivLU<MatrixX> lu;
  for (int attempt = 0; attempt < 5; ++attempt, modes.shift *= 1.7) {  // it may be an eigenvalue
    shifted.diagonal() = A.diagonal().array() - modes.shift;
    lu.compute(shifted);
    const auto pivots = lu.matrixLU().diagonal().cwiseAbs();
    if (pivots.minCoeff() > 1e-15 * pivots.maxCoeff()) break;
  }
  const math::GeneralEigen eigen = math::general_eigen(lu.inverse());
  VectorXcd theta = eigen.values;
  const MatrixXcd shapes = motion.cast<Complex>() * eigen.vectors.topRows(motion.cols());
  drop_still(shapes, theta);
  set_modes(theta, shapes, modes);
  modes.failed = !modes.shapes.allFinite();
  if (!modes.failed) settle_free_motions(linear, modes);
  return modes;
}

}  // namespace polhode::analyses
