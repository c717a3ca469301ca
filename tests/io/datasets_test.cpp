// SPDX-License-Identifier: BSD-3-Clause
// Files of datasets: handles that close, attributes, texts, tables of studies, and histories whose chunks fill up.
#include "io/hdf5/datasets.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "io/hdf5/histories.hpp"
#include "io/hdf5/table_writer.hpp"
#include "polhode/io/deck/deck.hpp"
#include "polhode/io/hdf5/results.hpp"
#include "polhode/io/hdf5/results_reader.hpp"
#include "polhode/io/hdf5/study_file.hpp"
#include "polhode/io/own_files.hpp"
#include "support/program.hpp"

namespace polhode::io {
namespace {

using hdf5::Handle;

int closed_handles = 0;
herr_t count_closing(hid_t) {
  ++closed_handles;
  return 0;
}

// An id that is none of HDF5's: only its closing is looked at.
constexpr hid_t some_id = 7;

TEST(Hdf5Handle, ClosesOnceWhoeverHoldsIt) {
  closed_handles = 0;
  {
    Handle first(some_id, count_closing);
    Handle second(std::move(first));
    EXPECT_EQ(first, H5I_INVALID_HID);
    EXPECT_EQ(second, some_id);
    Handle third;
    third = std::move(second);
    EXPECT_EQ(third, some_id);
    EXPECT_EQ(closed_handles, 0);
  }
  EXPECT_EQ(closed_handles, 1);
  Handle early(some_id, count_closing);
  early.reset();
  early.reset();
  EXPECT_EQ(closed_handles, 2);
}

TEST(Hdf5Handle, OfACallThatFailedIsAnErrorWithItsReason) {
  hdf5::silence();
  try {
    const Handle none(H5Fopen("/no/such/file.h5", H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
    ADD_FAILURE() << "no error";
  } catch (const hdf5::Error& error) {
    EXPECT_NE(std::string(error.what()).find("No such file"), std::string::npos) << error.what();
  }
}

// A file made by `fill`, as a reader of results sees it. It needs a format to be one.
template <class Fill>
std::string file_with(const test::TemporaryFolder& folder, const Fill& fill) {
  const std::string name = folder.file("made.h5");
  hdf5::TableWriter out(name);
  out.head("polhode-results/1", "A title");
  fill(out);
  out.close();
  return name;
}

TEST(TableWriter, GivesEachDatasetItsUnitAndDescription) {
  const test::TemporaryFolder folder;
  const ResultsReader reader(file_with(folder, [](hdf5::TableWriter& out) {
    out.attribute("method", "bdf \xE6\x91\x86");
    out.text("/a/text", "two\nlines", "a text");
    out.texts("/a/texts", {"x", "", "\xC3\xA4"}, "texts");
    out.numbers("/a/b/numbers", {1, 2, 3, 4, 5, 1.0 / 3}, {2, 3}, "m/s", "numbers");
    out.counts("/counts", {1, -(std::int64_t(1) << 53)}, "counts");
    out.numbers("/none", {}, {0}, "N", "no numbers");
  }));
  EXPECT_EQ(reader.attribute("title"), "A title");
  EXPECT_EQ(reader.attribute("method"), "bdf \xE6\x91\x86");
  EXPECT_EQ(reader.attribute("no such"), "");
  EXPECT_EQ(reader.text("/a/text"), "two\nlines");
  EXPECT_EQ(reader.texts("/a/texts"), (std::vector<std::string>{"x", "", "\xC3\xA4"}));
  EXPECT_EQ(reader.numbers("/a/b/numbers"), (std::vector<double>{1, 2, 3, 4, 5, 1.0 / 3}));
  EXPECT_EQ(reader.numbers("/a/b/numbers", 1, 1), (std::vector<double>{4, 5, 1.0 / 3}));
  EXPECT_EQ(reader.numbers("/counts")[1], -0x1p53);
  EXPECT_TRUE(reader.numbers("/none").empty());
  const Dataset& numbers = reader.dataset("/a/b/numbers");
  EXPECT_EQ(numbers.units + ", " + numbers.description, "m/s, numbers");
  EXPECT_EQ(numbers.shape, (std::vector<std::size_t>{2, 3}));
  EXPECT_FALSE(numbers.history) << "of a fixed size";
  EXPECT_EQ(reader.dataset("/counts").units, "1");
}

TEST(ResultsReader, NamesFileAndPathOfWhatIsNotThere) {
  const test::TemporaryFolder folder;
  const std::string name = file_with(folder, [](hdf5::TableWriter& out) {
    out.text("/text", "x", "a text");
    out.counts("/counts", {1}, "counts");
  });
  const ResultsReader reader(name);
  const auto error_of_call = [](const auto& call) -> std::string {
    try {
      call();
    } catch (const FileError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(error_of_call([&] { reader.numbers("/nothing"); }), name + ": holds no /nothing");
  EXPECT_EQ(error_of_call([&] { reader.numbers("/text"); }),
            name + R"(: "/text" holds text, not numbers; the file is damaged, or was not written by polhode)");
  EXPECT_EQ(error_of_call([&] { reader.texts("/counts"); }),
            name + R"(: "/counts" holds numbers, not text; the file is damaged, or was not written by polhode)");
  EXPECT_EQ(error_of_call([&] { reader.numbers("/counts", 0, 2); }),
            name + R"(: "/counts" has 1 rows; 2 are expected; the file is damaged, or was not written by polhode)");
}

TEST(ResultsReader, RefusesHdf5OfOtherPrograms) {
  const test::TemporaryFolder folder;
  const std::string name = folder.file("other.h5");
  {
    hdf5::TableWriter out(name);
    out.head("somebody-else/3", "");
    out.close();
  }
  EXPECT_THROW(ResultsReader{name}, FileError);
  EXPECT_TRUE(is_hdf5_file(name));
  EXPECT_FALSE(may_be_replaced(name, OwnFile::results));
}

TEST(Datasets, AListWithoutMembersIsStillAList) {
  const test::TemporaryFolder folder;
  const std::string name = folder.file("statics.h5");
  {
    const Handle file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
    hdf5::write_attribute(file, "format", "polhode-results/1");
    hdf5::make_static(file, {"/names", "names", {"b", "a"}, {}, {}, {}});
    hdf5::make_static(file, {"/indices", "indices", {}, {3, 1, 2, 0}, {}, {2, 2}});
    hdf5::make_static(file, {"/empty", "none", {}, {}, {}, {}, "", true});
    hdf5::make_static(file, {"/masses", "of bodies", {}, {}, {1, 2.5}, {}, "kg"});
    hdf5::make_text(file, "/log", "", "messages");
    hdf5::replace_text(file, "/log", std::string(5000, 'x'));
    hdf5::replace_text(file, "/log", "short");
  }
  const ResultsReader reader(name);
  EXPECT_EQ(reader.texts("/names"), (std::vector<std::string>{"b", "a"}));
  EXPECT_EQ(reader.numbers("/indices"), (std::vector<double>{3, 1, 2, 0}));
  EXPECT_EQ(reader.dataset("/indices").shape, (std::vector<std::size_t>{2, 2}));
  EXPECT_EQ(reader.dataset("/empty").shape, (std::vector<std::size_t>{0}));
  EXPECT_EQ(reader.dataset("/masses").units, "kg");
  EXPECT_EQ(reader.dataset("/indices").units, "1");
  EXPECT_EQ(reader.text("/log"), "short");
}

TEST(Datasets, TheTimeIsThatOfGreenwichInWholeSeconds) {
  const std::string now = hdf5::utc_now();
  ASSERT_EQ(now.size(), 20u) << now;
  for (const auto& [at, mark] : {std::pair(4, '-'), std::pair(7, '-'), std::pair(10, 'T'), std::pair(13, ':'),
                                 std::pair(16, ':'), std::pair(19, 'Z')})
    EXPECT_EQ(now[static_cast<std::size_t>(at)], mark) << now;
  EXPECT_LE(now, hdf5::utc_now());
}

// A channel of each sort in one row: a scalar, an integer, a vector wider than a chunk, and one without numbers.
std::vector<results::Channel> channels_of_each_sort() {
  std::vector<results::Channel> all(4);
  all[0] = {"/time", {}, "s", "", "times", 0};
  all[1] = {"/count", {}, "1", "", "counts", 1, true};
  all[2] = {"/wide", {5, 2000}, "m", "inertial", "wide", 2};
  all[3] = {"/none", {0, 3}, "m", "", "of no nodes", 10002};
  return all;
}

double cell_of(std::size_t row, std::size_t column) { return static_cast<double>(row * 100000 + column); }

TEST(Histories, HaveEachRowWhateverTheirChunksAndFlushes) {
  constexpr std::size_t width = 10002;
  const test::TemporaryFolder folder;
  const std::string name = folder.file("histories.h5");
  constexpr std::size_t rows = 7;
  {
    const Handle file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
    hdf5::write_attribute(file, "format", "polhode-results/1");
    Histories histories(file, channels_of_each_sort(), width, {rows});
    std::vector<double> row(width);
    EXPECT_THROW(histories.push(std::vector<double>(3)), std::invalid_argument);
    for (std::size_t n = 0; n < rows; ++n) {
      for (std::size_t k = 0; k < width; ++k) row[k] = cell_of(n, k);
      histories.push(row);
      EXPECT_EQ(histories.rows(), n + 1);
      if (n == 2 || n == 3) histories.write();  // chunks that are written in part, and again
    }
    EXPECT_FALSE(histories.must_be_flushed());
    histories.write();
    histories.write();
  }
  const ResultsReader reader(name);
  for (const char* path : {"/time", "/count", "/wide", "/none"}) {
    EXPECT_TRUE(reader.dataset(path).history) << path;
    EXPECT_EQ(reader.dataset(path).shape[0], rows) << path;
  }
  const std::vector<double> wide = reader.numbers("/wide");
  for (std::size_t n = 0; n < rows; ++n) {
    EXPECT_EQ(reader.numbers("/time")[n], cell_of(n, 0));
    EXPECT_EQ(reader.numbers("/count")[n], cell_of(n, 1));
    EXPECT_EQ(wide[n * 10000], cell_of(n, 2));
    EXPECT_EQ(wide[n * 10000 + 9999], cell_of(n, 10001));
  }
  EXPECT_EQ(reader.dataset("/wide").frame, "inertial");
}

TEST(Histories, AskForAFlushBeforeTheirIndexGrowsTooFar) {
  const test::TemporaryFolder folder;
  const Handle file(H5Fcreate(folder.file("x.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
  // A row fills a chunk.
  Histories histories(file, {{"/wide", {20000}, "m", "", "wide", 0}}, 20000, {});
  const std::vector<double> row(20000, 1.5);
  int pushed = 0;
  for (; !histories.must_be_flushed() && pushed < 100; ++pushed) histories.push(row);
  EXPECT_LE(pushed, 32);
  EXPECT_GT(pushed, 16);
  histories.write();
  EXPECT_FALSE(histories.must_be_flushed());
}

StudyTable two_rows_of_three() {
  StudyTable study;
  study.title = "A study";
  study.sampling = "zip";
  study.cases = 3;
  study.rows = 2;
  study.varied = {"b"};
  study.responses = {"peak"};
  const double nan = std::numeric_limits<double>::quiet_NaN();
  study.columns = {{"case", "1", "number", {}, {0, 2}, {}},
                   {"b", "", "value", {}, {}, {"lie, alpha", "x"}},
                   {"a", "m", "value", {0.1 + 0.2, nan}, {}, {}}};
  return study;
}

TEST(StudyFile, KeepsTheOrderOfItsColumnsAndSaysThatCasesAreMissing) {
  const test::TemporaryFolder folder;
  const std::string name = folder.file("study.h5");
  write_study(name, two_rows_of_three());
  EXPECT_FALSE(std::filesystem::exists(name + ".part"));
  const ResultsReader reader(name);
  EXPECT_EQ(reader.attribute("status"), "incomplete");
  EXPECT_EQ(reader.attribute("sampling"), "zip");
  EXPECT_EQ(reader.numbers("/cases").at(0), 3);
  EXPECT_EQ(reader.texts("/varied"), std::vector<std::string>{"b"});
  EXPECT_EQ(reader.texts("/table/b")[0], "lie, alpha");
  EXPECT_EQ(reader.numbers("/table/a")[0], 0.1 + 0.2);
  EXPECT_TRUE(std::isnan(reader.numbers("/table/a")[1]));
  const Handle file(H5Fopen(name.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  std::string order;
  for (hsize_t i = 0; i < 3; ++i) {
    char column[16] = "";
    H5Lget_name_by_idx(file, "/table", H5_INDEX_CRT_ORDER, H5_ITER_INC, i, column, sizeof column, H5P_DEFAULT);
    order += std::string(column) + " ";
  }
  EXPECT_EQ(order, "case b a ");
}

TEST(StudyFile, AsTextHasEmptyCellsForMissingNumbers) {
  const test::TemporaryFolder folder;
  write_study_csv(folder.file("new/study.csv"), two_rows_of_three());
  EXPECT_EQ(support::content_of(folder.file("new/study.csv")),
            "case,b,a [m]\n0,\"lie, alpha\",0.30000000000000004\n2,x,\n");
  EXPECT_TRUE(may_be_replaced(folder.file("new/study.csv"), OwnFile::table));
  EXPECT_FALSE(may_be_replaced(folder.file("new/study.csv"), OwnFile::responses));
}

TEST(StudyFile, ThatCannotBeWrittenIsNamedAndLeavesNothingHalfDone) {
  try {
    write_study("/proc/none/study.h5", two_rows_of_three());
    ADD_FAILURE() << "no error";
  } catch (const ResultsError& error) {
    EXPECT_TRUE(std::string(error.what()).starts_with("/proc/none/study.h5: cannot be written: ")) << error.what();
  }
  EXPECT_THROW(write_study_csv("/proc/none/study.csv", two_rows_of_three()), FileError);
}

}  // namespace
}  // namespace polhode::io
