// SPDX-License-Identifier: BSD-3-Clause
// What a network of signals works with: its blocks, their loops, and what it has found for a state. All is of its
// size from the start; evaluation overwrites it.
#pragma once
#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include "polhode/assembly/signal_network.hpp"

namespace polhode::assembly {

// Of the iterations for states of blocks and for outputs of loops.
inline constexpr int most_iterations = 50;
// The last change against the size of what changes.
inline constexpr double last_bits = 1e-14;

inline std::span<const double> numbers_of(const model::VectorX& v) {
  return {v.data(), static_cast<std::size_t>(v.size())};
}
inline std::span<double> numbers_of(model::VectorX& v) { return {v.data(), static_cast<std::size_t>(v.size())}; }

// Strongly connected components of a graph, by what each of its places leads to; each behind those that it leads to.
std::vector<std::vector<int>> components(const std::vector<std::vector<int>>& takes);

// The block of the matrix that the constraint equations of an element are: groups follow the nodes, batch by batch.
inline int group_of(const model::Sensor::Element& of, const SignalNetwork::Batches& batches, std::size_t nodes) {
  std::size_t before = nodes;
  for (const auto& batch : batches) {
    if (batch.get() == of.batch) break;
    if (batch->rows() > 0) before += batch->size();
  }
  return static_cast<int>(before + of.number);
}

// A function of time and signals that a block takes. Of an affine one the part that depends on t alone is kept, since
// the iterates of a step are all at one time, and its derivatives are constants.
struct SignalInput {
  explicit SignalInput(const model::TimeFunction& of)
      : function(&of),
        taken(of.signals()),
        affine(taken.empty() || !of.slopes().empty()),
        moves(of.depends_on_time()),
        gradient(of.slopes().begin(), of.slopes().end()) {
    gradient.resize(taken.size(), 0);
    if (affine && !moves) offset = of.offset(0);
  }
  double value(double t, std::span<const double> values) const {
    if (!affine) return function->value(t, values);
    if (moves && t != offset_at) {
      offset = function->offset(t);
      offset_at = t;
    }
    double sum = offset;
    for (std::size_t k = 0; k < taken.size(); ++k) sum += gradient[k] * values[static_cast<std::size_t>(taken[k])];
    return sum;
  }
  // Sets the gradient at the values of the last evaluation.
  void differentiate(double t, std::span<const double> values) const {
    if (!affine) function->value(t, values, gradient);
  }

  const model::TimeFunction* function;
  std::span<const int> taken;
  bool affine;
  bool moves;                            // its offset does, where it is affine
  mutable std::vector<double> gradient;  // by each signal that is taken
  mutable double offset = 0;
  mutable double offset_at = std::numeric_limits<double>::quiet_NaN();
};

// Sets each number of `to` from its row by what is given, in whole fours; the row behind the last.
inline const double* set_products(const double* row, const std::vector<double>& given, model::VectorX& to) {
  using Four = Eigen::Map<const Eigen::Vector4d>;
  const double* const end = given.data() + given.size();
  for (double& number : to) {
    const double* by = given.data();
    double sum = Four(row).dot(Four(by));
    for (row += 4, by += 4; by != end; by += 4, row += 4) sum += Four(row).dot(Four(by));
    number = sum;
  }
  return row;
}

struct SignalNetwork::Node {
  explicit Node(const model::SignalEntry& entry)
      : block(entry.block.get()),
        delay(block->delay()),
        values(block->sizes()),
        z(model::VectorX::Zero(block->sizes().states)),
        missed(z),
        by_z(model::MatrixX::Zero(z.size(), z.size())),
        lu(z.size()),
        z_by_u(model::MatrixX::Zero(z.size(), block->sizes().inputs)),
        y_by_u(model::MatrixX::Constant(block->sizes().outputs, block->sizes().inputs,
                                        std::numeric_limits<double>::quiet_NaN())),
        given(whole_fours(z.size() + y_by_u.cols()), 0.0),
        inputs(entry.inputs.begin(), entry.inputs.end()),
        affine(std::all_of(inputs.begin(), inputs.end(), [](const SignalInput& input) { return input.affine; })),
        integrates(z.size() > 0 && block->period() == 0),
        linear_range(block->linear_range()),
        linear(values),
        z_by_base(by_z) {
    if (linear_range && (given.empty() || linear_range->low > 0 || linear_range->high < 0)) linear_range.reset();
    if (linear_range) block->evaluate(0, u(), numbers_of(z), {}, linear);
    coefficients.reserve(static_cast<std::size_t>(2 * z.size() + values.y.size()) * given.size());
    passes_on = linear_range && linear_range->low == -unbounded && linear_range->high == unbounded && z.size() == 0 &&
                linear.y_by_u.size() == 1 && linear.y_by_u(0, 0) == 1 && linear.y[0] == 0;
    if (passes_on) take_linear_matrices();
    is_in_range = passes_on;
    has_one_output = linear_range && values.y.size() == 1;
  }

  std::size_t signal = 0;
  const model::SignalBlock* block;
  model::SignalBlock::Delay delay;
  int first_value = 0;
  int first_state = 0;
  int first_held = 0;  // the first number counts samples, where it takes any
  // Where the work of an evaluation is kept
  mutable model::SignalBlock::Values values;
  mutable std::array<double, 2> delayed{};  // in the place of what a delay holds
  mutable model::VectorX z;
  mutable model::VectorX missed;  // by z
  mutable model::MatrixX by_z;
  mutable Eigen::PartialPivLU<model::MatrixX> lu;
  mutable model::MatrixX z_by_u;
  mutable model::MatrixX y_by_u;  // with what goes through z
  // Bases of states, or those themselves where they stand; then inputs; then zeros up to whole fours, as rows of
  // coefficients have them.
  mutable std::vector<double> given;
  static std::size_t whole_fours(Eigen::Index count) { return static_cast<std::size_t>((count + 3) / 4 * 4); }
  std::span<double> u() const { return {given.data() + z.size(), static_cast<std::size_t>(y_by_u.cols())}; }
  std::vector<SignalInput> inputs;
  bool affine;      // all inputs are
  bool integrates;  // it has states, and does not sample
  // Of a block that is linear in some range: its matrices there. All behind them follows from the gain of states alone,
  // and is found where that is another one.
  std::optional<model::SignalBlock::Range> linear_range;
  model::SignalBlock::Values linear;
  // Its output is its input, as that of expressions: nothing else is kept of an evaluation
  bool passes_on = false;
  bool has_one_output = false;  // and is linear in some range
  double pass_on(double t, std::span<const double> signals) const { return inputs.front().value(t, signals); }
  static constexpr double unbounded = std::numeric_limits<double>::infinity();
  mutable double last_gain = std::numeric_limits<double>::quiet_NaN();
  mutable model::MatrixX z_by_base;
  // Of each output, each state and each rate, by bases and inputs
  mutable std::vector<double> coefficients;
  mutable bool is_in_range = false;          // at the last evaluation
  mutable bool has_linear_matrices = false;  // `values` has those of the range
  mutable bool is_differentiated = false;
  // Whether what was found of its derivatives is that of another state, too.
  bool has_constant_derivatives(double gain) const {
    return is_differentiated && is_in_range && affine && gain == last_gain;
  }
  void set_gain(double gain) const;
  void take_linear_matrices() const;
  // Outputs at u with what z = base + gain f gives. Whether they are in the range; what is not finite is in any. Nearly
  // all blocks have one state or two, and as many inputs.
  bool evaluate_linear(double gain) const {
    if (gain != last_gain) [[unlikely]]
      set_gain(gain);
    set_products(coefficients.data(), given, values.y);
    if (values.y[0] < linear_range->low || values.y[0] > linear_range->high) return false;
    if (!has_linear_matrices) [[unlikely]]
      take_linear_matrices();
    return true;
  }
  // The same of a block of one output, found number by number while its inputs are: most have two or three. False, and
  // nothing is found, where the gain is another one than that of the last evaluation. Sets is_in_range, and `sum` to that
  // of what its states grow by.
  bool evaluate_one(const State& q, std::span<const double> signals, double& sum) const {
    if (q.signals.gain != last_gain) return false;
    const double* by = coefficients.data();
    const double* base = base_of(q);
    double* to = given.data();
    double y = 0;
    for (const double* const end = base + z.size(); base != end; ++base) y += *by++ * (*to++ = *base);
    sum = 0;
    for (const SignalInput& input : inputs) {
      *to = input.value(q.t, signals);
      sum += *to;
      y += *by++ * *to++;
    }
    if (!integrates) sum = 0;
    is_in_range = !(y < linear_range->low || y > linear_range->high);
    values.y[0] = y;
    if (is_in_range && !has_linear_matrices) [[unlikely]]
      take_linear_matrices();
    return true;
  }
  // z and f of the last evaluation, which has set the outputs alone where it was in the range.
  void set_states(const State& q) const;
  // Bases of its states, or the states themselves where they stand (gain zero).
  const double* base_of(const State& q) const {
    return (q.signals.gain != 0 ? q.signals.base : q.signals.z).data() + first_state;
  }
  // x <- (1 - gain D f/D z)^-1 x
  template <class X>
  void divide_by_matrix_of_states(double gain, const model::MatrixX& f_by_z, X& x) const;
};

// One alone that does not depend on itself is none that has to be solved.
struct SignalNetwork::Loop {
  std::vector<int> nodes;
  std::vector<int> values;  // of all of them
  bool closed = false;
  const Node* first = nullptr;  // of its nodes
  // Where the work of an evaluation is kept
  mutable model::VectorX x;
  mutable model::VectorX missed;
  mutable model::MatrixX by_x;
  mutable model::MatrixX rows;
  mutable Eigen::PartialPivLU<model::MatrixX> lu;
};

struct SignalNetwork::Kept {
  // Nodes that sensors look at, in runs: numbers of nodes that follow each other stand behind each other in a state
  struct Run {
    std::size_t first;
    std::size_t count;
  };
  std::vector<Run> looked_at;
  // All sensors follow rotations alone: where nodes are does not matter
  bool turn_alone = false;
  // Of them those whose accelerations are read
  std::vector<std::size_t> accelerating;
  // What values belong to, number by number; none before the first evaluation. States or bases follow the gain.
  std::vector<double> noted;
  static constexpr int gain_in_noted = 2;
  bool has_derivatives = false;
  bool has_moving = false;  // derivatives by time, of drives
  // Of sensors alone, which give them with their values where that is the first evaluation at a time, and the last such
  // one has been differentiated, as the first iterate of a step is
  bool has_rows = false;
  bool is_first = false;
  bool first_has_been_differentiated = false;
  // As SignalNetwork::lost() has it
  const Loop* lost = nullptr;
  double lost_at = 0;
  // What is added to values; empty where nothing is
  std::vector<double> added;
  double added_to(int value) const { return added.empty() ? 0 : added[static_cast<std::size_t>(value)]; }
  std::vector<model::Measurement> measured;  // by sensor
  // What is measured at once: a sensor, or two that share their reading; `other` null: one
  struct Reading {
    const model::Sensor* sensor;
    model::Measurement* to;
    const model::Sensor* other = nullptr;
    model::Measurement* to_other = nullptr;
  };
  std::vector<Reading> readings;
  // By value and sensor; only where the sensor is behind the value
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> by_sensor;
  std::vector<double> gradient;     // of a function
  std::vector<double> by_function;  // by sensor, of the function at hand
};

}  // namespace polhode::assembly
