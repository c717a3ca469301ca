// SPDX-License-Identifier: BSD-3-Clause
// The law along a coordinate: force, power, and its inputs.
#include "elements/joints/rows/axis_law.hpp"

#include <cmath>

namespace polhode::elements {

// tau with its slopes by s and sdot; tanh' = 1 - tanh^2. Of all parts the motor alone follows the load
// factor of statics.
AxisLaw::Value AxisLaw::operator()(double s, double rate, const model::Context& c) const {
  const double slip = std::tanh(rate / speed);
  return {acting(motor, c) - stiffness * (s - rest) - (damping + viscous) * rate - coulomb * slip, -stiffness,
          -(damping + viscous) - coulomb / speed * (1 - slip * slip)};
}

// Without the spring: its power is the rate of the strain energy, and would count twice.
double AxisLaw::power(double rate, const model::Context& c) const {
  return rate * (acting(motor, c) - (damping + viscous) * rate - coulomb * std::tanh(rate / speed));
}

// r = -tau g^T with tau(s, sdot), sdot = g v. A variation of v changes sdot by g dv;
// one of q changes s by g dq, sdot by v^T H dq, and g^T itself by H dq.
void add_law_tangents_to(const AxisLaw::Value& tau, const PairGradient& g, const Mat<12>& v, const PairBlock& H,
                         PairBlock& C, PairBlock& K) {
  C.noalias() -= tau.by_rate * g.transpose() * g;
  K.noalias() -= tau.force * H;
  K.noalias() -= g.transpose() * (tau.by_position * g + tau.by_rate * v.transpose() * H);
}

// tau is taken at s + change/2 and at the rate change/h: a change ds+ of the end counts by half in the first
// and by 1/h in the second.
void add_law_step_tangent_to(const AxisLaw::Value& tau, const StepCoordinate& along, double h, PairBlock& K) {
  K.noalias() -= (0.5 * tau.by_position + tau.by_rate / h) * along.row.transpose() * along.by_end;
}

namespace axis_law {
namespace {

// An entry that gives a law has at least one of these; `friction` is known by its `coulomb`,
// which is required there.
constexpr std::array keys{"stiffness", "damping", "free_angle", "free_displacement", "friction.coulomb", "motor"};

// `group` ends with its dot, or is empty.
std::string path(std::string_view group, std::string_view key) { return std::string(group) + std::string(key); }

}  // namespace

bool given(const model::Entry& entry, std::string_view group) {
  return std::any_of(keys.begin(), keys.end(), [&](const char* key) { return entry.has(path(group, key)); });
}

AxisLaw read(const model::Entry& entry, std::string_view group) {
  const auto number = [&](const char* key, double otherwise = 0) { return entry.number(path(group, key), otherwise); };
  AxisLaw law;
  law.stiffness = number("stiffness");
  law.rest = number("free_angle") + number("free_displacement");  // an entry has one of them at most
  law.damping = number("damping");
  law.coulomb = number("friction.coulomb");
  law.viscous = number("friction.viscous");
  law.speed = number("friction.velocity", 1);
  if (const std::string motor = path(group, "motor"); entry.has(motor)) law.motor = entry.function(motor);
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
  return law;
}

}  // namespace axis_law
}  // namespace polhode::elements
