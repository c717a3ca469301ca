// SPDX-License-Identifier: BSD-3-Clause
// First, last and extreme values of momenta, and of the energy that a method keeps, over the stored states.
#pragma once
#include <span>
#include <vector>

#include "polhode/math/archive.hpp"
#include "polhode/results/channel.hpp"
#include "polhode/run/result.hpp"

namespace polhode::run {

class InvariantSummary {
 public:
  // Of /invariants in `layout`; those that the method itself keeps take the place of the others.
  explicit InvariantSummary(const results::Layout& layout);
  // Of a state
  void add(std::span<const double> row);
  // Those with two values at least.
  std::vector<Invariant> invariants() const;
  void archive(math::Archive& a);

 private:
  struct Gathered {
    Invariant invariant;
    // In a row
    std::size_t offset = 0;
    // Of values so far
    long count = 0;
  };
  std::vector<Gathered> all_;
  long rows_ = 0;
};

}  // namespace polhode::run
