// SPDX-License-Identifier: BSD-3-Clause
// Threads that help with loops.
//
// A thread that begins a loop never waits for a helper that has not begun with it: it takes all that no one else has
// taken, so that a busy processor delays a loop by one piece at most. Helpers look out for the next loop for a while, then
// sleep.
#include "polhode/math/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <cfenv>
#include <chrono>
#include <cstdint>
#include <memory>
#include <numeric>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>
#if defined(__SSE2__)
#include <immintrin.h>
#endif
#if defined(__linux__)
#include <sched.h>
#endif

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

// Waits for what another thread does, which may have lost its processor.
template <class Condition>
void wait_until(const Condition& condition) {
  while (!condition() && !comes_true(condition)) std::this_thread::yield();
}

// How a thread rounds, and whether denormal numbers count as zero.
unsigned rounding() {
#if defined(__SSE2__)
  return _mm_getcsr() & ~static_cast<unsigned>(_MM_EXCEPT_MASK);
#else
  return static_cast<unsigned>(std::fegetround());
#endif
}

// What a thread takes first of a loop, in a line of the cache of its own: in one word the number of the loop, where the
// thread is, and how many of its pieces anyone has taken. The word of an earlier loop stands for none taken, by a thread
// that is away. So a thread comes to a loop, or is kept out of it once all is taken, by one exchange.
class alignas(64) Share {
 public:
  // Of the thread that begins the loop.
  void begin(std::uint32_t loop) { word_.store(untouched(loop) | inside, std::memory_order_relaxed); }
  // False if the loop is over.
  bool enter(std::uint32_t loop) {
    return change(loop, [](std::uint64_t word) { return (word & place) == away ? word | inside : word; });
  }
  void leave() { word_.fetch_add(gone - inside, std::memory_order_release); }
  // Comes back when the thread is not in the loop, to which it cannot come any more.
  void close(std::uint32_t loop) {
    change(loop, [](std::uint64_t word) { return (word & place) == away ? word | gone : word; });
    wait_until([&] { return (word_.load(std::memory_order_acquire) & place) == gone; });
  }
  // How many have been taken before, if not all: then one more is.
  std::size_t take(std::uint32_t loop, std::size_t all) {
    std::size_t taken = all;
    change(loop, [&](std::uint64_t word) {
      taken = std::min(all, word & pieces);
      return taken < all ? word + 1 : word;
    });
    return taken;
  }

 private:
  // Of the word: pieces that are taken; where the thread is; above both the number of the loop
  static constexpr std::uint64_t pieces = (std::uint64_t{1} << 30) - 1;
  static constexpr std::uint64_t place = std::uint64_t{3} << 30;
  static constexpr std::uint64_t away = 0;
  static constexpr std::uint64_t inside = std::uint64_t{1} << 30;
  static constexpr std::uint64_t gone = std::uint64_t{2} << 30;
  static constexpr std::uint64_t untouched(std::uint32_t loop) { return std::uint64_t{loop} << 32; }
  // The word becomes next(word), if that is another. False if it stays, or if a later loop has begun.
  template <class Next>
  bool change(std::uint32_t loop, const Next& next) {
    std::uint64_t word = word_.load(std::memory_order_relaxed);
    for (;;) {
      const auto ahead = static_cast<std::int32_t>(static_cast<std::uint32_t>(word >> 32) - loop);
      if (ahead > 0) return false;
      const std::uint64_t known = ahead < 0 ? untouched(loop) : word;
      const std::uint64_t wanted = next(known);
      if (wanted == known) return false;
      if (word_.compare_exchange_weak(word, wanted, std::memory_order_acq_rel, std::memory_order_relaxed)) return true;
    }
  }

  std::atomic<std::uint64_t> word_ = 0;
};

class Helpers {
 public:
  explicit Helpers(int number);
  ~Helpers();
  Helpers(const Helpers&) = delete;
  Helpers& operator=(const Helpers&) = delete;
  int number() const { return static_cast<int>(threads_.size()); }
  void run(const ParallelLoop& loop);

 private:
  void take_pieces(std::size_t thread);
  void help(std::size_t thread);
  void begin_next() {
    ++number_;
    number_.notify_all();
  }

  // One line of the cache brings a helper the number of the loop and the loop. Threads that are inside may read all but
  // the number.
  alignas(64) std::atomic<std::uint32_t> number_ = 0;
  unsigned rounding_ = 0;
  ParallelLoop loop_{};
  std::size_t length_ = 0;  // of a piece
  std::atomic<bool> is_over_ = false;
  std::fenv_t environment_{};  // of the thread that begins loops, where it rounds so
  std::vector<Share> shares_;  // by thread, that one first
  std::vector<std::jthread> threads_;
};

Helpers::Helpers(int number) : rounding_(rounding()), shares_(static_cast<std::size_t>(number) + 1) {
  std::fegetenv(&environment_);
  threads_.reserve(static_cast<std::size_t>(number));
  try {
    for (std::size_t thread = 1; thread < shares_.size(); ++thread) threads_.emplace_back([=, this] { help(thread); });
  } catch (const std::system_error&) {
    // Those that have started take all shares
  }
}

Helpers::~Helpers() {
  is_over_ = true;
  begin_next();
}

// Several pieces a thread, so that others may take over what one does not get to.
void Helpers::run(const ParallelLoop& loop) {
  constexpr std::size_t pieces_of_a_thread = 8;
  length_ = loop.places ? 1 : (loop.count - 1) / (pieces_of_a_thread * shares_.size()) + 1;
  loop_ = loop;
  if (const unsigned now = rounding(); now != rounding_) {
    rounding_ = now;
    std::fegetenv(&environment_);
  }
  const std::uint32_t number = number_.load(std::memory_order_relaxed) + 1;
  shares_[0].begin(number);
  begin_next();
  take_pieces(0);
  for (std::size_t thread = 1; thread < shares_.size(); ++thread) shares_[thread].close(number);
}

// Its own, then those of the others. Items of a length are dealt out by number, others to the thread in whose part of the
// work their middle lies.
void Helpers::take_pieces(std::size_t thread) {
  const std::uint32_t number = number_.load(std::memory_order_relaxed);
  const ParallelLoop loop = loop_;
  const std::size_t length = length_;
  const std::size_t threads = shares_.size();
  const std::size_t pieces = (loop.count - 1) / length + 1;
  const auto first_of = [&](std::size_t t) {
    if (!loop.places || t == threads) return pieces * t / threads;
    const double begin = static_cast<double>(t) / static_cast<double>(threads);
    return static_cast<std::size_t>(std::lower_bound(loop.places, loop.places + pieces, begin) - loop.places);
  };
  for (std::size_t k = 0; k < threads; ++k) {
    const std::size_t t = (thread + k) % threads;
    const std::size_t first = first_of(t);
    const std::size_t count = first_of(t + 1) - first;
    for (;;) {
      const std::size_t i = shares_[t].take(number, count);
      if (i == count) break;
      const std::size_t begin = (first + i) * length;
      loop.run(loop.body, begin, std::min(begin + length, loop.count));
    }
  }
}

// Who comes too late for a loop looks out for the next.
void Helpers::help(std::size_t thread) {
  Share& own = shares_[thread];
  unsigned own_rounding = rounding();
  for (std::uint32_t seen = 0;;) {
    const auto has_begun = [&] { return number_.load(std::memory_order_acquire) != seen; };
    if (!comes_true(has_begun)) number_.wait(seen);
    seen = number_;
    if (is_over_) return;
    if (!own.enter(seen)) continue;
    if (own_rounding != rounding_) {
      own_rounding = rounding_;
      std::fesetenv(&environment_);
    }
    take_pieces(thread);
    own.leave();
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

// Nothing to do at all is in one place.
std::vector<double> places_of(std::span<const double> work) {
  const double all = std::accumulate(work.begin(), work.end(), 0.0);
  std::vector<double> places;
  double before = 0;
  for (const double own : work) {
    places.push_back(all > 0 ? (before + own / 2) / all : 0);
    before += own;
  }
  return places;
}

IndexLots::IndexLots(std::size_t count)
    : count_(count), places_{0}, ranges_{{0, static_cast<std::ptrdiff_t>(count)}}, first_of_lot_{0, 1} {}

IndexLots::IndexLots(std::span<const int> lot, std::vector<double> places) : IndexLots(lot.size()) {
  if (places.size() > most) return;
  places_ = std::move(places);
  ranges_.clear();
  first_of_lot_ = {0};
  std::vector<std::vector<Range>> of_lot(places_.size());
  for (std::size_t i = 0; i < lot.size(); ++i) {
    std::vector<Range>& ranges = of_lot[static_cast<std::size_t>(lot[i])];
    const auto index = static_cast<std::ptrdiff_t>(i);
    if (ranges.empty() || ranges.back().begin + ranges.back().count != index) ranges.push_back({index, 0});
    ++ranges.back().count;
  }
  for (const std::vector<Range>& ranges : of_lot) {
    ranges_.insert(ranges_.end(), ranges.begin(), ranges.end());
    first_of_lot_.push_back(ranges_.size());
  }
}

void await(const std::atomic<bool>& flag) {
  wait_until([&] { return flag.load(std::memory_order_acquire); });
}

void run_loop(const ParallelLoop& loop) {
  if (!helpers || is_in_loop || loop.count < 2) return loop.run(loop.body, 0, loop.count);
  is_in_loop = true;
  helpers->run(loop);
  is_in_loop = false;
}

}  // namespace polhode::math
