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
// Groups of elements in lanes stay whole.
constexpr std::size_t lanes = 8;

std::size_t nodes_of(const model::BatchBase& batch) { return batch.size() * static_cast<std::size_t>(batch.nodes()); }

// Adds the i-th of so many shares of a batch, if it has any elements.
void add_share_to(Parts& parts, const Sections::Batches& batches, std::size_t batch, std::size_t i, std::size_t of) {
  const std::size_t size = batches[batch]->size();
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

// Where a section stands in the elimination; its run is -1 if its nodes are not of one.
struct Standing {
  int run = -1;
  int first_position = std::numeric_limits<int>::max();
};

Standing standing_of(const Sections::Batches& batches, const Parts& section, const Sections::Elimination& elimination) {
  Standing made;
  bool is_first = true;
  each_node(batches, section, [&](std::size_t node) {
    made.run = is_first || made.run == elimination.run[node] ? elimination.run[node] : -1;
    is_first = false;
    made.first_position = std::min(made.first_position, elimination.position[node]);
  });
  return made;
}

// Takes them out of the sections. Where half of all have no run, who eliminates could not follow: then there are none.
std::vector<std::vector<Parts>> take_runs(const Sections::Batches& batches, const Sections::Elimination& elimination,
                                          std::vector<Parts>& sections) {
  std::vector<std::pair<Standing, Parts>> found;
  for (const Parts& section : sections) found.emplace_back(standing_of(batches, section, elimination), section);
  const auto has_run = [](const auto& section) { return section.first.run >= 0; };
  if (2 * std::count_if(found.begin(), found.end(), has_run) <= std::ssize(found)) return {};
  sections.clear();
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
    return std::pair(a.first.run, a.first.first_position) < std::pair(b.first.run, b.first.first_position);
  });
  std::vector<std::vector<Parts>> runs;
  int last = -1;
  for (auto& [standing, section] : found) {
    if (standing.run < 0) {
      sections.push_back(std::move(section));
      continue;
    }
    if (runs.empty() || last != standing.run) runs.emplace_back();
    last = standing.run;
    runs.back().push_back(std::move(section));
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

// Batch by batch, where their lists have another order, so that few sections could run side by side else.
std::vector<std::vector<Parts>> cut_one_by_one(const Sections::Batches& batches, std::size_t nodes) {
  std::vector<std::vector<Parts>> colors;
  for (std::size_t b = 0; b < batches.size(); ++b) {
    const std::size_t own = (nodes_of(*batches[b]) + nodes_of_each - 1) / nodes_of_each;
    std::vector<Parts> sections;
    for (std::size_t i = 0; i < own; ++i) {
      Parts parts;
      add_share_to(parts, batches, b, i, own);
      if (!parts.empty()) sections.push_back(std::move(parts));
    }
    for (auto& color : colored(batches, std::move(sections), nodes)) colors.push_back(std::move(color));
  }
  return colors;
}

}  // namespace

Sections::Sections(const Batches& batches, std::span<const int> value_start,
                   const std::function<Elimination(std::size_t sections)>& elimination) {
  const std::size_t nodes = value_start.size() - 1;
  std::size_t sum = 0;
  for (const auto& batch : batches) sum += nodes_of(*batch);
  const std::size_t count = sum <= nodes_of_one ? 1 : (sum + nodes_of_each - 1) / nodes_of_each;
  std::vector<Parts> together = cut_together(batches, count);
  std::vector<std::vector<Parts>> runs;
  if (count > 1) runs = take_runs(batches, elimination(together.size()), together);
  std::vector<std::vector<Parts>> colors = colored(batches, std::move(together), nodes);
  if (count > 1 && runs.empty())
    if (auto others = cut_one_by_one(batches, nodes); colors.size() > others.size() + 1) colors = std::move(others);
  std::vector<char> claimed(nodes, 0);
  for (const auto& color : colors) {
    for (const Parts& section : color) add(section, batches, value_start, claimed);
    first_of_color_.push_back(size());
  }
  first_of_run_.front() = size();
  for (const auto& run : runs) {
    for (const Parts& section : run) add(section, batches, value_start, claimed);
    first_of_run_.push_back(size());
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
