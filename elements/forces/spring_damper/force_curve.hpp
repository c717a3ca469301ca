// SPDX-License-Identifier: BSD-3-Clause
// The force of a spring over its elongation: a straight line through zero, or a table, straight from one row to the
// next, its first and last piece continued beyond the ends.
#pragma once
#include <vector>

namespace polhode::elements {

// Elongations are in m, forces in N; tension is positive. A value: copied with its element.
class ForceCurve {
 public:
  // Through zero, N/m.
  explicit ForceCurve(double stiffness) : stiffness_(stiffness) {}
  // Throws std::invalid_argument with the reason: fewer than two rows, different lengths, elongations not ascending.
  ForceCurve(std::vector<double> elongation, std::vector<double> force);

  struct Value {
    // the integral of the force from zero, the force, its slope
    // J, N, N/m
    double energy;
    double force;
    double stiffness;
  };
  // At this elongation; at a row of the table the slope of what follows. Allocates nothing.
  Value operator()(double elongation) const;
  // The mean force on the way from e0 to e1, energy over way, and its derivative by e1.
  // N, and N/m
  struct Mean {
    double force;
    double by_end;
  };
  Mean mean(double e0, double e1) const;

 private:
  double stiffness_ = 0;
  std::vector<double> elongation_;
  std::vector<double> force_;
  // Integral of the force from elongation zero up to each row, J
  std::vector<double> energy_;
};

}  // namespace polhode::elements
