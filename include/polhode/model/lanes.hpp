// SPDX-License-Identifier: BSD-3-Clause
// The element contract for kinds whose kernels run on several elements side by side (math/lanes.hpp).
//
// Such a kind declares can::lanes, is written over a scalar type S and offers, in the place of the functions for inertia and forces of
// contract.hpp:
//
// clang-format off
//   template <class S> struct DataOf;  using Data = DataOf<double>;     constants of one element, with ==
//   static DataOf<Lanes> pack(const std::array<const Data*, Lanes::count>&)
//   optional: static bool alike(const Data&, const Data&)               what may share its packed constants; else ==
//   template <class S> static void add_to(const DataOf<S>&, const NodesOf<n, S>&, const ContextOf<S>&, Parts, VectorOf<n, S>& r)
//   template <class S> static void add_tangents_to(const DataOf<S>&, const NodesOf<n, S>&, const ContextOf<S>&, TangentSink<n, S>&)
//   static constexpr int outputs;                                       how many numbers an element gives at most
//   template <class S> static Observed<outputs, S> observe(const DataOf<S>&, const NodesOf<n, S>&, const ContextOf<S>&)
//                                                                       in the order of KindInfo::outputs, with energies and momentum
//   can::power: static bool has_power(const DataOf<Lanes>&)             whether one of these elements may have power
//   template <class S> static S power(const DataOf<S>&, const NodesOf<n, S>&)
// clang-format on
//
// With moves_alone a node has three numbers in the place of six: r is a PointVectorOf<n, S>, the sink a
// PointTangentSink<n, S>, and of a node x, u and udot alone are set.
#pragma once
#include "polhode/math/so3_lanes.hpp"
#include "polhode/model/batch_base.hpp"

namespace polhode::model {

using math::Lanes;
using math::Mat3Of;
using math::Vec3Of;

// A node as a kernel in lanes sees it: as model::Node, for several elements side by side. quat, not R: kernels that need
// the matrix form it.
template <class S>
struct NodeOf {
  Vec3Of<S> x;
  math::so3::QuaternionOf<S> quat;  // (w, x, y, z)
  Vec3Of<S> u;
  Vec3Of<S> Omega;
  Vec3Of<S> udot;
  Vec3Of<S> Omegadot;
};
template <int n, class S>
using NodesOf = std::array<NodeOf<S>, n>;
// Gravity in m/s^2, inertial; kinds in lanes neither depend on time nor remember.
template <class S>
struct ContextOf {
  Vec3Of<S> gravity;
};
// As model::Energies, in J.
template <class S>
struct EnergiesOf {
  S kinetic;
  S strain;
  S gravity;
};
template <int count, class S>
struct Observed {  // of one element
  EnergiesOf<S> energies;
  // momentum: inertial, about the origin
  Vec3Of<S> linear;
  Vec3Of<S> angular;
  std::array<S, count> outputs;
  // Of `outputs`, how many are set
  std::size_t numbers = count;
};
// Wrenches of n nodes, as model::Vector; forces alone of kinds that know no rotations.
template <int n, class S>
using VectorOf = Eigen::Matrix<S, 6 * n, 1>;
template <int n, class S>
using PointVectorOf = Eigen::Matrix<S, 3 * n, 1>;

// Collects M F_m + C F_c + K F_k from 3x3 blocks. Block index 2 i is the translation of node i, 2 i + 1 its rotation.
template <int n, class S>
class TangentSink {
 public:
  // Adds X, the block of rows i and columns j of M, C or K of the element, times the right factor of its columns.
  void add_m(int i, int j, const Mat3Of<S>& X) { add(i, j, X, m, rot_m, general_m); }
  void add_c(int i, int j, const Mat3Of<S>& X) { add(i, j, X, c, rot_c, general_c); }
  void add_k(int i, int j, const Mat3Of<S>& X) { add(i, j, X, k, rot_k, general_k); }
  // X times the right factor of M for the rotations of node j; add() takes it as it is.
  Mat3Of<S> with_m(int j, const Mat3Of<S>& X) const {
    return general_m ? Mat3Of<S>(X.lazyProduct(rot_m[j])) : Mat3Of<S>(m * X);
  }
  void add(int i, int j, const Mat3Of<S>& X) { sum.template block<3, 3>(3 * i, 3 * j) += X; }
  // w I between translations: most of a mass matrix, without a product of matrices.
  void add_m_identity(int i, int j, const S& w) {
    const S value = w * m;
    for (int d = 0; d < 3; ++d) sum(3 * i + d, 3 * j + d) += value;
  }

  // Set by the batch before the kernel runs; the kernel adds by the functions above alone.
  // The sum, cleared for each group.
  Eigen::Matrix<S, 6 * n, 6 * n> sum;
  // Right factors, by node of the element for rotations
  S m;
  S c;
  S k;
  std::array<Mat3Of<S>, n> rot_m;
  std::array<Mat3Of<S>, n> rot_c;
  std::array<Mat3Of<S>, n> rot_k;
  // false: the scalar serves rotations too
  bool general_m = false;
  bool general_c = false;
  bool general_k = false;

 private:
  // A right factor acts on columns: those of rotations get the node's 3x3 factor if there is one, else the scalar.
  void add(int i, int j, const Mat3Of<S>& X, const S& scalar, const std::array<Mat3Of<S>, n>& rotation, bool general) {
    if (general && j % 2 == 1)
      sum.template block<3, 3>(3 * i, 3 * j) += X.lazyProduct(rotation[j / 2]);
    else
      sum.template block<3, 3>(3 * i, 3 * j) += scalar * X;
  }
};

// The same of kinds that know no rotations; i and j number nodes. M, C and K have one factor each here, by which the
// kernel multiplies.
template <int n, class S>
class PointTangentSink {
 public:
  // Adds X, or w I, factors included.
  void add(int i, int j, const Mat3Of<S>& X) { sum.template block<3, 3>(3 * i, 3 * j) += X; }
  void add_identity(int i, int j, const S& w) {
    for (int d = 0; d < 3; ++d) sum(3 * i + d, 3 * j + d) += w;
  }

  // Set by the batch before the kernel runs.
  // The sum, cleared for each group.
  Eigen::Matrix<S, 3 * n, 3 * n> sum;
  // Factors
  S m;
  S c;
  S k;
};

// Kinds that declare it.
template <class K>
concept InLanes = K::capabilities.has(can::lanes);

// What the functions over lanes need of a state.
// `at`: the nodes of the element of each lane.
template <int n>
NodesOf<n, Lanes> gather_lanes(const State& q, const std::array<const std::array<int, n>*, Lanes::count>& at) {
  NodesOf<n, Lanes> nodes;
  for (int i = 0; i < n; ++i)
    for (int lane = 0; lane < Lanes::count; ++lane) {
      const int node = (*at[lane])[i];
      NodeOf<Lanes>& to = nodes[i];
      const double* quat = q.quat[node].coeffs().data();  // x, y, z, w
      to.quat[0].set(lane, quat[3]);
      for (int d = 0; d < 3; ++d) {
        to.x[d].set(lane, q.x[node][d]);
        to.quat[1 + d].set(lane, quat[d]);
        to.u[d].set(lane, q.v[node][d]);
        to.Omega[d].set(lane, q.v[node][3 + d]);
        to.udot[d].set(lane, q.vdot[node][d]);
        to.Omegadot[d].set(lane, q.vdot[node][3 + d]);
      }
    }
  return nodes;
}

// Of translations alone; all else is not set.
template <int n>
NodesOf<n, Lanes> gather_points(const State& q, const std::array<const std::array<int, n>*, Lanes::count>& at) {
  NodesOf<n, Lanes> nodes;
  for (int i = 0; i < n; ++i)
    for (int lane = 0; lane < Lanes::count; ++lane) {
      const int node = (*at[lane])[i];
      for (int d = 0; d < 3; ++d) {
        nodes[i].x[d].set(lane, q.x[node][d]);
        nodes[i].u[d].set(lane, q.v[node][d]);
        nodes[i].udot[d].set(lane, q.vdot[node][d]);
      }
    }
  return nodes;
}

// The 3x3 factors of the nodes `at`; `general` says whether there are any (an empty span: the scalar serves).
template <int n>
void gather_rotations(std::span<const Mat3> from, const std::array<const std::array<int, n>*, Lanes::count>& at,
                      std::array<Mat3Of<Lanes>, n>& to, bool& general) {
  general = !from.empty();
  if (!general) return;
  for (int i = 0; i < n; ++i)
    for (int lane = 0; lane < Lanes::count; ++lane) {
      const double* matrix = from[(*at[lane])[i]].data();
      for (int d = 0; d < 9; ++d) to[i].data()[d].set(lane, matrix[d]);
    }
}

}  // namespace polhode::model
