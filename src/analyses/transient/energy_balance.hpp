// SPDX-License-Identifier: BSD-3-Clause
// The balance of energy of a transient, J: what is there, and what start, loads, drives, dampers and gravity gave.
//
// K + S = K_0 + S_0 + W - (V - V_0), with kinetic, strain and gravity energy K, S, V and work W of loads, drives and
// dampers. Hence K + S is never above K_0 + S_0 + sum max(dW, 0) + sum max(-dV, 0), sums over steps and over the states
// that are looked at, but for errors of the method and of W, and for impulses of drives that jump: their work is what
// the energy changes by. A stiff damper beside a drive makes dW of a step negative though the drive gives; sums of |dW|
// and |dV| bound K + S in any case, but let through what grows while dampers seem to take more than there is.
#pragma once
#include <algorithm>

#include "polhode/model/batch_base.hpp"

namespace polhode::analyses {

class EnergyBalance {
 public:
  // Before the first state: what it has, and the work up to there. `round_off`: energies below it mean nothing.
  void begin(const model::Energies& energies, double work, double round_off);
  // Work up to the end of a step. What dampers take and loads give back within a few steps counts twice.
  void add_work(double work);
  // A state that is looked at, and the work up to there; all numbers are finite. `impulse`: drives jump since the one
  // before, and do as much work as the energy changes by.
  void add(const model::Energies& energies, double work, bool impulse);

  // Of the last state: K + S, and what it may be.
  double present() const { return last_.kinetic + last_.strain; }
  double given() const { return first_ + done_ + fallen_; }
  // K_0 + S_0 + sum max(dW, 0) + sum max(-dV, 0), and the most that any state so far had above it.
  double put_in() const { return put_in_; }
  double excess() const { return excess_; }
  double round_off() const { return round_off_; }
  // Change of the energy that nothing accounts for: E - E_0 - (W - W_0), negative where energy is lost.
  double unexplained() const { return last_.total() - first_energy_ - (work_ - first_work_) - impulsive_; }
  // The largest K + S so far, or all work that was done on the model and by it; at least the energy of round-off. The
  // work of gravity does not count: a pendulum does it in each swing, and would lose the less of it the longer it
  // swings.
  double scale() const { return std::max({largest_, done_, round_off_}); }
  // What dampers, loads and drives would have taken beyond all that the model had, which is an error of the work. A
  // stiff damper under velocities that change sign from step to step has a large power at each end, and does no work.
  double overcounted() const { return overcounted_; }

  void archive(math::Archive& a) {
    a(last_.kinetic, last_.strain, last_.gravity, work_, work_of_step_, first_, done_, fallen_, put_in_, excess_,
      impulsive_, overcounted_, first_energy_, first_work_, largest_, round_off_);
  }

 private:
  model::Energies last_;
  // Up to the last state, and up to the last step
  double work_ = 0;
  double work_of_step_ = 0;
  // K_0 + S_0, and what work and gravity have given since, step by step
  double first_ = 0;
  double done_ = 0;
  double fallen_ = 0;
  double put_in_ = 0;
  double excess_ = 0;
  // By impulses of drives
  double impulsive_ = 0;
  double overcounted_ = 0;
  double first_energy_ = 0;
  double first_work_ = 0;
  double largest_ = 0;
  double round_off_ = 0;
};

}  // namespace polhode::analyses
