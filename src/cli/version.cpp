// SPDX-License-Identifier: BSD-3-Clause
// polhode --version: what this program was built from.
#include "polhode/io/version.hpp"

#include <CLI/Version.hpp>
#include <Eigen/Core>

#include "command.hpp"

#define POLHODE_TEXT_OF(x) #x
#define POLHODE_TEXT(x) POLHODE_TEXT_OF(x)

namespace polhode::cli {

// Libraries whose headers have no version get theirs from the build.
// For bug reports, and stored with each run.
std::string version_text() {
  std::string text = std::string("polhode ") + io::version + '\n';
  text += "Eigen " POLHODE_TEXT(EIGEN_WORLD_VERSION) "." POLHODE_TEXT(EIGEN_MAJOR_VERSION) "." POLHODE_TEXT(
      EIGEN_MINOR_VERSION);
  text += ", HDF5 " + io::hdf5_version() + ", yaml-cpp " + io::yaml_version();
#ifdef POLHODE_LIBRARY_VERSIONS  // of libraries whose headers do not have theirs: from the build
  text += ", " POLHODE_LIBRARY_VERSIONS;
#endif
  text += ", CLI11 " CLI11_VERSION "\n";
#ifdef __clang__
  text += "Clang " __clang_version__;
#else
  text += "GCC " __VERSION__;
#endif
#ifdef POLHODE_BUILD  // build type and instruction set
  text += ", " POLHODE_BUILD;
#endif
  return text;
}

}  // namespace polhode::cli
