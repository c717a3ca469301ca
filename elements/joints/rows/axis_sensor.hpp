// SPDX-License-Identifier: BSD-3-Clause
// What a sensor reads of a coordinate of a joint (AxisAngle or AxisDisplacement): its value, or its rate g . v.
#pragma once
#include "elements/joints/rows/axis_law.hpp"
#include "elements/joints/rows/held_coordinate.hpp"
#include "polhode/model/signal.hpp"

namespace polhode::elements {

// A coordinate, its rate g . v and how both change with positions: g, and v^T H with H = D_q (g^T), v the velocities of
// both nodes.
template <class Coordinate>
class Reading {
 public:
  Reading(const Markers& d, const PairNodes& n) : d_(d), n_(n) {}
  double value(double counted) const { return Coordinate::value(d_, n_, counted); }
  double rate() const { return axis_rate<Coordinate>(d_, n_); }
  void set_gradient(std::span<math::Vec6> to) const { set(to, Coordinate::gradient(d_, n_)); }
  void set_rate_gradient(std::span<math::Vec6> to) const {
    PairBlock H = PairBlock::Zero();
    Coordinate::add_tangent_to(d_, n_, 1, H);
    Mat<12> v;
    v << n_[0].v, n_[1].v;
    set(to, v.transpose() * H);
  }

 private:
  static void set(std::span<math::Vec6> to, const PairGradient& from) {
    to[0] = from.head<6>().transpose();
    to[1] = from.tail<6>().transpose();
  }
  const Markers& d_;
  const PairNodes& n_;
};

// Of an angle without matrices, and without what translations do, which stays zero. With b = R_a^T R_b t1_b,
// x = t1_a . b, y = t2_a . b (rows.hpp) and c = (x t2_a - y t1_a)/(x^2 + y^2)
//   d angle = c . db,  db = -dTheta_a x b + R_a^T R_b (dTheta_b x t1_b),
// so that c gives the moments c x b on a and t1_b x (R_b^T R_a c) on b.
template <>
class Reading<AxisAngle> {
 public:
  Reading(const Markers& d, const PairNodes& n)
      : d_(d),
        n_(n),
        b_(seen_from_a(d.E_b.col(0))),
        x_(d.E_a.col(0).dot(b_)),
        y_(d.E_a.col(1).dot(b_)),
        r2_(x_ * x_ + y_ * y_) {}
  double value(double counted) const { return unwrap(std::atan2(y_, x_), counted); }
  double rate() const { return normal().dot(b_rate(turning_of_b())); }
  void set_gradient(std::span<math::Vec6> to) const {
    const Vec3 c = normal();
    to[0].tail<3>() = c.cross(b_);
    to[1].tail<3>() = d_.E_b.col(0).cross(seen_from_b(c));
  }
  // rate = c . b' with b' = -Omega_a x b + R_a^T R_b e and e = Omega_b x t1_b changes by k . db, where k is
  // what c and Omega_a x b follow, and by c . (-dTheta_a x R_a^T R_b e + R_a^T R_b (dTheta_b x e)).
  void set_rate_gradient(std::span<math::Vec6> to) const {
    const Vec3 c = normal();
    const Vec3 e = turning_of_b();
    const Vec3 moved = b_rate(e);
    const double x_rate = d_.E_a.col(0).dot(moved);
    const double y_rate = d_.E_a.col(1).dot(moved);
    const double rate = c.dot(moved);
    const Vec3 k = ((y_rate - 2 * rate * x_) * d_.E_a.col(0) - (x_rate + 2 * rate * y_) * d_.E_a.col(1)) / r2_ +
                   n_[0].v.tail<3>().cross(c);
    to[0].tail<3>() = k.cross(b_) + c.cross(seen_from_a(e));
    to[1].tail<3>() = d_.E_b.col(0).cross(seen_from_b(k)) + e.cross(seen_from_b(c));
  }

 private:
  Vec3 seen_from_a(const Vec3& of_b) const {
    const Vec3 inertial = n_[1].R * of_b;
    return n_[0].R.transpose() * inertial;
  }
  Vec3 seen_from_b(const Vec3& of_a) const {
    const Vec3 inertial = n_[0].R * of_a;
    return n_[1].R.transpose() * inertial;
  }
  Vec3 normal() const { return (x_ * d_.E_a.col(1) - y_ * d_.E_a.col(0)) / r2_; }
  Vec3 turning_of_b() const { return n_[1].v.tail<3>().cross(d_.E_b.col(0)); }
  Vec3 b_rate(const Vec3& e) const { return seen_from_a(e) - n_[0].v.tail<3>().cross(b_); }

  const Markers& d_;
  const PairNodes& n_;
  Vec3 b_;
  double x_;
  double y_;
  double r2_;
};

template <class Coordinate>
class AxisSensor final : public model::Sensor {
 public:
  // `counted_by`: the batch and number of the joint's element, which remembers the angle; `number`: of the angle there.
  AxisSensor(const Markers& markers, const std::array<int, 2>& nodes, bool rate,
             std::pair<const model::BatchBase*, std::size_t> counted_by, int number)
      : markers_(markers), nodes_(nodes), rate_(rate), element_(counted_by), number_(number) {}

  std::span<const int> nodes() const override { return nodes_; }
  bool turns_alone() const override { return std::is_same_v<Coordinate, AxisAngle>; }
  // What is zero always is zero from the start.
  void measure(const model::State& q, bool derivatives, model::Measurement& m) const override {
    const PairNodes n = pair_of(q, nodes_);
    const Reading<Coordinate> reading(markers_, n);
    if (!derivatives) {
      m.value = rate_ ? reading.rate() : reading.value(counted(q));
      return;
    }
    if (!rate_) return reading.set_gradient(m.by_position);
    reading.set_rate_gradient(m.by_position);
    reading.set_gradient(m.by_velocity);
  }

 private:
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

// Makes the coordinate `number` of the joint K that was just added known to sensors, if there are any; `angle`: its number
// among the angles that the joint remembers.
template <class K, class Coordinate>
void add_measured_coordinate(const model::Entry& entry, model::Builder& builder, const std::array<int, 2>& nodes,
                             const Markers& markers, int number, int angle = 0, model::Builder::Hold hold = {}) {
  if (!builder.needs_sensors()) return;
  const auto element = builder.last_of<K>();
  const auto measure = [=](bool rate) {
    return std::make_unique<AxisSensor<Coordinate>>(markers, nodes, rate, element, angle);
  };
  builder.add_coordinate(entry, number, measure, std::move(hold));
}

// The same for events, too, which hold it.
template <class K, class Coordinate>
void add_coordinate(const model::Entry& entry, model::Builder& builder, const std::array<int, 2>& nodes,
                    const Markers& markers, int number, int angle = 0) {
  const auto hold = [=, &builder](const model::Entry& by) {
    using Held = HeldCoordinate<Coordinate>;
    builder.add<Held>(by, nodes, markers);
    const auto [batch, held] = builder.last_of<Held>();
    return model::Lock{batch, held};
  };
  add_measured_coordinate<K, Coordinate>(entry, builder, nodes, markers, number, angle, hold);
}

// Displacements along the first axes of the markers, as many as `axes`: the coordinates from 0 on.
template <class K>
void add_displacements(const model::Entry& entry, model::Builder& builder, const std::array<int, 2>& nodes,
                       const Markers& markers, int axes) {
  for (int i = 0; i < axes; ++i)
    add_measured_coordinate<K, AxisDisplacement>(entry, builder, nodes, with_axes(markers, (i + 1) % 3, (i + 2) % 3, i),
                                                 i);
}

}  // namespace polhode::elements
