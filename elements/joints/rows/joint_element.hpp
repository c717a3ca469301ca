// SPDX-License-Identifier: BSD-3-Clause
// Where a joint's element has its multipliers and what it remembers in a state.
#pragma once
#include "polhode/model/batch_base.hpp"
#include "polhode/model/signal.hpp"

namespace polhode::elements {

// The number of its first constraint equation.
inline int first_row_of(const model::Sensor::Element& element) {
  return element.batch->first_row() + static_cast<int>(element.number) * element.batch->rows();
}

// The number k of those that it remembers; 0 of an element that remembers none.
inline double remembered(const model::State& q, const model::Sensor::Element& element, int k) {
  const int size = element.batch->history();
  return size == 0 ? 0 : q.history[element.batch->first_history() + static_cast<int>(element.number) * size + k];
}

}  // namespace polhode::elements
