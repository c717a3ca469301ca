// SPDX-License-Identifier: BSD-3-Clause
// The start of a transient: constraints checked and met, accelerations and multipliers solved for.
#pragma once
#include <string>

#include "polhode/assembly/linear/saddle.hpp"
#include "polhode/math/stop.hpp"
#include "polhode/model/move.hpp"

namespace polhode::analyses {

using model::State;

struct StartReport {
  // largest, relative to size and speed of the model, before correction
  double position_violation = 0;
  double velocity_violation = 0;
  // m and m/s, by the correction
  double largest_move = 0;
  double largest_velocity_change = 0;
  // By the stop function; the state is none to start from then
  bool interrupted = false;
};

enum class Violations { within_tolerance, any };

// The way of each node from `start` to `q`: positions, and rotation vectors in the node's own frame.
void set_way(const State& start, const State& q, std::vector<model::Vec6>& way);

// Rows that follow from others become problems, unless the model wants them resolved.
void check_rank(const assembly::System& system, const State& q, model::Problems& problems);

// Violations `phi` above `tolerance`, relative to the size of the model, become problems at the joints concerned:
// "<joint>: the initial positions <what>: position x by 0.1 m; <remedy>". Returns the largest, relative.
double check_positions(const assembly::System& system, const model::VectorX& phi, double tolerance, const char* what,
                       const char* remedy, model::Problems& problems);

// An element whose rotation is not unique in `q` (System::past_bound) becomes a problem.
void report_past_bound(const assembly::System& system, const State& q, model::Problems& problems);

// Checks positions and velocities of `q` against the constraints: violations above the tolerances of the model become
// problems at the joints concerned; smaller ones are removed with the least change in the norm of M. Over-constrained
// models and unknowns without inertia become problems too. A state that an analysis before led to (last_step > 0) is
// corrected whatever its violation, since that is the method's own error; so is any with Violations::any. `duration`
// (s) gives the least speed that counts, size / duration. `stop` is asked before each factorization but the first.
StartReport meet_constraints(const assembly::System& system, State& q, double duration, model::Problems& problems,
                             Violations violations = Violations::within_tolerance, const math::StopRequest& stop = {});

// Names the directions of single nodes that have neither inertia nor a constraint; false if there are any.
bool check_inertia(const assembly::System& system, const State& q, model::Problems& problems);

// Sets vdot and lambda such that r = 0 and B vdot + Gamma = 0. False (and a problem) if [M B^T; B 0] is singular.
bool set_accelerations(const assembly::System& system, State& q, model::Problems& problems);

// The derivative of the consistent accelerations along the motion from `q`, whose accelerations are set, by one-sided
// differences over `dt` (loads and drives may jump where the run begins). Its error is of order dt^2. False as above.
bool set_acceleration_rates(const assembly::System& system, const State& q, double dt, std::vector<model::Vec6>& vddot,
                            model::Problems& problems);

}  // namespace polhode::analyses
