// SPDX-License-Identifier: BSD-3-Clause
// Limits.
#include "elements/signals/limit/limit.hpp"

#include "elements/signals/blocks/limit.hpp"

namespace polhode::elements {
namespace {

constexpr std::array limit_fields{
    signals::input_field,
    model::Field{.name = "min", .type = model::FieldType::number, .unit = "", .doc = "least output; default: none"},
    model::Field{.name = "max", .type = model::FieldType::number, .unit = "", .doc = "largest output; default: none"}};

// Limits that are missing are infinite; without both there would be nothing to do, and a slip is likely.
void build_limit(const model::Entry& entry, model::Builder& builder) {
  const double low = entry.number("min", -signals::no_limit);
  const double high = entry.number("max", signals::no_limit);
  if (!entry.has("min") && !entry.has("max"))
    return builder.problem(entry, "", "limits nothing; give `min`, `max` or both");
  if (low > high) return builder.problem(entry, "max", "is below `min`");
  signals::add_block(entry, builder, std::make_unique<signals::Limit>(low, high), {entry.function("input")});
}

}  // namespace

const model::KindInfo limit_info{
    "limit",     model::Family::signal, "the input, kept between two values", limit_fields, {},
    build_limit, signals::no_samples};

}  // namespace polhode::elements
