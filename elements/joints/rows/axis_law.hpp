// SPDX-License-Identifier: BSD-3-Clause
// What acts along the free coordinate of a joint: a spring, a damper, dry friction, a motor, a law and stops.
//
// With the coordinate s of b against a (an angle counted without jumps, or a displacement) and its rate sdot, the
// generalized force on b along s is
//   tau = -k (s - s_0) - d sdot - F_c tanh(sdot / v_s) + tau_m(t) + tau_e(t, s, sdot) + tau_s(s, sdot)
// with tau_e an expression of the deck (coordinate_law.hpp) and tau_s the force of stops (stops.hpp).
// Dry friction has the constant size F_c (whatever the joint carries) and is regularized over the speed v_s: below it
// the joint creeps. Residual r -= grad s tau; with H = D_q (grad s)^T
//   C = -grad s^T tau_sdot grad s,   K = -(tau H + grad s^T (tau_s grad s + tau_sdot v^T H))
// The energies of spring, k (s - s_0)^2 / 2, and stops are strain energy; the power of all else goes to the external
// work.
// Over a step of `energy_momentum` (step_angle.hpp) tau is that of the mean of s at both ends, of the rate (s+ - s)/h
// and of the middle time, and acts along the row D with D dxi = s+ - s: the spring's work is the change of its energy,
// and that of stops, too, by their own mean.
#pragma once
#include "elements/joints/rows/axis_coordinate.hpp"
#include "elements/joints/rows/stops.hpp"
#include "polhode/model/actuation.hpp"

namespace polhode::elements {

// The law of one coordinate. Units are those of an angle or of a displacement; what is not given is zero, and `speed`,
// by which is divided, one.
struct AxisLaw {
  // N m/rad or N/m, rad or m, N m s/rad or N s/m
  // Spring k and its rest s_0, damper d.
  double stiffness = 0;
  double rest = 0;
  double damping = 0;
  // friction: N m or N, N m s/rad or N s/m, rad/s or m/s
  // F_c, further viscous coefficient of the entry `friction`, v_s.
  double coulomb = 0;
  double viscous = 0;
  double speed = 1;
  // tau_m(t), N m or N
  model::TimeFunction motor;
  // tau_e and tau_s
  CoordinateLaw expression;
  Stops stops;

  // tau and its partial derivatives by s and sdot.
  using Value = CoordinateLaw::Value;
  // Whether s or sdot decide on tau: a motor alone does not ask for them.
  bool follows_coordinate() const {
    return stiffness != 0 || damping != 0 || coulomb != 0 || viscous != 0 || expression.is_given() || stops.is_given();
  }
  // The law at s (rad or m) and sdot. The load factor scales the motor, and nothing else. Allocates nothing.
  Value operator()(double s, double rate, const model::Context& c) const;
  // tau alone.
  double force(double s, double rate, const model::Context& c) const;
  // tau over a step of length h from s to s + change, and its derivative by the end of it; `middle` is in its middle.
  Stops::Mean over(double s, double change, double h, const model::Context& middle) const;
  // Strain energy of spring and stops, J.
  double energy(double s) const { return 0.5 * stiffness * (s - rest) * (s - rest) + stops.energy(s); }
  // Power of all else on the model, W; that of spring and stops is in the energy but for what stops lose.
  double power(double s, double rate, const model::Context& c) const;
  // The breakpoints of motor and expression in (t0, t1), s.
  void add_times_to(double t0, double t1, std::vector<double>& out) const;
};

// The force tau of a law on b along its coordinate, of which `at` is the Reading.
template <class Reading>
double axis_force(const AxisLaw& law, const Reading& at, const model::Context& c, double counted) {
  return law.follows_coordinate() ? law.force(at.value(counted), at.rate(), c) : acting(law.motor, c);
}

// Adds the tangents of r -= tau (grad s)^T by velocities (C) and positions (K).
template <class Reading>
[[gnu::always_inline]] inline void add_axis_tangents_to(const AxisLaw& law, const Reading& at, const model::Context& c,
                                                        double counted, PairBlock& C, PairBlock& K) {
  const AxisLaw::Value tau =
      law.follows_coordinate() ? law(at.value(counted), at.rate(), c) : AxisLaw::Value{acting(law.motor, c), 0, 0};
  at.add_force_tangents_to(tau.force, tau.by_position, tau.by_rate, C, K);
}

// Adds the tangent of the force tau along the mean row of a step.
void add_law_step_tangent_to(const Stops::Mean& tau, const StepCoordinate& along, PairBlock& K);

// What AxisForces adds to the capabilities of a joint.
inline constexpr model::Capabilities axis_forces =
    model::can::forces | model::can::energies | model::can::power | model::can::discrete_forces | model::can::signals;

// The forces of a joint along its free coordinates; Self::laws(d, visit) calls visit(coordinate, law) for each of them,
// and its angle, if it has one, is what it remembers. Of a joint that has come apart they are none.
template <class Self>
struct AxisForces {
  // Adds the wrenches on both nodes: forces inertial, moments in the node's frame.
  template <class Data>
  static void add_forces_to(const Data& d, const PairNodes& n, const model::Context& c, Mat<12>& r) {
    if (c.apart) return;
    Self::laws(d, [&]<class Coordinate>(Coordinate, const AxisLaw& law) {
      const typename Coordinate::Reading at(d, n);
      at.add_row_to(-axis_force(law, at, c, counted(c)), r);
    });
  }
  template <class Data, class Tangents>
  static void add_force_tangents_to(const Data& d, const PairNodes& n, const model::Context& c, Tangents& t) {
    if (c.apart) return;
    Self::laws(d, [&]<class Coordinate>(Coordinate, const AxisLaw& law) {
      add_axis_tangents_to(law, typename Coordinate::Reading(d, n), c, counted(c), t.C, t.K);
    });
  }
  // The motor's force acts along the coordinate's row.
  template <class Data, class Act>
  static void each_actuator(const Data& d, const PairNodes& n, const model::Context& c, const Act& act) {
    Self::laws(d, [&]<class Coordinate>(Coordinate, const AxisLaw& law) {
      const double factor = c.apart ? 0 : load_factor_of(law.motor, c);
      Mat<12> by_motor = Mat<12>::Zero();
      if (factor != 0) typename Coordinate::Reading(d, n).add_row_to(-factor, by_motor);
      act(law.motor, by_motor);
    });
  }
  // Adds spatial wrenches over a step.
  template <class Data>
  static void add_discrete_forces_to(const Data& d, const PairStep& s, Mat<12>& r) {
    if (s.middle.apart) return;
    Self::laws(d, [&]<class Coordinate>(Coordinate, const AxisLaw& law) {
      const StepCoordinate along = Coordinate::over(d, s);
      const double begin = Coordinate::value(d, s.begin, counted(s.middle));
      r -= law.over(begin, along.change, s.h, s.middle).force * along.row.transpose();
    });
  }
  template <class Data>
  static void add_discrete_force_tangents_to(const Data& d, const PairStep& s, PairBlock& K) {
    if (s.middle.apart) return;
    Self::laws(d, [&]<class Coordinate>(Coordinate, const AxisLaw& law) {
      const StepCoordinate along = Coordinate::over(d, s);
      const double begin = Coordinate::value(d, s.begin, counted(s.middle));
      const Stops::Mean tau = law.over(begin, along.change, s.h, s.middle);
      Coordinate::add_mean_tangent_to(d, s, -tau.force, K);
      add_law_step_tangent_to(tau, along, K);
    });
  }
  template <class Data>
  static model::Energies energies(const Data& d, const PairNodes& n, const model::Context& c) {
    model::Energies e;
    if (c.apart) return e;
    Self::laws(d, [&]<class Coordinate>(Coordinate, const AxisLaw& law) {
      e.strain += law.energy(Coordinate::value(d, n, counted(c)));
    });
    return e;
  }
  template <class Data>
  static double power(const Data& d, const PairNodes& n, const model::Context& c) {
    double sum = 0;
    if (c.apart) return sum;
    Self::laws(d, [&]<class Coordinate>(Coordinate, const AxisLaw& law) {
      const typename Coordinate::Reading at(d, n);
      sum += law.power(at.value(counted(c)), at.rate(), c);
    });
    return sum;
  }
  template <class Data>
  static void breakpoints(const Data& d, double t0, double t1, std::vector<double>& out) {
    Self::laws(d, [&]<class Coordinate>(Coordinate, const AxisLaw& law) { law.add_times_to(t0, t1, out); });
  }

 private:
  // The angle of the last accepted state; zero for kinds that remember none, and not used by displacements.
  static double counted(const model::Context& c) {
    if constexpr (Self::history > 0) return c.history[0];
    return 0;
  }
};

// The force of `law` on b along its coordinate; none where the joint is apart.
template <class Coordinate>
double axis_force(const AxisLaw& law, const Markers& d, const PairNodes& n, const model::Context& c, double counted) {
  if (c.apart) return 0;
  return axis_force(law, typename Coordinate::Reading(d, n), c, counted);
}

// The inputs of a law, all optional. Of cylindrical joints they stand in groups: then `group` is "about." or "along.".
namespace axis_law {

// A number that is not negative, with the default zero unless it is required.
inline constexpr model::Field number(std::string_view name, std::string_view unit, std::string_view doc,
                                     bool required = false) {
  return {.name = name,
          .type = model::FieldType::number,
          .unit = unit,
          .doc = doc,
          .required = required,
          .min = 0,
          .default_text = required ? "" : "0"};
}
// A required number above zero.
inline constexpr model::Field positive(std::string_view name, std::string_view unit, std::string_view doc) {
  model::Field field = number(name, unit, doc, true);
  field.min_exclusive = true;
  return field;
}
// The group `friction` of an angle and of a displacement.
inline constexpr std::array angle_friction{
    number("coulomb", "N m", "torque of dry friction, independent of the load on the joint", true),
    number("viscous", "N m s/rad", "torque of viscous friction over angular velocity"),
    positive("velocity", "rad/s", "of the regularization: dry friction = coulomb tanh(rate/velocity)")};
inline constexpr std::array displacement_friction{
    number("coulomb", "N", "force of dry friction, independent of the load on the joint", true),
    number("viscous", "N s/m", "force of viscous friction over velocity"),
    positive("velocity", "m/s", "of the regularization: dry friction = coulomb tanh(rate/velocity)")};
// The group `stops` of an angle and of a displacement.
inline constexpr model::Field limit(std::string_view name, std::string_view unit, std::string_view doc) {
  return {.name = name, .type = model::FieldType::number, .unit = unit, .doc = doc};
}
inline constexpr model::Field exponent_field{
    .name = "exponent", .type = model::FieldType::number, .doc = "of the penetration", .min = 1, .default_text = "1.5"};
inline constexpr std::array angle_stops{
    limit("lower", "rad", "smallest angle without contact; default: no stop there"),
    limit("upper", "rad", "largest angle without contact; default: no stop there"),
    positive("stiffness", "N m/rad^exponent", "k: the elastic torque at a penetration d is k d^exponent"),
    exponent_field, number("damping", "s/rad", "c: the torque is the elastic one times 1 + c d', and never pulls")};
inline constexpr std::array displacement_stops{
    limit("lower", "m", "smallest displacement without contact; default: no stop there"),
    limit("upper", "m", "largest displacement without contact; default: no stop there"),
    positive("stiffness", "N/m^exponent", "k: the elastic force at a penetration d is k d^exponent"), exponent_field,
    number("damping", "s/m", "c: the force is the elastic one times 1 + c d', and never pulls")};

// All inputs of a law along an angle, and below along a displacement.
inline constexpr std::array angle_fields{
    number("stiffness", "N m/rad", "stiffness of a torsional spring"),
    number("damping", "N m s/rad", "coefficient of a rotational damper"),
    model::Field{.name = "free_angle",
                 .type = model::FieldType::number,
                 .unit = "rad",
                 .doc = "angle without spring torque, counted from the deck's configuration",
                 .default_text = "0"},
    model::Field{.name = "friction",
                 .type = model::FieldType::group,
                 .unit = "",
                 .doc = "dry and viscous friction along the angle",
                 .members = angle_friction},
    model::Field{.name = "motor",
                 .type = model::FieldType::function,
                 .unit = "N m",
                 .doc = "torque on b about the axis, as a function of time and signals",
                 .signals = true},
    model::Field{.name = "torque",
                 .type = model::FieldType::law,
                 .unit = "N m",
                 .doc = "torque on b about the axis, beside all else",
                 .variables = angle_variables},
    model::Field{.name = "stops",
                 .type = model::FieldType::group,
                 .unit = "",
                 .doc = "elastic contact at the ends of the angle's way, damped while it lasts",
                 .members = angle_stops}};
inline constexpr std::array displacement_fields{
    number("stiffness", "N/m", "stiffness of a spring along the displacement"),
    number("damping", "N s/m", "coefficient of a damper along the displacement"),
    model::Field{.name = "free_displacement",
                 .type = model::FieldType::number,
                 .unit = "m",
                 .doc = "displacement without spring force, counted from the deck's configuration",
                 .default_text = "0"},
    model::Field{.name = "friction",
                 .type = model::FieldType::group,
                 .unit = "",
                 .doc = "dry and viscous friction along the displacement",
                 .members = displacement_friction},
    model::Field{.name = "motor",
                 .type = model::FieldType::function,
                 .unit = "N",
                 .doc = "force on b along the axis, as a function of time and signals",
                 .signals = true},
    model::Field{.name = "force",
                 .type = model::FieldType::law,
                 .unit = "N",
                 .doc = "force on b along the axis, beside all else",
                 .variables = displacement_variables},
    model::Field{.name = "stops",
                 .type = model::FieldType::group,
                 .unit = "",
                 .doc = "elastic contact at the ends of the displacement's way, damped while it lasts",
                 .members = displacement_stops}};

// Whether the entry gives anything of a law.
bool given(const model::Entry& entry, std::string_view group = "");
// The law of an entry; what is not given keeps its default. `rate` is that of the coordinate at the start: reports an
// expression that is not finite there, and stops without a way between them.
AxisLaw read(const model::Entry& entry, model::Builder& builder, double rate, std::string_view group = "");
// The rate of a coordinate of the joint at the start, as the deck has it.
template <class Coordinate>
double starting_rate(const model::Builder& builder, const std::array<int, 2>& at, const Markers& markers) {
  const StartingPair pair(builder, at);
  return axis_rate<Coordinate>(markers, pair.nodes());
}
// Reports a law beside the drive of its own coordinate, and a free value without stiffness.
void check(const model::Entry& entry, model::Builder& builder, std::string_view drive, std::string_view group = "");
// Random positive constants and a motor that changes with time.
AxisLaw sample(std::mt19937& random);

}  // namespace axis_law

// The drives.
inline constexpr model::Field rotation_field{
    .name = "rotation",
    .type = model::FieldType::function,
    .unit = "rad",
    .doc =
        "drives the angle of b against a, zero in the deck's configuration, as a function of time, or by signals that "
        "have two derivatives",
    .signals = true};
inline constexpr model::Field translation_field{
    .name = "translation",
    .type = model::FieldType::function,
    .unit = "m",
    .doc =
        "drives the displacement of b against a, zero in the deck's configuration, as a function of time, or by "
        "signals that have two derivatives",
    .signals = true};

}  // namespace polhode::elements
