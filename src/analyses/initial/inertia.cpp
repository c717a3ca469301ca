// SPDX-License-Identifier: BSD-3-Clause
// Directions of nodes that have neither inertia nor a constraint: no acceleration follows from the forces there.
#include <cmath>
#include <map>

#include "polhode/analyses/initial/start.hpp"
#include "polhode/math/dense.hpp"

namespace polhode::analyses {
namespace {

using math::MatrixX;
using model::VectorX;

constexpr double singular = 1e-13;  // of a mass matrix scaled to a unit diagonal: far above round-off, below any rod

// The columns of the node's unknowns: its own block of M, and the entries of B.
struct Block {
  MatrixX mass;
  MatrixX gradient;
};

// Dense, as a node has six unknowns at most and few constraint equations.
Block block_of(const assembly::System& system, const assembly::SparseMatrix& matrix, const model::NodeUnknowns& node) {
  std::map<int, int> rows;  // of constraints, to rows of the block
  for (int c = 0; c < node.count; ++c)
    for (int p = matrix.column_start[node.first + c]; p < matrix.column_start[node.first + c + 1]; ++p)
      if (matrix.row[p] >= system.free_unknowns()) rows.emplace(matrix.row[p], static_cast<int>(rows.size()));
  Block block{MatrixX::Zero(node.count, node.count), MatrixX::Zero(static_cast<int>(rows.size()), node.count)};
  for (int c = 0; c < node.count; ++c)
    for (int p = matrix.column_start[node.first + c]; p < matrix.column_start[node.first + c + 1]; ++p) {
      const int row = matrix.row[p];
      if (row >= system.free_unknowns())
        block.gradient(rows.at(row), c) = matrix.at(p);
      else if (row >= node.first && row < node.first + node.count)
        block.mass(row - node.first, c) = matrix.at(p);
    }
  return block;
}

// Directions (columns) of the node without inertia and without a row of B, in unknowns scaled to a unit diagonal of M.
MatrixX loose_directions(const Block& block) {
  const Eigen::Index n = block.mass.rows();
  VectorX scale(n);
  for (Eigen::Index i = 0; i < n; ++i) scale[i] = block.mass(i, i) > 0 ? 1 / std::sqrt(block.mass(i, i)) : 1;
  const MatrixX mass = scale.asDiagonal() * block.mass * scale.asDiagonal();
  if (math::is_definite(mass, 1e-3)) return MatrixX(n, 0);
  const math::SymmetricEigen eigen = math::symmetric_eigen(mass);
  // Directions without inertia, and of these the ones without a constraint.
  Eigen::Index without = 0;
  while (without < n && eigen.values[without] < singular) ++without;
  const MatrixX directions = eigen.vectors.leftCols(without);
  if (without == 0 || block.gradient.rows() == 0) return directions;
  return directions * math::null_space(block.gradient * scale.asDiagonal() * directions, 1e-9);
}

}  // namespace

// Node by node, in unknowns scaled to a unit diagonal. Nodes of one entry (inner nodes of a beam) are counted, not
// listed: the first one has its directions named.
bool check_inertia(const assembly::System& system, const State& q, model::Problems& problems) {
  assembly::Saddle saddle(system);
  const assembly::SparseMatrix& matrix = saddle.set_matrix(q);
  std::map<std::string, std::pair<std::string, int>>
      found;  // by the deck's path: names of the first node's, other nodes
  for (const model::NodeUnknowns& node : system.unknowns()) {
    if (node.count == 0) continue;
    const MatrixX loose = loose_directions(block_of(system, matrix, node));
    if (loose.cols() == 0) continue;
    std::string names;
    std::string label;
    int named = 0;
    for (int i = 0; i < node.count; ++i) {
      if (loose.row(i).norm() < 1e-6) continue;
      const std::string name = system.name_of(node.first + i);
      label = name.substr(0, name.find(": "));
      names += (named++ == 0 ? "`" : "`, `") + name.substr(name.find(": ") + 2);
    }
    const std::string of = (named > loose.cols() ? "a direction within " : "") + names + "` of " + label;
    const auto [entry, first] = found.emplace(label.substr(0, label.find(' ')), std::pair(of, 0));
    if (!first) ++entry->second.second;
  }
  for (const auto& [path, what] : found)
    problems.push_back(
        {path, "without inertia: " + what.first +
                   (what.second > 0 ? " and of " + std::to_string(what.second) + " more nodes" : "") +
                   "; nothing holds it either: give the body or the section an inertia, fix the direction, or use "
                   "`dofs: translation`"});
  return found.empty();
}

}  // namespace polhode::analyses
