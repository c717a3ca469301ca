// SPDX-License-Identifier: BSD-3-Clause
// The targets of the fuzzer on their corpora, and on mutations of these with a fixed seed: what fuzzing found stays
// found without it.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "fuzz/targets.hpp"
#include "support/places.hpp"

namespace polhode::fuzz {
namespace {

using Target = void (*)(std::string_view);

std::vector<std::string> corpus_of(const std::string& name) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(POLHODE_SOURCE_DIR "/tests/fuzz/corpora") / name))
    files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<std::string> texts;
  for (const auto& file : files) {
    std::ifstream stream(file, std::ios::binary);
    texts.emplace_back(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
  }
  return texts;
}

// A few changes: a byte, a part left out, doubled, or taken from another text.
std::string mutated(std::string text, const std::vector<std::string>& corpus, std::mt19937& random) {
  const auto below = [&](std::size_t n) { return n > 0 ? static_cast<std::size_t>(random() % n) : 0; };
  for (std::size_t changes = 1 + below(4); changes > 0; --changes) {
    const std::size_t at = below(text.size() + 1);
    const std::size_t size = below(std::min<std::size_t>(text.size() - at, 12) + 1);
    switch (below(4)) {
      case 0:
        text.insert(at, 1, static_cast<char>(random()));
        break;
      case 1:
        text.erase(at, size);
        break;
      case 2:
        text.insert(at, text.substr(at, size));
        break;
      default:
        const std::string& other = corpus[below(corpus.size())];
        const std::size_t from = below(other.size() + 1);
        text.replace(at, size, other.substr(from, below(16)));
    }
  }
  return text;
}

void run_target(const std::string& name, Target target) {
  constexpr int mutations = 20000;
  const std::vector<std::string> corpus = corpus_of(name);
  ASSERT_GE(corpus.size(), 3U);
  for (const std::string& text : corpus) target(text);
  std::mt19937 random(22);
  for (int i = 0; i < mutations; ++i) target(mutated(corpus[random() % corpus.size()], corpus, random));
}

TEST(Fuzz, Expressions) { run_target("expression", expression); }
TEST(Fuzz, TablesOfSamples) { run_target("csv", csv); }
TEST(Fuzz, RowsOfStudies) { run_target("rows", rows); }

}  // namespace
}  // namespace polhode::fuzz
