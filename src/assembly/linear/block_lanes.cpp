// SPDX-License-Identifier: BSD-3-Clause
// Elimination behind the assembly of sections: up to which position it may go on behind each of them.
#include <algorithm>

#include "polhode/assembly/linear/block_solver.hpp"

namespace polhode::assembly {

// No lanes where all is taken by rows.
void BlockSolver::follow(const Sections& sections, std::span<const int> finished_by) {
  sections_ = &sections;
  behind_.assign(sections.size(), 0);
  std::vector<int> finished(static_cast<std::size_t>(layout_.count));
  for (int p = 0; p < layout_.count; ++p) {
    const auto block = std::lower_bound(matrix_.block_start.begin(), matrix_.block_start.end(), layout_.first[p]);
    finished[p] = finished_by[static_cast<std::size_t>(block - matrix_.block_start.begin())];
  }
  const bool by_rows = layout_.top == 0 && !layout_.updates.empty();
  lanes_ = sections.runs() > 0 && !by_rows ? lanes(finished) : std::vector<Lane>();
}

// A position waits for its own values and for those of the later ones that it updates, but not for the top, which comes
// last. None where two tasks have sections of one run.
std::vector<BlockSolver::Lane> BlockSolver::lanes(std::span<const int> finished) {
  std::vector<Lane> made;
  const std::size_t first = sections_->first_of_run(0);
  std::vector<int> begin = layout_.task_begin;
  if (layout_.top == 0) begin.push_back(layout_.count);
  std::size_t taken = first;
  for (std::size_t task = 0; task + 1 < begin.size(); ++task) {
    Lane lane{begin[task], begin[task + 1], taken, taken};
    int before = -1;
    for (int p = lane.begin; p < lane.end; ++p) {
      int last = finished[p];
      for (int i = layout_.start[p]; i < layout_.start[p + 1]; ++i)
        if (const int q = layout_.neighbours[i].block; q < lane.end) last = std::max(last, finished[q]);
      if (finished[p] >= static_cast<int>(first) && finished[p] < static_cast<int>(taken)) return {};
      before = std::max(before, last);
      if (before >= static_cast<int>(taken)) behind_[static_cast<std::size_t>(before)] = p + 1;
    }
    for (std::size_t run = 0; run < sections_->runs(); ++run)
      if (static_cast<int>(sections_->first_of_run(run)) <= before)
        taken = std::max(taken, sections_->first_of_run(run + 1));
    lane.end_section = taken;
    made.push_back(lane);
  }
  made.back().end_section = sections_->size();
  return made;
}

}  // namespace polhode::assembly
