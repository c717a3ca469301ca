// SPDX-License-Identifier: BSD-3-Clause
// PID controllers.
#include "elements/signals/pid/pid.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "elements/signals/blocks/fields.hpp"

namespace polhode::elements {
namespace {

struct Gains {
  double kp;
  double ki;
  double kd;
  double filter;  // tau, s; 0: none
  double low;
  double high;
  double tracking;  // T_t, s
};

// States: I, and x of the filter. Inputs: u, and r without a filter.
class Pid final : public model::SignalBlock {
 public:
  Pid(const Gains& gains, bool has_rate)
      : SignalBlock({.inputs = has_rate ? 2 : 1, .states = gains.filter > 0 ? 2 : 1}), g_(gains), has_rate_(has_rate) {}
  std::optional<Range> linear_range() const override { return Range{g_.low, g_.high}; }
  // At the limit the slope of the output is zero, and the integral is the only one to follow what goes on.
  void evaluate(double, std::span<const double> u, std::span<const double> z, std::span<const double>,
                Values& values) const override {
    const bool filtered = g_.filter > 0;
    const double r = filtered ? (u[0] - z[1]) / g_.filter : has_rate_ ? u[1] : 0;
    const double w = g_.kp * u[0] + z[0] + g_.kd * r;
    const double y = std::clamp(w, g_.low, g_.high);
    const double slope = y == w ? 1 : 0;
    const double w_by_u = g_.kp + (filtered ? g_.kd / g_.filter : 0);
    const double back = g_.ki != 0 ? 1 / g_.tracking : 0;
    values.y[0] = y;
    values.y_by_u(0, 0) = slope * w_by_u;
    values.y_by_z(0, 0) = slope;
    values.f[0] = g_.ki * u[0] + back * (y - w);
    values.f_by_u(0, 0) = g_.ki + back * (slope - 1) * w_by_u;
    values.f_by_z(0, 0) = back * (slope - 1);
    if (has_rate_) {
      values.y_by_u(0, 1) = slope * g_.kd;
      values.f_by_u(0, 1) = back * (slope - 1) * g_.kd;
    }
    if (!filtered) return;
    const double w_by_x = -g_.kd / g_.filter;
    values.y_by_z(0, 1) = slope * w_by_x;
    values.f_by_z(0, 1) = back * (slope - 1) * w_by_x;
    values.f[1] = r;
    values.f_by_u(1, 0) = 1 / g_.filter;
    values.f_by_z(1, 1) = -1 / g_.filter;
  }

 private:
  Gains g_;
  bool has_rate_;
};

constexpr model::Field gain(std::string_view name, std::string_view doc) {
  return {.name = name, .type = model::FieldType::number, .unit = "", .doc = doc, .default_text = "0"};
}
constexpr model::Field time_field(std::string_view name, std::string_view doc) {
  return {.name = name, .type = model::FieldType::number, .unit = "s", .doc = doc, .min = 0, .min_exclusive = true};
}
constexpr std::array fields{
    signals::input_field,
    gain("kp", "proportional gain"),
    gain("ki", "gain of the integral, 1/s"),
    gain("kd", "gain of the derivative, s"),
    model::Field{.name = "rate",
                 .type = model::FieldType::function,
                 .unit = "",
                 .doc = "derivative of the input, a signal; without it `filter` is needed where there is `kd`",
                 .signals = true},
    time_field("filter", "time constant of the derivative's filter"),
    model::Field{.name = "limit",
                 .type = model::FieldType::numbers,
                 .unit = "",
                 .doc = "least and largest output; beyond, the integral is led back (anti-windup)",
                 .size = 2},
    time_field("tracking", "time in which the integral is led back; default: kp/ki, or 1 s without kp")};

// The time of tracking is that of the integral's own action, kp/ki, where both are given: slower lets it wind up, much
// faster takes it away where the limit is touched only briefly.
void build_pid(const model::Entry& entry, model::Builder& builder) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  Gains g{entry.number("kp", 0),
          entry.number("ki", 0),
          entry.number("kd", 0),
          entry.number("filter", 0),
          -infinite,
          infinite,
          1};
  if (g.kp == 0 && g.ki == 0 && g.kd == 0) return builder.problem(entry, "", "does nothing; give `kp`, `ki` or `kd`");
  if (g.kd != 0 && !entry.has("rate") && !entry.has("filter"))
    return builder.problem(entry, "kd",
                           "needs the derivative of the input: give `rate`, a signal that measures it, or `filter`");
  if (entry.has("rate") && entry.has("filter"))
    return builder.problem(entry, "filter", "stands beside `rate`; remove one of them");
  if (g.kp != 0 && g.ki != 0) g.tracking = std::abs(g.kp / g.ki);
  g.tracking = entry.number("tracking", g.tracking);
  if (entry.has("limit")) {
    g.low = entry.vector("limit")[0];
    g.high = entry.vector("limit")[1];
    if (g.low >= g.high) return builder.problem(entry, "limit", "has no room: the first number is the least output");
  }
  std::vector<model::TimeFunction> inputs{entry.function("input")};
  if (entry.has("rate")) inputs.push_back(entry.function("rate"));
  signals::add_block(entry, builder, std::make_unique<Pid>(g, entry.has("rate")), std::move(inputs));
}

}  // namespace

const model::KindInfo pid_info{
    "pid",     model::Family::signal, "a controller with proportional, integral and derivative action", fields, {},
    build_pid, signals::no_samples};

}  // namespace polhode::elements
