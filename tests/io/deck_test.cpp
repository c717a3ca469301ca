// SPDX-License-Identifier: BSD-3-Clause
// The shipped decks are read to the values that they state; faulty decks are refused by the lines that they state.
#include "polhode/io/deck/deck.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <numbers>

#include "polhode/model/catalog.hpp"
#include "support/places.hpp"
#include "tests/support/deck_text.hpp"
#include "tests/support/faulty_decks.hpp"

namespace polhode::io {
namespace {

using integrators::NewtonSettings;
using math::Vec3;
using support::deck_of;

const model::Entry& entry(const Deck& deck, const std::string& path) {
  for (const model::Entry& e : deck.model.entries)
    if (e.path() == path) return e;
  throw std::runtime_error("no entry " + path);
}

Deck benchmark(const std::string& name) { return read_deck(POLHODE_SOURCE_DIR "/inputs/benchmarks/" + name); }

TEST(Deck, HeavyTopIsReadAsWritten) {
  const Deck deck = benchmark("heavy_top.yaml");
  EXPECT_EQ(deck.title, "Heavy top");
  EXPECT_EQ(deck.model.gravity, Vec3(0, 0, -9.81));
  ASSERT_EQ(deck.model.nodes.size(), 1u);
  const model::NodeEntry& centre = deck.model.nodes[0];
  EXPECT_EQ(centre.position, Vec3(0, 1, 0));
  EXPECT_EQ(centre.velocity.value(), Vec3(4.61538, 0, 0));
  EXPECT_EQ(centre.angular_velocity.value(), Vec3(0, 150, -4.61538));
  EXPECT_EQ(centre.fixed, (std::array<bool, 6>{}));
  const model::Entry& top = entry(deck, "bodies.top");
  EXPECT_EQ(top.kind->name, "rigid_body");
  EXPECT_EQ(top.number("mass"), 15);
  EXPECT_EQ(top.matrix3("inertia"), math::Mat3(Vec3(0.234375, 0.46875, 0.234375).asDiagonal()));
  EXPECT_EQ(entry(deck, "joints.pivot").names("connects"), (std::vector<std::string>{"ground", "centre"}));
  ASSERT_EQ(deck.analyses.size(), 1u);
  const auto& run = *deck.analyses[0].as<analyses::TransientSettings>();
  EXPECT_EQ(run.duration, 2);
  EXPECT_EQ(run.step, 0.002);
  EXPECT_EQ(run.integrator.method, "lie_alpha");
  EXPECT_EQ(run.integrator.rho_infinity.value(), 0.9);
  EXPECT_FALSE(run.integrator.hht_alpha);
  EXPECT_EQ(run.newton.predictor, NewtonSettings::Predictor::zero);
  EXPECT_EQ(run.newton.criterion, NewtonSettings::Criterion::residual);
  EXPECT_EQ(run.newton.residual_tolerance, 1e-8);
  EXPECT_EQ(run.newton.constraint_tolerance, 1e-10);
}

TEST(Deck, RightAngleBeamIsReadAsWritten) {
  const Deck deck = benchmark("right_angle_beam.yaml");
  EXPECT_EQ(deck.model.nodes[0].fixed, (std::array<bool, 6>{true, true, true, true, true, true}));
  ASSERT_EQ(deck.model.sections.size(), 1u);
  math::Vec6 stiffness;
  math::Vec6 mass;
  stiffness << 1e6, 1e6, 1e6, 1e3, 1e3, 1e3;
  mass << 1, 1, 1, 20, 10, 10;
  EXPECT_EQ(deck.model.sections[0].stiffness, math::Mat6(stiffness.asDiagonal()));
  EXPECT_EQ(deck.model.sections[0].mass, math::Mat6(mass.asDiagonal()));
  const model::Entry& arm = entry(deck, "beams.arm");
  EXPECT_EQ(arm.number("elements"), 5);
  EXPECT_EQ(arm.text("from"), "elbow");
  EXPECT_EQ(arm.vector3("orientation"), Vec3(0, 0, 1));
  const model::TimeFunction& history = entry(deck, "forces.pull").function("history");
  EXPECT_DOUBLE_EQ(history(0.5).value, 25);
  EXPECT_DOUBLE_EQ(history(1.5).value, 25);
  EXPECT_EQ(history(7).value, 0);
  EXPECT_EQ(deck.analyses[0].as<analyses::TransientSettings>()->integrator.hht_alpha.value(), 0.05);
}

TEST(Deck, FourBarIsReadAsWritten) {
  const Deck deck = benchmark("four_bar.yaml");
  EXPECT_EQ(deck.model.entries.size(), 7u);
  const Vec3 axis = entry(deck, "joints.hinge_C").vector3("axis");
  const double tilt = 5 * std::numbers::pi / 180;
  EXPECT_EQ(axis, Vec3(std::sin(tilt), 0, std::cos(tilt)));
  const model::TimeFunction& rotation = entry(deck, "joints.motor").function("rotation");
  EXPECT_NEAR(rotation(1).value, -5 * (1 - 0.25), 1e-15);
  EXPECT_NEAR(rotation(0.25).first, -2.5, 1e-14);  // omega/ts (t - ts/(2 pi) sin(2 pi t/ts)) at t = ts/2
  EXPECT_EQ(deck.model.sections[2].name, "CD");
  EXPECT_EQ(deck.model.sections[2].stiffness(0, 0), 4e5);
}

TEST(Deck, ShippedTextIsKeptWordByWord) {
  const Deck deck = benchmark("heavy_top.yaml");
  std::ifstream stream(deck.file);
  EXPECT_EQ(deck.text, std::string(std::istreambuf_iterator<char>(stream), {}));
}

TEST(Deck, PlacesAreThoseOfTheKeys) {
  const Deck deck = deck_of(
      "format: polhode-deck/1\n"
      "nodes:\n"
      "  a: {position: [0, 0, 0]}\n"
      "analysis:\n"
      "  - type: transient\n"
      "    duration: 1\n"
      "    step: 0.1\n");
  EXPECT_EQ(deck.places.at("nodes.a.position").line, 3);
  EXPECT_EQ(deck.places.at("nodes.a.position").column, 7);
  EXPECT_EQ(deck.places.at("analysis.0.step").line, 7);
  EXPECT_EQ(format_problems(deck, {{"nodes.a.fixed", "second"}, {"nodes.a.position", "first"}, {"beams.x", "none"}}),
            deck.file + ":1:1: beams.x: none\n" + deck.file + ":3:3: nodes.a.fixed: second\n" + deck.file +
                ":3:7: nodes.a.position: first");
}

TEST(Deck, EveryFaultyDeckIsRefusedByTheLinesThatItStates) {
  const std::vector<support::FaultyDeck> decks = support::faulty_decks();
  ASSERT_GT(decks.size(), 20u);
  for (const support::FaultyDeck& faulty : decks) {
    SCOPED_TRACE(faulty.file);
    EXPECT_FALSE(faulty.reader_errors.empty() && faulty.model_errors.empty());
    std::vector<std::string> found;
    try {
      read_deck(faulty.file);
    } catch (const DeckError& error) {
      found = support::without_file(error.what(), faulty.file);
    }
    EXPECT_EQ(found, faulty.reader_errors);
  }
}

TEST(Deck, AFileThatCannotBeReadIsSaid) {
  EXPECT_THROW(read_deck("/no/such/deck.yaml"), FileError);
  EXPECT_THROW(read_deck("/tmp"), FileError);
}

TEST(Deck, DocumentsThatAreNoneEndInAMessage) {
  using support::refusal_of;
  EXPECT_EQ(refusal_of(""), "1:1: deck: the file holds nothing; a deck begins with 'format: polhode-deck/1'");
  EXPECT_NE(refusal_of(std::string(100000, '[')), "");
  EXPECT_EQ(refusal_of("a: &a [*a]"), "1:8: deck: an alias inside of what it stands for");
  EXPECT_EQ(refusal_of("a: 1\nb: *c"), "2:4: deck: there is no anchor '&c' before this alias");
  EXPECT_NE(refusal_of("[a]: 1"), "");
  EXPECT_NE(refusal_of(std::string("\0\1\2", 3)), "");
  std::string laughs = "a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n";
  for (int i = 1; i < 12; ++i) {
    const std::string last = "*a" + std::to_string(i - 1);
    const std::string name = "a" + std::to_string(i);
    laughs += name + ": &" + name + " [" + last + ", " + last + ", " + last + ", " + last + ", " + last + "]\n";
  }
  EXPECT_NE(refusal_of(laughs).find("aliases"), std::string::npos);
}

TEST(Deck, SchemaAndReferenceKnowEveryKeyOfEveryKind) {
  const std::string schema = deck_schema();
  const std::string reference = deck_reference();
  for (const model::KindInfo* kind : model::catalog())
    for (const model::Field& field : kind->fields) {
      EXPECT_NE(schema.find("\"" + std::string(field.name) + "\": {"), std::string::npos) << field.name;
      EXPECT_NE(reference.find("| `" + std::string(field.name) + "` |"), std::string::npos) << field.name;
    }
}

TEST(Deck, TheReferencePageIsThatOfTheTables) {
  const std::string page = POLHODE_SOURCE_DIR "/docs/deck.md";
  if (std::getenv("POLHODE_WRITE_PAGES")) std::ofstream(page) << deck_reference();
  std::ifstream stream(page);
  EXPECT_TRUE(deck_reference() == std::string(std::istreambuf_iterator<char>(stream), {}))
      << "docs/deck.md is out of date: run this test with POLHODE_WRITE_PAGES=1";
}

}  // namespace
}  // namespace polhode::io
