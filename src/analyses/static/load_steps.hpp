// SPDX-License-Identifier: BSD-3-Clause
// Equilibria by steps of the load factor, s = 0 ... 1, whose size follows from the iterations of the last one.
#pragma once
#include "path.hpp"

namespace polhode::analyses {

constexpr double smallest_load_step = 1e-6;  // of the load factor

class LoadSteps {
 public:
  explicit LoadSteps(Path& path) : path_(path) {}
  // Ends at s = 1, or with the reason in the path's result.
  void follow();
  // What follow() goes on with, of a path that is taken up.
  void take_up(const std::vector<double>& way);

 private:
  void archive(math::Archive& a) { a(ds_, uncertain_, curved_, warned_, gave_up_); }
  Correction solve(Path::Point& next);  // from the last equilibrium, at next.s: damped, else along curved ways
  void warn_of_round_off(const Correction& correction, double s);
  bool gives_up();
  double shortest_increment() const;
  bool solve_aside(Path::Point& point);
  bool jumps(const Path::Point& from, const Path::Point& to);
  bool is_joined_to(const Path::Point& next);

  Path& path_;
  double ds_ = 0;         // of the load factor, to try next; 0: at the begin
  double uncertain_ = 0;  // what the last equilibrium is known to (Correction)
  bool curved_ = false;   // the last step converged along curved ways alone
  bool warned_ = false;
  bool gave_up_ = false;
};

}  // namespace polhode::analyses
