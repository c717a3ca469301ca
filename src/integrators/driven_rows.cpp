// SPDX-License-Identifier: BSD-3-Clause
// Rows with a rate of their own.
#include "polhode/integrators/driven_rows.hpp"

#include <algorithm>

namespace polhode::integrators {
namespace {

bool is_function_of_something(const std::pair<std::string, model::Value>& value) {
  const auto* const function = std::get_if<model::TimeFunction>(&value.second);
  return function && !function->is_constant();
}

}  // namespace

bool may_drive(const assembly::System& system) {
  const auto& entries = system.model().entries;
  return system.rows() > 0 && std::any_of(entries.begin(), entries.end(), [](const model::Entry& entry) {
           return entry.family == model::Family::joint &&
                  std::any_of(entry.values.begin(), entry.values.end(), is_function_of_something);
         });
}

DrivenRows::DrivenRows(const assembly::System& system) : system_(system), may_drive_(may_drive(system)) {
  if (!may_drive_) return;
  rows_.reserve(static_cast<std::size_t>(system.rows()));
  Bv_ = first_ = second_ = gamma_ = model::VectorX::Zero(system.rows());
}

const std::vector<int>& DrivenRows::find(const model::State& begin, const model::State& end) {
  rows_.clear();
  if (!may_drive_) return rows_;
  system_.set_rates(begin, Bv_, first_, gamma_);
  system_.set_rates(end, Bv_, second_, gamma_);
  for (int row = 0; row < system_.rows(); ++row)
    if (first_[row] != 0 || second_[row] != 0) rows_.push_back(row);
  return rows_;
}

}  // namespace polhode::integrators
