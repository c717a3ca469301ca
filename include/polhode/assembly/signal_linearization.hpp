// SPDX-License-Identifier: BSD-3-Clause
// Signals in the linear equations of small motions about a state whose z stand, with s all values of signals, m what
// sensors read, r the residual of forces, and w what is added to values:
//
//   delta s = S_z delta z + S_w (delta m + delta w),   delta z' = Z delta z + W (delta m + delta w)
//   delta r = (tangents of the system) + D r/D s (S_z delta z + S_w delta w)
//
// through all blocks and loops between them.
#pragma once
#include <vector>

#include "polhode/model/signal.hpp"

namespace polhode::assembly {

// What drives that follow signals add to their constraint equations, Phi, and to the first and second derivatives of
// these by time: derivatives by states and by what is added to values. Of degree two at least, so that values and first
// derivatives follow states and time alone.
struct DriveLinearization {
  std::vector<int> rows;  // one a drive
  math::MatrixX by_state;
  math::MatrixX first_by_state;
  math::MatrixX second_by_state;
  math::MatrixX second_by_added;  // by value; zero but for those of sensors
};

struct SignalLinearization {
  // What a unit of a value adds to the residual of a node: N inertial, N m in the node's frame.
  struct Action {
    int node;
    int value;
    model::Vec6 residual;
  };

  // What a unit of a value adds to a constraint equation that a signal drives.
  struct DrivenRow {
    int row;
    int value;
    double by_value;
  };

  math::VectorX rates;            // z' itself; 0 where the state is one of rest
  math::MatrixX values_by_state;  // S_z
  math::MatrixX values_by_added;  // S_w, by value
  math::MatrixX rates_by_state;   // Z, 1/s
  math::MatrixX rates_by_added;   // W, by value
  std::vector<Action> actions;    // D r/D s
  std::vector<DrivenRow> driven;  // D Phi/D s
  std::vector<model::Measurement> measured;
  std::vector<int> value_of_sensor;
  std::vector<int> row_of_sensor;  // the first of the multipliers that it reads
  bool reads_dynamics = false;     // some sensor reads multipliers or accelerations
  // Those without derivatives of their own; alive as long as the network
  struct Sum {
    int value;
    const model::Sensor* sensor;
  };
  std::vector<Sum> sums;

  // Sets W delta m of a motion of the nodes: translations inertial, rotations in each node's frame.
  void set_rates_along(const std::vector<model::Vec6>& dx, const std::vector<model::Vec6>& dv,
                       math::VectorX& rates_along) const;
  // Adds what sensors read of changes of accelerations, in the same frames, and of all multipliers.
  void add_rates_by_dynamics(const std::vector<model::Vec6>& dvdot, const math::VectorX& dlambda,
                             math::VectorX& rates_along) const;
  // Adds what sums over the model do along a motion from `q`, by central differences. `moved`: a state to work with;
  // `length`: of the model, m.
  void add_rates_by_sums(const model::State& q, double length, const std::vector<model::Vec6>& dx,
                         const std::vector<model::Vec6>& dv, model::State& moved, math::VectorX& rates_along) const;
  // Forces on so many nodes, minus the residual, of changes of all values.
  std::vector<model::Vec6> forces(const math::VectorX& ds, std::size_t nodes) const;
  // Constraint equations, minus their change as above.
  math::VectorX rows(const math::VectorX& ds, Eigen::Index count) const;
  // What z and motions of the size of a model of that length, m, would make of the rates.
  math::VectorX sizes(const math::VectorX& z, double length) const;
};

}  // namespace polhode::assembly
