// SPDX-License-Identifier: BSD-3-Clause
// Values of a surface by products of weights.
#include "elements/signals/table/surface.hpp"

#include <algorithm>

#include "polhode/model/natural_spline.hpp"

namespace polhode::elements {
namespace {

using math::MatrixX;

// Of the splines down the columns.
MatrixX curvatures(const std::vector<double>& knots, const MatrixX& values) {
  MatrixX m(values.rows(), values.cols());
  for (Eigen::Index j = 0; j < values.cols(); ++j) {
    const std::vector<double> column(values.col(j).begin(), values.col(j).end());
    const std::vector<double> of_column = model::natural_curvatures(knots, column);
    std::copy(of_column.begin(), of_column.end(), m.col(j).begin());
  }
  return m;
}

}  // namespace

// Curvatures of curvatures come out the same in either order: both are linear in the values.
Surface::Surface(std::vector<double> x, std::vector<double> y, const MatrixX& z, bool cubic)
    : SignalBlock({.inputs = 2}),
      x_(std::move(x)),
      y_(std::move(y)),
      z_(z),
      by_y_(MatrixX::Zero(z.rows(), z.cols())),
      by_x_(by_y_),
      by_xy_(by_y_) {
  if (!cubic) return;
  by_y_ = curvatures(y_, z_.transpose()).transpose();
  by_x_ = curvatures(x_, z_);
  by_xy_ = curvatures(x_, by_y_);
}

// At a knot the piece that follows counts, so that slopes are those from the right.
Surface::Place Surface::find(const std::vector<double>& knots, double at) {
  const auto behind = std::upper_bound(knots.begin() + 1, knots.end() - 1, at);
  const Eigen::Index first = behind - knots.begin() - 1;
  const double a = *(behind - 1);
  const double h = *behind - a;
  const bool inside = at >= knots.front() && at < knots.back();
  const double p = std::clamp((at - a) / h, 0.0, 1.0);
  const double q = 1 - p;
  Place place{first, {q, p, h * h / 6 * (q * q - 1) * q, h * h / 6 * (p * p - 1) * p}, {}};
  if (inside) place.slope = {-1 / h, 1 / h, h / 6 * (1 - 3 * q * q), h / 6 * (3 * p * p - 1)};
  return place;
}

// Sixteen products; zeros of bilinear surfaces are cheaper than a branch on what they are.
void Surface::evaluate(double, std::span<const double> u, std::span<const double>, std::span<const double>,
                       Values& values) const {
  const Place x = find(x_, u[0]);
  const Place y = find(y_, u[1]);
  double z = 0;
  double z_by_x = 0;
  double z_by_y = 0;
  for (int i = 0; i < weights; ++i)
    for (int j = 0; j < weights; ++j) {
      const MatrixX& along_x = j < 2 ? by_x_ : by_xy_;
      const MatrixX& values_of = i < 2 ? (j < 2 ? z_ : by_y_) : along_x;
      const double value = values_of(x.first + i % 2, y.first + j % 2);
      const auto wx = static_cast<std::size_t>(i);
      const auto wy = static_cast<std::size_t>(j);
      z += x.value[wx] * y.value[wy] * value;
      z_by_x += x.slope[wx] * y.value[wy] * value;
      z_by_y += x.value[wx] * y.slope[wy] * value;
    }
  values.y[0] = z;
  values.y_by_u(0, 0) = z_by_x;
  values.y_by_u(0, 1) = z_by_y;
}

}  // namespace polhode::elements
