// SPDX-License-Identifier: BSD-3-Clause
// The options by which a user chooses messages: --quiet, --verbose, --log FILE.
#pragma once
#include <string>
#include <vector>

#include "command.hpp"
#include "polhode/run/messages.hpp"

namespace polhode::cli {

struct MessageOptions {
  bool quiet = false;
  bool verbose = false;
  std::string file;

  void declare(Options& options);
  // Messages of the level asked for to standard error, all of them to the file. Throws io::SettingError where the
  // file is one of `outputs`, or is there and is no log, io::ResultsError where it cannot be written.
  void apply(run::Messages& messages, const std::vector<Output>& outputs) const;

 private:
  void check_outputs(const std::vector<Output>& outputs) const;
};

}  // namespace polhode::cli
