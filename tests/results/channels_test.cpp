// SPDX-License-Identifier: BSD-3-Clause
// Laws of the table of channels, and one more channel by one entry (docs/adding_a_channel.md).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "../io/sample_results.hpp"
#include "polhode/integrators/step_report.hpp"
#include "polhode/io/hdf5/results.hpp"
#include "polhode/io/hdf5/results_reader.hpp"
#include "polhode/results/channel_table.hpp"
#include "polhode/results/names.hpp"
#include "polhode/results/responses.hpp"
#include "polhode/results/sampler.hpp"
#include "support/models.hpp"

using namespace polhode;
using results::Channel;
using results::Sampler;

namespace {

// The example of docs/adding_a_channel.md.
// clang-format off
double total_mass(const assembly::System& system) {
  double mass = 0;
  for (const model::BodyTopology& body : system.bodies()) mass += body.mass;
  return mass;
}

const results::StateChannel specific_energy = {
    "/energy/kinetic_per_mass", {}, "J/kg", "", "kinetic energy over the mass of all bodies",
    [](const results::StateSample& s, double* to) { *to = s.totals().energies.kinetic / total_mass(s.system); },
    {.of_totals = true}};
// clang-format on

const Channel* find(const std::vector<Channel>& channels, const std::string& path) {
  const auto found =
      std::find_if(channels.begin(), channels.end(), [&](const Channel& channel) { return channel.path == path; });
  return found == channels.end() ? nullptr : &*found;
}

std::vector<results::StateChannel> with(const results::StateChannel& entry) {
  std::vector<results::StateChannel> table = results::state_channels();
  table.push_back(entry);
  return table;
}

TEST(Channels, OneMoreIsOneEntryFoundInLayoutFileAndResponses) {
  support::Machine top(support::heavy_top());
  const model::State q = support::consistent_start(top.system);
  Sampler sampler(top.system, {}, {}, with(specific_energy));
  const Channel* added = find(sampler.layout().states, "/energy/kinetic_per_mass");
  ASSERT_NE(added, nullptr);
  const auto row = sampler.state_row(q, nullptr, 0, 0);
  const double expected = row[added->offset];
  ASSERT_GT(expected, 0);
  EXPECT_DOUBLE_EQ(expected, top.system.energies(q).kinetic / total_mass(top.system));

  model::Problems problems;
  results::ResponseValues responses(sampler.layout(),
                                    {{"peak", results::Response::Kind::max, "energy.kinetic_per_mass", 0}}, problems);
  EXPECT_TRUE(problems.empty());
  responses.add_state(row);
  EXPECT_EQ(responses.value(0), expected);

  const test::TemporaryFolder folder;
  {
    io::ResultsFile file(folder.file("run.h5"), {"title", "", {}}, sampler.layout());
    file.append_state(row);
    file.finish(io::Status::completed, "");
  }
  const io::ResultsReader reader(folder.file("run.h5"));
  EXPECT_EQ(reader.numbers("/energy/kinetic_per_mass"), std::vector<double>{expected});
  EXPECT_EQ(reader.dataset("/energy/kinetic_per_mass").units, "J/kg");
}

TEST(Channels, OneMoreOfStepsIsOneEntryToo) {
  support::Machine top(support::heavy_top());
  std::vector<results::StepChannel> table = results::step_channels();
  table.push_back({"/solver/solves_in_all",
                   {},
                   "1",
                   "",
                   "linear solves with those of failed attempts",
                   [](const results::StepSample& s, double* to) { *to = s.report.iterations + s.wasted_iterations; },
                   {.integer = true}});
  Sampler sampler(top.system, {}, {}, results::state_channels(), table);
  integrators::StepReport report;
  report.iterations = 4;
  const auto row = sampler.step_row(report, 3);
  EXPECT_EQ(row[find(sampler.layout().steps, "/solver/solves_in_all")->offset], 7);
  EXPECT_EQ(row[find(sampler.layout().steps, "/solver/wasted_iterations")->offset], 3);
}

TEST(Channels, EnergiesWithoutTheirDeclarationAreRefused) {
  support::Machine top(support::heavy_top());
  results::StateChannel entry = specific_energy;
  entry.options.of_totals = false;
  Sampler sampler(top.system, {"energy.kinetic_per_mass"}, {}, with(entry));
  EXPECT_THROW(sampler.state_row(support::consistent_start(top.system), nullptr, 0, 0), std::logic_error);
}

TEST(Channels, HaveDistinctPathsAndAreDescribed) {
  std::set<std::string> paths;
  const auto check = [&](const auto& table) {
    for (const auto& entry : table) {
      EXPECT_TRUE(paths.insert(entry.path).second) << entry.path;
      EXPECT_TRUE(entry.path.starts_with('/')) << entry.path;
      EXPECT_FALSE(entry.doc.empty()) << entry.path;
      EXPECT_NE(entry.fill, nullptr) << entry.path;
    }
  };
  check(results::state_channels());
  check(results::step_channels());
}

TEST(Channels, FillTheirRowsWithoutGapsOrOverlaps) {
  support::Machine machine(support::driven_top());
  for (const bool all : {false, true}) {
    const results::RunContents contents{all, all, all};
    const Sampler sampler(machine.system, {}, contents);
    for (const bool steps : {false, true}) {
      const auto& channels = steps ? sampler.layout().steps : sampler.layout().states;
      std::size_t end = 0;
      for (const Channel& channel : channels) {
        EXPECT_EQ(channel.offset, end) << channel.path;
        end += results::numbers_of(channel.shape);
      }
      EXPECT_EQ(end, steps ? sampler.layout().step_size : sampler.layout().state_size);
    }
  }
}

TEST(Channels, ExistOnlyInRunsThatHaveTheirNumbers) {
  support::Machine machine(support::heavy_top());
  const Sampler plain(machine.system, {});
  EXPECT_EQ(find(plain.layout().states, "/static/load_factor"), nullptr);
  EXPECT_EQ(find(plain.layout().states, "/invariants/discrete_energy"), nullptr);
  EXPECT_EQ(find(plain.layout().steps, "/solver/error"), nullptr);
  const Sampler full(machine.system, {}, {.step_control = true, .static_analyses = true, .discrete_invariants = true});
  EXPECT_NE(find(full.layout().states, "/static/load_factor"), nullptr);
  EXPECT_NE(find(full.layout().states, "/invariants/discrete_energy"), nullptr);
  EXPECT_NE(find(full.layout().steps, "/solver/error"), nullptr);
}

TEST(Channels, LabelsStandFirstAndAreKeptWhateverTheFields) {
  support::Machine machine(support::heavy_top());
  Sampler sampler(machine.system, {"energy.total"}, {.static_analyses = true});
  std::vector<std::string> paths;
  for (const Channel& channel : sampler.layout().states) paths.push_back(channel.path);
  EXPECT_EQ(paths, (std::vector<std::string>{"/time", "/analysis", "/static/load_factor", "/static/iterations",
                                             "/static/smallest_pivot", "/static/limit_point", "/energy/total"}));
  EXPECT_EQ(sampler.labels(), 6u);
  const auto row = sampler.state_row(support::consistent_start(machine.system), nullptr, 0, 3);
  EXPECT_EQ(row[1], 3);
  EXPECT_EQ(row[2], 1) << "the load factor of states that are not static";
  EXPECT_TRUE(std::isnan(row[4]));
}

TEST(Channels, OfOneFieldHoldTheSameNumbersAsOfAll) {
  support::Machine machine(support::driven_top());
  const model::State q = support::consistent_start(machine.system);
  Sampler all(machine.system, {});
  const std::vector<double> row(all.state_row(q, nullptr, 0.5, 1).begin(), all.state_row(q, nullptr, 0.5, 1).end());
  for (const Channel& channel : all.layout().states) {
    Sampler one(machine.system, {results::dotted_name(channel.path)});
    const auto part = one.state_row(q, nullptr, 0.5, 1);
    const Channel* same = find(one.layout().states, channel.path);
    ASSERT_NE(same, nullptr) << channel.path;
    for (std::size_t k = 0; k < results::numbers_of(channel.shape); ++k)
      EXPECT_NEAR(part[same->offset + k], row[channel.offset + k], 1e-12 * (1 + std::abs(row[channel.offset + k])))
          << channel.path << " " << k;
  }
}

TEST(Channels, ReactionsFromTheirNeighborsAreThoseOfTheWholeResidual) {
  model::Model model = support::cantilever(4);
  model.gravity = math::Vec3(0, 0, -9.81);
  support::Machine machine(std::move(model));
  model::State q = machine.system.initial_state();
  Sampler sampler(machine.system, {"reactions"});
  assembly::Residual residual = machine.system.make_residual();
  machine.system.set_residual(q, residual);
  const std::vector<double> own(sampler.state_row(q, nullptr, 0, 0).begin(), sampler.state_row(q, nullptr, 0, 0).end());
  const auto given = sampler.state_row(q, &residual, 0, 0);
  ASSERT_GT(sampler.layout().states.size(), 2u) << "a support";
  for (std::size_t k = 0; k < own.size(); ++k)
    EXPECT_NEAR(own[k], given[k], 1e-9 * (1 + std::abs(own[k]))) << "from its neighbors, and from all elements";
}

TEST(KeptFields, AreGroupsAndChannels) {
  const results::KeptFields all({});
  EXPECT_TRUE(all.keep("/joints/pivot/force"));
  const results::KeptFields some({"joints.pivot", "energy.total"});
  EXPECT_TRUE(some.keep("/joints/pivot/force"));
  EXPECT_TRUE(some.keep("/energy/total"));
  EXPECT_FALSE(some.keep("/joints/pivot2/force"));
  EXPECT_FALSE(some.keep("/energy/kinetic"));
}

}  // namespace
