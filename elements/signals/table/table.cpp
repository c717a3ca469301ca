// SPDX-License-Identifier: BSD-3-Clause
// The tables of functions of time, over a signal.
#include "elements/signals/table/table.hpp"

#include <string>

#include "elements/signals/blocks/fields.hpp"
#include "elements/signals/table/surface.hpp"
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
constexpr std::array fields{model::Field{.name = "input",
                                         .type = model::FieldType::function,
                                         .unit = "",
                                         .doc = "a signal, or an expression of time, parameters and signals",
                                         .signals = true},
                            model::Field{.name = "inputs",
                                         .type = model::FieldType::functions,
                                         .unit = "",
                                         .doc = "instead of `input`: two of them, for a surface over x and y",
                                         .signals = true},
                            numbers_field("x", "values of the input, or of the first one, ascending"),
                            numbers_field("y", "the output at each of them; with `inputs`, values of the second one"),
                            model::Field{.name = "z",
                                         .type = model::FieldType::rows,
                                         .unit = "",
                                         .doc = "with `inputs`: the output, one row an x, one column a y"},
                            model::Field{.name = "interpolation",
                                         .type = model::FieldType::choice,
                                         .unit = "",
                                         .doc = "straight lines, or natural cubic splines; in both directions",
                                         .default_text = "linear",
                                         .choices = interpolations}};

std::string count_text(Eigen::Index count) { return std::to_string(count) + " numbers"; }

// The first place where it fails is named.
bool check_ascent(const model::Entry& entry, std::string_view key, const math::VectorX& x, model::Builder& builder) {
  std::string problem = x.size() < 2 ? "needs two numbers or more" : "";
  for (Eigen::Index i = x.size() - 1; i > 0; --i)
    if (!(x[i] > x[i - 1]))
      problem = "has to ascend: " + model::number_text(x[i]) + " follows " + model::number_text(x[i - 1]);
  if (!problem.empty()) builder.problem(entry, key, problem);
  return problem.empty();
}

// What the reader does not check: sizes of lists, and their order.
void build_curve(const model::Entry& entry, bool cubic, model::Builder& builder) {
  const math::VectorX x = entry.vector("x");
  const math::VectorX y = entry.vector("y");
  if (entry.has("z")) return builder.problem(entry, "z", "belongs to `inputs`, two signals; remove it, or give these");
  if (x.size() != y.size())
    return builder.problem(entry, "y", "has " + count_text(y.size()) + ", x has " + std::to_string(x.size()));
  if (!check_ascent(entry, "x", x, builder)) return;
  model::Table table({x.begin(), x.end()}, {y.begin(), y.end()},
                     cubic ? model::Interpolation::cubic : model::Interpolation::linear);
  signals::add_block(entry, builder, std::make_unique<Curve>(std::move(table)), {entry.function("input")});
}

// As many rows as x, and as many columns as y: what is turned about is likely, and named so.
void build_surface(const model::Entry& entry, bool cubic, model::Builder& builder) {
  const auto inputs = entry.functions("inputs");
  const math::VectorX x = entry.vector("x");
  const math::VectorX y = entry.vector("y");
  if (inputs.size() != 2) return builder.problem(entry, "inputs", "needs two signals; a table over one has `input`");
  if (!entry.has("z"))
    return builder.problem(entry, "z", "is needed with `inputs`: the output, one row an x, one column a y");
  const math::MatrixX z = entry.matrix("z");
  if (z.rows() != x.size() || z.cols() != y.size())
    return builder.problem(entry, "z",
                           "is " + std::to_string(z.rows()) + " x " + std::to_string(z.cols()) + ", needs " +
                               std::to_string(x.size()) + " x " + std::to_string(y.size()) +
                               ": one row an x, one column a y");
  const bool ascends = check_ascent(entry, "x", x, builder);
  if (!check_ascent(entry, "y", y, builder) || !ascends) return;
  signals::add_block(entry, builder,
                     std::make_unique<Surface>(std::vector<double>{x.begin(), x.end()},
                                               std::vector<double>{y.begin(), y.end()}, z, cubic),
                     {inputs.begin(), inputs.end()});
}

void build_table(const model::Entry& entry, model::Builder& builder) {
  if (entry.has("input") == entry.has("inputs"))
    return builder.problem(entry, "", "give `input`, or `inputs` with two signals: one of both");
  const bool cubic = entry.has("interpolation") && entry.text("interpolation") == "cubic";
  return entry.has("inputs") ? build_surface(entry, cubic, builder) : build_curve(entry, cubic, builder);
}

}  // namespace

const model::KindInfo table_info{
    "table",     model::Family::signal, "a curve through points, or a surface over two inputs", fields, {},
    build_table, signals::no_samples};

}  // namespace polhode::elements
