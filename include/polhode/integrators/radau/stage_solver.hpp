// SPDX-License-Identifier: BSD-3-Clause
// The linear systems of the iteration of a Radau step. With all matrices at one state, and the eigenvectors V of D =
// A^-1, the Newton equations of the stages fall into a real system and a complex one,
//
//   [ s (M f^2 + C f + K)  B^T ] [ z        ]     [ s r ]
//   [ B                    0   ] [ s lambda ] = - [ Phi ],   f = gamma / h and mu / h,  s = 1/|f|^2
//
// with r and Phi those of the stages times V^-1. z are increments in the frames of the nodes: for rotations f I +
// Omega~ is in the place of f, since dv = d(dx)/dt + Omega x dx. Where elements with stiffness meet, translations count
// in the frames of the nodes, too: a stiff direction turns with its element, and matrices of one state serve all
// stages, and later steps, as long as the rest of the model stays as it is. States of signals are solved for beside
// them (signal_stages.hpp).
#pragma once
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "polhode/assembly/linear/linear_solver.hpp"
#include "polhode/integrators/radau/pair_matrix.hpp"
#include "polhode/integrators/radau/signal_stages.hpp"
#include "polhode/integrators/radau/stages.hpp"

namespace polhode::integrators {

// Whether elements have forces between nodes.
bool has_stiffness(const assembly::System& system);

class RadauSolver {
 public:
  // Keeps a reference to the system.
  explicit RadauSolver(const assembly::System& system);

  // Makes and factorizes the matrices of a step of h, s, at a state. False if one is singular.
  bool factorize(const State& at, double h);
  // From the residuals of the stages, which it turns, to their increments: dx by node, dlambda, dz of signals. False if
  // they are not finite.
  bool solve(const RadauStages& stages, std::array<assembly::Residual, RadauStages::count>& residuals);
  const std::vector<Vec6>& dx(int stage) const { return dx_[stage]; }
  const VectorX& dlambda(int stage) const { return dlambda_[stage]; }
  const VectorX& dz(int stage) const { return dz_[stage]; }
  // An estimate of the error of states of signals without what the step does not resolve of it.
  void filter_signals(VectorX& e) { real_signals_.filter(e); }

  // x of [ s (M f^2 + C f + K) B^T ; B 0 ] [ x ; mu ] = [ force ; 0 ], the real one. False if it is not finite.
  bool filter(const assembly::Residual& force, const model::DroppedConstraints& dropped, std::vector<Vec6>& x);

  // Where elimination broke down: "" if it is not known.
  std::string singular_place() const;
  int pivot_choices() const;

 private:
  void set_real(const State& at, double h);
  void set_pair(const State& at, double h);
  bool set_signals(const State& at, double h);
  // From what stages leave to increments of states, and what these add to z_, re_ and im_.
  void solve_signals(const RadauStages& stages);

  const assembly::System& system_;
  assembly::SparseMatrix real_;
  assembly::LinearSolver real_solver_;
  // Of the system, from which the complex one is put together
  assembly::SparseMatrix part_;
  PairMatrix pair_;
  double real_scale_ = 0;
  double pair_scale_ = 0;
  bool singular_is_pair_ = false;
  // By node: whether translations count in its frame; its rotation where the matrices were made
  std::vector<char> turns_;
  std::vector<Mat3> R_;
  std::array<VectorX, RadauStages::count> gathered_;
  std::array<std::vector<Vec6>, RadauStages::count> dx_;
  std::array<VectorX, RadauStages::count> dlambda_;
  std::array<VectorX, RadauStages::count> dz_;
  RadauSignals real_signals_;
  RadauSignals pair_signals_;
  Eigen::VectorXcd real_rho_;
  Eigen::VectorXcd pair_rho_;
  VectorX z_;
  VectorX re_;
  VectorX im_;
  VectorX mixed_;
  // Of rotations, by node
  std::vector<Mat3> F_c_;
  std::vector<Mat3> F_m_;
};

}  // namespace polhode::integrators
