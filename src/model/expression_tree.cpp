// SPDX-License-Identifier: BSD-3-Clause
// Folding of constants, straight lines in t, and the writing of programs.
#include "expression_tree.hpp"

#include <algorithm>

#include "jet.hpp"

namespace polhode::model {
namespace {

using Op = ExpressionTree::Op;
using Line = ExpressionTree::Line;

// Groups of operations, by their order in Op.
bool is_number(const ExpressionTree& tree) { return tree.op == Op::number; }
bool is_comparison(Op op) { return op >= Op::less && op <= Op::not_equal; }
bool is_logical(Op op) { return op >= Op::logical_and && op <= Op::logical_not; }
bool is_kink(Op op) { return op >= Op::absolute && op <= Op::atan2; }

}  // namespace

// Constants fold at once by running their program: one implementation of each operation.
// x^2 is a multiplication, which is faster than a power and right for negative x as well.
ExpressionTree ExpressionTree::make(Op op, std::vector<ExpressionTree> children,
                                    const ExpressionEvaluator::Smooth* smooth) {
  if (op == Op::branch && is_number(children[0])) return children[children[0].number != 0 ? 1 : 2];
  if (op == Op::power && is_number(children[1]) && children[1].number == 2) {
    children.pop_back();
    op = Op::square;
  }
  ExpressionTree tree{op, 0, smooth, std::move(children)};
  for (const auto& child : tree.children) {
    tree.timed = tree.timed || child.timed;
    tree.varied = tree.varied || child.varied;
  }
  if (!std::all_of(tree.children.begin(), tree.children.end(), is_number)) return tree;
  ExpressionProgram program;
  program.append(tree, false, 0);
  return {Op::number, ExpressionEvaluator::run(program.nodes, 0, true).value, nullptr, {}};
}

// A condition on t alone stays one, so that parts in a branch that is not taken do not count; all else is summed up.
ExpressionTree ExpressionTree::timing() const {
  if (!timed) return {};
  if (!varied) return *this;
  if (op == Op::branch && !children[0].varied) {
    return make(Op::branch, {children[0], children[1].timing(), children[2].timing()});
  }
  // Of a branch the last part first: chains of ?: grow there, and what stands first needs no place more on the stack.
  std::optional<ExpressionTree> sum;
  const auto add = [&](const ExpressionTree& child) {
    if (child.timed) sum = sum ? make(Op::add, {std::move(*sum), child.timing()}) : child.timing();
  };
  if (op == Op::branch) {
    std::for_each(children.rbegin(), children.rend(), add);
  } else {
    std::for_each(children.begin(), children.end(), add);
  }
  return *sum;
}

void ExpressionTree::collect_variables(std::vector<int>& found) const {
  if (op == Op::variable) found.push_back(index);
  for (const auto& child : children) child.collect_variables(found);
}

// Of sums, products with constants and quotients by constants: lines whose crossings are roots in closed
// form. Anything else has none and is searched.
std::optional<Line> ExpressionTree::line() const {
  if (op == Op::number) return Line{number, 0};
  if (op == Op::time) return Line{0, 1};
  if (op < Op::negate || op > Op::divide) return {};
  const auto a = children.front().line();
  // One look at each: a row of signs would else take twice as long with every sign.
  const auto b = children.size() > 1 ? children.back().line() : a;
  if (!a || !b) return {};
  switch (op) {
    case Op::negate:
      return Line{-a->at_zero, -a->slope};
    case Op::add:
      return Line{a->at_zero + b->at_zero, a->slope + b->slope};
    case Op::subtract:
      return Line{a->at_zero - b->at_zero, a->slope - b->slope};
    case Op::divide:
      if (b->slope != 0) return {};
      return Line{a->at_zero / b->at_zero, a->slope / b->at_zero};
    default:
      if (a->slope != 0 && b->slope != 0) return {};
      return Line{a->at_zero * b->at_zero, a->at_zero * b->slope + a->slope * b->at_zero};
  }
}

namespace {

// `a` of a sum or difference with `b`; adding nothing leaves no operation.
ExpressionTree sum_of(Op op, ExpressionTree a, ExpressionTree b) {
  if (is_number(b) && b.number == 0) return a;
  if (is_number(a) && a.number == 0) return op == Op::add ? b : ExpressionTree::make(Op::negate, {std::move(b)});
  return ExpressionTree::make(op, {std::move(a), std::move(b)});
}

}  // namespace

// Of sums, and products with and quotients by numbers: all else that holds a variable is none.
std::optional<AffineTree> ExpressionTree::affine() const {
  if (!varied) return AffineTree{*this, {}};
  if (op == Op::variable) return AffineTree{{}, {{index, 1.0}}};
  if (op < Op::negate || op > Op::divide) return {};
  const bool scales = op == Op::multiply || op == Op::divide;
  const std::size_t factor = op == Op::multiply && is_number(children.front()) ? 0 : 1;
  if (scales && !is_number(children[factor])) return {};
  auto a = children[scales ? 1 - factor : 0].affine();
  if (!a) return {};
  if (scales) {
    const double by = children[factor].number;
    if (op == Op::divide && by == 0) return {};
    for (auto& [variable, slope] : a->slopes) slope = op == Op::divide ? slope / by : slope * by;
    a->offset = is_number(a->offset) && a->offset.number == 0 ? ExpressionTree{}
                                                              : make(op, {std::move(a->offset), children[factor]});
  } else if (op == Op::negate) {
    for (auto& [variable, slope] : a->slopes) slope = -slope;
    a->offset = sum_of(Op::subtract, {}, std::move(a->offset));
  } else {
    auto b = children.back().affine();
    if (!b) return {};
    for (const auto& [variable, slope] : b->slopes) a->slopes[variable] += op == Op::add ? slope : -slope;
    a->offset = sum_of(op, std::move(a->offset), std::move(b->offset));
  }
  return a;
}

// Comparisons, min and max switch where their sides meet, others where their argument is zero. The root of `t < ts`
// comes out as ts to the last bit.
void ExpressionProgram::note_switch(const ExpressionTree& tree) {
  const auto a = tree.children[0].line();
  const bool sides = is_comparison(tree.op) || tree.op == Op::minimum || tree.op == Op::maximum;
  const bool steps = tree.op == Op::rint || tree.op == Op::floor || tree.op == Op::ceil;
  if (steps && a) return;  // the search halves between different steps: none can hide
  const auto b = sides ? tree.children[1].line() : Line{0, 0};
  if (!a || !b || !(sides || tree.op == Op::absolute || tree.op == Op::sign)) {
    scan = true;
  } else if (a->slope != b->slope) {
    roots.push_back((b->at_zero - a->at_zero) / (a->slope - b->slope));
  }
}

// Postfix order. A branch evaluates its condition, then one of two pieces of program,
// with jumps past the other. Operands of comparisons and logic matter for the condition alone:
// switches inside them that do not change its outcome are no breakpoints of the expression.
void ExpressionProgram::append(const ExpressionTree& tree, bool matters, std::size_t depth) {
  deepest = std::max(deepest, depth + 1);
  const auto& parts = tree.children;
  if (tree.op == Op::branch) {
    append(parts[0], false, depth);
    const std::size_t branch = nodes.size();
    nodes.push_back({Op::branch, matters, parts[0].varied, 0, 0, nullptr});
    append_operand(tree, 1, matters, depth);
    const std::size_t jump = nodes.size();
    nodes.push_back({Op::jump, false, false, 0, 0, nullptr});
    nodes[branch].target = static_cast<int>(nodes.size());
    append_operand(tree, 2, matters, depth);
    nodes[jump].target = static_cast<int>(nodes.size());
    return;
  }
  const bool outcome = is_comparison(tree.op) || is_logical(tree.op);
  for (std::size_t i = 0; i < parts.size(); ++i) append_operand(tree, i, matters && !outcome, depth + i);
  if (is_comparison(tree.op) || is_kink(tree.op)) note_switch(tree);
  nodes.push_back({tree.op, matters, tree.varied, tree.index, tree.number, tree.smooth});
}

namespace {

constexpr ExpressionEvaluator::Smooth hold{jet::hold, [](double x) { return x; }};

}  // namespace

// Derivatives by t end where a variable comes in.
void ExpressionProgram::append_operand(const ExpressionTree& tree, std::size_t i, bool matters, std::size_t depth) {
  const auto& operand = tree.children[i];
  append(operand, matters, depth);
  if (tree.varied && operand.timed && !operand.varied) nodes.push_back({Op::smooth, false, false, 0, 0, &hold});
}

}  // namespace polhode::model
