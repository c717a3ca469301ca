// SPDX-License-Identifier: BSD-3-Clause
// The state of a mechanism: configuration, velocities, accelerations and multipliers at one time, as a value.
#pragma once
#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "polhode/math/so3.hpp"

namespace polhode::model {

using math::Mat3;
using math::Mat6;
using math::Vec3;
using math::Vec6;
using math::VectorX;

// Constraint equations that follow from others and are dropped (`constraints: {redundant: resolve}`), or those of locks
// that do not hold and of joints that have come apart: the iteration matrix has the rows and columns of the identity in
// their places, right-hand sides have zeros.
struct DroppedConstraints {
  // Numbers of constraint equations, ascending
  std::vector<int> rows;
  // Of them those of locks and joints, ascending: their violations and rates count as zero, and laws of such joints do
  // not act
  std::vector<int> open;
  // Grows each time that the rows are chosen: factorizations of another revision are of no use
  int revision = 0;

  bool empty() const { return rows.empty(); }
  int count() const { return static_cast<int>(rows.size()); }
  std::size_t redundant_count() const { return rows.size() - open.size(); }
  bool is_open(int row) const { return std::binary_search(open.begin(), open.end(), row); }
  // The equation of a lock or joint does not hold, or holds, from here on. False if it has been so before.
  bool drop(int row) {
    insert(rows, row);
    return insert(open, row);
  }
  bool hold(int row) { return erase(open, row) && erase(rows, row); }

  // Those that follow from others
  std::vector<int> redundant() const {
    std::vector<int> found;
    std::set_difference(rows.begin(), rows.end(), open.begin(), open.end(), std::back_inserter(found));
    return found;
  }
  // These, ascending, in their place
  void choose(const std::vector<int>& others) {
    rows.clear();
    std::set_union(others.begin(), others.end(), open.begin(), open.end(), std::back_inserter(rows));
    ++revision;
  }

 private:
  static bool insert(std::vector<int>& ascending, int row) {
    const auto place = std::lower_bound(ascending.begin(), ascending.end(), row);
    if (place != ascending.end() && *place == row) return false;
    ascending.insert(place, row);
    return true;
  }
  static bool erase(std::vector<int>& ascending, int row) {
    const auto place = std::lower_bound(ascending.begin(), ascending.end(), row);
    if (place == ascending.end() || *place != row) return false;
    ascending.erase(place);
    return true;
  }
};

// States z of signals, z' = f, one behind the other, and numbers that are held since a moment of sampling.
struct SignalState {
  VectorX z;
  // f, and the method's mean of it over a step (generalized_alpha: a of z' in the place of v')
  VectorX rate;
  VectorX mean_rate;
  VectorX held;
  // Of all signals at the last accepted state: where loops of signals without delay are sought from
  VectorX values;
  // Where z is sought: z = base + gain f(z). With gain 0, s, z is as it stands.
  VectorX base;
  double gain = 0;
  // Rows of what delays have been given (assembly/signal_past.hpp)
  std::vector<double> past;

  void swap(SignalState& other) noexcept {
    z.swap(other.z);
    rate.swap(other.rate);
    mean_rate.swap(other.mean_rate);
    held.swap(other.held);
    values.swap(other.values);
    base.swap(other.base);
    std::swap(gain, other.gain);
    past.swap(other.past);
  }
};

// Node arrays start with the ground at index 0 (never moving). Velocities are left-trivialized: v = [u; Omega] with u =
// xdot in the inertial frame and Omega in the node's own frame, Rdot = R Omega~.
struct State {
  // s
  double t = 0;
  // Positions, m, inertial frame
  std::vector<Vec3> x;
  // Rotations, body to inertial: unit quaternions, continuous in sign
  std::vector<math::so3::Quaternion> quat;
  // The same as matrices
  std::vector<Mat3> R;
  // Velocities and accelerations of nodes: m/s and rad/s, m/s^2 and rad/s^2; vdot is the derivative of v as it stands
  // here, [xddot; Omegadot].
  std::vector<Vec6> v;
  std::vector<Vec6> vdot;
  // Multipliers, one a constraint equation
  VectorX lambda;
  // What elements remember of the last accepted state (counted angles)
  VectorX history;
  // Of signals with states or samples of their own
  SignalState signals;
  // The method's own, laid out by it
  std::vector<Vec6> memory;
  // h of the step that led here, s; 0 at the start
  double last_step = 0;
  // Scales loads, gravity, motors and drives; other than 1 within static analyses alone
  double load_factor = 1;
  // From the equations of this state
  DroppedConstraints dropped;

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
  // Exchanges everything; in each step, where three moves would cost twice as much.
  void swap(State& other) noexcept {
    std::swap(t, other.t);
    x.swap(other.x);
    quat.swap(other.quat);
    R.swap(other.R);
    v.swap(other.v);
    vdot.swap(other.vdot);
    lambda.swap(other.lambda);
    history.swap(other.history);
    if (signals.values.size() > 0) signals.swap(other.signals);
    memory.swap(other.memory);
    std::swap(last_step, other.last_step);
    std::swap(load_factor, other.load_factor);
    dropped.rows.swap(other.dropped.rows);
    dropped.open.swap(other.dropped.open);
    std::swap(dropped.revision, other.dropped.revision);
  }
  // Sets both forms of a rotation; q must be of unit length.
  void set_rotation(std::size_t node, const math::so3::Quaternion& q) {
    quat[node] = q;
    R[node] = q.toRotationMatrix();
  }
};

}  // namespace polhode::model
