// SPDX-License-Identifier: BSD-3-Clause
// The matrix of the stabilized index-2 formulation (index2.hpp): its values, block by block from matrices of the system.
#pragma once
#include "polhode/integrators/generalized_alpha/index2_layout.hpp"

namespace polhode::integrators {

class Index2Matrix {
 public:
  // `inverse_weight`: W^-1 by free unknown.
  Index2Matrix(const assembly::System& system, const model::VectorX& inverse_weight);
  // The solver refers to the matrix.
  Index2Matrix(const Index2Matrix&) = delete;
  Index2Matrix& operator=(const Index2Matrix&) = delete;

  // Where the system writes, each as many values as a matrix of its own has (index2_layout.hpp).
  std::span<double> first() { return values_from(0); }
  std::span<double> second() { return values_from(layout_.second); }

  // Sections [begin, end) of the system, in the order in which they are written.
  struct Part {
    std::size_t begin;
    std::size_t end;
  };
  Part whole() const { return {0, sections_}; }
  // None of these allocates. Each may be done section by section, as soon as the system has written the section.
  // N, with the rows [ . . ; B_n . ] among the second values. It stays until the next call, the values of the matrix
  // until they are factorized in place.
  void set_normal(Part part);
  // Puts E^T N in the place of N, but for add_p(); E by node. Of whole N. Once called, it is needed behind each
  // set_normal() and change of E; the first call allocates.
  void turn_normal(std::span<const math::so3::Quaternion> E);
  // The values, in this order.
  // With [ A_0 . ; B . ] as the second values: what dp brings; I and -N.
  void set_dynamics(Part part);
  // With [ A B^T ; B T 0 ] as the first values, and [ . . ; B + s Z T . ] among the second.
  void subtract_rows(Part part);
  // In the place of that, with [ A B^T ; B 0 ] as the first values and [ . . ; B + s Z . ] among the second: row four
  // becomes s B F_c + s Z, less row three. F_c of rotations by node; that of translations is 1/s.
  void turn_rows(Part part, double s, std::span<const model::Mat3> F_c);

  // Adds N eta to `p`, by free unknown; `x` by the unknowns of the matrix.
  void add_p(const model::VectorX& x, model::VectorX& p) const;

  const Index2Layout& layout() const { return layout_; }
  assembly::SparseMatrix& all() { return all_; }

 private:
  std::span<double> values_from(int begin) {
    return {all_.values.data() + begin, static_cast<std::size_t>(layout_.of_system)};
  }

  std::size_t sections_;
  std::span<const model::NodeUnknowns> unknowns_;
  // By free unknown
  std::vector<int> node_of_;
  Index2Layout layout_;
  model::VectorX inverse_weight_;
  assembly::SparseMatrix all_;
  // Blocks of N, dense by columns
  math::LargeVector<double> normal_;
  // E^T N, in the same places; empty where N is not turned
  math::LargeVector<double> turned_;
};

}  // namespace polhode::integrators
