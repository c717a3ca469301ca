// SPDX-License-Identifier: BSD-3-Clause
// Structure-preserving methods as an Integrator.
#include "polhode/integrators/structure/structure_integrator.hpp"

namespace polhode::integrators {

StructureIntegrator::StructureIntegrator(const assembly::System& system, const IntegratorSettings& settings,
                                         const NewtonSettings& newton)
    : system_(system),
      start_(settings.own_or_default<StructureSettings>().start),
      solver_(system, settings, newton),
      velocities_(system) {}

// With `start: corrected` velocities get the part that the method itself has normal to the constraints;
// along them they stay as they are.
bool StructureIntegrator::start(State& q, const Start& start) {
  if (wants_rates()) {
    std::vector<Vec6> offsets(q.v.size(), Vec6::Zero());
    for (std::size_t i = 1; i < offsets.size(); ++i)
      offsets[i] = start.h * start.h * solver_.velocity_offset(i, q, start.vddot[i]);
    if (!velocities_.add_normal_part(q, offsets)) return false;
  }
  solver_.start(q);
  return true;
}

// From q to next_, q untouched; a failed attempt leaves nothing behind but its report.
const StepReport& StructureIntegrator::attempt(const State& q, const Step& step) {
  if (next_.x.size() != q.x.size()) next_ = q;
  next_.memory.resize(q.memory.size());
  report_ = solver_.step(q, next_, step.h, step.t_next, step.stop);
  return report_;
}

void StructureIntegrator::accept(State& q) { q.swap(next_); }

// Eight numbers that do not follow from the state; factorizations are forgotten on both sides,
// so that runs agree to the bit.
void StructureIntegrator::save(const State& q, std::vector<double>& data) {
  (void)q;
  const Invariants& now = solver_.end().invariants();
  data.insert(data.end(), now.linear.begin(), now.linear.end());
  data.insert(data.end(), now.angular.begin(), now.angular.end());
  data.push_back(now.energy);
  data.push_back(solver_.end().drive_power());
  solver_.forget_factorizations();
}

bool StructureIntegrator::load(const State& q, std::span<const double> data) {
  constexpr std::size_t numbers = 8;
  if (data.size() != numbers) return false;
  const Invariants invariants{Vec3::Map(data.data()), Vec3::Map(data.data() + 3), data[6]};
  solver_.resume(q, invariants, data[7]);
  return true;
}

}  // namespace polhode::integrators
