// SPDX-License-Identifier: BSD-3-Clause
// Cases in processes of their own: each gives one row, whatever becomes of its process.
#include "studies/case_pool.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <map>
#include <set>

#include "polhode/io/hdf5/results.hpp"
#include "polhode/studies/case_run.hpp"
#include "polhode/studies/run_study.hpp"
#include "studies/row_lines.hpp"
#include "support/program.hpp"
#include "tests/support/study_text.hpp"

namespace polhode::studies {
namespace {

using Rows = std::map<std::size_t, Row>;

// Runs `count` cases by `run`, and gives their rows by their numbers.
Rows rows_of_pool(std::size_t count, int jobs, double timeout, const std::function<Row(std::size_t)>& run) {
  Rows rows;
  std::size_t next = 0;
  CasePool::Work work;
  work.run = run;
  work.next = [&]() -> std::optional<std::size_t> {
    if (next == count) return std::nullopt;
    return next++;
  };
  work.finished = [&](const Row& row) { EXPECT_TRUE(rows.emplace(row.number, row).second) << row.number; };
  work.waiting = [] {};
  work.interrupted = [] { return false; };
  work.responses = 2;
  CasePool pool(jobs, timeout, std::move(work));
  pool.run();
  return rows;
}

Row good_row(std::size_t number) {
  Row row;
  row.number = number;
  row.status = Row::Status::completed;
  row.responses = {static_cast<double>(number) / 3, static_cast<double>(getpid())};
  return row;
}

// A fork costs more than a short run.
TEST(CasePool, DoesManyCasesInAProcess) {
  std::set<double> processes;
  for (const auto& [number, row] : rows_of_pool(100, 2, 0, good_row)) processes.insert(row.responses[1]);
  EXPECT_LE(processes.size(), 2u);
}

TEST(CasePool, TriesACaseByItselfThatEndsAProcessWhichHadDoneOthers) {
  int done = 0;  // in the process of the case
  const Rows rows = rows_of_pool(20, 1, 0, [&](std::size_t number) {
    if (number == 5 && done > 0) std::abort();  // what others have left harms it
    if (number == 9) std::abort();
    ++done;
    return good_row(number);
  });
  ASSERT_EQ(rows.size(), 20u);
  for (const auto& [number, row] : rows)
    EXPECT_EQ(row.status, number == 9 ? Row::Status::crashed : Row::Status::completed) << number;
}

TEST(CasePool, GivesEachCaseARowToTheLastBitFromAnotherProcess) {
  for (const int jobs : {1, 3}) {
    const Rows rows = rows_of_pool(7, jobs, 0, good_row);
    ASSERT_EQ(rows.size(), 7u);
    for (const auto& [number, row] : rows) {
      EXPECT_EQ(row.responses[0], static_cast<double>(number) / 3);
      EXPECT_NE(row.responses[1], static_cast<double>(getpid()));
    }
  }
}

TEST(CasePool, WhatBecomesOfOneCaseHarmsNoOther) {
  const Rows rows = rows_of_pool(5, 2, 1, [](std::size_t number) {
    if (number == 0) std::abort();
    if (number == 1) _exit(7);
    if (number == 2) sleep(100);
    return good_row(number);
  });
  ASSERT_EQ(rows.size(), 5u);
  EXPECT_EQ(rows.at(0).status, Row::Status::crashed);
  EXPECT_EQ(rows.at(0).message, "its process was ended by signal 6 (Aborted)");
  EXPECT_EQ(rows.at(1).message, "its process ended with status 7 and no row");
  EXPECT_EQ(rows.at(2).status, Row::Status::timed_out);
  EXPECT_EQ(rows.at(2).message, "did not end within 1 s (--case-timeout)");
  for (const std::size_t bad : {0, 1, 2}) {
    ASSERT_EQ(rows.at(bad).responses.size(), 2u);
    EXPECT_TRUE(std::isnan(rows.at(bad).responses[0]));
  }
  for (const std::size_t good : {3, 4}) EXPECT_EQ(rows.at(good).status, Row::Status::completed);
}

TEST(CasePool, AFileThatCannotBeWrittenEndsAll) {
  try {
    rows_of_pool(3, 1, 0, [](std::size_t) -> Row { throw io::ResultsError("x.h5: cannot be written"); });
    ADD_FAILURE() << "no error";
  } catch (const io::ResultsError& error) {
    EXPECT_EQ(std::string(error.what()), "x.h5: cannot be written");
  }
}

// What a damaged line of a file may hold although its checksum is right.
TEST(RowLines, OfAnotherFormAreRefused) {
  const char* const good = "3\tcompleted\t1\t2\t0.5\ttext\t1\tnan\t";
  const auto read = [](const std::string& fields) {
    const std::string line = sealed(fields);
    return row_of(std::string_view(line).substr(0, line.size() - 1));
  };
  ASSERT_TRUE(read(good));
  EXPECT_EQ(read(good)->responses.size(), 2u);
  for (const char* wrong :
       {"", "3\tcompleted\t1\t2\t0.5\t", "x\tcompleted\t1\t2\t0.5\ttext\t", "-3\tcompleted\t1\t2\t0.5\ttext\t",
        "3\tdone\t1\t2\t0.5\ttext\t", "3\tcompleted\t1.5\t2\t0.5\ttext\t", "3\tcompleted\t1\t2\t0.5 s\ttext\t",
        "3\tcompleted\t1\t2\t0.5\ttext\t1,5\t"})
    EXPECT_FALSE(read(wrong)) << wrong;
}

TEST(RowLines, HoldEachStatusAndMessagesOnOneLine) {
  for (const auto status : {Row::Status::completed, Row::Status::failed, Row::Status::invalid, Row::Status::crashed,
                            Row::Status::timed_out}) {
    Row row = good_row(1);
    row.status = status;
    row.message = "a\tb\nc\r";
    const std::string line = line_of(row);
    EXPECT_EQ(line.find('\n'), line.size() - 1);
    const auto back = row_of(std::string_view(line).substr(0, line.size() - 1));
    ASSERT_TRUE(back);
    EXPECT_EQ(back->status, status);
    EXPECT_EQ(back->message, "a b c ");
  }
}

TEST(RowsFile, LeavesFilesOfOthersAlone) {
  const test::TemporaryFolder folder;
  const std::string file = folder.file("a.rows");
  std::ofstream(file) << "my own rows";
  EXPECT_THROW(RowsFile(file, {}), io::ResultsError);
  EXPECT_EQ(support::content_of(file), "my own rows");
  EXPECT_THROW(RowsFile("/proc/none/a.rows", {}), io::ResultsError);
  EXPECT_THROW(read_rows(folder.file("none.rows")), io::FileError);
}

// The top for a twentieth of a second; its height is asked for.
support::StudyFile short_study(const std::string& vary, const std::string& rest = "") {
  return support::StudyFile("  analysis.duration: [0.02]\n" + vary +
                            "responses: {height: {last: nodes.centre.position.z}}\n" + rest);
}

TEST(CaseRun, PutsWhatGoesWrongIntoItsRow) {
  support::StudyFile file = short_study("  bodies.top.mass: [15, -1]\n");
  const Cases cases(file.study);
  const Row good = run_case(cases, 0, file.study.deck, 1, "");
  EXPECT_EQ(good.status, Row::Status::completed);
  EXPECT_EQ(good.steps, 10);
  EXPECT_EQ(good.message, "");
  EXPECT_TRUE(std::isfinite(good.responses.at(0)));
  const Row invalid = run_case(cases, 1, file.study.deck, 1, "");
  EXPECT_EQ(invalid.status, Row::Status::invalid);
  EXPECT_NE(invalid.message.find("bodies.top.mass: must be in (0, inf), is -1"), std::string::npos) << invalid.message;
  EXPECT_EQ(invalid.message.find(file.study.deck.file()), std::string::npos) << "the folder is no matter of the case";
  EXPECT_TRUE(std::isnan(invalid.responses.at(0)));
}

TEST(CaseRun, OfAFailedRunNamesTheWorstEquation) {
  support::StudyFile file(
      "  analysis.step: [0.01]\n  analysis.newton.halvings: [0]\nresponses: {height: {last: "
      "nodes.centre.position.z}}\n");
  const Row row = run_case(Cases(file.study), 0, file.study.deck, 1, "");
  EXPECT_EQ(row.status, Row::Status::failed);
  EXPECT_NE(row.message.find("; worst row: "), std::string::npos) << row.message;
  EXPECT_TRUE(std::isnan(row.responses.at(0)));
}

// What is there is not done again, what is of other shards neither; kept results are those of the failed cases.
TEST(RunStudy, DoesTheMissingCasesOfItsShareAlone) {
  const test::TemporaryFolder folder;
  support::StudyFile file = short_study("  bodies.top.mass: [15, 16, 17, 18, 19, -1]\n", "keep: failed\n");
  const Cases cases(file.study);
  const StudyFiles files(folder.file("s.h5"));
  RowsFile rows_file(files.rows({}), file.study.identity);
  DoneRows rows(cases.size());
  Row known = good_row(3);
  known.responses = {42};
  rows.add(known);
  CaseSettings settings;
  settings.shard = {1, 2, true, false, ""};
  std::size_t all = 0;
  StudyCallbacks callbacks;
  callbacks.progress = [&](const StudyProgress& progress) {
    all = progress.all;
    EXPECT_LE(progress.done, progress.all);
    EXPECT_LE(progress.failed, progress.done);
  };
  EXPECT_TRUE(run_missing_cases(file.study, cases, files, settings, 1, rows_file, rows, callbacks));
  EXPECT_EQ(all, 2u);
  EXPECT_EQ(missing_text(rows), "0, 2, 4");
  EXPECT_EQ(rows.row(3).responses[0], 42);
  EXPECT_EQ(rows.row(1).status, Row::Status::completed);
  EXPECT_EQ(rows.row(5).status, Row::Status::invalid);
  EXPECT_EQ(read_rows(files.rows({})).rows.size(), 2u) << "those that were done now";
  EXPECT_FALSE(std::filesystem::exists(files.results(1))) << "completed";
  EXPECT_TRUE(run_missing_cases(file.study, cases, files, settings, 1, rows_file, rows, {})) << "nothing is left";
}

TEST(RunStudy, AnInterruptEndsItWithoutRows) {
  const test::TemporaryFolder folder;
  support::StudyFile file = short_study("  bodies.top.mass: [15, 16]\n");
  const Cases cases(file.study);
  const StudyFiles files(folder.file("s.h5"));
  RowsFile rows_file(files.rows({}), file.study.identity);
  DoneRows rows(cases.size());
  StudyCallbacks callbacks;
  callbacks.interrupted = [] { return true; };
  EXPECT_FALSE(run_missing_cases(file.study, cases, files, {}, 1, rows_file, rows, callbacks));
  EXPECT_EQ(rows.size(), 0u);
}

}  // namespace
}  // namespace polhode::studies
