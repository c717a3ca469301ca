// SPDX-License-Identifier: BSD-3-Clause
// The parts of a state-space form about a moving state, with dense algebra to compare them with.
#pragma once
#include "integrators/moving_models.hpp"

namespace polhode::support {

// S B^T from the blocks of the lift.
inline MatrixX lift_of(const assembly::System& system, const integrators::JacobianPlaces& places,
                       const integrators::Lift& lift) {
  MatrixX V = MatrixX::Zero(system.free_unknowns(), system.rows());
  for (const integrators::JacobianPlaces::NodeColumn& at : places.columns) {
    const model::NodeUnknowns& u = system.unknowns()[static_cast<std::size_t>(at.node)];
    for (int k = 0; k < u.count; ++k) V(u.first + k, at.row) = lift.values()[static_cast<std::size_t>(at.entry + k)];
  }
  return V;
}

class StageParts : public testing::TestWithParam<MovingModel> {
 protected:
  MatrixX gradient() const { return constraint_gradient(system, q)(kept, Eigen::all); }
  MatrixX lift_of(const integrators::Lift& lift) const { return support::lift_of(system, places, lift); }
  MatrixX weights_of(const integrators::Lift& lift) const {
    MatrixX S = MatrixX::Zero(n, n);
    for (std::size_t i = 1; i < system.nodes(); ++i) {
      const model::NodeUnknowns& u = system.unknowns()[i];
      S.block(u.first, u.first, u.count, u.count) = lift.weights()[i].topLeftCorner(u.count, u.count);
    }
    return S;
  }
  const Machine machine{GetParam().make()};
  const assembly::System& system = machine.system;
  const int n = system.free_unknowns();
  assembly::SparseMatrix matrix = system.make_matrix();
  const integrators::JacobianPlaces places{system, matrix};
  State q = moving_state(system, 3);
  const std::vector<int> kept = kept_rows(system, q);
};

}  // namespace polhode::support
