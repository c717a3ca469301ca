// SPDX-License-Identifier: BSD-3-Clause
// The version of polhode, as --version prints it and as the results file stores it.
#pragma once
#include <string>

namespace polhode::io {

inline constexpr const char* version = POLHODE_VERSION;  // the build's

std::string hdf5_version();  // of the library in use, "1.10.8"
std::string yaml_version();

}  // namespace polhode::io
