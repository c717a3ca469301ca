// SPDX-License-Identifier: BSD-3-Clause
// What a sensor reads of a coordinate of a joint (AxisAngle or AxisDisplacement): its value, or its rate g . v.
#pragma once
#include "elements/joints/rows/axis_law.hpp"
#include "elements/joints/rows/held_coordinate.hpp"
#include "polhode/model/signal.hpp"

namespace polhode::elements {

// v^T H with H = D_q (g^T): what the rate g . v of a coordinate is by positions, v the velocities of both nodes.
template <class Coordinate>
PairGradient rate_gradient(Coordinate, const Markers& d, const PairNodes& n, const Mat<12>& v) {
  PairBlock H = PairBlock::Zero();
  Coordinate::add_tangent_to(d, n, 1, H);
  return v.transpose() * H;
}

// Of an angle without its matrix. With x and y of rows.hpp the rate is (x y' - y x')/r2, so that it changes by
//   (y' dx - x' dy + x dy' - y dx')/r2 - 2 rate (x dx + y dy)/r2,
// and x dy' - y dx' is that of one dot row with c_a = x t2 - y t1 (rows.cpp, where U, A and s stand).
inline PairGradient rate_gradient(AxisAngle, const Markers& d, const PairNodes& n, const Mat<12>& v) {
  const Vec3 c_b = d.E_b.col(0);
  const PairGradient gx = rows::dot_gradient(n, d.E_a.col(0), c_b);
  const PairGradient gy = rows::dot_gradient(n, d.E_a.col(1), c_b);
  const Mat3 U = n[0].R.transpose().lazyProduct(n[1].R);
  const Vec3 b = U * c_b;
  const double x = d.E_a.col(0).dot(b);
  const double y = d.E_a.col(1).dot(b);
  const double r2 = x * x + y * y;
  const double x_rate = gx.dot(v);
  const double y_rate = gy.dot(v);
  const double rate = (x * y_rate - y * x_rate) / r2;
  PairGradient g = ((y_rate - 2 * rate * x) / r2) * gx - ((x_rate + 2 * rate * y) / r2) * gy;

  const Vec3 c_a = (x * d.E_a.col(1) - y * d.E_a.col(0)) / r2;
  const double s = b.dot(c_a);
  const Vec3 v_a = v.segment<3>(3);
  const Vec3 v_b = v.segment<3>(9);
  const Vec3 w = U * v_b;
  const Vec3 A_v = c_a * b.dot(v_a) - s * v_a;
  g.segment<3>(3) += (A_v - b * c_a.dot(w) + s * w).transpose();
  g.segment<3>(9) += (c_b * c_a.dot(w) - s * v_b - U.transpose() * A_v).transpose();
  return g;
}

template <class Coordinate>
class AxisSensor final : public model::Sensor {
 public:
  // `counted_by`: the batch and number of the joint's element, which remembers the angle; `number`: of the angle there.
  AxisSensor(const Markers& markers, const std::array<int, 2>& nodes, bool rate,
             std::pair<const model::BatchBase*, std::size_t> counted_by, int number)
      : markers_(markers), nodes_(nodes), rate_(rate), element_(counted_by), number_(number) {}

  std::array<int, 2> nodes() const override { return nodes_; }
  // d rate = g dv + v^T H dq with H = D_q (g^T).
  void measure(const model::State& q, bool derivatives, model::Measurement& m) const override {
    const auto node = [&q](int i) {
      const auto k = static_cast<std::size_t>(i);
      return model::Node{q.x[k], q.quat[k], q.R[k], q.v[k], q.vdot[k]};
    };
    const PairNodes n{node(nodes_[0]), node(nodes_[1])};
    m.nodes = nodes_;
    if (!rate_) {
      m.value = Coordinate::value(markers_, n, counted(q));
      if (!derivatives) return;
      set(m.by_position, Coordinate::gradient(markers_, n));
      set(m.by_velocity, PairGradient::Zero());
      return;
    }
    const PairGradient g = Coordinate::gradient(markers_, n);
    Mat<12> v;
    v << n[0].v, n[1].v;
    m.value = g.dot(v);
    if (!derivatives) return;
    set(m.by_position, rate_gradient(Coordinate{}, markers_, n, v));
    set(m.by_velocity, g);
  }

 private:
  static void set(std::array<math::Vec6, 2>& to, const PairGradient& from) {
    to = {from.head<6>().transpose(), from.tail<6>().transpose()};
  }
  double counted(const model::State& q) const {
    if (element_.first->history() == 0) return 0;
    const auto first = element_.first->first_history() + static_cast<int>(element_.second) * element_.first->history();
    return q.history[first + number_];
  }

  Markers markers_;
  std::array<int, 2> nodes_;
  bool rate_;
  std::pair<const model::BatchBase*, std::size_t> element_;
  int number_;
};

// Makes the coordinate `number` of the joint K that was just added known to sensors and events, if there are any; `angle`:
// its number among the angles that the joint remembers.
template <class K, class Coordinate>
void add_coordinate(const model::Entry& entry, model::Builder& builder, const std::array<int, 2>& nodes,
                    const Markers& markers, int number, int angle = 0) {
  if (!builder.needs_coordinates()) return;
  const auto element = builder.last_of<K>();
  const auto measure = [=](bool rate) {
    return std::make_unique<AxisSensor<Coordinate>>(markers, nodes, rate, element, angle);
  };
  const auto hold = [=, &builder](const model::Entry& by) {
    using Held = HeldCoordinate<Coordinate>;
    builder.add<Held>(by, nodes, markers);
    const auto [batch, held] = builder.last_of<Held>();
    return model::Lock{batch, held};
  };
  builder.add_coordinate(entry, number, measure, hold);
}

}  // namespace polhode::elements
