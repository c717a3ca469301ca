// SPDX-License-Identifier: BSD-3-Clause
// Expressions in the syntax of muParser, with exact first and second derivatives by t and with their breakpoints.
#pragma once
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace polhode::model {

// A value with its first and second derivative by time.
struct Jet {
  double value = 0;
  double first = 0;
  double second = 0;
};

// Text that is no expression: `position` is the 0-based character where it goes wrong.
// The message says what was expected there.
struct ExpressionError : std::runtime_error {
  ExpressionError(std::size_t at, const std::string& message) : std::runtime_error(message), position(at) {}
  std::size_t position;
};

// An expression over named numbers, the constant `pi`, the usual functions and, where allowed, the time `t`; zero if
// made without text.
//
// Syntax (muParser's, without assignment): + - * / ^ (right associative), unary + -, ( ), comparisons < <= > >= == !=,
// && || !, cond ? a : b, function calls with commas only between arguments; log is the natural logarithm.
// Evaluation allocates nothing.
class Expression {
 public:
  // The names of numbers that `text` uses, without pi, t and functions, in order of appearance. Throws ExpressionError.
  static std::vector<std::string> names_used(std::string_view text);

  // Parses `text` (without the leading '='). Throws ExpressionError: syntax, unknown name (with the nearest known one),
  // wrong number of arguments, or `t` where `allow_time` is false.
  static Expression parse(std::string_view text, const std::map<std::string, double, std::less<>>& parameters,
                          bool allow_time);

  // True for a name that a parameter may not have: t, pi, or a function's.
  static bool is_reserved(std::string_view name);

  // Value, d/dt, d2/dt2. At a breakpoint all three are limits from the right (`t <= 1 ? 0 : 5` is 5 at t = 1), unless
  // these are not finite: then comparisons are read literally (`t > 0 ? sin(t)/t : 1` is 1 at t = 0).
  Jet operator()(double t) const;
  // Whether `t` occurs; an expression without it has one value and no breakpoints.
  bool depends_on_time() const;

  // Times in the open interval (t0, t1), ascending and without doubles, at which a comparison switches or abs, min,
  // max, sign, rint and the like have a kink or a jump.
  std::vector<double> breakpoints(double t0, double t1) const;

 private:
  enum class Op : int;
  // Reverse Polish: arguments stand before the operation.
  struct Node {
    Op op;
    // A switch of this operation is a breakpoint; inside a condition only the outcome is one.
    bool matters;
    // Of a branch or jump: the index of the node to go on with.
    int target;
    double number;
    Jet (*smooth)(const Jet&);
  };
  friend class ExpressionParser;
  friend struct ExpressionEvaluator;
  std::vector<Node> program_;
  // Where comparisons and kinks that are linear in t switch, s.
  std::vector<double> roots_;
  // Others are there, to be searched for in each interval.
  bool scan_ = false;
};

}  // namespace polhode::model
