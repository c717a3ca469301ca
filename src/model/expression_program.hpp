// SPDX-License-Identifier: BSD-3-Clause
// What parser, evaluator and the search for breakpoints share: the operations of a program, and how it is run and
// watched.
#pragma once
#include <span>
#include <vector>

#include "polhode/model/expression.hpp"

namespace polhode::model {

enum class Expression::Op : int {
  number,
  time,
  variable,
  negate,
  add,
  subtract,
  multiply,
  divide,
  square,
  power,
  hypot,
  smooth,  // any smooth function of one argument
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  not_equal,
  logical_and,
  logical_or,
  logical_not,
  absolute,
  sign,
  rint,
  floor,
  ceil,
  minimum,
  maximum,
  fmod,
  atan2,
  branch,  // takes a condition; goes on at `target` where it is false
  jump,    // goes on at `target`
};

// A smooth function of one argument.
struct Expression::Smooth {
  Jet (*of_jet)(const Jet&);
  double (*of_value)(double);
};

struct ExpressionEvaluator {
  using Smooth = Expression::Smooth;
  using Op = Expression::Op;
  using Node = Expression::Node;
  static constexpr std::size_t deepest = 64;  // places on the stack

  // What an operation that may switch saw: its state is constant between switches.
  struct Sighting {
    const Node* node;
    int state;
    Jet quantity;     // whose passing of a threshold switches the state
    double distance;  // from the nearest threshold
  };
  using Trace = std::vector<Sighting>;

  // `literal` reads comparisons by the values alone, otherwise ties are decided an instant later. A trace holds what
  // was met on the way: branches that are not taken are not met.
  static Jet run(std::span<const Node> program, double t, bool literal);
  // With numbers for the variables; `first` is the derivative by variable `by`, if that is none (-1) it says nothing.
  static Jet run(std::span<const Node> program, double t, std::span<const double> values, int by);
  // With numbers for the variables that move.
  static Jet run(std::span<const Node> program, double t, std::span<const Jet> variables);
  // Of a program in which nothing switches, without derivatives.
  static double value(std::span<const Node> program, double t, std::span<const double> values);
  static bool is_smooth(std::span<const Node> program);
  static Trace watch(std::span<const Node> program, double t);

  static std::vector<double> breakpoints(const Expression& expression, double t0, double t1);
};

}  // namespace polhode::model
