// SPDX-License-Identifier: BSD-3-Clause
// The loops over elements of one order; included where an order is compiled.
// The batch of an order is a large template: each order is a translation unit, so that they compile side by side.
#pragma once
#include "elements/beams/spectral/kind.hpp"
#include "polhode/model/batch.hpp"

namespace polhode::elements::spectral {

// The declarations are in kind.hpp. `at` has N indices.
template <int N>
void add_element_of(model::Builder& builder, const model::Entry& entry, std::span<const int> at, Element element) {
  std::array<int, N> nodes;
  std::copy_n(at.begin(), N, nodes.begin());
  builder.add<Beam<N>>(entry, nodes, std::move(element));
}

template <int N>
std::unique_ptr<model::BatchBase> sample_of(std::mt19937& random) {
  return std::move(model::samples<Beam<N>>(random).front());
}

}  // namespace polhode::elements::spectral
