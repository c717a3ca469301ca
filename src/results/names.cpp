// SPDX-License-Identifier: BSD-3-Clause
// From names to numbers of the results and back.
#include "polhode/results/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "polhode/model/problem.hpp"

namespace polhode::results {
namespace {

// Components of vectors and of quaternions.
std::string_view letters_of(int size) { return size == 3 ? "xyz" : size == 4 ? "wxyz" : ""; }

// What a name may begin with: a channel, or what an item of a group (a node, a joint) has of it.
struct Candidate {
  const Channel* channel;
  bool of_steps;
  // "" of the whole channel.
  std::string_view item;
  // Of a shared channel.
  const Part* part = nullptr;
  // Of a history of nodes.
  std::size_t node = 0;
};

// Calls `visit` with all of them. They are not listed: a model may have a million.
template <class Visit>
void visit_candidates(const Layout& layout, const Visit& visit) {
  const std::vector<std::string>* nodes = names_of(layout, "nodes");
  const auto visit_channel = [&](const Channel& channel, bool of_steps) {
    visit(Candidate{&channel, of_steps, ""});
    if (const std::vector<std::string>* names = channel.group.empty() ? nullptr : names_of(layout, channel.group))
      for (const Part& part : channel.parts)
        visit(Candidate{&channel, of_steps, (*names)[static_cast<std::size_t>(part.entity)], &part});
    if (!nodes || !is_of_nodes(channel.path) || channel.shape.empty()) return;
    for (std::size_t node = 0; node < nodes->size(); ++node)
      visit(Candidate{&channel, of_steps, (*nodes)[node], nullptr, node});
  };
  for (const Channel& channel : layout.states) visit_channel(channel, false);
  for (const Channel& channel : layout.steps) visit_channel(channel, true);
}

std::string name_of(const Candidate& candidate) { return dotted_name(candidate.channel->path, candidate.item); }

// Length of the candidate's name where `name` begins with it and something else follows or nothing; else 0. Without a
// text of its own, since it is asked of each candidate.
std::size_t length_of_fit(const Candidate& candidate, std::string_view name) {
  std::string_view path = candidate.channel->path;
  path.remove_prefix(path.starts_with('/') ? 1 : 0);
  std::size_t at = 0;
  const auto take = [&](std::string_view text) {
    for (const char c : text)
      if (at == name.size() || name[at++] != (c == '/' ? '.' : c)) return false;
    return true;
  };
  const std::size_t group = candidate.item.empty() ? 0 : path.find('/') + 1;
  if (!take(path.substr(0, group))) return 0;
  if (!candidate.item.empty() && (!take(candidate.item) || !take("."))) return 0;
  if (!take(path.substr(group))) return 0;
  return at == name.size() || name[at] == '.' || name[at] == '[' ? at : 0;
}

// All numbers of a candidate.
Selection selection_of(const Candidate& candidate) {
  const Channel& channel = *candidate.channel;
  Selection all{&channel, candidate.of_steps, channel.offset, 0, channel.shape, channel.units, channel.frame};
  if (candidate.part) {
    const PartForm& form = channel.forms[static_cast<std::size_t>(candidate.part->form)];
    all.shape = shape_of(channel, *candidate.part);
    all.offset = offset_of(channel, *candidate.part);
    all.units = form.units;
    all.frame = form.frame;
  } else if (!candidate.item.empty()) {
    // A node takes the place of the first axis: nodes.tip.position is three numbers of /nodes/position.
    all.shape.erase(all.shape.begin());
    all.offset += candidate.node * numbers_of(all.shape);
  }
  all.size = numbers_of(all.shape);
  return all;
}

// The unit of one of the numbers that a list of units is for.
std::string_view unit_of(std::string_view units, int index) {
  for (; index > 0; --index) {
    const std::size_t comma = units.find(", ");
    if (comma == std::string_view::npos) return {};
    units.remove_prefix(comma + 2);
  }
  return units.substr(0, units.find(", "));
}

// Takes "[k]" and ".x" off `rest` one by one and narrows the selection; returns what is wrong, or "".
std::string narrow(Selection& found, const std::string& name, std::string_view rest) {
  while (!rest.empty()) {
    if (found.shape.empty()) return "\"" + name + "\" is a single number, nothing can follow it";
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
        return fmt::format("index {} is out of range: \"{}\" has {} {}", index, name, size, items);
      }
      rest.remove_prefix(end + 1);
    } else {
      const std::string_view letters = found.shape.size() == 1 ? letters_of(size) : "";
      const std::size_t place = rest.size() == 2 ? letters.find(rest[1]) : std::string_view::npos;
      if (place == std::string_view::npos)
        return fmt::format("\"{}\" has no component \"{}\"; write an index like [0]{}{}", name, rest.substr(1),
                           letters.empty() ? "" : ", or one of ", letters);
      index = static_cast<int>(place);
      rest = {};
    }
    const bool last = found.shape.size() == 1;
    if (last && unit_of(found.units, index) == no_unit)
      return fmt::format("\"{}\" has nothing in component [{}], where it is always zero; take [0]", name, index);
    found.shape.erase(found.shape.begin());
    found.size /= static_cast<std::size_t>(size);
    found.offset += static_cast<std::size_t>(index) * found.size;
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

// A node or a joint may be called as a channel is; the longest name that fits is the most specific one.
Selection select(const Layout& layout, std::string_view name, std::string& problem) {
  std::optional<Candidate> best;
  std::size_t longest = 0;
  visit_candidates(layout, [&](const Candidate& candidate) {
    const std::size_t length = length_of_fit(candidate, name);
    if (length <= longest) return;
    longest = length;
    best = candidate;
  });
  if (best) {
    Selection selection = selection_of(*best);
    problem = narrow(selection, name_of(*best), name.substr(longest));
    return problem.empty() ? selection : Selection{};
  }
  std::vector<std::string> names;
  visit_candidates(layout, [&](const Candidate& candidate) { names.push_back(name_of(candidate)); });
  const std::string nearest = model::nearest_name(stem(name), names);
  problem = fmt::format("the results hold no \"{}\"", name);
  if (!nearest.empty()) problem += fmt::format("; did you mean \"{}{}\"?", nearest, name.substr(stem(name).size()));
  return {};
}

}  // namespace polhode::results
