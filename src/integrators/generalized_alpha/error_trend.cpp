// SPDX-License-Identifier: BSD-3-Clause
// The filter of local errors.
#include "polhode/integrators/generalized_alpha/error_trend.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "polhode/math/parallel.hpp"

namespace polhode::integrators {

ErrorTrend::ErrorTrend(std::size_t nodes, double cut) : share_(1 - std::exp(-cut)) {
  for (Filtered* filtered : {&before_, &now_})
    for (auto& of_frame : filtered->x) of_frame.fill(std::vector<Vec6>(nodes, Vec6::Zero()));
}

// Steps that do not end where this one begins are of another motion. The first steps have means of all of them.
void ErrorTrend::propose(double t, const State& next, std::span<const Vec6> x, double norm) {
  const bool goes_on = before_.steps > 0 && before_.end == t;
  now_.h = next.t - t;
  now_.end = next.t;
  now_.norm = norm;
  now_.steps = goes_on ? before_.steps + 1 : 1;
  const double share = std::max(share_, 1.0 / now_.steps);
  const double rest = goes_on ? (1 - share) * std::pow(now_.h / before_.h, 3) : 0.0;
  for (int k = 0; k < stages; ++k) {
    now_.size[k] = rest * before_.size[k] + share * norm;
    norm = now_.size[k];
  }
  math::for_each_index(x.size(), [&](std::size_t i) {
    const Mat3& R = next.R[i];
    std::array<Vec6, 2> input;
    input[of_node] << R.transpose() * x[i].head<3>(), x[i].tail<3>();
    input[inertial] << x[i].head<3>(), R * x[i].tail<3>();
    for (const Frame frame : {of_node, inertial})
      for (int k = 0; k < stages; ++k) {
        now_.x[frame][k][i] = rest * before_.x[frame][k][i] + share * input[frame];
        input[frame] = now_.x[frame][k][i];
      }
  });
}

double ErrorTrend::lead() const {
  const double mean = std::numbers::pi / 2 * now_.size.back();
  return now_.norm > mean ? now_.norm / mean : 1;
}

void ErrorTrend::save(std::vector<double>& data) const {
  data.push_back(before_.steps);
  if (before_.steps == 0) return;
  data.insert(data.end(), {before_.h, before_.end});
  data.insert(data.end(), before_.size.begin(), before_.size.end());
  for (const auto& of_frame : before_.x)
    for (const std::vector<Vec6>& of_stage : of_frame)
      for (const Vec6& x : of_stage) data.insert(data.end(), x.begin(), x.end());
}

bool ErrorTrend::load(std::span<const double>& data) {
  if (data.empty() || !(data[0] >= 0 && data[0] < 1e9)) return false;
  const std::size_t numbers = data[0] > 0 ? 3 + stages * (1 + 12 * before_.x[0][0].size()) : 1;
  if (data.size() < numbers) return false;
  before_.steps = static_cast<int>(data[0]);
  const auto taken = data.first(numbers);
  data = data.subspan(numbers);
  if (before_.steps == 0) return true;
  before_.h = taken[1];
  before_.end = taken[2];
  const double* from = taken.data() + 3;
  for (double& size : before_.size) size = *from++;
  for (auto& of_frame : before_.x)
    for (std::vector<Vec6>& of_stage : of_frame)
      for (Vec6& x : of_stage) {
        x = Vec6::Map(from);
        from += 6;
      }
  return true;
}

}  // namespace polhode::integrators
