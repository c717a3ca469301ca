// SPDX-License-Identifier: BSD-3-Clause
// Residual and tangents of a structure-preserving step.
#include "polhode/integrators/structure/structure_equations.hpp"

#include <algorithm>

namespace polhode::integrators {

using model::Lever;
using Forces = StructureMethod::Forces;
using Part = StructureMethod::Part;

StructureEquations::StructureEquations(const StructureMethod& method, StructureStep& step,
                                       const assembly::SparseMatrix& pattern)
    : method_(method),
      step_(step),
      residual_(method.system.make_residual()),
      unused_(residual_),
      force_(method.system.nodes(), Vec6::Zero()),
      F_(method.system.nodes(), Mat3::Identity()),
      F_rate_(F_),
      lambda_(VectorX::Zero(method.system.rows())) {
  for (const model::NodeUnknowns& u : method.system.unknowns()) {
    if (u.count == 0) {
      diagonal_.push_back(-1);
      continue;
    }
    const auto begin = pattern.row.begin() + pattern.column_start[u.first];
    const auto end = pattern.row.begin() + pattern.column_start[u.first + 1];
    diagonal_.push_back(
        pattern.place_of(static_cast<int>(std::lower_bound(begin, end, u.first) - pattern.row.begin())));
  }
}

// Only `variational` has forces that depend on mean velocities, dx/h and t/h or 2 t/h.
void StructureEquations::begin_step() {
  const double rate = (method_.chart() == StructureSettings::Increments::cayley ? 1 : 2) / step_.h;
  std::fill(F_rate_.begin(), F_rate_.end(), Mat3(rate * Mat3::Identity()));
}

// Residual of the dynamics times h^2/2, and Phi of the end.
void StructureEquations::evaluate(const State& old, const State& next) {
  step_.set_mean(old, next);
  std::fill(force_.begin(), force_.end(), Vec6::Zero());
  std::fill(residual_.force.begin(), residual_.force.end(), Vec6::Zero());
  std::fill(unused_.force.begin(), unused_.force.end(), Vec6::Zero());
  if (method_.variational)
    evaluate_variational(old, next);
  else
    evaluate_energy_momentum(old, next);
  const model::Context at_end = method_.system.context(next);
  for (const Part& part : method_.parts)
    if (part.batch->rows() > 0)
      part.batch->add_residual_to(part.batch->all(), next, at_end, {false, false, true}, unused_.force,
                                  span_of(residual_.phi));
}

void StructureEquations::evaluate_variational(const State& old, const State& next) {
  const model::Context c = method_.system.context(old);
  const std::vector<NodeStep>& nodes = step_.nodes;
  std::vector<Vec6>& total = residual_.force;
  State& at_begin = step_.at_begin;
  for (std::size_t i = 1; i < nodes.size(); ++i) at_begin.v[i] << nodes[i].dx / step_.h, nodes[i].average_rate(step_.h);
  at_begin.lambda = step_.L;
  const model::DiscreteStep step = step_.between(old, next, Lever::begin);
  for (const Part& part : method_.parts) {
    if (part.forces == Forces::library)
      part.batch->add_residual_to(part.batch->all(), at_begin, c, {false, true, false}, force_, span_of(unused_.phi));
    if (part.forces == Forces::discrete) part.batch->add_discrete_residual_to(step, {}, false, force_);
    if (part.batch->rows() > 0)
      part.batch->add_residual_to(part.batch->all(), at_begin, c, {false, false, true}, total, span_of(unused_.phi));
  }
  for (std::size_t i = 1; i < nodes.size(); ++i)
    total[i] += step_.half * force_[i] +
                variational::residual(method_.bodies[i], nodes[i], old.R[i], old.memory[i], c.gravity, step_.h);
}

void StructureEquations::evaluate_energy_momentum(const State& old, const State& next) {
  const model::Context c = method_.system.context(old);
  const std::vector<NodeStep>& nodes = step_.nodes;
  lambda_ = step_.L / step_.half;
  const model::DiscreteStep step = step_.between(old, next, Lever::mean);
  for (const Part& part : method_.parts) part.batch->add_discrete_residual_to(step, span_of(lambda_), true, force_);
  for (std::size_t i = 1; i < nodes.size(); ++i)
    residual_.force[i] = step_.half * force_[i] +
                         energy_momentum::residual(method_.bodies[i], nodes[i], old.R[i], old.v[i], c.gravity, step_.h);
}

void StructureEquations::linearize(const State& old, const State& next, assembly::SparseMatrix& matrix) {
  const std::span<double> values(matrix.values.data(), matrix.values.size());
  std::fill(values.begin(), values.end(), 0.0);
  for (std::size_t i = 1; i < F_.size(); ++i) F_[i] = step_.nodes[i].F;
  add_part_tangents_to(values, old, next);
  add_node_tangents_to(values, old);
  method_.system.clear_dropped(old.dropped, matrix);
}

// Tangents of the library by mean velocities (1/h per unit of dx), of discrete forms by the end;
// B of the end times diag(I, F), since R+^T dR+ = (F dt)~.
void StructureEquations::add_part_tangents_to(std::span<double> values, const State& old, const State& next) {
  const bool variational = method_.variational;
  const model::Context c = method_.system.context(old);
  const model::Context at_end = method_.system.context(next);
  const std::vector<model::NodeUnknowns>& unknowns = method_.system.unknowns();
  const model::Factors gradient{.b = 1, .rot_b = F_};
  const model::DiscreteStep step = step_.between(old, next, variational ? Lever::begin : Lever::mean);
  for (const Part& part : method_.parts) {
    const bool library = part.forces == Forces::library;
    if (variational && (library || part.batch->rows() > 0)) {
      model::Factors factors;
      if (library) {
        factors.c = 1 / step_.h;
        factors.rot_c = F_rate_;
      }
      part.batch->add_tangents_to(part.batch->all(), step_.at_begin, c, factors, step_.half, unknowns, values);
    }
    if (!variational || part.forces == Forces::discrete)
      part.batch->add_discrete_tangents_to(step, span_of(lambda_), !variational, F_, step_.half, unknowns, values);
    part.batch->set_gradient(part.batch->all(), next, at_end, gradient, unknowns, values);
  }
}

void StructureEquations::add_node_tangents_to(std::span<double> values, const State& old) const {
  const model::Context c = method_.system.context(old);
  const std::vector<NodeStep>& nodes = step_.nodes;
  for (std::size_t i = 1; i < nodes.size(); ++i) {
    const model::NodeUnknowns& u = method_.system.unknowns()[i];
    if (u.count == 0) continue;
    const NodeBody& body = method_.bodies[i];
    const Mat6 S = method_.variational
                       ? variational::tangent(body, nodes[i], old.R[i])
                       : energy_momentum::tangent(body, nodes[i], old.R[i], old.v[i], c.gravity, step_.h);
    double* block = values.data() + diagonal_[i];
    for (int column = 0; column < 6; ++column)
      for (int row = 0; row < 6; ++row)
        if (u.local[column] >= 0 && u.local[row] >= 0)
          block[u.local[column] * u.count + u.local[row]] += S(row, column);
  }
}

}  // namespace polhode::integrators
