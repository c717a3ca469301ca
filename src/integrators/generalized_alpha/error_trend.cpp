// SPDX-License-Identifier: BSD-3-Clause
// Means of local errors.
#include "polhode/integrators/generalized_alpha/error_trend.hpp"

#include <algorithm>
#include <cmath>

#include "polhode/math/parallel.hpp"

namespace polhode::integrators {

ErrorTrend::ErrorTrend(std::size_t nodes) : mean_(nodes) {
  for (Step& step : steps_)
    for (std::vector<Vec6>& x : step.x) x.resize(nodes);
}

// Steps that do not end where this one begins are of another motion.
void ErrorTrend::propose(double t, const State& next, std::span<const Vec6> x, double norm) {
  if (count_ > 0 && steps_[count_ - 1].end != t) count_ = 0;
  Step& now = steps_[count_];
  now.begin = t;
  now.end = next.t;
  now.norm = norm;
  math::for_each_index(x.size(), [&](std::size_t i) {
    now.x[of_node][i] << next.R[i].transpose() * x[i].head<3>(), x[i].tail<3>();
    now.x[inertial][i] << x[i].head<3>(), next.R[i] * x[i].tail<3>();
  });
}

void ErrorTrend::accept() {
  if (++count_ < most) return;
  std::rotate(steps_.begin(), steps_.begin() + 1, steps_.end());
  --count_;
}

// Binomial coefficients, from the newest step on.
std::span<const Vec6> ErrorTrend::mean(Frame frame) {
  const double h = steps_[count_].end - steps_[count_].begin;
  std::fill(mean_.begin(), mean_.end(), Vec6(Vec6::Zero()));
  double weight = std::pow(0.5, count_);
  for (int k = 0; k <= count_; ++k) {
    const Step& step = steps_[count_ - k];
    const double factor = weight * std::pow(h / (step.end - step.begin), 3);
    const std::vector<Vec6>& x = step.x[frame];
    math::for_each_index(x.size(), [&](std::size_t i) { mean_[i] += factor * x[i]; });
    weight *= static_cast<double>(count_ - k) / (k + 1);
  }
  return mean_;
}

double ErrorTrend::rise() const {
  const Step& now = steps_[count_];
  double before = 0;
  for (int k = 0; k < count_; ++k)
    before = std::max(before, steps_[k].norm * std::pow((now.end - now.begin) / (steps_[k].end - steps_[k].begin), 3));
  return now.norm - before;
}

void ErrorTrend::save(std::vector<double>& data) const {
  data.push_back(count_);
  for (int k = 0; k < count_; ++k) {
    data.insert(data.end(), {steps_[k].begin, steps_[k].end, steps_[k].norm});
    for (const std::vector<Vec6>& of_frame : steps_[k].x)
      for (const Vec6& x : of_frame) data.insert(data.end(), x.begin(), x.end());
  }
}

bool ErrorTrend::load(std::span<const double>& data) {
  if (data.empty() || !(data[0] >= 0 && data[0] < most)) return false;
  const auto count = static_cast<std::size_t>(data[0]);
  if (data.size() < 1 + count * (3 + 12 * mean_.size())) return false;
  const double* from = data.data() + 1;
  for (std::size_t k = 0; k < count; ++k) {
    steps_[k].begin = *from++;
    steps_[k].end = *from++;
    steps_[k].norm = *from++;
    for (std::vector<Vec6>& of_frame : steps_[k].x)
      for (Vec6& x : of_frame) {
        x = Vec6::Map(from);
        from += 6;
      }
  }
  count_ = static_cast<int>(count);
  data = data.subspan(static_cast<std::size_t>(from - data.data()));
  return true;
}

}  // namespace polhode::integrators
