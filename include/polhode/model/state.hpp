// SPDX-License-Identifier: BSD-3-Clause
// The state of a mechanism: configuration, velocities, accelerations and multipliers at one time, as a value.
#pragma once
#include <vector>

#include "polhode/math/so3.hpp"

namespace polhode::model {

using math::Mat3;
using math::Mat6;
using math::Vec3;
using math::Vec6;
using math::VectorX;

// Constraint equations that follow from others and are dropped (`constraints: {redundant: resolve}`): the iteration
// matrix has the rows and columns of the identity in their places, right-hand sides have zeros.
struct DroppedConstraints {
  std::vector<int> rows;  // numbers of constraint equations, ascending
  int revision = 0;       // grows each time that the rows are chosen: factorizations of another revision are of no use

  bool empty() const { return rows.empty(); }
  int count() const { return static_cast<int>(rows.size()); }
};

// Node arrays start with the ground at index 0 (never moving). Velocities are left-trivialized: v = [u; Omega] with u =
// xdot in the inertial frame and Omega in the node's own frame, Rdot = R Omega~.
struct State {
  double t = 0;                             // s
  std::vector<Vec3> x;                      // positions, inertial frame
  std::vector<math::so3::Quaternion> quat;  // unit, body to inertial, continuous in sign
  std::vector<Mat3> R;                      // the same as matrices
  // Velocities and accelerations of nodes: m/s and rad/s, m/s^2 and rad/s^2; vdot is the derivative of v as it stands
  // here, [xddot; Omegadot].
  std::vector<Vec6> v;
  std::vector<Vec6> vdot;
  VectorX lambda;            // multipliers, one a constraint row
  VectorX history;           // what elements remember of the last accepted state (turn counts)
  std::vector<Vec6> memory;  // the method's own, laid out by it
  double last_step = 0;      // h of the step that led here; 0 at the start
  double load_factor = 1;    // scales loads, gravity, motors and drives; other than 1 within static analyses alone
  DroppedConstraints dropped;  // from the equations of this state

  // Sizes all arrays for so many nodes (the ground included), constraint equations and internal variables: at the
  // origin, at rest, without multipliers. `memory` is the method's to size.
  void resize(std::size_t nodes, std::size_t rows, std::size_t remembered) {
    x.assign(nodes, Vec3::Zero());
    quat.assign(nodes, math::so3::Quaternion::Identity());
    R.assign(nodes, Mat3::Identity());
    v.assign(nodes, Vec6::Zero());
    vdot.assign(nodes, Vec6::Zero());
    lambda = VectorX::Zero(static_cast<Eigen::Index>(rows));
    history = VectorX::Zero(static_cast<Eigen::Index>(remembered));
  }
  // Sets both forms of a rotation; q must be of unit length.
  void set_rotation(std::size_t node, const math::so3::Quaternion& q) {
    quat[node] = q;
    R[node] = q.toRotationMatrix();
  }
};

}  // namespace polhode::model
