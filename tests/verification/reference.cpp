// SPDX-License-Identifier: BSD-3-Clause
// Reference numbers from CSV, and distances to them.
#include "verification/reference.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "polhode/math/so3.hpp"
#include "support/places.hpp"

namespace polhode::verification {

Table::Table(const std::string& file) {
  std::ifstream in(POLHODE_SOURCE_DIR "/tests/verification/reference/" + file);
  std::string line;
  std::string cell;
  std::getline(in, line);
  for (std::istringstream head(line); std::getline(head, cell, ',');) names_.push_back(cell);
  std::vector<double> numbers;
  while (std::getline(in, line))
    for (std::istringstream cells(line); std::getline(cells, cell, ',');)
      numbers.push_back(std::strtod(cell.c_str(), nullptr));
  if (names_.empty() || numbers.empty() || numbers.size() % names_.size() != 0)
    throw std::runtime_error(file + ": no table");
  const auto width = static_cast<Eigen::Index>(names_.size());
  const auto count = static_cast<Eigen::Index>(numbers.size()) / width;
  values_ = Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(numbers.data(),
                                                                                                     count, width);
}

Series Table::columns(const std::vector<std::string>& names) const {
  Series chosen(rows(), static_cast<Eigen::Index>(names.size()));
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto found = std::find(names_.begin(), names_.end(), names[i]);
    if (found == names_.end()) throw std::runtime_error("no column " + names[i]);
    chosen.col(static_cast<Eigen::Index>(i)) = values_.col(found - names_.begin());
  }
  return chosen;
}

double largest_distance(const Series& a, const Series& b, Eigen::Index first) {
  const Eigen::Index count = std::min(a.rows(), b.rows()) - first;
  if (count <= 0 || a.cols() != b.cols()) throw std::runtime_error("histories that cannot be compared");
  return (a.middleRows(first, count) - b.middleRows(first, count)).rowwise().norm().maxCoeff();
}

double largest_rotation_error(const Series& quaternions, const Series& matrices, Eigen::Index first) {
  double largest = 0;
  for (Eigen::Index i = first; i < std::min(quaternions.rows(), matrices.rows()); ++i) {
    const math::so3::Quaternion quat(quaternions(i, 0), quaternions(i, 1), quaternions(i, 2), quaternions(i, 3));
    math::Mat3 R;
    for (Eigen::Index k = 0; k < 9; ++k) R(k / 3, k % 3) = matrices(i, k);
    largest = std::max(largest, math::so3::log(math::Mat3(R.transpose() * quat.toRotationMatrix())).norm());
  }
  return largest;
}

}  // namespace polhode::verification
