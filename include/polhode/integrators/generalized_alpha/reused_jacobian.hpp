// SPDX-License-Identifier: BSD-3-Clause
// When the iteration matrix is made and factorized: at each iterate (full Newton), or only when that pays
// (`jacobian: kept`).
//
// A reused matrix makes increments shrink by a rate theta a solve. With e times the allowed error to go, some
// log(e) / -log(theta) solves are left. A new matrix costs about as much as one solve and a half, so it is made
//   * when more than three solves would be left;
//   * at each iterate of a step where increments shrink by less than half even so;
//   * for a step, when those since the last one have together taken two solves more than with a matrix of their own;
//   * for each of the next 1, 3, 7, 15 steps, when the first one that did without needed one after all.
// A step that fails with reused matrices, as one whose increments grow, begins anew with full Newton.
#pragma once

namespace polhode::integrators {

// How fast increments shrink with the present matrix. Increments are norms in units of what is allowed, 1 at
// convergence.
class IncrementContraction {
 public:
  void begin_step();
  // The step begins anew from its prediction.
  void begin_anew() { last_ = 0; }
  // Another matrix at the present iterate. `own`: that before was made in this step, too.
  void renew(bool own);
  // The norm of the increment that a solve gave; `own`: by a matrix of this step.
  void add(double increment, bool own);

  // Of increments in this step, by the present matrix.
  bool any() const { return last_ > 0; }
  int solves() const { return solves_; }
  // The last increment over the one before; meaningless before the second.
  double rate() const { return rate_; }
  // More than so many solves are left; `to_go`: present error over the allowed one.
  bool takes_more_than(double solves, double to_go) const;
  // Whether an increment leaves an error below a tenth of the allowed one.
  bool ends_with(double increment) const;

 private:
  // No contraction has been seen yet; large, so that it counts as none.
  static constexpr double unknown = 1e300;
  double rate_ = unknown;
  // The last increment in this step, 0 before the first
  double last_ = 0;
  // Contraction by the first matrix of the last step that made one, seen at the second solve, whatever its matrix; the
  // increment that it is seen against, 0 where none is waited for
  double first_rate_ = 0.1;
  double first_ = 0;
  // With the present matrix
  int solves_ = 0;
};

// When a matrix is worn: whether steps with that of an earlier one take more solves than a new one would cost.
class MatrixWear {
 public:
  // Whether the step has to make a matrix of its own.
  bool wants_new_for_step();
  // Of a step that began with a matrix of its own.
  void restart(int solves);
  // Of a step that began with that of an earlier one; `own`: but did not end with it. True if the matrix is worn.
  bool add(int solves, bool own);

 private:
  // Solves of a step with a matrix of its own; those beyond that, and steps, since then
  int fewest_ = 0;
  int excess_ = 0;
  int age_ = 0;
  // Steps with a matrix of their own to come
  int pause_ = 0;
  int longest_pause_ = 0;
};

// It decides, and knows of the matrix only what is said to it: begin_step, then wants_new, made and solved for each
// solve, then finish_step.
class ReusedJacobian {
 public:
  // Without `reuses` each answer is that of full Newton.
  explicit ReusedJacobian(bool reuses) : reuses_(reuses) {}

  // Of a step of h; `revision` changes with the set of constraint equations that the matrix has.
  void begin_step(double h, int revision);
  // Before a solve; `to_go`: present error over the allowed one.
  bool wants_new(double to_go) const;
  // Whether matrices are reused at all.
  bool reuses() const { return reuses_; }
  // Increments grow with a matrix of an earlier step: the step is worth a second try.
  bool should_begin_anew() const;
  // With full Newton.
  void begin_anew();

  // The matrix has been made and factorized at the present iterate.
  void made();
  // The norm of the increment that a solve gave.
  void solved(double increment);
  // `solves`: of the whole step. Compares it with the steps before, and drops a matrix that costs more than a new one
  // would.
  void finish_step(bool succeeded, int solves);

  // The matrix was not made at the last iterate.
  bool is_old() const { return reuses_ && contraction_.solves() > 1; }
  // Whether the last increment, relative to the allowed one, leaves an error below a tenth of that by the contraction
  // seen last. One that full Newton would accept is accepted after a solve with a matrix that was made for it.
  bool accepts(double increment) const;

 private:
  bool reuses_;
  bool valid_ = false;
  // Of this step: the matrix was made in it; it began with another's; the matrix made for it was no good all the same.
  bool own_ = false;
  bool began_with_old_ = false;
  bool poor_ = false;
  // s: of this step; of that in which the matrix was made
  double h_ = 0;
  double h_of_matrix_ = 0;
  int revision_ = -1;
  IncrementContraction contraction_;
  MatrixWear wear_;
};

}  // namespace polhode::integrators
