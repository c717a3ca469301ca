// SPDX-License-Identifier: BSD-3-Clause
// Functions of time: a constant, an expression, or a table, with exact first and second derivatives and breakpoints.
#pragma once
#include <span>
#include <variant>
#include <vector>

#include "polhode/model/expression.hpp"

namespace polhode::model {

// Between the rows of a table.
// Straight lines, with kinks at the rows; or a natural cubic spline, whose second derivative is continuous.
enum class Interpolation { linear, cubic };

// A table over strictly ascending times; outside it holds its end values. `cubic` is a natural spline; derivatives at a
// breakpoint are those from the right.
class Table {
 public:
  // Throws std::invalid_argument with the reason: fewer than two rows, different lengths, times not ascending, values
  // not finite.
  Table(std::vector<double> time, std::vector<double> value, Interpolation interpolation);
  // Value and both derivatives at t, in s; allocates nothing.
  Jet operator()(double t) const;
  // Times of rows in (t0, t1) with a kink, ascending: of a linear table those where the slope changes, of a spline its
  // ends alone, where the slope drops to zero.
  std::vector<double> breakpoints(double t0, double t1) const;
  // Between breakpoints.
  bool is_linear() const { return curvature_.empty(); }
  // Where the function is farthest beyond the values of its rows, and how far, in units of their range; 0: nowhere.
  // Splines through rows at uneven distances swing so.
  struct Swing {
    // s
    double t = 0;
    double value = 0;
    double beyond = 0;
  };
  Swing widest_swing() const;

 private:
  std::vector<double> time_;
  std::vector<double> value_;
  std::vector<double> curvature_;  // second derivatives at the knots of the cubic spline
};

// A function of time as a kind keeps it, cheap to copy only while it is a constant. Its unit is that of the field.
class TimeFunction {
 public:
  TimeFunction(double constant = 0) : form_(constant) {}
  TimeFunction(Expression expression) : form_(std::move(expression)) {}
  TimeFunction(Table table) : form_(std::move(table)) {}

  // Value and both derivatives of a function of time alone; allocates nothing.
  Jet operator()(double t) const;
  // The signals that it takes: indices into all of the deck, ascending. None of a function of time alone.
  std::span<const int> signals() const;
  // With the values of all signals; and with the derivatives by those of signals(). Allocate nothing.
  double value(double t, std::span<const double> values) const;
  double value(double t, std::span<const double> values, std::span<double> gradient) const;
  // With both derivatives by time, of all signals with theirs; allocates nothing.
  Jet along(double t, std::span<const Jet> signals) const;
  // It has no kinks or jumps by the signals that it takes.
  bool follows_smoothly() const;
  // As Expression::slopes and offset; a function of time alone has no slopes, and is its offset.
  std::span<const double> slopes() const;
  double offset(double t) const;
  // False for a number, and for an expression without the variable of time, be it of signals.
  bool depends_on_time() const;
  // True for what depends on neither time nor signals.
  bool is_constant() const { return !depends_on_time() && signals().empty(); }
  // Null where it is no table; good as long as the function.
  const Table* table() const { return std::get_if<Table>(&form_); }
  // As Expression::breakpoints; allocates.
  std::vector<double> breakpoints(double t0, double t1) const;

 private:
  std::variant<double, Expression, Table> form_;
};

}  // namespace polhode::model
