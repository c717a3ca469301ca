// SPDX-License-Identifier: BSD-3-Clause
// Texts that are exported, to the letter: files, folders and their lists, matrices, pictures.
#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "io/export/export_folder.hpp"
#include "io/export/output_file.hpp"
#include "io/export/xdmf.hpp"
#include "io/hdf5/table_writer.hpp"
#include "polhode/io/deck/deck.hpp"
#include "polhode/io/hdf5/results_reader.hpp"
#include "support/program.hpp"

namespace polhode::io {
namespace {

using support::content_of;

std::string message_of_export(const std::function<void()>& call) {
  try {
    call();
  } catch (const FileError& error) {
    return error.what();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(OutputFile, MakesItsFoldersAndReplacesWhatIsThere) {
  const test::TemporaryFolder folder;
  const std::string name = folder.file("a/b/c.txt");
  for (const char* text : {"longer than the next", "short"}) {
    OutputFile out(name);
    out.write(text);
    out.line("!");
    EXPECT_EQ(out.close(), name);
    EXPECT_EQ(content_of(name), std::string(text) + "!\n");
  }
}

TEST(OutputFile, NamesTheFileAndTheReason) {
  const test::TemporaryFolder folder;
  EXPECT_EQ(message_of_export([&] { OutputFile out(folder.file("")); }),
            folder.file("") + ": cannot be written: Is a directory");
  std::ofstream(folder.file("file")) << "x";
  EXPECT_NE(message_of_export([&] { OutputFile out(folder.file("file/x.txt")); }).find(folder.file("file") + ": "),
            std::string::npos);
  // A full disk shows at the end.
  OutputFile full("/dev/full");
  full.write("x");
  EXPECT_EQ(message_of_export([&] { full.close(); }), "/dev/full: cannot be written: No space left on device");
}

TEST(ExportFolder, TakesPlainNamesAlone) {
  ExportFolder target("out", "run.h5", false);
  for (const char* name : {"a.csv", "nodes.tip.position.csv", "state_space/A.mtx", "with blank.csv", "\xC3\xA4.csv"})
    EXPECT_EQ(message_of_export([&] { target.add(name, "/x"); }), "") << name;
  for (const char* name : {"", ".", "..", "../x.csv", "a/../b.csv", "/etc/x.csv", "a//b.csv", ".hidden", "a/.b",
                           "a\nb.csv", "a\\b.csv", "a\x7f.csv", "a/"})
    EXPECT_NE(message_of_export([&] { target.add(name, "/x"); }).find("cannot be the name of a file"),
              std::string::npos)
        << name;
}

TEST(ExportFolder, RefusesTwoPathsForOneFile) {
  ExportFolder target("out", "run.h5", false);
  target.add("a.b.csv", "/a/b");
  target.add("a.b.csv", "/a/b");
  EXPECT_EQ(message_of_export([&] { target.add("a.b.csv", "/a.b"); }),
            "run.h5: \"/a/b\" and \"/a.b\" would be one file, a.b.csv; nothing was written");
}

TEST(ExportFolder, ListsTheFilesOfAllExportsIntoIt) {
  const test::TemporaryFolder folder;
  for (const char* name : {"b.csv", "a.csv", "b.csv"}) {
    ExportFolder target(folder.file("out"), "run.h5", false);
    target.add(name, "/x");
    target.open();
    std::ofstream(target.file(name)) << "written";
  }
  const auto list = nlohmann::json::parse(content_of(folder.file("out/polhode-export.json")));
  EXPECT_EQ(list.at("format"), "polhode-export/1");
  EXPECT_EQ(list.at("files"), (std::vector<std::string>{"a.csv", "b.csv"}));
}

// K of a spring between two unknowns, sparse; A dense; and the names of inputs.
TEST(MatrixMarket, HasEntriesCountedFromOneAndDenseOnesByColumns) {
  const test::TemporaryFolder folder;
  const std::string name = folder.file("linear.h5");
  {
    hdf5::TableWriter out(name);
    out.head("polhode-results/1", "");
    out.counts("/linear/K/shape", {2, 3}, "shape");
    out.counts("/linear/K/indptr", {0, 2, 3}, "rows");
    out.counts("/linear/K/indices", {0, 2, 1}, "columns");
    out.numbers("/linear/K/data", {1.5, -2, 1.0 / 3}, {3}, "N/m", "stiffness");
    out.numbers("/linear/A", {1, 2, 3, 4, 5, 6}, {2, 3}, "1/s", "states");
    out.texts("/linear/inputs", {"u1", "u2"}, "inputs");
    out.numbers("/linear/frequency", {1}, {1}, "Hz", "no matrix");
    out.close();
  }
  const std::vector<std::string> files = write_matrix_market(ResultsReader(name), folder.file("out"));
  EXPECT_EQ(files.size(), 3u);
  EXPECT_EQ(content_of(folder.file("out/K.mtx")),
            "%%MatrixMarket matrix coordinate real general\n% /linear/K: stiffness [N/m]\n2 3 3\n1 1 1.5\n1 3 -2\n"
            "2 2 0.3333333333333333\n");
  EXPECT_EQ(content_of(folder.file("out/A.mtx")),
            "%%MatrixMarket matrix array real general\n% /linear/A: states [1/s]\n2 3\n1\n4\n2\n5\n3\n6\n");
  EXPECT_EQ(content_of(folder.file("out/inputs.txt")), "u1\nu2\n");
}

TEST(MatrixMarket, OfResultsWithoutALinearModelSaysWhatIsNeeded) {
  const test::TemporaryFolder folder;
  {
    hdf5::TableWriter out(folder.file("x.h5"));
    out.head("polhode-results/1", "");
    out.close();
  }
  EXPECT_EQ(message_of_export([&] { write_matrix_market(ResultsReader(folder.file("x.h5")), folder.file("out")); }),
            folder.file("x.h5") + ": holds no linear model; its deck needs an analysis of type linearize");
  EXPECT_FALSE(std::filesystem::exists(folder.file("out")));
}

// First and last state always, ascending, each once, and no more than a thousand and the last.
TEST(Xdmf, PicturesAreFewAndHaveBothEnds) {
  EXPECT_TRUE(Xdmf::pictures(0).empty());
  for (const std::size_t states : {1, 2, 999, 1000, 1001, 1002, 2000, 12345, 1000000}) {
    const std::vector<hsize_t> pictures = Xdmf::pictures(states);
    ASSERT_FALSE(pictures.empty());
    EXPECT_EQ(pictures.front(), 0u);
    EXPECT_EQ(pictures.back(), states - 1);
    EXPECT_LE(pictures.size(), std::min<std::size_t>(states, 1001)) << states;
    EXPECT_GE(pictures.size(), std::min<std::size_t>(states, 500)) << states;
    for (std::size_t i = 1; i < pictures.size(); ++i) ASSERT_LT(pictures[i - 1], pictures[i]) << states;
  }
}

}  // namespace
}  // namespace polhode::io
