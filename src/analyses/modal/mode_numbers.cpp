// SPDX-License-Identifier: BSD-3-Clause
// Numbers of modes that stay with their shapes, by the modal assurance criterion.
#include <algorithm>
#include <tuple>

#include "polhode/analyses/modal/modal.hpp"

namespace polhode::analyses {

using Eigen::VectorXcd;

namespace {

constexpr double least_agreement = 0.3;

// Rotations by the length of the model, so that shapes compare by displacements.
VectorXcd weighted(const assembly::System& system, const VectorXcd& shape) {
  VectorXcd result = shape;
  for (const model::NodeUnknowns& at : system.unknowns())
    for (std::size_t j = 3; j < 6; ++j)
      if (at.local[j] >= 0) result[at.first + at.local[j]] *= system.length();
  const double size = result.norm();
  if (size > 0) result /= size;
  return result;
}

}  // namespace

// The modal assurance criterion |a . b|^2 of shapes of length 1, between those seen last and the present
// ones; pairs are formed greedily from the best down. What agrees with none gets a new number.
void ModeNumbers::give(const assembly::System& system, std::vector<Mode>& modes) {
  std::vector<VectorXcd> now;
  for (const Mode& mode : modes) now.push_back(weighted(system, mode.shape));
  std::vector<std::tuple<double, std::size_t, std::size_t>> pairs;  // agreement, number - 1, mode
  for (std::size_t i = 0; i < last_.size(); ++i)
    for (std::size_t j = 0; j < now.size(); ++j)
      if (const double mac = std::norm(last_[i].dot(now[j])); mac > least_agreement) pairs.emplace_back(mac, i, j);
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const auto& a, const auto& b) { return std::get<0>(a) > std::get<0>(b); });
  std::vector<char> taken(last_.size(), 0);
  for (Mode& mode : modes) mode.number = 0;
  for (const auto& [mac, i, j] : pairs) {
    if (taken[i] || modes[j].number > 0) continue;
    taken[i] = 1;
    modes[j].number = static_cast<int>(i) + 1;
    modes[j].agreement = mac;
    last_[i] = now[j];
  }
  for (std::size_t j = 0; j < modes.size(); ++j) {
    if (modes[j].number > 0) continue;
    last_.push_back(now[j]);
    modes[j].number = static_cast<int>(last_.size());
  }
}

}  // namespace polhode::analyses
