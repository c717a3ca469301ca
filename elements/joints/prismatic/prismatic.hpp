// SPDX-License-Identifier: BSD-3-Clause
// Prismatic joint: b slides along an axis of a and does not turn against it. The point of b stays on the axis,
// (p_a - p_b) . t1_a = (p_a - p_b) . t2_a = 0, and t1_a . t2_b = t2_a . n_b = n_a . t1_b = 0; driven, a sixth row
// Phi = s(t) - (p_b - p_a) . n_a, whose multiplier is the force of the drive on b along the axis. Or spring, damper,
// friction, motor, a law and stops act along the displacement (axis_law.hpp).
// Three kinds share the deck's type, so that a joint without drive and law pays for neither.
#pragma once
#include "elements/joints/rows/axis_law.hpp"
#include "elements/joints/rows/joint.hpp"

namespace polhode::elements {

// The five rows that all three have. Lambda: two forces across the axis (N), three moments conjugate to dot products.
struct Slide {
  // Offsets keep the point of b on the axis; cyclic dot products keep all three axes of both bodies parallel.
  template <class List>
  static void list(const Markers& d, List& rows) {
    for (int i = 0; i < 2; ++i) rows.offset(d, d.E_a.col(i));
    for (int i = 0; i < 3; ++i) rows.dot(d.E_a.col(i), d.E_b.col((i + 1) % 3));
  }
  static constexpr std::array<std::string_view, 5> row_names{"offset 1", "offset 2", "rotation 1", "rotation 2",
                                                             "rotation 3"};
  static constexpr std::array row_is_length{true, true, false, false, false};
};

// Free along the axis.
struct Prismatic : PairJoint<Prismatic, 5>, Slide {
  static constexpr std::string_view name = "prismatic";
  using Data = Markers;

  // Displacement (m) of b along n_a, the force of drive or law on b along it (N), none here, and the rate (m/s).
  static void write_coordinates(const Data& d, const PairNodes& n, const model::Context&, const Rows&, const double*,
                                double* out) {
    out[0] = AxisDisplacement::value(d, n);
    out[1] = 0;
    out[2] = axis_rate<AxisDisplacement>(d, n);
  }
  static Data sample(std::mt19937& random) { return sample_markers(random); }
};

// Spring, damper, friction, motor, a law or stops act along the displacement: forces, no further constraint equation.
struct LoadedPrismatic : PairJoint<LoadedPrismatic, 5>, AxisForces<LoadedPrismatic>, Slide {
  static constexpr std::string_view name = "prismatic, loaded";
  static constexpr model::Capabilities capabilities = pair_joint | axis_forces | model::can::breakpoints;
  struct Data : Markers {
    AxisLaw law;
  };

  // The one free coordinate, for AxisForces.
  template <class Visit>
  static void laws(const Data& d, const Visit& visit) {
    visit(AxisDisplacement{}, d.law);
  }
  // The force is that of the law, friction included.
  static void write_coordinates(const Data& d, const PairNodes& n, const model::Context& c, const Rows&, const double*,
                                double* out) {
    out[0] = AxisDisplacement::value(d, n);
    out[1] = axis_force<AxisDisplacement>(d.law, d, n, c, 0);
    out[2] = axis_rate<AxisDisplacement>(d, n);
  }
  static Data sample(std::mt19937& random) { return {sample_markers(random), axis_law::sample(random)}; }
};

// The displacement is a given function of time.
struct DrivenPrismatic : PairJoint<DrivenPrismatic, 6> {
  static constexpr std::string_view name = "prismatic, driven";
  static constexpr model::Capabilities capabilities = pair_joint | model::can::drives | model::can::breakpoints;
  static constexpr std::array<std::string_view, 6> row_names{"offset 1",   "offset 2",   "rotation 1",
                                                             "rotation 2", "rotation 3", "translation"};
  static constexpr std::array row_is_length{true, true, false, false, false, true};
  struct Data : Markers {
    // Displacement of b along n_a, zero in the deck's configuration, m
    model::TimeFunction translation;
  };

  template <class List>
  static void list(const Data& d, List& rows) {
    Slide::list(d, rows);
    rows.displacement(d, d.E_a.col(2), d.translation);
  }
  // The force of the drive is the multiplier of its row.
  static void write_coordinates(const Data& d, const PairNodes& n, const model::Context&, const Rows& lambda,
                                const double*, double* out) {
    out[0] = AxisDisplacement::value(d, n);
    out[1] = lambda[5];
    out[2] = axis_rate<AxisDisplacement>(d, n);
  }
  static void breakpoints(const Data& d, double t0, double t1, std::vector<double>& out) {
    add_times_to(d.translation, t0, t1, out);
  }
  static Data sample(std::mt19937& random) {
    return {sample_markers(random), model::Expression::parse("0.3 + 0.8*t + sin(3*t)", {}, true)};
  }
};

extern const model::KindInfo prismatic_info;

}  // namespace polhode::elements
