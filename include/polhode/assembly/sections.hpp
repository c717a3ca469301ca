// SPDX-License-Identifier: BSD-3-Clause
// The elements of all batches in sections: so many at a time that what they write stays in the cache, for threads to
// take, with the same sums for any number of threads.
#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "polhode/math/parallel.hpp"
#include "polhode/model/batch_base.hpp"

namespace polhode::assembly {

// A section has elements of each batch: those in the same part of the deck or, of a run, those whose nodes are
// eliminated one behind the other. Sections of one color have no node in common but the ground, so they may add to
// nodes and matrix at the same time; colors follow each other. Behind all colors come runs: sections one behind the
// other, as their nodes are eliminated, so that who eliminates may follow (BlockSolver). A run has nodes of its own,
// and none of another run; what belongs to several has a color.
// Sections, colors and runs depend on the elements alone: each number is summed up in the same order whatever the number
// of threads.
//
// Sums begin where a section is the first of all to touch a node: it clears what belongs to the node just before it
// adds, so that no pass over the whole memory is spent on zeros.
class Sections {
 public:
  using Batches = std::vector<std::unique_ptr<model::BatchBase>>;
  struct Part {
    std::size_t batch;
    model::Elements elements;
  };
  // Consecutive nodes, and the values of the matrix that are kept with them.
  struct Claim {
    int first_node;
    int end_node;
    int first_value;
    int end_value;
  };
  struct Section {
    std::span<const Part> parts;
    // What it clears
    std::span<const Claim> claims;
  };

  Sections() = default;
  // When nodes are eliminated, by node.
  struct Elimination {
    std::vector<int> position;
    // Numbers ascend with positions; -1: in none
    std::vector<int> run;
    // The same by constraint equation
    std::vector<int> run_of_row;
    // By run, for in_parallel(): who assembles is who eliminates
    std::vector<double> places;
  };
  // About so many sections do; 1: the model is not worth threads.
  static std::size_t number_for(const Batches& batches);
  // `value_start`: by node, the first value of the matrix that is kept with it; one entry more than there are nodes.
  // `number`: of number_for(). `elimination`: empty where there are to be no runs.
  Sections(const Batches& batches, std::span<const int> value_start, std::size_t number,
           const Elimination& elimination);

  // Of a color, its first section; of colors(), that of the first run.
  std::size_t colors() const { return first_of_color_.size() - 1; }
  std::size_t first_of(std::size_t color) const { return first_of_color_[color]; }
  // Of a run, its first section; of runs(), the number of sections.
  std::size_t runs() const { return first_of_run_.size() - 1; }
  std::size_t first_of_run(std::size_t run) const { return first_of_run_[run]; }
  // In the order in which one thread takes them.
  std::size_t size() const { return first_part_.size() - 1; }
  Section operator[](std::size_t i) const {
    return {{parts_.data() + first_part_[i], first_part_[i + 1] - first_part_[i]},
            {claims_.data() + first_claim_[i], first_claim_[i + 1] - first_claim_[i]}};
  }
  // Calls run(number of the section) for all of them. Those of one color, and runs, may be on several threads at a time;
  // `run` must not throw.
  template <class Function>
  void each(const Function& run) const {
    each_with_color(run);
    math::in_parallel(places_, [&](std::size_t i) {
      for (std::size_t section = first_of_run(i); section < first_of_run(i + 1); ++section) run(section);
    });
  }
  // For those of colors alone.
  template <class Function>
  void each_with_color(const Function& run) const {
    for (std::size_t color = 0; color < colors(); ++color) {
      const std::size_t first = first_of(color);
      const std::size_t count = first_of(color + 1) - first;
      if (count == 1) {
        run(first);
        continue;
      }
      math::in_parallel(count, [&](std::size_t i) { run(first + i); });
    }
  }
  // By node (the ground has none), the last section that touches it, -1 without; by element of a batch, its own.
  std::vector<int> last_of_nodes(const Batches& batches, std::size_t nodes) const;
  std::vector<int> of_elements(std::size_t batch, std::size_t size) const;
  // By block of the system's matrix (nodes that have unknowns, then elements that have rows): the last that writes to it.
  std::vector<int> last_of_blocks(const Batches& batches, std::span<const model::NodeUnknowns> unknowns) const;

 private:
  void add(const std::vector<Part>& section, const Batches& batches, std::span<const int> value_start,
           std::vector<char>& claimed);

  // By section, with the end of the last
  std::vector<std::size_t> first_part_{0};
  std::vector<std::size_t> first_claim_{0};
  std::vector<std::size_t> first_of_color_{0};
  std::vector<std::size_t> first_of_run_{0};
  std::vector<double> places_;  // of runs
  std::vector<Part> parts_;
  std::vector<Claim> claims_;
};

}  // namespace polhode::assembly
