// SPDX-License-Identifier: BSD-3-Clause
// Matrices of a system as dense ones.
#pragma once
#include "polhode/assembly/system.hpp"
#include "polhode/math/types.hpp"

namespace polhode::support {

inline math::MatrixX dense_of(const assembly::SparseMatrix& S) {
  math::MatrixX D = math::MatrixX::Zero(S.size, S.size);
  for (int j = 0; j < S.size; ++j)
    for (int p = S.column_start[j]; p < S.column_start[j + 1]; ++p) D(S.row[p], j) += S.at(p);
  return D;
}

// B over the free unknowns, from B v of unit velocities.
inline math::MatrixX constraint_gradient(const assembly::System& system, model::State q) {
  math::MatrixX B(system.rows(), system.free_unknowns());
  math::VectorX Bv(system.rows());
  math::VectorX phi_t(system.rows());
  math::VectorX gamma(system.rows());
  for (int j = 0; j < system.free_unknowns(); ++j) {
    system.scatter(math::VectorX::Unit(system.size(), j), q.v);
    system.set_rates(q, Bv, phi_t, gamma);
    B.col(j) = Bv;
  }
  return B;
}

// The leading numbers of a vector by node, and back.
inline std::vector<model::Vec6> by_node(const assembly::System& system, const math::VectorX& free) {
  math::VectorX all = math::VectorX::Zero(system.size());
  all.head(system.free_unknowns()) = free;
  std::vector<model::Vec6> nodal(system.nodes(), model::Vec6::Zero());
  system.scatter(all, nodal);
  return nodal;
}
inline math::VectorX free_of(const assembly::System& system, const std::vector<model::Vec6>& nodal) {
  math::VectorX free(system.free_unknowns());
  for (std::size_t i = 1; i < nodal.size(); ++i) {
    const model::NodeUnknowns& u = system.unknowns()[i];
    for (int k = 0; k < 6; ++k)
      if (u.local[static_cast<std::size_t>(k)] >= 0) free[u.first + u.local[static_cast<std::size_t>(k)]] = nodal[i][k];
  }
  return free;
}

// M over the free unknowns.
inline math::MatrixX mass_matrix(const assembly::System& system, const model::State& q) {
  assembly::SparseMatrix matrix = system.make_matrix();
  system.set_matrix(q, {.m = 1}, 1, matrix);
  return dense_of(matrix).topLeftCorner(system.free_unknowns(), system.free_unknowns());
}

}  // namespace polhode::support
