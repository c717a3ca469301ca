// SPDX-License-Identifier: BSD-3-Clause
// Constants of [N; M] = C [Gamma; kappa] + D [Gamma; kappa]' as 3x3 blocks, C = [C11 C12; C12^T C22], and D alike, of one
// section or of several side by side.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>

#include "polhode/math/lanes.hpp"
#include "polhode/math/types.hpp"

namespace polhode::elements {

// A quaternion, vector or matrix of numbers into one of the lanes.
template <class ToLanes, class From>
void set_lane(ToLanes& to, const From& from, int lane) {
  for (Eigen::Index i = 0; i < from.size(); ++i) to(i).set(lane, from(i));
}

// What elements' constants may differ by and still be alike: the round-off of their nodes' positions, which strains have
// in any state.
class RoundOff {
 public:
  explicit RoundOff(double relative = 0) : relative_(relative) {}
  // Of nodes so far from the origin, and so close to each other, m.
  static RoundOff of_positions(double farthest, double closest) {
    constexpr double digits = 16 * std::numeric_limits<double>::epsilon();
    return RoundOff(std::min(digits * (1 + farthest / closest), 1e-10));
  }
  double relative() const { return relative_; }
  bool alike(double a, double b) const { return std::abs(a - b) <= relative_ * std::max(std::abs(a), std::abs(b)); }
  template <class Numbers>
  bool alike(const Numbers& a, const Numbers& b) const {
    return largest(a - b) <= relative_ * std::max(largest(a), largest(b));
  }
  bool operator==(const RoundOff&) const = default;

 private:
  template <class Numbers>
  static double largest(const Numbers& x) {
    return x.cwiseAbs().maxCoeff();
  }
  double relative_;
};

template <class S>
struct SectionLaw {
  // Stiffness: N, N m, N m^2
  math::Mat3Of<S> C11;
  math::Mat3Of<S> C12;
  math::Mat3Of<S> C22;
  // Damping, symmetric: N s, N m s, N m^2 s
  math::Mat3Of<S> D11;
  math::Mat3Of<S> D12;
  math::Mat3Of<S> D22;
  bool operator==(const SectionLaw&) const = default;
  bool is_like(const SectionLaw& other, const RoundOff& by) const {
    return by.alike(C11, other.C11) && by.alike(C12, other.C12) && by.alike(C22, other.C22) &&
           by.alike(D11, other.D11) && by.alike(D12, other.D12) && by.alike(D22, other.D22);
  }

  void set_section(const math::Mat6& C, const math::Mat6& D) {
    C11 = C.template topLeftCorner<3, 3>();
    C12 = C.template topRightCorner<3, 3>();
    C22 = C.template bottomRightCorner<3, 3>();
    D11 = D.template topLeftCorner<3, 3>();
    D12 = D.template topRightCorner<3, 3>();
    D22 = D.template bottomRightCorner<3, 3>();
  }
  // Of laws of several sections: one of them.
  void set_section(const SectionLaw<double>& from, int lane) {
    set_lane(C11, from.C11, lane);
    set_lane(C12, from.C12, lane);
    set_lane(C22, from.C22, lane);
    set_lane(D11, from.D11, lane);
    set_lane(D12, from.D12, lane);
    set_lane(D22, from.D22, lane);
  }
};

}  // namespace polhode::elements
