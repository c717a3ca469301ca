// SPDX-License-Identifier: BSD-3-Clause
// The model made computable: numbered unknowns, sparsity pattern, element batches; residual, iteration matrix,
// constraint rates.
//
// Unknowns: the free components of each node (three translations, three rotations), then the multipliers, one a
// constraint row.
//   r(q, v, vdot, lambda, t) = M vdot + g + B^T lambda   BCA12 eq. (33),   Phi(q, t)
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "polhode/assembly/sections.hpp"
#include "polhode/assembly/signal_network.hpp"
#include "polhode/assembly/sparse.hpp"
#include "polhode/model/batch_base.hpp"
#include "polhode/model/builder.hpp"

namespace polhode::assembly {

using model::DroppedConstraints;
using model::Factors;
using model::State;
using model::Vec6;
using model::VectorX;

// Residual of a state: per node (removed components hold the reaction of the support), and of the constraints.
struct Residual {
  // By node: N in the inertial frame, N m in the node's frame
  std::vector<Vec6> force;
  // m and rad, one a constraint equation
  VectorX phi;
};

// Nothing changes a system once it is made: constraint equations that are dropped on the way belong to the state.
class System {
 public:
  // Numbers the model's unknowns and builds its elements, signals in that form. Problems go to `problems`; empty on
  // any. Keeps a reference to `model`.
  static std::optional<System> make(const model::Model& model, model::Problems& problems,
                                    const model::SignalForm& form = {});

  const model::Model& model() const { return *model_; }
  const model::SignalForm& signal_form() const { return form_; }
  // With the ground, index 0.
  std::size_t nodes() const { return nodes_.size(); }
  // Nodes as results count them, without the ground: those of the deck, then those inside of beams, as the deck has
  // them. The system may number them in another order (model/node_order.hpp).
  std::span<const int> node_axis() const { return node_axis_; }
  const model::NodeData& node(std::size_t i) const { return nodes_[i]; }
  // By node.
  const std::vector<model::NodeUnknowns>& unknowns() const { return unknowns_; }
  // k, of nodes; m, constraint equations; k + m.
  int free_unknowns() const { return free_; }
  int rows() const { return rows_; }
  int size() const { return free_ + rows_; }
  std::size_t elements() const;
  const std::vector<std::unique_ptr<model::BatchBase>>& batches() const { return batches_; }
  const std::vector<model::BeamTopology>& beams() const { return beams_; }
  const std::vector<model::JointTopology>& joints() const { return joints_; }
  const std::vector<model::BodyTopology>& bodies() const { return bodies_; }
  // m: `size` of the deck; else the diagonal of the box around all nodes and joint points; where these are all at one
  // place, the extent of its bodies (box of their centers, and twice the largest radius of gyration), else of the points
  // that springs, bushings and other forces act at, else the way of the fastest node over all analyses; else 1.
  double length() const { return length_; }
  // False where it is that 1.
  bool length_is_known() const { return length_is_known_; }

  // "nodes.center: force x", "beams.arm node 7: moment y", "joints.pivot: position x"; 0 <= unknown < size().
  std::string name_of(int unknown) const;
  // Index into Model::entries; 0 <= row < rows().
  int entry_of_row(int row) const;
  // Its violation is in m; else without unit (rad).
  bool row_is_length(int row) const { return row_is_length_[static_cast<std::size_t>(row)] != 0; }

  // As the deck states it; accelerations and multipliers zero. Dropped are the constraint equations of all locks: none
  // holds yet. Joints are together.
  State initial_state() const;
  // Time, gravity (m/s^2), load factor and signals as elements see them; until the next call where there are signals.
  model::Context context(const State& q) const {
    return {
        q.t, q.load_factor * model_->gravity, q.load_factor, nullptr, signals_.values(q), signals_.moving_values(q)};
  }
  const SignalNetwork& signals() const { return signals_; }
  // In the order of the deck, what analyses do at their start, and the coordinates that all of these hold or release.
  const std::vector<model::Event>& events() const { return events_; }
  const std::vector<model::Event>& starts() const { return starts_; }
  const std::vector<model::Lock>& locks() const { return locks_; }
  // Constraint equations of a joint that events or analyses take apart, ascending; `entry`: index into Model::entries.
  const std::vector<int>& rows_of_joint(int entry) const { return joint_rows_.at(entry); }

  // Of the iteration matrix, values zero; refers to this system's pattern.
  SparseMatrix make_matrix() const;
  // Zero, of the sizes of this system.
  Residual make_residual() const;

  // The functions from here to gather() and scatter() allocate nothing. States, residuals and matrices have to be those
  // of this system, vectors of the sizes that are given.

  // r(q, v, vdot, lambda, t) and Phi(q, t), or the parts of them that are asked for: what is not leaves zeros in the
  // forces, and Phi as it is.
  void set_residual(const State& q, Residual& r, model::Parts parts = {}) const;
  // M vdot of a state whose velocities are zero: without gravity and all other forces. Phi is left as it is.
  void set_inertia_forces(const State& q, Residual& r) const;
  // [ scale (M F_m + C F_c + K F_k)  B^T ; B F_b  0 ], but for the constraint equations that the state drops. `values`:
  // as many as a matrix of make_matrix() has, and in its order.
  void set_matrix(const State& q, const Factors& factors, double scale, std::span<double> values) const;
  void set_matrix(const State& q, const Factors& factors, double scale, SparseMatrix& matrix) const {
    set_matrix(q, factors, scale, matrix.values);
  }
  // The same without regard to dropped constraint equations.
  void set_matrix_of_all_rows(const State& q, const Factors& factors, double scale, std::span<double> values) const;
  void set_matrix_of_all_rows(const State& q, const Factors& factors, double scale, SparseMatrix& matrix) const {
    set_matrix_of_all_rows(q, factors, scale, matrix.values);
  }
  // By sections, for who goes on with what a section has written while the cache holds it. Values of a node are whole
  // behind the last section that touches it, those of constraint rows in their own. Not of systems with signals or with
  // constraint equations that may be dropped: both touch values apart from all sections.
  const Sections& sections() const { return sections_; }
  // All nodes, the ground included, as threads take them in loops over nodes: those of a run of sections together; and
  // all constraint equations, in as many lots.
  const math::IndexLots& node_lots() const { return node_lots_; }
  const math::IndexLots& row_lots() const { return row_lots_; }
  bool has_whole_sections() const {
    return signals_.empty() && values_of_nodes_ == static_cast<int>(pattern_.values());
  }
  // Sets the rows B of the section alone, those of dropped equations, too; all else is left as it is.
  void set_rows_of_section(std::size_t section, const State& q, std::span<double> values) const;
  void set_matrix_of_section(std::size_t section, const State& q, const Factors& factors, double scale,
                             std::span<double> values) const;
  void add_velocity_tangents_of_section(std::size_t section, const State& q, const Factors& factors,
                                        std::span<double> values) const;
  // Adds D_q (B v + Phi_t) F_b in the place of B F_b; where drives follow signals also what these do through velocities
  // (F_c) and multipliers, which are among the unknowns times `force_scale`.
  void add_velocity_tangents_to(const State& q, const Factors& factors, double force_scale,
                                std::span<double> values) const;
  void add_velocity_tangents_to(const State& q, const Factors& factors, SparseMatrix& matrix) const {
    add_velocity_tangents_to(q, factors, 1, matrix.values);
  }
  // B v, Phi_t, and Gamma of B vdot + Gamma = 0; each of size rows(), in the units of Phi per s and s^2.
  void set_rates(const State& q, VectorX& Bv, VectorX& phi_t, VectorX& gamma) const;
  // The first two of them, for much less.
  void set_velocity_rates(const State& q, VectorX& Bv, VectorX& phi_t) const;

  // Dropped constraint equations: zeros in a vector of size(), rows and columns of the identity in a matrix.
  // The model has to say `redundant: resolve`, or to have locks or joints that come apart, if there are any: else the
  // pattern has no room for the ones.
  void clear_dropped(const DroppedConstraints& dropped, VectorX& vector) const;
  void clear_dropped(const DroppedConstraints& dropped, std::span<double> values) const;
  void clear_dropped(const DroppedConstraints& dropped, SparseMatrix& matrix) const {
    clear_dropped(dropped, matrix.values);
  }

  // Euclidean: of forces over free components, N and N m; of Phi, m and rad.
  struct Norms {
    double force;
    double phi;
  };
  Norms norms(const Residual& r) const;
  double force_norm(const Residual& r) const { return norms(r).force; }
  // [force_scale r; phi_scale Phi] of size(), with zeros for dropped constraint equations.
  void gather(const Residual& r, const DroppedConstraints& dropped, double force_scale, VectorX& vector,
              double phi_scale = 1) const;
  // The leading free_unknowns() numbers of `vector` by node; removed components zero. `nodal` has the size nodes().
  void scatter(const VectorX& vector, std::vector<Vec6>& nodal) const;
  // The same of a vector of size(). False if one of its numbers is not finite.
  bool scatter_finite(const VectorX& vector, std::vector<Vec6>& nodal) const;

  // Index into Model::entries of a joint on the flipped branch (contract.hpp), or -1.
  int mirrored_entry(const State& q) const;
  // The first element that turns past the bound of its rotation vector (contract.hpp) from one state to the next; of one
  // state alone, such as a start, where both are the same. Allocates only if there is one.
  struct PastBound {
    // "beams.shaft, element 3"; "" if there is none
    std::string element{};
    // Of a beam: by which two of its nodes are turned against each other since the initial configuration, the largest,
    // rad. Of others, which turn by more than the half turn that two orientations tell, 0.
    double turn = 0;
    bool found() const { return !element.empty(); }
    // "turned by 171 degrees against each other"
    std::string turn_text() const;
  };
  PastBound past_bound(const State& before, const State& now) const;
  // J.
  model::Energies energies(const State& q) const;
  // Of loads, dampers and drives, W.
  double power(const State& q) const;
  // Internal variables (State::history) of the initial state; those after a step, from the ones before it.
  void initialize_history(State& q) const;
  void update_history(State& q) const;
  // Times in (t0, t1) at which functions of time have kinks or jumps, ascending.
  std::vector<double> breakpoints(double t0, double t1) const;

 private:
  // Which an entry has made, [first, end)
  struct InnerNodes {
    int entry;
    int first;
    int end;
  };
  void set_node_axis(std::vector<InnerNodes> inner);
  void number_unknowns();
  void set_length();
  double extent_of_bodies() const;
  double length_of_motion() const;
  void make_pattern();
  Sections::Elimination order_elimination(std::size_t sections);
  const model::BatchBase* batch_of_row(int row) const;
  // Whether constraint equations are held and dropped by events or analyses.
  bool has_open_rows() const { return !locks_.empty() || !joint_rows_.empty(); }
  void number_joint_rows(const std::set<int>& joints);
  void set_matrix_of_section(std::size_t section, const State& q, const model::Context& c, const Factors& factors,
                             double scale, std::span<double> values) const;
  void scatter_to(std::size_t node, const VectorX& vector, Vec6& of_node) const;
  // Nodes without mass that nothing holds become problems, but for those named in `unsure`.
  void check_masses(const std::set<std::string, std::less<>>& unsure, model::Problems& problems) const;

  const model::Model* model_ = nullptr;
  std::vector<model::NodeData> nodes_;
  std::vector<int> node_axis_;
  std::vector<model::NodeUnknowns> unknowns_;
  std::vector<std::unique_ptr<model::BatchBase>> batches_;
  std::vector<model::BeamTopology> beams_;
  std::vector<model::JointTopology> joints_;
  std::vector<model::BodyTopology> bodies_;
  int free_ = 0;
  int rows_ = 0;
  std::vector<char> row_is_length_;  // by constraint equation
  int history_ = 0;
  model::SignalForm form_;
  SignalNetwork signals_;
  std::vector<model::Event> events_;
  std::vector<model::Event> starts_;
  std::vector<model::Lock> locks_;
  // By entry
  std::map<int, std::vector<int>> joint_rows_;
  double length_ = 1;
  bool length_is_known_ = false;
  SparsePattern pattern_;
  Sections sections_;
  math::IndexLots node_lots_;
  math::IndexLots row_lots_;
  // Values that are kept with nodes, and cleared by sections; those of rows follow
  int values_of_nodes_ = 0;
};

}  // namespace polhode::assembly
