// SPDX-License-Identifier: BSD-3-Clause
// Revolute joint: a point and an axis in common. Three coincidence rows, t1_a . n_b = 0 and t2_a . n_b = 0; driven, a
// sixth row Phi = theta(t) - phi with phi the angle of b against a, without any limit on it: only the difference is
// taken, in (-pi, pi]. Its multiplier is the torque of the drive on b about the axis. Or spring, damper, friction,
// motor, a law and stops act along phi (axis_law.hpp).
// Three kinds share the deck's type, so that a joint without drive and law pays for neither. All remember the angle.
#pragma once
#include "elements/joints/rows/axis_law.hpp"
#include "elements/joints/rows/joint.hpp"

namespace polhode::elements {

// The five rows that all three have. Lambda: the force on b (N), two moments conjugate to the dot products.
struct Hinge {
  // The point in common, and two axes across on a at right angles to the third axis of b.
  template <class List>
  static void list(const Markers& d, List& rows) {
    rows.coincidence(d);
    for (int i = 0; i < 2; ++i) rows.dot(d.E_a.col(i), d.E_b.col(2));
  }
  // h: angle of the last accepted state -> of this one, without a jump as long as steps turn by less than half a turn.
  static void update_history(const Markers& d, const PairNodes& n, const model::Context&, double* h) {
    h[0] = unwrap(rows::angle(d, n), h[0]);
  }
  static constexpr std::array<std::string_view, 5> row_names{"position x", "position y", "position z", "axis 1",
                                                             "axis 2"};
  static constexpr std::array row_is_length{true, true, true, false, false};
  // All tangents act between rotations.
  static constexpr bool turns_alone = true;
};

// Free about the axis.
struct Revolute : PairJoint<Revolute, 5, 1>, Hinge {
  static constexpr std::string_view name = "revolute";
  using Data = Markers;

  // Angle (rad) of b about n_a, the torque of drive or law on b about it (N m), none here, and the rate (rad/s).
  static void write_coordinates(const Data& d, const PairNodes& n, const model::Context&, const Rows&, const double* h,
                                double* out) {
    out[0] = h[0];
    out[1] = 0;
    out[2] = axis_rate<AxisAngle>(d, n);
  }
  static Data sample(std::mt19937& random) { return sample_markers(random); }
};

// Spring, damper, friction, motor, a law or stops act about the axis: moments, no further constraint equation.
struct LoadedRevolute : PairJoint<LoadedRevolute, 5, 1>, AxisForces<LoadedRevolute>, Hinge {
  static constexpr std::string_view name = "revolute, loaded";
  static constexpr model::Capabilities capabilities = pair_joint | axis_forces | model::can::breakpoints;
  struct Data : Markers {
    AxisLaw law;
  };

  // The one free coordinate, for AxisForces.
  template <class Visit>
  static void laws(const Data& d, const Visit& visit) {
    visit(AxisAngle{}, d.law);
  }
  // The torque is that of the law, friction included.
  static void write_coordinates(const Data& d, const PairNodes& n, const model::Context& c, const Rows&,
                                const double* h, double* out) {
    out[0] = h[0];
    out[1] = axis_force<AxisAngle>(d.law, d, n, c, h[0]);
    out[2] = axis_rate<AxisAngle>(d, n);
  }
  static Data sample(std::mt19937& random) { return {sample_markers(random), axis_law::sample(random)}; }
};

// The angle is a given function of time.
struct DrivenRevolute : PairJoint<DrivenRevolute, 6, 1> {
  static constexpr std::string_view name = "revolute, driven";
  static constexpr model::Capabilities capabilities = pair_joint | model::can::drives | model::can::breakpoints;
  static constexpr std::array<std::string_view, 6> row_names{"position x", "position y", "position z",
                                                             "axis 1",     "axis 2",     "rotation"};
  static constexpr std::array row_is_length{true, true, true, false, false, false};
  // All tangents act between rotations.
  static constexpr bool turns_alone = true;
  struct Data : Markers {
    // Angle of b against a, zero in the deck's configuration, rad
    model::TimeFunction rotation;
  };

  template <class List>
  static void list(const Data& d, List& rows) {
    Hinge::list(d, rows);
    rows.angle(d, d.rotation);
  }
  static void update_history(const Data& d, const PairNodes& n, const model::Context& c, double* h) {
    h[0] = count_driven(rows::angle(d, n), d.rotation, c, h[0]);
  }
  // The torque of the drive is the multiplier of its row.
  static void write_coordinates(const Data& d, const PairNodes& n, const model::Context&, const Rows& lambda,
                                const double* h, double* out) {
    out[0] = h[0];
    out[1] = lambda[5];
    out[2] = axis_rate<AxisAngle>(d, n);
  }
  static void breakpoints(const Data& d, double t0, double t1, std::vector<double>& out) {
    add_times_to(d.rotation, t0, t1, out);
  }
  static Data sample(std::mt19937& random) {
    return {sample_markers(random), model::Expression::parse("0.3 + 0.8*t + sin(3*t)", {}, true)};
  }
};

extern const model::KindInfo revolute_info;

}  // namespace polhode::elements
