// SPDX-License-Identifier: BSD-3-Clause
#include "fuzz/mutations.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

namespace polhode::fuzz {
namespace {

constexpr std::size_t longest = 1 << 20;

constexpr std::array tokens{"0",  "-1",   "1.0e+999", "nan", "99999999999999999999",
                            "{",  "}",    "[",        "]",   ": ",
                            "\n", "  ",   "- ",       "'",   "\"",
                            "=",  "(",    ")",        ",",   "t",
                            "~",  "null", "true",     "&a",  "*a",
                            "<<", "|",    "1e-320",   "?",   "\xff",
                            "\t", "#",    "!!float",  ";",   "\r",
                            "pi", "&&",   "-0.0",     "..",  "_deg"};
constexpr std::size_t number_tokens = 5;

}  // namespace

std::vector<std::string> read_corpus(const std::vector<std::string>& paths) {
  std::vector<std::filesystem::path> files;
  for (const std::string& path : paths)
    if (std::filesystem::is_directory(path)) {
      for (const auto& entry : std::filesystem::recursive_directory_iterator(path))
        if (entry.is_regular_file()) files.push_back(entry.path());
    } else {
      files.emplace_back(path);
    }
  std::sort(files.begin(), files.end());
  std::vector<std::string> corpus;
  for (const auto& file : files) {
    std::ifstream stream(file, std::ios::binary);
    corpus.emplace_back(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
  }
  return corpus;
}

Mutator::Mutator(std::vector<std::string> corpus, bool is_binary, unsigned seed)
    : corpus_(std::move(corpus)), is_binary_(is_binary), random_(seed) {}

std::string Mutator::next() {
  std::string text = one();
  for (std::size_t changes = 1 + below(6); changes > 0; --changes) {
    if (is_binary_)
      change_bytes(text);
    else
      change(text);
  }
  if (text.size() > longest) text.resize(longest);
  return text;
}

std::size_t Mutator::below(std::size_t end) { return end == 0 ? 0 : random_() % end; }

const std::string& Mutator::one() { return corpus_[below(corpus_.size())]; }

void Mutator::change(std::string& text) {
  const std::size_t at = below(text.size() + 1);
  switch (below(8)) {
    case 0:  // a bit
      if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
      return;
    case 1:  // any byte
      text.insert(at, 1, static_cast<char>(below(256)));
      return;
    case 2:
      text.erase(at, 1 + below(1 + below(64)));
      return;
    case 3:  // a token, beside or in the place of what stands there
      if (below(2) == 0) text.erase(at, 1 + below(4));
      text.insert(at, tokens[below(tokens.size())]);
      return;
    case 4: {  // a piece again, elsewhere
      const std::string piece = text.substr(at, 1 + below(1 + below(256)));
      text.insert(below(text.size() + 1), piece);
      return;
    }
    case 5: {  // a piece of another text
      const std::string& other = one();
      text.insert(at, other.substr(below(other.size() + 1), 1 + below(1 + below(512))));
      return;
    }
    case 6: {  // a number
      const std::size_t digit = text.find_first_of("0123456789", at);
      if (digit == std::string::npos) return;
      const std::size_t end = text.find_first_not_of("0123456789.e+-", digit);
      text.replace(digit, end == std::string::npos ? end : end - digit, tokens[below(number_tokens)]);
      return;
    }
    default:  // cut off
      if (below(8) == 0) text.resize(at);
  }
}

// Mostly where there is something: files of results have long runs of zeros. Words of ones and of zeros are addresses
// and sizes that are not there, or are too large.
void Mutator::change_bytes(std::string& bytes) {
  constexpr int looks = 8;
  if (bytes.empty()) return;
  std::size_t at = below(bytes.size());
  for (int i = 0; i < looks && bytes[at] == '\0'; ++i) at = below(bytes.size());
  const std::size_t end = std::min(bytes.size(), at + (below(3) == 0 ? 8 : 1));
  const std::size_t kind = below(4);
  for (std::size_t i = at; i < end; ++i) {
    const auto bit = static_cast<char>(bytes[i] ^ (1 << below(8)));
    const auto any = static_cast<char>(below(256));
    bytes[i] = kind == 0 ? '\xff' : kind == 1 ? '\0' : kind == 2 ? any : bit;
  }
  if (below(200) == 0) bytes.resize(at);
}

void read_mutations(const Target& target, const std::vector<std::string>& corpus, long runs, unsigned seed,
                    const std::function<void(const std::string&)>& begin) {
  const auto read = [&](const std::string& text) {
    if (begin) begin(text);
    target.read(text);
  };
  for (const std::string& text : corpus) read(text);
  Mutator mutator(corpus, target.is_binary, seed);
  for (long i = 0; i < runs; ++i) read(mutator.next());
}

}  // namespace polhode::fuzz
