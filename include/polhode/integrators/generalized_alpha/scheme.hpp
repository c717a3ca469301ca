// SPDX-License-Identifier: BSD-3-Clause
// One step of a method as the Newton loop sees it: unknown increments x of the configuration, and what follows from
// them.
//
// State::memory holds the acceleration-like variable a of all nodes, then vdot of the state before (for the predictor).
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "polhode/assembly/system.hpp"
#include "polhode/integrators/generalized_alpha/alpha_parameters.hpp"

namespace polhode::integrators {

using model::Factors;
using model::Mat3;
using model::State;
using model::Vec3;
using model::Vec6;

// It has arrays by node for the step that it is in, and no memory between steps: that is in the states. h is the one of
// predict() until the next. Nothing but its constructor allocates.
class Scheme {
 public:
  virtual ~Scheme() = default;
  // As in the deck.
  virtual std::string_view name() const = 0;

  // Makes `next` the predicted state at next.t = old.t + h.
  virtual void predict(const State& old, State& next, double h, NewtonSettings::Predictor predictor) = 0;
  // Adds dx to the unknown of each node, and updates q; v and vdot follow dy, which is dx but for lie_alpha_index2.
  // (The multipliers are the caller's.)
  virtual void update(const State& old, State& next, std::span<const Vec6> dx, std::span<const Vec6> dy) = 0;
  // Right factors of the iteration matrix at the present iterate; they refer to memory of the scheme. Its unknown is the
  // increment x but where to_increments() says otherwise.
  virtual Factors factors(const State& next) = 0;
  // The same of dy where the configuration stays: M and C by vdot and v, and B in B v by v over gamma'. Of
  // lie_alpha_index2 alone.
  virtual Factors dynamic_factors() { return {}; }
  // E of the last configuration, by node, where dy is in the frame that the node has at the begin of the step but that
  // of these factors in the one at its end, E^T dy; empty where both are dy.
  virtual std::span<const math::so3::Quaternion> turns() const { return {}; }
  // What a solution with the matrix of the last factors() means, in place, by node: as increments; as displacements and
  // turns dTheta of nodes in their own frames.
  virtual void to_increments(std::span<Vec6>) const {}
  virtual void to_turns(const State& next, std::span<Vec6> x);
  // Sets the acceleration-like variable of the new state.
  virtual void finish(const State& old, State& next) = 0;
  // The increment x of the configuration in this step, per node.
  virtual std::span<const Vec6> increment() const = 0;

  // What the method itself carries along a smooth motion: a_n - vdot_n = h a, and, with constraints of index 3,
  // B v_n + Phi_t = h^2 B v; up to the next power of h.
  // Per unit of h, and of h^2.
  struct Offsets {
    Vec6 a;
    Vec6 v;
  };
  // True if B v + Phi_t = 0 at the end of each step.
  virtual bool meets_velocity_constraints() const { return false; }
  virtual Offsets offsets(const Vec6& v, const Vec6& vdot, const Vec6& vddot) const = 0;
  // Exact less numerical increment of one step by h^3, up to the next power of h; linear in vddot.
  virtual Vec6 local_truncation_error(const Vec6& v, const Vec6& vdot, const Vec6& vddot) const = 0;

  // Sets memory for a start with a_0 = vdot_0.
  static void start(State& q) {
    q.memory.assign(2 * q.vdot.size(), Vec6::Zero());
    std::copy(q.vdot.begin(), q.vdot.end(), q.memory.begin());
    q.last_step = 0;
  }
  // Where a load or a drive has a kink: makes a_n = vdot_n, and forgets how vdot changed before.
  static void pass_kink(State& q) {
    std::copy(q.vdot.begin(), q.vdot.end(), q.memory.begin());
    std::copy(q.vdot.begin(), q.vdot.end(), q.memory.begin() + static_cast<std::ptrdiff_t>(q.vdot.size()));
  }
};

// method: lie_alpha | lie_alpha_index2 | ul_crv | ul_rotation_vector
// `nodes`: all nodes, the ground included, as threads take them. Throws std::invalid_argument for any other name.
std::unique_ptr<Scheme> make_scheme(const IntegratorSettings& settings, const math::IndexLots& nodes);

}  // namespace polhode::integrators
