// SPDX-License-Identifier: BSD-3-Clause
// Symplectic Euler as an Integrator.
#include "symplectic_euler.hpp"

#include <limits>
#include <utility>

namespace polhode::integrators {

SymplecticEuler::SymplecticEuler(const assembly::System& system) : system_(system), next_(system.initial_state()) {
  mass_.emplace(system);
}

bool SymplecticEuler::start(State& q, const Start&) { return set_accelerations(q); }

const StepReport& SymplecticEuler::attempt(const State& q, const Step& step) {
  report_ = {};
  report_.t = step.t_next;
  report_.h = step.h;
  report_.contraction = std::numeric_limits<double>::quiet_NaN();
  report_.order = report_.contraction;
  next_ = q;
  next_.t = step.t_next;
  next_.last_step = step.h;
  for (std::size_t i = 1; i < q.x.size(); ++i) {
    next_.v[i] = q.v[i] + step.h * q.vdot[i];
    next_.x[i] = q.x[i] + step.h * next_.v[i].head<3>();
    const Vec3 turn = step.h * next_.v[i].tail<3>();
    next_.set_rotation(i, (q.quat[i] * math::so3::exp_quaternion(turn)).normalized());
  }
  if (!set_accelerations(next_)) report_.outcome = Outcome::singular;
  return report_;
}

void SymplecticEuler::accept(State& q) {
  system_.update_history(next_);
  std::swap(q, next_);
}

bool SymplecticEuler::set_accelerations(State& q) { return mass_->factorize(q) && mass_->set_accelerations(q, none_); }

// The state is all that a step depends on, but for the pivots of the factorization.
void SymplecticEuler::save(const State&, std::vector<double>&) { mass_.emplace(system_); }

bool SymplecticEuler::load(const State&, std::span<const double> data) { return data.empty(); }

namespace {

void check_model(const ModelCheck& check, model::Problems& problems) {
  if (check.system.rows() > 0) problems.push_back({"joints", "`symplectic_euler` has no constraints; take lie_alpha"});
  if (check.controlled) problems.push_back({check.path + ".step", "`symplectic_euler` has fixed steps; give a number"});
}

std::unique_ptr<Integrator> make(const MakeIntegrator& what) { return std::make_unique<SymplecticEuler>(what.system); }

}  // namespace

const MethodFamily symplectic_euler_family{.name = "symplectic Euler", .make = make, .check_model = check_model};

}  // namespace polhode::integrators
