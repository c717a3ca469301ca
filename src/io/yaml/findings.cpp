// SPDX-License-Identifier: BSD-3-Clause
// Collecting problems and writing them in the order of the file.
#include "findings.hpp"

#include <algorithm>
#include <tuple>

namespace polhode::io {
namespace {

constexpr std::size_t most_suggestions = 50;

// What the deck wrote may hold line breaks; a message has none.
std::string one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < ' '; }, ' ');
  return text;
}

}  // namespace

void Findings::add(const Item& at, const std::string& path, std::string message) {
  add(at.place, path, std::move(message));
}

void Findings::add(Place at, const std::string& path, std::string message) {
  if (at.line == 0) message += " (given by --set)";
  found_.push_back({at, one_line(path.empty() ? whole_ : path), one_line(std::move(message))});
}

std::string Findings::suggestion(const std::string& name, const std::vector<std::string>& known) const {
  if (found_.size() >= most_suggestions) return "";
  const std::string near = model::nearest_name(name, known);
  return near.empty() ? "" : "; did you mean '" + near + "'?";
}

std::string Findings::text(const std::string& file) const {
  std::vector<Finding> sorted = found_;
  std::stable_sort(sorted.begin(), sorted.end(), [](const Finding& a, const Finding& b) {
    return std::tie(a.place.line, a.place.column) < std::tie(b.place.line, b.place.column);
  });
  std::string lines;
  for (const Finding& f : sorted) {
    if (!lines.empty()) lines += '\n';
    lines += file + ":" + std::to_string(f.place.line) + ":" + std::to_string(f.place.column) + ": " + f.path + ": " +
             f.message;
  }
  return lines;
}

}  // namespace polhode::io
