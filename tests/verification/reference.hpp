// SPDX-License-Identifier: BSD-3-Clause
// Tables of reference numbers (tests/verification/reference, CSV with names in the first line) and distances to them.
#pragma once
#include <string>
#include <vector>

#include "verification/run.hpp"

namespace polhode::verification {

class Table {
 public:
  explicit Table(const std::string& file);
  Eigen::Index rows() const { return values_.rows(); }
  Series columns(const std::vector<std::string>& names) const;

 private:
  std::vector<std::string> names_;
  Series values_;
};

// The largest Euclidean norm of the rows' differences, from row `first` on; the shorter of the two says where it ends.
double largest_distance(const Series& a, const Series& b, Eigen::Index first = 0);

// The largest norm of log(R_b^T R_a): quaternions w, x, y, z in the rows of a, matrices row by row in those of b.
double largest_rotation_error(const Series& quaternions, const Series& matrices, Eigen::Index first = 0);

}  // namespace polhode::verification
