// SPDX-License-Identifier: BSD-3-Clause
// Loops by several threads: each item once, by whatever thread.
#include "polhode/math/parallel.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cfenv>
#include <chrono>
#include <cmath>
#include <numeric>
#include <thread>
#include <vector>

namespace polhode::math {
namespace {

class Parallel : public testing::Test {
 protected:
  void TearDown() override { set_number_of_threads(1); }
};

TEST_F(Parallel, LoopsCallEachItemOnce) {
  for (const int threads : {1, 2, 3, 8}) {
    set_number_of_threads(threads);
    EXPECT_EQ(number_of_threads(), threads);
    for (std::size_t count = 0; count < 300; ++count) {
      std::vector<int> calls(count, 0);
      in_parallel(count, [&](std::size_t i) { ++calls[i]; });
      std::vector<double> work(count);
      for (std::size_t i = 0; i < count; ++i) work[i] = static_cast<double>(i * i % 7);
      in_parallel(places_of(work), [&](std::size_t i) { ++calls[i]; });
      EXPECT_EQ(calls, std::vector<int>(count, 2)) << threads;
    }
    std::vector<int> calls(100000, 0);
    for_each_index(calls.size(), [&](std::size_t i) { ++calls[i]; });
    EXPECT_EQ(calls, std::vector<int>(calls.size(), 1));
  }
}

// Every third index, and those of no particular order.
TEST_F(Parallel, LotsHoldEachIndexOnce) {
  std::vector<int> lot(5000);
  for (std::size_t i = 0; i < lot.size(); ++i) lot[i] = static_cast<int>(i < 2000 ? i % 3 : 3 + (i * i / 7) % 5);
  for (const IndexLots& lots :
       {IndexLots(lot, places_of(std::vector<double>{1, 5, 0, 2, 2, 9, 1, 1})), IndexLots(lot.size())})
    for (const int threads : {1, 2, 8}) {
      set_number_of_threads(threads);
      EXPECT_EQ(lots.count(), lot.size());
      std::vector<int> calls(lot.size(), 0);
      lots.each([&](std::size_t i) { ++calls[i]; });
      EXPECT_EQ(calls, std::vector<int>(lot.size(), 1)) << threads;
      lots.each_range([&](std::ptrdiff_t begin, std::ptrdiff_t count_of_range) {
        for (auto i = begin; i < begin + count_of_range; ++i) ++calls[static_cast<std::size_t>(i)];
      });
      EXPECT_EQ(calls, std::vector<int>(lot.size(), 2)) << threads;
    }
  IndexLots({}, {}).each([](std::size_t) { FAIL(); });
}

// Terms of different size, so that the order in which they are added shows.
TEST_F(Parallel, SumsOverLotsAreTheSameForAnyNumberOfThreads) {
  constexpr int lots_of_test = 60;
  std::vector<double> term(5000);
  std::vector<int> lot(term.size());
  for (std::size_t i = 0; i < term.size(); ++i) {
    term[i] = std::sin(static_cast<double>(i)) / static_cast<double>(i % 13 + 1);
    lot[i] = static_cast<int>(i * i / 3 % lots_of_test);
  }
  const IndexLots lots(lot, places_of(std::vector<double>(lots_of_test, 1)));
  const auto sum = [&] {
    return sum_of_lots<double>(lots, [&](std::size_t of) {
      double part = 0;
      lots.each_of(of, [&](std::size_t i) { part += term[i]; });
      return part;
    });
  };
  const double alone = sum();
  EXPECT_NEAR(alone, std::accumulate(term.begin(), term.end(), 0.0), 1e-10);
  for (const int threads : {2, 3, 8}) {
    set_number_of_threads(threads);
    for (int k = 0; k < 20; ++k) EXPECT_EQ(sum(), alone) << threads;
  }
}

// Three quarters of the items are half of the work. The first waits for the last, so that another thread has begun with
// that: dealt by number it would have begun with the third.
TEST_F(Parallel, ItemsOfDifferentLengthAreDealtByWork) {
  set_number_of_threads(2);
  for (int k = 0; k < 10; ++k) {
    std::atomic<int> begun = 0;
    std::vector<std::atomic<int>> turn(4);
    in_parallel(places_of(std::vector<double>{1, 1, 1, 3}), [&](std::size_t i) {
      turn[i] = ++begun;
      while (i == 0 && turn[3] == 0) std::this_thread::yield();
    });
    EXPECT_LT(turn[3].load(), turn[1].load());
    EXPECT_LT(turn[3].load(), turn[2].load());
  }
}

// A lot is one thread's from its first index to its last.
TEST_F(Parallel, ALotHasOneThread) {
  set_number_of_threads(3);
  std::vector<int> lot(6000);
  for (std::size_t i = 0; i < lot.size(); ++i) lot[i] = static_cast<int>(i % 7);
  std::vector<std::thread::id> by(lot.size());
  IndexLots(lot, places_of(std::vector<double>(7, 1))).each([&](std::size_t i) { by[i] = std::this_thread::get_id(); });
  for (std::size_t i = 7; i < lot.size(); ++i) EXPECT_EQ(by[i], by[i - 7]) << i;
}

TEST_F(Parallel, AwaitEndsWhenAnotherThreadSetsTheFlag) {
  set_number_of_threads(2);
  for (int k = 0; k < 3; ++k) {
    std::atomic<bool> flag = false;
    std::atomic<int> begun = 0;
    in_parallel(2, [&](std::size_t i) {
      ++begun;
      while (begun < 2) std::this_thread::yield();
      if (i == 0) return await(flag);
      std::this_thread::sleep_for(std::chrono::milliseconds(k));
      flag = true;
    });
    EXPECT_TRUE(flag);
  }
}

// The first item waits for the second: one thread would never end.
TEST_F(Parallel, LoopsHaveSeveralThreadsAlsoAfterAPause) {
  set_number_of_threads(2);
  for (int k = 0; k < 10; ++k) {
    std::this_thread::sleep_for(std::chrono::milliseconds(k));
    std::vector<std::thread::id> by(2);
    std::atomic<int> begun = 0;
    in_parallel(2, [&](std::size_t i) {
      by[i] = std::this_thread::get_id();
      ++begun;
      while (begun < 2) std::this_thread::yield();
    });
    EXPECT_NE(by[0], by[1]);
  }
}

TEST_F(Parallel, LoopsInLoopsHaveOneThread) {
  set_number_of_threads(3);
  std::vector<std::vector<int>> calls(20, std::vector<int>(30, 0));
  in_parallel(calls.size(), [&](std::size_t i) {
    const auto outer = std::this_thread::get_id();
    in_parallel(calls[i].size(), [&](std::size_t k) { calls[i][k] += outer == std::this_thread::get_id() ? 1 : 2; });
  });
  for (const auto& inner : calls) EXPECT_EQ(inner, std::vector<int>(30, 1));
}

TEST_F(Parallel, HelpersRoundAsTheThreadThatTheyHelp) {
  set_number_of_threads(2);
  for (const int rounding : {FE_UPWARD, FE_DOWNWARD, FE_TONEAREST}) {
    std::fesetround(rounding);
    std::vector<int> found(2);
    std::atomic<int> begun = 0;
    in_parallel(2, [&](std::size_t i) {
      found[i] = std::fegetround();
      ++begun;
      while (begun < 2) std::this_thread::yield();
    });
    std::fesetround(FE_TONEAREST);
    EXPECT_EQ(found, std::vector<int>(2, rounding));
  }
}

TEST_F(Parallel, ThreadsHaveHelpersOfTheirOwn) {
  set_number_of_threads(2);
  std::vector<std::size_t> sums(3);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < sums.size(); ++t)
    threads.emplace_back([&, t] {
      EXPECT_EQ(number_of_threads(), 1);
      set_number_of_threads(static_cast<int>(t) + 1);
      for (int k = 0; k < 200; ++k) {
        std::vector<std::size_t> values(100);
        in_parallel(values.size(), [&](std::size_t i) { values[i] = i; });
        sums[t] += std::accumulate(values.begin(), values.end(), std::size_t{0});
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(sums, std::vector<std::size_t>(3, 200 * 4950));
  EXPECT_EQ(number_of_threads(), 2);
}

}  // namespace
}  // namespace polhode::math
