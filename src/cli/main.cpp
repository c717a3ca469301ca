// SPDX-License-Identifier: BSD-3-Clause
// polhode <command> [options].
#include <fmt/format.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <iostream>

#include "command.hpp"

int main(int argc, char** argv) {
  namespace cli = polhode::cli;
  // A limit of the file size is a failed write like any other, not a sudden death
  std::signal(SIGXFSZ, SIG_IGN);
  const int status = cli::run_command_line(argc, argv, cli::commands());
  std::cout.flush();
  const bool written = std::cout.good() && std::fflush(stdout) == 0;
  if (!written)
    std::fputs(fmt::format("standard output: cannot be written: {}\n", std::strerror(errno)).c_str(), stderr);
  return written || status != 0 ? status : cli::files_failed;
}
