// SPDX-License-Identifier: BSD-3-Clause
// Each faulty deck through the command line: exactly the lines that it states, exit status 2, nothing written.
#include <gtest/gtest.h>

#include "support/faulty_decks.hpp"
#include "support/program.hpp"

namespace polhode::support {
namespace {

TEST(FaultyDecks, AreRefusedByTheCommandLineWithTheLinesThatTheyState) {
  const std::vector<FaultyDeck> decks = faulty_decks();
  ASSERT_GT(decks.size(), 25u);
  for (const FaultyDeck& deck : decks) {
    const std::vector<std::string>& expected = deck.reader_errors.empty() ? deck.model_errors : deck.reader_errors;
    ASSERT_FALSE(expected.empty()) << deck.file;
    for (const std::string command : {"run", "check"}) {
      SCOPED_TRACE(command + " " + deck.file);
      const Workshop workshop;
      const Outcome outcome = workshop.polhode(command + " '" + deck.file + "'");
      EXPECT_EQ(outcome.status, 2);
      EXPECT_EQ(outcome.out, "");
      EXPECT_EQ(without_file(outcome.err, deck.file), expected);
      EXPECT_EQ(workshop.names(), std::vector<std::string>{});
    }
  }
}

TEST(FaultyDecks, EachLineNamesTheFile) {
  const std::string file = shipped("faulty/model_entries.yaml");
  const std::string said = Workshop().polhode("run '" + file + "'").err;
  std::size_t lines = 0;
  for (std::size_t begin = 0; begin < said.size(); begin = said.find('\n', begin) + 1, ++lines)
    EXPECT_EQ(said.compare(begin, file.size() + 1, file + ":"), 0) << said.substr(begin, 80);
  EXPECT_GT(lines, 10u);
}

}  // namespace
}  // namespace polhode::support
