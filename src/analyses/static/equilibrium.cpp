// SPDX-License-Identifier: BSD-3-Clause
// Residual, tangent and Newton's method of equilibrium.
#include "equilibrium.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "analyses/metric.hpp"
#include "polhode/analyses/initial/start.hpp"
#include "polhode/assembly/sparse_algebra.hpp"

namespace polhode::analyses {

using assembly::System;
using model::Vec6;

Equilibrium::Equilibrium(const System& system, const StaticSettings& settings, bool loaded, const State& start)
    : system_(system),
      settings_(settings),
      loaded_(loaded),
      matrix_(system.make_matrix()),
      solver_(matrix_),
      residual_(system.make_residual()),
      other_(system.make_residual()),
      start_(system.make_residual()),
      weight_(system.free_unknowns()),
      metric_(VectorX::Zero(system.size())),
      nodal_(system.nodes()) {
  if (settings.rotation) rotating_.emplace(system);
  const VectorX metric = metric_of(system);
  metric_.head(metric.size()) = metric;
  weight_ = metric.cwiseSqrt() / system.length();
  State q = start;
  set_parameter(q, 0);
  system_.set_residual(q, start_);
  system_.set_matrix(q, {.k = 1, .b = 1}, 1, matrix_);
  const double stiffest = stiffest_of(matrix_, metric);
  scale_ = stiffest > 0 ? 1 / stiffest : 1;
}

void Equilibrium::set_parameter(State& q, double s) const {
  q.load_factor = load_factor(s);
  if (settings_.rotation) set_steady_rotation(*settings_.rotation, share(s), q);
}

bool Equilibrium::evaluate(State& q, double s) {
  s_ = s;
  set_parameter(q, s);
  system_.set_residual(q, residual_);
  for (std::size_t i = 0; i < residual_.force.size(); ++i) residual_.force[i] -= (1 - s) * start_.force[i];
  residual_.phi -= (1 - s) * start_.phi;
  return std::isfinite(system_.force_norm(residual_)) && residual_.phi.allFinite();
}

bool Equilibrium::linearize(const State& q) {
  x_ = q.x;
  if (rotating_)
    rotating_->set_matrix(*settings_.rotation, share(s_), q, scale_, matrix_);
  else
    system_.set_matrix(q, {.k = 1, .b = 1}, scale_, matrix_);
  if (shift_ > 0)
    for_each_diagonal(matrix_, system_.free_unknowns(), [&](int i, double& value) { value += shift_ * metric_[i]; });
  return solver_.factorize();
}

// [-scale r; -Phi]
void Equilibrium::gather(const assembly::Residual& r, VectorX& d) const {
  system_.gather(r, -scale_, d);
  d.tail(system_.rows()) *= -1;
}

void Equilibrium::set_correction(VectorX& d) {
  d.resize(system_.size());
  gather(residual_, d);
  solver_.solve(d);
}

void Equilibrium::set_tangent(State q, double s, VectorX& d) {
  constexpr double ds = 1e-5;  // the residual is linear in s; drives of many turns must not come round
  set_parameter(q, s + ds);
  system_.set_residual(q, other_);
  set_parameter(q, s);
  assembly::Residual here = system_.make_residual();
  system_.set_residual(q, here);
  angle_rate_ = 0;
  for (std::size_t i = 0; i < here.force.size(); ++i)
    other_.force[i] = (other_.force[i] - here.force[i]) / ds + start_.force[i];
  other_.phi = (other_.phi - here.phi) / ds + start_.phi;
  for (int row = 0; row < system_.rows(); ++row)
    if (!system_.row_is_length(row)) angle_rate_ = std::max(angle_rate_, std::abs(other_.phi[row]));
  d.resize(system_.size());
  gather(other_, d);
  load_ = d;
  solver_.solve(d);
}

double Equilibrium::round_off() {
  const auto k = static_cast<std::size_t>(system_.free_unknowns());
  std::vector<std::size_t> node_of(k);
  std::vector<bool> is_turn(k);
  for (std::size_t i = 1; i < system_.nodes(); ++i)
    for (std::size_t j = 0; j < 6; ++j)
      if (const model::NodeUnknowns& at = system_.unknowns()[i]; at.local[j] >= 0) {
        const auto unknown = static_cast<std::size_t>(at.first + at.local[j]);
        node_of[unknown] = i;
        is_turn[unknown] = j > 2;
      }
  VectorX errors = VectorX::Zero(system_.size());  // squares, then forces, then displacements
  for (std::size_t column = 0; column < k; ++column)
    for (int p = matrix_.column_start[column]; p < matrix_.column_start[column + 1]; ++p) {
      const auto row = static_cast<std::size_t>(matrix_.row[p]);
      if (row >= k) break;
      const double length = is_turn[column] ? 1 : (x_[node_of[column]] - x_[node_of[row]]).norm();
      errors[matrix_.row[p]] += std::pow(2.2e-16 * matrix_.at(p) * length, 2);
    }
  std::mt19937 random(1);
  for (double& f : errors) f = (random() % 2 == 0 ? 1 : -1) * std::sqrt(f);
  solver_.solve(errors);
  return largest(errors);
}

void Equilibrium::apply(State& q, const VectorX& d, double factor) const {
  system_.scatter(d, nodal_);
  for (Vec6& dx : nodal_) dx *= factor;
  move(q, nodal_);
  q.lambda += factor / scale_ * d.tail(system_.rows());
}

double Equilibrium::largest(const VectorX& d) const {
  return system_.free_unknowns() > 0 ? weight_.cwiseProduct(d.head(weight_.size())).lpNorm<Eigen::Infinity>() : 0;
}

double Equilibrium::product(const VectorX& a, const VectorX& b) const {
  const auto k = weight_.size();
  return weight_.cwiseProduct(a.head(k)).dot(weight_.cwiseProduct(b.head(k))) /
         std::max<double>(1, static_cast<double>(k));
}

double Equilibrium::largest_turn(const VectorX& d) const {
  system_.scatter(d, nodal_);
  double largest = 0;
  for (const Vec6& dx : nodal_) largest = std::max(largest, dx.tail<3>().norm());
  return largest;
}

double Equilibrium::distance(const State& a, const State& b) const { return norm(way(a, b)); }

double Equilibrium::reach(const State& a, const State& b) const { return largest(way(a, b)); }

VectorX Equilibrium::way(const State& a, const State& b) const {
  set_way(a, b, nodal_);
  VectorX d(system_.size());
  system_.gather({nodal_, VectorX::Zero(system_.rows())}, 1, d);
  return d;
}

double Equilibrium::along(const VectorX& tangent, const State& a, const State& b) const {
  double sum = 0;
  for (std::size_t i = 1; i < a.x.size(); ++i) {
    const model::NodeUnknowns& at = system_.unknowns()[i];
    for (int k = 0; k < 3; ++k)
      if (const int local = at.local[static_cast<std::size_t>(k)]; local >= 0)
        sum += tangent[at.first + local] * (b.x[i][k] - a.x[i][k]);
  }
  return sum;
}

const char* text_of(Correction::End end) {
  switch (end) {
    case Correction::End::converged:
      return "converged";
    case Correction::End::singular:
      return "met a singular tangent stiffness";
    case Correction::End::not_converged:
      return "did not converge";
    case Correction::End::diverged:
      return "diverged";
    case Correction::End::mirrored:
      return "went to the mirror image of a joint";
    case Correction::End::turned:
      return "turned joints too far at once";
  }
  return "";
}

namespace {

// Takes back what a step over a curved path has done to stiff directions (a turned beam is stretched by the square of
// the turn): corrections with a stiffness added everywhere that falls with the residual, so that what is soft stays
// where it is, until forces are as small as `aim` again or fall no more.
bool retract(Equilibrium& equations, State& q, double s, double aim, double size, int& solves) {
  const System& system = equations.system();
  State next = q;
  VectorX d;
  double force = system.force_norm(equations.residual());
  const double shift = equations.shift();
  const double most = force;
  bool good = true;
  for (int round = 0; round < 12 && force > aim && good; ++round) {
    equations.set_shift(equations.scale() * std::sqrt(force * most) / (size * system.length()));
    good = equations.linearize(q);
    if (!good) break;
    ++solves;
    equations.set_correction(d);
    next = q;
    equations.apply(next, d, 1);
    good = d.allFinite() && equations.evaluate(next, s);
    if (!good) break;
    const double left = system.force_norm(equations.residual());
    if (left > force) {
      good = equations.evaluate(q, s);
      break;
    }
    std::swap(q, next);
    const bool hardly = left > 0.7 * force;
    force = left;
    if (hardly) break;
  }
  equations.set_shift(shift);
  return good;
}

}  // namespace

Correction solve_at(Equilibrium& equations, const State& from, double s, State& q, bool curved) {
  constexpr double least_part = 1.0 / 32;
  const System& system = equations.system();
  const double tolerance = equations.settings().tolerance;
  Correction result;
  q = from;
  State next = q;
  VectorX d;
  VectorX after;
  double before = 0;
  double turned = 0;
  double first = 0;
  int quiet = 0;
  const auto fail = [&](Correction::End end) {
    result.end = end;
    return result;
  };
  if (!equations.evaluate(q, s)) return fail(Correction::End::diverged);
  for (;;) {
    if (result.iterations == equations.settings().max_iterations) return fail(Correction::End::not_converged);
    if (!equations.linearize(q)) return fail(Correction::End::singular);
    ++result.iterations;
    equations.set_correction(d);
    if (!d.allFinite()) return fail(Correction::End::singular);
    const double size = equations.largest(d);
    if (size > 1e6) return fail(Correction::End::diverged);
    const bool stagnates = result.iterations > 2 && size > 0.3 * before;
    quiet = result.iterations > 2 && size < 1e-4 && size < 3 * equations.round_off() ? quiet + 1 : 0;
    const bool round_off = (stagnates && size < 1e-7) || quiet == 4;
    if (quiet == 4) result.uncertain = size;
    before = size;
    if (size < tolerance || round_off) {
      equations.apply(q, d, 1);
      if (!equations.evaluate(q, s)) return fail(Correction::End::diverged);
      break;
    }
    if (curved) {
      const double force = system.force_norm(equations.residual());
      if (first == 0) first = force;
      if (q.history.size() > 0) turned += equations.largest_turn(d);
      equations.apply(q, d, 1);
      if (!equations.evaluate(q, s) ||
          !retract(equations, q, s, 1e-3 * std::min(force, first), size, result.retractions))
        return fail(Correction::End::diverged);
      continue;
    }
    const double norm = equations.norm(d);
    double part = 1;
    for (;; part /= 2) {
      if (part < least_part) return fail(Correction::End::not_converged);
      next = q;
      equations.apply(next, d, part);
      if (!equations.evaluate(next, s)) continue;
      if (result.iterations <= 3 && part == 1) break;
      equations.set_correction(after);
      if (equations.norm(after) <= (1 - part / 4) * norm) break;
    }
    if (q.history.size() > 0) turned += part * equations.largest_turn(d);
    std::swap(q, next);
  }
  if (turned > 2) return fail(Correction::End::turned);  // angles of joints are counted by the nearest turn
  if (system.mirrored_entry(q) >= 0) return fail(Correction::End::mirrored);
  system.update_history(q);
  return result;
}

}  // namespace polhode::analyses
