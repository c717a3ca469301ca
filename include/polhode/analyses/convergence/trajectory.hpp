// SPDX-License-Identifier: BSD-3-Clause
// What two runs of a model are compared by: the components of the solution, kept at chosen times, and their distance.
//
//   e(t) = ( 1/n sum_i |d_i(t)|^2 )^1/2   over the n nodes that move, or over the n joints for the multipliers
//   d_i = difference; for rotations log(R_ref^T R), rad
#pragma once
#include <string>
#include <vector>

#include "polhode/assembly/system.hpp"

namespace polhode::analyses {

using model::State;

enum class Quantity { position, rotation, velocity, angular_velocity, acceleration, angular_acceleration, multipliers };

struct Component {
  // A node, or rows of a joint: `width` numbers from `offset` on of what the results hold of it.
  struct Item {
    std::string name;
    int first = 0;  // index of the node (0 = ground), or of the first row
    int offset = 0;
  };
  Quantity quantity;
  std::string name;
  std::string units;
  std::string description;
  std::vector<Item> items;
  std::vector<int> widths;  // numbers of each item
  std::size_t size = 0;     // of a row: the sum of the widths
};

// Those that the model has: no rotation where nothing turns, no multipliers without constraints.
std::vector<Component> components_of(const assembly::System& system);

struct Trajectory {
  std::vector<double> time;
  std::vector<std::vector<double>> rows;  // one a component: its numbers at each time
};

// Adds the components of `q` to the trajectory. Allocates only beyond what was reserved.
void append(const State& q, const std::vector<Component>& components, Trajectory& trajectory);
void reserve(std::size_t times, const std::vector<Component>& components, Trajectory& trajectory);

// e at each time that both have (the shorter one says where it ends).
std::vector<double> distances(const Component& component, std::size_t index, const Trajectory& a,
                              const Trajectory& reference);

// The largest ( 1/n sum_i |q_i|^2 )^1/2 of the trajectory itself; 1 rad for rotations.
double largest_size(const Component& component, std::size_t index, const Trajectory& trajectory);

}  // namespace polhode::analyses
