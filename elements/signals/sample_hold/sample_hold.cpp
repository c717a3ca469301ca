// SPDX-License-Identifier: BSD-3-Clause
// A state space without states that is sampled.
#include "elements/signals/sample_hold/sample_hold.hpp"

#include "elements/signals/blocks/linear.hpp"

namespace polhode::elements {
namespace {

constexpr std::array hold_fields{signals::input_field,
                                 signals::positive_field("period", "s", "from one sample to the next, from t = 0 on")};
// Without states: y = u at moments of sampling.
void build_hold(const model::Entry& entry, model::Builder& builder) {
  using signals::MatrixX;
  signals::add_linear(entry, builder,
                      {MatrixX(0, 0), MatrixX(0, 1), MatrixX(1, 0), MatrixX::Identity(1, 1), signals::VectorX(0)},
                      {entry.function("input")});
}

}  // namespace

const model::KindInfo sample_hold_info{"sample_hold",
                                       model::Family::signal,
                                       "the input at moments of sampling, held from each to the next",
                                       hold_fields,
                                       {},
                                       build_hold,
                                       signals::no_samples};

}  // namespace polhode::elements
