// SPDX-License-Identifier: BSD-3-Clause
// polhode export: histories as CSV, matrices of linear models; the names of the files written go to standard output.
#include <cstdio>
#include <filesystem>
#include <stdexcept>

#include "commands.hpp"
#include "polhode/io/hdf5/results_reader.hpp"

namespace polhode::cli {

int export_tables(const ExportOptions& options) {
  const io::ResultsReader results(options.file);
  const std::string folder =
      options.folder.empty() ? std::filesystem::path(options.file).stem().string() : options.folder;
  try {
    if (!options.matrices.empty()) {
      for (const std::string& file : io::write_matrix_market(results, options.matrices))
        std::printf("%s\n", file.c_str());
      if (options.folder.empty() && options.paths.empty()) return done;
    }
    for (const std::string& file : io::write_csv(results, folder, options.paths)) std::printf("%s\n", file.c_str());
  } catch (const std::invalid_argument& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return wrong_usage;
  }
  return done;
}

}  // namespace polhode::cli
