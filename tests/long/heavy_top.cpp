// SPDX-License-Identifier: BSD-3-Clause
// A million steps of both structure-preserving methods.
#include <gtest/gtest.h>

#include "verification/keeps.hpp"

namespace polhode::verification {
namespace {

TEST(LongRuns, HeavyTopKeepsItsStructureForAMillionSteps) { expect_heavy_top_keeps(1000); }

}  // namespace
}  // namespace polhode::verification
