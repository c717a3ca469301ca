// SPDX-License-Identifier: BSD-3-Clause
// The elements of a batch in chunks that threads can take, with the same sums for any number of threads.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace polhode::model {

// A chunk is a run of consecutive elements. Chunks of one color have no node in common but the ground, so they may add
// to nodes and matrix at the same time; colors follow each other. Chunks and colors depend on the elements alone: each
// number is summed up in the same order whatever the number of threads (that of OpenMP).
class Chunks {
 public:
  static constexpr std::size_t elements = 256;  // of a chunk; a multiple of the width of vector lanes

  // `nodes`: those of all elements, one after the other, `per_element` of each.
  void make(std::span<const int> nodes, std::size_t per_element) {
    size_ = per_element == 0 ? 0 : nodes.size() / per_element;
    colors_.clear();
    if (size_ <= elements) return;
    std::vector<std::uint64_t> used(static_cast<std::size_t>(*std::max_element(nodes.begin(), nodes.end())) + 1, 0);
    for (std::size_t begin = 0; begin < size_; begin += elements) {
      const auto own = nodes.subspan(begin * per_element, (end_of(begin) - begin) * per_element);
      std::uint64_t taken = 0;
      for (const int node : own)
        if (node != 0) taken |= used[static_cast<std::size_t>(node)];
      // Beyond 64 colors the chunks are done one after the other: each is a color of its own.
      const auto color = static_cast<std::size_t>(std::countr_one(taken));
      if (color < 64)
        for (const int node : own) used[static_cast<std::size_t>(node)] |= std::uint64_t{1} << color;
      const std::size_t place = color < 64 ? color : colors_.size();
      if (place >= colors_.size()) colors_.resize(place + 1);
      colors_[place].push_back(begin);
    }
  }

  // Calls run(begin, end) for all chunks of elements.
  template <class Run>
  void each(const Run& run) const {
    if (colors_.empty()) return run(std::size_t{0}, size_);
    for (const std::vector<std::size_t>& color : colors_) {
      const auto count = static_cast<std::ptrdiff_t>(color.size());
#pragma omp parallel for schedule(static)
      for (std::ptrdiff_t i = 0; i < count; ++i) {
        const std::size_t begin = color[static_cast<std::size_t>(i)];
        run(begin, end_of(begin));
      }
    }
  }

 private:
  std::size_t end_of(std::size_t begin) const { return std::min(begin + elements, size_); }

  std::size_t size_ = 0;
  std::vector<std::vector<std::size_t>> colors_;  // first elements; none where one chunk is enough
};

}  // namespace polhode::model
