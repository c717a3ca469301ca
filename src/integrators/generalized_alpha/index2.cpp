// SPDX-License-Identifier: BSD-3-Clause
// The stabilized index-2 formulation: evaluation, linearization, solution.
#include "polhode/integrators/generalized_alpha/index2.hpp"

#include <algorithm>
#include <cmath>

namespace polhode::integrators {

// Vectors of all sizes that a step needs are made here; steps allocate nothing.
Index2Equations::Index2Equations(const assembly::System& system, const AlphaParameters& parameters)
    : StepEquations(system, parameters),
      pattern_(make_pattern()),
      all_(pattern_),
      solver_(all_),
      Bv_(system.rows()),
      phi_t_(system.rows()),
      gamma_(system.rows()),
      rhs_(pattern_.size),
      system_rhs_(system.size()),
      s_T_(system.nodes(), Mat3::Identity()),
      dp_(dx_),
      dy_(dx_) {
  set_copies();
}

// Blocks: the system's nodes; p of the nodes that constraints touch; lambda and eta of each group of rows. The pattern
// is made symmetric, as elimination by blocks wants it.
assembly::SparsePattern Index2Equations::make_pattern() {
  const int k = system_.free_unknowns();
  const auto& S = matrix_;
  assembly::SparsePattern made;
  std::vector<int> starts_p;
  std::vector<int> starts_lambda;
  std::vector<int> starts_eta;
  // by p: unknowns of its node
  std::vector<int> own_begin;
  std::vector<int> own_end;
  p_place_.assign(static_cast<std::size_t>(k), -1);
  int next = k;
  for (std::size_t b = 0; b + 1 < S.block_start.size(); ++b) {
    const int begin = S.block_start[b];
    const int end = S.block_start[b + 1];
    if (begin >= k) {
      starts_lambda.push_back(begin - k);
      continue;
    }
    made.block_start.push_back(begin);
    if (S.row[S.column_start[begin + 1] - 1] < k) continue;  // no constraint touches it
    starts_p.push_back(next);
    for (int j = begin; j < end; ++j) {
      p_place_[j] = next++;
      own_begin.push_back(begin);
      own_end.push_back(end);
    }
  }
  first_lambda_ = next;
  first_eta_ = next + system_.rows();
  made.size = first_eta_ + system_.rows();
  made.late = first_lambda_;
  made.block_start.insert(made.block_start.end(), starts_p.begin(), starts_p.end());
  for (const int start : starts_lambda) made.block_start.push_back(first_lambda_ + start);
  for (const int start : starts_lambda) made.block_start.push_back(first_eta_ + start);
  made.block_start.push_back(made.size);

  enum class Part { x, p, lambda, eta };
  const auto add_column = [&](Part part, int column) {  // from the column of S, rows ascending
    const auto rows = S.row.subspan(S.column_start[column], S.column_start[column + 1] - S.column_start[column]);
    for (const int i : rows)
      if (i < k) made.row.push_back(i);
    if (part == Part::p)
      for (int i = own_begin[p_place_[column] - k]; i < own_end[p_place_[column] - k]; ++i)
        made.row.push_back(p_place_[i]);
    else if (part != Part::lambda)
      for (const int i : rows)
        if (i < k && p_place_[i] >= 0) made.row.push_back(p_place_[i]);
    if (part == Part::x || part == Part::lambda)
      for (const int i : rows)
        if (i >= k) made.row.push_back(first_lambda_ + i - k);
    if (part != Part::lambda)
      for (const int i : rows)
        if (i >= k) made.row.push_back(first_eta_ + i - k);
    made.column_start.push_back(static_cast<int>(made.row.size()));
  };
  made.column_start.assign(1, 0);
  for (int j = 0; j < k; ++j) add_column(Part::x, j);
  for (int j = 0; j < k; ++j)
    if (p_place_[j] >= 0) add_column(Part::p, j);
  for (int j = k; j < S.size; ++j) add_column(Part::lambda, j);
  for (int j = k; j < S.size; ++j) add_column(Part::eta, j);
  return made;
}

// Rows of a column are ascending.
int Index2Equations::entry(int row, int column) const {
  const auto begin = pattern_.row.begin() + pattern_.column_start[column];
  const auto end = pattern_.row.begin() + pattern_.column_start[column + 1];
  return static_cast<int>(std::lower_bound(begin, end, row) - pattern_.row.begin());
}

// Entry by entry of the system's matrix, where it goes in the large one: first_ holds A,
// B T and B^T of the first linearization, second_ A_0 and B, velocity_ the difference of rows four and
// three, normal_ -B_n^T. Places are searched once, and each iteration copies by lists.
void Index2Equations::set_copies() {
  const int k = system_.free_unknowns();
  for (int j = 0; j < matrix_.size; ++j)
    for (int p = matrix_.column_start[j]; p < matrix_.column_start[j + 1]; ++p) {
      const int i = matrix_.row[p];
      const int from = matrix_.place_of(p);
      const int lambda_i = first_lambda_ + i - k;
      const int eta_i = first_eta_ + i - k;
      const int lambda_j = first_lambda_ + j - k;
      const int eta_j = first_eta_ + j - k;
      if (j < k && i < k) {
        first_.push_back({from, entry(i, j)});
        if (p_place_[j] >= 0) second_.push_back({from, entry(i, p_place_[j])});
      } else if (j < k) {
        first_.push_back({from, entry(lambda_i, j)});
        second_.push_back({from, entry(eta_i, p_place_[j])});
        velocity_.push_back({from, entry(lambda_i, j), entry(eta_i, j)});
      } else if (i < k) {
        first_.push_back({from, entry(i, lambda_j)});
        normal_.push_back({from, entry(p_place_[i], eta_j)});
      } else {  // of dropped constraint equations: identity
        first_.push_back({from, entry(lambda_i, lambda_j)});
        second_.push_back({from, entry(eta_i, eta_j)});
      }
    }
  // The identity of row two.
  for (const int place : p_place_)
    if (place >= 0) all_.values[entry(place, place)] = 1;
}

// B_n belongs to the begin of the step and stays for all of its iterates. s makes velocity rows as large as
// those of positions.
void Index2Equations::begin(const State& old, double h) {
  StepEquations::begin(old, h);
  s_ = 1 / p_.gamma_prime(h);
  system_.set_matrix(old, Factors{.b = 1}, 0, matrix_);
  for (const Copy& c : normal_) all_.values[c.to] = -matrix_.values[c.from];
}

// Bv_ becomes s (B v + Phi_t), the residual of row four.
void Index2Equations::evaluate(const State& next) {
  StepEquations::evaluate(next);
  system_.set_rates(next, Bv_, phi_t_, gamma_);
  Bv_ = s_ * (Bv_ + phi_t_);
}

double Index2Equations::constraint_norm() const { return std::hypot(residual_.phi.norm(), Bv_.norm()); }

// The matrix of the system serves three times: with K, without it, and for s Z T.
// Row four less row three is B + s Z T - B T in the column of dx, and B in that of dp.
bool Index2Equations::linearize(const State& next, Scheme& scheme) {
  const Factors factors = scheme.factors();
  const auto copy = [&](const std::vector<Copy>& list) {
    for (const Copy& c : list) all_.values[c.to] = matrix_.values[c.from];
  };
  system_.set_matrix(next, factors, scale_, matrix_);
  copy(first_);
  system_.set_matrix(next, Factors{.m = factors.m, .c = factors.c, .b = 1}, scale_, matrix_);
  copy(second_);
  for (std::size_t i = 0; i < s_T_.size(); ++i) s_T_[i] = s_ * factors.rot_b[i];
  system_.add_velocity_tangents_to(next, Factors{.b = s_, .rot_b = s_T_}, matrix_);
  for (const Difference& d : velocity_) all_.values[d.to] = matrix_.values[d.from] - all_.values[d.less];
  return solver_.factorize();
}

// dp = B_n^T h deta of this step: a kept factorization has the B_n of another one.
void Index2Equations::set_p_of_eta() {
  const int k = system_.free_unknowns();
  rhs_.segment(k, first_lambda_ - k).setZero();
  for (int eta = first_eta_; eta < pattern_.size; ++eta)
    for (int e = pattern_.column_start[eta]; e < pattern_.column_start[eta + 1]; ++e)
      if (const int p = pattern_.row[e]; p >= k && p < first_lambda_) rhs_[p] -= all_.values[e] * rhs_[eta];
}

// Right-hand sides of the header, row three subtracted from row four. x follows dx,
// v and vdot follow dy = dx + dp. Multipliers were scaled by beta h^2 in the system.
bool Index2Equations::advance(const State& old, State& next, Scheme& scheme) {
  const int k = system_.free_unknowns();
  const int m = system_.rows();
  system_.gather(residual_, dropped_, -scale_, system_rhs_);
  rhs_.setZero();
  rhs_.head(k) = system_rhs_.head(k);
  rhs_.segment(first_lambda_, m) = -system_rhs_.tail(m);
  system_rhs_.tail(m) = Bv_ - residual_.phi;
  system_.clear_dropped(dropped_, system_rhs_);
  rhs_.tail(m) = -system_rhs_.tail(m);
  solver_.solve(rhs_);
  if (!rhs_.allFinite()) return false;
  system_.scatter(rhs_, dx_);
  set_p_of_eta();
  for (int j = 0; j < k; ++j) system_rhs_[j] = p_place_[j] >= 0 ? rhs_[p_place_[j]] : 0;
  system_.scatter(system_rhs_, dp_);
  for (std::size_t i = 0; i < dy_.size(); ++i) dy_[i] = dx_[i] + dp_[i];
  scheme.update(old, next, dx_, dy_);
  next.lambda += rhs_.segment(first_lambda_, m) / scale_;
  return true;
}

// The last factorization with other right-hand sides: forces, rows of positions, rows of velocities.
bool Index2Equations::solve_again(const assembly::Residual& force, const model::VectorX& velocity,
                                  std::vector<Vec6>& x) {
  const int k = system_.free_unknowns();
  const int m = system_.rows();
  system_.gather(force, dropped_, 1, system_rhs_);
  rhs_.setZero();
  rhs_.head(k) = system_rhs_.head(k);
  rhs_.segment(first_lambda_, m) = system_rhs_.tail(m);
  system_rhs_.tail(m) = velocity - force.phi;
  system_.clear_dropped(dropped_, system_rhs_);
  rhs_.tail(m) = system_rhs_.tail(m);
  solver_.solve(rhs_);
  system_.scatter(rhs_, x);
  return rhs_.allFinite();
}

// Columns of p have no name; those of eta that of the row that they belong to.
std::string Index2Equations::singular_place() const {
  const int column = solver_.singular_column();
  const int k = system_.free_unknowns();
  if (column < 0 || (column >= k && column < first_lambda_)) return "";
  return system_.name_of(column < k ? column : k + (column - first_lambda_) % system_.rows());
}

}  // namespace polhode::integrators
