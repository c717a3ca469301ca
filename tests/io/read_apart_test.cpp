// SPDX-License-Identifier: BSD-3-Clause
// Whatever ends a child that reads a file, its parent gets a message.
#include "polhode/io/read_apart.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstring>
#include <fstream>
#include <iterator>
#include <random>
#include <sstream>

#include "polhode/io/deck/deck.hpp"
#include "polhode/io/hdf5/results.hpp"
#include "polhode/io/hdf5/results_reader.hpp"
#include "sample_results.hpp"

using namespace polhode;

namespace {

std::string error_of(const std::function<std::string()>& work, const io::ReadingLimits& limits = {}) {
  try {
    io::read_apart("x.h5", work, limits);
  } catch (const io::FileError& error) {
    return error.what();
  }
  return "no error";
}

TEST(ReadApart, GivesWhatTheWorkReturns) {
  const std::string text(3'000'000, 'x');
  EXPECT_EQ(io::read_apart("x.h5", [&] { return text; }), text);
  EXPECT_EQ(io::read_apart("x.h5", [] { return std::string(); }), "");
}

TEST(ReadApart, ThrowsWhatTheWorkThrows) {
  EXPECT_EQ(error_of([]() -> std::string { throw io::FileError("x.h5: is odd"); }), "x.h5: is odd");
  EXPECT_EQ(error_of([]() -> std::string { throw std::runtime_error("odd"); }), "x.h5: cannot be read: odd");
  EXPECT_THROW(io::read_apart("x.h5", []() -> std::string { throw std::invalid_argument("odd"); }),
               std::invalid_argument);
  EXPECT_THROW(io::read_apart("x.h5", []() -> std::string { throw io::ResultsError("odd"); }), io::ResultsError);
}

TEST(ReadApart, ASignalIsAMessage) {
  for (const int signal : {SIGSEGV, SIGABRT, SIGFPE, SIGBUS}) {
    const std::string error = error_of([signal]() -> std::string {
      std::signal(signal, SIG_DFL);
      raise(signal);
      return "";
    });
    EXPECT_EQ(error, "x.h5: is damaged: HDF5 itself failed while reading it (signal " + std::to_string(signal) + ", " +
                         strsignal(signal) + ")");
  }
}

TEST(ReadApart, WorkWithoutEndIsEnded) {
  EXPECT_EQ(error_of(
                []() -> std::string {
                  while (true) (void)getpid();
                },
                {500e6, 1}),
            "x.h5: is damaged: HDF5 itself failed while reading it (it had not come to an end after 1 s)");
  EXPECT_EQ(error_of(
                []() -> std::string {
                  while (true) pause();
                },
                {500e6, 0.05}),
            "x.h5: is damaged: HDF5 itself failed while reading it (it had not come to an end after 0.5 s)");
}

// The memory that sanitizers take beside it is limited, too.
#ifndef __SANITIZE_ADDRESS__
TEST(ReadApart, MoreMemoryThanAFileMayNeedIsRefused) {
  EXPECT_EQ(error_of([] { return std::string(1'000'000'000, 'x'); }),
            "x.h5: reading it takes more than the 500 MB that a file of its size may need; it is damaged, or there is "
            "not enough memory");
}
#endif

// Results with a linear model, so that each export has something to read.
std::string sample_file(const std::string& file) {
  const results::Layout layout = test::make_layout();
  std::vector<double> state(layout.state_size);
  std::vector<double> step(layout.step_size);
  {
    io::ResultsFile results(file, {"A title", "deck", {{"peak", "N", "largest"}}, 3}, layout);
    const std::string k = "/linear/analysis_0/K/";
    results.replace({k + "shape", "shape", {}, {2, 2}, {}, {}});
    results.replace({k + "indptr", "begins of the rows", {}, {0, 2, 3}, {}, {}});
    results.replace({k + "indices", "columns", {}, {0, 1, 1}, {}, {}});
    results.replace({k + "data", "stiffness", {}, {}, {1, 2, 3}, {}});
    for (std::size_t row = 0; row < 3; ++row) {
      test::fill_row(state, row);
      results.append_state(state);
      results.append_step(step);
    }
    results.finish(io::Status::completed, "log");
  }
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// One to four changes: bytes, words of ones and of zeros, mostly where there is something; sometimes the end is lost.
std::string mutated(std::string bytes, const std::vector<std::size_t>& filled, std::mt19937& random) {
  const int changes = 1 + static_cast<int>(random() % 4);
  for (int i = 0; i < changes; ++i) {
    const std::size_t at = random() % 4 == 0 ? random() % bytes.size() : filled[random() % filled.size()];
    const std::size_t length = std::min<std::size_t>(bytes.size() - at, random() % 3 == 0 ? 8 : 1);
    const auto kind = random() % 3;
    for (std::size_t k = at; k < at + length; ++k)
      bytes[k] = static_cast<char>(kind == 0 ? 0xff : kind == 1 ? 0 : random() % 256);
  }
  if (random() % 20 == 0) bytes.resize(random() % bytes.size());
  return bytes;
}

std::string all_of(const std::string& file, const std::string& folder) {
  std::ostringstream out;
  const io::ResultsReader results(file);
  io::write_summary(results, out);
  io::write_csv(results, folder, {}, true);
  io::write_matrix_market(results, folder, true);
  return std::move(out).str();
}

TEST(ReadApart, NoMutationOfResultsIsMoreThanAMessage) {
  constexpr unsigned seed = 18;
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  const test::TemporaryFolder folder;
  const std::string good = sample_file(folder.file("run.h5"));
  ASSERT_NO_THROW(all_of(folder.file("run.h5"), folder.file("out")));
  std::vector<std::size_t> filled;
  for (std::size_t i = 0; i < good.size(); ++i)
    if (good[i] != '\0') filled.push_back(i);
  const std::string file = folder.file("bad.h5");
  int read = 0;
  int refused = 0;
  for (int trial = 0; trial < 200; ++trial) {
    SCOPED_TRACE("trial " + std::to_string(trial));
    std::ofstream(file, std::ios::binary) << mutated(good, filled, random);
    try {
      io::read_apart(file, [&] { return all_of(file, folder.file("out")); }, {500e6, 3});
      ++read;
    } catch (const io::FileError& error) {
      EXPECT_NE(std::string(error.what()).find(folder.file("")), std::string::npos) << error.what();
      ++refused;
    } catch (const std::invalid_argument&) {
      ++refused;
    }
  }
  EXPECT_GT(read, 10);
  EXPECT_GT(refused, 10);
}

}  // namespace
