// SPDX-License-Identifier: BSD-3-Clause
// Loops over many independent items, by several threads.
// Results do not depend on the number of threads where each item writes to its own place.
#pragma once
#include <algorithm>
#include <array>
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

// What in_parallel() hands on.
struct ParallelLoop {
  void (*run)(const void* body, std::size_t begin, std::size_t end);
  const void* body;
  std::size_t count;
  const double* places;  // null: items are of a length

  template <class Run>
  static ParallelLoop over(const Run& run, std::size_t count, const double* places) {
    constexpr auto run_part = [](const void* body, std::size_t begin, std::size_t end) {
      const Run& call = *static_cast<const Run*>(body);
      for (std::size_t i = begin; i < end; ++i) call(i);
    };
    return {run_part, &run, count, places};
  }
};
void run_loop(const ParallelLoop& loop);

// Calls run(i) for i = 0 ... count - 1, in any order; the calls must not depend on each other.
// `run` must not throw. A loop inside of another has one thread. Allocates nothing.
// A thread takes items next to each other first, the same ones in each loop of a length, then what others have not got to
// yet.
template <class Run>
void in_parallel(std::size_t count, const Run& run) {
  run_loop(ParallelLoop::over(run, count, nullptr));
}

// The same for few items of different length: where the middle of each is in all that is to do, from 0 to 1, ascending.
// Loops over parts of the same work are dealt alike, though each may leave out items that have nothing to do in it.
template <class Run>
void in_parallel(std::span<const double> places, const Run& run) {
  run_loop(ParallelLoop::over(run, places.size(), places.data()));
}
// By how much there is to do for each.
std::vector<double> places_of(std::span<const double> work);

// in_parallel() for items that take some nanoseconds each: by one thread where they are few.
template <class Run>
void for_each_index(std::size_t count, const Run& run) {
  // Below, waking threads costs more than the loop.
  constexpr std::size_t worth_it = 512;
  if (count >= worth_it) return in_parallel(count, run);
  for (std::size_t i = 0; i < count; ++i) run(i);
}

// Within a loop: comes back when another thread of it has set `flag`.
void await(const std::atomic<bool>& flag);

// Indices 0 ... count - 1 in lots. A thread takes the same lots in each loop over them: what it has written before is in
// its cache.
class IndexLots {
 public:
  struct Range {
    std::ptrdiff_t begin;
    std::ptrdiff_t count;
  };

  // All in one: loops are dealt as those of for_each_index().
  explicit IndexLots(std::size_t count = 0);
  // By index, its lot; of lots, their places. More than `most` are one.
  IndexLots(std::span<const int> lot, std::vector<double> places);
  static constexpr std::size_t most = 64;
  std::size_t count() const { return count_; }
  std::size_t lots() const { return places_.size(); }
  // Ascending.
  std::span<const Range> ranges_of(std::size_t lot) const {
    return {ranges_.data() + first_of_lot_[lot], first_of_lot_[lot + 1] - first_of_lot_[lot]};
  }
  // Calls run(i) for each of them. One thread runs the loop that several run: compiled twice, rounding may differ.
  template <class Run>
  void each(const Run& run) const {
    if (lots() == 1) return for_each_index(count_, run);
    each_lot([&](std::size_t lot) { each_of(lot, run); });
  }

  // Calls run(begin, count) for each range of each lot.
  template <class Run>
  void each_range(const Run& run) const {
    each_lot([&](std::size_t lot) {
      for (const auto [begin, count] : ranges_of(lot)) run(begin, count);
    });
  }
  // Calls run(lot).
  template <class Run>
  void each_lot(const Run& run) const {
    in_parallel(places_, run);
  }
  // Those of a lot, in this thread.
  template <class Run>
  void each_of(std::size_t lot, const Run& run) const {
    for (const auto [begin, count] : ranges_of(lot))
      for (std::ptrdiff_t i = begin; i < begin + count; ++i) run(static_cast<std::size_t>(i));
  }

 private:
  std::size_t count_;
  std::vector<double> places_;
  std::vector<Range> ranges_;
  std::vector<std::size_t> first_of_lot_;  // by lot, its first range, with the end of the last
};

// The sum of sum_of(lot) by all lots, the same for any number of threads.
template <class Sum, class SumOf>
Sum sum_of_lots(const IndexLots& lots, const SumOf& sum_of) {
  if (lots.lots() == 1) return sum_of(std::size_t{0});
  struct alignas(64) Part {
    Sum sum;
  };
  std::array<Part, IndexLots::most> parts;
  lots.each_lot([&](std::size_t lot) { parts[lot].sum = sum_of(lot); });
  for (std::size_t lot = 1; lot < lots.lots(); ++lot) parts[0].sum += parts[lot].sum;
  return parts[0].sum;
}

}  // namespace polhode::math
