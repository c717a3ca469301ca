// SPDX-License-Identifier: BSD-3-Clause
// A bushing: stiffness and damping of all six relative motions of two bodies at a point, for motions of any size.
//
// With the relative pose e (relative_pose.hpp) and its gradient B_e, edot = B_e v:
//   s = S e + D edot,   r += B_e^T s,   V = e^T S e / 2,   power -edot^T D edot
//   K = B_e^T (S B_e + D Z) + D_q (B_e^T s),  Z = D_q (B_e v),   C = B_e^T D B_e
// Over a step of `energy_momentum` (bushing_step.cpp) S e and D edot are those of (e + e+)/2 and (e+ - e)/h, along a
// discrete gradient of e; the relative rotation stays below half a turn then.
#pragma once
#include "elements/joints/rows/rows.hpp"
#include "polhode/model/discrete.hpp"

namespace polhode::elements {

struct Bushing {
  static constexpr std::string_view name = "bushing";
  static constexpr int nodes = 2;
  static constexpr int rows = 0;
  // The relative rotation vector
  static constexpr int history = 3;
  static constexpr model::Capabilities capabilities = model::can::forces | model::can::energies | model::can::power |
                                                      model::can::outputs | model::can::discrete_forces |
                                                      model::can::bound;
  // Point and axes on both bodies, equal at the start; S and D are symmetric without negative eigenvalues.
  struct Data : Markers {
    // x y z rx ry rz of the bushing's axes
    // Blocks in N/m, N, N m/rad and the same times s
    math::Mat6 stiffness;
    math::Mat6 damping;
  };

  // r += B_e^T s: forces inertial (N), moments in the nodes' frames (N m).
  static void add_forces_to(const Data& d, const PairNodes& n, const model::Context& c, Mat<12>& r);
  // Adds C and K of the equations above; Z and C are skipped where nothing is damped.
  static void add_force_tangents_to(const Data& d, const PairNodes& n, const model::Context& c,
                                    model::Tangents<Bushing>& t);
  using Step = model::ElementStep<2>;
  // Spatial wrenches over a step and their derivative by its end. Where the relative rotation passes half a turn r is
  // no number, so that the step fails.
  static void add_discrete_forces_to(const Data& d, const Step& s, Mat<12>& r);
  static void add_discrete_force_tangents_to(const Data& d, const Step& s, PairBlock& K);
  // V in J, as strain energy.
  static model::Energies energies(const Data& d, const PairNodes& n, const model::Context& c);
  // Power of the damping on the model, W: never positive.
  static double power(const Data& d, const PairNodes& n, const model::Context& c);
  // The rotation vector, which was h, jumps: near a whole turn, where T^-1 ends. A bushing that has no stiffness
  // against such a turn may turn on and on.
  static bool passes_bound(const Data& d, const PairNodes& before, const PairNodes& now, const double* h);
  // h: relative rotation vector of the last accepted state -> of this one, continued beyond half a turn.
  static void update_history(const Data& d, const PairNodes& n, const model::Context&, double* h);
  // Force (N) and moment (N m) on b about its point, inertial; then e, m and rad.
  static void write_outputs(const Data& d, const PairNodes& n, const model::Context& c, const model::Rows<Bushing>&,
                            const double* h, double* out);
  // In the order of write_outputs.
  static void set_output_gradient(const Data& d, const PairNodes& n, const model::Context& c, int number,
                                  Mat<12>& by_position, Mat<12>& by_velocity);
  static Data sample(std::mt19937& random);
};

extern const model::KindInfo bushing_info;

}  // namespace polhode::elements
