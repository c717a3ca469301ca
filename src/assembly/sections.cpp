// SPDX-License-Identifier: BSD-3-Clause
// Sections of elements: cuts, colors, and which nodes each clears.
#include "polhode/assembly/sections.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

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

// The same share of each batch, since what belongs together stands at the same place in most lists; where their lists
// have another order, so that few sections could run side by side, batch by batch.
std::vector<std::vector<Parts>> cut(const Sections::Batches& batches, std::size_t nodes) {
  std::size_t sum = 0;
  for (const auto& batch : batches) sum += nodes_of(*batch);
  const std::size_t count = sum <= nodes_of_one ? 1 : (sum + nodes_of_each - 1) / nodes_of_each;
  std::vector<Parts> together;
  for (std::size_t i = 0; i < count; ++i) {
    Parts parts;
    for (std::size_t b = 0; b < batches.size(); ++b) add_share_to(parts, batches, b, i, count);
    if (!parts.empty()) together.push_back(std::move(parts));
  }
  std::vector<std::vector<Parts>> colors = colored(batches, std::move(together), nodes);
  if (count == 1) return colors;

  std::vector<std::vector<Parts>> one_by_one;
  for (std::size_t b = 0; b < batches.size(); ++b) {
    const std::size_t own = (nodes_of(*batches[b]) + nodes_of_each - 1) / nodes_of_each;
    std::vector<Parts> sections;
    for (std::size_t i = 0; i < own; ++i) {
      Parts parts;
      add_share_to(parts, batches, b, i, own);
      if (!parts.empty()) sections.push_back(std::move(parts));
    }
    for (auto& color : colored(batches, std::move(sections), nodes)) one_by_one.push_back(std::move(color));
  }
  return colors.size() <= one_by_one.size() + 1 ? colors : one_by_one;
}

}  // namespace

// Nodes are claimed in the order in which sections run; the ground by none.
Sections::Sections(const Batches& batches, std::span<const int> value_start) {
  const std::size_t nodes = value_start.size() - 1;
  std::vector<char> claimed(nodes, 0);
  std::vector<int> own;
  for (const auto& color : cut(batches, nodes)) {
    for (const Parts& section : color) {
      own.clear();
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
    first_of_color_.push_back(first_part_.size() - 1);
  }
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
