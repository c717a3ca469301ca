// SPDX-License-Identifier: BSD-3-Clause
// Objects as numbers one after the other: what was written is read to the last bit, and what is damaged is noticed.
#include "polhode/math/archive.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace polhode::math {
namespace {

enum class Color { red, green };

struct Inner {
  std::vector<std::string> names;
  std::optional<double> number;
  void archive(Archive& a) { a(names, number); }
};

struct All {
  double number = 0;
  long count = 0;
  bool flag = false;
  Color color = Color::red;
  std::string text;
  Eigen::VectorXd vector;
  Eigen::Matrix3d matrix = Eigen::Matrix3d::Zero();
  Eigen::VectorXcd shape;
  Eigen::Quaterniond turn = Eigen::Quaterniond::Identity();
  std::array<double, 2> pair{};
  std::vector<Inner> inner;
  std::vector<std::vector<double>> lists;
  void archive(Archive& a) { a(number, count, flag, color, text, vector, matrix, shape, turn, pair, inner, lists); }
};

All full() {
  All all;
  all.number = -0.0;
  all.count = std::numeric_limits<long>::min();
  all.flag = true;
  all.color = Color::green;
  all.text = "nine bits";
  all.vector = Eigen::Vector3d(1, std::numeric_limits<double>::denorm_min(), 3);
  all.matrix << 1, 2, 3, 4, 5, 6, 7, 8, 9;
  all.shape = Eigen::VectorXcd::Constant(2, std::complex<double>(3, 4));
  all.turn = Eigen::Quaterniond(0.5, -0.5, 0.5, -0.5);
  all.pair = {1e300, 2};
  all.inner = {{{"a", ""}, 4.0}, {{}, std::nullopt}};
  all.lists = {{}, {1, 2}};
  return all;
}

TEST(Archive, ReadsWhatItWrote) {
  All written = full();
  Archive out;
  written.archive(out);
  EXPECT_FALSE(out.is_reading());
  All read;
  read.inner.resize(5);
  Archive in(out.words());
  read.archive(in);
  ASSERT_TRUE(in.is_at_end());
  EXPECT_TRUE(std::signbit(read.number));
  EXPECT_EQ(read.count, written.count);
  EXPECT_TRUE(read.flag);
  EXPECT_EQ(read.color, Color::green);
  EXPECT_EQ(read.text, written.text);
  EXPECT_EQ(read.vector, written.vector);
  EXPECT_EQ(read.matrix, written.matrix);
  EXPECT_EQ(read.shape, written.shape);
  EXPECT_EQ(read.turn.coeffs(), written.turn.coeffs());
  EXPECT_EQ(read.pair, written.pair);
  ASSERT_EQ(read.inner.size(), 2U);
  EXPECT_EQ(read.inner[0].names, written.inner[0].names);
  EXPECT_EQ(read.inner[0].number, 4.0);
  EXPECT_FALSE(read.inner[1].number);
  EXPECT_EQ(read.lists, written.lists);
}

// NaN in the place of a missing value may carry a message: all 64 bits count.
TEST(Archive, KeepsTheBitsOfNumbersThatAreNone) {
  auto bits = std::bit_cast<double>(std::uint64_t{0x7ff4000000001234});
  Archive out;
  out(bits);
  double read = 0;
  Archive in(out.words());
  in(read);
  EXPECT_EQ(std::bit_cast<std::uint64_t>(read), 0x7ff4000000001234U);
}

TEST(Archive, IsNotGoodWhereWordsAreMissing) {
  Archive out;
  All written = full();
  written.archive(out);
  for (std::size_t size = 0; size < out.words().size(); ++size) {
    All read;
    Archive in(std::span(out.words()).first(size));
    read.archive(in);
    EXPECT_FALSE(in.is_good()) << size;
  }
  std::vector<double> longer = out.words();
  longer.push_back(0);
  Archive in(longer);
  All read;
  read.archive(in);
  EXPECT_TRUE(in.is_good());
  EXPECT_FALSE(in.is_at_end());
}

// No word of a damaged archive makes a list longer than the archive.
TEST(Archive, TakesNoLengthBeyondItsOwn) {
  Archive out;
  All written = full();
  written.archive(out);
  const auto huge = std::bit_cast<double>(std::int64_t{1} << 60);
  for (std::size_t i = 0; i < out.words().size(); ++i) {
    std::vector<double> damaged = out.words();
    damaged[i] = huge;
    All read;
    Archive in(damaged);
    read.archive(in);
    EXPECT_LE(read.inner.size() + read.lists.size() + static_cast<std::size_t>(read.vector.size()), damaged.size());
  }
}

}  // namespace
}  // namespace polhode::math
