// SPDX-License-Identifier: BSD-3-Clause
// A spring, a damper, an actuator and a law in parallel on the line between a point of a and a point of b.
//
// With d = p_b - p_a, p = x + R s, length l = sqrt(d.d + epsilon^2), n = d/l and the gradient g of l (ldot = g . v):
//   tension  T = f(l - l_0) + c ldot + A(t) + L(t, l, ldot),   r += T g,
//   V = integral of f from 0 to the elongation l - l_0
//   K = g (T_l g + T_ldot G^T v)^T + T G,   C = T_ldot g g^T,   G = D_q g (point_distance.hpp)
// Over a step (polhode/model/discrete.hpp), with dbar the mean of d at both ends and n = dbar/|dbar|:
//   spring    discrete gradient in the invariant d.d:  (V+ - V)/(l+ - l) dbar/lbar,  lbar = (l + l+)/2
//             or the midpoint:  f(|dbar| - l_0) n
//   the rest  (c rate + A(t + h/2) + L(t + h/2, |dbar|, rate)) n,   rate = (d+ - d).n / h
#pragma once
#include <random>

#include "elements/forces/spring_damper/force_curve.hpp"
#include "elements/forces/spring_damper/point_distance.hpp"
#include "elements/joints/rows/coordinate_law.hpp"
#include "polhode/model/actuation.hpp"
#include "polhode/model/catalog.hpp"
#include "polhode/model/discrete.hpp"
#include "polhode/model/function.hpp"

namespace polhode::elements {

struct SpringDamper {
  static constexpr std::string_view name = "spring_damper";
  static constexpr int nodes = 2;
  static constexpr int rows = 0;
  static constexpr int history = 0;
  static constexpr model::Capabilities capabilities =
      model::can::forces | model::can::energies | model::can::power | model::can::outputs | model::can::breakpoints |
      model::can::discrete_forces | model::can::midpoint | model::can::signals;
  struct Data {
    // Points on a and b
    PointDistance distance;
    // f, N over m of elongation
    ForceCurve spring;
    // c, N s/m
    double damping;
    // l_0, m
    double free_length;
    // A(t), N, tension; multiplied by the load factor
    model::TimeFunction actuator;
    // L, N
    CoordinateLaw law;
  };
  using Nodes = model::Nodes<2>;

  // r += T g: forces inertial (N), moments in the nodes' frames (N m).
  static void add_forces_to(const Data& d, const Nodes& n, const model::Context& c, math::Mat<12>& r);
  // Adds C and K of the equations above.
  static void add_force_tangents_to(const Data& d, const Nodes& n, const model::Context& c,
                                    model::Tangents<SpringDamper>& t);
  // V in J, as strain energy.
  static model::Energies energies(const Data& d, const Nodes& n, const model::Context& c);
  using Step = model::ElementStep<2>;
  // Spatial wrenches over a step along dbar, with the levers of s.lever, and their derivative by the end of the step.
  static void add_discrete_forces_to(const Data& d, const Step& s, math::Mat<12>& r);
  static void add_discrete_force_tangents_to(const Data& d, const Step& s, math::Mat<12, 12>& K);
  // V at the middle of the step, J.
  static double discrete_energy(const Data& d, const Step& s);
  // Work of all but the spring over the step on the model, J.
  static double discrete_work(const Data& d, const Step& s);
  // Power of all but the spring on the model, W.
  static double power(const Data& d, const Nodes& n, const model::Context& c);
  // Tension (N, load factor included) and length (m).
  static void write_outputs(const Data& d, const Nodes& n, const model::Context& c, const model::Rows<SpringDamper>&,
                            const double* h, double* out);
  // Of the tension (number 0) or the length (1).
  static void set_output_gradient(const Data& d, const Nodes& n, const model::Context& c, int number,
                                  math::Mat<12>& by_position, math::Mat<12>& by_velocity);
  template <class Act>
  static void each_actuator(const Data& d, const Nodes& n, const model::Context& c, const Act& act) {
    act(d.actuator, math::Mat<12>(load_factor_of(d.actuator, c) * d.distance.gradient(n)));
  }
  static void breakpoints(const Data& d, double t0, double t1, std::vector<double>& out);
  static Data sample(std::mt19937& random);
};

extern const model::KindInfo spring_damper_info;

}  // namespace polhode::elements
