// SPDX-License-Identifier: BSD-3-Clause
// The signals of a model as one function of its state: values s(q, v, t, z, held) and their derivatives by what the
// sensors read, in an order in which each follows those that it takes.
//
// Signals are no unknowns of the linear systems. At each iterate they are found for the positions and velocities there:
// states z from z = base + gain f(z) (SignalState), block by block, and loops of blocks together, by Newton's method.
// What then reaches the mechanics is a force D r / D s times D s / D (q, v) in the iteration matrix: blocks of the node
// that a function acts on by the nodes that its sensors look at, which the pattern has room for.
#pragma once
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "polhode/assembly/signal_linearization.hpp"
#include "polhode/assembly/sparse.hpp"
#include "polhode/model/batch_base.hpp"
#include "polhode/model/model.hpp"
#include "polhode/model/problem.hpp"
#include "polhode/model/signal.hpp"

namespace polhode::assembly {

// One a system, which is for one thread at a time where it has signals: values are kept here, to be overwritten by the
// next evaluation.
class SignalNetwork {
 public:
  using State = model::State;
  using Batches = std::vector<std::unique_ptr<model::BatchBase>>;

  SignalNetwork();
  ~SignalNetwork();
  SignalNetwork(SignalNetwork&& other) noexcept;
  SignalNetwork& operator=(SignalNetwork&& other) noexcept;
  // `signals` in the order of the deck; `q`: any state of the model.
  SignalNetwork(std::vector<model::SignalEntry> signals, const Batches& batches, const State& q);

  // Numbers of outputs: a signal has one, or as many as its block.
  std::size_t size() const { return values_.size(); }
  bool empty() const { return values_.empty(); }
  // Where the values of signal `i` begin.
  std::size_t first_of(std::size_t signal) const { return first_[signal]; }
  const std::vector<model::SignalEntry>& signals() const { return signals_; }
  // Where the number that a signal keeps until it is given another one stands in SignalState::held; -1: it has none.
  int place_of_held(std::size_t signal) const;
  // States z, or samples: a method has to know of them.
  bool has_states() const { return states_ > 0; }
  int states() const { return states_; }
  // Of them the last ones, of approximants of delays.
  int states_of_approximants() const { return approximant_states_; }
  bool has_samples() const { return held_ > 0; }
  bool has_delays() const { return !delays_.empty(); }
  // Whether a sensor reads what equations of motion give: multipliers or accelerations.
  bool reads_dynamics() const { return !rows_.empty() || accelerates_; }
  struct Delay {
    int entry = -1;
    double time = std::numeric_limits<double>::infinity();  // s
  };
  Delay shortest_delay() const;
  // s: steps under control that are no longer leave as many rows in the shortest delay as its polynomials go through.
  double longest_step() const { return shortest_delay().time / 5; }
  // The sensors that these values follow within a step, as numbers of signals, ascending.
  std::vector<int> measured_behind(std::span<const int> values) const;
  // Entry of the owner of a state.
  int entry_of_state(int state) const;
  // Whether a force follows a state, directly or through other signals.
  bool acts(int state) const { return acting_[static_cast<std::size_t>(state)] != 0; }

  // Sizes and sets the signals of the start; nothing is sampled yet.
  void start(State& q) const;
  // All values at a state. Until the next call; not finite where a loop of signals has no solution.
  std::span<const double> values(const State& q) const {
    if (!empty()) find(q);
    return values_;
  }
  // The same with both derivatives by time, of what drives follow; empty where none does. Accelerations and multipliers
  // of `q` are of no account. Until the next call.
  std::span<const model::Jet> moving_values(const State& q) const {
    if (drives_.empty()) return {};
    return find_moving(q);
  }
  bool has_drives() const { return !drives_.empty(); }
  // Entry of the first joint that signals drive which follow the motion, or have states. -1: none.
  int first_driven_by_states() const;
  // The last evaluation that found no value for a signal whose inputs have some, or for a drive of signals that have: at t,
  // s, of these entries of the deck, several where they depend on each other. None: no entries.
  struct Lost {
    double t = -std::numeric_limits<double>::infinity();
    std::vector<int> entries;
  };
  Lost lost() const;
  // z is found, its rate set; then gain is 0. q has to be the end of a step, its time that of the state. `counted`: its
  // history, too.
  void settle(State& q, bool counted = false) const;
  // Takes the samples that are due at q.t, of a state that is settled, and passes jumps that delays give there; its rates
  // are those behind them. Whether there were any.
  bool sample(State& q) const;
  // What is held as of the start of a transient, of a state that is settled.
  void enter(State& q) const;
  // Notes what delays are given at `q`, the end of a step, or the state that a method starts from at the end of the last
  // one, perhaps behind a jump.
  void record(State& q, bool at_start) const;
  // Times in (t0, t1) at which functions of time jump that delays are given, s, ascending.
  std::vector<double> jumps_into_delays(double t0, double t1) const;
  // s, where the next jump comes out of a delay; no step leads across it. Infinity: none is known.
  double next_jump(const State& q) const;
  // s, the first time in (from, to] at which what delays give has a kink, since a method started anew where it went in;
  // methods of higher order want steps to end there. Infinity: none.
  double next_kink(const State& q, double from, double to) const;
  // The steps since the method started anew, `most` or fewer; of the past of delays, which there have to be.
  int steps_since_start(const State& q, int most) const;
  // Gives such a signal another number; settle() is the caller's.
  void hold(std::size_t signal, double value, State& q) const;
  // The moments of sampling in (t0, t1), s, ascending.
  std::vector<double> samples(double t0, double t1) const;
  // Adds these, and breakpoints of functions that are inputs.
  void add_breakpoints_to(double t0, double t1, std::vector<double>& out) const;
  // States and held numbers of the same signals in another network, whose state `from` is settled: blocks in another
  // form (SignalForm) get what they rest with where those of the other network rest, delays the past of that. `q`,
  // started, is of this network, and is settled.
  void take_over(const SignalNetwork& other, const model::SignalState& from, State& q) const;
  // Sets the states of approximants to those of rest with the motion and the other states of `q`. False where there are
  // none: a loop through delays that gives back what it gets.
  bool rest_approximants(State& q) const;
  // Signals that depend on each other without delay and have no solution at `q`: problems at the first of each loop;
  // sensors that no force may follow as one does, in a network of this form.
  void check(const State& q, const model::Model& model, const model::SignalForm& form, model::Problems& problems) const;

  // Entry of the first signal, or of an element that forces come from, that has no finite slopes at `q` by what it takes,
  // where forces or drives follow it; -1: none.
  int first_without_slope(const State& q) const;
  // Entries of sensors of reactions that change where a combination of multipliers without force, one a constraint
  // equation, is added at `q`.
  std::vector<int> changed_by(const State& q, const math::VectorX& combination) const;
  // Entry of the first sensor of reactions, accelerations, energies or momenta that forces follow through states; -1:
  // none.
  int first_wide_with_states() const;
  // Whether states follow multipliers or accelerations, acting or not. A search, to be asked once an analysis.
  bool states_follow_dynamics() const;
  // Of a state that is settled.
  SignalLinearization linearize(const State& q) const;
  // The same of what drives follow; by central differences. `q` is as before when it returns.
  DriveLinearization linearize_drives(State& q) const;
  // Adds a number to one of the values from the next evaluation on, in the place of what was added before; 0 for none.
  void add_to_value(std::size_t value, double number) const;

  // Pairs of blocks of the matrix that signals couple, each once: a node acted on, and a node looked at or a group of
  // constraint equations (BlockPattern).
  std::vector<std::pair<int, int>> couplings() const;
  // `place`: first value of the block of a row node and a column node. Once, before add_tangents_to.
  template <class Place>
  void set_places(const Place& place) {
    const auto set = [&](Block& block) {
      block.place = place(block.row, block.column);
      return block.place < 0;
    };
    for (Actuator& actuator : actuators_) {
      for (LookedAt& looked_at : actuator.looked_at) std::erase_if(looked_at.blocks, set);
      std::erase_if(actuator.by_multipliers, set);
    }
    for (Drive& drive : drives_) {
      for (LookedAt& looked_at : drive.looked_at) std::erase_if(looked_at.blocks, set);
      std::erase_if(drive.by_multipliers, set);
    }
  }
  // Adds force_scale (C F_c + K F_k) of what signals do to forces, and the same without that scale of what they do to
  // driven constraint equations, to the iteration matrix of Factors.
  void add_tangents_to(const State& q, const model::Context& c, const model::Factors& factors, double force_scale,
                       std::span<const model::NodeUnknowns> unknowns, std::span<double> values) const;
  // The same of what they do to rates of driven constraint equations: Z = D (B v + Phi_t).
  void add_velocity_tangents_to(const State& q, const model::Factors& factors, double force_scale,
                                std::span<const model::NodeUnknowns> unknowns, std::span<double> values) const;

 private:
  // The block of a node that an actuator acts on and one that its sensors look at.
  struct Block {
    int row = 0;
    int column = 0;
    int local = 0;  // of the row node among those of the element
    int place = -1;
  };
  // The block of a node that an actuator acts on and the multipliers that a sensor reads.
  struct MultiplierBlock : Block {
    int sensor;
  };
  // A node that sensors look at.
  struct LookedAt {
    struct By {
      int sensor;  // among all sensors
      int side;    // of the node among those of the sensor
    };
    int node;
    std::vector<By> by;
    bool turns_alone = true;      // all sensors follow its rotation alone
    std::vector<Block> blocks{};  // those whose column it is
  };
  // A function that takes signals, of an element.
  struct Actuator {
    const model::BatchBase* batch;
    std::size_t element;
    std::size_t number;          // among the functions of the element
    std::vector<int> taken;      // by the function: values
    std::vector<double> slopes;  // by those, of an affine function; else empty
    std::vector<int> sensors;
    std::vector<LookedAt> looked_at;
    std::vector<MultiplierBlock> by_multipliers;
  };
  // A function that takes signals and is added to a constraint equation, which is then no function of time alone:
  // d Phi = B d q + (D u/D s) d s, while the forces B^T lambda are those of B.
  struct Drive {
    const model::BatchBase* batch;
    std::size_t element;
    int row;  // among those of the element
    const model::TimeFunction* function;
    std::vector<int> sensors;
    // `local` of a block is the equation's number in its group
    std::vector<LookedAt> looked_at;
    std::vector<MultiplierBlock> by_multipliers;
  };
  struct Node;  // a signal with a block
  struct Loop;  // blocks that depend on each other, or one alone
  struct Kept;  // what was found for a state

  // What a block takes over from one of another network, whose numbers are `values`.
  static void take_over(const Node& node, const Node& from, const model::SignalState& values, model::SignalState& to);
  void number_states();
  void find_looked_at(std::size_t nodes);
  void order_nodes();
  void add_samples_to(const Node& node, double t0, double t1, std::vector<double>& out) const;
  void find_actuators(const Batches& batches, const State& q);
  void find_drives(const Batches& batches, std::size_t nodes, std::vector<int>& acting);
  // How often a value may be differentiated by time before accelerations show: 0 where it may jump, or is a sensor's;
  // less where that reads what accelerations make, or the whole model; 3: as often as is asked for. Also finds the
  // blocks that have derivatives, each behind those that it follows at once.
  void find_degrees();
  // Of a function: of what it takes.
  int degree_of(const model::TimeFunction& function) const;
  std::span<const model::Jet> find_moving(const State& q) const;
  Lost lost_drive() const;
  void check_drives(const State& q, const model::Model& model, model::Problems& problems) const;
  // `scale` of rows; `force_scale` as of forces, by which multipliers among the unknowns are larger.
  void add_drive_tangents_to(const State& q, const model::Factors& factors, double scale, double force_scale,
                             std::span<const model::NodeUnknowns> unknowns, std::span<double> values) const;
  int actuator_without_slope(const State& q) const;
  // Calls add(sensor, group) for each of these sensors that reads multipliers, with the block of these.
  template <class Add>
  void each_group_read(std::span<const int> sensors, const Batches& batches, std::size_t nodes, const Add& add) const;
  // The nodes that these sensors look at, without blocks.
  std::vector<LookedAt> looked_at_by(std::span<const int> sensors) const;
  // Blocks of what an actuator's sensors look at.
  void find_blocks(const Batches& batches, const State& q, Actuator& actuator) const;
  // By value: whether a sensor reaches it within a step; `at_once`: also where all states and delays stand.
  std::vector<char> reached_from(std::size_t sensor, bool at_once) const;
  // Whether a state follows a sensor, or one that forces follow.
  bool reaches_states(std::size_t sensor, bool only_acting) const;
  // A sensor whose derivatives are not those of its nodes alone.
  bool is_wide(std::size_t sensor) const;
  void check_feedback(const State& q, const model::Model& model, const model::SignalForm& form,
                      model::Problems& problems) const;
  // Blocks whose outputs reach these, directly or through others: these first, then those in front of them, each once.
  std::vector<int> upstream(const std::vector<int>& blocks) const;
  std::vector<SignalLinearization::Action> actions(const State& q) const;
  // Ascending, each once.
  std::vector<int> sensors_behind(std::span<const int> values) const;
  // Values at a state, and derivatives: nothing is done where they stand. `counted`: the state's history is its own.
  void find(const State& q, bool counted = false) const;
  void find_derivatives(const State& q) const;
  // Notes all that values depend on; whether that has changed.
  bool note(const State& q) const;
  void start_delays(State& q) const;
  // What delays give by their past alone
  void find_delayed(const State& q) const;
  bool pass_jumps(State& q) const;
  void evaluate(const State& q, bool counted) const;
  void pair_sensors();
  void measure(const State& q, bool derivatives, bool counted = false) const;
  bool evaluate_node(const Node& node, const State& q) const;
  // Of a loop that has no solution, or a block without value: what its inputs are made of is finite.
  bool is_lost(const Loop& loop) const;
  // By its own functions, of what it has been given.
  bool evaluate_block(const Node& node, const State& q) const;
  bool seek_states(const Node& node, const State& q, std::span<const double> held) const;
  // Whether these derivatives are others than those of the last call.
  bool differentiate_node(const Node& node, const State& q) const;
  bool solve(const Loop& loop, const State& q) const;
  // D (x - y(u(x))) of a closed loop, of the last evaluation of its blocks.
  void set_matrix(const Loop& loop) const;
  void differentiate(const Loop& loop) const;
  // Sum of what the sensors follow of a node, times right factors; of n = 3, rotations alone.
  template <int n>
  math::Mat<n> row_of(const LookedAt& looked_at, const model::Factors& factors) const;
  // Adds what a function's force is by the positions and velocities that its signals follow.
  void add_tangent_to(const Actuator& actuator, std::span<const double> gradient, std::span<const double> by_function,
                      const model::Factors& factors, double force_scale, std::span<const model::NodeUnknowns> unknowns,
                      std::span<double> values) const;

  std::vector<model::SignalEntry> signals_;
  std::vector<std::size_t> first_;
  std::vector<int> sensors_;       // signals that are sensors
  std::vector<int> sensor_value_;  // by sensor: its value
  std::vector<Node> nodes_;
  std::vector<Loop> order_;
  std::vector<int> loop_of_;   // by value; -1 of sensors, and of what is in no closed loop
  std::vector<int> place_of_;  // by value, in its loop
  std::vector<int> node_of_;   // by value: its block; -1 of sensors
  int states_ = 0;
  int approximant_states_ = 0;
  int held_ = 0;
  std::vector<int> delays_;         // blocks
  std::vector<int> before_delays_;  // blocks whose inputs reach one, delays among them
  double longest_delay_ = 0;
  std::vector<std::vector<int>> behind_;  // by value: sensors that reach it, ascending
  std::vector<int> rows_;                 // multipliers that sensors read
  bool sums_up_ = false;                  // some sensor does so over the whole model
  bool accelerates_ = false;              // some sensor reads accelerations
  std::vector<int> closed_;               // values in closed loops
  std::unique_ptr<Kept> kept_;
  mutable std::vector<double> values_;
  std::vector<Actuator> actuators_;
  std::vector<char> acting_;  // by state
  std::vector<Drive> drives_;
  std::vector<int> degree_;  // by value; of networks with drives
  // A block whose outputs have derivatives, and those of its inputs and rates.
  struct Moving {
    int node;
    math::VectorX u_first;
    math::VectorX u_second;
    math::VectorX f_first;
  };
  mutable std::vector<Moving> moving_;
  mutable std::vector<model::Jet> jets_;
};

}  // namespace polhode::assembly
