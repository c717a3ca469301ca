// SPDX-License-Identifier: BSD-3-Clause
// Copies and products of the blocks of the index-2 matrix.
#include "polhode/integrators/generalized_alpha/index2_matrix.hpp"

#include <algorithm>
#include <cstring>

namespace polhode::integrators {
namespace {

// A block of so many rows is read or written as columns of a size that is known.
template <int rows>
void add_block_product(const Index2Layout::Product& p, const double* X, const double* N, double* to) {
  using Column = Eigen::Map<math::Mat<rows>>;
  using Constant = Eigen::Map<const math::Mat<rows>>;
  for (int j = 0; j < p.columns; ++j, to += p.stride, N += p.inner) {
    math::Mat<rows> sum = math::Mat<rows>::Zero();
    if (!p.sets) sum = Column(to);
    if (p.inner == 6)
      for (int k = 0; k < 6; ++k) sum += Constant(X + k * p.stride) * N[k];
    else
      for (int k = 0; k < p.inner; ++k) sum += Constant(X + k * p.stride) * N[k];
    Column{to} = sum;
  }
}

// Rows of a block are one to six: each number has a product whose loops are unrolled.
void multiply_blocks(const Index2Layout::Product& p, const double* X, const double* N, double* to) {
  switch (p.rows) {
    case 1:
      return add_block_product<1>(p, X, N, to);
    case 2:
      return add_block_product<2>(p, X, N, to);
    case 3:
      return add_block_product<3>(p, X, N, to);
    case 4:
      return add_block_product<4>(p, X, N, to);
    case 5:
      return add_block_product<5>(p, X, N, to);
    default:
      return add_block_product<6>(p, X, N, to);
  }
}

// Most nodes have six unknowns.
template <class Use>
void with_rows(int rows, const Use& use) {
  if (rows == 6)
    use(std::integral_constant<int, 6>());
  else
    use(rows);
}

}  // namespace

Index2Matrix::Index2Matrix(const assembly::System& system, const model::VectorX& inverse_weight)
    : sections_(system.sections().size()),
      layout_(make_index2_layout(system)),
      inverse_weight_(inverse_weight),
      all_(layout_.pattern),
      normal_(static_cast<std::size_t>(layout_.normal_values), 0.0) {}

// N = W^-1 B^T, from the rows of the groups.
void Index2Matrix::set_normal(Part part) {
  for (const Index2Layout::Normal& n : layout_.normal.of(part.begin, part.end))
    with_rows(n.rows, [&](auto rows) {
      const double* from = second().data() + n.from;
      const double* weight = inverse_weight_.data() + n.node;
      double* value = normal_.data() + n.value;
      for (int j = 0; j < n.columns; ++j)
        for (int i = 0; i < rows; ++i) value[j * rows + i] = weight[i] * from[i * n.stride + j];
    });
}

// The order counts: products read A_0 and B where the system wrote them, before rows become those of velocities.
void Index2Matrix::set_dynamics(Part part) {
  const auto own = [part](const auto& list) { return list.of(part.begin, part.end); };
  double* const all = all_.values.data();
  for (const Index2Layout::Range& z : own(layout_.zeros)) std::fill(all + z.begin, all + z.end, 0.0);
  for (const int one : own(layout_.ones)) all[one] = 1;
  for (const Index2Layout::Copy& c : own(layout_.negated))
    for (int i = 0; i < c.count; ++i) all[c.to + i] = -normal_[c.from + i];
  for (const Index2Layout::Copy& c : own(layout_.copies))
    std::memcpy(all + c.to, all + c.from, c.count * sizeof(double));
  for (const Index2Layout::Product& p : own(layout_.products))
    multiply_blocks(p, all + p.from, normal_.data() + p.normal, all + p.to);
}

// Row four less row three: B + s Z T - B T.
void Index2Matrix::subtract_rows(Part part) {
  for (const Index2Layout::Range& r : layout_.rows.of(part.begin, part.end)) {
    const double* less = first().data();
    double* from = second().data();
    for (int i = r.begin; i < r.end; ++i) from[i] -= less[i];
  }
}

// Nodes whose p was eliminated beforehand have it from the eta of their groups.
void Index2Matrix::add_p(const model::VectorX& x, model::VectorX& p) const {
  for (const Index2Layout::Normal& n : layout_.normal.items)
    with_rows(n.rows, [&](auto rows) {
      const double* value = normal_.data() + n.value;
      for (int j = 0; j < n.columns; ++j)
        for (int i = 0; i < rows; ++i) p[n.node + i] += value[j * rows + i] * x[n.eta + j];
    });
}

}  // namespace polhode::integrators
