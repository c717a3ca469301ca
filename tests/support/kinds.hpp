// SPDX-License-Identifier: BSD-3-Clause
// Tests over every kind of the catalog: parameters, names, and random samples at random states.
#pragma once
#include <gtest/gtest.h>

#include "polhode/model/catalog.hpp"
#include "support/bench.hpp"

namespace polhode::model {
inline void PrintTo(const KindInfo* kind, std::ostream* out) { *out << kind->name; }  // for the names of tests
}  // namespace polhode::model

namespace polhode::support {

class EveryKind : public testing::TestWithParam<const model::KindInfo*> {
 public:
  static constexpr unsigned samples = 8;
  // Angles between the frames of the nodes: none, small, series and closed forms, near half a turn.
  static constexpr double angles[] = {0, 1e-8, 1e-4, 1, 3.140592653589793};

  // Calls claim(bench, q, random) for random samples of the kind at each of the angles.
  template <class Claim>
  void for_samples(const Claim& claim) const {
    for (unsigned seed = 1; seed <= samples; ++seed)
      for (const double angle : angles) {
        std::mt19937 random(seed);
        for (auto& batch : GetParam()->samples(random)) {
          SCOPED_TRACE(testing::Message() << batch->kind() << ", seed " << seed << ", angle " << angle);
          Bench bench(std::move(batch));
          claim(bench, bench.random_state(random, angle), random);
        }
      }
  }
};

// A force on a single node comes from outside: it neither turns with the model nor has a reaction. All others:
inline std::vector<const model::KindInfo*> internal_kinds() {
  std::vector<const model::KindInfo*> kinds;
  for (const model::KindInfo* kind : model::catalog()) {
    std::mt19937 random(1);
    if (kind->family != model::Family::force || kind->samples(random).front()->nodes() > 1) kinds.push_back(kind);
  }
  return kinds;
}

inline std::string name_of_kind(const testing::TestParamInfo<const model::KindInfo*>& info) {
  return std::string(info.param->name);
}

}  // namespace polhode::support

#define POLHODE_FOR_EVERY_KIND(suite)                                                                           \
  INSTANTIATE_TEST_SUITE_P(Catalog, suite, testing::ValuesIn(model::catalog().begin(), model::catalog().end()), \
                           support::name_of_kind)
