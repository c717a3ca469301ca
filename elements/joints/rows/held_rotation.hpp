// SPDX-License-Identifier: BSD-3-Clause
// The rotation of b against a that events hold where it is: the dot products of a fixed joint between the axes of a and
// those of b that stood there.
//
// Multipliers are the moments conjugate to the dot products, N m. The element remembers the rotation as a unit
// quaternion, and behind it the one that is held, which the event sets.
#pragma once
#include "elements/joints/rows/joint.hpp"

namespace polhode::elements {

struct HeldRotation {
  static constexpr std::string_view name = "held rotation";
  static constexpr int nodes = 2;
  static constexpr int rows = 3;
  static constexpr int history = 8;
  static constexpr int outputs = 6;
  static constexpr model::Capabilities capabilities = model::can::outputs;
  static constexpr std::array<std::string_view, 3> row_names{"held rotation 1", "held rotation 2", "held rotation 3"};
  static constexpr std::array row_is_length{false, false, false};
  // All tangents act between rotations.
  static constexpr bool turns_alone = true;
  using Data = Markers;

  static void constraint(const Data&, const PairNodes& n, const model::Context& c, Mat<3>& phi) {
    rows::Values<Mat<3>> values{n, c, phi};
    list(axes(c.history), values);
  }
  static void gradient(const Data&, const PairNodes& n, const model::Context& c, Mat<3, 12>& B) {
    rows::Gradients<Mat<3, 12>> gradients{n, B};
    list(axes(c.history), gradients);
  }
  static void add_geometric_tangent_to(const Data&, const PairNodes& n, const model::Context& c, const Mat<3>& lambda,
                                       PairBlock& K) {
    rows::GeometricTangents<Mat<3>> tangents{n, lambda, K};
    list(axes(c.history), tangents);
    tangents.finish();
  }
  static void update_history(const Data&, const PairNodes& n, const model::Context&, double* h) {
    Eigen::Map<Eigen::Vector4d>(h, 4) = (n[0].quat.conjugate() * n[1].quat).coeffs();
  }
  // What it adds to the reaction of the joint.
  static void write_outputs(const Data& d, const PairNodes& n, const model::Context& c, const Mat<3>& lambda,
                            const double*, double* out) {
    Mat<3, 12> B = Mat<3, 12>::Zero();
    gradient(d, n, c, B);
    write_reaction(B, lambda, d, n, out);
  }
  static Data sample(std::mt19937& random) { return sample_markers(random); }

 private:
  // By column: an axis of a in its own frame, and in that of b as it is held; the same while nothing has been held.
  struct Axes {
    Mat3 of_a;
    Mat3 of_b;
  };
  static Axes axes(const double* history) {
    Eigen::Quaterniond held(Eigen::Map<const Eigen::Vector4d>(history + 4, 4));
    if (held.squaredNorm() == 0) held.setIdentity();
    return {Mat3::Identity(), held.normalized().toRotationMatrix().transpose()};
  }
  template <class List>
  static void list(const Axes& at, List& rows) {
    for (int i = 0; i < 3; ++i) rows.dot(at.of_a.col(i), at.of_b.col((i + 1) % 3));
  }
};

}  // namespace polhode::elements
