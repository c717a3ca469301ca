// SPDX-License-Identifier: BSD-3-Clause
// Parts of the linear model (polhode/analyses/linear_model.hpp).
#pragma once
#include "polhode/analyses/linearize/linear_model.hpp"

namespace polhode::analyses {

// The inputs that `name` stands for, at `q`; where there are none `problem` says why. Without `q` names alone are
// checked, and forces are empty.
std::vector<LinearInput> inputs_of(const assembly::System& system, const std::string& name, const model::State* q,
                                   std::string& problem);

// What a column of the state space does to the model.
// A variation of the state: what a unit of z, z' or u changes. Of each node translations are
// inertial, rotations in the node's frame.
struct Direction {
  // by node
  std::vector<model::Vec6> dx;
  std::vector<model::Vec6> dv;
  std::vector<model::Vec6> dvdot;
  model::VectorX dlambda;
  const std::vector<model::Vec6>* force = nullptr;  // of an input
  model::VectorX dsignals;                          // of states of signals
  int added = -1;                                   // the value of signals that an input is added to
};

// Outputs and their derivatives along directions, by differences of fourth order.
class LinearOutputs {
 public:
  LinearOutputs(const assembly::System& system, const std::vector<std::string>& names, const std::string& path,
                model::Problems& problems);
  ~LinearOutputs();
  LinearOutputs(const LinearOutputs&) = delete;
  LinearOutputs& operator=(const LinearOutputs&) = delete;

  Eigen::Index size() const;
  std::vector<LinearOutput> at(const model::State& q);
  model::VectorX derivative(const model::State& q, const Direction& along);
  // Without any motion: what a unit of the input changes in the outputs of its own entry.
  model::VectorX direct(const model::State& q, const LinearInput& input);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace polhode::analyses
