// SPDX-License-Identifier: BSD-3-Clause
// What a sensor reads of the reaction of a joint: components of force and moment on b as results have them, functions
// of the joint's multipliers and of the positions of both nodes; and the force or torque of a drive.
//
// With w = B^T lambda (forces inertial, moments in the nodes' frames), K = D_q w and l = R_b s_b:
//   force = -w_f,                 D force = -K_f
//   moment = -R_b w_m - l x force,   D moment = -R_b K_m + l~ K_f + (R_b w_m~ - force~ R_b s_b~) dTheta_b
#pragma once
#include <memory>

#include "elements/joints/rows/joint_element.hpp"
#include "elements/joints/rows/rows.hpp"

namespace polhode::elements {

template <class Kind>
class ReactionSensor final : public model::Sensor {
 public:
  using Data = typename Kind::Data;
  // `component`: 0 to 2 of the force, 3 to 5 of the moment, inertial.
  ReactionSensor(std::shared_ptr<const Data> data, const std::array<int, 2>& nodes, Element element, int component)
      : data_(std::move(data)), nodes_(nodes), element_(element), component_(component) {}

  std::span<const int> nodes() const override { return nodes_; }
  Element multipliers() const override { return element_; }
  Reaction reaction() const override { return component_ < 3 ? Reaction::force : Reaction::moment; }
  void measure(const model::State& q, bool derivatives, model::Measurement& m) const override {
    const Data& d = *data_;
    const PairNodes n = pair_of(q, nodes_);
    const typename Kind::Rows lambda =
        q.lambda.template segment<Kind::rows>(element_.batch->first_row_of(element_.number));
    typename Kind::Gradient B = Kind::Gradient::Zero();
    Kind::gradient(d, n, {}, B);
    std::array<double, 6> reaction;
    write_reaction(B, lambda, d, n, reaction.data());
    m.value = reaction[static_cast<std::size_t>(component_)];
    if (!derivatives) return;
    PairBlock K = PairBlock::Zero();
    Kind::add_geometric_tangent_to(d, n, {}, lambda, K);
    const Mat<12> w = B.transpose() * lambda;
    PairGradient row = reaction_row(component_, K, d, n);
    row.template tail<3>() += reaction_by_turn(component_, w, d, n);
    const Mat<12, Kind::rows> columns = B.transpose();
    const Mat<1, Kind::rows> by_multiplier = reaction_row(component_, columns, d, n);
    m.by_position[0] = row.template head<6>().transpose();
    m.by_position[1] = row.template tail<6>().transpose();
    for (int k = 0; k < Kind::rows; ++k) m.by_multiplier[static_cast<std::size_t>(k)] = by_multiplier[k];
  }

 private:
  std::shared_ptr<const Data> data_;
  std::array<int, 2> nodes_;
  Element element_;
  int component_;
};

// A multiplier: of the row of a drive, its force or torque.
class MultiplierSensor final : public model::Sensor {
 public:
  // `row`: among those of the element
  MultiplierSensor(Element element, int row) : element_(element), row_(row) {}
  std::span<const int> nodes() const override { return {}; }
  Element multipliers() const override { return element_; }
  void measure(const model::State& q, bool, model::Measurement& m) const override {
    m.value = q.lambda[element_.batch->first_row_of(element_.number) + row_];
    m.by_multiplier[static_cast<std::size_t>(row_)] = 1;
  }

 private:
  Element element_;
  int row_;
};

}  // namespace polhode::elements
