// SPDX-License-Identifier: BSD-3-Clause
// What rounding makes of zero in the eigenvalues of large models: by it free motions are recognized.
#include <cmath>
#include <limits>
#include <vector>

#include "eigen.hpp"

namespace polhode::analyses {
namespace {

constexpr double epsilon = 2.2e-16;

// What rounding of K makes of omega^2, measured: large models have lowest omega^2 of 1e-20 of the largest. Shapes are
// nearly rigid from node to node; with y_j = T_ji y_i + d_ji (T_ji: j as one body with i)
//   y^T K y = sum_i y_i^T (sum_j K_ij T_ji) y_i + sum_ij y_i^T K_ij d_ji.
// The bracket is zero where nothing but its neighbors holds a node, so that what is left there is what rounding made
// of K. Such errors cancel along a chain (a length rounded up is followed by one rounded down): they are added up with
// their signs over parts of the model, and these as if by chance. Where the bracket is more, stiffness to the ground or
// of loads, each entry counts as rounded by half a digit; so in the second sum, which is as small as the strains.
// Residuals in extended precision (ShiftedInverse) leave theirs.
class MeasuredNoise {
 public:
  explicit MeasuredNoise(const Linearized& linear)
      : linear_(linear), node_of_(static_cast<std::size_t>(linear.metric.size())), part_of_(node_of_.size()) {
    const auto& unknowns = linear.system->unknowns();
    for (std::size_t i = 1; i < unknowns.size(); ++i)
      for (std::size_t part = 0; part < 6; ++part)
        if (unknowns[i].local[part] >= 0) {
          const auto at = static_cast<std::size_t>(unknowns[i].first + unknowns[i].local[part]);
          node_of_[at] = i;
          part_of_[at] = static_cast<int>(part);
        }
  }

  // Column by column through K; `parts` sum with signs over 32 stretches of the model.
  double of(const VectorX& y) {
    constexpr double wide_epsilon = std::numeric_limits<Wide>::epsilon();
    std::vector<double> parts(32, 0.0);
    double squares = 0;
    double all = 0;
    const auto k = static_cast<int>(linear_.metric.size());
    for (int column = 0; column < k; ++column) {
      const std::size_t i = node_of_[static_cast<std::size_t>(column)];
      Wide defect = 0;
      double size = 0;
      double strains = 0;
      std::size_t j = 0;
      Motion along;
      for (int p = linear_.k.column_start[column]; p < linear_.k.column_start[column + 1] && linear_.k.row[p] < k;
           ++p) {
        const int row = linear_.k.row[p];
        const double entry = linear_.k.at(p);
        if (entry == 0) continue;
        if (const std::size_t next = node_of_[static_cast<std::size_t>(row)]; next != j)
          along = carried(y, i, j = next);
        const Wide rigid = along[part_of_[static_cast<std::size_t>(row)]];
        defect += entry * rigid;
        size += static_cast<double>(std::abs(entry * rigid));
        strains += std::pow(entry * static_cast<double>(y[row] - rigid), 2);
        all += std::abs(entry * y[row] * y[column]);
      }
      if (std::abs(defect) <= 8 * epsilon * size)
        parts[parts.size() * i / linear_.system->nodes()] += y[column] * static_cast<double>(defect);
      else
        squares += std::pow(epsilon * y[column] * size, 2);
      squares += std::pow(epsilon * y[column], 2) * strains;
    }
    for (const double part : parts) squares += part * part;
    return 6 * std::sqrt(squares) + wide_epsilon * all;
  }

 private:
  using Wide = long double;
  using WideVec3 = Eigen::Matrix<Wide, 3, 1>;
  using Motion = Eigen::Matrix<Wide, 6, 1>;

  // The motion of node j as one body with node i.
  Motion carried(const VectorX& y, std::size_t i, std::size_t j) const {
    const model::State& q = linear_.q;
    Motion own = Motion::Zero();
    Motion other;
    const model::NodeUnknowns& at = linear_.system->unknowns()[i];
    for (std::size_t part = 0; part < 6; ++part)
      if (at.local[part] >= 0) own[static_cast<Eigen::Index>(part)] = y[at.first + at.local[part]];
    if (i == j) return own;
    const WideVec3 turn = q.R[i].cast<Wide>() * own.tail<3>();
    const WideVec3 arm = q.x[j].cast<Wide>() - q.x[i].cast<Wide>();
    other << own.head<3>() + turn.cross(arm), q.R[j].cast<Wide>().transpose() * turn;
    return other;
  }

  const Linearized& linear_;
  std::vector<std::size_t> node_of_;
  std::vector<int> part_of_;
};

}  // namespace

// The unknowns of each node are looked up once for all shapes.
VectorX measured_noise(const Linearized& linear, const MatrixX& shapes) {
  MeasuredNoise noise(linear);
  VectorX all(shapes.cols());
  for (Eigen::Index i = 0; i < all.size(); ++i) all[i] = noise.of(shapes.col(i));
  return all;
}

}  // namespace polhode::analyses
