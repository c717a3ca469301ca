// SPDX-License-Identifier: BSD-3-Clause
// Drift and spread of momenta, and of the energy that a method keeps, over the stored states: for the summary of a run.
#pragma once
#include <array>
#include <span>
#include <string>
#include <vector>

#include "polhode/results/channel.hpp"

namespace polhode::cli {

class InvariantSummary {
 public:
  // Of /invariants in `layout`; those that the method itself keeps take the place of the others.
  explicit InvariantSummary(const results::Layout& layout);
  void add(std::span<const double> row);  // of a state
  // "angular momentum [0, 0, 69.23] N m s at the start, drift [...], spread [...]"; drift: last less first value,
  // spread: largest less smallest.
  std::vector<std::string> lines() const;

 private:
  struct Quantity {
    std::string name;
    std::string units;
    std::size_t offset;
    std::size_t size;
    bool of_steps;  // the first state has none
    std::array<double, 3> first{};
    std::array<double, 3> last{};
    std::array<double, 3> least{};
    std::array<double, 3> most{};
    long count = 0;
  };
  std::vector<Quantity> all_;
  long rows_ = 0;
};

}  // namespace polhode::cli
