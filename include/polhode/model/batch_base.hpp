// SPDX-License-Identifier: BSD-3-Clause
// A batch: all elements of one kind, seen from outside. One virtual call serves the whole batch.
//
// Its functions are cut by duty; who needs one duty alone takes a reference to that:
//   BatchTopology       nodes, constraint equations and numbers of the elements, and where they go in the matrix
//   BatchForces         residual and tangents, for methods of index 3 and for statics
//   BatchConstraints    what the constraint equations say of velocities and accelerations
//   BatchHistory        internal variables, kinks and jumps
//   BatchOutputs        what is observed: outputs, energies, momenta, power
//   BatchActuators      functions of time that take signals
//   BatchDiscreteForms  forces and constraints over a whole step, for structure-preserving methods
//
// Arguments that recur: `q` a state of the whole system; `c` what is common to all elements (`history` is ignored: the
// batch sets it for each element); `force` one wrench a node, forces inertial, moments in the node's frame (N, N m);
// `values` the values of the matrix, placed by slots(); `unknowns` by node. Nothing here allocates unless it says so.
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "polhode/model/discrete.hpp"
#include "polhode/model/function.hpp"

namespace polhode::model {

// Right factors. The iteration matrix of a method is
//   [ force_scale (M F_m + C F_c + K F_k)   B^T ;  B F_b   0 ],
// with F = diag(scalar I, 3x3 matrix) of each node, the scalar for translations the same for all nodes, the matrix for
// rotations one a node, or none: then the scalar serves rotations too. lie_alpha: (beta' I, gamma' I, T, T); updated
// Lagrangian: the derivatives of (vdot, v, q, q) by the step's unknown; (1, 0, 0, .), (0, 1, 0, .), (0, 0, 1, .) give
// M, C, K apart.
struct Factors {
  // For translations, and for rotations where there is no matrix
  double m = 0;
  double c = 0;
  double k = 0;
  double b = 0;
  // by node, or empty
  // For rotations: by node (the ground included), or empty
  std::span<const Mat3> rot_m{};
  std::span<const Mat3> rot_c{};
  std::span<const Mat3> rot_k{};
  std::span<const Mat3> rot_b{};

  bool has_m_or_c() const { return m != 0 || c != 0 || !rot_m.empty() || !rot_c.empty(); }
  bool has_k() const { return k != 0 || !rot_k.empty(); }
};

// The unknowns of a node: local index (0 ... count - 1) of each of the six, or -1 where it is removed.
// A node without unknowns (the ground, a fixed node) has count 0.
struct NodeUnknowns {
  // Number of its first unknown among all unknowns of nodes
  int first = 0;
  int count = 0;
  std::array<std::int8_t, 6> local{-1, -1, -1, -1, -1, -1};
  // No component is fixed: blocks may be added as a whole.
  bool full() const { return count == 6; }
  // No translation is fixed: they are its first three.
  bool moves() const { return local[2] == 2; }
};

// Which parts of the residual are wanted.
// `constraints` stands for Phi and B^T lambda together.
struct Parts {
  bool inertia = true;
  bool forces = true;
  bool constraints = true;
};

// Where the numbers of an element go in the matrix: for each pair (column group, row group) of its groups of unknowns,
// its nodes and then its rows, the first value of their block, which is stored by columns; -1 where a group is removed.
using Slot = std::int32_t;

// Elements [begin, end) of a batch. They begin with a whole group, a multiple of BatchTopology::lanes().
struct Elements {
  std::size_t begin = 0;
  std::size_t end = 0;
};

// The elements of a batch: what they connect, and where their numbers stand.
class BatchTopology {
 public:
  virtual ~BatchTopology() = default;

  // Name of the kind, for messages and refusals; number of elements.
  virtual std::string_view kind() const = 0;
  virtual std::size_t size() const = 0;
  Elements all() const { return {0, size()}; }
  // Of one element: nodes, constraint equations, internal variables.
  virtual int nodes() const = 0;
  virtual int rows() const = 0;
  virtual int history() const = 0;
  // Elements that are computed side by side; 1 for kinds that are not.
  virtual std::size_t lanes() const = 0;
  // Its nodes in the kind's order; node 0 is the ground.
  virtual std::span<const int> nodes_of(std::size_t element) const = 0;
  // Index into Model::entries.
  virtual int entry_of(std::size_t element) const = 0;

  // Numbering, set once by the assembly: first row and first history number of element 0 (then consecutive), and slots.
  virtual void set_numbering(int first_row, int first_history) = 0;
  virtual int first_row() const = 0;
  // The first row of an element.
  int first_row_of(std::size_t element) const { return first_row() + static_cast<int>(element) * rows(); }
  virtual int first_history() const = 0;
  // size() x groups x groups; allocates on first use. The assembly writes them once, tangents read them.
  virtual std::span<Slot> slots() = 0;
  // Of one element: its nodes, and its rows if it has any.
  int groups() const { return nodes() + (rows() > 0 ? 1 : 0); }
};

// Residual and tangents of some elements at one state; nothing is cleared before.
class BatchForces {
 public:
  virtual ~BatchForces() = default;

  // Whether the kind has inertia; whether it has forces apart from that (kinds in lanes have both in one function, and
  // count as having inertia alone).
  virtual bool has_inertia() const = 0;
  virtual bool has_forces() const = 0;
  // Adds r = M vdot + g + B^T lambda to `force`; sets the rows of these elements in `phi`.
  virtual void add_residual_to(Elements elements, const State& q, const Context& c, Parts parts, std::span<Vec6> force,
                               std::span<double> phi) const = 0;
  // The forces of elements that do not follow each other.
  virtual void add_residual_of(std::span<const std::size_t> elements, const State& q, const Context& c,
                               std::span<Vec6> force) const = 0;
  // Adds the iteration matrix of Factors to `values`.
  virtual void add_tangents_to(Elements elements, const State& q, const Context& c, const Factors& factors,
                               double force_scale, std::span<const NodeUnknowns> unknowns,
                               std::span<double> values) const = 0;
};

// Rows are numbered through the system: element e of the batch has first_row() + e rows() and those that follow.
class BatchConstraints {
 public:
  virtual ~BatchConstraints() = default;

  // Of one element: "position x", "axis 1".
  virtual std::string row_name(int row) const = 0;
  // Its violation is in m; else without unit (rad).
  virtual bool row_is_length(int row) const = 0;
  // Sets Bv = B v, phi_t = Phi_t, and gamma with B vdot + gamma = 0; each is as long as all rows of the system, and
  // the rows of these elements are set. Gamma may be empty: it costs the most.
  virtual void set_rates(Elements elements, const State& q, const Context& c, std::span<double> Bv,
                         std::span<double> phi_t, std::span<double> gamma) const = 0;
  // Sets the rows B F_b in their place; all else untouched.
  virtual void set_gradient(Elements elements, const State& q, const Context& c, const Factors& factors,
                            std::span<const NodeUnknowns> unknowns, std::span<double> values) const = 0;
  // The rows Z = D_q (B v + Phi_t), times F_b, in the place of B F_b; all else untouched.
  virtual void add_velocity_tangents_to(Elements elements, const State& q, const Context& c, const Factors& factors,
                                        std::span<const NodeUnknowns> unknowns, std::span<double> values) const = 0;
  // First element on the flipped branch, -1 if there is none.
  virtual int first_mirrored(const State& q) const = 0;
};

// Elements whose rotation vectors end at some angle.
class BatchBounds {
 public:
  virtual ~BatchBounds() = default;

  // First element whose nodes turn against each other past its bound between two states that follow each other, -1 if
  // there is none. Internal variables are those of `before`.
  virtual int first_past_bound(const State& before, const State& now) const = 0;
};

// Both functions write q.history, from first_history() on; configurations are those of q.
class BatchHistory {
 public:
  virtual ~BatchHistory() = default;

  // From nothing: the deck's configuration.
  virtual void initialize_history(State& q, const Context& c) const = 0;
  // From those of the last accepted state, which q.history has on entry, to those of q.
  virtual void update_history(State& q, const Context& c) const = 0;
  // Adds the times in (t0, t1) at which an element has a kink or a jump, in s; allocates.
  virtual void add_breakpoints_to(double t0, double t1, std::vector<double>& out) const = 0;
};

// What is stored and summed up of an accepted state. SI units; momenta inertial, about the origin.
class BatchOutputs {
 public:
  virtual ~BatchOutputs() = default;

  // The outputs of `count` elements from `first` on, in the order of KindInfo::outputs; those of an element `stride`
  // numbers after those of the one before.
  virtual void write_outputs(std::size_t first, std::size_t count, const State& q, const Context& c, double* out,
                             std::size_t stride) const = 0;
  // The same where `out` is not null, and what these elements have of energy and momentum: strains and velocities of
  // beams serve both.
  virtual Totals observe(std::size_t first, std::size_t count, const State& q, const Context& c, double* out,
                         std::size_t stride) const = 0;
  // Of all elements, J.
  virtual Energies energies(const State& q, const Context& c) const = 0;
  // Of loads, dampers and drives on the model, W.
  virtual double power(const State& q, const Context& c) const = 0;
};

// discrete.hpp says what they mean.
class BatchDiscreteForms {
 public:
  virtual ~BatchDiscreteForms() = default;

  // Whether its forces have the form at the middle of a step, which serves any lever.
  virtual bool has_midpoint_forces() const = 0;
  // Of all rows and forces that it has.
  virtual bool has_discrete_form() const = 0;
  // force: per node, forces and, if `rows`, G^T lambda added: inertial, moments in the node's frame at
  // the begin of the step (at its end with Lever::end). Nothing is cleared.
  virtual void add_discrete_residual_to(const DiscreteStep& step, std::span<const double> lambda, bool rows,
                                        std::span<Vec6> force) const = 0;
  // The derivatives of that by (dx+, dTheta+) times diag(I, F) with the factor F of each node, times force_scale, and,
  // if `rows`, the columns G^T.
  virtual void add_discrete_tangents_to(const DiscreteStep& step, std::span<const double> lambda, bool rows,
                                        std::span<const Mat3> factors, double force_scale,
                                        std::span<const NodeUnknowns> unknowns, std::span<double> values) const = 0;
  // Potential at the middle of the step and work of all other forces over it, of all elements, J.
  virtual double discrete_energy(const DiscreteStep& step) const = 0;
  virtual double discrete_work(const DiscreteStep& step) const = 0;  // of all elements, J
};

// What takes signals.
class BatchActuators {
 public:
  virtual ~BatchActuators() = default;

  // Whether functions of the kind may take signals.
  virtual bool has_actuators() const = 0;
  // Calls `visit` for each such function of an element, in the same order each time: with the derivative of the
  // element's residual by the function, which has six numbers a node.
  using VisitActuator = std::function<void(const TimeFunction& function, std::span<const double> by_function)>;
  virtual void each_actuator(std::size_t element, const State& q, const Context& c,
                             const VisitActuator& visit) const = 0;
  // Calls `visit` for each function that is added to a constraint equation of an element, with the number of that among
  // its own.
  using VisitDrive = std::function<void(const TimeFunction& function, int row)>;
  virtual void each_drive(std::size_t element, const VisitDrive& visit) const = 0;
};

// What the assembly keeps: a list of these, one a kind.
class BatchBase : public BatchTopology,
                  public BatchForces,
                  public BatchConstraints,
                  public BatchBounds,
                  public BatchHistory,
                  public BatchOutputs,
                  public BatchActuators,
                  public BatchDiscreteForms {};

}  // namespace polhode::model
