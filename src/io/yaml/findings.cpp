// SPDX-License-Identifier: BSD-3-Clause
// Collecting problems and writing them in the order of the file.
#include "findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace polhode::io {
namespace {

constexpr std::size_t most_suggestions = 50;
constexpr std::size_t most_alike = 5;  // lines for one fault of many entries; beyond, one line for all of them
constexpr std::size_t most_named = 4;  // entries that such a line names

// What the deck wrote may hold line breaks; a message has none.
std::string one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < ' '; }, ' ');
  return text;
}

// "pivot" of "joints.pivot.axis"; "" where the path names no entry.
std::string entry_of(const std::string& path) {
  const std::size_t first = path.find('.');
  if (first == std::string::npos) return "";
  return path.substr(first + 1, path.find('.', first + 1) - first - 1);
}

// What findings of one fault have in common: mapping, key and message, without the name of the entry.
std::string fault_of(const Finding& finding) {
  const std::string entry = entry_of(finding.path);
  if (entry.empty()) return "";
  std::string fault = finding.path + "\n" + finding.message;
  // Messages that name the entry differ by its name alone.
  for (std::size_t at = fault.find(entry); at != std::string::npos; at = fault.find(entry, at + 1))
    fault.replace(at, entry.size(), "*");
  return fault;
}

// What findings have in common that one place of a part makes in each of its instances.
std::string place_of(const Finding& finding) {
  if (finding.place.line == 0) return "";
  return fmt::format("{}:{}:{}:{}", finding.place.file, finding.place.line, finding.place.column, finding.message);
}

// Findings by what they have in common.
using Alike = std::map<std::string, std::vector<const Finding*>>;

// The group that a finding is summarized in, nullptr where none is large enough.
const std::vector<const Finding*>* group_of(const Finding& finding, const Alike& faults, const Alike& places) {
  const std::string place = place_of(finding);
  if (!place.empty() && places.at(place).size() > most_alike) return &places.at(place);
  const std::string fault = fault_of(finding);
  return !fault.empty() && faults.at(fault).size() > most_alike ? &faults.at(fault) : nullptr;
}

// The findings that get a line, those that are alike in one.
std::vector<Finding> summarized(const std::vector<Finding>& sorted) {
  Alike faults;
  Alike places;
  for (const Finding& finding : sorted) {
    faults[fault_of(finding)].push_back(&finding);
    places[place_of(finding)].push_back(&finding);
  }
  std::vector<Finding> lines;
  for (const Finding& finding : sorted) {
    const auto* found = group_of(finding, faults, places);
    if (!found) {
      lines.push_back(finding);
      continue;
    }
    const std::vector<const Finding*>& group = *found;
    // The first of them stands for all.
    if (group.front() != &finding) continue;
    // Instances of one part have the same names in them.
    const bool one_place = place_of(*group[0]) == place_of(*group[1]);
    std::string names;
    for (std::size_t i = 1; i <= most_named; ++i)
      names += fmt::format("{}{}", i > 1 ? ", " : "", one_place ? group[i]->path : entry_of(group[i]->path));
    Finding& line = lines.emplace_back(finding);
    line.message += fmt::format(" (the same for {} more: {}, ...)", group.size() - 1, names);
  }
  return lines;
}

}  // namespace

void Findings::add(const Item& at, const std::string& path, std::string message) {
  add(at.place, path, std::move(message));
}

// The empty path is the deck itself. Entries of --set have no place in the file.
void Findings::add(Place at, const std::string& path, std::string message) {
  if (causes_.contains({at.file, at.line, at.column})) return;
  if (at.line == 0) message += " (given by --set)";
  found_.push_back({{one_line(path.empty() ? whole_ : path), one_line(std::move(message))}, at});
}

// Entries of --set have no place of their own.
void Findings::add_cause(const Item& at, const std::string& path, std::string message) {
  add(at, path, std::move(message));
  if (at.place.line > 0) causes_.insert({at.place.file, at.place.line, at.place.column});
}

void Findings::add_unknown_key(const Item& at, const std::string& path, std::string message) {
  const std::size_t before = found_.size();
  add(at, path, std::move(message));
  if (found_.size() > before) found_.back().unknown_key = true;
}

// Only for the first findings: a deck of thousands of unknown names would take long.
std::string Findings::suggestion(const std::string& name, const std::vector<std::string>& known) const {
  if (found_.size() >= most_suggestions) return "";
  const std::string near = model::nearest_name(name, known);
  return near.empty() ? "" : "; did you mean '" + near + "'?";
}

std::string Findings::place_text(Place place) const {
  if (place.line == 0) return "--set";
  if (place.file == 0) return fmt::format("line {}", place.line);
  return fmt::format("line {} of {}", place.line, files_.at(static_cast<std::size_t>(place.file) - 1));
}

// In the order of the file, the deck before included files; findings at one place in the order in which they were made.
std::string Findings::text(const std::string& file) const {
  std::vector<Finding> sorted = found_;
  std::stable_sort(sorted.begin(), sorted.end(), [](const Finding& a, const Finding& b) {
    return std::tie(a.place.file, a.place.line, a.place.column) < std::tie(b.place.file, b.place.line, b.place.column);
  });
  std::string lines;
  for (const Finding& f : summarized(sorted)) {
    const std::string& name = f.place.file == 0 ? file : files_.at(static_cast<std::size_t>(f.place.file) - 1);
    lines += fmt::format("{}{}:{}:{}: {}: {}", lines.empty() ? "" : "\n", name, f.place.line, f.place.column, f.path,
                         f.message);
  }
  return lines;
}

}  // namespace polhode::io
