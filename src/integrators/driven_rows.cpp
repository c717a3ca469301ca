// SPDX-License-Identifier: BSD-3-Clause
// Rows with a rate of their own.
#include "polhode/integrators/driven_rows.hpp"

#include <algorithm>
#include <utility>

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
  const auto rows = static_cast<std::size_t>(system.rows());
  rows_.reserve(rows);
  is_driven_.assign(rows, 0);
  Bv_ = phi_t_ = model::VectorX::Zero(system.rows());
}

const std::vector<int>& DrivenRows::find(const model::State& begin, const model::State& end) {
  if (!may_drive_) return rows_;
  if (rows_.empty()) take_up(begin);
  take_up(end);
  return rows_;
}

void DrivenRows::take_up(const model::State& q) {
  system_.set_velocity_rates(q, Bv_, phi_t_);
  for (int row = 0; row < system_.rows(); ++row) {
    char& is_driven = is_driven_[static_cast<std::size_t>(row)];
    if (is_driven || phi_t_[row] == 0) continue;
    is_driven = 1;
    rows_.push_back(row);
  }
}

void DrivenRows::set_rows(std::vector<int> rows) {
  std::fill(is_driven_.begin(), is_driven_.end(), 0);
  for (const int row : rows) is_driven_[static_cast<std::size_t>(row)] = 1;
  rows_ = std::move(rows);
}

}  // namespace polhode::integrators
