// SPDX-License-Identifier: BSD-3-Clause
// Evaluation of expressions: one loop over the program, a stack of jets of fixed size, jumps over the branches not
// taken.
#include "polhode/model/expression.hpp"

#include <algorithm>
#include <memory>

#include "expression_program.hpp"
#include "jet.hpp"

namespace polhode::model {
namespace {

using Op = ExpressionEvaluator::Op;
using Node = ExpressionEvaluator::Node;
using Trace = ExpressionEvaluator::Trace;

// Jets are set to zero when they are made; these are made where they are used.
struct Stack {
  Stack() {}
  union {
    Jet places[ExpressionEvaluator::deepest];
  };
};

// An operation that may switch: its result, and what the search for breakpoints wants to know.
struct Switch {
  Jet result;
  int state;
  Jet quantity;
  double distance;
};

// Conditions are 1 or 0, and their derivatives zero: between two switches a truth value is constant.
Switch decide(bool truth, const Jet& quantity) {
  return {{truth ? 1.0 : 0.0, 0, 0}, truth, quantity, std::abs(quantity.value)};
}

// The difference of the sides passes zero where the comparison switches. Ties are decided by where both
// sides go an instant later, unless values alone are asked for.
Switch compare(Op op, const Jet& a, const Jet& b, bool literal) {
  const Jet gap = jet::subtract(a, b);
  const auto side = jet::order(a, b, literal);
  if (op == Op::less) return decide(side < 0, gap);
  if (op == Op::less_equal) return decide(side <= 0, gap);
  if (op == Op::greater) return decide(side > 0, gap);
  if (op == Op::greater_equal) return decide(side >= 0, gap);
  // What is equal at one instant only is not so an instant later; its sides differ in state. Without finite rates the
  // values alone decide.
  const bool equal = a.value == b.value && !(side < 0) && !(side > 0);
  const bool truth = equal == (op == Op::equal);
  return {{truth ? 1.0 : 0.0, 0, 0}, jet::sign(gap, literal), gap, std::abs(gap.value)};
}

// floor, ceil, rint: the number of the step is the state, clamped to what an integer holds;
// the distance to the nearest step says how far a switch is. `shift` is the offset of the steps from whole
// numbers.
Switch stair(double step, const Jet& x, double shift) {
  const double place = x.value + shift;
  const int state = std::isfinite(step) ? static_cast<int>(std::clamp(step, -2e9, 2e9)) : 0;
  return {{step, 0, 0}, state, x, std::abs(place - std::round(place))};
}

// A number is true unless it is zero and stays so.
bool is_true(const Jet& x, bool literal) { return x.value != 0 || (!literal && !jet::rests(x)); }

// Functions of one argument that have kinks or jumps; logical not has no quantity of its own,
// as its argument switches.
Switch one_argument(Op op, const Jet& x, bool literal) {
  const int side = jet::sign(x, literal);
  switch (op) {
    case Op::absolute:
      return {side < 0 ? jet::negate(x) : x, side, x, std::abs(x.value)};
    case Op::sign:
      return {{static_cast<double>(side), 0, 0}, side, x, std::abs(x.value)};
    case Op::floor:
      return stair(jet::floor(x, literal), x, 0);
    case Op::ceil:
      return stair(-jet::floor(jet::negate(x), literal), x, 0);
    case Op::rint:
      return stair(jet::rint(x, literal), x, 0.5);
    default:
      return decide(!is_true(x, literal), {});
  }
}

// and, or switch with their arguments only. min and max take one of both as a whole, with its derivatives.
// fmod(a, b) = a - n b with n constant between jumps.
Switch two_arguments(Op op, const Jet& a, const Jet& b, bool literal) {
  switch (op) {
    case Op::logical_and:
      return decide(is_true(a, literal) && is_true(b, literal), {});
    case Op::logical_or:
      return decide(is_true(a, literal) || is_true(b, literal), {});
    case Op::minimum:
    case Op::maximum: {
      const bool first = op == Op::minimum ? jet::order(a, b, literal) <= 0 : jet::order(a, b, literal) >= 0;
      const Jet gap = jet::subtract(a, b);
      return {first ? a : b, first, gap, std::abs(gap.value)};
    }
    case Op::fmod: {
      const double rest = std::fmod(a.value, b.value);
      const double count = std::round((a.value - rest) / b.value);
      Switch result = stair(count, jet::divide(a, b), 0);
      result.result = {rest, a.first - count * b.first, a.second - count * b.second};
      return result;
    }
    case Op::atan2: {
      // The cut is where y changes sign at x < 0. The state also changes between the third and the fourth quadrant,
      // which costs a step and harms nothing.
      const bool third = jet::sign(a, literal) < 0 && jet::sign(b, literal) < 0;
      return {jet::atan2(a, b), third, a, std::abs(a.value)};
    }
    default:
      return compare(op, a, b, literal);
  }
}

// Numbers for the variables, and by which of them derivatives are taken.
struct Point {
  std::span<const double> values;
  int by;
};

// Variables that move.
struct Motion {
  std::span<const Jet> variables;
};

// How a program is run, by what stands beside it: nothing (t alone), what the search for breakpoints wants to know, or
// variables.
struct Nothing {};

// A stack machine over jets: operands lie below `next`, results replace them.
// The tree has been checked for its depth, so the stack cannot overflow. The plain version leaves no trace
// and allocates nothing: it runs in every residual.
template <class Beside>
Jet run_program(std::span<const Node> program, double t, bool all_literal, [[maybe_unused]] Beside* beside) {
  constexpr bool watched = std::is_same_v<Beside, Trace>;
  constexpr bool moving = std::is_same_v<Beside, const Motion>;
  constexpr bool varied = std::is_same_v<Beside, const Point>;
  if (program.empty()) return {};
  Stack stack;
  Jet* next = stack.places;  // behind the top
  const auto push = [&](const Jet& x) { std::construct_at(next++, x); };
  const auto put = [&](Jet& place, const Node& node, const Switch& seen) {
    if constexpr (watched) beside->push_back({&node, seen.state, seen.quantity, seen.distance});
    place = seen.result;
  };
  const auto is_literal = [all_literal]([[maybe_unused]] const Node& node) {
    if constexpr (varied) return all_literal || node.literal;
    return all_literal;
  };
  const Node* const begin = program.data();
  for (const Node* node = begin; node != begin + program.size();) {
    switch (node->op) {
      case Op::variable:
        if constexpr (varied) {
          push({beside->values[static_cast<std::size_t>(node->target)], node->target == beside->by ? 1.0 : 0.0, 0});
          break;
        }
        if constexpr (moving) {
          push(beside->variables[static_cast<std::size_t>(node->target)]);
          break;
        }
        [[fallthrough]];
      case Op::number:
        push({node->number, 0, 0});
        break;
      case Op::time:
        push({t, 1, 0});
        break;
      case Op::negate:
        next[-1] = jet::negate(next[-1]);
        break;
      case Op::square:
        next[-1] = jet::square(next[-1]);
        break;
      case Op::smooth:
        // What t adds is held where a variable is, for derivatives by that alone
        if (moving && node->smooth->of_jet == jet::hold) break;
        next[-1] = node->smooth->of_jet(next[-1]);
        break;
      case Op::add:
        --next;
        next[-1] = jet::add(next[-1], *next);
        break;
      case Op::subtract:
        --next;
        next[-1] = jet::subtract(next[-1], *next);
        break;
      case Op::multiply:
        --next;
        next[-1] = jet::multiply(next[-1], *next);
        break;
      case Op::divide:
        --next;
        next[-1] = jet::divide(next[-1], *next);
        break;
      case Op::power:
        --next;
        next[-1] = jet::power(next[-1], *next);
        break;
      case Op::hypot:
        --next;
        next[-1] = jet::hypot(next[-1], *next);
        break;
      case Op::absolute:
      case Op::sign:
      case Op::rint:
      case Op::floor:
      case Op::ceil:
      case Op::logical_not:
        put(next[-1], *node, one_argument(node->op, next[-1], is_literal(*node)));
        break;
      case Op::branch: {
        --next;
        const bool taken = is_true(*next, is_literal(*node));
        if constexpr (watched) beside->push_back({node, taken, *next, std::abs(next->value)});
        if (taken) break;
        node = begin + node->target;
        continue;
      }
      case Op::jump:
        node = begin + node->target;
        continue;
      default:
        --next;
        put(next[-1], *node, two_arguments(node->op, next[-1], *next, is_literal(*node)));
        break;
    }
    ++node;
  }
  return next[-1];
}

}  // namespace

Jet ExpressionEvaluator::run(std::span<const Node> program, double t, bool literal) {
  return run_program<Nothing>(program, t, literal, nullptr);
}

// The value alone decides on the literal reading, so that it is the same with and without derivatives.
Jet ExpressionEvaluator::run(std::span<const Node> program, double t, std::span<const double> values, int by) {
  const Point point{values, by};
  const Jet result = run_program(program, t, false, &point);
  return std::isfinite(result.value) ? result : run_program(program, t, true, &point);
}

Jet ExpressionEvaluator::run(std::span<const Node> program, double t, std::span<const Jet> variables) {
  const Motion motion{variables};
  return run_program(program, t, false, &motion);
}

// Operations behind Op::smooth switch, jump or ask where their arguments go.
bool ExpressionEvaluator::is_smooth(std::span<const Node> program) {
  return std::all_of(program.begin(), program.end(), [](const Node& node) { return node.op <= Op::smooth; });
}

// The operations of run_program on the values alone: jets have the same ones, to the last bit.
double ExpressionEvaluator::value(std::span<const Node> program, double t, std::span<const double> values) {
  if (program.empty()) return 0;
  double stack[deepest];
  double* next = stack;  // behind the top
  for (const Node& node : program) {
    switch (node.op) {
      case Op::variable:
        *next++ = values[static_cast<std::size_t>(node.target)];
        break;
      case Op::number:
        *next++ = node.number;
        break;
      case Op::time:
        *next++ = t;
        break;
      case Op::negate:
        next[-1] = -next[-1];
        break;
      case Op::square:
        next[-1] *= next[-1];
        break;
      case Op::smooth:
        next[-1] = node.smooth->of_value(next[-1]);
        break;
      case Op::add:
        --next;
        next[-1] += *next;
        break;
      case Op::subtract:
        --next;
        next[-1] -= *next;
        break;
      case Op::multiply:
        --next;
        next[-1] *= *next;
        break;
      case Op::divide:
        --next;
        next[-1] /= *next;
        break;
      case Op::power:
        --next;
        next[-1] = std::pow(next[-1], *next);
        break;
      default:  // hypot
        --next;
        next[-1] = std::hypot(next[-1], *next);
        break;
    }
  }
  return next[-1];
}

Trace ExpressionEvaluator::watch(std::span<const Node> program, double t) {
  Trace trace;
  run_program(program, t, false, &trace);
  return trace;
}

// Where ties or limits from the right give infinities or NaN, as sqrt(t) at zero does in its slope,
// the literal reading may still have finite values.
Jet Expression::operator()(double t) const {
  const Jet result = ExpressionEvaluator::run(program_, t, false);
  return jet::is_finite(result) ? result : ExpressionEvaluator::run(program_, t, true);
}

bool Expression::depends_on_time() const {
  return std::any_of(program_.begin(), program_.end(), [](const Node& node) { return node.op == Op::time; });
}

Jet Expression::along(double t, std::span<const Jet> variables) const {
  return ExpressionEvaluator::run(program_, t, variables);
}

// Most often a signal's name stands alone.
double Expression::value(double t, std::span<const double> values) const {
  if (program_.empty()) return 0;
  if (program_.size() == 1 && program_[0].op == Op::variable)
    return values[static_cast<std::size_t>(program_[0].target)];
  if (smooth_) return ExpressionEvaluator::value(program_, t, values);
  if (variables_.empty()) return (*this)(t).value;
  return ExpressionEvaluator::run(program_, t, values, -1).value;
}

double Expression::value(double t, std::span<const double> values, std::span<double> gradient) const {
  if (variables_.empty() || !slopes_.empty()) {
    std::copy(slopes_.begin(), slopes_.end(), gradient.begin());
    return value(t, values);
  }
  double result = 0;
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    const Jet jet = ExpressionEvaluator::run(program_, t, values, variables_[i]);
    result = jet.value;
    gradient[i] = jet.first;
  }
  return result;
}

std::vector<double> Expression::breakpoints(double t0, double t1) const {
  if (!variables_.empty()) return timing_.empty() ? std::vector<double>{} : timing_.front().breakpoints(t0, t1);
  return ExpressionEvaluator::breakpoints(*this, t0, t1);
}

}  // namespace polhode::model
