// SPDX-License-Identifier: BSD-3-Clause
// A torsional spring, a damper, an actuator and a law in parallel about an axis of two bodies.
//
// With the twist phi (twist.hpp), counted on without jumps from the last accepted state, and its gradient g:
//   moment  T = k (phi - phi_0) + c phidot + A(t) + L(t, phi, phidot),  r += T g,  V = k (phi - phi_0)^2 / 2
//   K = g (T_phi g + T_phidot G^T v)^T + T G,   C = T_phidot g g^T,   G = D_q g
// Over a step of `energy_momentum`: T of the mean angle, of the rate (phi+ - phi)/h and of the middle time, along the
// discrete gradient of phi (step_angle.hpp).
#pragma once
#include "elements/joints/rows/coordinate_law.hpp"
#include "elements/joints/rows/rows.hpp"
#include "polhode/model/actuation.hpp"
#include "polhode/model/discrete.hpp"

namespace polhode::elements {

struct TorsionalSpringDamper {
  static constexpr std::string_view name = "torsional_spring_damper";
  static constexpr int nodes = 2;
  static constexpr int rows = 0;
  static constexpr int history = 1;
  static constexpr model::Capabilities capabilities = model::can::forces | model::can::energies | model::can::power |
                                                      model::can::outputs | model::can::breakpoints |
                                                      model::can::discrete_forces | model::can::signals;
  // All tangents act between rotations.
  static constexpr bool turns_alone = true;
  struct Data {
    // axes in the nodes' frames, the third along the axis
    Mat3 E_a;
    Mat3 E_b;
    // k, N m/rad
    double stiffness;
    // c, N m s/rad
    double damping;
    // phi_0, rad, counted from the deck's configuration
    double free_angle;
    // A(t), N m; multiplied by the load factor
    model::TimeFunction actuator;
    // L, N m, with the sign of the spring's
    CoordinateLaw law;
  };

  // r += T g: moments in the nodes' frames, N m; no forces.
  static void add_forces_to(const Data& d, const PairNodes& n, const model::Context& c, Mat<12>& r);
  // Adds C and K of the equations above.
  static void add_force_tangents_to(const Data& d, const PairNodes& n, const model::Context& c,
                                    model::Tangents<TorsionalSpringDamper>& t);
  using Step = model::ElementStep<2>;
  // Spatial moments over a step and their derivative by its end.
  static void add_discrete_forces_to(const Data& d, const Step& s, Mat<12>& r);
  static void add_discrete_force_tangents_to(const Data& d, const Step& s, PairBlock& K);
  // V in J, as strain energy.
  static model::Energies energies(const Data& d, const PairNodes& n, const model::Context& c);
  // Power of all but the spring on the model, W.
  static double power(const Data& d, const PairNodes& n, const model::Context& c);
  // h: phi of the last accepted state -> of this one, without a jump.
  static void update_history(const Data& d, const PairNodes& n, const model::Context&, double* h);
  // T (N m) and phi (rad).
  static void write_outputs(const Data& d, const PairNodes& n, const model::Context& c,
                            const model::Rows<TorsionalSpringDamper>&, const double* h, double* out);
  // Of the moment (number 0) or the angle (1).
  static void set_output_gradient(const Data& d, const PairNodes& n, const model::Context& c, int number,
                                  Mat<12>& by_position, Mat<12>& by_velocity);
  // Of the angle by the motion of both nodes.
  static Mat<12> angle_gradient(const Data& d, const PairNodes& n);
  template <class Act>
  static void each_actuator(const Data& d, const PairNodes& n, const model::Context& c, const Act& act) {
    act(d.actuator, Mat<12>(load_factor_of(d.actuator, c) * angle_gradient(d, n)));
  }
  static void breakpoints(const Data& d, double t0, double t1, std::vector<double>& out);
  static Data sample(std::mt19937& random);
};

extern const model::KindInfo torsional_spring_damper_info;

}  // namespace polhode::elements
