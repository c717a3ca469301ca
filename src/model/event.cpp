// SPDX-License-Identifier: BSD-3-Clause
// Where a lock has its equation and its memory.
#include "polhode/model/event.hpp"

#include "polhode/model/batch_base.hpp"

namespace polhode::model {

int Lock::row() const { return batch->first_row() + static_cast<int>(element) * batch->rows(); }

int Lock::history() const { return batch->first_history() + static_cast<int>(element) * batch->history(); }

}  // namespace polhode::model
