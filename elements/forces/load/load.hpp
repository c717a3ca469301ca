// SPDX-License-Identifier: BSD-3-Clause
// A force and a moment on a node, both times a history: inertial components, or those of the node's frame (follower).
//
//   dead      r -= s(t) [F; R^T M]        K, rotation by rotation:    -s (R^T M)~
//   follower  r -= s(t) [R F; M]          K, translation by rotation:  s R F~
#pragma once
#include <random>

#include "polhode/model/catalog.hpp"
#include "polhode/model/contract.hpp"
#include "polhode/model/function.hpp"

namespace polhode::elements {

struct Load {
  static constexpr std::string_view name = "load";
  static constexpr int nodes = 1, rows = 0, history = 0;
  struct Data {
    math::Vec3 force, moment;  // N, N m
    bool follower;
    model::TimeFunction scale;
  };
  using Nodes = model::Nodes<1>;

  static void add_forces_to(const Data& d, const Nodes& n, const model::Context& c, math::Vec6& r);
  static void add_force_tangents_to(const Data& d, const Nodes& n, const model::Context& c, model::Tangents<Load>& t);
  static double power(const Data& d, const Nodes& n, const model::Context& c);
  static void breakpoints(const Data& d, double t0, double t1, std::vector<double>& out);
  static Data sample(std::mt19937& random);
};

extern const model::KindInfo load_info;

}  // namespace polhode::elements
