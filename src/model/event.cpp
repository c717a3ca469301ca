// SPDX-License-Identifier: BSD-3-Clause
// Where a lock has its equation and its memory.
#include "polhode/model/event.hpp"

#include "polhode/model/batch_base.hpp"

namespace polhode::model {

int Lock::row() const { return batch->first_row_of(element); }

int Lock::rows() const { return batch->rows(); }

void Lock::hold_value(math::VectorX& history) const {
  const int numbers = batch->history() / 2;
  const int first = batch->first_history() + static_cast<int>(element) * batch->history();
  history.segment(first + numbers, numbers) = history.segment(first, numbers);
}

}  // namespace polhode::model
