// SPDX-License-Identifier: BSD-3-Clause
// Redundant constraints that a deck wants resolved: equations dropped, multipliers of least norm, changes of rank
// noticed.
#pragma once
#include <optional>
#include <string>

#include "polhode/assembly/constraint_rank.hpp"
#include "polhode/assembly/row_dependencies.hpp"
#include "polhode/model/problem.hpp"

namespace polhode::analyses {

// Of models with `constraints: {redundant: resolve}` the rows that follow from the others are dropped from the
// equations, as long as they do, which is looked at after each step. Of other models, positions near which rows
// become dependent are reported; the pivots of Newton's matrix, which cost nothing, say when to look.
class Redundancy {
 public:
  explicit Redundancy(const assembly::System& system) : system_(system), residual_(system.make_residual()) {}

  // All return a message for the user, "" for nothing.
  std::string begin(model::State& q);
  // What sensors read that is not unique: a problem at each, as of the last choice of equations.
  void check_measured(model::Problems& problems) const;
  // `pivot_ratio`: of the last factorization. Sets the multipliers of least norm, where rows are dropped.
  std::string after_step(model::State& q, double pivot_ratio);
  // Other equations may hold, and be dropped, behind it.
  std::string after_event(model::State& q);
  // After a step that was subdivided, or failed: looks at the rank.
  std::string after_trouble(const model::State& q);
  // After the failure of a step from q; "" if it has nothing else to offer.
  std::string after_failure(model::State& q);
  // Factorizations are dropped where it writes, too.
  void archive(math::Archive& a) {
    dependencies_.reset();
    a(redundant_, independence_, largest_ratio_, last_ratio_, ratio_before_, positions_);
  }

 private:
  bool active() const { return system_.model().resolve_redundant && system_.rows() > 0; }
  // Of dropped rows: largest, relative to the size of the model.
  double violation(const model::State& q);
  // Whether the dropped rows still follow from the others, which do not depend on each other. Sets the multipliers of
  // least norm if so.
  bool choice_holds(model::State& q);
  std::string choose(const assembly::ConstraintRank& rank, model::State& q);
  std::string near_singular(const model::State& q, double pivot_ratio);

  const assembly::System& system_;
  assembly::Residual residual_;
  std::optional<assembly::RowDependencies> dependencies_;  // of the present choice
  std::size_t redundant_ = 0;                              // rows, at the last look
  std::vector<int> measured_;                              // entries of sensors of reactions that are not unique
  double independence_ = 0;                                // ConstraintRank::smallest at the start
  // of pivots
  double largest_ratio_ = 0;
  double last_ratio_ = 0;
  double ratio_before_ = 0;
  int positions_ = 0;  // nearly singular ones, so far
};

// "joints.B [axis 1], joints.D [position z, axis 2]"
std::string names_of_rows(const assembly::System& system, const std::vector<int>& rows);

}  // namespace polhode::analyses
