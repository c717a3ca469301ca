// SPDX-License-Identifier: BSD-3-Clause
// The linear model: state space from the matrices of small motions.
#include <fmt/format.h>

#include <cmath>

#include "analyses/modal/eigen.hpp"
#include "linear_parts.hpp"
#include "polhode/analyses/initial/start.hpp"
#include "polhode/analyses/motion/rotating.hpp"
#include "polhode/analyses/redundancy.hpp"
#include "polhode/assembly/sparse_algebra.hpp"
#include "polhode/math/dense.hpp"

namespace polhode::analyses {

using assembly::System;
using math::Mat3;
using math::Vec3;
using model::State;
using model::Vec6;

namespace {

// Dense work grows with the third power: at these a minute or so.
constexpr int most_unknowns = 6000;
constexpr int most_states = 2000;

// The basis of what can move; empty where it is too large, nothing where the search was stopped.
// All motions that B allows, or lowest modes. Without a basis there is still a model of matrices,
// and a note says so.
std::optional<MatrixX> basis(const LinearizeSettings& settings, const Linearized& linear, std::string& note,
                             const math::StopRequest& stop) {
  if (!settings.modes) {
    if (linear.metric.size() <= most_unknowns && 2 * linear.degrees() <= most_states) return null_space(linear);
    note = "the state space of " + std::to_string(linear.degrees()) +
           " degrees of freedom is not computed, M, C, K and B are; `modes` gives one of the lowest modes";
    return MatrixX();
  }
  const RealModes modes = real_modes(linear, *settings.modes, 0, stop);
  if (modes.interrupted) return std::nullopt;
  if (modes.failed) note = "the modes did not converge: the state space is not computed; ask for fewer `modes`";
  return modes.failed ? MatrixX() : modes.shapes;
}

// B^T, dense: unknowns by constraint equations.
MatrixX transposed_rows(const Linearized& linear) {
  const Eigen::Index k = linear.metric.size();
  MatrixX Bt = MatrixX::Zero(k, linear.k.size - k);
  for (int column = static_cast<int>(k); column < linear.k.size; ++column)
    for (int p = linear.k.column_start[column]; p < linear.k.column_start[column + 1]; ++p)
      if (linear.k.row[p] < k) Bt(linear.k.row[p], column - k) = linear.k.at(p);
  return Bt;
}

// Motions of the model from those of the states and inputs.
// What a unit of each state or input does to positions, velocities, accelerations and multipliers:
// multipliers by a least-squares solution of B^T dlambda = f - M y'' - C y' - K y,
// in the range of B^T but for round-off.
class Directions {
 public:
  Directions(const LinearModel& made, const LinearizeSettings& settings, bool with_multipliers)
      : made_(made),
        linear_(made.linear),
        rotation_(settings.rotation),
        all_(VectorX::Zero(linear_.k.size)),
        with_dynamics_(with_multipliers && made.signals.reads_dynamics) {
    const Eigen::Index k = linear_.metric.size();
    if (!with_multipliers) return;
    if (linear_.k.size > k) to_multipliers_ = math::pseudo_inverse(transposed_rows(linear_));
  }
  // Of state `column`, or of input `column` - the number of states.
  Direction make(Eigen::Index column) {
    const Eigen::Index n = made_.z.cols();
    const Eigen::Index signal = column - 2 * n;
    const Eigen::Index input = column - made_.a.cols();
    // The second part of a column of A or B is z''.
    const VectorX acceleration = input < 0 ? made_.a.col(column).segment(n, n) : made_.b.col(input).segment(n, n);
    const auto [y, y1] = displacement_and_velocity(column);
    VectorX y2 = made_.z * acceleration;
    if (made_.driven.size() > 0)
      y2 += made_.driven_rates * (input < 0 ? made_.a.col(column) : made_.b.col(input)).tail(made_.driven.cols());
    Direction along;
    along.dx = nodal(y);
    along.dv = nodal(y1);
    along.dvdot = nodal(y2);
    along.dlambda.setZero(linear_.k.size - linear_.metric.size());
    if (rotation_) turn(along);
    along.dsignals.setZero(made_.signals.rates.size());
    if (signal >= 0 && input < 0) along.dsignals[signal] = 1;
    if (input >= 0) along.added = made_.inputs[static_cast<std::size_t>(input)].value;
    if (input >= 0 && along.added < 0) along.force = &made_.inputs[static_cast<std::size_t>(input)].force;
    if (along.dlambda.size() == 0) return along;
    VectorX left = -(times(linear_.m, y2) + times(linear_.c, y1) + times(linear_.k, y)) / linear_.scale;
    if (input >= 0) left += made_.f.col(input);
    if (signal >= 0 && input < 0) left += made_.f_of_signals.col(signal);
    along.dlambda = to_multipliers_ * left;
    return along;
  }
  // What sensors see along a column makes of s', for columns as of make(): where none reads accelerations and
  // multipliers, states and inputs do nothing at once.
  VectorX rates_along(Eigen::Index column) {
    const assembly::SignalLinearization& signals = made_.signals;
    VectorX rates = VectorX::Zero(signals.rates.size());
    const Eigen::Index moving = made_.driven.size() > 0 ? made_.a.cols() : 2 * made_.z.cols();
    if (!with_dynamics_ && column >= moving) return rates;
    const Direction along = with_dynamics_ ? make(column) : motion_of(column);
    signals.set_rates_along(along.dx, along.dv, rates);
    if (with_dynamics_) signals.add_rates_by_dynamics(along.dvdot, along.dlambda, rates);
    State moved;
    signals.add_rates_by_sums(linear_.q, linear_.system->length(), along.dx, along.dv, moved, rates);
    return rates;
  }

 private:
  // Of the unknowns: those of the columns [z; z'], and of states that drives follow, zero of others.
  std::pair<VectorX, VectorX> displacement_and_velocity(Eigen::Index column) const {
    const Eigen::Index n = made_.z.cols();
    const VectorX none = VectorX::Zero(made_.z.rows());
    const Eigen::Index state = column - 2 * n;
    if (state >= 0 && state < made_.driven.cols()) return {made_.driven.col(state), made_.driven_rates.col(state)};
    return {column < n ? VectorX(made_.z.col(column)) : none,
            column >= n && column < 2 * n ? VectorX(made_.z.col(column - n)) : none};
  }
  // The same of the nodes, without accelerations, as seen in the turning frame where there is one.
  Direction motion_of(Eigen::Index column) {
    const auto [y, y1] = displacement_and_velocity(column);
    Direction along;
    along.dx = nodal(y);
    along.dv = nodal(y1);
    along.dvdot.assign(along.dx.size(), Vec6::Zero());
    if (rotation_) turn(along);
    return along;
  }
  // From unknowns to six numbers a node; zero where components are fixed.
  std::vector<Vec6> nodal(const VectorX& y) {
    std::vector<Vec6> result(linear_.system->nodes(), Vec6::Zero());
    all_.head(y.size()) = y;
    linear_.system->scatter(all_, result);
    return result;
  }
  VectorX times(const assembly::SparseMatrix& X, const VectorX& y) const {
    VectorX result(y.size());
    assembly::multiply(X, y.data(), result.data(), static_cast<int>(y.size()));
    return result;
  }
  // Velocities and accelerations of a node at y in the turning frame (linearized.hpp).
  void turn(Direction& along) const {
    const Mat3 W = math::tilde(Vec3(rotation_->speed * rotation_->axis));
    for (std::size_t i = 0; i < along.dx.size(); ++i) {
      const Mat3 S = math::tilde(Vec3(linear_.q.v[i].tail<3>()));
      const Vec6 y = along.dx[i];
      const Vec6 y1 = along.dv[i];
      along.dv[i].head<3>() += W * y.head<3>();
      along.dv[i].tail<3>() += S * y.tail<3>();
      along.dvdot[i].head<3>() += 2 * W * y1.head<3>() + W * W * y.head<3>();
      along.dvdot[i].tail<3>() += S * y1.tail<3>();
    }
  }

  const LinearModel& made_;
  const Linearized& linear_;
  const std::optional<Rotation>& rotation_;
  VectorX all_;
  bool with_dynamics_;      // of sensors
  MatrixX to_multipliers_;  // least squares solution of B^T lambda = forces
};

// Forces on fixed components go to the supports and are dropped here.
// Nodal forces as the unknowns see them: in the order of the linear systems, without dropped equations.
VectorX on_unknowns(const Linearized& linear, const std::vector<Vec6>& forces) {
  assembly::Residual force = linear.system->make_residual();
  force.phi.setZero();
  force.force = forces;
  VectorX all(linear.system->size());
  linear.system->gather(force, linear.q.dropped, 1, all);
  return all.head(linear.metric.size());
}

bool set_inputs(const LinearizeSettings& settings, const std::string& path, LinearModel& made,
                model::Problems& problems) {
  const System& system = *made.linear.system;
  for (std::size_t i = 0; i < settings.inputs.size(); ++i) {
    std::string problem;
    for (LinearInput& input : inputs_of(system, settings.inputs[i], &made.linear.q, problem))
      made.inputs.push_back(std::move(input));
    if (!problem.empty()) problems.push_back({path + ".inputs." + std::to_string(i), problem});
  }
  made.f.resize(system.free_unknowns(), static_cast<Eigen::Index>(made.inputs.size()));
  for (std::size_t i = 0; i < made.inputs.size(); ++i)
    made.f.col(static_cast<Eigen::Index>(i)) = on_unknowns(made.linear, made.inputs[i].force);
  return problems.empty();
}

// A state whose rate is more than what round-off of its terms makes is not one to linearize about.
bool set_signals(const std::string& path, LinearModel& made, model::Problems& problems) {
  const System& system = *made.linear.system;
  made.f_of_signals.resize(system.free_unknowns(), system.signals().states());
  if (system.signals().empty()) return true;
  made.signals = system.signals().linearize(made.linear.q);
  for (Eigen::Index k = 0; k < made.f_of_signals.cols(); ++k)
    made.f_of_signals.col(k) =
        on_unknowns(made.linear, made.signals.forces(made.signals.values_by_state.col(k), system.nodes()));
  const VectorX sizes = made.signals.sizes(made.linear.q.signals.z, system.length());
  for (Eigen::Index k = 0; k < sizes.size(); ++k) {
    if (std::abs(made.signals.rates[k]) <= 1e-6 * sizes[k] || !system.signals().acts(static_cast<int>(k))) continue;
    const int entry = system.signals().entry_of_state(static_cast<int>(k));
    problems.push_back(
        {path, fmt::format("the state is no equilibrium: {} is not at rest, its state changes by {:.3g} a "
                           "unit of time; put an analysis of type static before",
                           system.model().entries[static_cast<std::size_t>(entry)].path(), made.signals.rates[k])});
    return false;
  }
  return true;
}

// M_z^-1 X; false where M_z is singular to working precision.
// Scaled to a unit diagonal, so that a threshold against singular matrices has no unit.
bool solve_mass(const MatrixX& mass, MatrixX& X) {
  const VectorX diagonal = mass.diagonal();
  if (diagonal.size() == 0) return true;
  if (!(diagonal.minCoeff() > 0)) return false;
  const VectorX root = diagonal.cwiseSqrt().cwiseInverse();
  MatrixX scaled = root.asDiagonal() * X;
  if (!math::solve_definite(root.asDiagonal() * mass * root.asDiagonal(), 1e-13, scaled)) return false;
  X = root.asDiagonal() * scaled;
  return true;
}

// The rows of s'. Without dynamics: less what sensors of accelerations and multipliers read.
void set_rates_of_signals(LinearModel& made, const LinearizeSettings& settings, bool with_dynamics) {
  const Eigen::Index p = made.f_of_signals.cols();
  Directions directions(made, settings, with_dynamics);
  for (Eigen::Index j = 0; j < made.a.cols(); ++j) made.a.col(j).tail(p) = directions.rates_along(j);
  made.a.bottomRightCorner(p, p) += made.signals.rates_by_state;
  for (std::size_t i = 0; i < made.inputs.size(); ++i) {
    const auto column = static_cast<Eigen::Index>(i);
    made.b.col(column).tail(p) = directions.rates_along(made.a.cols() + column);
    if (const int value = made.inputs[i].value; value >= 0)
      made.b.col(column).tail(p) += made.signals.rates_by_added.col(value);
  }
}

// Drives have B dy + U ds = 0 of states s, s' = A_s s + W m. The motion is Z z + N s with N = -B^+ U, and with two
// derivatives of each signal, U W = 0: its velocity Z z' + N A_s s, its acceleration Z z'' + N A_s s'.
bool set_driven(const LinearizeSettings& settings, const std::string& path, LinearModel& made,
                model::Problems& problems) {
  const System& system = *made.linear.system;
  const assembly::SignalLinearization& signals = made.signals;
  const int entry = system.signals().first_driven_by_states();
  if (entry < 0) return true;
  const std::string& joint = system.model().entries[static_cast<std::size_t>(entry)].path();
  if (settings.rotation) {
    problems.push_back({path, joint + " is driven by signals, which motions in a turning frame do not take"});
    return false;
  }
  const Eigen::Index rows = system.rows();
  const auto by = [&](const VectorX& ds) {
    VectorX minus = signals.rows(ds, rows);
    for (const int row : made.linear.q.dropped.rows) minus[row] = 0;
    return minus;
  };
  MatrixX minus_u(rows, signals.rates.size());
  for (Eigen::Index k = 0; k < minus_u.cols(); ++k) minus_u.col(k) = by(signals.values_by_state.col(k));
  made.driven = math::pseudo_inverse(transposed_rows(made.linear)).transpose() * minus_u;
  made.driven_rates = made.driven * signals.rates_by_state;
  for (std::size_t i = 0; i < made.inputs.size(); ++i) {
    const int value = made.inputs[i].value;
    if (value < 0) continue;
    const VectorX at_once = made.driven * signals.rates_by_added.col(value);
    if (by(signals.values_by_added.col(value)).isZero(0) &&
        at_once.norm() <= 1e-12 * made.driven.norm() * signals.rates_by_added.col(value).norm())
      continue;
    problems.push_back(
        {path + ".inputs", made.inputs[i].name + " is followed by " + joint +
                               " with fewer than two derivatives; add to a signal in front of its filter"});
    return false;
  }
  return true;
}

// x = [z; z'; s], z'' = M_z^-1 Z^T (-K Z z - C Z z' + F_s s + F u), M_z = Z^T M Z, with s of signals; where drives
// follow these also -M N A_s s' - C N A_s s - K N s.
bool set_states(LinearModel& made, const LinearizeSettings& settings) {
  const MatrixX& Z = made.z;
  const Eigen::Index n = Z.cols();
  const Eigen::Index p = made.f_of_signals.cols();
  const MatrixX M = math::transposed_product(Z, product(made.linear.m, Z));
  MatrixX rates(n, 2 * n + p + made.f.cols());
  rates << -math::transposed_product(Z, product(made.linear.k, Z)),
      -math::transposed_product(Z, product(made.linear.c, Z)),
      math::transposed_product(Z, made.f_of_signals) * made.linear.scale,
      math::transposed_product(Z, made.f) * made.linear.scale;
  made.a = MatrixX::Zero(2 * n + p, 2 * n + p);
  made.b = MatrixX::Zero(2 * n + p, made.f.cols());
  if (made.driven.size() > 0) {
    set_rates_of_signals(made, settings, false);
    const MatrixX N = made.driven_rates * made.a.bottomRows(p);
    rates.leftCols(2 * n + p) -= math::transposed_product(Z, product(made.linear.m, N));
    rates.rightCols(made.f.cols()) -=
        math::transposed_product(Z, product(made.linear.m, MatrixX(made.driven_rates * made.b.bottomRows(p))));
    rates.middleCols(2 * n, p) -= math::transposed_product(Z, product(made.linear.c, made.driven_rates)) +
                                  math::transposed_product(Z, product(made.linear.k, made.driven));
  }
  if (!solve_mass(0.5 * (M + M.transpose()), rates)) return false;
  made.a.block(0, n, n, n).setIdentity();
  made.a.middleRows(n, n) = rates.leftCols(2 * n + p);
  made.b.middleRows(n, n) = rates.rightCols(made.f.cols());
  // Behind the rows of motions, which accelerations and multipliers along a column are made of
  if (p > 0) set_rates_of_signals(made, settings, made.signals.reads_dynamics);
  return true;
}

}  // namespace

// Names alone: no state is needed to find a misspelt one.
void check_linearize(const System& system, const LinearizeSettings& settings, const std::string& path,
                     model::Problems& problems) {
  for (std::size_t i = 0; i < settings.inputs.size(); ++i) {
    std::string problem;
    inputs_of(system, settings.inputs[i], nullptr, problem);
    if (!problem.empty()) problems.push_back({path + ".inputs." + std::to_string(i), problem});
  }
  LinearOutputs(system, settings.outputs, path, problems);
}

// Linearization, inputs, basis and states, then outputs along each column of A and B: an output may depend on
// accelerations and reactions, so that D is not zero in general.
std::optional<LinearModel> make_linear_model(const System& system, const LinearizeSettings& settings, State q,
                                             const std::string& path, model::Problems& problems,
                                             const math::StopRequest& stop) {
  std::string note = Redundancy(system).begin(q);
  std::optional<Linearized> linear = linearize(system, settings.rotation, std::move(q), path, problems);
  if (!linear) return std::nullopt;
  LinearModel made{std::move(*linear), {}, {}, {}, {}, {}, {}, {}, {}, {}, std::move(note), {}};
  if (!set_signals(path, made, problems) || !set_inputs(settings, path, made, problems) ||
      !set_driven(settings, path, made, problems))
    return std::nullopt;
  LinearOutputs outputs(system, settings.outputs, path, problems);
  if (!problems.empty()) return std::nullopt;
  made.outputs = outputs.at(made.linear.q);
  if (math::is_asked_to_stop(stop)) return std::nullopt;
  std::string lost;
  std::optional<MatrixX> z = basis(settings, made.linear, lost, stop);
  if (!z || math::is_asked_to_stop(stop)) return std::nullopt;
  made.z = std::move(*z);
  if (!lost.empty()) made.note += (made.note.empty() ? "" : "; ") + lost;
  if (made.z.cols() == 0 && made.driven.size() > 0)
    made.note +=
        (made.note.empty() ? "" : "; ") + std::string("what drives make of signals is in the state space alone");
  if (made.z.cols() == 0) return made;
  if (!set_states(made, settings)) {
    if (check_inertia(system, made.linear.q, problems))
      problems.push_back({path,
                          "some motion has no inertia, so that there is no state space; give the bodies concerned "
                          "a mass and an inertia, or take `modes`"});
    return std::nullopt;
  }
  const Eigen::Index states = made.a.cols();
  const Eigen::Index columns = states + made.b.cols();
  // Columns of A give C, columns of B give D.
  MatrixX derivatives(outputs.size(), columns);
  if (outputs.size() > 0) {
    Directions directions(made, settings, true);
    for (Eigen::Index j = 0; j < columns; ++j) {
      if (math::is_asked_to_stop(stop)) return std::nullopt;
      derivatives.col(j) = outputs.derivative(made.linear.q, directions.make(j));
      if (j >= states) derivatives.col(j) += outputs.direct(made.linear.q, made.inputs[j - states]);
    }
  }
  made.c = derivatives.leftCols(states);
  made.d = derivatives.rightCols(made.b.cols());
  return made;
}

}  // namespace polhode::analyses
