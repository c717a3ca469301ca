// SPDX-License-Identifier: BSD-3-Clause
// The first step of `variational` by many fine ones.
#include "polhode/integrators/structure/fine_start.hpp"

#include <algorithm>
#include <cmath>

#include "polhode/integrators/structure/structure_solver.hpp"

namespace polhode::integrators {
namespace {

// All of it by the velocities at its begin; `ahead` begins as a copy of `at`. False if the solver cannot end it.
bool take_euler_step(StructureSolver& solver, const State& at, State& ahead, double h) {
  ahead.t = at.t + h;
  for (std::size_t i = 1; i < at.x.size(); ++i) {
    ahead.x[i] += h * at.v[i].head<3>();
    const Vec3 half = 0.5 * h * at.v[i].tail<3>();
    ahead.set_rotation(i, (at.quat[i] * math::so3::Quaternion(1, half[0], half[1], half[2])).normalized());
  }
  return solver.finish_given(at, ahead, h);
}

void add_to_report(const StepReport& one, StepReport& all) {
  all.iterations += one.iterations;
  all.factorizations += one.factorizations;
  all.outcome = one.outcome;
  all.worst = one.worst;
  all.residual = one.residual;
  all.constraint_residual = one.constraint_residual;
}

}  // namespace

void start_finely(const StructureMethod& method, const NewtonSettings& newton, const State& old, State& next,
                  const math::StopRequest& stop, StepReport& report) {
  const long count = std::max(1L, std::lround(report.h / method.settings.fine_step()));
  const double h = report.h / static_cast<double>(count);
  const bool euler = method.settings.start == StructureSettings::Start::euler;
  StructureSettings own = method.settings;
  own.start = StructureSettings::Start::given;
  IntegratorSettings settings;
  settings.method = euler ? "variational" : "energy_momentum";
  settings.own = own;
  StructureSolver solver(method.system, settings, newton);
  State at = old;
  solver.start(at);
  State ahead = at;
  long n = 1;
  if (euler) {
    if (!take_euler_step(solver, at, ahead, h)) report.outcome = Outcome::singular;
    method.system.update_history(ahead);
    ahead.last_step = h;
    at.swap(ahead);
    ++n;
  }
  for (; n <= count && report.succeeded(); ++n) {
    add_to_report(solver.step(at, ahead, h, old.t + static_cast<double>(n) * h, stop), report);
    if (report.succeeded() && math::is_asked_to_stop(stop)) report.outcome = Outcome::interrupted;
    at.swap(ahead);
  }
  if (!report.succeeded()) return;
  next.x = at.x;
  next.quat = at.quat;
  next.R = at.R;
  next.history = at.history;
}

}  // namespace polhode::integrators
