// SPDX-License-Identifier: BSD-3-Clause
// The path of equilibria: steps of the load factor or of the arc length, chosen as they go.
#pragma once
#include "equilibrium.hpp"
#include "polhode/analyses/static/free_motion.hpp"
#include "polhode/analyses/redundancy.hpp"
#include "polhode/analyses/static/static.hpp"

namespace polhode::analyses {

class Path {
 public:
  Path(assembly::System& system, const StaticSettings& settings, bool loaded, const State& start,
       Redundancy& redundancy, StaticObserver& observer, StaticResult& result);

  bool begin();                 // the tangent at the start; false if a free motion forbids it
  void follow_by_load();        // s = 0 ... 1
  void follow_by_arc_length();  // through limit points, until s = 1
  void finish();                // free motions of the last equilibrium
  const State& state() const { return here_.q; }

 private:
  struct Point {
    State q;
    double s = 0;
    VectorX tangent;  // dz/ds
    double smallest_pivot = 0;
  };
  // Of length 1 in displacements (weighted) and load factor.
  struct Direction {
    VectorX z;
    double s = 0;
  };
  bool set_tangent(Point& point);  // at its state, which is an equilibrium; false if singular
  void accept(Point&& point, int iterations, bool last);
  void observe(const Point& point, int iterations, bool limit_point, bool last);
  bool stopped();  // interrupted, or out of steps
  void fail(const std::string& text);
  bool jumps(const Point& from, const Point& to) const;
  bool is_joined_to(const Point& next);  // by the path
  void explain(const Correction& last);
  bool tell_free_motions(const std::string& head, bool driven_alone);
  bool turns_back();          // whether the load factor has an extremum ahead: looked at by arc length
  double limit_load() const;  // where the tangents of the last two points say that the load factor ends

  Direction direction_of(const Point& point) const;
  double product(const Direction& a, const Direction& b) const;
  // The equilibrium on the plane at distance `length` from `from`, normal to the direction there.
  Correction solve_on_arc(const Point& from, const Direction& along, double length, Point& to);
  // The point between `from` and the one at `length` at which the load factor has its extremum.
  void tell_limit_point(const Point& from, const Direction& along, double length, double end_slope);
  bool reach_full_load(const Point& from, const Direction& along, double length, const Point& beyond);

  assembly::System& system_;
  const StaticSettings& settings_;
  Equilibrium equations_;
  Redundancy& redundancy_;
  StaticObserver& observer_;
  StaticResult& result_;
  Point here_;
  Point before_;
  double first_size_ = 0;  // of the tangent at the start
  bool told_uncertain_ = false;
  double weight_ = 1;  // of displacements against the load factor in the arc length
};

}  // namespace polhode::analyses
