// SPDX-License-Identifier: BSD-3-Clause
// The law along a coordinate: force, power, and its inputs.
#include "elements/joints/rows/axis_law.hpp"

#include <cmath>

#include "polhode/model/initial_coordinate.hpp"

namespace polhode::elements {

namespace {

AxisLaw::Value operator+(const AxisLaw::Value& a, const AxisLaw::Value& b) {
  return {a.force + b.force, a.by_position + b.by_position, a.by_rate + b.by_rate};
}

// Motor, spring, damper and friction. Of all parts the motor alone follows the load factor of statics.
double simple_parts(const AxisLaw& law, double s, double rate, double slip, const model::Context& c) {
  return acting(law.motor, c) - law.stiffness * (s - law.rest) - (law.damping + law.viscous) * rate -
         law.coulomb * slip;
}

// Of dry friction, which most have none of.
double slip_of(const AxisLaw& law, double rate) { return law.coulomb != 0 ? std::tanh(rate / law.speed) : 0; }

// All but the stops, with slopes by s and sdot; tanh' = 1 - tanh^2.
AxisLaw::Value without_stops(const AxisLaw& law, double s, double rate, const model::Context& c) {
  const double slip = slip_of(law, rate);
  const AxisLaw::Value tau{simple_parts(law, s, rate, slip, c), -law.stiffness,
                           -(law.damping + law.viscous) - law.coulomb / law.speed * (1 - slip * slip)};
  return law.expression.is_given() ? tau + law.expression(s, rate, c.t) : tau;
}

}  // namespace

AxisLaw::Value AxisLaw::operator()(double s, double rate, const model::Context& c) const {
  const Value tau = without_stops(*this, s, rate, c);
  return stops.is_given() ? tau + stops(s, rate) : tau;
}

// Residuals ask for it more often than tangents for the slopes, which take a pass a variable.
double AxisLaw::force(double s, double rate, const model::Context& c) const {
  double tau = simple_parts(*this, s, rate, slip_of(*this, rate), c);
  if (expression.is_given()) tau += expression.force(s, rate, c.t);
  if (stops.is_given()) tau += stops(s, rate).force;
  return tau;
}

// At s + change/2 and the rate change/h: a change of the end counts by half in the first and by 1/h in the second.
Stops::Mean AxisLaw::over(double s, double change, double h, const model::Context& middle) const {
  const Value tau = without_stops(*this, s + 0.5 * change, change / h, middle);
  Stops::Mean mean{tau.force, 0.5 * tau.by_position + tau.by_rate / h};
  if (!stops.is_given()) return mean;
  const Stops::Mean stopped = stops.over(s, change, h);
  return {mean.force + stopped.force, mean.by_end + stopped.by_end};
}

// Without the spring: its power is the rate of the strain energy, and would count twice.
double AxisLaw::power(double s, double rate, const model::Context& c) const {
  double power = rate * (acting(motor, c) - (damping + viscous) * rate - coulomb * slip_of(*this, rate));
  if (expression.is_given()) power += rate * expression.force(s, rate, c.t);
  if (stops.is_given()) power += stops.power(s, rate);
  return power;
}

void AxisLaw::add_times_to(double t0, double t1, std::vector<double>& out) const {
  elements::add_times_to(motor, t0, t1, out);
  expression.add_times_to(t0, t1, out);
}

void add_law_step_tangent_to(const Stops::Mean& tau, const StepCoordinate& along, PairBlock& K) {
  K.noalias() -= tau.by_end * along.row.transpose() * along.by_end;
}

namespace axis_law {
namespace {

// An entry that gives a law has at least one of these; `friction` and `stops` are known by what is required there.
constexpr std::array keys{"stiffness", "damping", "free_angle", "free_displacement", "friction.coulomb",
                          "motor",     "torque",  "force",      "stops.stiffness"};

// `group` ends with its dot, or is empty.
std::string path(std::string_view group, std::string_view key) { return std::string(group) + std::string(key); }

}  // namespace

bool given(const model::Entry& entry, std::string_view group) {
  return std::any_of(keys.begin(), keys.end(), [&](const char* key) { return entry.has(path(group, key)); });
}

// Laws are checked where the deck puts the coordinate.
AxisLaw read(const model::Entry& entry, model::Builder& builder, double rate, std::string_view group) {
  double coordinate = 0;
  for (const model::InitialCoordinate& initial : model::initial_coordinates(entry)) {
    if (!group.empty() && initial.is_angle() != (group == "about.")) continue;
    coordinate = initial.value.value_or(0);
    rate = initial.rate.value_or(rate);
  }
  const auto number = [&](const char* key, double otherwise = 0) { return entry.number(path(group, key), otherwise); };
  AxisLaw law;
  law.stiffness = number("stiffness");
  law.rest = number("free_angle") + number("free_displacement");  // an entry has one of them at most
  law.damping = number("damping");
  law.coulomb = number("friction.coulomb");
  law.viscous = number("friction.viscous");
  law.speed = number("friction.velocity", 1);
  if (const std::string motor = path(group, "motor"); entry.has(motor)) law.motor = entry.function(motor);
  for (const char* key : {"torque", "force"})
    if (entry.has(path(group, key))) law.expression = read_law(entry, builder, path(group, key), coordinate, rate);
  const auto stop = [&](const char* key, double& value) {
    value = number(("stops." + std::string(key)).c_str(), value);
  };
  stop("lower", law.stops.lower);
  stop("upper", law.stops.upper);
  stop("stiffness", law.stops.stiffness);
  stop("exponent", law.stops.exponent);
  stop("damping", law.stops.damping);
  if (law.stops.is_given() && std::isinf(law.stops.lower) && std::isinf(law.stops.upper))
    builder.problem(entry, path(group, "stops"), "stand nowhere; give `lower`, `upper` or both");
  if (!(law.stops.lower < law.stops.upper))
    builder.problem(entry, path(group, "stops.lower"), "is not below `upper`; the way between the stops is free");
  return law;
}

// A driven coordinate moves as its function says, whatever acts along it: a law there would change nothing
// but the force of the drive, and hardly be what the deck means.
void check(const model::Entry& entry, model::Builder& builder, std::string_view drive, std::string_view group) {
  for (const char* key : {"free_angle", "free_displacement"})
    if (entry.has(path(group, key)) && !entry.has(path(group, "stiffness")))
      builder.problem(entry, path(group, key), "is of a spring, and there is no `stiffness`; give it, or remove this");
  if (!entry.has(drive)) return;
  for (const char* key : keys)
    if (entry.has(path(group, key)))
      builder.problem(entry, path(group, key),
                      "acts along a coordinate that `" + std::string(drive) +
                          "` drives; remove one of them (a force element can act beside a drive)");
}

// All parts at once, each positive, so that no tangent of the law is zero by chance.
AxisLaw sample(std::mt19937& random) {
  std::uniform_real_distribution<double> number(0.2, 2);
  AxisLaw law;
  for (double* value : {&law.stiffness, &law.rest, &law.damping, &law.coulomb, &law.viscous, &law.speed})
    *value = number(random);
  law.motor = model::Expression::parse("0.3 + sin(2*t)", {}, true);
  static const std::vector<std::string> variables{"s", "rate"};
  law.expression = model::Expression::parse("0.3*sin(s)*rate - 0.5*s^3*cos(t) - abs(rate)*rate", {}, true, variables);
  law.stops = {-0.1 * number(random), 0.1 * number(random), number(random), 1 + number(random), 0.3 * number(random)};
  return law;
}

}  // namespace axis_law
}  // namespace polhode::elements
