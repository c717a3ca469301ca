// SPDX-License-Identifier: BSD-3-Clause
// The options by which a user chooses messages.
#include "message_options.hpp"

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

// The file gets all levels, whatever the terminal shows.
void MessageOptions::apply(run::Messages& messages) const {
  using run::Level;
  messages.print_to_standard_error(quiet ? Level::warning : verbose ? Level::detail : Level::info);
  if (file.empty()) return;
  if (!io::may_be_replaced(file, io::OwnFile::log))
    throw io::SettingError(file + ": is there already and is no log of polhode; name another file for --log");
  try {
    messages.write_to_file(file);
  } catch (const std::runtime_error& error) {
    throw io::ResultsError(error.what());
  }
}

}  // namespace polhode::cli
