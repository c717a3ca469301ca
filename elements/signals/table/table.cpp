// SPDX-License-Identifier: BSD-3-Clause
// The tables of functions of time, over a signal.
#include "elements/signals/table/table.hpp"

#include <string>

#include "elements/signals/blocks/fields.hpp"
#include "polhode/model/function.hpp"
#include "polhode/model/text.hpp"

namespace polhode::elements {
namespace {

// Beyond its ends the curve keeps their values, with the derivative zero.
class Curve final : public model::SignalBlock {
 public:
  explicit Curve(model::Table table) : SignalBlock({.inputs = 1}), table_(std::move(table)) {}
  void evaluate(double, std::span<const double> u, std::span<const double>, std::span<const double>,
                Values& values) const override {
    const model::Jet y = table_(u[0]);
    values.y[0] = y.value;
    values.y_by_u(0, 0) = y.first;
  }

 private:
  model::Table table_;
};

constexpr std::string_view interpolations[] = {"linear", "cubic"};
constexpr model::Field numbers_field(std::string_view name, std::string_view doc) {
  return {.name = name, .type = model::FieldType::numbers, .unit = "", .doc = doc, .required = true};
}
constexpr std::array fields{signals::input_field, numbers_field("x", "values of the input, ascending"),
                            numbers_field("y", "the output at each of them; beyond, that of the end"),
                            model::Field{.name = "interpolation",
                                         .type = model::FieldType::choice,
                                         .unit = "",
                                         .doc = "straight lines, or a natural cubic spline",
                                         .default_text = "linear",
                                         .choices = interpolations}};

// What the reader does not check: numbers of both lists, and their order.
void build_table(const model::Entry& entry, model::Builder& builder) {
  const math::VectorX x = entry.vector("x");
  const math::VectorX y = entry.vector("y");
  if (x.size() != y.size())
    return builder.problem(entry, "y",
                           "has " + std::to_string(y.size()) + " numbers, x has " + std::to_string(x.size()));
  if (x.size() < 2) return builder.problem(entry, "x", "needs two numbers or more");
  for (Eigen::Index i = 1; i < x.size(); ++i)
    if (!(x[i] > x[i - 1]))
      return builder.problem(entry, "x",
                             "has to ascend: " + model::number_text(x[i]) + " follows " + model::number_text(x[i - 1]));
  const bool cubic = entry.has("interpolation") && entry.text("interpolation") == "cubic";
  signals::add_block(
      entry, builder,
      std::make_unique<Curve>(model::Table({x.begin(), x.end()}, {y.begin(), y.end()},
                                           cubic ? model::Interpolation::cubic : model::Interpolation::linear)),
      {entry.function("input")});
}

}  // namespace

const model::KindInfo table_info{
    "table",     model::Family::signal, "a curve through points, over the input", fields, {},
    build_table, signals::no_samples};

}  // namespace polhode::elements
