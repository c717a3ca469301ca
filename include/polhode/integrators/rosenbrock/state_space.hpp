// SPDX-License-Identifier: BSD-3-Clause
// The state-space form of a model for the length of a step: a chart about the state q_n, and coordinates in it modulo
// what the constraints decide.
//
//   q(theta) = q_n exp(theta),  v = T(theta) thetadot,  thetaddot = f(theta, thetadot, t)
//
// theta and thetadot count modulo the range of a lift V = S B_n^T, with S symmetric, positive semidefinite, by blocks
// of nodes: what has to be added to a vector such that it meets the constraints is V s. So no basis of the tangent
// space is needed: any vector over the free unknowns stands for its class, and redundant rows are simply left out.
//   weighted    S = W^-1, W = L (I + Q_+) L^T, L L^T = M, Q = L^-1 (h sym C + h^2 sym K) L^-T by nodes: stiff
//               directions are heavy, so that stiff forces are (nearly) linear in the rest
//   mass        S = M^-1 by nodes
//   partition   S = 1 for dependent unknowns, 0 for independent ones; pivoted on B at the state where it is chosen
#pragma once
#include <functional>
#include <optional>

#include "polhode/assembly/linear/linear_solver.hpp"
#include "polhode/assembly/system.hpp"
#include "polhode/integrators/settings.hpp"

namespace polhode::integrators {

using model::Mat3;
using model::State;
using model::Vec3;
using model::Vec6;
using model::VectorX;

class StateSpace {
 public:
  StateSpace(const assembly::System& system, Coordinates coordinates);

  // Makes accelerations and multipliers of `q` consistent at time t (of the loads and drives: an instant after q.t
  // where they jump there), and the velocities meet the constraints. False if that is impossible.
  bool make_consistent(State& q, double t);
  // A chart about `q`, which has to be consistent. `h`: of the weights. False if the position is singular.
  bool begin(const State& q, double h);
  // Loads and drives have a kink or a jump at this time: what stages want to know of them beyond is extrapolated.
  void stop_at(double t) { limit_ = t; }

  // f: positions and velocities that meet the constraints to round-off in the classes of z and zd, and F = thetaddot.
  // False if no such positions are found.
  bool evaluate(const VectorX& z, const VectorX& zd, double t, VectorX& F);
  const State& evaluated() const { return stage_; }  // the state of the last evaluation, history aside

  // Tangents at the chart's origin; `h` is the step to come (of differences in time).
  void linearize(double h);
  // Multiplies what tangents there are of forces and curvature, entry by entry: to try methods that allow for it.
  void disturb_tangents(const std::function<double()>& factor);
  // The matrix of the stages, for any h and with the tangents of the last linearize(). False if it is singular.
  bool factorize(double h, double gamma);
  // (I/gamma - h J2 - h^2 gamma J1) u = b + h^2 J1 d + h dt f_t, modulo the lift; J1, J2, f_t derivatives of f by
  // theta, thetadot, t at the origin.
  void solve(const VectorX& b, const VectorX& d, double dt, VectorX& u);

  // Power of loads, dampers and drives, W: at the last evaluation (beyond the limit extrapolated, as they are), at the
  // origin, and the derivative of the latter along what the last solve() found: (h (d + gamma u), u, dt).
  double power();
  double origin_power() const { return system_.power(origin_); }
  double power_change(const VectorX& u, double dt, double origin_power);

  // Replaces e by the vector of its class that keeps to the constraints at the origin, or, with a partition, takes away
  // what is dependent.
  void represent(VectorX& e);
  bool counts(int unknown) const { return coordinates_ != Coordinates::partition || independent_[unknown]; }
  int counted() const;  // unknowns that count: all, or the independent ones

  const std::vector<math::Mat6>& weights() const { return S_; }                  // S by node, over its free unknowns
  double pivot_ratio() const { return origin_solver_->smallest_pivot_ratio(); }  // of the constraints at the origin
  int partitions() const { return partitions_; }              // how often independent unknowns were chosen
  double constraint_violation() const { return violation_; }  // of the last evaluation, relative to the model
  double velocity_violation();                                // of the same, 1/s
  long evaluations() const { return evaluations_; }
  int free_unknowns() const { return n_; }

 private:
  struct NodeColumn {  // entries of a node in a column of B^T
    int node;
    int entry;
  };
  struct Row {  // of an entry (row, column) of B^T, the places of it and of its counterpart in B
    int place;
    int mirror;
    int row;
  };
  void find_places();
  void find_colours();
  void choose_partition(const State& q);
  void set_weights(const State& q, double h);
  void set_lift(const assembly::SparseMatrix& matrix);
  void set_projection(const assembly::SparseMatrix& matrix, assembly::SparseMatrix& projection) const;
  void set_saddle(const assembly::SparseMatrix& matrix);
  bool factorize_at(const State& q, std::span<const Mat3> T, bool at_origin);
  void correct(assembly::LinearSolver& solver, const VectorX& violation, std::vector<Vec6>& change);
  double amplification();
  bool place(double t);  // stage_ at theta_
  bool meet_positions(double t);
  void accelerate();
  void add_curvature_tangents();
  template <class Function>
  void at_time(State& q, const Function& f);  // f(weight, first), once or at the points of an extrapolation
  void set_phi(State& q);
  void set_forces(State& q);
  void set_rates(State& q);
  void gather(const std::vector<Vec6>& nodal, VectorX& vector) const;
  void make_descriptor();
  void set_descriptor(double h, double gamma);

  const assembly::System& system_;
  Coordinates coordinates_;
  int n_;
  int m_;
  double limit_ = HUGE_VAL;

  State origin_;
  State stage_;
  std::vector<Vec6> theta_;
  std::vector<Vec6> thetad_;
  std::vector<Vec6> change_;
  std::vector<Mat3> T_;
  std::vector<Mat3> identity_;
  std::vector<Mat3> H_;
  std::vector<Mat3> D2_;
  std::vector<Mat3> work3_;
  std::vector<char> kept_;  // by constraint equation: not dropped
  int revision_ = -1;

  // Of the pattern of the system.
  std::vector<NodeColumn> columns_;
  std::vector<Row> rows_;
  std::vector<int> inner_;                  // places of the entries over the free unknowns
  std::vector<int> diagonal_;               // of their diagonal
  std::vector<int> row_diagonal_;           // places of the diagonal of the rows
  std::vector<std::array<int, 36>> node_;   // places of the block of each node, -1 where removed
  std::vector<std::vector<int>> colours_;   // nodes of joints, no two of one joint in the same
  // of B by columns: entries of rows_
  std::vector<int> column_start_;
  std::vector<int> row_of_;

  assembly::SparseMatrix matrix_;
  assembly::SparseMatrix at_origin_;
  assembly::SparseMatrix local_;
  assembly::SparseMatrix saddle_matrix_;
  std::vector<double> lift_;   // values of S B_n^T, by rows_
  std::vector<math::Mat6> S_;  // by node, over its free unknowns
  std::optional<assembly::LinearSolver> origin_solver_;
  std::optional<assembly::LinearSolver> local_solver_;
  std::optional<assembly::LinearSolver> saddle_;
  assembly::Residual residual_;
  assembly::Residual part_;
  VectorX Bv_;
  VectorX phi_t_;
  VectorX gamma_;
  VectorX Bv1_;
  VectorX phi_t1_;
  VectorX gamma1_;
  VectorX vector_;
  VectorX rows_vector_;

  // Tangents.
  assembly::SparseMatrix M_;
  assembly::SparseMatrix C_;
  assembly::SparseMatrix K_;
  assembly::SparseMatrix Z_;
  assembly::SparseMatrix A1_;
  VectorX r_t_;
  VectorX Phi_t_;
  VectorX b_t_;
  VectorX a_t_;
  assembly::SparsePattern descriptor_pattern_;
  std::optional<assembly::SparseMatrix> descriptor_;
  std::optional<assembly::LinearSolver> descriptor_solver_;
  struct Entry {  // of the descriptor: factor of a value of a matrix
    enum Source : char { A, C, M, BT, B, Z, A14, A2, one, lift, hold } source;
    int place;  // of a value of the system's pattern, or an index
  };
  std::vector<Entry> entries_;
  VectorX rhs_;
  VectorX Md_;
  VectorX product_;
  double h_ = 0;
  double gamma_coefficient_ = 0;

  std::vector<char> independent_;
  double amplification_ = 0;  // of a probe, independent to dependent, when the partition was chosen
  int partitions_ = 0;
  double violation_ = 0;
  long evaluations_ = 0;
};

}  // namespace polhode::integrators
