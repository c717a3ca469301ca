// SPDX-License-Identifier: BSD-3-Clause
// Projectors that take found motions out.
#include "deflation.hpp"

#include <algorithm>
#include <cmath>

namespace polhode::analyses {

using math::MatrixX;
using math::VectorX;

MassDeflation::MassDeflation(Eigen::Index size, Product mass)
    : mass_(std::move(mass)), shapes_(size, 0), mass_shapes_(size, 0) {}

// Once more out of the others: a converged shape still has round-off of theirs.
void MassDeflation::add(VectorX y) {
  const Eigen::Index last = count();
  VectorX My(y.size());
  if (last > 0) y -= shapes_ * (mass_shapes_.transpose() * y);
  mass_(y.data(), My.data());
  const double size = std::sqrt(y.dot(My));
  shapes_.conservativeResize(Eigen::NoChange, last + 1);
  mass_shapes_.conservativeResize(Eigen::NoChange, last + 1);
  shapes_.col(last) = y / size;
  mass_shapes_.col(last) = My / size;
}

void MassDeflation::take_out(Eigen::Map<VectorX> y) const {
  if (count() > 0) y -= shapes_ * (mass_shapes_.transpose() * y);
}

// Twice is enough (Kahan and Parlett): after the second pass nothing but round-off of the others is left.
bool OrthogonalDeflation::add(const VectorX& v) {
  constexpr double dependent = 1e-8;
  VectorX rest = v.normalized();
  for (int twice = 0; twice < 2; ++twice) rest -= basis_ * (basis_.transpose() * rest);
  if (!(rest.norm() > dependent)) return false;
  basis_.conservativeResize(Eigen::NoChange, count() + 1);
  basis_.col(count() - 1) = rest.normalized();
  return true;
}

void OrthogonalDeflation::take_out(Eigen::Map<VectorX> z) const {
  if (count() > 0) z -= basis_ * (basis_.transpose() * z);
}

// Infinite while fewer than the wanted number are known: any find counts then.
double reach_of(const std::vector<double>& distances, int count) {
  const auto wanted = static_cast<std::size_t>(count);
  if (distances.size() < wanted) return HUGE_VAL;
  std::vector<double> sorted = distances;
  std::sort(sorted.begin(), sorted.end());
  return sorted[wanted - 1];
}

}  // namespace polhode::analyses
