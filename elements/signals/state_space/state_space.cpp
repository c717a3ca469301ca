// SPDX-License-Identifier: BSD-3-Clause
// State spaces, continuous or sampled.
#include "elements/signals/state_space/state_space.hpp"

#include "elements/signals/blocks/linear.hpp"

namespace polhode::elements {
namespace {

constexpr model::Field matrix_field(std::string_view name, std::string_view doc, bool required) {
  return {.name = name, .type = model::FieldType::rows, .unit = "", .doc = doc, .required = required};
}
constexpr std::array state_fields{
    model::Field{.name = "inputs",
                 .type = model::FieldType::functions,
                 .unit = "",
                 .doc = "the list u: signals, or expressions of time, parameters and signals",
                 .required = true,
                 .signals = true},
    matrix_field("A", "matrix of z' = A z + B u, row by row; with `period`: of the next x = A x + B u", true),
    matrix_field("B", "one row a state, one column an input", true),
    matrix_field("C", "matrix of y = C z + D u, one row an output", true),
    matrix_field("D", "one row an output, one column an input; default: zero", false),
    model::Field{
        .name = "initial", .type = model::FieldType::numbers, .unit = "", .doc = "states at the start; default: zero"},
    model::Field{.name = "period",
                 .type = model::FieldType::number,
                 .unit = "s",
                 .doc = "of sampling, from t = 0 on; default: continuous",
                 .min = 0,
                 .min_exclusive = true}};

std::string size_text(const math::MatrixX& m) { return std::to_string(m.rows()) + " x " + std::to_string(m.cols()); }

// Sizes are checked against A and the number of inputs; all that do not fit are reported, each with what it needs.
void build_state_space(const model::Entry& entry, model::Builder& builder) {
  const auto inputs = entry.functions("inputs");
  const auto count = static_cast<Eigen::Index>(inputs.size());
  signals::StateSpace s{entry.matrix("A"), entry.matrix("B"), entry.matrix("C"), {}, {}};
  s.D = entry.has("D") ? entry.matrix("D") : math::MatrixX::Zero(s.C.rows(), count);
  s.start = entry.has("initial") ? entry.vector("initial") : math::VectorX::Zero(s.A.rows());
  const auto check = [&](std::string_view key, const math::MatrixX& m, Eigen::Index rows, Eigen::Index columns) {
    if (m.rows() == rows && m.cols() == columns) return true;
    builder.problem(entry, key,
                    "is " + size_text(m) + ", needs " + std::to_string(rows) + " x " + std::to_string(columns));
    return false;
  };
  const Eigen::Index n = s.A.rows();
  bool sound = check("A", s.A, n, n);
  sound = check("B", s.B, n, count) && sound;
  sound = check("C", s.C, s.C.rows(), n) && sound;
  sound = check("D", s.D, s.C.rows(), count) && sound;
  sound = check("initial", s.start, n, 1) && sound;
  if (sound) signals::add_linear(entry, builder, std::move(s), {inputs.begin(), inputs.end()});
}

}  // namespace

const model::KindInfo state_space_info{"state_space",
                                       model::Family::signal,
                                       "linear equations of several states, continuous or sampled",
                                       state_fields,
                                       {},
                                       build_state_space,
                                       signals::no_samples};

}  // namespace polhode::elements
