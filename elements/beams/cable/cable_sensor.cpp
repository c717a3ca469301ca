// SPDX-License-Identifier: BSD-3-Clause
// Strain and tension of a cable with their derivatives: those of its forces (cable.cpp), by d = x_2 - x_1 and by
// w = u_2 - u_1, D epsilon = t . dd/L and D epsilon' = (w - t (t . w)) . dd/(l L) + t . dw/L.
#include "elements/beams/cable/cable_sensor.hpp"

#include <cmath>

namespace polhode::elements {

// Where the bound holds the tension does not vary.
void CableSensor::measure(const model::State& q, bool derivatives, model::Measurement& m) const {
  const auto a = static_cast<std::size_t>(nodes_[0]);
  const auto b = static_cast<std::size_t>(nodes_[1]);
  const math::Vec3 way = q.x[b] - q.x[a];
  const double length = std::sqrt(way.squaredNorm() + 1e-16 * d_.length * d_.length);
  const math::Vec3 t = way / length;
  const math::Vec3 spread = q.v[b].head<3>() - q.v[a].head<3>();
  const double strain = (length - d_.length) / d_.length;
  const double unbounded = d_.stiffness * strain + d_.damping * t.dot(spread) / d_.length;
  m.value = tension_ ? std::max(unbounded, d_.least) : strain;
  if (!derivatives) return;
  math::Vec3 by_way = t / d_.length;
  math::Vec3 by_spread = math::Vec3::Zero();
  if (tension_) {
    const bool is_bound = unbounded < d_.least;
    by_way *= is_bound ? 0 : d_.stiffness;
    if (!is_bound) by_way += d_.damping / (length * d_.length) * (spread - t * t.dot(spread));
    if (!is_bound) by_spread = d_.damping / d_.length * t;
  }
  m.by_position[0].head<3>() = -by_way;
  m.by_position[1].head<3>() = by_way;
  m.by_velocity[0].head<3>() = -by_spread;
  m.by_velocity[1].head<3>() = by_spread;
}

}  // namespace polhode::elements
