// SPDX-License-Identifier: BSD-3-Clause
// What is true of this kind alone; the laws that hold for every kind are in tests/conformance/.
#include "elements/forces/rotor/rotor.hpp"

#include <gtest/gtest.h>

namespace polhode::elements {
namespace {

TEST(Rotor, IsInTheCatalog) { EXPECT_EQ(model::find_kind(model::Family::force, "rotor"), &rotor_info); }

}  // namespace
}  // namespace polhode::elements
