// SPDX-License-Identifier: BSD-3-Clause
// The stabilized index-2 formulation: position and velocity constraints both hold at the end of each step.
//
// Arnold, Brüls & Cardona, Numer. Math. 129 (2015) 149-179. Beside the equations of lie_alpha, multipliers eta correct
// the increment of the configuration:
//
//   h Dq_n + p = h v_n + (1/2 - beta) h^2 a_n + beta h^2 a_{n+1},   p = W^-1 B(q_n)^T h eta
//   r(q_{n+1}, v_{n+1}, vdot_{n+1}, lambda_{n+1}) = 0
//   Phi(q_{n+1}, t_{n+1}) = 0
//   B(q_{n+1}) v_{n+1} + Phi_t = 0
//
// v, vdot and a follow y = h Dq_n + p as they follow h Dq_n in lie_alpha: dv = gamma' dy, dvdot = beta' dy. With
// dx = d(h Dq_n), dy = dx + dp, velocity rows times s = beta h/gamma = 1/gamma', and T the tangent operator:
//
//   [ A          A_0   B^T   0     ] [ dx               ]     [ beta h^2 r      ]
//   [ 0          I     0    -N     ] [ dp               ]     [ 0               ]
//   [ B T        0     0     0     ] [ beta h^2 dlambda ] = - [ Phi             ]
//   [ B + s Z T  B     0     0     ] [ h deta           ]     [ s (B v + Phi_t) ]
//
// with A_0 = beta h^2 (M beta' + C gamma'), A = A_0 + beta h^2 K T, Z = D_q(B v + Phi_t), N = W^-1 B_n^T. (In the
// spatial frame the unknowns are T dx and E^T dp in the place of dx and dp, A = beta h^2 (M F_m + C F_c + K), row four
// begins with s B F_c + s Z, and N is turned to E^T N.) W has 1 for translations and l^2 for rotations, with l twice
// the largest distance of nodes and joint points from their mean, m (System::length() where these are all at one place,
// or where the deck has `size`): the motion is the same in any unit of length and in any inertial frame (W = I, the
// common choice, is that of l = 1 m). For h -> 0 this tends to a regular matrix that has no h in it, so that neither
// its condition nor the iteration count depends on h. Only nodes that constraints touch have a p, and of those most
// rigid bodies have it eliminated beforehand (index2_layout.hpp): with dp = N h deta the columns of p turn into A_0 N
// and B N in those of eta. All blocks are local to elements or to a node and its joints. Row two holds at all iterates,
// since p starts from zero. Row three is subtracted from row four before the solution: elimination by blocks then finds
// regular pivots for lambda and eta in whatever order they come, for h -> 0 -B A^-1 B^T and B N. Rows of forces, and
// with them lambda, are divided by a mass of the model, so that no block is tiny against those that it is coupled with.
#pragma once
#include "polhode/integrators/generalized_alpha/index2_matrix.hpp"
#include "polhode/integrators/generalized_alpha/step_equations.hpp"

namespace polhode::integrators {

// Without constraints make_equations takes the equations of lie_alpha instead.
class Index2Equations final : public StepEquations {
 public:
  Index2Equations(const assembly::System& system, const AlphaParameters& parameters);

  // N is of the configuration that the step starts from, hence set here.
  void begin(const State& old, double h) override;
  void evaluate(const State& next) override;
  // Of Phi and s (B v + Phi_t) together.
  assembly::System::Norms norms() const override;
  // Of the system's matrix with all of its parts, of M and C alone, and of rows.
  bool linearize(const State& next, Scheme& scheme) override;
  bool advance(const State& old, State& next, Scheme& scheme) override;
  bool solve_again(const assembly::Residual& force, const model::VectorX& velocity, std::vector<Vec6>& x) override;
  void add_p_again(std::span<Vec6> x) override;
  std::span<const double> multipliers_again() const override;
  double scale_again() const override { return 1 / mass_; }
  // dx + dp: what v and vdot follow.
  std::span<const Vec6> dynamic_increment() const override { return dy_; }
  const assembly::LinearSolver& linear_solver() const override { return solver_; }
  std::string singular_place() const override;

 private:
  // Of that part of the matrix, at the iterate of the last evaluation; how the system sets values of its own matrix, and
  // adds to its rows.
  template <class SetMatrix, class AddVelocityTangents>
  void set_values(const Factors& factors, const Factors& dynamic, const SetMatrix& set_matrix,
                  const AddVelocityTangents& add_velocity_tangents, Index2Matrix::Part part);
  // Of the last evaluation.
  void set_rhs();
  // Sets dp by the last solution.
  void set_dp();

  // With W^-1 by free unknown: 1, or 1/l^2 in 1/m^2
  Index2Matrix all_;
  // kg; rows of forces are divided by it
  double mass_;
  // 1/gamma', s
  double s_ = 0;
  assembly::LinearSolver solver_;
  // s (B v + Phi_t) of the last evaluation
  model::VectorX Bv_;
  model::VectorX phi_t_;
  model::VectorX rhs_;
  // linearize() has solved for rhs_ on the way
  bool is_solved_ = false;
  model::VectorX system_rhs_;
  std::vector<Mat3> s_T_;
  std::vector<Vec6> dp_;
  std::vector<Vec6> dy_;
};

}  // namespace polhode::integrators
