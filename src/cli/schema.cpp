// SPDX-License-Identifier: BSD-3-Clause
// polhode schema: the JSON Schema of a deck or a study, for editors and other people's checks, or its reference page.
#include <cstdio>

#include "commands.hpp"
#include "polhode/io/deck/study.hpp"

namespace polhode::cli {

int schema(const SchemaOptions& options) {
  const bool study = options.what == "study";
  const std::string text = options.markdown ? (study ? io::study_reference() : io::deck_reference())
                                            : (study ? io::study_schema() : io::deck_schema());
  std::fputs(text.c_str(), stdout);
  if (!text.ends_with('\n')) std::fputc('\n', stdout);
  return done;
}

}  // namespace polhode::cli
