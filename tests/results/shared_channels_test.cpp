// SPDX-License-Identifier: BSD-3-Clause
// Laws of shared channels: the numbers of all entities of a group stand together, and each is found by its name.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "polhode/io/deck/deck.hpp"
#include "polhode/results/names.hpp"
#include "polhode/results/sampler.hpp"
#include "support/mechanisms.hpp"
#include "support/models.hpp"
#include "support/places.hpp"

using namespace polhode;
using results::Channel;
using results::Layout;
using results::Sampler;

namespace {

const Channel& channel_at(const Layout& layout, const std::string& path) {
  const auto found = std::find_if(layout.states.begin(), layout.states.end(),
                                  [&](const Channel& channel) { return channel.path == path; });
  if (found == layout.states.end()) throw std::runtime_error("no " + path);
  return *found;
}

bool has_channel(const Layout& layout, const std::string& path) {
  return std::any_of(layout.states.begin(), layout.states.end(), [&](const Channel& c) { return c.path == path; });
}

const results::StaticData& static_at(const Layout& layout, const std::string& path) {
  const auto found = std::find_if(layout.statics.begin(), layout.statics.end(),
                                  [&](const results::StaticData& data) { return data.path == path; });
  if (found == layout.statics.end()) throw std::runtime_error("no " + path);
  return *found;
}

std::string link_of(const Channel& channel, const std::string& attribute) {
  for (const results::Link& link : channel.links)
    if (link.attribute == attribute) return link.path;
  return "";
}

// Numbers of a state's row that a name selects.
std::vector<double> selected(const Layout& layout, std::span<const double> row, const std::string& name) {
  std::string problem;
  const results::Selection selection = results::select(layout, name, problem);
  EXPECT_EQ(problem, "");
  const auto begin = row.begin() + static_cast<std::ptrdiff_t>(selection.offset);
  return {begin, begin + static_cast<std::ptrdiff_t>(selection.size)};
}

TEST(SharedChannels, HoldAllEntitiesInTheOrderOfTheNames) {
  support::Machine machine(support::row_of_bodies(3, "revolute"));
  const Sampler sampler(machine.system, {});
  const Layout& layout = sampler.layout();
  EXPECT_EQ(channel_at(layout, "/joints/force").shape, (std::vector<int>{3, 3}));
  EXPECT_EQ(channel_at(layout, "/joints/multipliers").shape, std::vector<int>{15});
  EXPECT_EQ(channel_at(layout, "/joints/coordinates").shape, std::vector<int>{3});
  EXPECT_EQ(static_at(layout, "/joints/rows").indices, (std::vector<int>{0, 5, 5, 5, 10, 5}));
  EXPECT_EQ(static_at(layout, "/joints/coordinate_ranges").indices, (std::vector<int>{0, 1, 1, 1, 2, 1}));
  EXPECT_EQ(link_of(channel_at(layout, "/joints/force"), "names"), "/joints/names");
  EXPECT_EQ(link_of(channel_at(layout, "/joints/force"), "items"), "") << "each joint has one";
  EXPECT_EQ(link_of(channel_at(layout, "/joints/multipliers"), "ranges"), "/joints/rows");
  const std::vector<std::string>& names = static_at(layout, "/joints/names").names;
  ASSERT_EQ(names.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    std::string problem;
    const results::Selection force = results::select(layout, "joints." + names[i] + ".force.z", problem);
    EXPECT_EQ(force.offset, channel_at(layout, "/joints/force").offset + 3 * i + 2) << problem;
    const results::Selection row = results::select(layout, "joints." + names[i] + ".multipliers[4]", problem);
    EXPECT_EQ(row.offset, channel_at(layout, "/joints/multipliers").offset + 5 * i + 4) << problem;
  }
}

TEST(SharedChannels, AreAsManyWhateverTheModel) {
  support::Machine small(support::row_of_bodies(2, "revolute"));
  support::Machine large(support::row_of_bodies(300, "revolute"));
  EXPECT_EQ(Sampler(small.system, {}).layout().states.size(), Sampler(large.system, {}).layout().states.size());
  const Sampler sampler(large.system, {});
  for (const results::StaticData& data : sampler.layout().statics)
    EXPECT_EQ(std::count(data.path.begin(), data.path.end(), '/'), 2) << data.path << " is by name";
}

TEST(SharedChannels, OfOneEntityHoldTheSameNumbersAsOfAll) {
  support::Machine machine(support::row_of_bodies(3, "revolute"));
  const model::State q = support::consistent_start(machine.system);
  Sampler all(machine.system, {});
  const std::vector<double> row(all.state_row(q, nullptr, 0, 0).begin(), all.state_row(q, nullptr, 0, 0).end());
  for (const std::string& name : *results::names_of(all.layout(), "joints")) {
    Sampler one(machine.system, {"joints." + name});
    const auto part = one.state_row(q, nullptr, 0, 0);
    for (const std::string quantity : {"force", "moment", "multipliers", "coordinates"}) {
      const std::string path = "joints." + name + '.' + quantity;
      EXPECT_EQ(selected(one.layout(), part, path), selected(all.layout(), row, path)) << path;
    }
  }
}

TEST(SharedChannels, HaveRoomForNoOthersThanThoseThatAreKept) {
  support::Machine machine(support::row_of_bodies(3, "revolute"));
  const Sampler everything(machine.system, {});
  const std::string second = (*results::names_of(everything.layout(), "joints"))[1];
  const Sampler sampler(machine.system, {"joints." + second + ".force"});
  const Layout& layout = sampler.layout();
  EXPECT_EQ(channel_at(layout, "/joints/force").shape, (std::vector<int>{1, 3}));
  EXPECT_FALSE(has_channel(layout, "/joints/moment"));
  EXPECT_EQ(link_of(channel_at(layout, "/joints/force"), "items"), "/joints/items");
  EXPECT_EQ(static_at(layout, "/joints/items").indices, (std::vector<int>{-1, 0, -1}));
  std::string problem;
  EXPECT_EQ(results::select(layout, "joints." + second + ".force", problem).size, 3u);
  const Sampler forces(machine.system, {"joints.force"});
  EXPECT_EQ(channel_at(forces.layout(), "/joints/force").shape, (std::vector<int>{3, 3}));
  EXPECT_FALSE(has_channel(forces.layout(), "/joints/moment"));
}

TEST(SharedChannels, KeepBeamsApartByTheirPoints) {
  model::Model model = support::cantilever(4);
  support::Machine machine(std::move(model));
  const Sampler sampler(machine.system, {});
  const Layout& layout = sampler.layout();
  const Channel& forces = channel_at(layout, "/beams/forces");
  ASSERT_EQ(forces.shape.size(), 2u);
  EXPECT_EQ(forces.shape[1], 6);
  EXPECT_EQ(static_at(layout, "/beams/points").indices, (std::vector<int>{0, forces.shape[0]}));
  EXPECT_EQ(link_of(channel_at(layout, "/beams/strains"), "ranges"), "/beams/points");
  EXPECT_EQ(static_at(layout, "/beams/segments").shape, (std::vector<int>{4, 2}));
  EXPECT_EQ(static_at(layout, "/beams/node_ranges").indices, (std::vector<int>{0, 5}));
  EXPECT_EQ(channel_at(layout, "/reactions/force").shape, (std::vector<int>{1, 3}));
  EXPECT_EQ(static_at(layout, "/reactions/names").names.size(), 1u);
}

// A point has no rotations that a support could hold.
TEST(SharedChannels, PointsAreSupportsByTheirTranslationsAlone) {
  support::ModelMaker m;
  for (const char* name : {"held", "free"}) {
    model::NodeEntry& node = m.node(name, support::Vec3::Zero());
    node.translation_only = true;
    m.add(support::Family::body, "point_mass", name, {{"node", support::value(name)}, {"mass", 2.0}});
  }
  m.model.nodes[0].fixed[1] = true;
  support::Machine machine(std::move(m.model));
  const Sampler sampler(machine.system, {});
  EXPECT_EQ(static_at(sampler.layout(), "/reactions/names").names, std::vector<std::string>{"held"});
}

// Two hinges, a slide, and gears between them, which have no force of their own.
TEST(SharedChannels, SayWhereEntitiesDiffer) {
  const io::Deck deck = io::read_deck(POLHODE_SOURCE_DIR "/inputs/examples/gears.yaml");
  model::Problems problems;
  const auto system = assembly::System::make(deck.model, problems);
  ASSERT_TRUE(problems.empty());
  const Sampler sampler(*system, {});
  const Layout& layout = sampler.layout();
  const std::vector<std::string>& names = *results::names_of(layout, "joints");
  const Channel& force = channel_at(layout, "/joints/force");
  EXPECT_EQ(force.shape[0], static_cast<int>(names.size())) << "in the order of the names";
  EXPECT_EQ(force.parts.size(), 3u) << "not of the gears";
  const std::vector<int>& items = static_at(layout, link_of(force, "items")).indices;
  const std::vector<std::string>& units =
      static_at(layout, link_of(channel_at(layout, "/joints/coordinates"), "units_by_name")).names;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const bool is_gear = names[i] == "teeth" || names[i] == "rack";
    EXPECT_EQ(items[i], is_gear ? -1 : static_cast<int>(i)) << names[i];
    EXPECT_EQ(units[i], is_gear ? "" : names[i] == "guide" ? "m" : "rad") << names[i];
  }
  std::string problem;
  EXPECT_EQ(results::select(layout, "joints.guide.coordinates[0]", problem).units, "m");
  EXPECT_EQ(results::select(layout, "joints.motor.coordinates", problem).units, "rad");
  EXPECT_EQ(results::select(layout, "joints.teeth.force", problem).channel, nullptr);
  EXPECT_EQ(static_at(layout, "/joints/axis_torque_ranges").shape[0], static_cast<int>(names.size()))
      << "places of a quantity that no table names";
}

TEST(SharedChannels, AreReadByNameFromGroupsThatAreSmall) {
  support::Machine machine(support::row_of_bodies(3, "revolute"));
  const Sampler sampler(machine.system, {});
  const Layout& layout = sampler.layout();
  EXPECT_TRUE(results::are_by_name(layout, "joints"));
  EXPECT_TRUE(results::is_free(layout, "joints", "pivot"));
  EXPECT_FALSE(results::is_free(layout, "joints", "force")) << "the name of a dataset";
  EXPECT_FALSE(results::is_free(layout, "joints", "rows"));
  const Channel& force = channel_at(layout, "/joints/force");
  EXPECT_EQ(results::path_of(force, "pivot"), "/joints/pivot/force");
  EXPECT_EQ(results::shape_of(force, force.parts[1]), std::vector<int>{3});
  EXPECT_EQ(results::offset_of(force, force.parts[1]), force.offset + 3);
  const std::string name = (*results::names_of(layout, "bodies"))[2];
  EXPECT_EQ(static_at(layout, "/bodies/" + name + "/mass").numbers,
            std::vector<double>{static_at(layout, "/bodies/mass").numbers[2]});
  EXPECT_EQ(static_at(layout, "/bodies/" + name + "/node").indices, std::vector<int>{2});
}

}  // namespace
