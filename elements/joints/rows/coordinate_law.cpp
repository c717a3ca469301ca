// SPDX-License-Identifier: BSD-3-Clause
// Laws by expressions: values, derivatives, and whether they hold where the model starts.
#include "elements/joints/rows/coordinate_law.hpp"

#include <cmath>

#include "polhode/model/text.hpp"

namespace polhode::elements {

CoordinateLaw::CoordinateLaw(model::Expression expression) : given_(true), expression_(std::move(expression)) {}

// The gradient has places for the variables that occur; those of others are zero.
CoordinateLaw::Value CoordinateLaw::operator()(double s, double rate, double t) const {
  const std::array at{s, rate};
  std::array<double, 2> gradient{};
  std::array<double, 2> slope{};
  const double force = expression_.value(t, at, gradient);
  const auto& variables = expression_.variables();
  for (std::size_t i = 0; i < variables.size(); ++i) slope[static_cast<std::size_t>(variables[i])] = gradient[i];
  return {force, slope[0], slope[1]};
}

double CoordinateLaw::force(double s, double rate, double t) const { return expression_.value(t, std::array{s, rate}); }

void CoordinateLaw::add_times_to(double t0, double t1, std::vector<double>& out) const {
  const auto times = expression_.breakpoints(t0, t1);
  out.insert(out.end(), times.begin(), times.end());
}

// Newton's method needs the slopes, too: sqrt(abs(rate)) has none at rest.
CoordinateLaw read_law(const model::Entry& entry, model::Builder& builder, std::string_view key, double s,
                       double rate) {
  if (!entry.has(key)) return {};
  CoordinateLaw law(entry.law(key));
  const auto [force, by_position, by_rate] = law(s, rate, 0);
  const char* what = !std::isfinite(force)         ? "is not finite"
                     : !std::isfinite(by_position) ? "has no finite slope by the coordinate"
                     : !std::isfinite(by_rate)     ? "has no finite slope by the rate"
                                                   : nullptr;
  if (what)
    builder.problem(entry, key,
                    std::string(what) + " where the model starts, at " + model::number_text(s) + " with the rate " +
                        model::number_text(rate));
  return law;
}

}  // namespace polhode::elements
