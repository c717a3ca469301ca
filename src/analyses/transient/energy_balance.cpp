// SPDX-License-Identifier: BSD-3-Clause
// Sums of energies and work.
#include "analyses/transient/energy_balance.hpp"

#include <cmath>

namespace polhode::analyses {

void EnergyBalance::begin(const model::Energies& energies, double work, double round_off) {
  last_ = energies;
  work_ = work;
  work_of_step_ = work;
  first_energy_ = energies.total();
  first_work_ = work;
  put_in_ = first_ = std::abs(energies.kinetic) + std::abs(energies.strain);
  round_off_ = round_off;
}

void EnergyBalance::add_work(double work) {
  done_ += std::abs(work - work_of_step_);
  put_in_ += std::max(0.0, work - work_of_step_);
  work_of_step_ = work;
}

void EnergyBalance::add(const model::Energies& energies, double work, bool impulse) {
  const model::Energies before = last_;
  last_ = energies;
  fallen_ += std::abs(energies.gravity - before.gravity);
  put_in_ += std::max(0.0, before.gravity - energies.gravity);
  if (impulse) {
    const double change = energies.total() - before.total() - (work - work_);
    impulsive_ += change;
    done_ += std::abs(change);
    put_in_ += std::max(0.0, change);
  } else {
    const double left = before.kinetic + before.strain - (energies.gravity - before.gravity) + (work - work_);
    overcounted_ += std::max(0.0, -left);
  }
  work_ = work;
  largest_ = std::max(largest_, present());
  excess_ = std::max(excess_, present() - put_in_);
}

}  // namespace polhode::analyses
