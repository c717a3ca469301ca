// SPDX-License-Identifier: BSD-3-Clause
// Where an analysis may be taken up again: what it leaves there, and what it gets back.
#pragma once
#include <optional>
#include <vector>

#include "polhode/math/archive.hpp"

namespace polhode::analyses {

// Defaults: at a point a method makes its matrices anew, and some begin with a low order, which takes the time of up to
// six steps; a path of equilibria loses less.
constexpr long steps_between_points = 1000;
constexpr long load_steps_between_points = 100;

// Place of a point in its analysis.
struct RestartPlace {
  // Accepted steps before it: load steps of static analyses
  long step = 0;
  // s
  double time = 0;
  // A run of another duration would have come here, too, by the same bits.
  bool any_duration = false;
};

// Points stand at fixed numbers of steps, so that a run passes the same ones whether it is taken up there or not. At
// each of them it drops what cannot be written (factorizations, the history of a library), and goes on as one does that
// was taken up.
class RestartPoints {
 public:
  virtual ~RestartPoints() = default;
  // Steps from one point to the next, which are `otherwise` where the deck leaves it to the method; 0: there are none.
  virtual long every(long otherwise) const = 0;
  // Keeps what the analysis has written; the observer has seen the state before.
  virtual void keep(const RestartPlace& place, const std::vector<double>& words) = 0;
  // What was kept at the point where the present analysis is to be taken up, once. The observer knows all states up to
  // there, so that none is shown to it again.
  virtual std::optional<std::vector<double>> take() = 0;
  // The analysis has been taken up by what take() gave: from here on warnings are new ones. False if it could not be.
  virtual void taken(bool good) = 0;
};

}  // namespace polhode::analyses
