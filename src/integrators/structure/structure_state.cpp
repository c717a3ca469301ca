// SPDX-License-Identifier: BSD-3-Clause
// What a structure-preserving step leaves behind: velocities, momenta, accelerations, multipliers, invariants; and how
// the first one begins.
#include <algorithm>
#include <cmath>

#include "polhode/integrators/structure/structure_solver.hpp"

namespace polhode::integrators {

using model::Lever;
using FirstStep = StructureSettings::Start;
using Potential = StructureSettings::Potential;

namespace {

Vec3 centre_velocity(const NodeBody& b, const Mat3& R, const Vec6& v) {
  return v.head<3>() + R * Vec3(v.tail<3>()).cross(b.c);
}

}  // namespace

// Momenta of the state as those that arrive at it. Of the first state the energy is that of the state;
// later ones have that of the step which led to them.
void StructureSolver::start(State& q) {
  q.last_step = 0;
  q.memory.assign(variational_ ? q.x.size() : 0, Vec6::Zero());
  for (std::size_t i = 1; i < q.memory.size(); ++i)
    q.memory[i] << bodies_[i].mass * centre_velocity(bodies_[i], q.R[i], q.v[i]), bodies_[i].J * q.v[i].tail<3>();
  mean_ = at_begin_ = q;
  system_.set_rates(q, Bv_, phi_t_, gamma_);
  drive_power_ = q.lambda.dot(phi_t_);
  work_ = 0;
  set_invariants(q);
  invariants_.energy = system_.energies(q).total();
}

// As after a step; what it leaves behind besides are the numbers that were saved.
void StructureSolver::resume(const State& q, const Invariants& invariants, double drive_power) {
  mean_ = q;
  at_begin_ = q;
  invariants_ = invariants;
  drive_power_ = drive_power;
  work_ = 0;
  forget_factorizations();
}

// Pivots are chosen anew with the next matrix.
void StructureSolver::forget_factorizations() {
  solver_.emplace(matrix_, assembly::InPlace{});
  saddle_.reset();
}

// Momenta about the origin: of energy_momentum from its velocities, of variational those that arrive.
void StructureSolver::set_invariants(const State& q) {
  invariants_.linear.setZero();
  invariants_.angular.setZero();
  for (std::size_t i = 1; i < q.x.size(); ++i) {
    const NodeBody& b = bodies_[i];
    if (system_.unknowns()[i].count == 0) continue;
    Vec6 momentum;
    if (variational_)
      momentum = q.memory[i];
    else
      momentum << b.mass * centre_velocity(b, q.R[i], q.v[i]), b.J * q.v[i].tail<3>();
    const Vec3 p = momentum.head<3>();
    invariants_.linear += p;
    invariants_.angular += (q.x[i] + q.R[i] * b.c).cross(p) + q.R[i] * momentum.tail<3>();
  }
}

// Where the discrete Lagrangian has it: at the mean, at the begin, or half at either end; of `variational`.
double StructureSolver::potential_energy(const State& old, const State& next) const {
  const bool left = settings_.place_of_forces() == Potential::left;
  const State& at = left ? old : mean_;
  const model::Context c = system_.context(old);
  const model::Context at_end = system_.context(next);
  double sum = 0;
  for (std::size_t i = 1; i < nodes_.size(); ++i)
    sum -= bodies_[i].mass * c.gravity.dot(at.x[i] + at.R[i] * bodies_[i].c);
  const model::DiscreteStep step = step_of(old, next, Lever::mean);
  for (const Part& part : parts_)
    if (part.forces == Forces::discrete)
      sum += part.batch->discrete_energy(step);
    else if (left)
      sum += part.batch->energies(old, c).strain;
    else
      sum += 0.5 * (part.batch->energies(old, c).strain + part.batch->energies(next, at_end).strain);
  return sum;
}

// Velocities by the means of the step, accelerations and multipliers of its middle. The work of loads,
// drives and dampers is the strain energy gained less what all forces have done on the increments.
bool StructureSolver::finish(const State& old, State& next) {
  if (variational_) return finish_variational(old, next);
  for (std::size_t i = 1; i < nodes_.size(); ++i) {
    next.v[i] = energy_momentum::end_velocity(bodies_[i], nodes_[i], old.R[i], next.R[i], old.v[i], h_);
    const model::NodeUnknowns& u = system_.unknowns()[i];
    for (int k = 0; k < 6; ++k)
      if (u.local[k] < 0) next.v[i][k] = 0;
    next.vdot[i] = (next.v[i] - old.v[i]) / h_;
  }
  next.lambda = L_ / half_;
  set_invariants(next);
  const model::Energies energies = system_.energies(next);
  invariants_.energy = energies.total();
  // Forces once more, since Newton's last increment moved what they depend on.
  set_mean(old, next);
  lambda_ = next.lambda;
  std::fill(force_.begin(), force_.end(), Vec6::Zero());
  const model::DiscreteStep step = step_of(old, next, Lever::mean);
  for (const Part& part : parts_) part.batch->add_discrete_residual_to(step, span_of(lambda_), true, force_);
  work_ = energies.strain - system_.energies(old).strain;
  for (std::size_t i = 1; i < nodes_.size(); ++i)
    work_ -= force_[i].head<3>().dot(nodes_[i].dx) + force_[i].tail<3>().dot(nodes_[i].t);
  return true;
}

// The momenta that leave the step are those of inertia less half of the forces at its end. Work:
// halves of the power of library forces at both ends, discrete forms by themselves,
// drives by the trapezoidal rule.
bool StructureSolver::finish_variational(const State& old, State& next) {
  set_mean(old, next);
  const model::Context c = system_.context(next);
  add_forces_after(old, next);
  at_begin_.v = next.v;
  at_begin_.lambda.setZero();
  next.lambda.setZero();
  work_ = 0.5 * h_ * (power_of_forces(at_begin_) + power_of_forces(next) + drive_power_);
  const model::DiscreteStep step = step_of(old, next, Lever::mean);
  for (const Part& part : parts_)
    if (part.forces == Forces::discrete) work_ += part.batch->discrete_work(step);
  double energy = potential_energy(old, next);
  for (std::size_t i = 1; i < nodes_.size(); ++i) {
    const NodeBody& b = bodies_[i];
    Vec6& momentum = next.memory[i];
    momentum = variational::end_momentum(b, nodes_[i], old.R[i], c.gravity, h_);
    const Vec3 f = force_[i].head<3>();
    momentum.head<3>() -= 0.5 * h_ * f;
    momentum.tail<3>() -= 0.5 * h_ * (force_[i].tail<3>() - b.c.cross(next.R[i].transpose() * f));
    energy += variational::kinetic_energy(b, nodes_[i], old.R[i], h_);
  }
  set_invariants(next);
  invariants_.energy = energy;
  if (!set_velocities(next)) return false;
  drive_power_ = next.lambda.dot(phi_t_);
  work_ += 0.5 * h_ * drive_power_;
  return true;
}

// Discrete forces have their work by discrete_work().
double StructureSolver::power_of_forces(const State& q) const {
  const model::Context c = system_.context(q);
  double sum = 0;
  for (const Part& part : parts_)
    if (part.forces == Forces::library) sum += part.batch->power(q, c);
  return sum;
}

// At the end of the step with its mean velocity, as those at the begin were (discrete d'Alembert principle).
void StructureSolver::add_forces_after(const State& old, State& next) {
  std::fill(force_.begin(), force_.end(), Vec6::Zero());
  for (std::size_t i = 1; i < nodes_.size(); ++i) next.v[i] << nodes_[i].dx / h_, nodes_[i].average_rate(h_);
  const model::Context at_end = system_.context(next);
  const model::DiscreteStep step = step_of(old, next, Lever::end);
  for (const Part& part : parts_) {
    if (part.forces == Forces::library)
      part.batch->add_residual_to(next, at_end, {false, true, false}, force_, span_of(rows_.phi));
    if (part.forces == Forces::discrete) part.batch->add_discrete_residual_to(step, {}, false, force_);
  }
}

// [M B^T; B 0] [v; mu] = [momenta; -Phi_t], then the accelerations.
bool StructureSolver::set_velocities(State& next) {
  if (!saddle_) saddle_.emplace(system_);
  if (!saddle_->factorize(next)) return false;
  for (std::size_t i = 1; i < nodes_.size(); ++i) {
    const Vec3 p = next.memory[i].head<3>();
    rows_.force[i] << p, Vec3(next.memory[i].tail<3>()) + bodies_[i].c.cross(next.R[i].transpose() * p);
  }
  system_.set_rates(next, Bv_, phi_t_, gamma_);
  rows_.phi = -phi_t_;
  system_.gather(rows_, next.dropped, 1, rhs_);
  saddle_->solve(rhs_);
  system_.scatter(rhs_, dx_);
  std::copy(dx_.begin() + 1, dx_.end(), next.v.begin() + 1);
  system_.set_rates(next, Bv_, phi_t_, gamma_);
  return saddle_->set_accelerations(next, gamma_);
}

// For a step whose end is given.
void StructureSolver::set_increments(const State& old, const State& next) {
  for (std::size_t i = 1; i < nodes_.size(); ++i) {
    nodes_[i].dx = next.x[i] - old.x[i];
    nodes_[i].set_turn(old.quat[i].conjugate() * next.quat[i]);
  }
}

// The end of the first step by many fine ones, whose size is near `start_step`: with one step of Euler's first, as
// Wendlandt & Marsden begin, or all of them by `energy_momentum`. The momenta of the first large step follow from its
// two ends alone.
void StructureSolver::start_finely(const State& old, State& next, StepReport& report) {
  const long count = std::max(1L, std::lround(h_ / settings_.fine_step()));
  const double h = h_ / static_cast<double>(count);
  const bool euler = settings_.start == FirstStep::euler;
  StructureSettings given = settings_;
  given.start = FirstStep::given;
  IntegratorSettings settings;
  settings.method = euler ? "variational" : "energy_momentum";
  settings.own = given;
  StructureSolver fine(system_, settings, newton_);
  State at = old;
  State ahead = old;
  fine.start(at);
  long n = 1;
  if (euler) {
    fine.h_ = h;
    fine.half_ = 0.5 * h * h;
    ahead.t = old.t + h;
    for (std::size_t i = 1; i < nodes_.size(); ++i) {
      ahead.x[i] += h * old.v[i].head<3>();
      const Vec3 half = 0.5 * h * old.v[i].tail<3>();
      ahead.set_rotation(i, (old.quat[i] * math::so3::Quaternion(1, half[0], half[1], half[2])).normalized());
    }
    fine.set_increments(at, ahead);
    ahead.memory = at.memory;
    if (!fine.finish(at, ahead)) report.outcome = Outcome::singular;
    system_.update_history(ahead);
    ahead.last_step = h;
    std::swap(at, ahead);
    ++n;
  }
  ahead.memory = at.memory;
  for (; n <= count && report.succeeded(); ++n) {
    const StepReport one = fine.step(at, ahead, h, old.t + static_cast<double>(n) * h);
    report.iterations += one.iterations;
    report.factorizations += one.factorizations;
    report.outcome = one.outcome;
    report.worst = one.worst;
    report.residual = one.residual;
    report.constraint_residual = one.constraint_residual;
    std::swap(at, ahead);
  }
  if (!report.succeeded()) return;
  next.x = at.x;
  next.quat = at.quat;
  next.R = at.R;
  next.history = at.history;
  L_ = h_ * h_ * old.lambda;
  set_increments(old, next);
}

}  // namespace polhode::integrators
