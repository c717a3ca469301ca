// SPDX-License-Identifier: BSD-3-Clause
// Tables and the other functions of time.
#include "polhode/model/function.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "polhode/model/natural_spline.hpp"

namespace polhode::model {
namespace {

// Slopes that differ by more than the round-off of a table written in decimals.
bool differ(double a, double b) { return std::abs(a - b) > 1e-12 * (std::abs(a) + std::abs(b)); }

}  // namespace

// Reasons are thrown as text, to which the reader adds the place in the deck.
Table::Table(std::vector<double> time, std::vector<double> value, Interpolation interpolation)
    : time_(std::move(time)), value_(std::move(value)) {
  const auto row = [](std::size_t i) { return "row " + std::to_string(i + 1); };
  if (time_.size() != value_.size()) {
    throw std::invalid_argument("a table needs as many values as times: " + std::to_string(time_.size()) + " times, " +
                                std::to_string(value_.size()) + " values");
  }
  if (time_.size() < 2) throw std::invalid_argument("a table needs at least two rows");
  for (std::size_t i = 0; i < time_.size(); ++i) {
    if (!std::isfinite(time_[i]) || !std::isfinite(value_[i])) {
      throw std::invalid_argument(row(i) + " of the table is not finite");
    }
    if (i > 0 && !(time_[i] > time_[i - 1])) {
      throw std::invalid_argument("times must ascend strictly: " + row(i) + " of the table does not come after " +
                                  row(i - 1));
    }
  }
  if (interpolation == Interpolation::cubic) curvature_ = natural_curvatures(time_, value_);
}

// Constant beyond the ends. At a row the piece that follows counts, so that derivatives are those from the
// right; NaN compare false and give the first value.
Jet Table::operator()(double t) const {
  if (!(t >= time_.front())) return {value_.front()};
  if (t >= time_.back()) return {value_.back()};
  const auto i = static_cast<std::size_t>(std::upper_bound(time_.begin(), time_.end(), t) - time_.begin());
  const double h = time_[i] - time_[i - 1];
  const double a = value_[i - 1];
  const double b = value_[i];
  const double p = (t - time_[i - 1]) / h;
  const double q = (time_[i] - t) / h;
  const double slope = (b - a) / h;
  if (curvature_.empty()) return {q * a + p * b, slope, 0};
  const double m_a = curvature_[i - 1];
  const double m_b = curvature_[i];
  return {q * a + p * b + h * h / 6 * ((q * q - 1) * q * m_a + (p * p - 1) * p * m_b),
          slope + h / 6 * ((3 * p * p - 1) * m_b - (3 * q * q - 1) * m_a), q * m_a + p * m_b};
}

// Kinks of linear tables; rows in line with their neighbors are none, and would cost steps.
std::vector<double> Table::breakpoints(double t0, double t1) const {
  const std::size_t last = time_.size() - 1;
  std::vector<double> result;
  // Behind the last row the function is constant.
  const auto slope_after = [&](std::size_t i) { return i == last ? 0 : (*this)(time_[i]).first; };
  for (std::size_t i = 0; i <= last; ++i) {
    if (!(t0 < time_[i] && time_[i] < t1)) continue;
    bool kink;
    if (curvature_.empty()) {
      kink = differ(i == 0 ? 0 : slope_after(i - 1), slope_after(i));
    } else {  // smooth inside; at the ends the slope drops to zero
      kink = i == 0 || i == last;
    }
    if (kink) result.push_back(time_[i]);
  }
  return result;
}

// Between rows f' h = b - a + h^2/6 ((3 p^2 - 1) m_b - (3 q^2 - 1) m_a), a parabola A p^2 + 2 B p + C with q = 1 - p.
Table::Swing Table::widest_swing() const {
  Swing widest;
  const auto [low, high] = std::minmax_element(value_.begin(), value_.end());
  const double range = *high - *low;
  if (curvature_.empty() || !(range > 0)) return widest;
  for (std::size_t i = 1; i < time_.size(); ++i) {
    const double h = time_[i] - time_[i - 1];
    const double m_a = curvature_[i - 1];
    const double m_b = curvature_[i];
    const double A = h * h / 2 * (m_b - m_a);
    const double B = h * h / 2 * m_a;
    const double C = value_[i] - value_[i - 1] - h * h / 6 * (m_b + 2 * m_a);
    const double root = std::sqrt(B * B - A * C);
    // Without subtracting what is nearly equal; NaN and what lies outside are no extremes.
    const double sum = -(B + std::copysign(root, B));
    for (const double p : {sum / A, C / sum}) {
      if (!(p > 0 && p < 1)) continue;
      const double t = time_[i - 1] + p * h;
      const double value = (*this)(t).value;
      const double beyond = std::max(value - *high, *low - value) / range;
      if (beyond > widest.beyond) widest = {t, value, beyond};
    }
  }
  return widest;
}

Jet TimeFunction::operator()(double t) const {
  if (const auto* expression = std::get_if<Expression>(&form_)) return (*expression)(t);
  if (const auto* table = std::get_if<Table>(&form_)) return (*table)(t);
  return {std::get<double>(form_)};
}

std::span<const int> TimeFunction::signals() const {
  const auto* expression = std::get_if<Expression>(&form_);
  return expression ? std::span<const int>(expression->variables()) : std::span<const int>();
}

double TimeFunction::value(double t, std::span<const double> values) const {
  const auto* expression = std::get_if<Expression>(&form_);
  return expression ? expression->value(t, values) : (*this)(t).value;
}

double TimeFunction::value(double t, std::span<const double> values, std::span<double> gradient) const {
  return signals().empty() ? (*this)(t).value : std::get<Expression>(form_).value(t, values, gradient);
}

Jet TimeFunction::along(double t, std::span<const Jet> all) const {
  return signals().empty() ? (*this)(t) : std::get<Expression>(form_).along(t, all);
}

bool TimeFunction::follows_smoothly() const { return signals().empty() || std::get<Expression>(form_).is_smooth(); }

std::span<const double> TimeFunction::slopes() const {
  const auto* expression = std::get_if<Expression>(&form_);
  return expression ? expression->slopes() : std::span<const double>();
}

double TimeFunction::offset(double t) const {
  return signals().empty() ? (*this)(t).value : std::get<Expression>(form_).offset(t);
}

bool TimeFunction::depends_on_time() const {
  if (const auto* expression = std::get_if<Expression>(&form_)) return expression->depends_on_time();
  return !std::holds_alternative<double>(form_);
}

std::vector<double> TimeFunction::breakpoints(double t0, double t1) const {
  if (const auto* expression = std::get_if<Expression>(&form_)) return expression->breakpoints(t0, t1);
  if (const auto* table = std::get_if<Table>(&form_)) return table->breakpoints(t0, t1);
  return {};
}

}  // namespace polhode::model
