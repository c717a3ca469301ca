// SPDX-License-Identifier: BSD-3-Clause
// What is gathered over a run, apart from any: invariants, work along equilibria, threads, floating-point mode.
#include "run/invariant_summary.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "polhode/math/parallel.hpp"
#include "run/process_settings.hpp"
#include "run/static_work.hpp"

namespace polhode::run {
namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

results::Layout layout_with(const std::vector<std::pair<std::string, int>>& invariants) {
  results::Layout layout;
  layout.state_size = 1;
  for (const auto& [name, size] : invariants) {
    results::Channel channel;
    channel.path = "/invariants/" + name;
    channel.units = "unit of " + name;
    if (size > 1) channel.shape = {size};
    channel.offset = layout.state_size;
    layout.state_size += static_cast<std::size_t>(size);
    layout.states.push_back(channel);
  }
  return layout;
}

TEST(InvariantSummary, HasFirstLastAndExtremeValuesOfEachComponent) {
  InvariantSummary summary(layout_with({{"angular_momentum", 3}, {"linear_momentum", 3}}));
  for (const std::vector<double>& row :
       {std::vector<double>{0, 1, 2, 3, 0, 0, 0}, {0, 5, -2, 3, 0, 0, 1}, {0, 4, 7, 3, 0, 0, -1}})
    summary.add(row);
  const std::vector<Invariant> all = summary.invariants();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].name, "linear momentum");
  const Invariant& angular = all[1];
  EXPECT_EQ(angular.name, "angular momentum");
  EXPECT_EQ(angular.units, "unit of angular_momentum");
  EXPECT_EQ(angular.first, (std::array<double, 3>{1, 2, 3}));
  EXPECT_EQ(angular.last, (std::array<double, 3>{4, 7, 3}));
  EXPECT_EQ(angular.smallest, (std::array<double, 3>{1, -2, 3}));
  EXPECT_EQ(angular.largest, (std::array<double, 3>{5, 7, 3}));
}

// The energy of most methods is in the energy balance; that which a method keeps itself begins with its first step.
TEST(InvariantSummary, TakesTheMethodsOwnMomentaAndEnergyWhereItHasThem) {
  InvariantSummary plain(layout_with({{"energy", 1}, {"linear_momentum", 3}}));
  InvariantSummary own(layout_with({{"energy", 1}, {"discrete_energy", 1}}));
  for (const double energy : {10.0, 7.0, 7.5}) {
    plain.add(std::vector<double>{0, energy, 0, 0, 0});
    own.add(std::vector<double>{0, 99, energy});
  }
  ASSERT_EQ(plain.invariants().size(), 1u);
  EXPECT_EQ(plain.invariants()[0].name, "linear momentum");
  ASSERT_EQ(own.invariants().size(), 1u);
  const Invariant energy = own.invariants()[0];
  EXPECT_TRUE(energy.from_first_step);
  EXPECT_EQ(energy.size, 1u);
  EXPECT_EQ(energy.first[0], 7);
  EXPECT_EQ(energy.last[0], 7.5);
  EXPECT_EQ(energy.largest[0], 7.5);
}

TEST(InvariantSummary, LeavesOutStatesWithoutValuesAndASingleValue) {
  InvariantSummary summary(layout_with({{"linear_momentum", 3}}));
  EXPECT_TRUE(summary.invariants().empty());
  summary.add(std::vector<double>{0, nothing, nothing, nothing});
  summary.add(std::vector<double>{0, 1, 1, 1});
  EXPECT_TRUE(summary.invariants().empty());
  summary.add(std::vector<double>{0, nothing, 0, 0});
  summary.add(std::vector<double>{0, 2, 2, 2});
  ASSERT_EQ(summary.invariants().size(), 1u);
  EXPECT_EQ(summary.invariants()[0].smallest[0], 1);
  EXPECT_EQ(summary.invariants()[0].last[0], 2);
}

// Slow loads do the work that the model gains.
TEST(StaticWork, IsTheEnergyGainedSinceTheStartOfThePath) {
  StaticWork work;
  work.begin_analysis(5);
  for (const double energy : {100.0, 103.0, 101.0}) work.add(energy);
  EXPECT_EQ(work.external_work(), 6);
  EXPECT_EQ(work.steps(), 3);
  work.begin_analysis(work.external_work());
  work.add(40);  // an analysis between may have changed the energy: only gains of this path count
  EXPECT_EQ(work.external_work(), 6);
  work.add(38);
  EXPECT_EQ(work.external_work(), 4);
  EXPECT_EQ(work.steps(), 2);
}

TEST(ProcessSettings, SmallModelsHaveOneThreadUnlessMoreAreAskedFor) {
  EXPECT_EQ(number_of_threads(0, 0), 1);
  EXPECT_EQ(number_of_threads(0, 4999), 1);
  EXPECT_EQ(number_of_threads(0, 5000), std::min(math::number_of_processors(), 4));
  EXPECT_EQ(number_of_threads(7, 1), 7);
  EXPECT_EQ(number_of_threads(1, 1000000), 1);
}

TEST(ProcessSettings, AreThoseOfBeforeAtTheirEndAlsoNested) {
  const int before = math::number_of_threads();
  volatile double smallest = 1e-310;
  {
    const Threads outer(before + 2);
    const FlushDenormals flush;
    EXPECT_EQ(smallest * 0.5, 0);
    {
      const Threads inner(before + 1);
      const FlushDenormals again;
      EXPECT_EQ(math::number_of_threads(), before + 1);
    }
    EXPECT_EQ(math::number_of_threads(), before + 2);
    EXPECT_EQ(smallest * 0.5, 0);
  }
  EXPECT_EQ(math::number_of_threads(), before);
  EXPECT_NE(smallest * 0.5, 0);
}

}  // namespace
}  // namespace polhode::run
