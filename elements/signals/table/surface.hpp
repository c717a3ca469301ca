// SPDX-License-Identifier: BSD-3-Clause
// A surface through the points of a grid: z of two inputs, by straight lines or by cubic splines in both directions.
//
// Along one input a value is a sum over the two knots around it, w_0 a + w_1 b, and of splines + w_2 m_a + w_3 m_b with
// the curvatures m, which are linear in the values (natural_spline.hpp). Along both it is the sum of products w(x) w(y)
// of values, curvatures along x, along y, and curvatures along x of those along y.
#pragma once
#include <array>
#include <vector>

#include "polhode/model/signal.hpp"

namespace polhode::elements {

class Surface final : public model::SignalBlock {
 public:
  // x and y ascend, two numbers or more each; z has a row for each x and a column for each y.
  Surface(std::vector<double> x, std::vector<double> y, const math::MatrixX& z, bool cubic);
  // Beyond the ends of an input the surface keeps the values there, with the derivative zero.
  void evaluate(double t, std::span<const double> u, std::span<const double> z, std::span<const double> held,
                Values& values) const override;

 private:
  static constexpr int weights = 4;  // of a, b, m_a, m_b
  // Of the values around a place on one axis, and their derivatives by it.
  struct Place {
    Eigen::Index first;
    std::array<double, weights> value;
    std::array<double, weights> slope;
  };
  static Place find(const std::vector<double>& knots, double at);

  std::vector<double> x_;
  std::vector<double> y_;
  // Values, and curvatures along y; curvatures along x of both. Those are zero of straight lines
  math::MatrixX z_;
  math::MatrixX by_y_;
  math::MatrixX by_x_;
  math::MatrixX by_xy_;
};

}  // namespace polhode::elements
