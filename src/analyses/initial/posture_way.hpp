// SPDX-License-Identifier: BSD-3-Clause
// The way of a model from the deck's configuration to given coordinates.
#pragma once
#include <optional>

#include "polhode/assembly/linear/saddle.hpp"
#include "posture_model.hpp"

namespace polhode::analyses {

using model::State;

// Of violations of positions: of the size of the model, rad.
inline constexpr double posture_round_off = 1e-12;

// A model with drives, and its system, which refers to it.
struct Driver {
  model::Model model;
  std::optional<assembly::System> system;

  Driver(const assembly::System& of, const std::vector<GivenJoint>& joints, Driven driven, model::Problems& problems)
      : model(posture_model(of, joints, driven)) {
    system = assembly::System::make(model, problems);
  }
  Driver(const Driver&) = delete;
  Driver& operator=(const Driver&) = delete;
};

// `q` is the state of the deck's own system, which counts angles along; `driven` is the system of its copy with drives.
class Way {
 public:
  Way(const assembly::System& system, const assembly::System& driven, const std::vector<GivenJoint>& joints, State& q,
      const math::StopRequest& stop);

  // Along the tree at once, else in steps, else from the rigid motions at once. False where a loop does not close.
  bool go();
  const PostureTree& tree() const { return tree_; }
  // Where the way ended: the part of the coordinates that was reached, and a state beyond, in which loops are open; where
  // nothing was reached, the one with the coordinates as given.
  double reached() const { return reached_; }
  const State& open() const { return open_; }

 private:
  bool go_along_tree();
  bool go_in_steps();
  bool jump();
  // The rigid motions to the coordinates, with `each(state, part)` on the way.
  template <class Each>
  State place(const Each& each) const;
  int number_of_steps(const State& start) const;
  bool close(State& trial, double tolerance, double slowest);
  void take(const State& from, double part);

  const assembly::System& system_;
  const assembly::System& driven_;
  const std::vector<GivenJoint>& joints_;
  PostureTree tree_;
  State& q_;
  const math::StopRequest& stop_;
  assembly::Saddle saddle_;
  double reached_ = 0;
  State open_;
};

// Where coordinates of one loop are given that follow from each other: drives fewer of them, as many as the loop can
// follow on its way, and accepts where this ends if all others have their values there. `failed` is the way with all of
// them, `driven` its system; `q` stays as it is where nothing fits. `blamed`: the entry of a joint whose coordinates do
// not fit where all loops are closed; -1 where they never were.
bool go_with_fewer(const assembly::System& system, const assembly::System& driven,
                   const std::vector<GivenJoint>& joints, const Way& failed, State& q, int& blamed,
                   const math::StopRequest& stop);

}  // namespace polhode::analyses
