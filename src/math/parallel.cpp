// SPDX-License-Identifier: BSD-3-Clause
// Threads that help with loops.
//
// A thread that begins a loop never waits for a helper that has not begun with it: it takes all that no one else has
// taken, so that a busy processor delays a loop by one piece at most. Helpers look out for the next loop for a while, then
// sleep.
#include "polhode/math/parallel.hpp"

#include <atomic>
#include <cfenv>
#include <chrono>
#include <memory>
#include <system_error>
#include <thread>
#include <vector>
#if defined(__SSE2__)
#include <immintrin.h>
#endif
#if defined(__linux__)
#include <sched.h>
#endif

#include <algorithm>

namespace polhode::math {
namespace {

// Between two loops of a step there is less; to wake a thread that sleeps takes as long.
constexpr std::chrono::microseconds patience{50};

// False where it does not come true while a thread has patience.
template <class Condition>
bool comes_true(const Condition& condition) {
  constexpr int looks = 16;  // between looks at the clock
  const auto end = std::chrono::steady_clock::now() + patience;
  do {
    for (int i = 0; i < looks; ++i) {
      if (condition()) return true;
#if defined(__SSE2__)
      _mm_pause();
#endif
    }
  } while (std::chrono::steady_clock::now() < end);
  return false;
}

class Helpers {
 public:
  explicit Helpers(int number);
  ~Helpers();
  Helpers(const Helpers&) = delete;
  Helpers& operator=(const Helpers&) = delete;
  int number() const { return static_cast<int>(threads_.size()); }
  void run(const ParallelLoop& loop);

 private:
  // Pieces that a thread takes first: first, first + stride, ...; in a line of the cache of its own.
  struct alignas(64) Share {
    std::atomic<std::size_t> next;
    std::size_t count;
    std::size_t first;
    std::size_t stride;
  };
  void deal(const ParallelLoop& loop);
  void take_pieces(std::size_t thread);
  void help(std::size_t thread);
  static bool is_open(unsigned state) { return state % 2 != 0; }

  ParallelLoop loop_{};
  std::fenv_t environment_{};  // of the thread that has begun the loop: denormal numbers count as zero for all or none
  std::size_t length_ = 0;     // of a piece
  std::vector<Share> shares_;  // by thread, that one first
  bool is_over_ = false;
  alignas(64) std::atomic<unsigned> state_ = 0;  // counts beginnings and ends of loops
  alignas(64) std::atomic<int> inside_ = 0;      // helpers that may touch the above
  std::vector<std::jthread> threads_;
};

Helpers::Helpers(int number) : shares_(static_cast<std::size_t>(number) + 1) {
  threads_.reserve(static_cast<std::size_t>(number));
  try {
    for (std::size_t thread = 1; thread < shares_.size(); ++thread) threads_.emplace_back([=, this] { help(thread); });
  } catch (const std::system_error&) {
    // Those that have started take all shares
  }
}

Helpers::~Helpers() {
  is_over_ = true;
  ++state_;
  state_.notify_all();
}

// Several pieces a thread, so that others may take over what one does not get to.
void Helpers::deal(const ParallelLoop& loop) {
  constexpr std::size_t pieces_of_a_thread = 8;
  const std::size_t threads = shares_.size();
  const bool in_runs = loop.deal == Deal::in_runs;
  length_ = in_runs ? (loop.count - 1) / (pieces_of_a_thread * threads) + 1 : 1;
  const std::size_t pieces = (loop.count - 1) / length_ + 1;
  for (std::size_t t = 0; t < threads; ++t) {
    Share& share = shares_[t];
    share.next.store(0, std::memory_order_relaxed);
    share.first = in_runs ? pieces * t / threads : t;
    share.stride = in_runs ? 1 : threads;
    share.count = in_runs ? pieces * (t + 1) / threads - share.first : (pieces + threads - 1 - t) / threads;
  }
  loop_ = loop;
}

// Its own, then those of the others.
void Helpers::take_pieces(std::size_t thread) {
  const std::size_t threads = shares_.size();
  for (std::size_t k = 0; k < threads; ++k) {
    Share& share = shares_[(thread + k) % threads];
    for (;;) {
      const std::size_t i = share.next.fetch_add(1, std::memory_order_relaxed);
      if (i >= share.count) break;
      const std::size_t begin = (share.first + i * share.stride) * length_;
      loop_.run(loop_.body, begin, std::min(begin + length_, loop_.count));
    }
  }
}

// Either a helper sees that the loop has ended, or it is seen to be inside.
void Helpers::run(const ParallelLoop& loop) {
  deal(loop);
  std::fegetenv(&environment_);
  ++state_;
  state_.notify_all();
  take_pieces(0);
  ++state_;
  if (comes_true([&] { return inside_ == 0; })) return;
  for (int inside = inside_; inside != 0; inside = inside_) inside_.wait(inside);
}

void Helpers::help(std::size_t thread) {
  for (unsigned seen = 0;;) {
    const auto has_begun = [&] {
      const unsigned now = state_;
      return is_open(now) && now != seen;
    };
    if (!comes_true(has_begun))
      for (unsigned now = state_; !is_open(now) || now == seen; now = state_) state_.wait(now);
    ++inside_;
    seen = state_;
    if (is_open(seen)) {
      if (is_over_) return;
      std::fesetenv(&environment_);
      take_pieces(thread);
    }
    if (--inside_ == 0) inside_.notify_one();
  }
}

thread_local std::unique_ptr<Helpers> helpers;
thread_local bool is_in_loop = false;

}  // namespace

int number_of_threads() { return helpers ? helpers->number() + 1 : 1; }

void set_number_of_threads(int number) {
  if (number == number_of_threads()) return;
  helpers.reset();
  if (number > 1) helpers = std::make_unique<Helpers>(number - 1);
}

int number_of_processors() {
#if defined(__linux__)
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
#endif
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

IndexLots::IndexLots(std::span<const int> lot) : count_(lot.size()), first_of_lot_{0} {
  const int lots = lot.empty() ? 0 : *std::max_element(lot.begin(), lot.end()) + 1;
  std::vector<std::vector<Range>> of_lot(static_cast<std::size_t>(lots));
  for (std::size_t i = 0; i < lot.size(); ++i) {
    std::vector<Range>& ranges = of_lot[static_cast<std::size_t>(lot[i])];
    if (ranges.empty() || ranges.back().end != i) ranges.push_back({i, i});
    ranges.back().end = i + 1;
  }
  for (const std::vector<Range>& ranges : of_lot) {
    ranges_.insert(ranges_.end(), ranges.begin(), ranges.end());
    first_of_lot_.push_back(ranges_.size());
  }
}

// Who is to set it may have lost its processor.
void await(const std::atomic<bool>& flag) {
  const auto is_set = [&] { return flag.load(std::memory_order_acquire); };
  while (!is_set() && !comes_true(is_set)) std::this_thread::yield();
}

void run_loop(const ParallelLoop& loop) {
  if (!helpers || is_in_loop || loop.count < 2) return loop.run(loop.body, 0, loop.count);
  is_in_loop = true;
  helpers->run(loop);
  is_in_loop = false;
}

}  // namespace polhode::math
