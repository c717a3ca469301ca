// SPDX-License-Identifier: BSD-3-Clause
// The stabilized index-2 formulation: position and velocity constraints both hold at the end of each step.
//
// Arnold, Brüls & Cardona, Numer. Math. 129 (2015) 149-179. Beside the equations of lie_alpha, multipliers eta correct
// the increment of the configuration:
//
//   h Dq_n + p = h v_n + (1/2 - beta) h^2 a_n + beta h^2 a_{n+1},   p = B(q_n)^T h eta
//   r(q_{n+1}, v_{n+1}, vdot_{n+1}, lambda_{n+1}) = 0
//   Phi(q_{n+1}, t_{n+1}) = 0
//   B(q_{n+1}) v_{n+1} + Phi_t = 0
//
// v, vdot and a follow y = h Dq_n + p as they follow h Dq_n in lie_alpha: dv = gamma' dy, dvdot = beta' dy. With
// dx = d(h Dq_n), dy = dx + dp, velocity rows times s = beta h/gamma = 1/gamma', and T the tangent operator:
//
//   [ A          A_0   B^T   0     ] [ dx               ]     [ beta h^2 r      ]
//   [ 0          I     0    -B_n^T ] [ dp               ]     [ 0               ]
//   [ B T        0     0     0     ] [ beta h^2 dlambda ] = - [ Phi             ]
//   [ B + s Z T  B     0     0     ] [ h deta           ]     [ s (B v + Phi_t) ]
//
// with A_0 = beta h^2 (M beta' + C gamma'), A = A_0 + beta h^2 K T, Z = D_q(B v + Phi_t). For h -> 0 this tends to a
// regular matrix that has no h in it, so that neither its condition nor the iteration count depends on h. Only nodes
// that constraints touch have a p; all blocks are local to elements. Row two holds at all iterates, since p starts from
// zero. Row three is subtracted from row four before the solution: elimination by blocks then finds regular pivots for
// lambda and eta in whatever order they come, for h -> 0 -B A^-1 B^T and B B_n^T.
#pragma once
#include "polhode/integrators/generalized_alpha/step_equations.hpp"

namespace polhode::integrators {

class Index2Equations final : public StepEquations {
 public:
  Index2Equations(const assembly::System& system, const AlphaParameters& parameters);

  void begin(const State& old, double h) override;
  void evaluate(const State& next) override;
  double constraint_norm() const override;  // of Phi and s (B v + Phi_t) together
  bool linearize(const State& next, Scheme& scheme) override;
  bool advance(const State& old, State& next, Scheme& scheme) override;
  bool solve_again(const assembly::Residual& force, const model::VectorX& velocity, std::vector<Vec6>& x) override;
  std::span<const Vec6> dynamic_increment() const override { return dy_; }
  const assembly::LinearSolver& linear_solver() const override { return solver_; }
  std::string singular_place() const override;

 private:
  // Entries of the matrix above that come from entries of a matrix of the system.
  struct Copy {
    int from;
    int to;
  };
  struct Difference {
    // `less` is one of the matrix above
    int from;
    int less;
    int to;
  };
  assembly::SparsePattern make_pattern();
  int entry(int row, int column) const;
  void set_copies();
  void set_p_of_eta();

  // From [A B^T; B T 0], from [A_0 .; B 0], from the columns of B_n^T, and from the rows of B + s Z T.
  std::vector<Copy> first_;
  std::vector<Copy> second_;
  std::vector<Copy> normal_;
  std::vector<Difference> velocity_;
  std::vector<int> p_place_;  // by free unknown: its p among the unknowns; -1 without
  int first_lambda_ = 0;
  int first_eta_ = 0;
  double s_ = 0;
  assembly::SparsePattern pattern_;
  assembly::SparseMatrix all_;
  assembly::LinearSolver solver_;
  model::VectorX Bv_;
  model::VectorX phi_t_;
  model::VectorX gamma_;
  model::VectorX rhs_;
  model::VectorX system_rhs_;
  std::vector<Mat3> s_T_;
  std::vector<Vec6> dp_;
  std::vector<Vec6> dy_;
};

}  // namespace polhode::integrators
