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
// (w by s, z and nu by s^2), and u = (p - h d)/s. Rows of forces are divided by Lift::mass(), and nu with them. Where
// M V = mass() B^T (Lift::is_of_mass) M z is B^T times multipliers, too: z, x and their equations fall away, and nu is
// less than the change of multipliers by x.
#pragma once
#include <optional>
#include <vector>

#include "polhode/assembly/linear/linear_solver.hpp"
#include "polhode/integrators/rosenbrock/lift.hpp"
#include "polhode/integrators/rosenbrock/stage_layout.hpp"
#include "polhode/integrators/rosenbrock/stage_tangents.hpp"

namespace polhode::integrators {

class StageSystem {
 public:
  // `pattern`: a matrix of the system. `with_accelerations`: whether changes of accelerations and multipliers are asked
  // for, or tangents are not of the state of the lift. Keeps references.
  StageSystem(const JacobianPlaces& places, const Lift& lift, const StageTangents& tangents,
              const assembly::SparseMatrix& pattern, bool with_accelerations = true);

  // For any h, s, with the present tangents and lift. False if the matrix is singular. Allocates at the first call, and
  // where forces between two nodes depend on velocities, or z is needed, for the first time.
  bool factorize(double h, double gamma);
  // All vectors over the free unknowns. Allocates nothing.
  void solve(const VectorX& b, const VectorX& d, double dt, VectorX& u);
  // Both, by less memory traffic.
  bool factorize_and_solve(double h, double gamma, const VectorX& b, const VectorX& d, double dt, VectorX& u);
  // What a unit of a state of signals makes: forces over the free unknowns, and changes of the constraints, their rates
  // and accelerations.
  struct Unit {
    VectorX force;
    VectorX Phi;
    VectorX b;
    VectorX a;
  };
  // Solves for unit `j` of so many, and keeps what was found until the next factorization. `u` with what so much of each,
  // `k`, makes of it is that of the last solve().
  void keep_answer(Eigen::Index j, Eigen::Index count, const Unit& unit);
  void add_answers(const VectorX& k, const VectorX& d, VectorX& u);
  // Change of thetadot over the free unknowns as constraints have it, of the last solution.
  void set_rates(VectorX& thetad) const;
  // The same of thetaddot, and of multipliers: what the solution adds to those of the argument of its stage. Only of a
  // system with accelerations.
  void set_accelerations(VectorX& thetadd) const;
  void set_multipliers(VectorX& lambda) const;

  bool has_multipliers() const { return layout_->has_accelerations; }
  // What the last solve() found: p, w/s (over the free unknowns), and the change of multipliers, nu.
  double s() const { return s_; }
  const VectorX& solution() const { return rhs_; }  // p first
  const VectorX& w() const { return w_; }
  VectorX::ConstSegmentReturnType nu() const { return rhs_.segment(layout_->first_nu, places_.equations); }
  // Of the last factorization: by blocks, whose cost grows with the number of bodies.
  bool uses_blocks() const { return solver_ && solver_->uses_blocks(); }

 private:
  // Pattern, copies and solver: at first, and when forces turn out to depend on rates where they did not before, or
  // that z is needed.
  void make();
  bool has_new_rates() const;
  bool has_other_multipliers() const;
  bool needs_accelerations() const;
  void begin(double h, double gamma);
  void set_rhs(const VectorX& b, const VectorX& d, double dt);
  void set_values();
  void drop_rows();
  void set_force_rows(const VectorX& d, double dt);
  void set_constraint_rows(const VectorX& d, double dt);
  // Of so much of what constraints, their rates and accelerations have these derivatives by.
  void set_derivative_rows(double part, const VectorX& Phi, const VectorX& b, const VectorX& a);
  void clear_dropped_rows();
  // w and u of a solution of the matrix.
  void take_solution(const VectorX& d, VectorX& u);

  const JacobianPlaces& places_;
  const Lift& lift_;
  const assembly::SparseMatrix& M_;  // of the lift's last update
  const StageTangents& tangents_;
  const assembly::SparseMatrix& system_pattern_;
  // By value of the system's matrix: forces there have depended on velocities or accelerations
  std::vector<char> by_rates_;
  bool with_accelerations_;  // from the first time on that they are needed
  // Made at the first factorization
  std::optional<StageLayout> layout_;
  std::optional<assembly::SparseMatrix> matrix_;
  std::optional<assembly::LinearSolver> solver_;
  VectorX rhs_;
  VectorX inertial_;  // h d + h gamma^2 b
  VectorX w_;
  VectorX u_;               // of the last solution
  model::MatrixX answers_;  // solutions of the matrix, by states of signals
  double h_ = 0;
  double gamma_ = 0;
  double s_ = 0;
};

}  // namespace polhode::integrators
