// SPDX-License-Identifier: BSD-3-Clause
// Increments of a structure-preserving step, and the states between its ends.
#include "polhode/integrators/structure/structure_step.hpp"

#include <cmath>

namespace polhode::integrators {

StructureStep::StructureStep(const StructureMethod& of)
    : method(of), nodes(of.system.nodes()), L(VectorX::Zero(of.system.rows())) {
  for (NodeStep& node : nodes) node.chart = method.chart();
}

void StructureStep::begin_at(const State& q) {
  mean = q;
  at_begin = q;
}

void StructureStep::set_size(double step_size) {
  h = step_size;
  half = 0.5 * h * h;
}

void StructureStep::predict(const State& old) {
  for (std::size_t i = 1; i < nodes.size(); ++i) {
    NodeStep& n = nodes[i];
    n.dx = h * old.v[i].head<3>();
    n.t = h * old.v[i].tail<3>();
    if (n.chart == StructureSettings::Increments::quaternion) n.t *= 0.5 / std::sqrt(1 + 0.25 * n.t.squaredNorm());
  }
  const double scale = (method.variational ? 1 : 0.5) * h * h;
  L = scale * old.lambda;
}

bool StructureStep::compose(const State& old, State& next) {
  for (std::size_t i = 1; i < nodes.size(); ++i) {
    NodeStep& n = nodes[i];
    if (n.chart == StructureSettings::Increments::quaternion && !(n.t.squaredNorm() < 1)) return false;
    n.set_rotation_terms();
    next.x[i] = old.x[i] + n.dx;
    next.set_rotation(i, (old.quat[i] * n.turn).normalized());
  }
  return true;
}

void StructureStep::set_increments(const State& old, const State& next) {
  for (std::size_t i = 1; i < nodes.size(); ++i) {
    nodes[i].dx = next.x[i] - old.x[i];
    nodes[i].set_turn(old.quat[i].conjugate() * next.quat[i]);
  }
}

void StructureStep::set_mean(const State& old, const State& next) {
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    mean.x[i] = 0.5 * (old.x[i] + next.x[i]);
    mean.R[i] = 0.5 * (old.R[i] + next.R[i]);
  }
}

model::DiscreteStep StructureStep::between(const State& old, const State& next, model::Lever lever) const {
  model::Context middle = method.system.context(old);
  middle.t = old.t + 0.5 * h;
  return {old, mean, next, middle, h, !method.variational, lever};
}

}  // namespace polhode::integrators
