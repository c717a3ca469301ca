// SPDX-License-Identifier: BSD-3-Clause
// The free coordinates of joints, along and about the third axis of their markers on a: values, rates and rows at a
// state, and over a step of a structure-preserving method.
#pragma once
#include <span>

#include "elements/joints/rows/hinge_angle.hpp"
#include "elements/joints/rows/offset.hpp"
#include "elements/joints/rows/step_angle.hpp"

namespace polhode::elements {

// The two coordinates: along and about the third axis of the joint on a.
// Each has the same functions: value s; gradient, ds = gradient [dx_a dTheta_a dx_b dTheta_b]; add_tangent_to, which
// adds factor D_q (gradient^T); and for a step of a structure-preserving method the change of s with its rows
// (StepCoordinate) and add_mean_tangent_to, which adds factor D (row^T) by the end of the step. `counted`: the angle of
// the last accepted state, from which this one goes on without a jump.
// Readings are of one pair of nodes, of which they keep references: value; rate sdot (rad/s or m/s); add_row_to, which
// adds factor gradient^T to a residual; set_row, set_rate_row and set_rows for both, which set what is not zero of the
// derivatives of value and rate by the positions of both nodes; add_force_tangents_to, which adds the tangents of the
// forces -tau gradient^T by velocities (C) and positions (K), tau a function of s and sdot.
struct AxisAngle {
  class Reading : rows::HingeAngle {
   public:
    using rows::HingeAngle::add_force_tangents_to;
    using rows::HingeAngle::rate;
    [[gnu::always_inline]] Reading(const Markers& d, const PairNodes& n) : rows::HingeAngle(d, n) {}
    double value(double counted) const { return unwrap(rows::HingeAngle::value(), counted); }
    void add_row_to(double factor, Mat<12>& r) const {
      const Row by = row();
      r.segment<3>(3) += factor * by.on_a;
      r.segment<3>(9) += factor * by.on_b;
    }
    [[gnu::always_inline]] void set_row(std::span<math::Vec6> to) const { set(to, row()); }
    [[gnu::always_inline]] void set_rate_row(std::span<math::Vec6> to) const { set(to, rate_row()); }
    // Nothing is written before all is known: what both have in common is found once.
    [[gnu::always_inline]] void set_rows(std::span<math::Vec6> of_value, std::span<math::Vec6> of_rate) const {
      const Row by = row();
      const Row by_rate = rate_row();
      set(of_value, by);
      set(of_rate, by_rate);
    }

   private:
    static void set(std::span<math::Vec6> to, const Row& from) {
      to[0].tail<3>() = from.on_a;
      to[1].tail<3>() = from.on_b;
    }
  };
  static double value(const Markers& d, const PairNodes& n, double counted) {
    return unwrap(rows::angle(d, n), counted);
  }
  static PairGradient gradient(const Markers& d, const PairNodes& n) { return rows::angle_gradient(d, n); }
  static void add_tangent_to(const Markers& d, const PairNodes& n, double factor, PairBlock& H) {
    rows::add_angle_tangent_to(d, n, factor, H);
  }
  static StepCoordinate over(const Markers& d, const PairStep& s) { return StepAngle(d, s).coordinate(); }
  static void add_mean_tangent_to(const Markers& d, const PairStep& s, double factor, PairBlock& K) {
    StepAngle(d, s).add_tangent_to(factor, K);
  }
};
// s = (p_b - p_a) . n_a, minus an offset row: the same functions with the other sign.
struct AxisDisplacement {
  class Reading;
  static double value(const Markers& d, const PairNodes& n, double = 0) { return -rows::offset(d, n, d.E_a.col(2)); }
  static PairGradient gradient(const Markers& d, const PairNodes& n) {
    return -rows::offset_gradient(d, n, d.E_a.col(2));
  }
  static void add_tangent_to(const Markers& d, const PairNodes& n, double factor, PairBlock& H) {
    rows::add_offset_tangent_to(d, n, d.E_a.col(2), -factor, H);
  }
  static StepCoordinate over(const Markers& d, const PairStep& s) {
    return {value(d, s.end) - value(d, s.begin), -rows::mean_offset(d, s.mean, d.E_a.col(2)),
            -rows::mean_offset(d, s.end, d.E_a.col(2))};
  }
  static void add_mean_tangent_to(const Markers& d, const PairStep& s, double factor, PairBlock& K) {
    rows::add_mean_offset_tangent_to(d, s.mean, s.end, d.E_a.col(2), -factor, K);
  }
};

class AxisDisplacement::Reading {
 public:
  Reading(const Markers& d, const PairNodes& n) : d_(d), n_(n), row_(gradient(d, n)) {}
  double value(double) const { return AxisDisplacement::value(d_, n_); }
  double rate() const { return row_.head<6>().dot(n_[0].v) + row_.tail<6>().dot(n_[1].v); }
  void add_row_to(double factor, Mat<12>& r) const { r += factor * row_.transpose(); }
  void set_row(std::span<math::Vec6> to) const { set(to, row_); }
  void set_rate_row(std::span<math::Vec6> to) const { set(to, rate_row(tangent())); }
  void set_rows(std::span<math::Vec6> of_value, std::span<math::Vec6> of_rate) const {
    set_row(of_value);
    set_rate_row(of_rate);
  }
  void add_force_tangents_to(double tau, double by_value, double by_rate, PairBlock& C, PairBlock& K) const;

 private:
  static void set(std::span<math::Vec6> to, const PairGradient& from) {
    to[0] = from.head<6>().transpose();
    to[1] = from.tail<6>().transpose();
  }
  // H = D_q (gradient^T)
  PairBlock tangent() const {
    PairBlock H = PairBlock::Zero();
    add_tangent_to(d_, n_, 1, H);
    return H;
  }
  // v^T H, with v the velocities of both nodes
  PairGradient rate_row(const PairBlock& H) const {
    Mat<12> v;
    v << n_[0].v, n_[1].v;
    return v.transpose() * H;
  }

  const Markers& d_;
  const PairNodes& n_;
  PairGradient row_;
};

// The rate sdot, rad/s or m/s.
template <class Coordinate>
double axis_rate(const Markers& d, const PairNodes& n) {
  return typename Coordinate::Reading(d, n).rate();
}

}  // namespace polhode::elements
