// SPDX-License-Identifier: BSD-3-Clause
// The tree between an expression's text and its program: constants are folded as it grows.
#pragma once
#include <optional>
#include <vector>

#include "expression_program.hpp"

namespace polhode::model {

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
  Jet (*smooth)(const Jet&) = nullptr;
  std::vector<ExpressionTree> children;  // of a branch: condition, value if true, value if false

  // An operation on its children, or its value where they are constants.
  static ExpressionTree make(Op op, std::vector<ExpressionTree> children, Jet (*smooth)(const Jet&) = nullptr);

  // at_zero + slope t, where the tree is linear in t.
  std::optional<Line> line() const;
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
  void note_switch(const ExpressionTree& tree);
};

}  // namespace polhode::model
