// SPDX-License-Identifier: BSD-3-Clause
// The options by which a user chooses messages.
#include "message_options.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <stdexcept>

#include "polhode/io/deck/deck.hpp"
#include "polhode/io/hdf5/results.hpp"
#include "polhode/io/own_files.hpp"

namespace polhode::cli {

void MessageOptions::declare(Options& options) {
  const auto less = options.flag({"--quiet", "print errors and warnings only"}, quiet);
  const auto more = options.flag({"--verbose", "print each step and its iterations, too"}, verbose);
  options.exclude(less, more);
  options.text({"--log", "append all messages, those of --verbose included, to a file, with date and time", "FILE"},
               file);
}

// What is written last would take the place of the other; and a log under the temporary name of an output is written
// over while both go on.
void MessageOptions::check_outputs(const std::vector<Output>& outputs) const {
  std::error_code none;
  // Devices and pipes keep nothing.
  if (std::filesystem::exists(file, none) && !std::filesystem::is_regular_file(file, none)) return;
  for (const auto& [what, output] : outputs) {
    if (output.empty()) continue;
    const bool same = is_same_file(file, output);
    if (same || is_same_file(file, io::temporary_name(output)))
      throw io::SettingError(fmt::format("{}: is the file of --log and {} {} at once; name another file for --log",
                                         file, same ? "that of the" : "the temporary file of the", what));
  }
}

// The file gets all levels, whatever the terminal shows.
void MessageOptions::apply(run::Messages& messages, const std::vector<Output>& outputs) const {
  using run::Level;
  messages.print_to_standard_error(quiet ? Level::warning : verbose ? Level::detail : Level::info);
  if (file.empty()) return;
  check_outputs(outputs);
  if (!io::may_be_replaced(file, io::OwnFile::log))
    throw io::SettingError(file + ": is there already and is no log of polhode; name another file for --log");
  try {
    messages.write_to_file(file);
  } catch (const std::runtime_error& error) {
    throw io::ResultsError(error.what());
  }
}

}  // namespace polhode::cli
