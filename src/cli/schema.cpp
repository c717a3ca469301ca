// SPDX-License-Identifier: BSD-3-Clause
// polhode schema: the JSON Schema of a deck or a study, for editors and other people's checks, or its reference page.
#include "command.hpp"
#include "polhode/io/deck/study.hpp"

namespace polhode::cli {
namespace {

class SchemaCommand final : public Command {
 public:
  void declare(Options& options) override {
    options.choice({"what", "deck (default) or study"}, what_, {"deck", "study"});
    options.flag({"--markdown", "the reference as Markdown instead"}, markdown_);
  }

  int run(run::Messages&) override {
    const bool study = what_ == "study";
    std::string text;
    if (markdown_)
      text = study ? io::study_reference() : io::deck_reference();
    else
      text = study ? io::study_schema() : io::deck_schema();
    if (!text.ends_with('\n')) text += '\n';
    print(text);
    return done;
  }

 private:
  std::string what_ = "deck";
  bool markdown_ = false;
};

}  // namespace

extern const CommandType schema_command{
    "schema", "JSON Schema of decks and studies, from the tables that the reader uses", make_command<SchemaCommand>};

}  // namespace polhode::cli
