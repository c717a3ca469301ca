// SPDX-License-Identifier: BSD-3-Clause
// Copies and products of the blocks of the index-2 matrix.
#include "polhode/integrators/generalized_alpha/index2_matrix.hpp"

#include <algorithm>
#include <cstring>

#include "polhode/math/motion_registers.hpp"
#include "polhode/math/parallel.hpp"

namespace polhode::integrators {
namespace {

template <int rows>
using Column = Eigen::Map<math::Mat<rows>>;
template <int rows>
using Constant = Eigen::Map<const math::Mat<rows>>;

// A block of so many rows is read or written as columns of a size that is known.
template <int rows>
void add_block_product(const Index2Layout::Product& p, const double* X, const double* N, double* to) {
  for (int j = 0; j < p.columns; ++j, to += p.stride, N += p.inner) {
    math::Mat<rows> sum = math::Mat<rows>::Zero();
    if (!p.sets) sum = Column<rows>(to);
    if (p.inner == 6)
      for (int k = 0; k < 6; ++k) sum += Constant<rows>(X + k * p.stride) * N[k];
    else
      for (int k = 0; k < p.inner; ++k) sum += Constant<rows>(X + k * p.stride) * N[k];
    Column<rows>{to} = sum;
  }
}

// Rows of a block are one to six: each number has loops that are unrolled.
template <class Use>
void with_size(int rows, const Use& use) {
  switch (rows) {
    case 1:
      return use(std::integral_constant<int, 1>());
    case 2:
      return use(std::integral_constant<int, 2>());
    case 3:
      return use(std::integral_constant<int, 3>());
    case 4:
      return use(std::integral_constant<int, 4>());
    case 5:
      return use(std::integral_constant<int, 5>());
    default:
      return use(std::integral_constant<int, 6>());
  }
}

// Row four from B and B + s Z of a node: of the columns of translations s Z is left, those of rotations have
// B (s F_c - 2) besides. B and the result have columns `stride` apart.
template <int rows>
void turn_block(const model::NodeUnknowns& unknowns, int stride, const Mat3& factor, const double* B,
                double* row_four) {
  std::array<math::Mat<rows>, 3> of_rotations;
  for (int k = 0; k < 3; ++k)
    if (const int column = unknowns.local[3 + k]; column >= 0)
      of_rotations[k] = Constant<rows>(B + column * stride);
    else
      of_rotations[k].setZero();
  for (int c = 0; c < 6; ++c) {
    const int column = unknowns.local[c];
    if (column < 0) continue;
    Column<rows> to(row_four + column * stride);
    if (c < 3)
      to -= Constant<rows>(B + column * stride);
    else
      for (int k = 0; k < 3; ++k) to += of_rotations[k] * factor(k, c - 3);
  }
}

}  // namespace

Index2Matrix::Index2Matrix(const assembly::System& system, const model::VectorX& inverse_weight)
    : sections_(system.sections().size()),
      unknowns_(system.unknowns()),
      node_of_(static_cast<std::size_t>(system.free_unknowns())),
      layout_(make_index2_layout(system)),
      inverse_weight_(inverse_weight),
      all_(layout_.pattern),
      normal_(static_cast<std::size_t>(layout_.normal_values), 0.0) {
  for (std::size_t node = 0; node < unknowns_.size(); ++node)
    for (int k = 0; k < unknowns_[node].count; ++k) node_of_[unknowns_[node].first + k] = static_cast<int>(node);
}

// N = W^-1 B^T, from the rows of the groups.
void Index2Matrix::set_normal(Part part) {
  for (const Index2Layout::Normal& n : layout_.normal.of(part.begin, part.end))
    with_size(n.rows, [&](auto rows) {
      const double* from = second().data() + n.from;
      const double* weight = inverse_weight_.data() + n.node;
      double* value = normal_.data() + n.value;
      for (int j = 0; j < n.columns; ++j)
        for (int i = 0; i < rows; ++i) value[j * rows + i] = weight[i] * from[i * n.stride + j];
    });
}

// Components that are fixed stay so.
void Index2Matrix::turn_normal(std::span<const math::so3::Quaternion> E) {
  turned_.resize(normal_.size());
  math::for_each_index(layout_.normal.items.size(), [&](std::size_t item) {
    const Index2Layout::Normal& n = layout_.normal.items[item];
    const auto node = static_cast<std::size_t>(node_of_[n.node]);
    const math::BackRotation back(E[node]);
    const double* value = normal_.data() + n.value;
    double* turned = turned_.data() + n.value;
    const model::NodeUnknowns& u = unknowns_[node];
    if (u.full()) {
      for (int j = 0; j < 6 * n.columns; j += 6) (back * math::MotionRegisters::of(value + j)).store_to(turned + j);
      return;
    }
    for (int j = 0; j < n.columns; ++j, value += n.rows, turned += n.rows) {
      Vec6 column = Vec6::Zero();
      for (int k = 0; k < 6; ++k)
        if (u.local[k] >= 0) column[k] = value[u.local[k]];
      (back * math::MotionRegisters::of(column.data())).store_to(column.data());
      for (int k = 0; k < 6; ++k)
        if (u.local[k] >= 0) turned[u.local[k]] = column[k];
    }
  });
}

// The order counts: products read A_0 and B where the system wrote them, before rows become those of velocities.
void Index2Matrix::set_dynamics(Part part) {
  const auto own = [part](const auto& list) { return list.of(part.begin, part.end); };
  double* const all = all_.values.data();
  const double* const normal = turned_.empty() ? normal_.data() : turned_.data();
  for (const Index2Layout::Range& z : own(layout_.zeros)) std::fill(all + z.begin, all + z.end, 0.0);
  for (const int one : own(layout_.ones)) all[one] = 1;
  for (const Index2Layout::Copy& c : own(layout_.negated))
    for (int i = 0; i < c.count; ++i) all[c.to + i] = -normal[c.from + i];
  for (const Index2Layout::Copy& c : own(layout_.copies))
    std::memcpy(all + c.to, all + c.from, c.count * sizeof(double));
  for (const Index2Layout::Product& p : own(layout_.products))
    with_size(p.rows, [&](auto rows) { add_block_product<rows>(p, all + p.from, normal + p.normal, all + p.to); });
}

// Row four less row three: B + s Z T - B T.
void Index2Matrix::subtract_rows(Part part) {
  for (const Index2Layout::Range& r : layout_.rows.of(part.begin, part.end)) {
    const double* less = first().data();
    double* from = second().data();
    for (int i = r.begin; i < r.end; ++i) from[i] -= less[i];
  }
}

void Index2Matrix::turn_rows(Part part, double s, std::span<const Mat3> F_c) {
  for (const Index2Layout::Normal& n : layout_.normal.of(part.begin, part.end)) {
    const auto node = static_cast<std::size_t>(node_of_[n.node]);
    const Mat3 factor = s * F_c[node] - 2 * Mat3::Identity();
    with_size(n.columns, [&](auto rows) {
      turn_block<rows>(unknowns_[node], n.stride, factor, first().data() + n.from, second().data() + n.from);
    });
  }
}

// Nodes whose p was eliminated beforehand have it from the eta of their groups.
void Index2Matrix::add_p(const model::VectorX& x, model::VectorX& p) const {
  for (const Index2Layout::Normal& n : layout_.normal.items)
    with_size(n.rows, [&](auto rows) {
      const double* value = normal_.data() + n.value;
      for (int j = 0; j < n.columns; ++j)
        for (int i = 0; i < rows; ++i) p[n.node + i] += value[j * rows + i] * x[n.eta + j];
    });
}

}  // namespace polhode::integrators
