// SPDX-License-Identifier: BSD-3-Clause
// polhode schema: the JSON Schema of a deck, for editors and other people's checks, or its reference page.
#include <cstdio>

#include "commands.hpp"
#include "polhode/io/deck.hpp"

namespace polhode::cli {

int schema(const SchemaOptions& options) {
  if (options.what == "study") return refuse("polhode schema study");
  const std::string text = options.markdown ? io::deck_reference() : io::deck_schema();
  std::fputs(text.c_str(), stdout);
  if (!text.ends_with('\n')) std::fputc('\n', stdout);
  return done;
}

}  // namespace polhode::cli
