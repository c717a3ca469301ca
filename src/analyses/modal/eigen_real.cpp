// SPDX-License-Identifier: BSD-3-Clause
// Undamped motions: (K - omega^2 M) y + B^T mu = 0, B y = 0, all symmetric.
#include <Spectra/SymGEigsShiftSolver.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <random>

#include "eigen.hpp"
#include "polhode/assembly/sparse_algebra.hpp"

namespace polhode::analyses {

using assembly::SparseMatrix;

ShiftedInverse::ShiftedInverse(const Linearized& linear)
    : linear_(linear),
      matrix_(linear.k),
      solver_(matrix_, assembly::LinearSolver::Method::klu),
      work_(matrix_.size),
      rhs_(matrix_.size),
      left_(matrix_.size),
      wide_(static_cast<std::size_t>(matrix_.size)) {
  const SparseMatrix& k = linear.k;
  const SparseMatrix& c = linear.c;
  const SparseMatrix& m = linear.m;
  for (int column = 0; column < k.size; ++column) {
    column_start_.push_back(static_cast<int>(entries_.size()));
    for (int p = k.column_start[column]; p < k.column_start[column + 1]; ++p)
      if (k.at(p) != 0 || c.at(p) != 0 || m.at(p) != 0) entries_.push_back({k.row[p], k.at(p), c.at(p), m.at(p)});
  }
  column_start_.push_back(static_cast<int>(entries_.size()));
}

bool ShiftedInverse::factorize(double c, double m) {
  c_ = c;
  m_ = m;
  for (std::size_t p = 0; p < matrix_.values.size(); ++p)
    matrix_.values[p] = linear_.k.values[p] + c * linear_.c.values[p] + m * linear_.m.values[p];
  return solver_.factorize();
}

// Iterative refinement. Of long slender chains K has 1e18 times the size of its lowest eigenvalue: residuals are formed
// with K, C and M apart and in extended precision (of 80 bits on common processors, no more than double on some), since
// the rounding of K + m M alone would be larger than the eigenvalue. Then solutions have all digits of a double as soon
// as the factors have one.
void ShiftedInverse::refine(double& before, double& change) const {
  const int size = linear_.k.size;
  for (int i = 0; i < size; ++i) wide_[static_cast<std::size_t>(i)] = rhs_[i];
  for (int column = 0; column < size; ++column) {
    const auto y = static_cast<long double>(work_[column]);
    const long double cy = c_ * y;
    const long double my = m_ * y;
    for (int p = column_start_[static_cast<std::size_t>(column)];
         p < column_start_[static_cast<std::size_t>(column) + 1]; ++p) {
      const Entry& entry = entries_[static_cast<std::size_t>(p)];
      wide_[static_cast<std::size_t>(entry.row)] -= entry.k * y + entry.c * cy + entry.m * my;
    }
  }
  for (int i = 0; i < size; ++i) left_[i] = static_cast<double>(wide_[static_cast<std::size_t>(i)]);
  solver_.solve({left_.data(), static_cast<std::size_t>(size)});
  const Eigen::Index k = linear_.metric.size();
  before = (linear_.metric.cwiseSqrt().asDiagonal() * work_.head(k)).norm();
  change = (linear_.metric.cwiseSqrt().asDiagonal() * left_.head(k)).norm();
  work_ += left_;
}

void ShiftedInverse::apply(const double* f, double* y) const {
  const Eigen::Index k = linear_.metric.size();
  work_.head(k) = Eigen::Map<const VectorX>(f, k);
  work_.tail(work_.size() - k).setZero();
  rhs_ = work_;
  solver_.solve(work_);
  double size = 0;
  double change = 0;
  double last = HUGE_VAL;
  for (int round = 0; round < 8; ++round) {
    refine(size, change);
    if (!(change > 1e-15 * size && change < 0.5 * last)) break;
    last = change;
  }
  Eigen::Map<VectorX>(y, k) = work_.head(k);
}

bool ShiftedInverse::accurate() {
  std::mt19937 random(1);
  std::normal_distribution<double> number;
  const auto k = static_cast<int>(linear_.metric.size());
  VectorX x(k);
  VectorX f(k);
  for (double& value : x) value = number(random);
  assembly::multiply(linear_.m, x.data(), f.data(), k);
  work_.setZero();
  work_.head(k) = f;
  rhs_ = work_;
  solver_.solve(work_);
  double size = 0;
  double first = 0;
  double second = 0;
  refine(size, first);
  if (!work_.allFinite() || !(first < size)) return false;
  refine(size, second);
  return second <= std::max(0.1 * first, 1e-12 * size);
}

bool small_enough_for_dense(const Linearized& linear, bool complex) {
  return linear.metric.size() <= 700 && linear.degrees() <= (complex ? 150 : 250);
}

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
  Eigen::ColPivHouseholderQR<MatrixX> qr(Bt);
  qr.setThreshold(1e-9);
  const Eigen::Index rank = qr.rank();
  MatrixX E = MatrixX::Zero(k, k - rank);
  E.bottomRows(k - rank).setIdentity();
  return qr.householderQ() * E;
}

namespace {

constexpr double epsilon = 2.2e-16;

MatrixX product(const SparseMatrix& X, const MatrixX& Y) {
  MatrixX result(Y.rows(), Y.cols());
  for (Eigen::Index j = 0; j < Y.cols(); ++j)
    assembly::multiply(X, Y.col(j).data(), result.col(j).data(), static_cast<int>(Y.rows()));
  return result;
}

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

// Sorted, cut to `count`, with what is needed to tell free motions.
void finish(const Linearized& linear, int count, double centre, const VectorX& squares, const MatrixX& shapes, bool all,
            RealModes& modes) {
  modes.all = all;
  std::vector<Eigen::Index> order(static_cast<std::size_t>(squares.size()));
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<Eigen::Index>(i);
  std::stable_sort(order.begin(), order.end(), [&](Eigen::Index a, Eigen::Index b) {
    return std::abs(squares[a] - centre) < std::abs(squares[b] - centre);
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
      all ? VectorX(10 * epsilon * largest_squares(linear, modes.shapes)) : measured_noise(linear, modes.shapes);
}

// Within the motions that the constraints allow (y = Z z), with M = W W^T and a shifted stiffness K: the eigenvalues
// theta of W^T K^-1 W are 1 / (omega^2 + shift), its eigenvectors s give z = K^-1 W s / theta.
bool dense(const Linearized& linear, const MatrixX& Z, double shift, VectorX& squares, MatrixX& shapes) {
  const MatrixX K = Z.transpose() * product(linear.k, Z);
  const MatrixX M = Z.transpose() * product(linear.m, Z);
  const Eigen::LDLT<MatrixX> mass(0.5 * (M + M.transpose()));
  MatrixX W = mass.matrixL();
  W = mass.transpositionsP().transpose() * W;
  W *= mass.vectorD().cwiseMax(0).cwiseSqrt().asDiagonal();
  const MatrixX shifted = 0.5 * (K + K.transpose()) + shift * M;
  const Eigen::PartialPivLU<MatrixX> lu(shifted);
  MatrixX X = lu.solve(W);
  if (!X.allFinite() || (shifted * X - W).norm() > 1e-6 * W.norm()) return false;
  MatrixX S = W.transpose() * X;
  S = 0.5 * (S + MatrixX(S.transpose()));
  const Eigen::SelfAdjointEigenSolver<MatrixX> eigen(S);
  const VectorX theta = eigen.eigenvalues();
  const double least = 1e-14 * theta.cwiseAbs().maxCoeff();  // below: no inertia
  std::vector<Eigen::Index> kept;
  for (Eigen::Index i = 0; i < theta.size(); ++i)
    if (std::abs(theta[i]) > least) kept.push_back(i);
  squares.resize(static_cast<Eigen::Index>(kept.size()));
  MatrixX reduced(Z.cols(), squares.size());
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const auto to = static_cast<Eigen::Index>(i);
    squares[to] = 1 / theta[kept[i]] - shift;
    reduced.col(to) = X * eigen.eigenvectors().col(kept[i]) / theta[kept[i]];
  }
  shapes = Z * reduced;
  return true;
}

// The two operators as Spectra wants them; motions already found are taken out.
struct Inverse {
  using Scalar = double;
  const ShiftedInverse& inverse;
  Eigen::Index size;
  const MatrixX* found;
  const MatrixX* mass_times_found;
  Eigen::Index rows() const { return size; }
  Eigen::Index cols() const { return size; }
  void set_shift(double) {}
  void perform_op(const double* x, double* y) const {
    inverse.apply(x, y);
    Eigen::Map<VectorX> result(y, size);
    if (found->cols() > 0) result -= *found * (mass_times_found->transpose() * result);
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

// One start vector sees one motion of each frequency, so that the method runs again without what was found, until
// nothing comes that is nearer to the shift than the last of those wanted.
bool krylov(const Linearized& linear, int count, double shift, ShiftedInverse& inverse, VectorX& squares,
            MatrixX& shapes) {
  const Eigen::Index k = linear.metric.size();
  const int most = linear.degrees();
  MatrixX found(k, 0);
  MatrixX mass_times_found(k, 0);
  std::vector<double> values;
  std::mt19937 random(1);
  std::normal_distribution<double> number;
  for (int round = 0; round < 12; ++round) {
    const int missing = most - static_cast<int>(found.cols());
    if (missing < 3) break;
    const int wanted = std::min(round == 0 ? count : std::max(2, count / 4), missing - 2);
    const int space = std::min(missing - 1, std::max(2 * wanted + 10, 24));
    Inverse op{inverse, k, &found, &mass_times_found};
    Mass mass{linear.m, k};
    Spectra::SymGEigsShiftSolver<Inverse, Mass, Spectra::GEigsMode::ShiftInvert> solver(op, mass, wanted, space,
                                                                                        -shift);
    VectorX start(k);
    VectorX first(k);
    for (double& value : start) value = number(random);
    mass.perform_op(start.data(), first.data());
    op.perform_op(first.data(), start.data());
    // Of very large models round-off of the solutions is above the first tolerance.
    int converged = 0;
    for (const double tolerance : {1e-11, 1e-8}) {
      solver.init(start.data());
      converged = static_cast<int>(
          solver.compute(Spectra::SortRule::LargestMagn, 30, tolerance, Spectra::SortRule::SmallestAlge));
      if (converged >= wanted) break;
    }
    if (converged == 0) {
      if (round > 0) break;
      return false;
    }
    const VectorX values_now = solver.eigenvalues();
    const MatrixX shapes_now = solver.eigenvectors(converged);
    std::vector<double> distances;
    for (const double value : values) distances.push_back(std::abs(value + shift));
    std::sort(distances.begin(), distances.end());
    const bool enough = static_cast<int>(values.size()) >= count;
    const double reach = enough ? distances[static_cast<std::size_t>(count - 1)] : HUGE_VAL;
    bool nearer = false;
    for (Eigen::Index i = 0; i < values_now.size(); ++i) {
      nearer = nearer || std::abs(values_now[i] + shift) < (1 - 1e-9) * reach;
      values.push_back(values_now[i]);
      found.conservativeResize(Eigen::NoChange, found.cols() + 1);
      VectorX y = shapes_now.col(i);
      VectorX My(k);
      if (mass_times_found.cols() > 0)
        y -= found.leftCols(mass_times_found.cols()) * (mass_times_found.transpose() * y);
      mass.perform_op(y.data(), My.data());
      const double size = std::sqrt(y.dot(My));
      found.col(found.cols() - 1) = y / size;
      mass_times_found.conservativeResize(Eigen::NoChange, found.cols());
      mass_times_found.col(found.cols() - 1) = My / size;
    }
    if (!nearer) break;
  }
  squares = Eigen::Map<VectorX>(values.data(), static_cast<Eigen::Index>(values.size()));
  shapes = found;
  return true;
}

}  // namespace

RealModes real_modes(const Linearized& linear, int count, double centre) {
  RealModes modes;
  const bool is_dense = small_enough_for_dense(linear, false);
  count = std::min(count, is_dense ? linear.degrees() : linear.degrees() - 3);
  const MatrixX Z = is_dense ? null_space(linear) : MatrixX();
  std::optional<ShiftedInverse> inverse;
  if (!is_dense) inverse.emplace(linear);
  VectorX squares;
  MatrixX shapes;
  const auto solve = [&](double shift) {
    if (is_dense) return dense(linear, Z, shift, squares, shapes);
    return inverse->factorize(0, shift) && inverse->accurate() &&
           krylov(linear, count, shift, *inverse, squares, shapes);
  };
  if (solve(-centre)) {
    finish(linear, count, centre, squares, shapes, is_dense, modes);
    return modes;
  }
  if (centre > 0) {  // it is a frequency
    for (double shift = -centre * (1 - 1e-4); shift < -0.9 * centre; shift *= 1 - 1e-3)
      if (solve(shift)) {
        finish(linear, count, centre, squares, shapes, is_dense, modes);
        return modes;
      }
    modes.failed = true;
    return modes;
  }
  // K alone is singular: free motions, or a chain so long that its lowest frequencies are below round-off. The least
  // shift that the factors can stand comes first, then one of the size of the lowest frequency above zero, which
  // serves best.
  const double largest = largest_ratio(linear);
  double least = is_dense ? 1e-9 * largest : 0.01 * epsilon * largest;
  double shift = least;
  for (int round = 0; round < 24; ++round) {
    if (!solve(shift)) {
      if (modes.squares.size() > 0) break;
      least = shift *= 4;
      continue;
    }
    finish(linear, count, centre, squares, shapes, is_dense, modes);
    double lowest = 0;
    for (Eigen::Index i = modes.squares.size() - 1; i >= 0; --i)
      if (!modes.is_free(i) && modes.squares[i] > 0) lowest = modes.squares[i];
    if (lowest == 0) {  // free motions hide the others
      if (is_dense || modes.squares.size() >= count || shift > 1e-6 * largest) break;
      shift *= 1000;
      continue;
    }
    const double next = is_dense ? lowest : std::max(lowest, least);
    if (next > 0.1 * shift && next < 100 * shift) break;
    shift = next;
  }
  modes.failed = modes.squares.size() == 0;
  return modes;
}

}  // namespace polhode::analyses
