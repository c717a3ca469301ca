// SPDX-License-Identifier: BSD-3-Clause
// Functions of time: a constant, an expression, or a table, with exact first and second derivatives and breakpoints.
#pragma once
#include <variant>
#include <vector>

#include "polhode/model/expression.hpp"

namespace polhode::model {

enum class Interpolation { linear, cubic };

// A table over strictly ascending times; outside it holds its end values. `cubic` is a natural spline; derivatives at a
// breakpoint are those from the right.
class Table {
 public:
  // Throws std::invalid_argument with the reason: fewer than two rows, different lengths, times not ascending, values
  // not finite.
  Table(std::vector<double> time, std::vector<double> value, Interpolation interpolation);
  Jet operator()(double t) const;
  std::vector<double> breakpoints(double t0, double t1) const;

 private:
  std::vector<double> time_;
  std::vector<double> value_;
  std::vector<double> curvature_;  // second derivatives at the knots of the cubic spline
};

class TimeFunction {
 public:
  TimeFunction(double constant = 0) : form_(constant) {}
  TimeFunction(Expression expression) : form_(std::move(expression)) {}
  TimeFunction(Table table) : form_(std::move(table)) {}

  Jet operator()(double t) const;  // allocates nothing
  bool is_constant() const;
  std::vector<double> breakpoints(double t0, double t1) const;  // as Expression::breakpoints

 private:
  std::variant<double, Expression, Table> form_;
};

}  // namespace polhode::model
