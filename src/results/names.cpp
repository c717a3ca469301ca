// SPDX-License-Identifier: BSD-3-Clause
// From names to numbers of the results and back.
#include "polhode/results/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "polhode/model/problem.hpp"
#include "polhode/results/kept_fields.hpp"

namespace polhode::results {
namespace {

// Components of vectors and of quaternions.
std::string_view letters_of(int size) { return size == 3 ? "xyz" : size == 4 ? "wxyz" : ""; }

// A name, and what is selected by it before indices and a component narrow that.
struct Candidate {
  std::string name;
  Selection selection;
  std::vector<int> shape;  // what is left to be indexed
};

// All names that a response may begin with, with what they select.
std::vector<Candidate> candidates(const Layout& layout) {
  const std::vector<std::string>* nodes = nullptr;
  for (const StaticData& data : layout.statics)
    if (data.path == "/nodes/names") nodes = &data.names;

  std::vector<Candidate> result;
  const auto add = [&](const Channel& channel, bool of_steps) {
    const Selection all{&channel, of_steps, channel.offset, numbers_of(channel.shape)};
    result.push_back({dotted_name(channel.path), all, channel.shape});
    if (!nodes || !is_of_nodes(channel.path) || channel.shape.empty()) return;
    const std::vector<int> rest(channel.shape.begin() + 1, channel.shape.end());
    // A node takes the place of the first axis: nodes.tip.position is three numbers of /nodes/position.
    for (std::size_t node = 0; node < nodes->size(); ++node) {
      const std::size_t size = numbers_of(rest);
      result.push_back(
          {dotted_name(channel.path, (*nodes)[node]), {&channel, of_steps, channel.offset + node * size, size}, rest});
    }
  };
  for (const Channel& channel : layout.states) add(channel, false);
  for (const Channel& channel : layout.steps) add(channel, true);
  return result;
}

// Takes "[k]" and ".x" off `rest` one by one and narrows the selection; returns what is wrong, or "".
std::string narrow(Candidate& found, std::string_view rest) {
  while (!rest.empty()) {
    if (found.shape.empty()) return "\"" + found.name + "\" is a single number, nothing can follow it";
    const int size = found.shape.front();
    int index = -1;
    // An index of the first axis that is left, or a letter of the last one.
    // Letters end a name; indices may be followed by more.
    if (rest.front() == '[') {
      const std::size_t end = rest.find(']');
      const std::string_view digits = rest.substr(1, end == std::string_view::npos ? end : end - 1);
      const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
      if (end == std::string_view::npos || error != std::errc() || stop != digits.data() + digits.size())
        return "expected an index like [0] at \"" + std::string(rest) + '"';
      if (index < 0 || index >= size) {
        const std::string items = size == 1 ? "item, [0]" : fmt::format("items, [0] to [{}]", size - 1);
        return fmt::format("index {} is out of range: \"{}\" has {} {}", index, found.name, size, items);
      }
      rest.remove_prefix(end + 1);
    } else {
      const std::string_view letters = found.shape.size() == 1 ? letters_of(size) : "";
      const std::size_t place = rest.size() == 2 ? letters.find(rest[1]) : std::string_view::npos;
      if (place == std::string_view::npos)
        return fmt::format("\"{}\" has no component \"{}\"; write an index like [0]{}{}", found.name, rest.substr(1),
                           letters.empty() ? "" : ", or one of ", letters);
      index = static_cast<int>(place);
      rest = {};
    }
    found.shape.erase(found.shape.begin());
    found.selection.size /= static_cast<std::size_t>(size);
    found.selection.offset += static_cast<std::size_t>(index) * found.selection.size;
  }
  return "";
}

// The name without indices and component.
std::string_view stem(std::string_view name) {
  name = name.substr(0, name.find('['));
  if (name.size() > 2 && name[name.size() - 2] == '.' &&
      std::string_view("wxyz").find(name.back()) != std::string_view::npos)
    name.remove_suffix(2);
  return name;
}

}  // namespace

// The item stands behind the group, as in the deck: nodes.tip.position.
std::string dotted_name(std::string_view path, std::string_view item) {
  std::string name(path.substr(path.starts_with('/') ? 1 : 0));
  std::replace(name.begin(), name.end(), '/', '.');
  if (!item.empty()) name.insert(name.find('.') + 1, std::string(item) + '.');
  return name;
}

bool is_of_nodes(std::string_view path) { return path.starts_with("/nodes/"); }

// From the last axis to the first: each takes its part of the index.
std::string component_name(std::span<const int> shape, std::size_t index, bool letters) {
  std::string name;
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    const auto size = static_cast<std::size_t>(shape[axis]);
    const std::size_t k = index % size;
    index /= size;
    const bool last = axis + 1 == shape.size();
    const std::string_view alphabet = last && letters ? letters_of(shape[axis]) : "";
    if (alphabet.empty())
      name.insert(0, fmt::format("[{}]", k));
    else
      name.insert(0, {'.', alphabet[k]});
  }
  return name;
}

// Six section forces have a frame, too, but no letters: only three components are x, y and z.
bool has_letters(std::string_view path, std::span<const int> shape, std::string_view frame) {
  return !shape.empty() && ((shape.back() == 3 && !frame.empty()) || (shape.back() == 4 && path == "/nodes/rotation"));
}

// A node may be called as a channel is; the longest name that fits is the most specific one.
Selection select(const Layout& layout, std::string_view name, std::string& problem) {
  std::vector<Candidate> known = candidates(layout);
  Candidate* best = nullptr;
  for (Candidate& candidate : known) {
    const bool fits =
        name.starts_with(candidate.name) && (name.size() == candidate.name.size() ||
                                             name[candidate.name.size()] == '.' || name[candidate.name.size()] == '[');
    if (fits && (!best || candidate.name.size() > best->name.size())) best = &candidate;
  }
  if (best) {
    problem = narrow(*best, name.substr(best->name.size()));
    return problem.empty() ? best->selection : Selection{};
  }
  std::vector<std::string> names;
  for (const Candidate& candidate : known) names.push_back(candidate.name);
  const std::string nearest = model::nearest_name(stem(name), names);
  problem = fmt::format("the results hold no \"{}\"", name);
  if (!nearest.empty()) problem += fmt::format("; did you mean \"{}{}\"?", nearest, name.substr(stem(name).size()));
  return {};
}

}  // namespace polhode::results
