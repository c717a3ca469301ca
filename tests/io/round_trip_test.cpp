// SPDX-License-Identifier: BSD-3-Clause
// Laws of decks as texts: what a run stores of its deck reads back to the same model, and the order of entries means
// nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "io/deck/deck_source.hpp"
#include "io/deck_dump.hpp"
#include "io/yaml/document.hpp"
#include "support/deck_text.hpp"
#include "support/places.hpp"

namespace polhode::io {
namespace {

std::vector<std::string> shipped_files() {
  std::vector<std::string> files;
  for (const char* folder : {"benchmarks", "examples"})
    for (const auto& file : std::filesystem::directory_iterator(std::string(POLHODE_SOURCE_DIR "/inputs/") + folder))
      if (file.path().extension() == ".yaml") files.push_back(file.path());
  std::sort(files.begin(), files.end());
  return files;
}

class EveryShippedDeck : public testing::TestWithParam<std::string> {};

// What is compared has everything in it: a change of one number shows.
TEST(DeckDump, ShowsEachChangeOfADeck) {
  const std::string file = POLHODE_SOURCE_DIR "/inputs/benchmarks/four_bar.yaml";
  const std::string dumped = test::dump(read_deck(file));
  for (const char* setting :
       {"gravity=[0, 0, -1]", "nodes.A.position.2=1.0e-12", "sections.CD.stiffness.EA=400001",
        "joints.motor.axis.0=0.1", "analysis.duration=9", "analysis.integrator.rho_infinity=0.123",
        "analysis.newton.max_iterations=7", "output.every=2", "constraints.redundant=resolve", "initial.positions=0.5",
        "title=x", "beams.AB.elements=3", "joints.motor.rotation==-0.001*t",
        "initial_motion={velocity: [0, 0, 1.0e-9]}", "responses={z: {last: energy.total}}",
        "analysis.integrator={method: rosenbrock4}"}) {
    std::string changed;
    try {
      changed = test::dump(read_deck(file, {setting}));
    } catch (const DeckError& error) {
      ADD_FAILURE() << error.what();
    }
    EXPECT_FALSE(changed == dumped) << setting;
  }
}

TEST_P(EveryShippedDeck, IsStoredAsATextThatReadsBackToTheSameModel) {
  DeckSource source(GetParam());
  const std::string original = test::dump(source.read());
  EXPECT_EQ(source.text(), read_file(GetParam()));
  source.use_absolute_files();
  // A setting that changes nothing: from now on the text is the tree's.
  source.set("format=polhode-deck/1");
  const std::string text = source.text();
  EXPECT_NE(text, read_file(GetParam()));
  const support::TemporaryFile elsewhere("deck.yaml", text);
  EXPECT_TRUE(test::dump(read_deck(elsewhere.path)) == original);
  EXPECT_TRUE(source.read().text == text);
}

TEST_P(EveryShippedDeck, MeansTheSameInAnyOrderOfItsParts) {
  DeckSource source(GetParam());
  source.use_absolute_files();
  const std::string original = test::dump(source.read(false));
  Item tree = source.impl().root;
  std::reverse(tree.items.begin() + 1, tree.items.end());  // `format` stays the first
  for (Item& part : tree.items)
    if (part.key == "parameters") std::reverse(part.items.begin(), part.items.end());
  const support::TemporaryFile reversed("deck.yaml", write_document(tree));
  EXPECT_TRUE(test::dump(read_deck(reversed.path)) == original);
}

std::string name_of_file(const testing::TestParamInfo<std::string>& info) {
  const std::filesystem::path path = info.param;
  return path.parent_path().filename().string() + "_" + path.stem().string();
}

INSTANTIATE_TEST_SUITE_P(Inputs, EveryShippedDeck, testing::ValuesIn(shipped_files()), name_of_file);

// A value that comes from --set, from a study or from the file itself is the same value.
TEST(DeckText, AValueIsTheSameWhereverItComesFrom) {
  const std::string file = POLHODE_SOURCE_DIR "/inputs/benchmarks/heavy_top.yaml";
  DeckSource by_setting(file);
  by_setting.set("bodies.top.mass=0.1");
  by_setting.set("analysis.newton.max_iterations=17");
  DeckSource by_value(file);
  by_value.set_value("bodies.top.mass", "0.1");
  by_value.set_value("analysis.newton.max_iterations", "17");
  const std::string one = test::dump(by_setting.read());
  EXPECT_TRUE(one == test::dump(by_value.read()));
  const support::TemporaryFile written("deck.yaml", by_value.text());
  EXPECT_TRUE(one == test::dump(read_deck(written.path)));
  EXPECT_FALSE(one == test::dump(read_deck(file)));
}

TEST(DeckText, IsNotWrittenWhereItIsNotWanted) {
  const DeckSource source(POLHODE_SOURCE_DIR "/inputs/benchmarks/heavy_top.yaml");
  EXPECT_EQ(source.read(false).text, "");
  EXPECT_NE(source.read(true).text, "");
}

// A faulty entry in each part of the deck, and what alone is said of it.
struct Fault {
  const char* part;   // text of the part with the fault
  const char* sound;  // the part without it
  const char* said;   // a piece of the message
};

constexpr Fault faults[] = {
    {"parameters: {a: x}", "parameters: {a: 1}", "parameters.a: expected a number"},
    {"gravity: [0, 0]", "gravity: [0, 0, 1]", "gravity: expected a list of 3 numbers"},
    {"nodes: {p: {position: [0, 0, '=q']}, r: {position: [1, 0, 0]}}",
     "nodes: {p: {position: [0, 0, 0]}, r: {position: [1, 0, 0]}}", "nodes.p.position.2: in the expression '=q'"},
    {"bodies: {m: {type: point_mass, node: p, mass: -1}}", "bodies: {m: {type: point_mass, node: p, mass: 1}}",
     "bodies.m.mass: must be in (0, inf), is -1"},
    {"sections: {s: {shape: circle, radius: 1, E: 1, nu: 0.7, density: 1}}",
     "sections: {s: {shape: circle, radius: 1, E: 1, nu: 0.3, density: 1}}",
     "sections.s.nu: must be in (-1, 0.5], is 0.7"},
    {"beams: {b: {section: s, from: p, to: q, elements: 1}}", "beams: {b: {section: s, from: p, to: r, elements: 1}}",
     "beams.b.to: there is no node 'q'"},
    {"joints: {j: {type: revolut, connects: [ground, p], at: [0, 0, 0], axis: [0, 0, 1]}}",
     "joints: {j: {type: revolute, connects: [ground, p], at: [0, 0, 0], axis: [0, 0, 1]}}",
     "joints.j.type: unknown type 'revolut'; did you mean 'revolute'?"},
    {"forces: {f: {type: load, node: p, forces: [1, 0, 0]}}", "forces: {f: {type: load, node: p, force: [1, 0, 0]}}",
     "forces.f.forces: unknown key 'forces'; did you mean 'force'?"},
    {"initial_motion: {nodes: [x]}", "initial_motion: {nodes: [p]}",
     "initial_motion.nodes.0: there is no 'x' in nodes"},
    {"constraints: {redundant: drop}", "constraints: {redundant: resolve}", "constraints.redundant: unknown redundant"},
    {"initial: {positions: -1}", "initial: {positions: 1}", "initial.positions: must be in [0, inf), is -1"},
    {"analysis: {type: transient, duration: 1, step: [1]}", "analysis: {type: transient, duration: 1, step: 0.1}",
     "analysis.step: expected a number, found a list of 1"},
    {"output: {every: 2, interval: 1}", "output: {every: 2}", "output.interval: excludes every"},
    {"responses: {r: {min: a, max: a}}", "responses: {r: {max: energy.total}}", "responses.r: give exactly one of"},
    {"outputs: {}", "title: x", "outputs: unknown key 'outputs'; did you mean 'output'?"},
};

std::string deck_with(const std::vector<bool>& faulty) {
  std::string text = "format: polhode-deck/1\n";
  for (std::size_t i = 0; i < std::size(faults); ++i)
    text += std::string(faulty[i] ? faults[i].part : faults[i].sound) + "\n";
  return text;
}

TEST(DeckErrors, OfAllPartsAreReportedAtOnceEachOnceAndInTheOrderOfTheFile) {
  constexpr std::size_t count = std::size(faults);
  EXPECT_EQ(support::refusal_of(deck_with(std::vector<bool>(count, false))), "");
  std::string together;
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<bool> one(count, false);
    one[i] = true;
    const std::string alone = support::refusal_of(deck_with(one));
    EXPECT_NE(alone.find(faults[i].said), std::string::npos) << alone;
    EXPECT_EQ(alone.find('\n'), std::string::npos) << alone;
    EXPECT_TRUE(alone.starts_with(std::to_string(i + 2) + ":")) << alone;
    together += (i == 0 ? "" : "\n") + alone;
  }
  EXPECT_EQ(support::refusal_of(deck_with(std::vector<bool>(count, true))), together);
}

}  // namespace
}  // namespace polhode::io
