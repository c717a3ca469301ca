// SPDX-License-Identifier: BSD-3-Clause
// Cases: the order of a grid, one point a slice, points that fill evenly, the same numbers for the same seed.
#include "polhode/studies/cases.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "polhode/studies/sobol.hpp"
#include "tests/support/study_text.hpp"

namespace polhode::studies {
namespace {

using support::StudyFile;

std::vector<double> numbers(const Cases& cases, std::size_t axis) {
  std::vector<double> all;
  for (std::size_t k = 0; k < cases.size(); ++k) all.push_back(cases.number(k, axis));
  return all;
}

TEST(Cases, OfAGridHaveTheLastKeyFastest) {
  const StudyFile study("  bodies.top.mass: [1, 2]\n  analysis.step: {linspace: [0.1, 0.3, 3]}\n");
  const Cases cases(study.study);
  EXPECT_EQ(numbers(cases, 0), (std::vector<double>{1, 1, 1, 2, 2, 2}));
  EXPECT_EQ(numbers(cases, 1),
            (std::vector<double>{0.1, 0.1 + 0.5 * (0.3 - 0.1), 0.3, 0.1, 0.1 + 0.5 * (0.3 - 0.1), 0.3}));
}

TEST(Cases, OfZipTakeTheValuesTogether) {
  const StudyFile study(
      "  analysis.integrator.method: [lie_alpha, ul_crv, lie_alpha]\n"
      "  analysis.step: {logspace: [1.0e-3, 1.0e-1, 3]}\nsampling: zip\n");
  const Cases cases(study.study);
  ASSERT_EQ(cases.size(), 3u);
  EXPECT_EQ(cases.text(1, 0), "ul_crv");
  EXPECT_TRUE(cases.is_text(0));
  EXPECT_DOUBLE_EQ(cases.number(1, 1), 1e-2);
  EXPECT_EQ(cases.number(2, 1), 1e-1);
}

TEST(Cases, OfALatinHypercubeHaveOnePointInEachSliceOfEachRange) {
  const std::string vary =
      "  bodies.top.mass: {linspace: [1, 3, 2]}\n  analysis.step: {logspace: [1.0e-4, 1.0e-2, 2]}\n";
  const StudyFile study(vary + "sampling: {latin_hypercube: {samples: 50, seed: 3}}\n");
  const Cases cases(study.study);
  ASSERT_EQ(cases.size(), 50u);
  std::set<int> mass;
  std::set<int> step;
  for (std::size_t k = 0; k < 50; ++k) {
    mass.insert(static_cast<int>((cases.number(k, 0) - 1) / 2 * 50));
    step.insert(static_cast<int>((std::log10(cases.number(k, 1)) + 4) / 2 * 50));
  }
  EXPECT_EQ(mass.size(), 50u);
  EXPECT_EQ(step.size(), 50u);
  EXPECT_EQ(*mass.rbegin(), 49);
  EXPECT_EQ(numbers(Cases(StudyFile(vary + "sampling: {latin_hypercube: {samples: 50, seed: 3}}\n").study), 0),
            numbers(cases, 0));
  EXPECT_NE(numbers(Cases(StudyFile(vary + "sampling: {latin_hypercube: {samples: 50, seed: 4}}\n").study), 0),
            numbers(cases, 0));
}

// The first points by hand (and by SciPy's qmc.Sobol without scrambling): 0, 1/2, 3/4, 1/4, 3/8, ...
TEST(Sobol, BeginsAsPublished) {
  const auto point = [](std::size_t i, std::size_t d) { return sobol(i, d) * 0x1p-32; };
  const std::vector<double> first = {0, 0.5, 0.75, 0.25, 0.375, 0.875, 0.625, 0.125};
  const std::vector<double> second = {0, 0.5, 0.25, 0.75, 0.375, 0.875, 0.125, 0.625};
  const std::vector<double> third = {0, 0.5, 0.25, 0.75, 0.625, 0.125, 0.875, 0.375};
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_EQ(point(i, 0), first[i]) << i;
    EXPECT_EQ(point(i, 1), second[i]) << i;
    EXPECT_EQ(point(i, 2), third[i]) << i;
  }
  EXPECT_EQ(point(999, 9), 0.6318359375);
  EXPECT_EQ(point(999, 31), 0.0830078125);
}

// Of 2^k points each slice of width 2^-k holds one, in every dimension: the property that makes a sequence Sobol's.
TEST(Sobol, PutsOnePointInEachDyadicSlice) {
  for (std::size_t d = 0; d < sobol_dimensions; ++d) {
    std::set<std::uint32_t> slices;
    for (std::size_t i = 0; i < 256; ++i) slices.insert(sobol(i, d) >> 24);
    EXPECT_EQ(slices.size(), 256u) << d;
  }
}

TEST(Cases, OfSobolFillEachRangeEvenlyWhateverTheSeed) {
  for (const char* seed : {"0", "1", "77"}) {
    const StudyFile study(
        "  bodies.top.mass: {linspace: [1, 2, 2]}\n  analysis.newton.predictor: [zero, extrapolate]\n"
        "sampling: {sobol: {samples: 64, seed: " +
        std::string(seed) + "}}\n");
    const Cases cases(study.study);
    std::set<int> slices;
    int zero = 0;
    for (std::size_t k = 0; k < 64; ++k) {
      slices.insert(static_cast<int>((cases.number(k, 0) - 1) * 64));
      zero += cases.text(k, 1) == "zero" ? 1 : 0;
    }
    EXPECT_EQ(slices.size(), 64u) << seed;
    EXPECT_EQ(zero, 32) << seed;
  }
}

TEST(Cases, WriteTheirValuesIntoTheDeckToTheLastBit) {
  StudyFile study("  bodies.top.mass: {linspace: [1, 2, 4]}\n  nodes.centre.position.1: [\"=1/3\"]\n");
  Cases(study.study).apply(1, study.study.deck);
  const io::Deck deck = study.study.deck.read();
  EXPECT_EQ(deck.model.entries[0].number("mass"), 1 + 1.0 / 3.0 * (2.0 - 1.0));
  EXPECT_EQ(deck.model.nodes[0].position[1], 1.0 / 3);
}

}  // namespace
}  // namespace polhode::studies
