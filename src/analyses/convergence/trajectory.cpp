// SPDX-License-Identifier: BSD-3-Clause
// Components of the solution at chosen times, and their distance.
#include "polhode/analyses/convergence/trajectory.hpp"

#include <algorithm>
#include <cmath>

namespace polhode::analyses {
namespace {

using math::so3::Quaternion;

// Nodes that are fixed in the quantity have no error and would dilute the mean.
Component of_nodes(const assembly::System& system, Quantity quantity, std::string name, std::string units,
                   std::string description) {
  Component component{quantity, std::move(name), std::move(units), std::move(description), {}, {}, 0};
  const bool turns = quantity == Quantity::rotation || quantity == Quantity::angular_velocity ||
                     quantity == Quantity::angular_acceleration;
  const int width = quantity == Quantity::rotation ? 4 : 3;
  for (std::size_t i = 1; i < system.nodes(); ++i) {
    const auto& local = system.unknowns()[i].local;
    const auto* first = local.data() + (turns ? 3 : 0);
    if (std::all_of(first, first + 3, [](int unknown) { return unknown < 0; })) continue;
    component.items.push_back({system.node(i).name, static_cast<int>(i), 0});
    component.widths.push_back(width);
    component.size += static_cast<std::size_t>(width);
  }
  return component;
}

// One item a joint: its rows are consecutive, and count together.
Component of_rows(const assembly::System& system) {
  Component component{Quantity::multipliers, "multipliers", "N, N m", "Lagrange multipliers of the joints", {}, {}, 0};
  int last = -1;
  std::vector<int> used(system.model().entries.size(), 0);  // rows of each entry so far
  for (int row = 0; row < system.rows(); ++row) {
    const int entry = system.entry_of_row(row);
    if (entry != last) {
      component.items.push_back({system.model().entries[entry].name, row, used[entry]});
      component.widths.push_back(0);
    }
    ++component.widths.back();
    ++used[entry];
    last = entry;
  }
  component.size = static_cast<std::size_t>(system.rows());
  return component;
}

Quaternion quaternion(const double* p) { return {p[0], p[1], p[2], p[3]}; }

// Of rotations |log(R_b^T R_a)|^2, rad^2; of all else the Euclidean distance.
double squared_distance(Quantity quantity, int width, const double* a, const double* b) {
  if (quantity == Quantity::rotation)
    return math::so3::log(Quaternion(quaternion(b).conjugate() * quaternion(a))).squaredNorm();
  double sum = 0;
  for (int k = 0; k < width; ++k) sum += (a[k] - b[k]) * (a[k] - b[k]);
  return sum;
}

}  // namespace

// Those that the model has none of are dropped.
std::vector<Component> components_of(const assembly::System& system) {
  std::vector<Component> all = {
      of_nodes(system, Quantity::position, "position", "m", "positions of the nodes"),
      of_nodes(system, Quantity::rotation, "rotation", "rad", "rotations of the nodes, by |log(R_ref^T R)|"),
      of_nodes(system, Quantity::velocity, "velocity", "m/s", "velocities of the nodes"),
      of_nodes(system, Quantity::angular_velocity, "angular_velocity", "rad/s", "angular velocities, body frame"),
      of_nodes(system, Quantity::acceleration, "acceleration", "m/s^2", "accelerations of the nodes"),
      of_nodes(system, Quantity::angular_acceleration, "angular_acceleration", "rad/s^2",
               "angular accelerations, body frame"),
      of_rows(system)};
  std::erase_if(all, [](const Component& component) { return component.items.empty(); });
  return all;
}

void reserve(std::size_t times, const std::vector<Component>& components, Trajectory& trajectory) {
  trajectory.time.reserve(times);
  trajectory.rows.resize(components.size());
  for (std::size_t c = 0; c < components.size(); ++c) trajectory.rows[c].reserve(times * components[c].size);
}

// In the order of the items, so that distances() can walk both trajectories side by side.
void append(const State& q, const std::vector<Component>& components, Trajectory& trajectory) {
  trajectory.time.push_back(q.t);
  for (std::size_t c = 0; c < components.size(); ++c) {
    const Component& component = components[c];
    std::vector<double>& row = trajectory.rows[c];
    for (std::size_t k = 0; k < component.items.size(); ++k) {
      const auto i = static_cast<std::size_t>(component.items[k].first);
      const auto copy = [&](const double* from) { row.insert(row.end(), from, from + component.widths[k]); };
      switch (component.quantity) {
        case Quantity::position:
          copy(q.x[i].data());
          break;
        case Quantity::rotation: {
          // Scalar part first, as in results.
          const double wxyz[] = {q.quat[i].w(), q.quat[i].x(), q.quat[i].y(), q.quat[i].z()};
          copy(wxyz);
          break;
        }
        case Quantity::velocity:
          copy(q.v[i].data());
          break;
        case Quantity::angular_velocity:
          copy(q.v[i].data() + 3);
          break;
        case Quantity::acceleration:
          copy(q.vdot[i].data());
          break;
        case Quantity::angular_acceleration:
          copy(q.vdot[i].data() + 3);
          break;
        case Quantity::multipliers:
          copy(q.lambda.data() + i);
          break;
      }
    }
  }
}

// Root mean square over the items, at each time that both have.
std::vector<double> distances(const Component& component, std::size_t index, const Trajectory& a,
                              const Trajectory& reference) {
  std::vector<double> all(std::min(a.time.size(), reference.time.size()));
  const double* from = a.rows[index].data();
  const double* to = reference.rows[index].data();
  for (double& distance : all) {
    double sum = 0;
    for (const int width : component.widths) {
      sum += squared_distance(component.quantity, width, from, to);
      from += width;
      to += width;
    }
    distance = std::sqrt(sum / static_cast<double>(component.widths.size()));
  }
  return all;
}

// Root mean square over the items at the time where it is largest; rotations count as 1 rad.
double largest_size(const Component& component, std::size_t index, const Trajectory& trajectory) {
  if (component.quantity == Quantity::rotation) return 1;
  double largest = 0;
  const std::vector<double>& numbers = trajectory.rows[index];
  for (std::size_t begin = 0; begin + component.size <= numbers.size(); begin += component.size) {
    double sum = 0;
    for (std::size_t k = 0; k < component.size; ++k) sum += numbers[begin + k] * numbers[begin + k];
    largest = std::max(largest, sum);
  }
  return std::sqrt(largest / static_cast<double>(component.widths.size()));
}

}  // namespace polhode::analyses
