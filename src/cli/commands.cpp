// SPDX-License-Identifier: BSD-3-Clause
// The table of commands: one line each, in the order of --help. The file of a command defines `<name>_command`.
#include <array>

#include "command.hpp"

#define POLHODE_COMMANDS(COMMAND) \
  COMMAND(run)                    \
  COMMAND(check)                  \
  COMMAND(info)                   \
  COMMAND(export)                 \
  COMMAND(schema)                 \
  COMMAND(sweep)                  \
  COMMAND(convergence)

namespace polhode::cli {

#define POLHODE_DECLARE(name) extern const CommandType name##_command;
POLHODE_COMMANDS(POLHODE_DECLARE)

std::span<const CommandType* const> commands() {
#define POLHODE_ADDRESS(name) &name##_command,
  static const std::array table{POLHODE_COMMANDS(POLHODE_ADDRESS)};
  return table;
}

}  // namespace polhode::cli
