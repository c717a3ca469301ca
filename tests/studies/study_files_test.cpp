// SPDX-License-Identifier: BSD-3-Clause
// Files, shards and tables of a study: every case once, under its own name, whatever the order of the rows.
#include "polhode/studies/study_files.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "support/program.hpp"
#include "tests/support/study_text.hpp"

namespace polhode::studies {
namespace {

Row row_of_case(std::size_t number, double response = 0) {
  Row row;
  row.number = number;
  row.status = Row::Status::completed;
  row.responses = {response};
  return row;
}

Shard shard(std::size_t index, std::size_t count) { return {index, count, true, false, "--shard"}; }

TEST(StudyFiles, HaveTheNameOfTheTable) {
  for (const auto& [given, stem] : {std::pair("out/study.h5", "out/study"), std::pair("study", "study"),
                                    std::pair("a.b.h5", "a.b"), std::pair("a.b", "a.b")}) {
    const StudyFiles files(given);
    EXPECT_EQ(files.csv(), stem + std::string(".csv"));
    EXPECT_EQ(files.rows({}), stem + std::string(".rows"));
    EXPECT_EQ(files.rows(shard(1, 4)), stem + std::string(".2of4.rows"));
    EXPECT_EQ(files.results(17), stem + std::string(".cases/17.h5"));
  }
}

TEST(StudyFiles, FindRowsOfAllTheirShardsAndOfNoOtherStudy) {
  const test::TemporaryFolder folder;
  for (const char* name : {"s.rows", "s.1of2.rows", "s.2of2.rows", "s.10of12.rows", "s2.rows", "s.x.rows", "s.of2.rows",
                           "s.1of.rows", "s.1of2.rows.old", "other.1of2.rows", "s.1.2of2.rows"})
    std::ofstream(folder.file(name)) << "";
  std::set<std::string> names;
  for (const std::string& file : StudyFiles(folder.file("s.h5")).all_rows())
    names.insert(std::filesystem::path(file).filename());
  EXPECT_EQ(names, (std::set<std::string>{"s.rows", "s.1of2.rows", "s.2of2.rows", "s.10of12.rows"}));
  EXPECT_TRUE(StudyFiles(folder.file("none/s.h5")).all_rows().empty());
}

TEST(Shard, ShardsDivideTheCasesOfAStudy) {
  for (const std::size_t count : {1u, 2u, 3u, 7u}) {
    for (std::size_t number = 0; number < 40; ++number) {
      std::size_t owners = 0;
      for (std::size_t index = 0; index < count; ++index) owners += shard(index, count).has(number);
      EXPECT_EQ(owners, 1u);
    }
  }
}

// Tasks of an array, and ranks within each, share out all cases between them.
TEST(Shard, RanksWithinTasksDivideTheCasesToo) {
  std::set<std::size_t> indices;
  for (int task = 3; task <= 9; task += 3)
    for (int rank = 0; rank < 2; ++rank) {
      const std::map<std::string, std::string> environment = {{"SLURM_ARRAY_TASK_ID", std::to_string(task)},
                                                              {"SLURM_ARRAY_TASK_MIN", "3"},
                                                              {"SLURM_ARRAY_TASK_STEP", "3"},
                                                              {"SLURM_ARRAY_TASK_COUNT", "3"},
                                                              {"PMI_RANK", std::to_string(rank)},
                                                              {"PMI_SIZE", "2"}};
      std::string problem;
      const Shard shard = shard_of_environment(
          [&](const char* name) { return environment.contains(name) ? environment.at(name) : ""; }, problem);
      EXPECT_EQ(problem, "");
      EXPECT_EQ(shard.count, 6u);
      EXPECT_TRUE(shard.given && shard.side_by_side);
      EXPECT_EQ(shard.source, "SLURM_ARRAY_TASK_ID and PMI_RANK");
      indices.insert(shard.index);
    }
  EXPECT_EQ(indices, (std::set<std::size_t>{0, 1, 2, 3, 4, 5}));
}

TEST(Shard, MessagesSayWhatWasExpected) {
  const std::pair<const char*, const char*> cases[] = {
      {"3", "expected I/N, such as 1/4; found '3'"},
      {"1/0", "expected I/N, such as 1/4; found '1/0'"},
      {"0/3", "there is no shard 0 of 3; shards count from 1 to 3"},
      {"4/3", "there is no shard 4 of 3; shards count from 1 to 3"},
  };
  for (const auto& [text, message] : cases) {
    std::string problem;
    EXPECT_FALSE(read_shard(text, problem).given);
    EXPECT_EQ(problem, message);
  }
}

TEST(DoneRows, KeepTheFirstRowOfEachCase) {
  DoneRows rows(5);
  rows.add(row_of_case(3, 1));
  rows.add(row_of_case(3, 2));
  rows.add(row_of_case(5));
  rows.add(row_of_case(0, 4));
  EXPECT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows.row(3).responses[0], 1);
  EXPECT_EQ(rows.row(0).responses[0], 4);
  EXPECT_FALSE(rows.has(1));
}

TEST(DoneRows, MissingOnesAreNamedAsIntervals) {
  const auto missing = [](std::size_t cases, const std::set<std::size_t>& done) {
    DoneRows rows(cases);
    for (const std::size_t number : done) rows.add(row_of_case(number));
    return missing_text(rows);
  };
  EXPECT_EQ(missing(3, {0, 1, 2}), "");
  EXPECT_EQ(missing(1, {}), "0");
  EXPECT_EQ(missing(12, {1, 2, 3, 5, 6, 7}), "0, 4, 8 to 11");
  EXPECT_EQ(missing(4, {0, 3}), "1, 2");
  std::set<std::size_t> odd;
  for (std::size_t number = 1; number < 40; number += 2) odd.insert(number);
  EXPECT_EQ(missing(40, odd), "0, 2, 4, 6, 8, 10, 12, 14, 16, 18, ...");
}

TEST(StudyTable, HasARowACaseInTheOrderOfTheirNumbers) {
  const support::StudyFile file(
      "  bodies.top.mass: [1, 2, 3]\n  analysis.integrator.method: [lie_alpha, ul_crv, lie_alpha]\nsampling: zip\n");
  const Cases cases(file.study);
  DoneRows rows(cases.size());
  Row failed = row_of_case(2, std::nan(""));
  failed.status = Row::Status::timed_out;
  failed.message = "late";
  rows.add(failed);
  rows.add(row_of_case(0, 7.5));
  const io::StudyTable table = table_of(file.study, cases, {{"peak", "N", "largest", 0}}, rows);
  EXPECT_EQ(table.cases, 3u);
  EXPECT_EQ(table.rows, 2u);
  EXPECT_EQ(table.sampling, "zip");
  EXPECT_EQ(table.title, file.study.file) << "without a title";
  EXPECT_EQ(table.varied, (std::vector<std::string>{"bodies.top.mass", "analysis.integrator.method"}));
  std::string names;
  for (const io::Column& column : table.columns) {
    names += column.name + " ";
    EXPECT_EQ(column.numbers.size() + column.counts.size() + column.texts.size(), 2u) << column.name;
  }
  EXPECT_EQ(names,
            "case bodies.top.mass analysis.integrator.method peak status message newton_iterations steps cpu_time ");
  EXPECT_EQ(table.columns[0].counts, (std::vector<std::int64_t>{0, 2}));
  EXPECT_EQ(table.columns[1].numbers, (std::vector<double>{1, 3}));
  EXPECT_EQ(table.columns[3].numbers[0], 7.5);
  EXPECT_EQ(table.columns[4].texts, (std::vector<std::string>{"completed", "timed out"}));
  EXPECT_EQ(table.columns[5].texts[1], "late");
}

TEST(Cases, OfAGridAreAllCombinationsEachOnce) {
  const support::StudyFile file(
      "  bodies.top.mass: [1, 2, 3]\n  analysis.integrator.method: [lie_alpha, ul_crv]\n"
      "  analysis.step: {linspace: [0.1, 0.2, 4]}\n");
  const Cases cases(file.study);
  ASSERT_EQ(cases.size(), 24u);
  std::set<std::tuple<double, std::string, double>> all;
  for (std::size_t k = 0; k < cases.size(); ++k) all.emplace(cases.number(k, 0), cases.text(k, 1), cases.number(k, 2));
  EXPECT_EQ(all.size(), 24u);
}

TEST(Cases, OfSamplesLieBetweenTheEndsAlsoWhereTheyFall) {
  for (const char* sampling : {"latin_hypercube", "sobol"}) {
    const support::StudyFile file(
        "  bodies.top.mass: {linspace: [5, -5, 2]}\n  analysis.step: {logspace: [1.0, 1.0e-6, 3]}\n"
        "  analysis.newton.max_iterations: [3, 4, 5]\nsampling: {" +
        std::string(sampling) + ": {samples: 30, seed: 2}}\n");
    const Cases cases(file.study);
    std::map<double, int> counts;
    for (std::size_t k = 0; k < 30; ++k) {
      EXPECT_LE(std::abs(cases.number(k, 0)), 5);
      EXPECT_LE(cases.number(k, 1), 1);
      EXPECT_GE(cases.number(k, 1), 1e-6);
      ++counts[cases.number(k, 2)];
    }
    EXPECT_EQ(counts.size(), 3u) << "items of a list are chosen, never mixed";
    for (const auto& [value, count] : counts) EXPECT_NEAR(count, 10, 3) << sampling << " " << value;
  }
}

}  // namespace
}  // namespace polhode::studies
