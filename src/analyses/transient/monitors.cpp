// SPDX-License-Identifier: BSD-3-Clause
// Numbers of a step for the monitors.
#include "analyses/transient/monitors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace polhode::analyses {

double MultiplierOscillation::add(const model::VectorX& before, const model::VectorX& now) {
  if (now.size() == 0) return 0;
  double product = 0;
  double square = 0;
  for (Eigen::Index i = 0; i < now.size(); ++i) {
    const double change = now[i] - before[i];
    product += change * change_[i];
    square += now[i] * now[i];
    change_[i] = change;
  }
  largest_ = std::max(largest_, std::sqrt(square));
  const bool alternates = known_ && product < 0 && largest_ > 0;
  known_ = true;
  return alternates ? std::sqrt(-product) / largest_ : 0;
}

ElementTwist::ElementTwist(const assembly::System& system) {
  for (const auto& batch : system.batches())
    for (std::size_t e = 0; e < batch->size(); ++e) {
      const model::Entry& entry = system.model().entries[static_cast<std::size_t>(batch->entry_of(e))];
      if (entry.family != model::Family::beam) continue;
      const auto a = static_cast<std::size_t>(batch->nodes_of(e).front());
      const auto b = static_cast<std::size_t>(batch->nodes_of(e).back());
      elements_.push_back({a, b, system.node(b).orientation.conjugate() * system.node(a).orientation});
    }
}

// The real part of a unit quaternion is the cosine of half its angle: the smallest has the largest angle.
double ElementTwist::of(const model::State& q) const {
  if (elements_.empty()) return std::numeric_limits<double>::quiet_NaN();
  double smallest = 1;
  for (const Element& element : elements_) {
    const math::so3::Quaternion now = q.quat[element.a].conjugate() * q.quat[element.b];
    smallest = std::min(smallest, std::abs((now * element.untwisted).w()));
  }
  return 2 * std::acos(smallest);
}

double FastestMotion::add(const model::State& before, const model::State& q) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  constexpr double at_rest = 1e-6;           // of the model, in a step: below it there is noise
  constexpr double slow_square = 0.1 * 0.1;  // of the fastest motion so far
  constexpr double arm = 0.1;                // of the model, at which rotations count as lengths
  const double h = q.t - before.t;
  double work = 0;
  double square = 0;
  double rotation_work = 0;
  double rotation_square = 0;
  for (std::size_t i = 1; i < q.x.size(); ++i) {
    const math::Vec3 way = q.x[i] - before.x[i];
    work += way.dot(q.vdot[i].head<3>() - before.vdot[i].head<3>());
    square += way.squaredNorm();
    const math::so3::Quaternion step = before.quat[i].conjugate() * q.quat[i];
    const math::Vec3 turn = (step.w() < 0 ? -2.0 : 2.0) * step.vec();
    rotation_work += turn.dot(q.vdot[i].tail<3>() - before.vdot[i].tail<3>());
    rotation_square += turn.squaredNorm();
  }
  const double lever = arm * length_ * arm * length_;
  work += lever * rotation_work;
  square += lever * rotation_square;
  const auto nodes = static_cast<double>(q.x.size() - 1);
  largest_square_ = std::max(largest_square_, square / (h * h));
  const bool moves = square > nodes * at_rest * length_ * at_rest * length_;
  if (!moves || square < slow_square * largest_square_ * h * h) {
    successive_ = 0;
    return none;
  }
  const double ratio = h * std::sqrt(std::max(0.0, -work / square));
  successive_ = ratio > unresolved ? successive_ + 1 : 0;
  if (successive_ == sustained && !is_unresolved()) time_ = q.t;
  most_ = std::max(most_, successive_);
  return ratio;
}

void StepMonitors::look_at(const model::State& before, const model::State& q, bool whole, bool middle) {
  if (!whole && steps_ >= between) oscillation_.forget();
  const double oscillation = oscillation_.add(before.lambda, q.lambda);
  if (whole || steps_ < between) last_.oscillation = oscillation;
  if (!whole) return;
  last_.twist = twist_.of(q);
  if (!middle) last_.motion = motion_.add(before, q);
}

}  // namespace polhode::analyses
