// SPDX-License-Identifier: BSD-3-Clause
// Signals: numbers that live in a model beside its motion. A sensor measures a state; a block makes its outputs of
// functions of time and of other signals, and may have states z of its own, z' = f(t, u, z), and numbers that it holds
// from one moment of sampling to the next.
//
// Kinds of signals stand in elements/signals, one folder each, and add one or the other to the builder.
#pragma once
#include <array>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "polhode/model/function.hpp"
#include "polhode/model/state.hpp"

namespace polhode::model {

using math::MatrixX;

class BatchBase;
struct Measurement;

// One number that a state has. None of the functions allocates.
class Sensor {
 public:
  virtual ~Sensor() = default;
  // The nodes that it looks at; 0, the ground, among them or not.
  virtual std::span<const int> nodes() const = 0;
  // The element of a batch whose multipliers it reads, all of them; none: `batch` is null.
  struct Element {
    const BatchBase* batch = nullptr;
    std::size_t number = 0;
  };
  virtual Element multipliers() const { return {}; }
  // Which part of a joint's reaction it is, that of a lock not included.
  enum class Reaction { none, force, moment };
  virtual Reaction reaction() const { return Reaction::none; }
  // Whether it reads accelerations of its nodes.
  virtual bool accelerates() const { return false; }
  // False: it sums up the whole model, and measure() gives no derivatives.
  virtual bool has_derivatives() const { return true; }
  // Whether it follows rotations and angular velocities alone: what it is by translations stays zero.
  virtual bool turns_alone() const { return false; }
  // Whether it can be measured together with the other one, at less cost: of one joint, say.
  virtual bool shares_reading(const Sensor& /*other*/) const { return false; }
  // measure() of both.
  virtual void measure_both(const State& q, bool derivatives, Measurement& own, const Sensor& other,
                            Measurement& of_other) const {
    measure(q, derivatives, own);
    other.measure(q, derivatives, of_other);
  }
  // The values alone of one or of both, of a state whose history is its own: elements have counted their angles.
  virtual void measure_counted(const State& q, Measurement& own, const Sensor* other, Measurement* of_other) const {
    if (other)
      measure_both(q, false, own, *other, *of_other);
    else
      measure(q, false, own);
  }
  // Sets the value of `m`, which is one of this sensor, and with `derivatives` all else but what is zero always. The value
  // is the same to the last bit.
  virtual void measure(const State& q, bool derivatives, Measurement& m) const = 0;
};

// What a sensor reads of a state, with its derivatives.
struct Measurement {
  Measurement() = default;
  // All zero, of the sizes of a sensor that reads `rows` multipliers.
  Measurement(const Sensor& sensor, std::size_t rows)
      : nodes(sensor.nodes().begin(), sensor.nodes().end()),
        by_position(nodes.size(), Vec6::Zero()),
        by_velocity(nodes.size(), Vec6::Zero()),
        by_acceleration(sensor.accelerates() ? nodes.size() : 0, Vec6::Zero()),
        by_multiplier(rows, 0.0) {}
  double value = 0;
  std::vector<int> nodes;
  // By [dx, dTheta], [du, dOmega] and the rates of the latter, of each: translations inertial, rotations in the node's
  // frame; by accelerations where the sensor reads them
  std::vector<Vec6> by_position;
  std::vector<Vec6> by_velocity;
  std::vector<Vec6> by_acceleration;
  // By the multipliers of Sensor::multipliers()
  std::vector<double> by_multiplier;
};

// A block with u inputs and y outputs. Outputs y = g(t, u, z, held), rates z' = f(t, u, z, held).
class SignalBlock {
 public:
  struct Sizes {
    int inputs = 0;
    int outputs = 1;
    int states = 0;
    int held = 0;
  };
  // Values and derivatives at one moment, of the sizes of the block.
  struct Values {
    explicit Values(const Sizes& sizes);
    VectorX y;
    VectorX f;
    // Of y and f by u and z
    MatrixX y_by_u;
    MatrixX y_by_z;
    MatrixX f_by_u;
    MatrixX f_by_z;
  };

  explicit SignalBlock(const Sizes& sizes) : sizes_(sizes) {}
  virtual ~SignalBlock() = default;
  const Sizes& sizes() const { return sizes_; }
  // s, from one moment of sampling to the next, the first at t = 0; 0: it samples nothing.
  virtual double period() const { return 0; }
  // Of a block whose output is its only input as it was a time, s, ago, `initial` before the start; time 0: of others.
  struct Delay {
    double time = 0;
    double initial = 0;
  };
  // Such a block holds two numbers of the network's; evaluate() has two others: y = held[0] + held[1] u.
  virtual Delay delay() const { return {}; }
  // Where y = C z + D u and f = A z + B u with matrices that never change: as long as the first output that they give is
  // not outside of this. evaluate() is called once for them, with all zero; a range without zero serves nothing. None:
  // nowhere.
  struct Range {
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
  };
  virtual std::optional<Range> linear_range() const { return std::nullopt; }
  // Whether outputs or states follow this input between moments of sampling and events.
  virtual bool follows(int /*input*/) const { return period() == 0; }
  // Of the start, both zero before the call.
  virtual void start(std::span<double> z, std::span<double> held) const;
  // Sets all of `values` but what is zero always, as it is before the first call. Allocates nothing.
  virtual void evaluate(double t, std::span<const double> u, std::span<const double> z, std::span<const double> held,
                        Values& values) const = 0;
  // What is held from this moment of sampling on.
  virtual void sample(double t, std::span<const double> u, std::span<double> held) const;
  // What is held from the start of a transient on, without sampling: as it is, unless the inputs there say other.
  virtual void enter(std::span<const double> u, std::span<double> held) const;

  // For a block that samples or delays, one that does neither and rests, f = 0, where this one does, with the same
  // inputs and outputs: a block that samples holds the states and then the outputs of that one. nullptr: it does
  // neither.
  virtual std::unique_ptr<SignalBlock> resting() const { return nullptr; }
  // For a delay, the Padé approximant of an order >= 1: the same for slow signals. One that `lags` passes nothing on at
  // once. nullptr: it is no delay.
  virtual std::unique_ptr<SignalBlock> approximant(int order, bool lags) const;

 private:
  Sizes sizes_;
};

// In which form a system takes blocks that know of other moments than the present one.
struct SignalForm {
  // SignalBlock::resting()
  bool at_rest = false;
  // The order of SignalBlock::approximant(); 0: delays are taken as they are
  int approximants = 0;
  // They pass nothing on at once
  bool lags = false;
};

// An entry of the deck's `signals` as it was built: a sensor, or a block with its inputs.
struct SignalEntry {
  // Index into Model::entries
  int entry = 0;
  std::unique_ptr<Sensor> sensor;
  std::unique_ptr<SignalBlock> block;
  std::vector<TimeFunction> inputs;
  // Whether the block is an approximant of that of the deck
  bool approximated = false;
  // Of what a sensor reads; formulas have none
  std::string unit{};

  // Puts another block in the place of one that has that form.
  void take_form(const SignalForm& form);
};

}  // namespace polhode::model
