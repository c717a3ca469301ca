// SPDX-License-Identifier: BSD-3-Clause
// Where a joint's element has its multipliers and what it remembers in a state.
#pragma once
#include "polhode/model/batch_base.hpp"
#include "polhode/model/signal.hpp"

namespace polhode::elements {

// Where the number k of those stands that it remembers, in the history of a state; -1 of an element that remembers none.
inline int place_remembered(const model::Sensor::Element& element, int k) {
  const int size = element.batch->history();
  return size == 0 ? -1 : element.batch->first_history() + static_cast<int>(element.number) * size + k;
}
// The number itself; 0: there is none.
inline double remembered(const model::State& q, const model::Sensor::Element& element, int k) {
  const int place = place_remembered(element, k);
  return place < 0 ? 0 : q.history[place];
}

}  // namespace polhode::elements
