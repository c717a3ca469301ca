// SPDX-License-Identifier: BSD-3-Clause
// What coordinates are independent of: weights by nodes, or a partition of the unknowns.
#include "polhode/integrators/rosenbrock/lift.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "integrators/mass_scale.hpp"
#include "polhode/math/dense.hpp"
#include "polhode/math/sparse_pivots.hpp"

namespace polhode::integrators {

using assembly::SparseMatrix;
using math::Mat6;

Lift::Lift(const assembly::System& system, const JacobianPlaces& places, Coordinates coordinates)
    : system_(system),
      places_(places),
      coordinates_(coordinates),
      stiffness_(system.make_matrix()),
      mass_(stiffness_),
      scale_(mass_scale(system, mass_)),
      S_(system.nodes(), math::Mat6::Zero()),
      values_(static_cast<std::size_t>(places.entries), 0),
      is_constrained_(system.nodes(), 0) {
  for (const JacobianPlaces::NodeColumn& at : places.columns) is_constrained_[static_cast<std::size_t>(at.node)] = 1;
}

void Lift::update(const model::State& q, double h) {
  kept_.assign(static_cast<std::size_t>(places_.equations), 1);
  for (const int row : q.dropped.rows) kept_[row] = 0;
  dropped_ = q.dropped.count();
  if (revision_ != q.dropped.revision) independent_.clear();
  revision_ = q.dropped.revision;
  system_.set_matrix(q, {.m = 1, .b = 1}, 1, mass_);
  is_of_mass_ = false;
  if (!has_partition())
    weigh(q, h, h > 0);
  else if (independent_.empty())
    choose_partition();
  set_values();
}

int Lift::counted() const {
  if (!has_partition()) return places_.unknowns;
  return static_cast<int>(std::count(independent_.begin(), independent_.end(), 1));
}

bool Lift::partition_holds(double now) {
  if (amplification_ == 0) {
    amplification_ = std::max(now, 1.0);
    return true;
  }
  if (now < 4 * amplification_) return true;
  independent_.clear();
  return false;
}

void Lift::set_weights(const model::State& q, double h) {
  system_.set_matrix(q, {.m = 1}, 1, mass_);
  weigh(q, h, false);
}

namespace {

// M^-1; nothing where M has no inverse, or the stiffness, which includes damping, is not soft against it.
std::optional<Mat6> inverse_where_soft(const Mat6& M, const Mat6& stiffness) {
  constexpr double soft = 1;
  constexpr double exact = 1e-11;
  const Mat6 S = math::definite_inverse(M);
  if (!((M * S - Mat6::Identity()).cwiseAbs().maxCoeff() < exact)) return {};
  const Mat6 Q = S * stiffness;
  if (!(Q.cwiseProduct(Q.transpose()).sum() < soft)) return {};
  return S;
}

}  // namespace

Mat6 Lift::block_of(const SparseMatrix& X, std::size_t node, double rest) const {
  const int count = system_.unknowns()[node].count;
  Mat6 block = rest * Mat6::Identity();
  for (int r = 0; r < count; ++r)
    for (int c = 0; c < count; ++c) block(r, c) = X.values[places_.nodes[node][r + 6 * c]];
  return 0.5 * (block + block.transpose());
}

// Nodes without mass get a billionth of the typical one, so that they have an inverse, and are light beside all others.
void Lift::weigh(const model::State& q, double h, bool passes_over_soft) {
  is_of_mass_ = true;
  const bool stiff = coordinates_ == Coordinates::weighted && h > 0;
  if (stiff) system_.set_matrix(q, {.c = h, .k = h * h}, 1, stiffness_);
  const double length = system_.length();
  double mass = 0;  // typical one of a node, for those without
  for (std::size_t i = 1; i < places_.nodes.size(); ++i)
    if (const model::NodeUnknowns& u = system_.unknowns()[i]; u.count > 0) {
      const bool moves = u.local[0] == 0 || u.local[1] == 0 || u.local[2] == 0;
      mass = std::max(mass, mass_.values[places_.nodes[i][0]] / (moves ? 1 : length * length));
    }
  for (std::size_t i = 1; i < places_.nodes.size(); ++i) {
    const model::NodeUnknowns& u = system_.unknowns()[i];
    if (u.count == 0) continue;
    Mat6 M = block_of(mass_, i, 1);
    const Mat6 stiffness = stiff ? block_of(stiffness_, i, 0) : Mat6(Mat6::Zero());
    std::optional<Mat6> S;
    if (passes_over_soft) S = inverse_where_soft(M, stiffness);
    if (!S) {
      is_of_mass_ = is_of_mass_ && !is_constrained_[i];
      for (int k = 0; k < 6; ++k)
        if (u.local[k] >= 0) M(u.local[k], u.local[k]) += 1e-9 * mass * (k < 3 ? 1 : length * length);
      S = stiff ? math::inverse_of_sum(M, stiffness) : math::definite_inverse(M);
    }
    S_[i].topLeftCorner(u.count, u.count) = scale_ * S->topLeftCorner(u.count, u.count);
  }
}

// Rotations count little among the columns that are to be dependent: a tenth, by the length of the model, and so do the
// rows that are in rad. Of few unknowns by dense algebra, which looks at all columns for the largest pivot; of many
// along the rows, which costs what the joints are many.
void Lift::choose_partition() {
  constexpr int few = 60;
  ++partitions_;
  amplification_ = 0;
  const double length = system_.length();
  std::vector<math::SparseRow> rows(static_cast<std::size_t>(places_.equations));
  for (const JacobianPlaces::NodeColumn& at : places_.columns) {
    const model::NodeUnknowns& u = system_.unknowns()[at.node];
    for (int k = 0; k < 6; ++k) {
      if (u.local[k] < 0) continue;
      if (!kept_[at.row]) continue;
      const double row_size = system_.row_is_length(at.row) ? 1 : length;
      const double value = mass_.values[at.place + u.local[k]] * row_size * (k < 3 ? 1 : 0.1 / length);
      if (value != 0) rows[at.row].push_back({u.first + u.local[k], value});
    }
  }
  independent_.assign(static_cast<std::size_t>(places_.unknowns), 1);
  const int rank = places_.equations - dropped_;
  if (rank > 0 && places_.unknowns > few) {
    for (const int column : math::sparse_pivots(std::move(rows), places_.unknowns)) independent_[column] = 0;
  } else if (rank > 0) {
    Eigen::MatrixXd B = Eigen::MatrixXd::Zero(places_.equations, places_.unknowns);
    for (int row = 0; row < places_.equations; ++row)
      for (const auto& [column, value] : rows[row]) B(row, column) = value;
    const std::vector<int> order = math::pivot_order(B);
    for (int i = 0; i < rank; ++i) independent_[static_cast<std::size_t>(order[static_cast<std::size_t>(i)])] = 0;
  }
  for (std::size_t i = 1; i < places_.nodes.size(); ++i) {
    const model::NodeUnknowns& u = system_.unknowns()[i];
    S_[i].setZero();
    for (int k = 0; k < u.count; ++k) S_[i](k, k) = independent_[static_cast<std::size_t>(u.first + k)] ? 0 : 1;
  }
}

// A column of V after the other; sums by hand, in one order: Eigen's goes by where vectors begin in memory.
void Lift::set_values() {
  for (const JacobianPlaces::NodeColumn& at : places_.columns) {
    const Mat6& S = S_[static_cast<std::size_t>(at.node)];
    const double* const B = mass_.values.data() + at.place;
    for (int r = 0; r < at.count; ++r) {
      double sum = 0;
      for (int c = 0; c < at.count; ++c) sum += S(r, c) * B[c];
      values_[at.entry + r] = kept_[at.row] ? sum : 0;
    }
  }
}

}  // namespace polhode::integrators
