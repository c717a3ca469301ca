// SPDX-License-Identifier: BSD-3-Clause
// The model made computable: numbered unknowns, sparsity pattern, element batches; residual, iteration matrix,
// constraint rates.
//
// Unknowns: the free components of each node (three translations, three rotations), then the multipliers, one a
// constraint row.
//   r(q, v, vdot, lambda, t) = M vdot + g + B^T lambda   BCA12 eq. (33),   Phi(q, t)
#pragma once
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "polhode/assembly/sparse.hpp"
#include "polhode/model/batch_base.hpp"
#include "polhode/model/builder.hpp"

namespace polhode::assembly {

using model::Factors;
using model::State;
using model::Vec6;
using model::VectorX;

// Residual of a state: per node (removed components hold the reaction of the support), and of the constraints.
struct Residual {
  std::vector<Vec6> force;  // N in the inertial frame, N m in the node's frame
  VectorX phi;
};

class System {
 public:
  // Numbers the model's unknowns and builds its elements. Problems go to `problems`; empty on any.
  // Keeps a reference to `model`.
  static std::optional<System> make(const model::Model& model, model::Problems& problems);

  const model::Model& model() const { return *model_; }
  std::size_t nodes() const { return nodes_.size(); }  // with the ground, index 0
  const model::NodeData& node(std::size_t i) const { return nodes_[i]; }
  const std::vector<model::NodeUnknowns>& unknowns() const { return unknowns_; }
  int free_unknowns() const { return free_; }  // k
  int rows() const { return rows_; }           // m
  int size() const { return free_ + rows_; }
  std::size_t elements() const;
  const std::vector<std::unique_ptr<model::BatchBase>>& batches() const { return batches_; }
  const std::vector<model::BeamTopology>& beams() const { return beams_; }
  const std::vector<model::JointTopology>& joints() const { return joints_; }
  const std::vector<model::BodyTopology>& bodies() const { return bodies_; }
  double length() const { return length_; }  // diagonal of the box around all nodes and joint points, m; 1 if that is 0

  // "nodes.centre: force x", "beams.arm node 7: moment y", "joints.pivot: position x"
  std::string name_of(int unknown) const;
  int entry_of_row(int row) const;  // index into Model::entries
  bool row_is_length(int row) const;

  State initial_state() const;  // as the deck states it; accelerations and multipliers zero
  model::Context context(const State& q) const { return {q.t, q.load_factor * model_->gravity, q.load_factor}; }

  SparseMatrix make_matrix() const;  // of the iteration matrix, values zero; refers to this system's pattern
  Residual make_residual() const;

  // All functions below allocate nothing.
  void set_residual(const State& q, Residual& r, model::Parts parts = {}) const;
  // M vdot of a state whose velocities are zero: without gravity and all other forces. Phi is left as it is.
  void set_inertia_forces(const State& q, Residual& r) const;
  // [ scale (M F_m + C F_c + K F_k)  B^T ; B F_b  0 ]
  void set_matrix(const State& q, const Factors& factors, double scale, SparseMatrix& matrix) const;
  // Adds D_q (B v + Phi_t) F_b in the place of B F_b.
  void add_velocity_tangents_to(const State& q, const Factors& factors, SparseMatrix& matrix) const;
  // B v, Phi_t, and Gamma of B vdot + Gamma = 0; each of size rows().
  void set_rates(const State& q, VectorX& Bv, VectorX& phi_t, VectorX& gamma) const;

  // Rows that follow from others may be left out of the equations (`constraints: {redundant: resolve}`): set_matrix()
  // then gives them the rows and columns of the identity, gather() zeros.
  void leave_out(std::vector<int> rows);
  const std::vector<int>& left_out() const { return left_out_; }
  int revision() const { return revision_; }        // grows with each leave_out()
  void clear_left_out(VectorX& vector) const;       // zero in their places of a vector of size()
  void clear_left_out(SparseMatrix& matrix) const;  // their rows and columns become those of the identity
  void set_matrix_of_all_rows(const State& q, const Factors& factors, double scale, SparseMatrix& matrix) const;

  double force_norm(const Residual& r) const;                                 // Euclidean, over free components
  void gather(const Residual& r, double force_scale, VectorX& vector) const;  // [scale r; Phi]
  void scatter(const VectorX& vector, std::vector<Vec6>& nodal) const;        // removed components zero

  int mirrored_entry(
      const State& q) const;  // joint in a mirrored position (contract.hpp): index into Model::entries, or -1
  model::Energies energies(const State& q) const;
  double power(const State& q) const;  // of loads, dampers and drives, W
  void initialize_history(State& q) const;
  void update_history(State& q) const;
  std::vector<double> breakpoints(double t0, double t1) const;  // ascending

 private:
  void number_unknowns();
  void make_pattern();
  std::vector<int> place_blocks();
  void set_slots();
  const model::BatchBase* batch_of_row(int row) const;
  // Nodes without mass that nothing holds become problems, but for those named in `unsure`.
  void check_masses(const std::set<std::string, std::less<>>& unsure, model::Problems& problems) const;

  const model::Model* model_ = nullptr;
  std::vector<model::NodeData> nodes_;
  std::vector<model::NodeUnknowns> unknowns_;
  std::vector<std::unique_ptr<model::BatchBase>> batches_;
  std::vector<model::BeamTopology> beams_;
  std::vector<model::JointTopology> joints_;
  std::vector<model::BodyTopology> bodies_;
  int free_ = 0;
  int rows_ = 0;
  int history_ = 0;
  int revision_ = 0;
  double length_ = 1;
  // rows, and the values of the matrix that this concerns
  std::vector<int> left_out_;
  std::vector<int> zeros_;
  std::vector<int> ones_;
  SparsePattern pattern_;
  // The pattern by blocks (nodes, then groups of rows): neighbours ascending, and where the values of each begin.
  std::vector<int> block_first_;
  std::vector<int> block_count_;
  std::vector<std::vector<int>> neighbours_;
  std::vector<std::vector<int>> places_;
  int values_of_nodes_ = 0;  // values that are kept with nodes, and cleared by batches; those of rows follow
};

}  // namespace polhode::assembly
