// SPDX-License-Identifier: BSD-3-Clause
// Changes at random of the texts of a corpus: the same ones for the same seed, with any compiler.
#pragma once
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "fuzz/targets.hpp"

namespace polhode::fuzz {

// The contents of files, and of all files in folders, sorted by name.
std::vector<std::string> read_corpus(const std::vector<std::string>& paths);

class Mutator {
 public:
  // The corpus has at least one text. `is_binary`: lengths stay, as in Target.
  Mutator(std::vector<std::string> corpus, bool is_binary, unsigned seed);

  // One of the corpus with one to six changes: a byte, a part that is left out, doubled, cut off or taken from another
  // text, a number, a word of the formats that are read.
  std::string next();

 private:
  std::vector<std::string> corpus_;
  bool is_binary_;
  std::mt19937 random_;

  std::size_t below(std::size_t end);
  const std::string& one();
  void change(std::string& text);
  void change_bytes(std::string& bytes);
};

// The corpus, then `runs` mutations of it; `begin` is told of each before it is read.
void read_mutations(const Target& target, const std::vector<std::string>& corpus, long runs, unsigned seed,
                    const std::function<void(const std::string&)>& begin = {});

}  // namespace polhode::fuzz
