// SPDX-License-Identifier: BSD-3-Clause
// What of the local errors adds up from step to step.
//
// A vibration of amplitude A that turns by phi in a step leaves errors of c phi^3 A, which change their sign with it:
// however long the run, they stay as large as the vibration. So errors pass through three low-passes of first order one
// behind the other, each of which leaves cut/phi of what is faster than `cut`. From there on cut^3 c A is left
// whatever phi is, and an allowed error is the same as an allowed amplitude; what is slower counts in full. The filter
// lags behind errors that grow: its result is multiplied by what the size of the last error has more than the filtered
// sizes. Errors before a change of the step count as though their steps had been as long as the last one (h^3).
#pragma once
#include <array>
#include <span>
#include <utility>
#include <vector>

#include "polhode/model/state.hpp"

namespace polhode::integrators {

using math::Mat3;
using math::Vec6;
using model::State;

class ErrorTrend {
 public:
  // `cut`: rad a step.
  ErrorTrend(std::size_t nodes, double cut);

  // The step from time t, s, to `next` has the error x, by node, translations inertial and rotations in the node's
  // frame, of the size `norm`; it stands for the last step until it is accepted. Allocates nothing.
  void propose(double t, const State& next, std::span<const Vec6> x, double norm);
  // The step proposed last is one of those before the next.
  void accept() { std::swap(before_, now_); }
  // Of the step proposed last and those before it. Errors of a body that turns are followed in both frames, its own and
  // the inertial one: what adds up in either adds up.
  enum Frame { of_node, inertial };
  std::span<const Vec6> mean(Frame frame) const { return now_.x[frame].back(); }
  // How far the size of the step proposed last is ahead of the filtered ones, as a factor of at least 1. The mean of
  // |sin| is 2/pi: a vibration is not ahead.
  double lead() const;

  // For a run that is saved: the number of steps before, and what is left of them if there are any.
  void save(std::vector<double>& data) const;
  // Takes what save() has added from the front; false, and nothing changed, if that is not there.
  bool load(std::span<const double>& data);

 private:
  static constexpr int stages = 3;
  // Behind a step
  struct Filtered {
    double h = 0;    // s
    double end = 0;  // s
    int steps = 0;   // that follow each other
    double norm = 0;
    // By stage: sizes of errors, and the errors, these by Frame and node
    std::array<double, stages> size{};
    std::array<std::array<std::vector<Vec6>, stages>, 2> x;
  };
  // That a new error has in a stage
  double share_;
  Filtered before_;
  Filtered now_;
};

}  // namespace polhode::integrators
