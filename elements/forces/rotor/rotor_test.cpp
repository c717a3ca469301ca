// SPDX-License-Identifier: BSD-3-Clause
// What is true of this kind alone; the laws that hold for every kind are in tests/conformance/.
#include "elements/forces/rotor/rotor.hpp"

#include <gtest/gtest.h>

#include "tests/support/bench.hpp"

namespace polhode::elements {
namespace {

using math::Vec3;

// A wheel of h about z: the body turning about x is turned about -y, and what turns is h in the frame of the body.
TEST(Rotor, TurnsAsAGyroscope) {
  const auto bench = support::Bench::of<Rotor>({Vec3(0, 0, 3)});
  std::mt19937 random(1);
  model::State q = bench.random_state(random, 1);
  support::set_velocities(q, (math::VectorX(6) << 7, 8, 9, 2, 0, 0).finished());
  const math::VectorX r = bench.residual(q);
  EXPECT_LE((r - (math::VectorX(6) << 0, 0, 0, 0, -6, 0).finished()).norm(), 1e-14);
  const model::Totals totals = bench.batch().observe(0, 1, q, bench.context(q), nullptr, 0);
  EXPECT_LE((totals.angular - q.R[1] * Vec3(0, 0, 3)).norm(), 1e-14);
}

// In statics momentum grows as speeds do, by the root of the load factor.
TEST(Rotor, GrowsWithTheRootOfTheLoads) { EXPECT_EQ(Rotor::momentum({Vec3(0, 0, 3)}, {.load_factor = 0.25})[2], 1.5); }

}  // namespace
}  // namespace polhode::elements
