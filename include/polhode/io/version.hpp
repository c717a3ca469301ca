// SPDX-License-Identifier: BSD-3-Clause
// The version of polhode, as --version prints it and as the results file stores it.
#pragma once
#include <string>

namespace polhode::io {

inline constexpr const char* version = POLHODE_VERSION;  // the build's

// Of the library in use: "1.10.8", and what is lost where polhode's own file driver is not made for this version.
std::string hdf5_version();
std::string yaml_version();

}  // namespace polhode::io
