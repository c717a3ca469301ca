// SPDX-License-Identifier: BSD-3-Clause
// Every deck that people copy runs as it stands: those of inputs/, and those printed in the documents.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "polhode/model/catalog.hpp"
#include "support/deck_text.hpp"
#include "support/program.hpp"

namespace polhode {
namespace {

using Path = std::filesystem::path;
const Path root = POLHODE_SOURCE_DIR;

std::vector<Path> files_in(const std::vector<Path>& folders, const std::string& extension) {
  std::vector<Path> files;
  for (const Path& folder : folders)
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder))
      if (entry.path().extension() == extension) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<Path> shipped_decks() { return files_in({"inputs/examples", "inputs/benchmarks"}, ".yaml"); }

// Runs the deck over at most 50 steps of each analysis, or a small part of it where steps are under control.
void expect_to_run(const std::string& deck) {
  const support::TemporaryFile log("log", "");
  std::string command = "'" POLHODE_BINARY "' run '" + deck + "' -o '" + log.path + ".h5'";
  const io::Deck read = io::read_deck(deck);
  const auto& analyses = read.analyses;
  for (std::size_t i = 0; i < analyses.size(); ++i) {
    const std::string path = analyses.size() > 1 ? "analysis." + std::to_string(i) : "analysis";
    const auto* transient = analyses[i].as<analyses::TransientSettings>();
    if (!transient) continue;
    const double some = transient->control ? 0.03 * transient->duration : 50 * transient->step;
    const double duration = std::min(transient->duration, some);
    command += " --set " + path + ".duration=" + std::to_string(duration);
  }
  // Times of responses lie in the run.
  for (const results::Response& response : read.responses)
    if (response.kind == results::Response::Kind::at) command += " --set responses." + response.name + ".at.time=0";
  const int status = std::system((command + " 2>'" + log.path + "'").c_str());
  EXPECT_EQ(WIFEXITED(status) ? WEXITSTATUS(status) : -1, 0) << command << '\n' << support::content_of(log.path);
}

// The decks printed in a document: its blocks of YAML that begin as decks do.
std::vector<std::string> decks_printed_in(const std::string& page) {
  static const std::string begin = "```yaml\n";
  static const std::string end = "\n```";
  std::vector<std::string> decks;
  for (std::size_t at = 0; (at = page.find(begin, at)) != std::string::npos;) {
    at += begin.size();
    const std::string block = page.substr(at, page.find(end, at) + 1 - at);
    if (block.starts_with("format: polhode-deck/1")) decks.push_back(block);
  }
  return decks;
}

TEST(Examples, EveryShippedDeckRuns) {
  ASSERT_GE(shipped_decks().size(), 6u);
  for (const Path& deck : shipped_decks()) expect_to_run(deck);
}

TEST(Examples, EveryShippedDeckOpensWithSourceExpectationAndTheLineThatRunsIt) {
  for (const Path& deck : shipped_decks()) {
    const std::string text = support::content_of(deck);
    const std::string header = text.substr(0, text.find("\nformat:"));
    for (const std::string& part : {std::string("\n# Source   "), std::string("\n# Expect   "),
                                    "\n# Run      polhode run " + deck.lexically_relative(root).string()})
      EXPECT_NE(header.find(part), std::string::npos) << deck << " lacks" << part;
  }
}

TEST(Examples, EveryDeckPrintedInTheDocumentsRuns) {
  std::size_t count = 0;
  for (const Path& page : files_in({"docs", "elements"}, ".md"))
    for (const std::string& text : decks_printed_in(support::content_of(page))) {
      SCOPED_TRACE(page);
      const support::TemporaryFile deck("deck.yaml", text);
      expect_to_run(deck.path);
      ++count;
    }
  EXPECT_GE(count, 8u);  // the user guide's, and one a kind
}

// The page of a kind stands beside its source, and tells each input of it.
TEST(Examples, EveryKindHasAPageThatNamesItsInputs) {
  for (const model::KindInfo* kind : model::catalog()) {
    const std::string name(kind->name);
    const Path page = root / "elements" / model::deck_key(kind->family) / name / (name + ".md");
    ASSERT_TRUE(std::filesystem::exists(page)) << page;
    for (const model::Field& field : kind->fields)
      EXPECT_NE(support::content_of(page).find("`" + std::string(field.name) + "`"), std::string::npos)
          << page << " lacks " << field.name;
  }
}

TEST(Examples, TheReferencePageOfTheDeckIsWhatTheProgramPrints) {
  const support::TemporaryFile out("deck.md", "");
  ASSERT_EQ(std::system(("'" POLHODE_BINARY "' schema deck --markdown >'" + out.path + "'").c_str()), 0);
  EXPECT_TRUE(support::content_of(out.path) == support::content_of(root / "docs/deck.md"))
      << "docs/deck.md is out of date: polhode schema deck --markdown >docs/deck.md";
}

}  // namespace
}  // namespace polhode
