// SPDX-License-Identifier: BSD-3-Clause
// What of the local errors adds up from step to step.
//
// Vibrations that steps do not resolve change their sign from one step to the next, and so do the errors that they
// leave: however long the run, these stay as large as the vibration. A mean over five steps with binomial weights takes
// them away, cos^4(phi/2) of a vibration that turns by phi in a step, and keeps what adds up. An error that is larger than
// all before it is not known to be of a vibration: what it has more counts in full. Errors before a change of the step
// count as though their steps had been as long as the last one (h^3).
#pragma once
#include <array>
#include <span>
#include <vector>

#include "polhode/model/state.hpp"

namespace polhode::integrators {

using math::Vec6;
using model::State;

class ErrorTrend {
 public:
  explicit ErrorTrend(std::size_t nodes);

  // The step from time t, s, to `next` has the error x, by node, translations inertial and rotations in the node's
  // frame, of the size `norm`; it stands for the last step until it is accepted. Allocates nothing.
  void propose(double t, const State& next, std::span<const Vec6> x, double norm);
  // The step proposed last is one of those before the next.
  void accept();
  // Of the step proposed last and those before it. Errors of a body that turns are followed in both frames, its own and
  // the inertial one: what adds up in either adds up.
  enum Frame { of_node, inertial };
  std::span<const Vec6> mean(Frame frame);
  // What the norm of the step proposed last has more than that of each step before it.
  double rise() const;

  // For a run that is saved: numbers of the steps before, all of them.
  void save(std::vector<double>& data) const;
  // Takes what save() has added from the front; false, and nothing changed, if that is not there.
  bool load(std::span<const double>& data);

 private:
  static constexpr int most = 5;
  struct Step {
    double begin = 0;
    double end = 0;
    double norm = 0;
    std::array<std::vector<Vec6>, 2> x;  // by Frame
  };
  // The newest of `count_` accepted ones last, behind them the proposed one
  std::array<Step, most> steps_;
  int count_ = 0;
  std::vector<Vec6> mean_;
};

}  // namespace polhode::integrators
