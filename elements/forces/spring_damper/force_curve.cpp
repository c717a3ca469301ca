// SPDX-License-Identifier: BSD-3-Clause
// Tabulated spring forces and their integral.
#include "elements/forces/spring_damper/force_curve.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace polhode::elements {

// Energies up to each row by the trapezoidal rule, exact for straight pieces,
// shifted so that the spring without elongation has none.
ForceCurve::ForceCurve(std::vector<double> elongation, std::vector<double> force)
    : elongation_(std::move(elongation)), force_(std::move(force)) {
  if (elongation_.size() != force_.size()) throw std::invalid_argument("has another length than `elongation`");
  if (elongation_.size() < 2) throw std::invalid_argument("needs at least two rows");
  if (std::adjacent_find(elongation_.begin(), elongation_.end(), std::greater_equal<>()) != elongation_.end())
    throw std::invalid_argument("goes with elongations that are not strictly ascending");
  energy_.assign(elongation_.size(), 0.0);
  for (std::size_t i = 1; i < energy_.size(); ++i)
    energy_[i] = energy_[i - 1] + 0.5 * (force_[i - 1] + force_[i]) * (elongation_[i] - elongation_[i - 1]);
  const double at_zero = (*this)(0).energy;
  for (double& energy : energy_) energy -= at_zero;
}

// Between rows, or on the first or last piece beyond them: the index is that of a piece in any case.
// Energy of the piece: mean force times way.
ForceCurve::Value ForceCurve::operator()(double e) const {
  if (elongation_.empty()) return {0.5 * stiffness_ * e * e, stiffness_ * e, stiffness_};
  const auto above = std::upper_bound(elongation_.begin() + 1, elongation_.end() - 1, e);
  const auto i = static_cast<std::size_t>(above - elongation_.begin()) - 1;
  const double slope = (force_[i + 1] - force_[i]) / (elongation_[i + 1] - elongation_[i]);
  const double rise = e - elongation_[i];
  const double force = force_[i] + slope * rise;
  return {energy_[i] + 0.5 * (force_[i] + force) * rise, force, slope};
}

// Where e0 and e1 are so close that the difference of energies has few digits left, the force between them.
// With this force the spring's work over a step is the change of its energy for a curve of any shape:
// a mean of the two forces would be wrong where a kink lies between.
ForceCurve::Mean ForceCurve::mean(double e0, double e1) const {
  const double way = e1 - e0;
  const double middle = 0.5 * (e0 + e1);
  if (elongation_.empty()) return {stiffness_ * middle, 0.5 * stiffness_};
  const Value at = (*this)(middle);
  const Value begin = (*this)(e0);
  const Value end = (*this)(e1);
  if (std::abs(way) <= 1e-6 * (elongation_.back() - elongation_.front())) return {at.force, 0.5 * at.stiffness};
  const double force = (end.energy - begin.energy) / way;
  return {force, (end.force - force) / way};
}

}  // namespace polhode::elements
