// SPDX-License-Identifier: BSD-3-Clause
// When the iteration matrix is made anew.
#include "polhode/integrators/generalized_alpha/reused_jacobian.hpp"

#include <algorithm>
#include <cmath>

namespace polhode::integrators {

void IncrementContraction::begin_step() {
  last_ = 0;
  first_ = 0;
}

void IncrementContraction::renew(bool own) {
  first_ = own ? last_ : 0;
  rate_ = unknown;
  last_ = 0;
  solves_ = 0;
}

void IncrementContraction::add(double increment, bool own) {
  if (last_ > 0) rate_ = increment / last_;
  if (own && solves_ == 1) first_rate_ = rate_;
  if (first_ > 0) first_rate_ = increment / first_;
  last_ = increment;
  first_ = 0;
  ++solves_;
}

bool IncrementContraction::takes_more_than(double solves, double to_go) const {
  return std::log(to_go) > -solves * std::log(rate_ == unknown ? first_rate_ : rate_);
}

// By the sum of the geometric series of the increments to come.
bool IncrementContraction::ends_with(double increment) const {
  const double rate = std::max(rate_, 0.1);
  return rate < 0.5 && increment * rate / (1 - rate) <= 0.1;
}

bool MatrixWear::wants_new_for_step() {
  const bool pauses = pause_ > 0;
  pause_ = std::max(0, pause_ - 1);
  return pauses;
}

void MatrixWear::restart(int solves) {
  fewest_ = solves;
  excess_ = 0;
  age_ = 0;
}

// A pause follows where the first step without a matrix of its own needed one after all; matrices that last make the
// next one shorter.
bool MatrixWear::add(int solves, bool own) {
  excess_ += std::max(0, solves - fewest_);
  ++age_;
  const bool worn = own || excess_ >= 2;
  if (worn && age_ == 1) {
    longest_pause_ = std::min(2 * longest_pause_ + 1, 15);
    pause_ = longest_pause_;
  }
  if (!worn && age_ > 1) longest_pause_ /= 2;
  return worn;
}

// A matrix has h in it: it is of no use where that has changed by more than a fifth.
void ReusedJacobian::begin_step(double h, int revision) {
  const bool pauses = wear_.wants_new_for_step();
  if (revision != revision_ || std::abs(h / h_of_matrix_ - 1) > 0.2 || pauses) valid_ = false;
  h_ = h;
  revision_ = revision;
  contraction_.begin_step();
  own_ = false;
  poor_ = false;
  began_with_old_ = reuses_ && valid_;
}

// With the contraction of an earlier step until two solves of this one have shown theirs.
bool ReusedJacobian::wants_new(double to_go) const {
  if (!reuses_ || !valid_ || poor_) return true;
  if (!contraction_.any()) return false;
  return contraction_.takes_more_than(3, to_go);
}

bool ReusedJacobian::should_begin_anew() const {
  return reuses_ && !own_ && contraction_.any() && contraction_.rate() >= 1;
}

void ReusedJacobian::begin_anew() {
  valid_ = false;
  poor_ = true;
  contraction_.begin_anew();
}

void ReusedJacobian::made() {
  contraction_.renew(own_);
  h_of_matrix_ = h_;
  valid_ = true;
  own_ = true;
}

void ReusedJacobian::solved(double increment) {
  const bool again = contraction_.any();
  contraction_.add(increment, own_);
  if (again && own_ && contraction_.rate() >= 0.5) poor_ = true;
}

void ReusedJacobian::finish_step(bool succeeded, int solves) {
  if (!succeeded) valid_ = false;
  if (!began_with_old_)
    wear_.restart(solves);
  else if (wear_.add(solves, own_))
    valid_ = false;
}

bool ReusedJacobian::accepts(double increment) const {
  if (!reuses_ || contraction_.solves() == 1) return increment <= 1;
  return contraction_.ends_with(increment);
}

}  // namespace polhode::integrators
