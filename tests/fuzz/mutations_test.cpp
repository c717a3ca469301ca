// SPDX-License-Identifier: BSD-3-Clause
// The targets of the fuzzer on their corpora, and on mutations of these with a fixed seed: what fuzzing found stays
// found without it.
#include "fuzz/mutations.hpp"

#include <gtest/gtest.h>

#include <set>

#include "fuzz/targets.hpp"
#include "support/places.hpp"

namespace polhode::fuzz {
namespace {

void read_target(const std::string& name, long runs, std::vector<std::string> more = {}) {
  const Target* target = find_target(name);
  ASSERT_NE(target, nullptr);
  more.push_back(POLHODE_SOURCE_DIR "/tests/fuzz/corpora/" + name);
  const std::vector<std::string> corpus = read_corpus(more);
  ASSERT_FALSE(corpus.empty());
  constexpr unsigned seed = 22;
  read_mutations(*target, corpus, runs, seed);
}

TEST(Fuzz, Expressions) { read_target("expression", 200'000); }
TEST(Fuzz, TablesOfSamples) { read_target("csv", 500'000); }
TEST(Fuzz, RowsOfStudies) { read_target("rows", 300'000); }
TEST(Fuzz, Decks) { read_target("deck", 20'000, {POLHODE_SOURCE_DIR "/inputs/faulty"}); }
TEST(Fuzz, TablesOfEntries) { read_target("table", 20'000); }
TEST(Fuzz, Studies) { read_target("study", 50'000); }
TEST(Fuzz, Results) { read_target("results", 200); }

TEST(Fuzz, MutationsAreManyAndTheSameForTheSameSeed) {
  const std::vector<std::string> corpus{"t < 1 ? 0 : 5", "sin(2*pi*t)"};
  for (const bool is_binary : {false, true}) {
    Mutator first(corpus, is_binary, 1);
    Mutator second(corpus, is_binary, 1);
    std::set<std::string> seen;
    for (int i = 0; i < 1000; ++i) {
      const std::string text = first.next();
      EXPECT_EQ(text, second.next());
      seen.insert(text);
      if (is_binary) {
        EXPECT_LE(text.size(), corpus[0].size());
      }
    }
    EXPECT_GT(seen.size(), 800U);
  }
}

// A law that does not hold ends the program: a target that could not fail would find nothing.
TEST(FuzzDeathTest, ABrokenLawEndsTheProgram) { EXPECT_DEATH(require(false), ""); }

}  // namespace
}  // namespace polhode::fuzz
