// SPDX-License-Identifier: BSD-3-Clause
// When the iteration matrix is made and factorized: at each iterate (full Newton), or only when that pays (kept).
//
// A kept matrix makes increments shrink by a rate theta a solve. With e times the allowed error to go, some
// log(e) / -log(theta) solves are left. A new matrix costs about as much as one solve and a half, so it is made
//   * when more than three solves would be left;
//   * at each iterate of a step where increments shrink by less than half even so;
//   * for a step, when those since the last one have together taken two solves more than with a matrix of their own;
//   * for each of the next 1, 3, 7, 15 steps, when the first one that did without needed one after all.
// A step that fails with kept matrices, as one whose increments grow, begins anew with full Newton.
#pragma once
#include <algorithm>
#include <cmath>

namespace polhode::integrators {

// It decides, and knows of the matrix only what is said to it: begin_step, then wants_new, made and solved for each
// solve, then finish_step. Increments are norms in units of what is allowed, 1 at convergence.
class KeptJacobian {
 public:
  // Without `kept` each answer is that of full Newton.
  explicit KeptJacobian(bool kept) : kept_(kept) {}

  // Of a step of h; `revision` changes with the set of rows that the matrix has.
  void begin_step(double h, int revision) {
    if (revision != revision_ || std::abs(h / h_of_matrix_ - 1) > 0.2 || pause_ > 0) valid_ = false;
    h_ = h;
    revision_ = revision;
    pause_ = std::max(0, pause_ - 1);
    last_ = first_ = 0;
    own_ = poor_ = false;
    began_with_old_ = kept_ && valid_;
  }
  // Before a solve; `to_go`: present error over the allowed one.
  bool wants_new(double to_go) const {
    if (!kept_ || !valid_ || poor_) return true;
    if (last_ == 0) return false;
    return std::log(to_go) > -3 * std::log(rate_ == unknown ? first_rate_ : rate_);
  }
  // Whether matrices are kept at all.
  bool keeps() const { return kept_; }
  // Increments grow with a matrix of an earlier step: the step is worth a second try.
  bool should_begin_anew() const { return kept_ && !own_ && last_ > 0 && rate_ >= 1; }
  // With full Newton.
  void begin_anew() {
    valid_ = false;
    poor_ = true;
    last_ = 0;
  }  // with full Newton

  // The matrix has been made and factorized at the present iterate.
  void made() {
    first_ = own_ ? last_ : 0;
    h_of_matrix_ = h_;
    valid_ = own_ = true;
    rate_ = unknown;
    last_ = 0;
    solves_ = 0;
  }
  // The norm of the increment that a solve gave.
  void solved(double increment) {
    if (last_ > 0) {
      rate_ = increment / last_;
      poor_ = poor_ || (own_ && rate_ >= 0.5);
    }
    if (own_ && solves_ == 1) first_rate_ = rate_;
    if (first_ > 0) first_rate_ = increment / first_;
    last_ = increment;
    first_ = 0;
    ++solves_;
  }
  // `solves`: of the whole step. Compares it with the steps before, and drops a matrix that costs more than a new one
  // would.
  void finish_step(bool succeeded, int solves) {
    if (!succeeded) valid_ = false;
    if (!began_with_old_) {
      fewest_ = solves;
      excess_ = age_ = 0;
      return;
    }
    excess_ += std::max(0, solves - fewest_);
    ++age_;
    const bool worn = own_ || excess_ >= 2;
    if (worn && age_ == 1) pause_ = longest_pause_ = std::min(2 * longest_pause_ + 1, 15);
    if (!worn && age_ > 1) longest_pause_ /= 2;
    if (worn) valid_ = false;
  }

  // The matrix was not made at the last iterate.
  bool is_old() const { return kept_ && solves_ > 1; }

  // Whether the last increment, relative to the allowed one, leaves an error below a tenth of that by the contraction
  // seen last. One that full Newton would accept is accepted after a solve with a matrix that was made for it.
  bool accepts(double increment) const {
    if (!kept_ || solves_ == 1) return increment <= 1;
    const double rate = std::max(rate_, 0.1);
    return rate < 0.5 && increment * rate / (1 - rate) <= 0.1;
  }

 private:
  // No contraction has been seen yet; large, so that it counts as none.
  static constexpr double unknown = 1e300;
  bool kept_;
  bool valid_ = false;
  // Of this step: the matrix was made in it; it began with another's; the matrix made for it was no good all the same.
  bool own_ = false;
  bool began_with_old_ = false;
  bool poor_ = false;
  // of increments: contraction, the last one in this step
  double h_ = 0;
  double h_of_matrix_ = 0;
  double rate_ = unknown;
  double last_ = 0;
  // Contraction by the first matrix of the last step that made one, seen at the second solve, whatever its matrix.
  double first_rate_ = 0.1;
  double first_ = 0;
  // with the present matrix
  int revision_ = -1;
  int solves_ = 0;
  // solves of a step with its own; beyond that and steps, since then
  int fewest_ = 0;
  int excess_ = 0;
  int age_ = 0;
  // steps with a matrix of their own to come
  int pause_ = 0;
  int longest_pause_ = 0;
};

}  // namespace polhode::integrators
