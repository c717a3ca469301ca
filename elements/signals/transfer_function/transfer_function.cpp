// SPDX-License-Identifier: BSD-3-Clause
// Transfer functions as state spaces.
#include "elements/signals/transfer_function/transfer_function.hpp"

#include <algorithm>

#include "elements/signals/blocks/linear.hpp"

namespace polhode::elements {
namespace {

constexpr std::array transfer_fields{signals::input_field,
                                     model::Field{.name = "numerator",
                                                  .type = model::FieldType::numbers,
                                                  .unit = "",
                                                  .doc = "coefficients of the numerator in s, highest power first",
                                                  .required = true},
                                     model::Field{.name = "denominator",
                                                  .type = model::FieldType::numbers,
                                                  .unit = "",
                                                  .doc = "coefficients of the denominator in s, highest power first",
                                                  .required = true}};

// Controllable canonical form: z_1' = z_2, ..., z_n' = u - a_0 z_1 - ... - a_(n-1) z_n, all zero at the start.
void build_transfer(const model::Entry& entry, model::Builder& builder) {
  using signals::MatrixX;
  using signals::VectorX;
  const VectorX& a = entry.vector("denominator");
  const VectorX& given = entry.vector("numerator");
  // Zeros in front of it are powers that it has not
  const auto first = std::find_if(given.begin(), given.end(), [](double c) { return c != 0; });
  if (first == given.end()) return builder.problem(entry, "numerator", "is zero, and so is the output");
  const VectorX b = given.tail(given.end() - first);
  if (a.size() == 0 || a[0] == 0)
    return builder.problem(entry, "denominator",
                           "begins with zero; its first coefficient is that of the highest power");
  if (b.size() > a.size())
    return builder.problem(entry, "numerator",
                           "is of a higher power than the denominator: its output would follow from derivatives of "
                           "its input; measure a rate, or put a filter into the denominator");
  const Eigen::Index n = a.size() - 1;
  VectorX full = VectorX::Zero(n + 1);
  full.tail(b.size()) = b / a[0];
  const VectorX monic = a / a[0];
  signals::StateSpace s{MatrixX::Zero(n, n), MatrixX::Zero(n, 1), MatrixX::Zero(1, n), MatrixX::Constant(1, 1, full[0]),
                        VectorX::Zero(n)};
  for (Eigen::Index i = 0; i < n; ++i) {
    if (i + 1 < n) s.A(i, i + 1) = 1;
    s.A(n - 1, i) = -monic[n - i];
    s.C(0, i) = full[n - i] - monic[n - i] * full[0];
  }
  if (n > 0) s.B(n - 1, 0) = 1;
  signals::add_linear(entry, builder, std::move(s), {entry.function("input")});
}

}  // namespace

const model::KindInfo transfer_function_info{
    "transfer_function", model::Family::signal, "a fraction of polynomials in s", transfer_fields, {},
    build_transfer,      signals::no_samples};

}  // namespace polhode::elements
