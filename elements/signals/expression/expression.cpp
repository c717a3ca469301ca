// SPDX-License-Identifier: BSD-3-Clause
// Its value is its input.
#include "elements/signals/expression/expression.hpp"

#include "elements/signals/blocks/limit.hpp"

namespace polhode::elements {
namespace {

constexpr std::array value_fields{model::Field{.name = "value",
                                               .type = model::FieldType::function,
                                               .unit = "",
                                               .doc = "an expression of time, parameters and signals",
                                               .required = true,
                                               .signals = true}};
// The block passes its input on: evaluation and derivatives are those of inputs, as every block has them.
void build_expression(const model::Entry& entry, model::Builder& builder) {
  signals::add_block(entry, builder, std::make_unique<signals::Limit>(-signals::no_limit, signals::no_limit),
                     {entry.function("value")});
}

}  // namespace

const model::KindInfo expression_info{
    "expression",     model::Family::signal, "an expression of time, parameters and other signals", value_fields, {},
    build_expression, signals::no_samples};

}  // namespace polhode::elements
