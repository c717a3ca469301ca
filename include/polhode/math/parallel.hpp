// SPDX-License-Identifier: BSD-3-Clause
// Loops over many independent items, by several threads.
// Results do not depend on the number of threads where each item writes to its own place.
#pragma once
#include <atomic>
#include <cstddef>
#include <span>
#include <vector>

namespace polhode::math {

// Threads that loops of the calling thread run on: itself, and helpers of its own that wait for loops. 1 at first.
int number_of_threads();
// Starts helpers, as many as the system lets have, or ends them. Call it outside of loops; a process with helpers is not
// to be forked.
void set_number_of_threads(int number);
// Those that the calling thread may run on, which a scheduler can limit.
int number_of_processors();

// Which items a thread takes first, before it takes what others have not got to yet: a run of items next to each other,
// the same one in each loop of a length, or each n-th of n threads, where the first items are the longest.
enum class Deal { in_runs, in_turns };

// What in_parallel() hands on.
struct ParallelLoop {
  void (*run)(const void* body, std::size_t begin, std::size_t end);
  const void* body;
  std::size_t count;
  Deal deal;
};
void run_loop(const ParallelLoop& loop);

// Calls run(i) for i = 0 ... count - 1, in any order; the calls must not depend on each other.
// `run` must not throw. A loop inside of another has one thread. Allocates nothing.
template <class Run>
void in_parallel(std::size_t count, const Run& run, Deal deal = Deal::in_runs) {
  constexpr auto run_part = [](const void* body, std::size_t begin, std::size_t end) {
    const Run& call = *static_cast<const Run*>(body);
    for (std::size_t i = begin; i < end; ++i) call(i);
  };
  run_loop({run_part, &run, count, deal});
}

// The same for items that take some nanoseconds each: by one thread where they are few.
template <class Run>
void for_each_index(std::size_t count, const Run& run) {
  // Below, waking threads costs more than the loop.
  constexpr std::size_t worth_it = 512;
  if (count >= worth_it) return in_parallel(count, run);
  for (std::size_t i = 0; i < count; ++i) run(i);
}

// Within a loop: comes back when another thread of it has set `flag`.
void await(const std::atomic<bool>& flag);

// Indices 0 ... count - 1 in lots. A thread takes the same lots in each loop over them, in turns: what it has written
// before is in its cache.
class IndexLots {
 public:
  // All in one: loops are dealt as those of for_each_index().
  explicit IndexLots(std::size_t count = 0) : count_(count) {}
  // `lot`, by index: its lot, from 0 on.
  explicit IndexLots(std::span<const int> lot);
  std::size_t count() const { return count_; }
  // Calls run(i) for each of them. One thread runs the loop that several run: compiled twice, rounding may differ.
  template <class Run>
  void each(const Run& run) const {
    if (first_of_lot_.empty()) return for_each_index(count_, run);
    in_parallel(
        first_of_lot_.size() - 1,
        [&](std::size_t lot) {
          for (std::size_t k = first_of_lot_[lot]; k < first_of_lot_[lot + 1]; ++k)
            for (std::size_t i = ranges_[k].begin; i < ranges_[k].end; ++i) run(i);
        },
        Deal::in_turns);
  }

 private:
  struct Range {
    std::size_t begin;
    std::size_t end;
  };
  std::size_t count_;
  std::vector<Range> ranges_;
  std::vector<std::size_t> first_of_lot_;  // by lot, its first range, with the end of the last; empty: all in one
};

}  // namespace polhode::math
