// SPDX-License-Identifier: BSD-3-Clause
// The constraint equations that drives move.
#pragma once
#include <vector>

#include "polhode/assembly/system.hpp"

namespace polhode::integrators {

// Whether functions of time may move joints: any function of a joint that is not constant counts, motors included.
bool may_drive(const assembly::System& system);

class DrivenRows {
 public:
  // Keeps a reference. Allocates nothing for a model in which no function of time moves a joint.
  explicit DrivenRows(const assembly::System& system);

  // Those with Phi_t other than zero at the begin or the end of a step.
  const std::vector<int>& find(const model::State& begin, const model::State& end);
  // The last ones.
  const std::vector<int>& rows() const { return rows_; }

 private:
  const assembly::System& system_;
  bool may_drive_;
  std::vector<int> rows_;
  model::VectorX Bv_;
  // At the begin and at the end
  model::VectorX first_;
  model::VectorX second_;
  model::VectorX gamma_;
};

}  // namespace polhode::integrators
