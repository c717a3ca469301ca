// SPDX-License-Identifier: BSD-3-Clause
// Rows as lines of text: fields between tabs, the last of them a checksum of all before.
#include "polhode/studies/rows.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "polhode/io/digest.hpp"
#include "row_lines.hpp"

namespace polhode::studies {
namespace {

constexpr std::array<const char*, 5> statuses = {"completed", "failed", "invalid", "crashed", "timed out"};

// Shortest digits that read back to the same number; no locale.
template <class Number>
void add(std::string& text, Number number) {
  std::array<char, 40> digits;
  text.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr);
  text += '\t';
}

// One NaN for all: its sign is that of the last operation, which means nothing.
void add_real(std::string& text, double number) {
  if (std::isnan(number)) {
    text += "nan\t";
  } else {
    add(text, number);
  }
}

// A field is a number only as a whole.
template <class Number>
bool take(std::string_view field, Number& number) {
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), number);
  return error == std::errc{} && end == field.data() + field.size();
}

// Tabs and line breaks would end a field.
std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '\t' || c == '\n' || c == '\r')
      result += ' ';
    else
      result += c;
  }
  return result;
}

}  // namespace

const char* text_of(Row::Status status) { return statuses[static_cast<std::size_t>(status)]; }

// The checksum of all fields, as the last one.
std::string sealed(std::string fields) {
  std::array<char, 17> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), io::digest(fields), 16).ptr;
  fields.append(digits.data(), end);
  return fields += '\n';
}

// Nothing where the checksum does not agree.
std::optional<std::vector<std::string_view>> opened(std::string_view line) {
  const std::size_t last = line.rfind('\t');
  if (last == std::string_view::npos) return std::nullopt;
  const std::string_view fields = line.substr(0, last + 1);
  const std::string_view seal = line.substr(last + 1);
  std::uint64_t digest = 0;
  const auto [end, error] = std::from_chars(seal.data(), seal.data() + seal.size(), digest, 16);
  if (error != std::errc{} || end != seal.data() + seal.size() || digest != io::digest(fields)) return std::nullopt;
  std::vector<std::string_view> all;
  for (std::size_t begin = 0; begin < fields.size();) {
    const std::size_t tab = fields.find('\t', begin);
    all.push_back(fields.substr(begin, tab - begin));
    begin = tab + 1;
  }
  return all;
}

// Number, status, steps, solves, seconds, message, responses.
std::string line_of(const Row& row) {
  std::string text;
  add(text, row.number);
  (text += text_of(row.status)) += '\t';
  add(text, row.steps);
  add(text, row.newton_iterations);
  add_real(text, row.cpu);
  (text += escaped(row.message)) += '\t';
  for (const double value : row.responses) add_real(text, value);
  return sealed(std::move(text));
}

// Fields behind the sixth are responses.
std::optional<Row> row_of(std::string_view line) {
  const auto fields = opened(line);
  if (!fields || fields->size() < 6) return std::nullopt;
  const auto& f = *fields;
  Row row;
  const auto status = std::find(statuses.begin(), statuses.end(), f[1]);
  if (status == statuses.end() || !take(f[0], row.number) || !take(f[2], row.steps) ||
      !take(f[3], row.newton_iterations) || !take(f[4], row.cpu))
    return std::nullopt;
  row.status = static_cast<Row::Status>(status - statuses.begin());
  row.message = f[5];
  for (std::size_t i = 6; i < f.size(); ++i) {
    row.responses.push_back(std::numeric_limits<double>::quiet_NaN());
    if (f[i] != "nan" && !take(f[i], row.responses.back())) return std::nullopt;
  }
  return row;
}

// In words for a message: which parts of the study are not those of the rows.
std::vector<std::string> differences(const Identity& before, const Identity& now) {
  const auto value = [](const Identity& all, const std::string& key) -> const std::string* {
    for (const auto& [name, text] : all)
      if (name == key) return &text;
    return nullptr;
  };
  std::vector<std::string> lines;
  for (const auto& [key, text] : before) {
    const std::string* present = value(now, key);
    if (!present)
      lines.push_back(key + ": was " + text + ", is no longer there");
    else if (*present != text)
      lines.push_back(key == "deck" ? "the deck (or a file that it names) has changed"
                                    : key + ": was " + text + ", is " + *present);
  }
  for (const auto& [key, text] : now)
    if (!value(before, key)) lines.push_back(key + ": is new");
  // The order of `vary` numbers the cases.
  if (lines.empty() && before != now) lines.push_back("the keys stand in another order, which numbers the cases");
  return lines;
}

}  // namespace polhode::studies
