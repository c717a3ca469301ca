// SPDX-License-Identifier: BSD-3-Clause
// The constraint equations that drives move.
#pragma once
#include <vector>

#include "polhode/assembly/system.hpp"

namespace polhode::integrators {

// Whether functions of time may move joints: any function of a joint that is not constant counts, motors included.
bool may_drive(const assembly::System& system);

// Those that move, and those that have moved: behind a drive that comes to rest its row is looked at on.
class DrivenRows {
 public:
  // Keeps a reference. Allocates nothing for a model in which no function of time moves a joint.
  explicit DrivenRows(const assembly::System& system);

  // Takes up rows with Phi_t other than zero at the end of a step, or at the begin of the first one that has any, and
  // gives all so far. The begin of a later step is the end of the one before.
  const std::vector<int>& find(const model::State& begin, const model::State& end);
  // Those so far.
  const std::vector<int>& rows() const { return rows_; }
  // In the place of all so far.
  void set_rows(std::vector<int> rows);

 private:
  void take_up(const model::State& q);

  const assembly::System& system_;
  bool may_drive_;
  std::vector<int> rows_;
  std::vector<char> is_driven_;
  model::VectorX Bv_;
  model::VectorX phi_t_;
};

}  // namespace polhode::integrators
