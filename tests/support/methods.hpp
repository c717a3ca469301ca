// SPDX-License-Identifier: BSD-3-Clause
// The methods that the program was built with.
#pragma once
#include <string>
#include <vector>

#include "polhode/integrators/catalog.hpp"
#include "polhode/integrators/sundials/sundials.hpp"

namespace polhode::support {

inline std::vector<std::string> built_methods() {
  std::vector<std::string> names;
  for (const integrators::Method* method : integrators::methods())
    if (integrators::has_sundials() || method->family->name != "SUNDIALS") names.emplace_back(method->name);
  return names;
}

// These and those of SUNDIALS, where the program has them.
inline std::vector<std::string> and_of_sundials(std::vector<std::string> names) {
  if (integrators::has_sundials()) names.insert(names.end(), {"adams", "bdf", "explicit_rk"});
  return names;
}

// Those of SUNDIALS choose their own steps.
inline bool has_own_steps(const std::string& method) {
  return integrators::find_method(method)->family->name == "SUNDIALS";
}

}  // namespace polhode::support
