// SPDX-License-Identifier: BSD-3-Clause
// The catalog of analyses, and one more type as docs/adding_an_analysis.md adds it.
#include "polhode/analyses/catalog.hpp"

#include <gtest/gtest.h>

#include <array>

#include "docs/examples/mass/mass.hpp"
#include "polhode/io/hdf5/results_reader.hpp"
#include "polhode/run/run.hpp"
#include "support/deck_text.hpp"
#include "support/program.hpp"

namespace polhode::analyses {
namespace {

TEST(AnalysisCatalog, FindsEachTypeByItsName) {
  for (const char* name : {"initial", "static", "modal", "linearize", "transient"}) {
    const AnalysisType* const type = find_type(analysis_types(), name);
    ASSERT_TRUE(type) << name;
    EXPECT_EQ(type->name(), name);
  }
  EXPECT_EQ(find_type(analysis_types(), "transients"), nullptr);
}

TEST(AnalysisCatalog, DefaultsOfATypeAreThoseOfItsStruct) {
  Analysis analysis(*find_type(analysis_types(), "static"));
  ASSERT_TRUE(analysis.as<StaticSettings>());
  EXPECT_EQ(analysis.as<StaticSettings>()->max_steps, 1000);
  EXPECT_EQ(analysis.as<ModalSettings>(), nullptr);
  static_cast<StaticSettings*>(analysis.settings_struct())->max_steps = 7;
  EXPECT_EQ(analysis.as<StaticSettings>()->max_steps, 7);
  const Analysis copy = analysis;
  EXPECT_EQ(copy.as<StaticSettings>()->max_steps, 7);
}

TEST(AnalysisCatalog, ColumnsOfRowsAreThoseThatAnyAnalysisNeeds) {
  const Analysis equilibrium(*find_type(analysis_types(), "static"));
  const Analysis modes(*find_type(analysis_types(), "modal"));
  EXPECT_FALSE(contents_of({modes}).static_analyses);
  EXPECT_TRUE(contents_of({modes, equilibrium}).static_analyses);
  EXPECT_FALSE(contents_of({modes, equilibrium}).step_control);
  EXPECT_EQ(duration_of({modes, equilibrium}), 0);
  EXPECT_EQ(expected_states({modes, equilibrium}, {}), 2);
}

// Two masses of 1 and 3 kg, 4 m apart: the center is 3 m from the first, the inertia about it 1*9 + 3*1 = 12 kg m^2.
constexpr auto two_masses =
    "format: polhode-deck/1\n"
    "nodes: {a: {position: [0, 0, 1]}, b: {position: [4, 0, 1], dofs: translation}}\n"
    "bodies:\n"
    "  a: {type: rigid_body, node: a, mass: 1, inertia: [0.5, 0.5, 0.5]}\n"
    "  b: {type: point_mass, node: b, mass: 3}\n"
    "analysis: {type: transient, duration: 0.1, step: 0.01}\n";

TEST(AnalysisCatalog, OneMoreTypeRunsAmongTheOthers) {
  const test::TemporaryFolder folder;
  io::Deck deck = support::deck_of(two_masses);
  deck.analyses.insert(deck.analyses.begin(), Analysis(mass_analysis()));
  run::RunSettings settings;
  settings.results_file = folder.file("mass.h5");
  const run::RunResult result = run::run_deck(deck, settings);
  EXPECT_EQ(result.status, run::Status::completed);
  ASSERT_EQ(result.analyses.size(), 2u);
  EXPECT_EQ(result.analyses[0].type, "mass");
  EXPECT_EQ(result.analyses[0].result.summary.at(0), "mass: 4 kg, center at [3, 0, 1] m");
  const auto* mass = std::any_cast<MassResult>(&result.analyses[0].result.data);
  ASSERT_TRUE(mass);
  EXPECT_NEAR(mass->mass, 4, 1e-12);
  EXPECT_LT((mass->center - model::Vec3(3, 0, 1)).norm(), 1e-12);
  EXPECT_LT((mass->inertia - model::Vec3(0.5, 12.5, 12.5).asDiagonal().toDenseMatrix()).norm(), 1e-12);
  EXPECT_EQ(io::ResultsReader(folder.file("mass.h5")).numbers("/mass/mass"), std::vector<double>{4});
}

TEST(AnalysisCatalog, KeysOfOneMoreTypeAreBoundToItsSettings) {
  Analysis analysis(mass_analysis());
  const model::SettingsTable& table = *mass_analysis().table();
  ASSERT_EQ(table.settings.size(), 1u);
  table.settings[0].assign(analysis.settings_struct(), std::string("/inertia"));
  EXPECT_EQ(analysis.as<MassSettings>()->group, "/inertia");
  EXPECT_EQ(analysis.describe(), "of the whole model");
  const std::array<const AnalysisType*, 1> types{&mass_analysis()};
  EXPECT_EQ(find_type(types, "mass"), &mass_analysis());
}

}  // namespace
}  // namespace polhode::analyses
