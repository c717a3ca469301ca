// SPDX-License-Identifier: BSD-3-Clause
// Strains and section forces with their derivatives.
//
// Each of them is a sum a . [Gamma; kappa] + b . [Gamma; kappa]' of strains and their rates with constant a and b: of a
// strain b is zero and a a column of the section's frame, of a force both are that column times C and D. With the
// variations of kinematics.hpp and those of the rates (variations.hpp) the rows of a node follow.
#include "elements/beams/spectral/section_sensor.hpp"

#include "elements/beams/spectral/variations.hpp"

namespace polhode::elements::spectral {

namespace {

// All lanes have the same element: one evaluation of one element is no matter of speed.
Elements in_all_lanes(const Element& element) {
  std::array<const Element*, Lanes::count> same;
  same.fill(&element);
  return pack(same);
}

// All lanes are equal; the first one is taken.
math::Vec3 first_lane(const Vector& v) { return {v[0][0], v[1][0], v[2][0]}; }

// It keeps the element, the point and both weights; kinematics are found anew at each state.
class SectionSensor final : public model::Sensor {
 public:
  SectionSensor(const spectral::Element& element, std::span<const int> at, std::size_t point, int number)
      : element_(in_all_lanes(element)), at_(at.begin(), at.end()), point_(point), is_force_(number >= 6) {
    const Point& p = element_.points[point_];
    const Vector axis = p.section.col(number % 3);
    const bool bends = number % 6 >= 3;  // kappa or M
    Gamma_.setZero();
    kappa_.setZero();
    Gamma_rate_.setZero();
    kappa_rate_.setZero();
    if (!is_force_) {
      (bends ? kappa_ : Gamma_) = axis;
      return;
    }
    Gamma_ = bends ? Vector(p.C12 * axis) : Vector(p.C11 * axis);
    kappa_ = bends ? Vector(p.C22 * axis) : Vector(p.C12.transpose() * axis);
    Gamma_rate_ = bends ? Vector(p.D12 * axis) : Vector(p.D11 * axis);
    kappa_rate_ = bends ? Vector(p.D22 * axis) : Vector(p.D12.transpose() * axis);
  }

  std::span<const int> nodes() const override { return at_; }
  // Rates are wanted for forces of damped sections alone.
  void measure(const model::State& q, bool derivatives, model::Measurement& m) const override {
    std::array<model::NodeOf<Lanes>, most_nodes> nodes;
    for (std::size_t i = 0; i < at_.size(); ++i) set_node(q, at_[i], nodes[i]);
    const NodeSpan n(nodes.data(), at_.size());
    const bool damped = is_force_ && element_.damped;
    const Frames frames(element_, n);
    const Kinematics k(element_.points[point_], n, frames, derivatives && damped);
    Lanes value = Gamma_.dot(k.Gamma) + kappa_.dot(k.kappa);
    StrainRates rates;
    if (damped) {
      rates.set(element_, k, n);
      value += Gamma_rate_.dot(rates.Gamma) + kappa_rate_.dot(rates.kappa);
    }
    m.value = value[0];
    if (derivatives) set_derivatives(k, damped ? &rates : nullptr, m);
  }

 private:
  // What the kinematics of strains read of a node; accelerations are not among it.
  static void set_node(const model::State& q, int node, model::NodeOf<Lanes>& to) {
    const auto i = static_cast<std::size_t>(node);
    to.quat << Lanes(q.quat[i].w()), Lanes(q.quat[i].x()), Lanes(q.quat[i].y()), Lanes(q.quat[i].z());
    for (int d = 0; d < 3; ++d) {
      to.x[d] = Lanes(q.x[i][d]);
      to.u[d] = Lanes(q.v[i][d]);
      to.Omega[d] = Lanes(q.v[i][3 + d]);
    }
  }

  // `rates`: null without damping.
  void set_derivatives(const Kinematics& k, const StrainRates* rates, model::Measurement& m) const {
    std::array<Matrix, most_nodes> Et;
    if (element_.turned)
      for (std::size_t i = 0; i < k.n; ++i) Et[i] = math::so3::rotation_matrix(element_.E[i]).transpose();
    const Variations v(element_, k, Et);
    RateGradient gradient;
    if (rates) gradient.set(k, *rates, v);
    // By the translations of a node, times dL; by its mean rotation and its bending
    Vector by_x = Gamma_;
    Vector by_W = Gamma_.cross(k.g);
    Vector by_Y = kappa_;
    if (rates) {
      by_x += rates->Omega.cross(Gamma_rate_);
      by_W += gradient.Gamma_by_W.transpose() * Gamma_rate_ + gradient.kappa_by_W.transpose() * kappa_rate_;
      by_Y += gradient.kappa_by_Y.transpose() * kappa_rate_;
    }
    for (std::size_t i = 0; i < k.n; ++i) {
      const Columns& c = v.columns[i];
      const Lanes dL = k.p.dL[i];
      Vector by_turn = c.W.transpose() * by_W + c.Y.transpose() * by_Y;
      if (rates) {
        by_turn += c.own.transpose() * (gradient.Gamma_by_own[i].transpose() * Gamma_rate_ +
                                        gradient.kappa_by_own[i].transpose() * kappa_rate_);
        const Vector by_Omega = c.W.transpose() * Gamma_rate_.cross(k.g) + c.Y.transpose() * kappa_rate_;
        m.by_velocity[i] << first_lane(dL * (k.Q * Gamma_rate_)), first_lane(by_Omega);
      }
      m.by_position[i] << first_lane(dL * (k.Q * by_x)), first_lane(by_turn);
    }
  }

  Elements element_;
  std::vector<int> at_;
  std::size_t point_;
  bool is_force_;
  // a and b
  Vector Gamma_;
  Vector kappa_;
  Vector Gamma_rate_;
  Vector kappa_rate_;
};

}  // namespace

// Packed once; measuring allocates nothing.
std::unique_ptr<model::Sensor> make_section_sensor(const Element& element, std::span<const int> at, std::size_t point,
                                                   int number) {
  return std::make_unique<SectionSensor>(element, at, point, number);
}

}  // namespace polhode::elements::spectral
