// SPDX-License-Identifier: BSD-3-Clause
// Sections by shape: against tabulated torsion constants, integrals over the shape, and limits in which shapes agree.
#include "polhode/model/section_shape.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace polhode::model {
namespace {

using std::numbers::pi;

void expect_same(const SectionShape& a, const SectionShape& b, double relative) {
  EXPECT_NEAR(a.area, b.area, relative * b.area);
  EXPECT_NEAR(a.I_y, b.I_y, relative * b.I_y);
  EXPECT_NEAR(a.I_z, b.I_z, relative * b.I_z);
  EXPECT_NEAR(a.k_z, b.k_z, relative * b.k_z);
}

// Timoshenko & Goodier, table of J/(a c^3) over a/c.
TEST(SectionShape, RectangleHasTheTabulatedTorsionConstant) {
  for (const auto& [ratio, factor] :
       {std::pair{1.0, 0.1406}, {1.2, 0.166}, {2.0, 0.229}, {5.0, 0.291}, {10.0, 0.312}}) {
    EXPECT_NEAR(rectangle(ratio, 1, 0.3).J / ratio, factor, 6e-4) << ratio;
    EXPECT_DOUBLE_EQ(rectangle(ratio, 1, 0.3).J, rectangle(1, ratio, 0.3).J);
  }
  EXPECT_NEAR(rectangle(1000, 1, 0).J / 1000, 1.0 / 3, 1e-3);  // a strip
}

TEST(SectionShape, WidthIsAlongYAndHeightAlongZ) {
  const SectionShape s = rectangle(0.1, 0.3, 0);
  EXPECT_DOUBLE_EQ(s.I_y, 0.1 * 0.027 / 12);  // of z^2
  EXPECT_DOUBLE_EQ(s.I_z, 0.3 * 0.001 / 12);
  EXPECT_DOUBLE_EQ(s.k_y, 5.0 / 6);
}

TEST(SectionShape, TubeIsTheDifferenceOfTwoCircles) {
  const SectionShape outer = tube(2, 0, 0.3);
  const SectionShape inner = tube(1.5, 0, 0.3);
  const SectionShape s = tube(2, 1.5, 0.3);
  EXPECT_NEAR(s.area, outer.area - inner.area, 1e-14);
  EXPECT_NEAR(s.I_y, outer.I_y - inner.I_y, 1e-14);
  EXPECT_NEAR(s.J, outer.J - inner.J, 1e-14);
  EXPECT_DOUBLE_EQ(outer.I_y, pi * 4);
  EXPECT_DOUBLE_EQ(outer.k_y, 6 * 1.3 / (7 + 6 * 0.3));
  EXPECT_NEAR(tube(1, 1 - 1e-7, 0.3).k_y, 2 * 1.3 / (4 + 3 * 0.3), 1e-6);  // Cowper's own entry for a thin tube
}

// As wide as its web, an I is a rectangle in all but its corners' part of the torsion and its shear along y.
TEST(SectionShape, AnIWithoutFlangesIsARectangle) {
  expect_same(i_section(0.1, 2, 1e-9, 0.1, 0.3), rectangle(0.1, 2, 0.3), 1e-7);
}

// Integrals of its three rectangles, by the theorem of parallel axes.
TEST(SectionShape, AnIIsThreeRectangles) {
  const double b = 0.12;
  const double h = 0.2;
  const double f = 0.015;
  const double w = 0.008;
  const SectionShape s = i_section(b, h, f, w, 0.3);
  const SectionShape flange = rectangle(b, f, 0);
  const SectionShape web = rectangle(w, h - 2 * f, 0);
  EXPECT_NEAR(s.area, 2 * flange.area + web.area, 1e-16);
  EXPECT_NEAR(s.I_y, 2 * (flange.I_y + flange.area * (h - f) * (h - f) / 4) + web.I_y, 1e-18);
  EXPECT_NEAR(s.I_z, 2 * flange.I_z + web.I_z, 1e-18);
  EXPECT_NEAR(s.J, 2 * flange.J + web.J, 0.08 * s.J);
  EXPECT_NEAR(s.k_z * s.area, w * (h - f), 0.1 * w * (h - f));  // the web carries the shear
}

// Without Poisson's ratio Cowper's factor is that of the shear energy: I^2 / (A integral of S^2/t ds) over the middle
// lines, S the first moment of what lies beyond.
TEST(SectionShape, AnIHasTheShearFactorOfItsShearEnergy) {
  for (const auto& [b, h, f, w] :
       {std::array{0.12, 0.2, 0.015, 0.008}, {0.3, 0.3, 0.02, 0.01}, {0.05, 0.3, 0.004, 0.02}}) {
    const double d = h - f;
    const double A = 2 * b * f + d * w;
    const double I = b * f * d * d / 2 + w * d * d * d / 12;
    const auto S = [b = b, f = f, w = w, d](double z) { return b * f * d / 2 + w * (d * d / 4 - z * z) / 2; };
    double integral = f * d * d * b * b * b / 24;  // four half flanges
    const int n = 2000;
    for (int i = 0; i < n; ++i) integral += std::pow(S(d * ((i + 0.5) / n - 0.5)), 2) / w * d / n;
    const SectionShape s = i_section(b, h, f, w, 0);
    EXPECT_NEAR(s.k_z, I * I / (A * integral), 1e-6);
  }
}

TEST(SectionShape, MatricesAreMaterialTimesShape) {
  const SectionShape s = rectangle(0.1, 0.3, 0.25);
  const math::Mat6 C = stiffness_of(s, {2e11, 0.25, 7800});
  const math::Mat6 M = mass_of(s, {2e11, 0.25, 7800});
  EXPECT_DOUBLE_EQ(C(0, 0), 2e11 * 0.03);
  EXPECT_DOUBLE_EQ(C(1, 1), 8e10 * 0.03 * s.k_y);
  EXPECT_DOUBLE_EQ(C(3, 3), 8e10 * s.J);
  EXPECT_DOUBLE_EQ(C(4, 4), 2e11 * s.I_y);
  EXPECT_DOUBLE_EQ(M(2, 2), 7800 * 0.03);
  EXPECT_DOUBLE_EQ(M(3, 3), 7800 * (s.I_y + s.I_z));
  EXPECT_DOUBLE_EQ(M(5, 5), 7800 * s.I_z);
}

}  // namespace
}  // namespace polhode::model
