// SPDX-License-Identifier: BSD-3-Clause
// Sections of elements: cuts, colors, and which nodes each clears.
#include "polhode/assembly/sections.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <utility>

namespace polhode::assembly {
namespace {

using model::Elements;
using Parts = std::vector<Sections::Part>;

// Nodes of elements, each counted as often as an element has it: a model of no more is one section, for which no thread
// is started; larger ones have sections of about so many, whose values of the matrix are some 100 kB.
constexpr std::size_t nodes_of_one = 512;
constexpr std::size_t nodes_of_each = 192;

std::size_t nodes_of(const model::BatchBase& batch, Elements elements) {
  return (elements.end - elements.begin) * static_cast<std::size_t>(batch.nodes());
}

// Behind the last part, or as the end of it.
void append_to(Parts& parts, const Sections::Part& part) {
  if (!parts.empty() && parts.back().batch == part.batch && parts.back().elements.end == part.elements.begin)
    parts.back().elements.end = part.elements.end;
  else
    parts.push_back(part);
}

// Adds the i-th of so many shares of a batch, if it has any elements.
void add_share_to(Parts& parts, const Sections::Batches& batches, std::size_t batch, std::size_t i, std::size_t of) {
  const std::size_t size = batches[batch]->size();
  const std::size_t lanes = batches[batch]->lanes();
  const auto cut = [&](std::size_t at) { return at == of ? size : size * at / of / lanes * lanes; };
  if (cut(i) < cut(i + 1)) parts.push_back({batch, {cut(i), cut(i + 1)}});
}

// Calls use(node) for each node of each element but the ground.
template <class Use>
void each_node(const Sections::Batches& batches, const Parts& parts, const Use& use) {
  for (const Sections::Part& part : parts)
    for (std::size_t e = part.elements.begin; e < part.elements.end; ++e)
      for (const int node : batches[part.batch]->nodes_of(e))
        if (node != 0) use(static_cast<std::size_t>(node));
}

// Each section takes the first color that none of its nodes has yet. Beyond 64 colors sections are done one after the
// other: each is a color of its own.
std::vector<std::vector<Parts>> colored(const Sections::Batches& batches, std::vector<Parts> sections,
                                        std::size_t nodes) {
  std::vector<std::vector<Parts>> colors;
  std::vector<std::uint64_t> used(nodes, 0);  // by node, one bit a color
  for (Parts& section : sections) {
    std::uint64_t taken = 0;
    each_node(batches, section, [&](std::size_t node) { taken |= used[node]; });
    const auto color = static_cast<std::size_t>(std::countr_one(taken));
    if (color < 64) each_node(batches, section, [&](std::size_t node) { used[node] |= std::uint64_t{1} << color; });
    const std::size_t place = color < 64 ? color : colors.size();
    if (place >= colors.size()) colors.resize(place + 1);
    colors[place].push_back(std::move(section));
  }
  return colors;
}

// Where elements stand in the elimination; their run is -1 if their nodes are not of one.
struct Standing {
  int run = -1;
  int first_position = std::numeric_limits<int>::max();
};

Standing standing_of(const model::BatchBase& batch, Elements elements, const Sections::Elimination& elimination) {
  Standing made;
  bool is_first = true;
  for (std::size_t e = elements.begin; e < elements.end; ++e)
    for (const int node : batch.nodes_of(e)) {
      if (node == 0) continue;
      const auto i = static_cast<std::size_t>(node);
      made.run = is_first || made.run == elimination.run[i] ? elimination.run[i] : -1;
      is_first = false;
      made.first_position = std::min(made.first_position, elimination.position[i]);
    }
  return made;
}

// Elements that stay together.
struct Group {
  Standing standing;
  Sections::Part part;
};

struct Run {
  int number;
  std::vector<Parts> sections;
};

// Those of a run in sections, as their nodes are eliminated. What follows in a batch is one part.
std::vector<Parts> cut_run(const Sections::Batches& batches, std::span<const Group> groups) {
  std::vector<Parts> sections;
  Parts own;
  std::size_t nodes = 0;
  const auto end_section = [&] {
    std::sort(own.begin(), own.end(), [](const Sections::Part& a, const Sections::Part& b) {
      return std::pair(a.batch, a.elements.begin) < std::pair(b.batch, b.elements.begin);
    });
    Parts& made = sections.emplace_back();
    for (const Sections::Part& part : own) append_to(made, part);
    own.clear();
    nodes = 0;
  };
  for (const Group& group : groups) {
    own.push_back(group.part);
    nodes += nodes_of(*batches[group.part.batch], group.part.elements);
    if (nodes >= nodes_of_each) end_section();
  }
  if (!own.empty()) end_section();
  return sections;
}

// Takes what is of one run out of the sections. Where half of all is of none, who eliminates could not follow: then there
// are no runs.
std::vector<Run> take_runs(const Sections::Batches& batches, const Sections::Elimination& elimination,
                           std::vector<Parts>& sections) {
  std::vector<Group> found;
  std::vector<Parts> left;
  std::size_t with_run = 0;
  std::size_t without = 0;
  for (const Parts& section : sections) {
    Parts rest;
    for (const auto& [batch, elements] : section)
      for (std::size_t begin = elements.begin; begin < elements.end;) {
        const Elements of_group{begin, std::min(begin + batches[batch]->lanes(), elements.end)};
        const Standing standing = standing_of(*batches[batch], of_group, elimination);
        if (standing.run >= 0)
          found.push_back({standing, {batch, of_group}});
        else
          append_to(rest, {batch, of_group});
        (standing.run >= 0 ? with_run : without) += nodes_of(*batches[batch], of_group);
        begin = of_group.end;
      }
    if (!rest.empty()) left.push_back(std::move(rest));
  }
  if (with_run <= without) return {};
  sections = std::move(left);
  std::stable_sort(found.begin(), found.end(), [](const Group& a, const Group& b) {
    return std::pair(a.standing.run, a.standing.first_position) < std::pair(b.standing.run, b.standing.first_position);
  });
  std::vector<Run> runs;
  for (auto begin = found.begin(); begin != found.end();) {
    const int run = begin->standing.run;
    const auto end = std::find_if(begin, found.end(), [&](const Group& other) { return other.standing.run != run; });
    runs.push_back({run, cut_run(batches, {begin, end})});
    begin = end;
  }
  return runs;
}

// The same share of each batch, since what belongs together stands at the same place in most lists.
std::vector<Parts> cut_together(const Sections::Batches& batches, std::size_t count) {
  std::vector<Parts> sections;
  for (std::size_t i = 0; i < count; ++i) {
    Parts parts;
    for (std::size_t b = 0; b < batches.size(); ++b) add_share_to(parts, batches, b, i, count);
    if (!parts.empty()) sections.push_back(std::move(parts));
  }
  return sections;
}

}  // namespace

std::size_t Sections::number_for(const Batches& batches) {
  std::size_t sum = 0;
  for (const auto& batch : batches) sum += nodes_of(*batch, batch->all());
  return sum <= nodes_of_one ? 1 : (sum + nodes_of_each - 1) / nodes_of_each;
}

Sections::Sections(const Batches& batches, std::span<const int> value_start, std::size_t number,
                   const Elimination& elimination) {
  const std::size_t nodes = value_start.size() - 1;
  std::vector<Parts> together = cut_together(batches, number);
  std::vector<Run> runs;
  if (!elimination.run.empty()) runs = take_runs(batches, elimination, together);
  const std::vector<std::vector<Parts>> colors = colored(batches, std::move(together), nodes);
  std::vector<char> claimed(nodes, 0);
  for (const auto& color : colors) {
    for (const Parts& section : color) add(section, batches, value_start, claimed);
    first_of_color_.push_back(size());
  }
  first_of_run_.front() = size();
  for (const Run& run : runs) {
    for (const Parts& section : run.sections) add(section, batches, value_start, claimed);
    first_of_run_.push_back(size());
    places_.push_back(elimination.places[run.number]);
  }
}

// Nodes are claimed in the order in which sections run; the ground by none.
void Sections::add(const Parts& section, const Batches& batches, std::span<const int> value_start,
                   std::vector<char>& claimed) {
  std::vector<int> own;
  each_node(batches, section, [&](std::size_t node) {
    if (claimed[node]) return;
    claimed[node] = 1;
    own.push_back(static_cast<int>(node));
  });
  std::sort(own.begin(), own.end());
  for (const int node : own) {
    const bool follows = claims_.size() > first_claim_.back() && claims_.back().end_node == node;
    if (!follows) claims_.push_back({node, node, value_start[static_cast<std::size_t>(node)], 0});
    claims_.back().end_node = node + 1;
    claims_.back().end_value = value_start[static_cast<std::size_t>(node) + 1];
  }
  parts_.insert(parts_.end(), section.begin(), section.end());
  first_part_.push_back(parts_.size());
  first_claim_.push_back(claims_.size());
}

std::vector<int> Sections::last_of_nodes(const Batches& batches, std::size_t nodes) const {
  std::vector<int> last(nodes, -1);
  for (std::size_t i = 0; i < size(); ++i)
    for (const Part& part : (*this)[i].parts)
      for (std::size_t e = part.elements.begin; e < part.elements.end; ++e)
        for (const int node : batches[part.batch]->nodes_of(e))
          last[static_cast<std::size_t>(node)] = static_cast<int>(i);
  return last;
}

std::vector<int> Sections::last_of_blocks(const Batches& batches, std::span<const model::NodeUnknowns> unknowns) const {
  std::vector<int> last;
  const std::vector<int> of_nodes = last_of_nodes(batches, unknowns.size());
  for (std::size_t i = 0; i < of_nodes.size(); ++i)
    if (unknowns[i].count > 0) last.push_back(std::max(of_nodes[i], 0));
  for (std::size_t b = 0; b < batches.size(); ++b) {
    if (batches[b]->rows() == 0) continue;
    const std::vector<int> own = of_elements(b, batches[b]->size());
    last.insert(last.end(), own.begin(), own.end());
  }
  return last;
}

std::vector<int> Sections::of_elements(std::size_t batch, std::size_t size) const {
  std::vector<int> section(size, -1);
  for (std::size_t i = 0; i < this->size(); ++i)
    for (const Part& part : (*this)[i].parts)
      if (part.batch == batch)
        std::fill(section.begin() + static_cast<std::ptrdiff_t>(part.elements.begin),
                  section.begin() + static_cast<std::ptrdiff_t>(part.elements.end), static_cast<int>(i));
  return section;
}

}  // namespace polhode::assembly
