// SPDX-License-Identifier: BSD-3-Clause
// What structure-preserving methods keep of the heavy top.
#pragma once
#include <string>

namespace polhode::verification {

std::string set_integrator(const std::string& integrator);  // in braces
std::string at_step(const std::string& what, double h);     // "h = ...: what"
void expect_heavy_top_keeps(double thousands_of_steps);

}  // namespace polhode::verification
