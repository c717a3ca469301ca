// SPDX-License-Identifier: BSD-3-Clause
// Continuation by arc length: the load factor is an unknown too, and the path passes its extrema.
//
// Predictor along the tangent, corrector on the plane normal to it (pseudo-arclength: Keller 1977; Riks 1979), each
// iteration by two solutions with the same tangent stiffness. With w the weight of displacements, the length of a
// direction (z, s) is sqrt(w^2 |z|^2 + s^2); at the start displacements count as much as the load factor.
#pragma once
#include "path.hpp"

namespace polhode::analyses {

class ArcLength {
 public:
  // Loads that move nothing beyond the tolerance have a path of round-off: its length is that of the load factor.
  explicit ArcLength(Path& path)
      : path_(path), weight_(path.first_size() > path.settings().tolerance ? 1 / path.first_size() : 1) {}

  // Through limit points until s = 1, or with the reason in the path's result.
  void follow();
  // What follow() goes on with, of a path that is taken up.
  void take_up(const std::vector<double>& way);
  // Whether the load factor has an extremum ahead of the last equilibrium. Adds no points to the path.
  bool turns_back();

 private:
  // A tangent of the path of length 1.
  struct Direction {
    VectorX z;     // of the unknowns
    double s = 0;  // of the load factor
  };

  void archive(math::Archive& a) { a(along_.z, along_.s, length_); }
  Direction direction_at(const Path::Point& point) const;
  Direction direction_like(const Path::Point& point, const Direction& along) const;  // of the same sense as `along`
  double product(const Direction& a, const Direction& b) const;
  // The equilibrium on the plane at distance `length` from `from`, normal to the direction there; with its tangent if
  // the result has converged.
  Correction solve(const Path::Point& from, const Direction& along, double length, Path::Point& to);
  // The correction of (q; s) within that plane by the last tangent stiffness.
  Direction correction(const Path::Point& to, const Direction& along);
  // The point between `from` and the one at `length` at which the load factor has its extremum: observed, and noted as
  // a limit load. `end_slope`: ds per length at the far end.
  void find_limit_point(const Path::Point& from, const Direction& along, double length, double end_slope);
  // The equilibrium at s = 1 between `from` and `beyond`; false if it is not found.
  bool reach_full_load(const Path::Point& from, const Direction& along, double length, const Path::Point& beyond);

  Path& path_;
  double weight_;      // of displacements against the load factor
  Direction along_;    // of the last equilibrium
  double length_ = 0;  // of the next step; 0: at the begin
};

}  // namespace polhode::analyses
