// SPDX-License-Identifier: BSD-3-Clause
// The equilibria found so far along the path of loads, and what every way of following it needs: tangents, acceptance
// of points, the end. Load steps (load_steps.hpp) and arc length (arc_length.hpp) follow it.
#pragma once
#include "equilibrium_newton.hpp"
#include "loss_of_stability.hpp"
#include "path_record.hpp"
#include "polhode/analyses/redundancy.hpp"
#include "stability.hpp"

namespace polhode::analyses {

class Path {
 public:
  // An equilibrium (q; s) with its tangent dz/ds over all unknowns; empty if it has not been computed.
  struct Point {
    State q;
    double s = 0;
    VectorX tangent;
    double smallest_pivot = 0;
  };

  Path(const assembly::System& system, const StaticSettings& settings, bool loaded, const State& start,
       Redundancy& redundancy, StaticObserver& observer, StaticResult& result);

  // Goes on from a restart point, if the run does; `way` gets what leave_point() was given there.
  bool take_up(std::vector<double>& way);
  // A restart point at here(), if there is one; `way` archives what the way of following the path goes on with.
  template <class Way>
  void leave_point(const Way& way) {
    if (!is_point()) return;
    math::Archive a;
    way(a);
    keep_point(a.words());
  }
  // The tangent at the start. Where loads drive a free motion, load steps begin with relax(); false, with the failure in
  // the result, if that finds nothing.
  bool begin();
  void finish();  // reports the free motions of the last equilibrium, which stay where they are
  // From the last equilibrium to one at which states of signals, `start` before the analysis, are at rest. False, with the failure in the result, where
  // there is none.
  bool rest_signals(const VectorX& start);

  const assembly::System& system() const { return equations_.system(); }
  const StaticSettings& settings() const { return equations_.loads().settings(); }
  PathRecord& record() { return record_; }
  Equilibrium& equations() { return equations_; }
  const Point& here() const { return here_; }        // the last equilibrium
  double first_size() const { return first_size_; }  // norm of the tangent at the start

  bool set_tangent(Point& point);  // at its state, which is an equilibrium; false if it is singular
  void accept(Point&& point, int iterations, bool last);
  bool stopped();  // interrupted, or out of steps: the result says so
  // Whether `next`, with more unstable directions than here(), is reached by a path that loses its stability on the way.
  bool is_joined_by_stability(const Point& next);
  // Puts a stable equilibrium in the place of an unstable one. False, with the failure in the result, if none is found.
  bool settle(Point& point);

  // From here() downhill to a stable equilibrium of the whole load, which becomes the last point. False if none is found.
  bool relax();

  // After a step from here() that did not converge even at the least size: the reason, as far as it can be found.
  void explain(const Correction& last);
  // Where the tangents of the last two points have the extremum of the load factor.
  double limit_load() const;

 private:
  bool is_point() const;
  void keep_point(std::vector<double> way);
  void archive(math::Archive& a);
  // Counts the directions in which here() is unstable, and reports where that number changes.
  void watch_stability();
  void report_unstable(int before);
  // Off the unstable equilibrium `from`, in its unstable directions: to the side where the path came from.
  VectorX way_off(const State& from, const Stability::Motions& motions);
  void note_flutter(const Stability::Motions& now);
  std::string motion_of(const Stability::Motions& motions) const;  // the lowest one of here(), in words
  // The load factor between before_ and here_ at which direction `index`, counted from the lowest, lost its stiffness.
  double unstable_since(int index);

  // States of signals that are not at rest, of those that forces follow.
  std::vector<int> changing_states() const;
  // Why signals have not come to rest: the last solution, and the states that went on in it.
  void fail_at_rest(const Correction& last, const std::vector<int>& restless);
  bool set_tangent_held(Point& point);  // with a small stiffness of free motions where there are any
  bool hides_free_motion();             // of here(), whose tangent is that of the equations
  // Why free motions of here() end the path, if there are any that loads drive.
  struct Driven {
    PathRecord::Reason reason;
    bool falls = false;  // a part that nothing can hold: there is no equilibrium
  };
  std::optional<Driven> driven_motions(const std::string& head);

  Equilibrium equations_;
  Stability stability_;
  Redundancy& redundancy_;
  PathRecord record_;
  Point here_;
  Point before_;  // its tangent is empty at the start
  double first_size_ = 0;
  std::optional<LossOfStability> loss_;  // on the way to the next point
  int counted_ = 0;                      // directions of negative stiffness of here(), by inertia
  bool flutter_noted_ = false;
  bool went_downhill_ = false;  // to the last point: no load factor says where stability was lost
  long restart_every_ = 0;      // load steps; 0: there are no restart points
};

std::string remedy_of_stiffness(const assembly::System& system);  // "lower the largest stiffness"

}  // namespace polhode::analyses
