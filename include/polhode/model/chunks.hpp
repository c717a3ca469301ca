// SPDX-License-Identifier: BSD-3-Clause
// The elements of a batch in chunks that threads can take, with the same sums for any number of threads.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "polhode/math/parallel.hpp"

namespace polhode::model {

// A chunk is a run of consecutive elements. Chunks of one color have no node in common but the ground, so they may add
// to nodes and matrix at the same time; colors follow each other. Chunks and colors depend on the elements alone: each
// number is summed up in the same order whatever the number of threads.
//
// Sums begin where a chunk is the first of all to touch a node: it clears what belongs to the node just before it adds,
// so that no pass over the whole memory is spent on zeros.
class Chunks {
 public:
  // Of a chunk, at most. A batch of no more is one chunk, for which no thread is started, unless its elements have many
  // nodes, and so much work each.
  static constexpr std::size_t elements = 256;
  // Of each chunk of a larger batch. Chunks are many, where they do not get too small, so that threads get equal shares
  // of each color; they are a multiple of the width of vector lanes, so that they hold whole groups.
  static constexpr std::size_t elements_of(std::size_t batch) {
    constexpr std::size_t chunks = 64;
    constexpr std::size_t least = 32;
    constexpr std::size_t lanes = 8;
    return std::clamp((batch / chunks + lanes - 1) / lanes * lanes, least, elements);
  }

  // Consecutive values belong to consecutive nodes.
  // A run of consecutive nodes, and the values of the matrix that are kept with them.
  struct Run {
    int first_node;
    int end_node;
    int first_value;
    int end_value;
  };
  struct Chunk {
    // elements
    std::size_t begin = 0;
    std::size_t end = 0;
    // runs that it clears
    std::size_t first_claim = 0;
    std::size_t end_claim = 0;
  };

  // `nodes`: those of all elements, one after the other, `per_element` of each.
  // Forms chunks and colors: each chunk takes the first color that none of its nodes has yet. Allocates.
  void make(std::span<const int> nodes, std::size_t per_element) {
    const std::size_t size = per_element == 0 ? 0 : nodes.size() / per_element;
    colors_.clear();
    claims_.clear();
    whole_ = {0, size};
    constexpr std::size_t nodes_of_one = 2 * elements;
    if (size <= elements && nodes.size() <= nodes_of_one) return;
    // By node: the colors of chunks that touch it, one bit each.
    std::vector<std::uint64_t> used(static_cast<std::size_t>(*std::max_element(nodes.begin(), nodes.end())) + 1, 0);
    const std::size_t length = elements_of(size);
    for (std::size_t begin = 0; begin < size; begin += length) {
      const std::size_t end = std::min(begin + length, size);
      const auto own = nodes.subspan(begin * per_element, (end - begin) * per_element);
      std::uint64_t taken = 0;
      for (const int node : own)
        if (node != 0) taken |= used[static_cast<std::size_t>(node)];
      // Beyond 64 colors the chunks are done one after the other: each is a color of its own.
      // The lowest color that no node of the chunk has yet.
      const auto color = static_cast<std::size_t>(std::countr_one(taken));
      if (color < 64)
        for (const int node : own) used[static_cast<std::size_t>(node)] |= std::uint64_t{1} << color;
      const std::size_t place = color < 64 ? color : colors_.size();
      if (place >= colors_.size()) colors_.resize(place + 1);
      colors_[place].push_back({begin, end});
    }
  }

  // Claims the nodes that nobody has claimed yet, but the ground, for the chunks in the order in which they run.
  // `value_start`: where the values kept with each node begin, and the end of those of the last.
  void claim(std::span<const int> nodes, std::size_t per_element, std::vector<char>& claimed,
             std::span<const int> value_start) {
    claims_.clear();
    std::vector<int> own;
    const auto one = [&](Chunk& chunk) {
      own.clear();
      for (const int node : nodes.subspan(chunk.begin * per_element, (chunk.end - chunk.begin) * per_element))
        if (node != 0 && !claimed[static_cast<std::size_t>(node)]) {
          claimed[static_cast<std::size_t>(node)] = 1;
          own.push_back(node);
        }
      std::sort(own.begin(), own.end());
      chunk.first_claim = claims_.size();
      for (const int node : own) {
        const bool next = claims_.size() > chunk.first_claim && claims_.back().end_node == node;
        if (!next) claims_.push_back({node, node, value_start[static_cast<std::size_t>(node)], 0});
        claims_.back().end_node = node + 1;
        claims_.back().end_value = value_start[static_cast<std::size_t>(node) + 1];
      }
      chunk.end_claim = claims_.size();
    };
    if (colors_.empty()) return one(whole_);
    for (auto& color : colors_)
      for (Chunk& chunk : color) one(chunk);
  }
  // What a chunk has to clear.
  std::span<const Run> claims(const Chunk& chunk) const {
    return {claims_.data() + chunk.first_claim, chunk.end_claim - chunk.first_claim};
  }

  // Chunks of one color may run on several threads at a time; `run` must not throw.
  // Calls run(chunk) for all chunks.
  template <class Function>
  void each(const Function& run) const {
    if (colors_.empty()) return run(whole_);
    for (const std::vector<Chunk>& color : colors_)
      math::in_parallel(color.size(), [&](std::size_t i) { run(color[i]); });
  }

 private:
  Chunk whole_;
  std::vector<std::vector<Chunk>> colors_;  // none where one chunk is enough
  std::vector<Run> claims_;
};

}  // namespace polhode::model
