// SPDX-License-Identifier: BSD-3-Clause
// Models whose nodes are all at one place.
#include "model_size.hpp"

namespace polhode::run {

std::string warning_of_unknown_size(const assembly::System& system) {
  if (system.length_is_known()) return "";
  return "all nodes are at one place, and neither bodies, springs nor velocities show how large the model is: "
         "tolerances of lengths are relative to 1 m; give its `size`";
}

}  // namespace polhode::run
