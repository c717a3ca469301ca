// SPDX-License-Identifier: BSD-3-Clause
// Sets of numbers that are joined pair by pair.
#pragma once
#include <cstddef>
#include <numeric>
#include <vector>

namespace polhode::assembly {

class JoinedSets {
 public:
  explicit JoinedSets(std::size_t size) : parent_(size) { std::iota(parent_.begin(), parent_.end(), 0); }
  // The same for all members of a set. Halves the path that it goes.
  int set_of(int i) {
    while (parent_[i] != i) {
      parent_[i] = parent_[parent_[i]];
      i = parent_[i];
    }
    return i;
  }
  void join(int a, int b) { parent_[set_of(a)] = set_of(b); }

 private:
  std::vector<int> parent_;
};

}  // namespace polhode::assembly
