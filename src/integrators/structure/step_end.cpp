// SPDX-License-Identifier: BSD-3-Clause
// What a structure-preserving step leaves behind.
#include "polhode/integrators/structure/step_end.hpp"

#include <algorithm>

namespace polhode::integrators {

using Forces = StructureMethod::Forces;
using Part = StructureMethod::Part;

StepEnd::StepEnd(const StructureMethod& method, StructureStep& step)
    : method_(method),
      step_(step),
      velocities_(method),
      force_(method.system.nodes(), Vec6::Zero()),
      unused_(VectorX::Zero(method.system.rows())) {}

// Momenta of the state as those that arrive at it. Of the first state the energy is that of the state;
// later ones have that of the step which led to them.
void StepEnd::start(State& q) {
  q.memory.assign(method_.variational ? q.x.size() : 0, Vec6::Zero());
  for (std::size_t i = 1; i < q.memory.size(); ++i) q.memory[i] = method_.bodies[i].momentum(q.R[i], q.v[i]);
  velocities_.update_rates(q);
  drive_power_ = velocities_.drive_power(q);
  work_ = 0;
  set_invariants(q);
  invariants_.energy = method_.system.energies(q).total();
}

void StepEnd::resume(const Invariants& invariants, double drive_power) {
  invariants_ = invariants;
  drive_power_ = drive_power;
  work_ = 0;
}

bool StepEnd::finish(const State& old, State& next) {
  if (method_.variational) return finish_variational(old, next);
  finish_energy_momentum(old, next);
  return true;
}

// Velocities by the means of the step, accelerations and multipliers of its middle. The work of loads,
// drives and dampers is the strain energy gained less what all forces have done on the increments.
void StepEnd::finish_energy_momentum(const State& old, State& next) {
  const std::vector<NodeStep>& nodes = step_.nodes;
  for (std::size_t i = 1; i < nodes.size(); ++i) {
    next.v[i] = energy_momentum::end_velocity(method_.bodies[i], nodes[i], old.R[i], next.R[i], old.v[i], step_.h);
    const model::NodeUnknowns& u = method_.system.unknowns()[i];
    for (int k = 0; k < 6; ++k)
      if (u.local[k] < 0) next.v[i][k] = 0;
    next.vdot[i] = (next.v[i] - old.v[i]) / step_.h;
  }
  next.lambda = step_.L / step_.half;
  set_invariants(next);
  const model::Energies energies = method_.system.energies(next);
  invariants_.energy = energies.total();
  // Forces once more, since Newton's last increment moved what they depend on.
  step_.set_mean(old, next);
  std::fill(force_.begin(), force_.end(), Vec6::Zero());
  const model::DiscreteStep step = step_.between(old, next, model::Lever::mean);
  for (const Part& part : method_.parts) part.batch->add_discrete_residual_to(step, span_of(next.lambda), true, force_);
  work_ = energies.strain - method_.system.energies(old).strain;
  for (std::size_t i = 1; i < nodes.size(); ++i)
    work_ -= force_[i].head<3>().dot(nodes[i].dx) + force_[i].tail<3>().dot(nodes[i].t);
}

// The momenta that leave the step are those of inertia less half of the forces at its end. Work:
// halves of the power of library forces at both ends, discrete forms by themselves,
// drives by the trapezoidal rule.
bool StepEnd::finish_variational(const State& old, State& next) {
  const std::vector<NodeStep>& nodes = step_.nodes;
  const double h = step_.h;
  step_.set_mean(old, next);
  const model::Context c = method_.system.context(next);
  add_forces_after(old, next);
  step_.at_begin.v = next.v;
  step_.at_begin.lambda.setZero();
  next.lambda.setZero();
  work_ = 0.5 * h * (power_of_forces(step_.at_begin) + power_of_forces(next) + drive_power_);
  const model::DiscreteStep step = step_.between(old, next, model::Lever::mean);
  for (const Part& part : method_.parts)
    if (part.forces == Forces::discrete) work_ += part.batch->discrete_work(step);
  double energy = potential_energy(old, next);
  for (std::size_t i = 1; i < nodes.size(); ++i) {
    const NodeBody& b = method_.bodies[i];
    Vec6& momentum = next.memory[i];
    momentum = variational::end_momentum(b, nodes[i], old.R[i], c.gravity, h);
    const Vec3 f = force_[i].head<3>();
    momentum.head<3>() -= 0.5 * h * f;
    momentum.tail<3>() -= 0.5 * h * (force_[i].tail<3>() - b.c.cross(next.R[i].transpose() * f));
    energy += variational::kinetic_energy(b, nodes[i], old.R[i], h);
  }
  set_invariants(next);
  invariants_.energy = energy;
  if (!velocities_.set(next)) return false;
  drive_power_ = velocities_.drive_power(next);
  work_ += 0.5 * h * drive_power_;
  return true;
}

// At the end of the step with its mean velocity, as those at the begin were (discrete d'Alembert principle).
void StepEnd::add_forces_after(const State& old, State& next) {
  const std::vector<NodeStep>& nodes = step_.nodes;
  std::fill(force_.begin(), force_.end(), Vec6::Zero());
  for (std::size_t i = 1; i < nodes.size(); ++i) next.v[i] << nodes[i].dx / step_.h, nodes[i].average_rate(step_.h);
  const model::Context at_end = method_.system.context(next);
  const model::DiscreteStep step = step_.between(old, next, model::Lever::end);
  for (const Part& part : method_.parts) {
    if (part.forces == Forces::library)
      part.batch->add_residual_to(part.batch->all(), next, at_end, {false, true, false}, force_, span_of(unused_));
    if (part.forces == Forces::discrete) part.batch->add_discrete_residual_to(step, {}, false, force_);
  }
}

// Discrete forces have their work by discrete_work().
double StepEnd::power_of_forces(const State& q) const {
  const model::Context c = method_.system.context(q);
  double sum = 0;
  for (const Part& part : method_.parts)
    if (part.forces == Forces::library) sum += part.batch->power(q, c);
  return sum;
}

// Where the discrete Lagrangian has it: at the mean, at the begin, or half at either end; of `variational`.
double StepEnd::potential_energy(const State& old, const State& next) const {
  const bool left = method_.settings.place_of_forces() == StructureSettings::Potential::left;
  const State& at = left ? old : step_.mean;
  const model::Context c = method_.system.context(old);
  const model::Context at_end = method_.system.context(next);
  double sum = 0;
  for (std::size_t i = 1; i < at.x.size(); ++i) {
    const NodeBody& b = method_.bodies[i];
    sum -= b.mass * c.gravity.dot(at.x[i] + at.R[i] * b.c);
  }
  const model::DiscreteStep step = step_.between(old, next, model::Lever::mean);
  for (const Part& part : method_.parts)
    if (part.forces == Forces::discrete)
      sum += part.batch->discrete_energy(step);
    else if (left)
      sum += part.batch->energies(old, c).strain;
    else
      sum += 0.5 * (part.batch->energies(old, c).strain + part.batch->energies(next, at_end).strain);
  return sum;
}

// Momenta about the origin: of energy_momentum from its velocities, of variational those that arrive.
void StepEnd::set_invariants(const State& q) {
  invariants_.linear.setZero();
  invariants_.angular.setZero();
  for (std::size_t i = 1; i < q.x.size(); ++i) {
    const NodeBody& b = method_.bodies[i];
    if (method_.system.unknowns()[i].count == 0) continue;
    const Vec6 momentum = method_.variational ? q.memory[i] : b.momentum(q.R[i], q.v[i]);
    const Vec3 p = momentum.head<3>();
    invariants_.linear += p;
    invariants_.angular += (q.x[i] + q.R[i] * b.c).cross(p) + q.R[i] * momentum.tail<3>();
  }
}

}  // namespace polhode::integrators
