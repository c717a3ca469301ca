// SPDX-License-Identifier: BSD-3-Clause
// Expressions in the syntax of muParser, with exact first and second derivatives by t and with their breakpoints; of
// further variables, with exact first derivatives by these.
#pragma once
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
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

// The names of variables of expressions, each found without a search through all of them: one list may serve many.
class VariableNames {
 public:
  VariableNames() = default;
  VariableNames(std::vector<std::string> names);
  const std::vector<std::string>& list() const { return list_; }
  bool contains(std::string_view name) const { return index_of(name) >= 0; }
  // In the list; -1: it is none of them.
  int index_of(std::string_view name) const;

 private:
  std::vector<std::string> list_;
  std::map<std::string, int, std::less<>> index_;
};

// An expression over named numbers, the constant `pi`, the usual functions and, where allowed, the time `t`; zero if
// made without text.
//
// Syntax (muParser's, without assignment): + - * / ^ (right associative), unary + -, ( ), comparisons < <= > >= == !=,
// && || !, cond ? a : b, function calls with commas only between arguments; log is the natural logarithm.
// Evaluation allocates nothing.
class Expression {
 public:
  // The names of numbers that `text` uses, without pi, t and functions but for `variables` of such names, in order of
  // appearance. Throws ExpressionError.
  static std::vector<std::string> names_used(std::string_view text, const VariableNames& variables = {});

  // Parses `text` (without the leading '='). Throws ExpressionError: syntax, unknown name (with the nearest known one),
  // wrong number of arguments, or `t` where `allow_time` is false.
  // Further variables, such as an angle and its rate, are numbers of value(). A name that is also a parameter's is the
  // variable; a deck's reader refuses those and reserved names.
  static Expression parse(std::string_view text, const std::map<std::string, double, std::less<>>& parameters,
                          bool allow_time, const VariableNames& variables = {});

  // True for a name that a parameter may not have: t, pi, or a function's.
  static bool is_reserved(std::string_view name);

  // Value, d/dt, d2/dt2. At a breakpoint all three are limits from the right (`t <= 1 ? 0 : 5` is 5 at t = 1), unless
  // these are not finite: then comparisons are read literally (`t > 0 ? sin(t)/t : 1` is 1 at t = 0).
  // Further variables are zero.
  Jet operator()(double t) const;
  // Whether `t` occurs; an expression without it has one value and no breakpoints.
  bool depends_on_time() const;

  // The variables that occur: indices into the names given to parse(), ascending, each once.
  const std::vector<int>& variables() const { return variables_; }
  // Value at t, s, with numbers for all variables in the order of parse(). What depends on t alone is a limit from the
  // right as above; comparisons and kinks in which a variable takes part are read literally, whatever moves. Without
  // variables that of the jet, faster.
  double value(double t, std::span<const double> values) const;
  // The same, and the exact derivatives by those of variables(), in their order, into `gradient`, which has as many
  // places. At a kink they are those of the side whose value is taken: of abs(x) at x = 0 it is 1.
  double value(double t, std::span<const double> values, std::span<double> gradient) const;

  // Value and both derivatives by time where the variables move: all of them with their own. Exact where nothing switches.
  Jet along(double t, std::span<const Jet> variables) const;
  // No comparison, kink or jump is in it.
  bool is_smooth() const { return smooth_; }

  // Of an expression that is f(t) plus a constant times each of its variables: these constants, in the order of
  // variables(), and f at t, s. Of others, and without variables, there are no slopes.
  std::span<const double> slopes() const { return slopes_; }
  double offset(double t) const { return offset_.front().value(t, {}); }

  // Times in the open interval (t0, t1), ascending and without doubles, at which a comparison switches or abs, min,
  // max, sign, rint and the like have a kink or a jump. With further variables: those of the parts that depend on t
  // alone; where a variable switches is not known here.
  std::vector<double> breakpoints(double t0, double t1) const;

 private:
  enum class Op : int;
  struct Smooth;
  // Reverse Polish: arguments stand before the operation.
  struct Node {
    Op op;
    // A switch of this operation is a breakpoint; inside a condition only the outcome is one.
    bool matters;
    // A variable decides: ties are decided by the values, not by where they go.
    bool literal;
    // Of a branch or jump: the index of the node to go on with; of a variable: which.
    int target;
    double number;
    const Smooth* smooth;  // of static storage
  };
  friend class ExpressionParser;
  friend struct ExpressionEvaluator;
  std::vector<Node> program_;
  // Where comparisons and kinks that are linear in t switch, s.
  std::vector<double> roots_;
  // Others are there, to be searched for in each interval.
  bool scan_ = false;
  // Nothing of it switches: values need no derivatives.
  bool smooth_ = false;
  std::vector<int> variables_;
  // Of an expression with variables and t: one of t alone that has its breakpoints; else empty.
  std::vector<Expression> timing_;
  // As slopes() and offset() have them
  std::vector<double> slopes_;
  std::vector<Expression> offset_;
};

}  // namespace polhode::model
