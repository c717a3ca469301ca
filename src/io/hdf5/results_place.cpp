// SPDX-License-Identifier: BSD-3-Clause
// Whether results and their picture can be made, known before anything is.
#include <fmt/format.h>

#include <cerrno>
#include <cstring>

#include "io/export/xdmf.hpp"
#include "io/files/part_file.hpp"
#include "polhode/io/hdf5/results.hpp"

namespace polhode::io {

// The picture stands in the same folder, unless one of the two is a link.
void check_results_place(const std::string& file) {
  const std::string picture = picture_of(file);
  if (picture == file) throw ResultsError(file + ": results need another ending than .xdmf, the picture's");
  const auto refuse = [](const std::string& name, const char* reason) {
    throw ResultsError(fmt::format("{}: cannot be written: {}", name, reason));
  };
  for (const std::string& name : {file, picture}) {
    const PartFile part(name);
    if (const int number = part.problem()) refuse(name, std::strerror(number));
    if (const int number = part.folder_problem()) refuse(name, std::strerror(number));
    if (name == file && is_in_use(part.target())) refuse(name, "another program is writing or reading it");
  }
}

}  // namespace polhode::io
