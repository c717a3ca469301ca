// SPDX-License-Identifier: BSD-3-Clause
// The linear system of a stage, modulo the lift, with derivatives J1, J2, f_t of f by theta, thetadot, t at the origin:
//   (I/gamma - h J2 - h^2 gamma J1) u = b + h^2 J1 d + h dt f_t
// in a sparse descriptor form that needs no J1 and J2. The unknowns are p (change of theta), w and z (of thetadot and
// thetaddot in the range of the lift), multipliers nu, and y, x with w = S B^T y, z = S B^T x. With s = h gamma and
// the tangents of stage_tangents.hpp, A2 = 2 Z^:
//   (M + s C + s^2 K^) p + s C w + M z + B^T nu = M (h d + h gamma^2 b) + h^2 gamma C d - s^2 r_t dt
//   B p                                         = r_B = -Phi_t dt
//   s Z^ p + B w                                = h B d - r_B - s b_t dt
//   (s^2 A1 + s A2) p + s A2 w + B z            = B (h d + h gamma^2 b) + h^2 gamma A2 d - s^2 a_t dt - r_B
// (w by s, z and nu by s^2), and u = (p - h d)/s. Rows of forces are divided by Lift::mass(), and nu with them.
#pragma once
#include <optional>
#include <vector>

#include "polhode/assembly/linear/linear_solver.hpp"
#include "polhode/integrators/rosenbrock/lift.hpp"
#include "polhode/integrators/rosenbrock/stage_tangents.hpp"

namespace polhode::integrators {

class StageSystem {
 public:
  // `pattern`: a matrix of the system. Keeps references.
  StageSystem(const JacobianPlaces& places, const Lift& lift, const StageTangents& tangents,
              const assembly::SparseMatrix& pattern);

  // For any h, s, with the present tangents. False if the matrix is singular.
  bool factorize(double h, double gamma);
  // All vectors over the free unknowns. Allocates nothing.
  void solve(const VectorX& b, const VectorX& d, double dt, VectorX& u);

  // What the last solve() found: p, w/s (size 0 without constraint equations), and the change of multipliers, nu.
  double s() const { return s_; }
  const VectorX& solution() const { return rhs_; }  // p first
  VectorX::ConstSegmentReturnType w() const {
    return rhs_.segment(places_.unknowns, places_.equations > 0 ? places_.unknowns : 0);
  }
  VectorX::ConstSegmentReturnType nu() const { return rhs_.segment(3 * places_.unknowns, places_.equations); }

 private:
  struct Entry {  // of the descriptor: factor of a value of a matrix
    enum Source : char { A, C, M, BT, B, Z, A14, A2, one, lift, hold } source;
    int place;  // of a value of the system's pattern, or an index
  };
  struct Placed {
    int row;
    int column;
    Entry entry;
  };
  // Pattern and entries, once.
  void make();
  void add_node_entries_to(std::vector<Placed>& all) const;
  void add_constraint_entries_to(std::vector<Placed>& all) const;
  double value_of(const Entry& entry) const;
  void set_values();

  const JacobianPlaces& places_;
  const Lift& lift_;
  const StageTangents& tangents_;
  const assembly::SparseMatrix& system_pattern_;
  assembly::SparsePattern pattern_;
  std::optional<assembly::SparseMatrix> matrix_;  // made at the first factorization
  std::optional<assembly::LinearSolver> solver_;
  std::vector<Entry> entries_;
  VectorX rhs_;
  VectorX inertial_;  // h d + h gamma^2 b
  double h_ = 0;
  double gamma_ = 0;
  double s_ = 0;
};

}  // namespace polhode::integrators
