// SPDX-License-Identifier: BSD-3-Clause
// Inputs that kinds of signals share.
#pragma once
#include "polhode/model/builder.hpp"
#include "polhode/model/catalog.hpp"
#include "polhode/model/signal.hpp"

namespace polhode::elements::signals {

inline constexpr model::Field input_field{.name = "input",
                                          .type = model::FieldType::function,
                                          .unit = "",
                                          .doc = "a signal, or an expression of time, parameters and signals",
                                          .required = true,
                                          .signals = true};
inline constexpr model::Field initial_field{
    .name = "initial", .type = model::FieldType::number, .unit = "", .doc = "output at the start", .default_text = "0"};

// A number above zero.
inline constexpr model::Field positive_field(std::string_view name, std::string_view unit, std::string_view doc) {
  return {.name = name,
          .type = model::FieldType::number,
          .unit = unit,
          .doc = doc,
          .required = true,
          .min = 0,
          .min_exclusive = true};
}

// Signals are no elements: none is in a batch.
inline std::vector<std::unique_ptr<model::BatchBase>> no_samples(std::mt19937&) { return {}; }

// A block with the inputs of an entry, in this order.
inline void add_block(const model::Entry& entry, model::Builder& builder, std::unique_ptr<model::SignalBlock> block,
                      std::vector<model::TimeFunction> inputs) {
  builder.add_signal({builder.index_of(entry), nullptr, std::move(block), std::move(inputs)});
}

}  // namespace polhode::elements::signals
