// SPDX-License-Identifier: BSD-3-Clause
// The director beam as a kind of the contract, one for each number of nodes.
#pragma once
#include <memory>
#include <random>

#include "elements/beams/director/director.hpp"
#include "polhode/model/builder.hpp"

namespace polhode::elements::director {

// Adds an element between as many nodes as `at` has.
void add_element(model::Builder& builder, const model::Entry& entry, std::span<const int> at, Element element);
// A batch of one random element of each order (KindInfo::samples).
void add_samples_to(std::vector<std::unique_ptr<model::BatchBase>>& samples, std::mt19937& random);

}  // namespace polhode::elements::director
