// SPDX-License-Identifier: BSD-3-Clause
// Undamped motions: (K - omega^2 M) y + B^T mu = 0, B y = 0, all symmetric.
#include <Spectra/SymGEigsShiftSolver.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "deflation.hpp"
#include "eigen.hpp"
#include "polhode/assembly/sparse_algebra.hpp"
#include "polhode/math/dense.hpp"
#include "shifted_inverse.hpp"

namespace polhode::analyses {

using assembly::SparseMatrix;

// Where dense algebra takes less than a second; complex problems have twice the size.
bool small_enough_for_dense(const Linearized& linear, bool complex) {
  return linear.metric.size() <= 700 && linear.degrees() <= (complex ? 150 : 250);
}

// The last columns of Q of B^T P = Q R, rows of B scaled to unit length: rank by a relative threshold of 1e-9.
MatrixX null_space(const Linearized& linear) {
  const Eigen::Index k = linear.metric.size();
  const Eigen::Index rows = linear.k.size - k;
  if (rows == 0) return MatrixX::Identity(k, k);
  MatrixX Bt = MatrixX::Zero(k, rows);
  for (int column = static_cast<int>(k); column < linear.k.size; ++column)
    for (int p = linear.k.column_start[column]; p < linear.k.column_start[column + 1]; ++p)
      if (linear.k.row[p] < k) Bt(linear.k.row[p], column - k) = linear.k.at(p);
  for (auto column : Bt.colwise())
    if (const double norm = column.norm(); norm > 0) column /= norm;
  return math::orthonormal_complement(Bt, 1e-9);
}

// Column by column through the sparse matrix.
MatrixX product(const SparseMatrix& X, const MatrixX& Y) {
  MatrixX result(Y.rows(), Y.cols());
  for (Eigen::Index j = 0; j < Y.cols(); ++j)
    assembly::multiply(X, Y.col(j).data(), result.col(j).data(), static_cast<int>(Y.rows()));
  return result;
}

namespace {

constexpr double round_off = 2.2e-16;

// What rounding of K makes of omega^2 is a small part of sum_ij |K_ij y_i y_j| / y^T M y.
VectorX largest_squares(const Linearized& linear, const MatrixX& shapes) {
  VectorX sizes(shapes.cols());
  const auto k = static_cast<int>(shapes.rows());
  for (Eigen::Index j = 0; j < shapes.cols(); ++j) {
    double sum = 0;
    for (int column = 0; column < k; ++column)
      for (int p = linear.k.column_start[column]; p < linear.k.column_start[column + 1]; ++p)
        if (const int row = linear.k.row[p]; row < k)
          sum += std::abs(linear.k.at(p) * shapes(row, j) * shapes(column, j));
    sizes[j] = sum;
  }
  return sizes;
}

// The largest ratio K_ii / M_ii.
// An upper end of omega^2, nearly: the measure for shifts.
double largest_ratio(const Linearized& linear) {
  VectorX stiffness = VectorX::Zero(linear.metric.size());
  VectorX mass = stiffness;
  for_each_diagonal(linear.k, static_cast<int>(mass.size()),
                    [&](int i, double value) { stiffness[i] = std::abs(value); });
  for_each_diagonal(linear.m, static_cast<int>(mass.size()), [&](int i, double value) { mass[i] = value; });
  double most = 0;
  for (Eigen::Index i = 0; i < mass.size(); ++i)
    if (mass[i] > 0) most = std::max(most, stiffness[i] / mass[i]);
  return most > 0 ? most : 1;
}

// Sorted, cut to `count`, with what is needed to recognize free motions.
void finish(const Linearized& linear, int count, double center, const VectorX& squares, const MatrixX& shapes, bool all,
            RealModes& modes) {
  modes.all = all;
  std::vector<Eigen::Index> order(static_cast<std::size_t>(squares.size()));
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<Eigen::Index>(i);
  std::stable_sort(order.begin(), order.end(), [&](Eigen::Index a, Eigen::Index b) {
    return std::abs(squares[a] - center) < std::abs(squares[b] - center);
  });
  if (order.size() > static_cast<std::size_t>(count)) {
    order.resize(static_cast<std::size_t>(count));
    modes.all = false;
  }
  std::stable_sort(order.begin(), order.end(), [&](Eigen::Index a, Eigen::Index b) { return squares[a] < squares[b]; });
  modes.squares.resize(static_cast<Eigen::Index>(order.size()));
  modes.shapes.resize(shapes.rows(), modes.squares.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    modes.squares[static_cast<Eigen::Index>(i)] = squares[order[i]];
    modes.shapes.col(static_cast<Eigen::Index>(i)) = shapes.col(order[i]);
  }
  modes.noise =
      all ? VectorX(10 * round_off * largest_squares(linear, modes.shapes)) : measured_noise(linear, modes.shapes);
}

// Within the motions that the constraints allow (y = Z z), with M = W W^T and a shifted stiffness K: the eigenvalues
// theta of W^T K^-1 W are 1 / (omega^2 + shift), its eigenvectors s give z = K^-1 W s / theta.
bool dense(const Linearized& linear, const MatrixX& Z, double shift, VectorX& squares, MatrixX& shapes) {
  const MatrixX K = math::transposed_product(Z, product(linear.k, Z));
  const MatrixX M = math::transposed_product(Z, product(linear.m, Z));
  const MatrixX W = math::semidefinite_root(0.5 * (M + M.transpose()));
  const MatrixX shifted = 0.5 * (K + K.transpose()) + shift * M;
  const MatrixX X = math::solve(shifted, W);
  if (!X.allFinite() || (shifted * X - W).norm() > 1e-6 * W.norm()) return false;
  MatrixX S = math::transposed_product(W, X);
  S = 0.5 * (S + MatrixX(S.transpose()));
  const auto [theta, vectors] = math::symmetric_eigen(S);
  const double least = 1e-14 * theta.cwiseAbs().maxCoeff();  // below: no inertia
  std::vector<Eigen::Index> kept;
  for (Eigen::Index i = 0; i < theta.size(); ++i)
    if (std::abs(theta[i]) > least) kept.push_back(i);
  squares.resize(static_cast<Eigen::Index>(kept.size()));
  MatrixX reduced(Z.cols(), squares.size());
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const auto to = static_cast<Eigen::Index>(i);
    squares[to] = 1 / theta[kept[i]] - shift;
    reduced.col(to) = X * vectors.col(kept[i]) / theta[kept[i]];
  }
  shapes = Z * reduced;
  return true;
}

// The two operators as Spectra wants them; motions already found are taken out.
struct Inverse {
  using Scalar = double;
  const ShiftedInverse& inverse;
  Eigen::Index size;
  const MassDeflation& found;
  const math::StopRequest& stop;
  Eigen::Index rows() const { return size; }
  Eigen::Index cols() const { return size; }
  void set_shift(double) {}
  void perform_op(const double* x, double* y) const {
    end_if_asked(stop);
    inverse.apply(x, y);
    found.take_out(Eigen::Map<VectorX>(y, size));
  }
};
struct Mass {
  using Scalar = double;
  const SparseMatrix& m;
  Eigen::Index size;
  Eigen::Index rows() const { return size; }
  Eigen::Index cols() const { return size; }
  void perform_op(const double* x, double* y) const { assembly::multiply(m, x, y, static_cast<int>(size)); }
};

// Krylov's method on the shifted inverse, again and again without what was found, until nothing comes that is nearer to
// the shift than the last of those wanted.
class KrylovSearch {
 public:
  KrylovSearch(const Linearized& linear, const ShiftedInverse& inverse, int count, double shift,
               const math::StopRequest& stop)
      : mass_{linear.m, linear.metric.size()},
        found_(mass_.size, [this](const double* y, double* My) { mass_.perform_op(y, My); }),
        inverse_{inverse, mass_.size, found_, stop},
        degrees_(linear.degrees()),
        count_(count),
        shift_(shift) {}
  KrylovSearch(const KrylovSearch&) = delete;
  KrylovSearch& operator=(const KrylovSearch&) = delete;

  // False if not a single motion converges.
  bool run() {
    constexpr int most_rounds = 12;
    constexpr int fewest_missing = 3;  // for Spectra
    for (int round = 0; round < most_rounds; ++round) {
      const int missing = degrees_ - static_cast<int>(found_.count());
      if (missing < fewest_missing) break;
      const int wanted = std::min(round == 0 ? count_ : std::max(2, count_ / 4), missing - 2);
      // Twice the wanted number and some more, as Arnoldi's method needs.
      const int space = std::min(missing - 1, std::max(2 * wanted + 10, 24));
      if (!search(wanted, space)) return round > 0;
      if (!keep()) break;
    }
    return true;
  }
  VectorX squares() const {
    return Eigen::Map<const VectorX>(squares_.data(), static_cast<Eigen::Index>(squares_.size()));
  }
  const MatrixX& shapes() const { return found_.shapes(); }

 private:
  // Sets new_squares_ and new_shapes_; false if nothing converges.
  bool search(int wanted, int space) {
    constexpr int most_restarts = 30;
    Spectra::SymGEigsShiftSolver<Inverse, Mass, Spectra::GEigsMode::ShiftInvert> solver(inverse_, mass_, wanted, space,
                                                                                        -shift_);
    VectorX start(mass_.size);
    VectorX first(mass_.size);
    for (double& value : start) value = number_(random_);
    mass_.perform_op(start.data(), first.data());
    inverse_.perform_op(first.data(), start.data());
    // Of very large models round-off of the solutions is above the first tolerance.
    int converged = 0;
    for (const double tolerance : {1e-11, 1e-8}) {
      solver.init(start.data());
      converged = static_cast<int>(
          solver.compute(Spectra::SortRule::LargestMagn, most_restarts, tolerance, Spectra::SortRule::SmallestAlge));
      if (converged >= wanted) break;
    }
    if (converged == 0) return false;
    new_squares_ = solver.eigenvalues();
    new_shapes_ = solver.eigenvectors(converged);
    return true;
  }

  // Adds what the last search found; whether any of it is nearer than those before.
  bool keep() {
    std::vector<double> distances;
    for (const double square : squares_) distances.push_back(std::abs(square + shift_));
    const double reach = reach_of(distances, count_);
    bool nearer = false;
    for (Eigen::Index i = 0; i < new_squares_.size(); ++i) {
      nearer = nearer || std::abs(new_squares_[i] + shift_) < (1 - 1e-9) * reach;
      squares_.push_back(new_squares_[i]);
      found_.add(new_shapes_.col(i));
    }
    return nearer;
  }

  Mass mass_;
  MassDeflation found_;
  Inverse inverse_;
  int degrees_;
  int count_;
  double shift_;
  std::vector<double> squares_;
  VectorX new_squares_;
  MatrixX new_shapes_;
  std::mt19937 random_{1};
  std::normal_distribution<double> number_;
};

// The eigenvalue problem with one shift after the other.
class RealSearch {
 public:
  RealSearch(const Linearized& linear, int count, double center, const math::StopRequest& stop)
      : linear_(linear),
        stop_(stop),
        is_dense_(small_enough_for_dense(linear, false)),
        count_(std::min(count, is_dense_ ? linear.degrees() : linear.degrees() - 3)),
        center_(center) {
    if (is_dense_)
      basis_ = null_space(linear);
    else
      inverse_.emplace(linear);
  }

  // By (K + shift M)^-1; false if that is singular.
  bool solve(double shift, RealModes& modes) {
    end_if_asked(stop_);
    VectorX squares;
    MatrixX shapes;
    // Few unknowns: all motions at once. Many: those nearest to the shift.
    if (is_dense_) {
      if (!dense(linear_, basis_, shift, squares, shapes)) return false;
    } else {
      if (!inverse_->factorize(0, shift) || !inverse_->accurate()) return false;
      KrylovSearch search(linear_, *inverse_, count_, shift, stop_);
      if (!search.run()) return false;
      squares = search.squares();
      shapes = search.shapes();
    }
    finish(linear_, count_, center_, squares, shapes, is_dense_, modes);
    return true;
  }

  // Around a frequency that is an eigenvalue itself: shifts a little below it.
  bool solve_beside_center(RealModes& modes) {
    for (double shift = -center_ * (1 - 1e-4); shift < -0.9 * center_; shift *= 1 - 1e-3)
      if (solve(shift, modes)) return true;
    return false;
  }

  // K alone is singular: free motions, or a chain so long that its lowest frequencies are below round-off. The least
  // shift that the factors can stand comes first, then one of the size of the lowest frequency above zero, which
  // serves best.
  bool solve_with_shifts(RealModes& modes) {
    constexpr int most_rounds = 24;
    const double largest = largest_ratio(linear_);
    double least = is_dense_ ? 1e-9 * largest : 0.01 * round_off * largest;
    double shift = least;
    for (int round = 0; round < most_rounds; ++round) {
      if (!solve(shift, modes)) {
        if (modes.squares.size() > 0) break;
        shift *= 4;
        least = shift;
        continue;
      }
      // A shift far from the lowest frequency separates badly what is near to it, so that another round follows.
      const double lowest = lowest_above_zero(modes);
      if (lowest == 0) {  // free motions hide the others
        if (is_dense_ || modes.squares.size() >= count_ || shift > 1e-6 * largest) break;
        shift *= 1000;
        continue;
      }
      const double next = is_dense_ ? lowest : std::max(lowest, least);
      if (next > 0.1 * shift && next < 100 * shift) break;
      shift = next;
    }
    return modes.squares.size() > 0;
  }

 private:
  // Squares are ascending, so the last one set is the lowest.
  static double lowest_above_zero(const RealModes& modes) {
    double lowest = 0;
    for (Eigen::Index i = modes.squares.size() - 1; i >= 0; --i)
      if (!modes.is_free(i) && modes.squares[i] > 0) lowest = modes.squares[i];
    return lowest;
  }

  const Linearized& linear_;
  const math::StopRequest& stop_;
  bool is_dense_;
  int count_;
  double center_;
  MatrixX basis_;                          // of the motions that the constraints allow, where dense
  std::optional<ShiftedInverse> inverse_;  // else
};

}  // namespace

// With the shift at the center first; where the matrix is singular there, with others near it.
RealModes real_modes(const Linearized& linear, int count, double center, const math::StopRequest& stop) {
  RealModes modes;
  try {
    RealSearch search(linear, count, center, stop);
    if (search.solve(-center, modes)) return modes;
    modes.failed = !(center > 0 ? search.solve_beside_center(modes) : search.solve_with_shifts(modes));
  } catch (const Interrupted&) {
    modes = {};
    modes.interrupted = true;
  }
  return modes;
}

}  // namespace polhode::analyses
