// SPDX-License-Identifier: BSD-3-Clause
// What delays have been given (SignalState::past): rows ascending in time, each t, its mark, and one number a delay.
//
// Between rows values follow polynomials through up to six rows around them, with an error of O(h^6). None leads across
// a jump or a kink: each delay holds the time of the last jump that its output has passed, and of the first one ahead.
// Where a delay is shorter than the step, its output lies on a straight line between the last row and the present input:
// y = rest + part u.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

namespace polhode::assembly {

class SignalPast {
 public:
  static constexpr double never = std::numeric_limits<double>::infinity();
  // Numbers that a delay holds: times of jumps, s.
  enum Held : std::size_t { passed, ahead, held_size };
  // A row may be behind a jump at the time of the one before, or a kink: the method started anew there.
  enum Mark { plain, jump, kink };

  SignalPast(const std::vector<double>& rows, std::size_t delays)
      : rows_(rows), stride_(first_input + delays), count_(rows.size() / stride_) {}

  struct Output {
    double rest;
    double part;
  };
  // Of delay k with the time T, at t; both in s.
  Output output(std::size_t k, double t, double T, std::span<const double> held, double initial) const {
    const double s = std::max(t - T, held[passed]);
    if (s >= held[ahead]) return {value(first_from(held[ahead]), k), 0};
    const std::size_t next = first_behind(s);
    if (next == 0) return {initial, 0};
    const std::size_t last = next - 1;
    if (next < count_) return {between(last, s, k), 0};
    const double part = t > time(last) ? (s - time(last)) / (t - time(last)) : 0;
    return {(1 - part) * value(last, k), part};
  }
  // s, of the first jump of input k later than t.
  double jump_behind(double t, std::size_t k) const {
    for (std::size_t i = std::max<std::size_t>(first_behind(t), 1); i < count_; ++i)
      if (mark(i) == jump && differ(value(i - 1, k), value(i, k))) return time(i);
    return never;
  }
  // s, of the first kink later than `from` and up to `to`; where one input jumps the method starts anew, too, and the
  // others have a kink.
  double kink_between(double from, double to) const {
    for (std::size_t i = first_behind(from); i < count_ && time(i) <= to; ++i)
      if (mark(i) != plain) return time(i);
    return never;
  }
  // s; there has to be a row.
  double last_time() const { return time(count_ - 1); }
  Mark last_mark() const { return mark(count_ - 1); }
  int rows_behind_mark(int most) const {
    int found = 0;
    for (std::size_t i = count_; found < most && i-- > 1 && mark(i) == plain;) ++found;
    return found;
  }
  // In `rows`.
  std::size_t place_of_last_mark() const { return (count_ - 1) * stride_ + 1; }
  // Whether any of these inputs is none of the last row, but for round-off.
  bool jumps_to(std::span<const double> u) const {
    for (std::size_t k = 0; k < u.size(); ++k)
      if (differ(value(count_ - 1, k), u[k])) return true;
    return false;
  }
  // Numbers of `rows` in front of those that outputs at t and later take, with the time of the longest delay, s. None
  // while they are few.
  std::size_t dispensable(double t, double longest) const {
    constexpr std::size_t margin = 8;  // rows of a polynomial, or at a jump that is about to be passed
    const std::size_t needed = first_from(t - longest);
    return needed > margin && 2 * (needed - margin) > count_ ? (needed - margin) * stride_ : 0;
  }

 private:
  static constexpr std::size_t first_input = 2;
  static bool differ(double a, double b) { return std::abs(a - b) > 1e-12 * (std::abs(a) + std::abs(b)); }

  double time(std::size_t i) const { return rows_[i * stride_]; }
  Mark mark(std::size_t i) const { return static_cast<Mark>(rows_[i * stride_ + 1]); }
  double value(std::size_t i, std::size_t k) const { return rows_[i * stride_ + first_input + k]; }
  // At s between the rows `last` and the next one. Rows that are close to each other beside a long step would make more
  // of their round-off than of what they know.
  double between(std::size_t last, double s, std::size_t k) const {
    constexpr std::size_t most = 6;
    const double apart = (time(last + 1) - time(last)) / 2;
    // From the interval outwards, the nearer row first
    std::array<std::size_t, most> rows{last, last + 1};
    std::size_t count = 2;
    std::size_t low = last;
    std::size_t high = last + 1;
    const auto left = [&] {
      for (std::size_t i = low; mark(i) == plain && i > 0;)
        if (time(low) - time(--i) >= apart) return i;
      return count_;
    };
    const auto right = [&] {
      for (std::size_t i = high; mark(i) != kink && i + 1 < count_ && mark(i + 1) != jump;)
        if (time(++i) - time(high) >= apart) return i;
      return count_;
    };
    while (count < most) {
      const std::size_t before = left();
      const std::size_t behind = right();
      if (before == count_ && behind == count_) break;
      if (behind == count_ || (before != count_ && s - time(before) <= time(behind) - s))
        rows[count++] = low = before;
      else
        rows[count++] = high = behind;
    }
    // Lagrange's form
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i) {
      double weight = 1;
      for (std::size_t j = 0; j < count; ++j)
        if (j != i) weight *= (s - time(rows[j])) / (time(rows[i]) - time(rows[j]));
      sum += weight * value(rows[i], k);
    }
    return sum;
  }
  // The first row for which `is_before` its time no longer holds.
  template <class Before>
  std::size_t first(const Before& is_before) const {
    std::size_t low = 0;
    for (std::size_t high = count_; low < high;) {
      const std::size_t middle = low + (high - low) / 2;
      if (is_before(time(middle)))
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  }
  std::size_t first_from(double t) const {
    return first([t](double row) { return row < t; });
  }
  std::size_t first_behind(double t) const {
    return first([t](double row) { return row <= t; });
  }

  const std::vector<double>& rows_;
  std::size_t stride_;
  std::size_t count_;
};

}  // namespace polhode::assembly
