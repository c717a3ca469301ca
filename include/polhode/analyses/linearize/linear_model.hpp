// SPDX-License-Identifier: BSD-3-Clause
// Small motions about an equilibrium as a model for others: matrices, inputs, outputs, state space.
//
// With y the free unknowns and u the inputs (linearized.hpp has the equations, turning frame included)
//   M y'' + C y' + K y + B^T mu = F u,   B y = 0,
// and y = Z z with B Z = 0, the states are x = [z; z'], and behind them those of signals, s:
//   x' = A x + B_s u,   A = [0 I; -M_z^-1 K_z  -M_z^-1 C_z],   B_s = [0; M_z^-1 Z^T F],   X_z = Z^T X Z,
// without signals; with them A and B_s have the rows and columns of s (signal_linearization.hpp). What samples is held,
// and so are exact delays: PreparedLoops has approximants in their place.
//   (outputs - their values at the equilibrium) = C_s x + D_s u.
// Outputs may depend on accelerations and multipliers, which follow from x and u:
//   y'' = Z z'',   mu = (B^T)^+ (F u - M y'' - C y' - K y),
// and those of an entry on its own inputs directly: the force of a spring has the actuator's in it.
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "polhode/analyses/linearize/linearized.hpp"
#include "polhode/assembly/signal_linearization.hpp"
#include "polhode/math/stop.hpp"
#include "polhode/results/channel.hpp"

namespace polhode::analyses {

struct LinearInput {
  // of its unit: "N", "N m", "1"
  std::string name;
  std::string units;
  std::vector<model::Vec6> force;  // on each node, a unit of it: N inertial, N m in the node's frame
  // Of an input of an entry of the deck: the entry with a unit of it, and without
  std::optional<std::pair<model::Entry, model::Entry>> entries = std::nullopt;
  // Of an input that is added to a signal: the number of that value
  int value = -1;
};

struct LinearOutput {
  std::string name;
  std::string units;
  double value = 0;  // at the equilibrium
};

struct LinearModel {
  Linearized linear;
  std::vector<LinearInput> inputs;
  std::vector<LinearOutput> outputs;
  math::MatrixX f;             // k x inputs, N, N m
  math::MatrixX f_of_signals;  // k x states of signals
  math::MatrixX z;             // k x n: orthonormal columns, or shapes of modes; empty where it would be too large
  // of the state space, empty as z is
  math::MatrixX a;
  math::MatrixX b;
  math::MatrixX c;
  math::MatrixX d;
  std::string note;  // what the user should know
  assembly::SignalLinearization signals = {};
  // k x states of signals: positions of motions that drives make of states, and their rates; empty where none does
  math::MatrixX driven = {};
  math::MatrixX driven_rates = {};
};

// Inputs are named
//   nodes.tip.force.x, nodes.tip.moment.z     inertial components on a node
//   forces.push.force.z, forces.push.moment   those of a load (with `follower` in the node's frame), of loads along beams
//   forces.push.history                       the factor of the whole load
//   joints.pin.motor, forces.spring.actuator  with the sign that they have in the deck
//   joints.screw.about.motor                  those in groups of a joint
//   signals.torque                            what is added to a signal, all that take it included
// and vectors without a component stand for all three. Outputs are named as those of `responses` are.
// Names that are none become problems at "<path>.inputs.<i>" and "<path>.outputs.<i>".
void check_linearize(const assembly::System& system, const LinearizeSettings& settings, const std::string& path,
                     model::Problems& problems);

// About `q`; nothing where there are problems, or, without problems, where `stop` has ended it. It is asked before each
// factorization and each column of the state space.
std::optional<LinearModel> make_linear_model(const assembly::System& system, const LinearizeSettings& settings,
                                             model::State q, const std::string& path, model::Problems& problems,
                                             const math::StopRequest& stop = {});

// The group `group` ("/linear/analysis_1") of the results: M, C, K and B in compressed rows, F and Z, the state space.
std::vector<results::StaticData> linear_data(const LinearModel& made, const std::string& group);

}  // namespace polhode::analyses
