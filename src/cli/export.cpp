// SPDX-License-Identifier: BSD-3-Clause
// polhode export: histories and modes as CSV, matrices of linear models; prints the names of the files written.
#include <filesystem>
#include <stdexcept>

#include "command.hpp"
#include "polhode/io/hdf5/results_reader.hpp"
#include "polhode/io/read_apart.hpp"

namespace polhode::cli {
namespace {

std::string lines_of(const std::vector<std::string>& files) {
  std::string lines;
  for (const std::string& file : files) lines += file + '\n';
  return lines;
}

// Tables are written unless only matrices are asked for.
class ExportCommand final : public Command {
 public:
  void declare(Options& options) override {
    options.required({"file", "results (HDF5)", "FILE"}, file_);
    options.text({"--csv", "folder for the tables; default: the file's name without ending, here", "DIR"}, folder_);
    options.list({"--paths", "histories or groups, as /nodes/position,joints/motor,modal; default: all groups", "A,B"},
                 paths_);
    options.text(
        {"--matrix-market",
         "folder for the matrices of linear models (analysis: linearize); then no tables unless asked for", "DIR"},
        matrices_);
    options.flag({"--force", "replace files of the same names that polhode did not write"}, force_);
  }

  // Wrong paths are wrong usage, files that cannot be written an error of files. The work is done by a process of its
  // own: what ends it must not end this program.
  int run(run::Messages& messages) override {
    const bool wants_tables = matrices_.empty() || !folder_.empty() || !paths_.empty();
    const std::string folder = folder_.empty() ? std::filesystem::path(file_).stem().string() : folder_;
    try {
      if (!matrices_.empty())
        print(io::read_apart(
            file_, [&] { return lines_of(io::write_matrix_market(io::ResultsReader(file_), matrices_, force_)); }));
      if (wants_tables)
        print(io::read_apart(
            file_, [&] { return lines_of(io::write_csv(io::ResultsReader(file_), folder, paths_, force_)); }));
    } catch (const std::invalid_argument& error) {
      messages.error(error.what());
      return wrong_usage;
    }
    return done;
  }

 private:
  std::string file_;
  // "" = the file's name without ending, in the current folder
  std::string folder_;
  // Empty = all groups of histories, and modes
  std::vector<std::string> paths_;
  // Folder for the matrices of linear models; "" = none are written
  std::string matrices_;
  bool force_ = false;
};

}  // namespace

extern const CommandType export_command{"export", "histories and modes as CSV, with units in the heads",
                                        make_command<ExportCommand>};

}  // namespace polhode::cli
