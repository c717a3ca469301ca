// SPDX-License-Identifier: BSD-3-Clause
// External work along a path of equilibria.
#pragma once
#include "polhode/math/archive.hpp"

namespace polhode::run {

// Loads and drives that grow slowly do the work that the model gains as energy: W = W_0 + E - E_0, in J.
class StaticWork {
 public:
  // `external_work` before the analysis, J.
  void begin_analysis(double external_work) {
    before_ = external_work;
    steps_ = 0;
  }
  // The total energy of the next equilibrium, J.
  void add(double energy) {
    if (steps_ == 0) first_energy_ = energy;
    ++steps_;
    external_work_ = before_ + energy - first_energy_;
  }
  double external_work() const { return external_work_; }  // J, since the start of the run, at the last equilibrium
  long steps() const { return steps_; }                    // equilibria of this analysis, its start included
  void archive(math::Archive& a) { a(before_, first_energy_, external_work_, steps_); }

 private:
  double before_ = 0;
  double first_energy_ = 0;
  double external_work_ = 0;
  long steps_ = 0;
};

}  // namespace polhode::run
