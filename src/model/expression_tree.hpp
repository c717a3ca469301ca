// SPDX-License-Identifier: BSD-3-Clause
// The tree between an expression's text and its program: constants are folded as it grows.
#pragma once
#include <map>
#include <optional>
#include <vector>

#include "expression_program.hpp"

namespace polhode::model {

struct AffineTree;

struct ExpressionTree {
  using Op = ExpressionEvaluator::Op;
  using Node = ExpressionEvaluator::Node;
  // A straight line in t.
  struct Line {
    double at_zero;
    double slope;
  };

  Op op = Op::number;
  double number = 0;
  const ExpressionEvaluator::Smooth* smooth = nullptr;
  std::vector<ExpressionTree> children;  // of a branch: condition, value if true, value if false
  int index = 0;                         // of a variable
  bool timed = false;                    // t occurs
  bool varied = false;                   // a variable occurs

  static ExpressionTree time() { return {Op::time, 0, nullptr, {}, 0, true, false}; }
  static ExpressionTree variable(int index) { return {Op::variable, 0, nullptr, {}, index, false, true}; }
  // An operation on its children, or its value where they are constants.
  static ExpressionTree make(Op op, std::vector<ExpressionTree> children,
                             const ExpressionEvaluator::Smooth* smooth = nullptr);

  // A tree of t alone that switches where the parts of this one do that depend on t alone.
  ExpressionTree timing() const;
  // The indices of its variables are added to `found`.
  void collect_variables(std::vector<int>& found) const;
  // at_zero + slope t, where the tree is linear in t.
  std::optional<Line> line() const;
  // The tree as f(t) + sum slope * variable, where it is one.
  std::optional<AffineTree> affine() const;
};

struct AffineTree {
  ExpressionTree offset;         // of t alone
  std::map<int, double> slopes;  // by the indices of variables
};

// A tree written down as a program.
struct ExpressionProgram {
  std::vector<ExpressionTree::Node> nodes;
  std::vector<double> roots;  // as in Expression
  bool scan = false;
  std::size_t deepest = 0;  // places that it needs on the stack

  // `matters`: a switch shows in the value of the expression, not only in the outcome of a condition around it.
  void append(const ExpressionTree& tree, bool matters, std::size_t depth);

 private:
  void append_operand(const ExpressionTree& tree, std::size_t i, bool matters, std::size_t depth);
  void note_switch(const ExpressionTree& tree);
};

}  // namespace polhode::model
