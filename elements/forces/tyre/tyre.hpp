// SPDX-License-Identifier: BSD-3-Clause
// A tyre as a vertical spring and damper between the center of a wheel and the road below, which push only.
//
// With the center p = x + R s, the unloaded radius r and the height h of the road along inertial x (road.hpp):
//   deflection  e = h(p_x) + r - p_z,   edot = h' pdot_x - pdot_z
//   force       F = max(0, k e + c edot) where e > 0, else 0;   on the wheel at p, along +z:  r -= F g_z
// g_x, g_z are the gradients of p_x, p_z (pdot_x = g_x . v), H_x = D_q pdot_x, H_z likewise, G_z = D_q g_z. Where it
// pushes:
//   C = -g_z c (h' g_x - g_z)^T
//   K = -g_z [k (h' g_x - g_z) + c (h'' pdot_x g_x + h' H_x - H_z)]^T - F G_z
// V = k e^2/2 where e > 0. The force has no part along x, so on a slope V is no potential of it: dV/dt + F pdot_z, what
// the drive along x and the damper do, counts as external.
#pragma once
#include <random>

#include "elements/forces/tyre/road.hpp"
#include "polhode/model/catalog.hpp"
#include "polhode/model/contract.hpp"

namespace polhode::elements {

struct Tyre {
  static constexpr std::string_view name = "tyre";
  static constexpr int nodes = 1;
  static constexpr int rows = 0;
  static constexpr int history = 0;
  static constexpr model::Capabilities capabilities =
      model::can::forces | model::can::energies | model::can::power | model::can::outputs;
  struct Data {
    Road road;
    // Offset of the wheel's center, m, node's frame
    math::Vec3 s;
    // r, m
    double radius;
    // k, N/m
    double stiffness;
    // c, N s/m
    double damping;
  };
  using Nodes = model::Nodes<1>;

  // r -= F g_z: force inertial (N), moment in the node's frame (N m). Zero in the air.
  static void add_forces_to(const Data& d, const Nodes& n, const model::Context& c, math::Vec6& r);
  // Adds C and K of the equations above; nothing where it does not push.
  static void add_force_tangents_to(const Data& d, const Nodes& n, const model::Context& c, model::Tangents<Tyre>& t);
  // V in J, as strain energy.
  static model::Energies energies(const Data& d, const Nodes& n, const model::Context& c);
  // dV/dt + F pdot_z, W.
  static double power(const Data& d, const Nodes& n, const model::Context& c);
  // Force F (N), deflection e (m, negative in the air), height of the road below the center (m).
  static void write_outputs(const Data& d, const Nodes& n, const model::Context& c, const model::Rows<Tyre>&,
                            const double* h, double* out);
  // In this order.
  static void set_output_gradient(const Data& d, const Nodes& n, const model::Context& c, int number,
                                  math::Vec6& by_position, math::Vec6& by_velocity);
  static Data sample(std::mt19937& random);
};

extern const model::KindInfo tyre_info;

}  // namespace polhode::elements
