// SPDX-License-Identifier: BSD-3-Clause
// A signal that keeps a number until it is given another one from outside: y = held[0], which nothing samples.
#pragma once
#include "polhode/model/signal.hpp"

namespace polhode::elements::signals {

class HeldNumber final : public model::SignalBlock {
 public:
  explicit HeldNumber(double initial) : SignalBlock({.held = 1}), initial_(initial) {}
  void start(std::span<double>, std::span<double> held) const override { held[0] = initial_; }
  void evaluate(double, std::span<const double>, std::span<const double>, std::span<const double> held,
                Values& values) const override {
    values.y[0] = held[0];
  }

 private:
  double initial_;
};

}  // namespace polhode::elements::signals
