// SPDX-License-Identifier: BSD-3-Clause
// Laws of exports: files of others stay as they are, and nothing is written outside of the folder.
#include <gtest/gtest.h>
#include <hdf5.h>

#include <fstream>
#include <iterator>

#include "polhode/io/deck/deck.hpp"
#include "polhode/io/hdf5/results.hpp"
#include "polhode/io/hdf5/results_reader.hpp"
#include "polhode/io/own_files.hpp"
#include "sample_results.hpp"

using namespace polhode;

namespace {

class Export : public testing::Test {
 protected:
  Export() : file_(folder_.file("run.h5")) {
    const results::Layout layout = test::make_layout();
    const std::vector<double> state(layout.state_size, 1);
    io::ResultsFile results(file_, {"A title", "deck", {}}, layout);
    results.append_state(state);
    results.finish(io::Status::completed, "log");
  }

  // A matrix of 2 x 2 at a path, whose groups are made.
  void add_matrix(const std::string& path) const {
    const hid_t file = H5Fopen(file_.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    const hid_t links = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(links, 1);
    const hsize_t shape[] = {2, 2};
    const hid_t space = H5Screate_simple(2, shape, nullptr);
    const hid_t data = H5Dcreate2(file, path.c_str(), H5T_NATIVE_DOUBLE, space, links, H5P_DEFAULT, H5P_DEFAULT);
    EXPECT_GE(data, 0) << path;
    H5Dclose(data);
    H5Sclose(space);
    H5Pclose(links);
    H5Fclose(file);
  }

  std::string text_of(const std::string& name) const {
    std::ifstream stream(folder_.file(name));
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  void write(const std::string& name, const std::string& text) const { std::ofstream(folder_.file(name)) << text; }

  void tables(const std::string& path, bool force = false) const {
    io::write_csv(io::ResultsReader(file_), folder_.file("out"), {path}, force);
  }

  void matrices() const { io::write_matrix_market(io::ResultsReader(file_), folder_.file("out")); }

  template <class Error, class Action>
  static std::string error_by(const Action& action) {
    try {
      action();
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }

  test::TemporaryFolder folder_;
  std::string file_;
};

TEST_F(Export, ReplacesItsOwnFiles) {
  tables("energy");
  tables("joints/motor");
  write("out/energy.csv", "old");
  tables("energy");
  EXPECT_TRUE(text_of("out/energy.csv").starts_with("time [s],"));
  const std::string list = text_of("out/polhode-export.json");
  for (const char* part : {"\"polhode-export/1\"", "\"energy.csv\"", "\"joints.motor.csv\""})
    EXPECT_NE(list.find(part), std::string::npos) << list;
}

TEST_F(Export, ReplacesFilesOfOthersByForceAlone) {
  std::filesystem::create_directories(folder_.file("out"));
  write("out/energy.csv", "mine");
  const auto refused = [&] { return error_by<std::invalid_argument>([&] { tables("energy"); }); };
  EXPECT_EQ(refused(), folder_.file("out/energy.csv") +
                           ": is there already and was not written by polhode export; name another folder, or replace "
                           "it with --force");
  EXPECT_EQ(text_of("out/energy.csv"), "mine");
  EXPECT_FALSE(std::filesystem::exists(folder_.file("out/polhode-export.json")));
  tables("energy", true);
  EXPECT_EQ(refused(), "no error") << "its own now";
  write("out/polhode-export.json", "{\"files\": [\"energy.csv\"]}");
  EXPECT_EQ(refused(), folder_.file("out/polhode-export.json") +
                           ": is there already and is no list of exported files; name another folder, or replace it "
                           "with --force");
}

TEST_F(Export, WhatAKilledExportLeavesBehindIsReplaced) {
  tables("energy");
  write("out/polhode-export.json.polhode-part", "{\"format\"");
  write("out/energy.csv.polhode-part", "time [s],");
  tables("energy");
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder_.file("out"))) {
    EXPECT_FALSE(entry.path().string().ends_with(".polhode-part")) << entry.path();
    ++files;
  }
  EXPECT_EQ(files, 2u);
}

TEST_F(Export, TextsAreWrittenAtOnceAndNeedTheirFolder) {
  io::write_text(folder_.file("r.json"), "{}\n");
  io::write_text(folder_.file("r.json"), "{\"e\": 1}\n");
  EXPECT_EQ(text_of("r.json"), "{\"e\": 1}\n");
  const std::string file = folder_.file("none/r.json");
  EXPECT_EQ(error_by<io::FileError>([&] { io::write_text(file, "{}\n"); }),
            file + ": cannot be written: No such file or directory");
  EXPECT_EQ(error_by<io::FileError>([] { io::write_text("/dev/full", "{}\n"); }),
            "/dev/full: cannot be written: No space left on device");
}

TEST_F(Export, NeverReplacesWhatItReads) {
  std::filesystem::create_directories(folder_.file("out"));
  std::filesystem::create_symlink(file_, folder_.file("out/energy.csv"));
  EXPECT_NE(error_by<std::invalid_argument>([&] { tables("energy", true); }).find("is what this command reads"),
            std::string::npos);
}

// Also the one in the place of the list, whose content would be taken for that of an earlier export.
TEST_F(Export, LinksInThePlaceOfFilesAreReplacedByForceAndNeverFollowed) {
  namespace fs = std::filesystem;
  tables("energy");
  write("list.json", text_of("out/polhode-export.json"));
  write("vip.txt", "precious");
  const std::string kept = text_of("list.json");
  for (const auto& [name, target] :
       {std::pair("out/energy.csv", "../vip.txt"), std::pair("out/polhode-export.json", "../list.json"),
        std::pair("out/energy.csv", "../not_yet.txt"), std::pair("out/energy.csv", "/dev/null")}) {
    const std::string link = folder_.file(name);
    fs::remove(link);
    fs::create_symlink(target, link);
    EXPECT_EQ(error_by<std::invalid_argument>([&] { tables("energy"); }),
              link + ": is a link; name another folder, or replace it with --force");
    tables("energy", true);
    EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(link))) << link << " -> " << target;
    EXPECT_EQ(text_of("vip.txt"), "precious");
    EXPECT_EQ(text_of("list.json"), kept);
    EXPECT_FALSE(fs::exists(folder_.file("not_yet.txt")));
  }
}

TEST_F(Export, MatricesStandUnderTheirPaths) {
  add_matrix("/linear/analysis_0/state_space/A");
  matrices();
  matrices();
  EXPECT_TRUE(text_of("out/analysis_0/state_space/A.mtx").starts_with("%%MatrixMarket"));
}

TEST_F(Export, NamesThatLeadOutOfTheFolderAreRefusedWithTheirPath) {
  add_matrix("/linear/../../escaped");
  EXPECT_EQ(error_by<io::FileError>([&] { matrices(); }),
            file_ + ": \"/linear/../../escaped\": \"..\" cannot be the name of a file; nothing was written");
  EXPECT_FALSE(std::filesystem::exists(folder_.file("out")));
}

TEST_F(Export, LinksThatLeadOutOfTheFolderAreRefused) {
  add_matrix("/linear/analysis_0/A");
  std::filesystem::create_directories(folder_.file("out"));
  std::filesystem::create_directories(folder_.file("elsewhere"));
  std::filesystem::create_directory_symlink(folder_.file("elsewhere"), folder_.file("out/analysis_0"));
  EXPECT_NE(error_by<std::invalid_argument>([&] { matrices(); }).find("a link leads out of the folder"),
            std::string::npos);
  EXPECT_TRUE(std::filesystem::is_empty(folder_.file("elsewhere")));
}

TEST_F(Export, FilesAreKnownByTheirMarks) {
  using io::OwnFile;
  EXPECT_TRUE(io::may_be_replaced(file_, OwnFile::results));
  EXPECT_TRUE(io::may_be_replaced(folder_.file("run.xdmf"), OwnFile::picture));
  EXPECT_TRUE(io::may_be_replaced(folder_.file("none"), OwnFile::results));
  EXPECT_FALSE(io::may_be_replaced(folder_.file("run.xdmf"), OwnFile::results));
  EXPECT_FALSE(io::may_be_replaced(file_, OwnFile::picture));
  for (const auto& [text, own] :
       {std::pair("", true), std::pair("{\"e\": 1.5, \"f\": null}\n", true), std::pair("{\"e\": \"text\"}", false),
        std::pair("{\"e\": {\"f\": 1}}", false), std::pair("[1, 2]", false), std::pair("e: 1\n", false)}) {
    write("r.json", text);
    EXPECT_EQ(io::may_be_replaced(folder_.file("r.json"), OwnFile::responses), own) << text;
  }
}

TEST_F(Export, LogsAreKnownByTheTimeOfTheirFirstLine) {
  for (const auto& [text, own] :
       {std::pair("", true), std::pair("2026-11-22 21:13:49.268  log of polhode\n", true),
        std::pair("2026-11-22 21:13\n", false), std::pair("format: polhode-deck/1\n", false)}) {
    write("run.log", text);
    EXPECT_EQ(io::may_be_replaced(folder_.file("run.log"), io::OwnFile::log), own) << text;
  }
  EXPECT_FALSE(io::may_be_replaced(file_, io::OwnFile::log));
}

TEST_F(Export, PicturesOfVersionsWithoutAMarkAreKnown) {
  write("old.xdmf",
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Xdmf Version=\"3.0\"><Domain>\n"
        "<Grid Name=\"motion\" GridType=\"Collection\" CollectionType=\"Temporal\">\n</Grid>\n</Domain></Xdmf>\n");
  EXPECT_TRUE(io::may_be_replaced(folder_.file("old.xdmf"), io::OwnFile::picture));
}

}  // namespace
