// SPDX-License-Identifier: BSD-3-Clause
// Redundant constraints that a deck wants resolved: rows left out, multipliers of least norm, changes of rank noticed.
#pragma once
#include <string>

#include "polhode/assembly/constraint_rank.hpp"

namespace polhode::analyses {

// For models with `constraints: {redundant: resolve}`: rows that follow from the others are left out of the equations,
// as long as they do: after each step the rank is found anew. Of other models it looks where a step had to be done in
// parts.
class Redundancy {
 public:
  explicit Redundancy(assembly::System& system) : system_(system), residual_(system.make_residual()) {}

  // True where the iteration matrix of a step had pivots that are tiny beside those of other steps.
  bool suspects(double pivot_ratio);
  // All return what the user should be told, "" for nothing.
  std::string begin(const model::State& q);
  std::string after_step(model::State& q);           // sets the multipliers of least norm, too
  std::string after_trouble(const model::State& q);  // a look at the rank, if no rows are left out
  std::string after_failure(const model::State& q);  // of a step from q; "" if it has nothing else to offer

 private:
  bool active() const { return system_.model().resolve_redundant && system_.rows() > 0; }
  double violation(const model::State& q);  // of rows left out: largest, relative to the size of the model
  std::string choose(const assembly::ConstraintRank& rank);

  assembly::System& system_;
  assembly::Residual residual_;
  std::size_t redundant_ = 0;  // rows, at the last look
  double usual_pivots_ = 0;    // largest ratio of pivots so far
};

// "joints.B [axis 1], joints.D [position z, axis 2]"
std::string names_of_rows(const assembly::System& system, const std::vector<int>& rows);

}  // namespace polhode::analyses
