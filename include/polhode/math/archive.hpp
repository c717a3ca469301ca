// SPDX-License-Identifier: BSD-3-Clause
// Numbers of objects one after the other, written and read back by the same function, to the last bit.
//
//   struct Watch {
//     double largest = 0;
//     std::vector<int> seen;
//     void archive(math::Archive& a) { a(largest, seen); }
//   };
//   math::Archive out;          // writes
//   watch.archive(out);
//   math::Archive in(out.words());
//   other.archive(in);          // other is now what watch was, if in.is_good()
#pragma once
#include <Eigen/Core>
#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <bit>
#include <complex>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace polhode::math {

// All is kept in words of the size of a double. What was written may be of another program, or damaged: reading then
// leaves objects as they are, in part, and is_good() is false.
class Archive {
 public:
  // Writes.
  Archive() = default;
  // Reads; the words must outlive the archive.
  explicit Archive(std::span<const double> words) : from_(words), is_reading_(true) {}

  bool is_reading() const { return is_reading_; }
  // All that was asked for was there.
  bool is_good() const { return is_good_; }
  // All that is there was asked for.
  bool is_at_end() const { return is_good_ && at_ == from_.size(); }
  // What was read cannot be used.
  void fail() { is_good_ = false; }
  const std::vector<double>& words() const { return words_; }

  // Writes or reads numbers, enums, texts, vectors, optional values, matrices, quaternions, and what has a member
  // archive(Archive&) or a function archive(Archive&, T&) beside it.
  template <class... T>
  void operator()(T&... values) {
    (one(values), ...);
  }

 private:
  template <class T>
  static constexpr bool is_number = std::is_arithmetic_v<T> || std::is_enum_v<T>;

  template <class T>
  void one(T& value) {
    if constexpr (std::is_same_v<T, double>) {
      doubles(&value, 1);
    } else if constexpr (is_number<T>) {
      integer(value);
    } else if constexpr (requires { value.archive(*this); }) {
      value.archive(*this);
    } else if constexpr (std::is_base_of_v<Eigen::QuaternionBase<T>, T>) {
      doubles(value.coeffs().data(), 4);
    } else if constexpr (std::is_base_of_v<Eigen::PlainObjectBase<T>, T>) {
      matrix(value);
    } else {
      archive(*this, value);
    }
  }
  void one(std::string& text) {
    const std::size_t size = length_of(text.size(), sizeof(double));
    if (is_reading_) text.assign(size, '\0');
    bytes(text.data(), size);
  }
  template <class T>
  void one(std::complex<T>& value) {
    doubles(reinterpret_cast<double*>(&value), 2);
  }
  template <class T>
  void one(std::optional<T>& value) {
    bool has = value.has_value();
    one(has);
    if (is_reading_ && has && !value) value.emplace();
    if (is_reading_ && !has) value.reset();
    if (has) one(*value);
  }
  template <class T, std::size_t n>
  void one(std::array<T, n>& values) {
    for (T& value : values) one(value);
  }
  // An item has a word at least.
  template <class T>
  void one(std::vector<T>& values) {
    const std::size_t size = length_of(values.size(), 1);
    if (is_reading_) values.resize(size);
    if constexpr (std::is_same_v<T, double>) {
      doubles(values.data(), size);
    } else {
      for (T& value : values) one(value);
    }
  }
  template <class A, class B>
  void one(std::pair<A, B>& pair) {
    one(pair.first);
    one(pair.second);
  }

  template <class T>
  void integer(T& value) {
    auto number = static_cast<std::int64_t>(value);
    double word = std::bit_cast<double>(number);
    doubles(&word, 1);
    if (is_reading_) value = static_cast<T>(std::bit_cast<std::int64_t>(word));
  }
  template <class Matrix>
  void matrix(Matrix& values) {
    using Scalar = typename Matrix::Scalar;
    static_assert(std::is_same_v<Scalar, double> || std::is_same_v<Scalar, std::complex<double>>);
    constexpr std::size_t words = sizeof(Scalar) / sizeof(double);
    if constexpr (Matrix::SizeAtCompileTime == Eigen::Dynamic) {
      auto rows = static_cast<std::size_t>(values.rows());
      auto cols = static_cast<std::size_t>(values.cols());
      integer(rows);
      integer(cols);
      const std::size_t left = from_.size() - at_;
      if (is_reading_ && (rows > left || cols > left || (rows > 0 && cols * words > left / rows))) fail();
      if (!is_good_) return;
      if (is_reading_) values.resize(static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(cols));
    }
    doubles(reinterpret_cast<double*>(values.data()), words * static_cast<std::size_t>(values.size()));
  }

  // Of a list; what is read is no longer than what is left, at so many items a word.
  std::size_t length_of(std::size_t size, std::size_t items_of_word) {
    integer(size);
    if (is_reading_ && size > (from_.size() - at_) * items_of_word) fail();
    return is_good_ ? size : 0;
  }
  void doubles(double* values, std::size_t count) {
    if (!is_reading_) {
      words_.insert(words_.end(), values, values + count);
      return;
    }
    if (!is_good_ || count > from_.size() - at_) return fail();
    if (count > 0) std::memcpy(values, from_.data() + at_, count * sizeof(double));
    at_ += count;
  }
  void bytes(char* text, std::size_t size) {
    for (std::size_t i = 0; i < size; i += sizeof(double)) {
      const std::size_t part = std::min(sizeof(double), size - i);
      double word = 0;
      if (!is_reading_) std::memcpy(&word, text + i, part);
      doubles(&word, 1);
      if (is_reading_) std::memcpy(text + i, &word, part);
    }
  }

  std::vector<double> words_;
  std::span<const double> from_;
  std::size_t at_ = 0;
  bool is_reading_ = false;
  bool is_good_ = true;
};

}  // namespace polhode::math
