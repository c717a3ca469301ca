// SPDX-License-Identifier: BSD-3-Clause
// polhode <command> [options].
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <iostream>

#include "command.hpp"
#include "interrupts.hpp"
#include "large_pages.hpp"

namespace {

// The next file to be opened would take the number of a standard stream that is closed, and messages or a status line
// would be written into results. What is put there can be neither read nor written, as before.
void occupy_closed_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(stream, F_GETFD) == -1) open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

}  // namespace

int main(int argc, char** argv) {
  namespace cli = polhode::cli;
  cli::ask_for_large_pages(argc, argv);
  cli::announce_interrupts();
  occupy_closed_streams();
  // A limit of the file size is a failed write like any other, not a sudden death
  std::signal(SIGXFSZ, SIG_IGN);
  const int status = cli::run_command_line(argc, argv, cli::commands());
  std::cout.flush();
  // Text that is longer than the buffer was written before: its failure is kept as the state of the stream.
  const bool written = std::cout.good() && std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
  if (!written)
    std::fputs(fmt::format("standard output: cannot be written: {}\n", std::strerror(errno)).c_str(), stderr);
  return written || status != 0 ? status : cli::files_failed;
}
