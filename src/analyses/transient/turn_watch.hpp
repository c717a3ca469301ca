// SPDX-License-Identifier: BSD-3-Clause
// Joints and springs that turn by more than half a turn in a step, behind which their angles cannot be counted.
//
// An angle is known but for whole turns, and counted on to the value nearest to that of the step before. The rate of
// each angle between two nodes is at most |Omega_b - Omega_a|, and is that about a hinge: above pi in a step, the count
// takes the wrong way round. Steps under control are bounded so that none turns so far; others are warned of.
#pragma once
#include <vector>

#include "polhode/analyses/transient/transient.hpp"

namespace polhode::analyses {

class TurnWatch {
 public:
  // Takes all elements of two nodes that count angles, but for those whose drives say where they are. Keeps a
  // reference.
  // `controlled`: where the warning is to say which setting to change.
  TurnWatch(const assembly::System& system, bool controlled);
  // s: in a step up to it none of the elements turns by more than 2.5 rad at the rates of the state, which leaves them
  // room to turn faster at its end. Infinity without such elements, or where they rest.
  double longest_step(const State& q) const;
  // Warns of elements that turn so fast in the state at the end of a step of h, s: of each once, of the first ones by
  // name. Allocates nothing but then.
  void look_at(const State& q, double h, Observer& observer) {
    if (!pairs_.empty()) look_at_pairs(q, h, observer);
  }

  void archive(math::Archive& a) {
    for (Pair& pair : pairs_) a(pair.warned);
    a(warnings_);
  }

 private:
  struct Pair {
    // Index into Model::entries
    int entry;
    int a;
    int b;
    bool warned;
  };

  void look_at_pairs(const State& q, double h, Observer& observer);
  // |Omega_b - Omega_a|, rad/s.
  static double rate_of(const Pair& pair, const State& q);

  const assembly::System& system_;
  bool controlled_;
  std::vector<Pair> pairs_;
  int warnings_ = 0;
};

}  // namespace polhode::analyses
