// SPDX-License-Identifier: BSD-3-Clause
// The channels of stored states: one entry each.
#include <algorithm>
#include <limits>
#include <stdexcept>

#include "polhode/integrators/integrator.hpp"
#include "polhode/results/channel_table.hpp"
#include "polhode/results/sampler.hpp"

namespace polhode::results {
namespace {

using model::Vec3;
using model::Vec6;

// What is not known of a state.
constexpr double none = std::numeric_limits<double>::quiet_NaN();

// A vector, or NaN three times.
void put(const Vec3& vector, double* to) { std::copy_n(vector.data(), 3, to); }

// The vectors of all nodes but the ground: three numbers of each value, from `first` on.
template <class Values>
void put_nodes(const StateSample& s, const Values& values, int first, double* to) {
  for (const int node : s.system.node_axis()) {
    const double* const from = values[static_cast<std::size_t>(node)].data() + first;
    to[0] = from[0];
    to[1] = from[1];
    to[2] = from[2];
    to += 3;
  }
}

// Scalar part first.
void put_rotations(const StateSample& s, double* to) {
  for (const int node : s.system.node_axis()) {
    const auto& quaternion = s.q.quat[static_cast<std::size_t>(node)];
    to[0] = quaternion.w();
    to[1] = quaternion.x();
    to[2] = quaternion.y();
    to[3] = quaternion.z();
    to += 4;
  }
}

// Components in directions that the support leaves free are zero.
void put_support_force(const StateSample& s, double* to) {
  const auto& removed = s.system.node(static_cast<std::size_t>(s.item.index)).removed;
  const Vec6& force = s.support_forces[static_cast<std::size_t>(s.item.index)];
  for (int k = 0; k < 3; ++k) to[k] = removed[k] ? force[k] : 0;
}

// The residual has moments in the node's frame; the results have all reactions in the inertial one.
void put_support_moment(const StateSample& s, double* to) {
  const auto node = static_cast<std::size_t>(s.item.index);
  const auto& removed = s.system.node(node).removed;
  Vec3 moment = s.support_forces[node].tail<3>();
  for (int k = 0; k < 3; ++k)
    if (!removed[3 + k]) moment[k] = 0;
  put(s.q.R[node] * moment, to);
}

// {path, shape, unit, frame, doc, fill, options}, in the order of a row; one entry a paragraph, whatever its length.
// clang-format off
std::vector<StateChannel> make_state_channels() {
  return {
      // Labels: which state it is.
      {"/time", {}, "s", "", "time of the stored state",
       [](const StateSample& s, double* to) { *to = s.q.t; }, {.label = true}},
      {"/analysis", {}, "", "", "index of the analysis the state belongs to, from 0",
       [](const StateSample& s, double* to) { *to = s.analysis; }, {.integer = true, .label = true}},

      // Static analyses.
      {"/static/load_factor", {}, "1", "", "factor of loads, gravity, motors and drives; 1 in states of other analyses",
       [](const StateSample& s, double* to) { *to = s.statics.load_factor; },
       {.label = true, .only = &RunContents::static_analyses}},
      {"/static/iterations", {}, "1", "", "linear solves of the load step",
       [](const StateSample& s, double* to) { *to = s.statics.iterations; },
       {.integer = true, .label = true, .only = &RunContents::static_analyses}},
      {"/static/smallest_pivot", {}, "1", "",
       "smallest pivot of the tangent stiffness with constraints, over the largest one; not a number in states of "
       "other analyses",
       [](const StateSample& s, double* to) { *to = s.statics.smallest_pivot; },
       {.label = true, .only = &RunContents::static_analyses}},
      {"/static/limit_point", {}, "1", "", "1 where the load factor has an extremum",
       [](const StateSample& s, double* to) { *to = s.statics.limit_point; },
       {.integer = true, .label = true, .only = &RunContents::static_analyses}},

      // Nodes.
      {"/nodes/position", {node_axis, 3}, "m", "inertial", "positions of the nodes",
       [](const StateSample& s, double* to) { put_nodes(s, s.q.x, 0, to); }},
      {"/nodes/rotation", {node_axis, 4}, "1", "body to inertial", "unit quaternions w, x, y, z, continuous in sign",
       put_rotations},
      {"/nodes/velocity", {node_axis, 3}, "m/s", "inertial", "velocities of the nodes",
       [](const StateSample& s, double* to) { put_nodes(s, s.q.v, 0, to); }},
      {"/nodes/angular_velocity", {node_axis, 3}, "rad/s", "body", "angular velocities, in the node's own frame",
       [](const StateSample& s, double* to) { put_nodes(s, s.q.v, 3, to); }},
      {"/nodes/acceleration", {node_axis, 3}, "m/s^2", "inertial", "accelerations (vdot, not the auxiliary a)",
       [](const StateSample& s, double* to) { put_nodes(s, s.q.vdot, 0, to); }},
      {"/nodes/angular_acceleration", {node_axis, 3}, "rad/s^2", "body",
       "angular accelerations, in the node's own frame",
       [](const StateSample& s, double* to) { put_nodes(s, s.q.vdot, 3, to); }},

      // Constraints and supports.
      {"/{}/multipliers", {multiplier_axis}, "N, N m", "", "Lagrange multipliers of the constraint equations: {}",
       [](const StateSample& s, double* to) { std::copy_n(s.q.lambda.data() + s.item.index, s.item.size, to); },
       {.each = Each::entry_with_constraints}},
      {"/reactions/{}/force", {3}, "N", "inertial", "force of the support on the node", put_support_force,
       {.each = Each::supported_force}},
      {"/reactions/{}/moment", {3}, "N m", "inertial", "moment of the support on the node", put_support_moment,
       {.each = Each::supported_moment}},

      // Energies: the one place where a run's energy is stored.
      {"/energy/kinetic", {}, "J", "", "kinetic energy",
       [](const StateSample& s, double* to) { *to = s.totals().energies.kinetic; }, {.of_totals = true}},
      {"/energy/strain", {}, "J", "", "strain energy of beams, springs and bushings",
       [](const StateSample& s, double* to) { *to = s.totals().energies.strain; }, {.of_totals = true}},
      {"/energy/gravity", {}, "J", "", "energy of gravity, zero at the origin",
       [](const StateSample& s, double* to) { *to = s.totals().energies.gravity; }, {.of_totals = true}},
      {"/energy/total", {}, "J", "", "kinetic + strain + gravity",
       [](const StateSample& s, double* to) { *to = s.totals().energies.total(); }, {.of_totals = true}},
      {"/energy/external_work", {}, "J", "", "work of loads, drives and dampers since the start",
       [](const StateSample& s, double* to) { *to = s.external_work; }},

      // Momenta of the model, and what a structure-preserving method keeps instead.
      {"/invariants/linear_momentum", {3}, "N s", "inertial", "linear momentum of the model",
       [](const StateSample& s, double* to) { put(s.totals().linear, to); }, {.of_totals = true}},
      {"/invariants/angular_momentum", {3}, "N m s", "inertial", "angular momentum about the origin",
       [](const StateSample& s, double* to) { put(s.totals().angular, to); }, {.of_totals = true}},
      {"/invariants/discrete_linear_momentum", {3}, "N s", "inertial", "linear momentum that the method itself keeps",
       [](const StateSample& s, double* to) { put(s.invariants ? s.invariants->linear : Vec3::Constant(none), to); },
       {.only = &RunContents::discrete_invariants}},
      {"/invariants/discrete_angular_momentum", {3}, "N m s", "inertial",
       "angular momentum about the origin that the method itself keeps",
       [](const StateSample& s, double* to) { put(s.invariants ? s.invariants->angular : Vec3::Constant(none), to); },
       {.only = &RunContents::discrete_invariants}},
      {"/invariants/discrete_energy", {}, "J", "",
       "energy of the step that led to the state; in the first state that of the state",
       [](const StateSample& s, double* to) { *to = s.invariants ? s.invariants->energy : none; },
       {.only = &RunContents::discrete_invariants}},
  };
}
// clang-format on

}  // namespace

const model::Totals& StateSample::totals() const {
  if (!sums) throw std::logic_error("a channel reads totals() without `.of_totals = true` in its table entry");
  return *sums;
}

// Made once, on first use.
const std::vector<StateChannel>& state_channels() {
  static const std::vector<StateChannel> channels = make_state_channels();
  return channels;
}

}  // namespace polhode::results
