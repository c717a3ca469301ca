// SPDX-License-Identifier: BSD-3-Clause
// y = min(max(u, low), high).
#pragma once
#include <limits>

#include "elements/signals/blocks/fields.hpp"

namespace polhode::elements::signals {

inline constexpr double no_limit = std::numeric_limits<double>::infinity();

// Without limits they are infinite.
class Limit final : public model::SignalBlock {
 public:
  Limit(double low, double high) : SignalBlock({.inputs = 1}), low_(low), high_(high) {}
  std::optional<Range> linear_range() const override { return Range{low_, high_}; }
  void evaluate(double, std::span<const double> u, std::span<const double>, std::span<const double>,
                Values& values) const override {
    const bool inside = !(u[0] < low_) && !(u[0] > high_);
    values.y[0] = inside ? u[0] : u[0] < low_ ? low_ : high_;
    values.y_by_u(0, 0) = inside ? 1 : 0;
  }

 private:
  double low_;
  double high_;
};

}  // namespace polhode::elements::signals
