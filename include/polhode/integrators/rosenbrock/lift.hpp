// SPDX-License-Identifier: BSD-3-Clause
// The lift V = S B_n^T of a state-space form: what has to be added to a vector such that it meets the constraints is
// V s. S is symmetric, positive semidefinite, by blocks of nodes, and counts but for a factor, here mass():
//   weighted    S = W^-1, W = L (I + Q_+) L^T, L L^T = M, Q = L^-1 (h sym C + h^2 sym K) L^-T by nodes: stiff
//               directions are heavy, so that stiff forces are (nearly) linear in what is left; in update() as if Q
//               were zero where the squares of its eigenvalues add up to less than 1
//   mass        S = M^-1 by nodes
//   partition   S = 1 for dependent unknowns, 0 for independent ones; pivoted on B at the state where it is chosen
#pragma once
#include <vector>

#include "polhode/integrators/rosenbrock/jacobian_places.hpp"
#include "polhode/integrators/rosenbrock/settings.hpp"

namespace polhode::integrators {

class Lift {
 public:
  // Keeps references.
  Lift(const assembly::System& system, const JacobianPlaces& places, Coordinates coordinates);

  // S and V at `q`; `h`: s, of the weights. A partition stays until it is dropped, or other equations count.
  void update(const model::State& q, double h);
  // S alone, of `weighted` and `mass`; with all of Q.
  void set_weights(const model::State& q, double h);
  const std::vector<math::Mat6>& weights() const { return S_; }  // S by node, over its free unknowns
  // [M B^T; B 0] of the last update.
  const assembly::SparseMatrix& matrix() const { return mass_; }
  // Whether M V = mass() B^T: S = M^-1 at all nodes that constraints touch.
  bool is_of_mass() const { return is_of_mass_; }
  // kg, of the model: V has no tiny entries in any unit of mass.
  double mass() const { return scale_; }

  // V by JacobianPlaces::rows; zeros for dropped constraint equations.
  const std::vector<double>& values() const { return values_; }
  bool keeps(int equation) const { return kept_[static_cast<std::size_t>(equation)] != 0; }  // not dropped
  bool keeps_all() const { return dropped_ == 0; }
  std::span<const char> kept() const { return kept_; }

  bool has_partition() const { return coordinates_ == Coordinates::partition; }
  bool is_independent(int unknown) const { return independent_[static_cast<std::size_t>(unknown)] != 0; }
  bool counts(int unknown) const { return !has_partition() || is_independent(unknown); }
  int counted() const;                            // unknowns that count: all, or the independent ones
  int partitions() const { return partitions_; }  // how often independent unknowns were chosen
  // Whether dependent unknowns answer by less than four times as much as when they were chosen. `now`: largest answer
  // to changes of 1 of the independent ones. If not, the next update() chooses anew.
  bool partition_holds(double now);

 private:
  void choose_partition();
  void set_values();
  // By M in mass_; as if there were no Q where it is soft.
  void weigh(const model::State& q, double h, bool passes_over_soft);
  // Symmetric part of a matrix of the system over a node's free unknowns; behind them the identity times `rest`.
  math::Mat6 block_of(const assembly::SparseMatrix& X, std::size_t node, double rest) const;

  const assembly::System& system_;
  const JacobianPlaces& places_;
  Coordinates coordinates_;
  assembly::SparseMatrix stiffness_;
  assembly::SparseMatrix mass_;
  double scale_;
  std::vector<math::Mat6> S_;
  std::vector<double> values_;
  std::vector<char> kept_;         // by constraint equation
  std::vector<char> independent_;  // by free unknown; empty: to be chosen
  double amplification_ = 0;       // of a probe, independent to dependent, when the partition was chosen
  bool is_of_mass_ = false;
  std::vector<char> is_constrained_;  // by node
  int dropped_ = 0;                   // number of dropped constraint equations
  int partitions_ = 0;
  int revision_ = -1;  // of the dropped constraint equations at the last update
};

}  // namespace polhode::integrators
