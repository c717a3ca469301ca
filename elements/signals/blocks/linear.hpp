// SPDX-License-Identifier: BSD-3-Clause
// Linear blocks, continuous or sampled:
//   z' = A z + B u,  y = C z + D u;    every `period`: y = C x + D u, then x <- A x + B u, and y is held until the next.
#pragma once
#include "elements/signals/blocks/fields.hpp"

namespace polhode::elements::signals {

using math::MatrixX;
using math::VectorX;

struct StateSpace {
  MatrixX A;
  MatrixX B;
  MatrixX C;
  MatrixX D;
  VectorX start;
  int states() const { return static_cast<int>(A.rows()); }
  int inputs() const { return static_cast<int>(B.cols()); }
  int outputs() const { return static_cast<int>(C.rows()); }
};
// Of one state, one input and one output.
StateSpace first_order(double A, double B, double C, double D, double start);

std::unique_ptr<model::SignalBlock> continuous(StateSpace s);
// The block of an entry with these inputs: sampled where the entry has a `period`.
void add_linear(const model::Entry& entry, model::Builder& builder, StateSpace s,
                std::vector<model::TimeFunction> inputs);

}  // namespace polhode::elements::signals
