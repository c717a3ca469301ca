// SPDX-License-Identifier: BSD-3-Clause
// A force along a coordinate by an expression of the deck: of the coordinate s, its rate and t.
#pragma once
#include <array>

#include "polhode/model/builder.hpp"
#include "polhode/model/expression.hpp"

namespace polhode::elements {

// Zero unless made from an expression. It has no energy: its power is the force times the rate.
class CoordinateLaw {
 public:
  CoordinateLaw() = default;
  // Of two variables, the coordinate and then its rate, and t, in rad or m, rad/s or m/s, s.
  CoordinateLaw(model::Expression expression);

  bool is_given() const { return given_; }
  // N or N m, and its exact derivatives by s and its rate.
  struct Value {
    double force;
    double by_position;
    double by_rate;
  };
  // Allocate nothing.
  Value operator()(double s, double rate, double t) const;
  double force(double s, double rate, double t) const;
  // As Expression::breakpoints, added to `out`.
  void add_times_to(double t0, double t1, std::vector<double>& out) const;

 private:
  bool given_ = false;
  model::Expression expression_;
};

// The law under `key`, or none; reports one that is not finite at s and `rate`, where the model starts.
CoordinateLaw read_law(const model::Entry& entry, model::Builder& builder, std::string_view key, double s, double rate);

// The names of its variables.
inline constexpr std::array<std::string_view, 2> angle_variables{"angle", "rate"};
inline constexpr std::array<std::string_view, 2> displacement_variables{"displacement", "rate"};
inline constexpr std::array<std::string_view, 2> length_variables{"length", "rate"};

}  // namespace polhode::elements
