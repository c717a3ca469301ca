// SPDX-License-Identifier: BSD-3-Clause
// Results that are damaged, or made to do harm: each is refused with the path inside of the file.
#include <gtest/gtest.h>
#include <hdf5.h>

#include <cmath>
#include <sstream>
#include <tuple>

#include "polhode/io/deck/deck.hpp"
#include "polhode/io/hdf5/results.hpp"
#include "polhode/io/hdf5/results_reader.hpp"
#include "sample_results.hpp"

using namespace polhode;

namespace {

const std::string origin = "; the file is damaged, or was not written by polhode";

// Results with one state, which a test then changes by HDF5's own means.
class ForeignFile : public testing::Test {
 protected:
  ForeignFile() : file_(folder_.file("run.h5")) {
    const results::Layout layout = test::make_layout();
    const std::vector<double> state(layout.state_size, 1);
    io::ResultsFile results(file_, {"A title", "deck", {}}, layout);
    results.append_state(state);
    results.finish(io::Status::completed, "log");
  }

  template <class Change>
  void change(const Change& change) const {
    const hid_t file = H5Fopen(file_.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    ASSERT_GE(file, 0);
    change(file);
    H5Fclose(file);
  }

  // A dataset whose groups are made; `limit` empty: of a fixed size. Without numbers nothing is written.
  static void add(hid_t file, const std::string& path, const std::vector<hsize_t>& shape,
                  const std::vector<double>& numbers = {}, bool grows = false) {
    const hid_t links = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(links, 1);
    const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
    const int rank = static_cast<int>(shape.size());
    std::vector<hsize_t> limit(shape);
    if (grows) {
      limit[0] = H5S_UNLIMITED;
      H5Pset_chunk(properties, rank, std::vector<hsize_t>(shape.size(), 1).data());
    }
    const hid_t space = shape.empty() ? H5Screate(H5S_SCALAR) : H5Screate_simple(rank, shape.data(), limit.data());
    const hid_t data = H5Dcreate2(file, path.c_str(), H5T_NATIVE_DOUBLE, space, links, properties, H5P_DEFAULT);
    ASSERT_GE(data, 0) << path;
    if (!numbers.empty()) {
      EXPECT_GE(H5Dwrite(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()), 0);
    }
    H5Dclose(data);
    H5Sclose(space);
    H5Pclose(properties);
    H5Pclose(links);
  }

  // Texts of a fixed length in the place of an attribute.
  static void set_attribute(hid_t file, const std::string& path, const char* name, hsize_t count,
                            const std::string& text) {
    const hid_t object = H5Oopen(file, path.c_str(), H5P_DEFAULT);
    if (H5Aexists(object, name) > 0) H5Adelete(object, name);
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, text.size());
    const hid_t space = count == 1 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &count, nullptr);
    const hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    std::string all;
    for (hsize_t i = 0; i < count; ++i) all += text;
    EXPECT_GE(H5Awrite(attribute, type, all.data()), 0);
    H5Aclose(attribute);
    H5Sclose(space);
    H5Tclose(type);
    H5Oclose(object);
  }

  template <class Action>
  std::string error_by(const Action& action) const {
    try {
      action(io::ResultsReader(file_));
    } catch (const io::FileError& error) {
      return error.what();
    }
    return "no error";
  }
  std::string error() const {
    return error_by([](const io::ResultsReader&) {});
  }
  std::string error_of_tables() const {
    return error_by([this](const io::ResultsReader& reader) { io::write_csv(reader, folder_.file("out"), {}); });
  }
  std::string error_of_matrices() const {
    return error_by([this](const io::ResultsReader& reader) { io::write_matrix_market(reader, folder_.file("out")); });
  }

  test::TemporaryFolder folder_;
  std::string file_;
};

TEST_F(ForeignFile, AnAttributeOfManyTextsIsRefused) {
  change([](hid_t file) { set_attribute(file, "/nodes/position", "units", 1000, "0123456789abcdef"); });
  EXPECT_EQ(error(), file_ + ": \"/nodes/position\": the attribute units is a list of 1000, not one text" + origin);
}

TEST_F(ForeignFile, AnAttributeOfTheRootIsCheckedLikeAllOthers) {
  change([](hid_t file) { set_attribute(file, "/", "title", 3, "abc"); });
  EXPECT_EQ(error_by([](const io::ResultsReader& reader) { reader.attribute("title"); }),
            file_ + ": \"/\": the attribute title is a list of 3, not one text" + origin);
}

TEST_F(ForeignFile, AnAttributeOfFixedLengthIsRead) {
  change([](hid_t file) { set_attribute(file, "/nodes/position", "units", 1, "mm"); });
  EXPECT_EQ(io::ResultsReader(file_).dataset("/nodes/position").units, "mm");
}

TEST_F(ForeignFile, RowsThatWereNeverWrittenAreNotRead) {
  change([](hid_t file) { add(file, "/nodes/more", {500'000'000}, {}, true); });
  EXPECT_EQ(
      error(),
      file_ + ": \"/nodes/more\" declares 500000000 items of 8 bytes, and the file stores 0 bytes of them" + origin);
}

TEST_F(ForeignFile, AShapeThatNoFileCanHoldIsRefused) {
  change([](hid_t file) { add(file, "/nodes/more", {0, 1 << 30}, {}, true); });
  EXPECT_EQ(error(), file_ + ": \"/nodes/more\" has the shape [0, 1073741824], which no file can hold" + origin);
}

TEST_F(ForeignFile, GroupsThatAreNestedTooDeepAreRefused) {
  change([](hid_t file) {
    std::string path;
    for (int level = 0; level < 400; ++level) path += "/g";
    add(file, path + "/data", {1}, {1});
  });
  const std::string said = error();
  EXPECT_NE(said.find("/g/g/g\": groups are nested more than 32 deep" + origin), std::string::npos) << said;
}

TEST_F(ForeignFile, LinksInCirclesEnd) {
  const std::size_t before = io::ResultsReader(file_).datasets().size();
  change([](hid_t file) { H5Lcreate_hard(file, "/", file, "/nodes/again", H5P_DEFAULT, H5P_DEFAULT); });
  EXPECT_EQ(error(), "no error");
  EXPECT_EQ(io::ResultsReader(file_).datasets().size(), before);
  EXPECT_TRUE(io::ResultsReader(file_).has("/time"));
}

TEST_F(ForeignFile, TimesThatAreNoListAreRefusedBeforeAnythingIsWritten) {
  change([](hid_t file) {
    H5Ldelete(file, "/time", H5P_DEFAULT);
    add(file, "/time", {}, {1});
  });
  EXPECT_EQ(error_of_tables(), file_ + ": \"/time\" is no list of times, one number a row" + origin);
  EXPECT_FALSE(std::filesystem::exists(folder_.file("out")));
  std::ostringstream summary;
  io::write_summary(io::ResultsReader(file_), summary);
  EXPECT_NE(summary.str().find("/time"), std::string::npos);
}

TEST_F(ForeignFile, TimesOfNoWidthAreRefused) {
  change([](hid_t file) { add(file, "/joints/motor/time", {2, 0}, {}, true); });
  EXPECT_EQ(error_of_tables(), file_ + ": \"/joints/motor/time\" is no list of times, one number a row" + origin);
}

TEST_F(ForeignFile, HistoriesOfNoWidthHaveNoColumns) {
  change([](hid_t file) { add(file, "/joints/motor/nothing", {1, 0}, {}, true); });
  EXPECT_EQ(error_of_tables(), "no error");
  EXPECT_EQ(io::ResultsReader(file_).numbers("/joints/motor/nothing").size(), 0u);
}

TEST_F(ForeignFile, RowsThatAreNotThereAreNotRead) {
  EXPECT_EQ(error_by([](const io::ResultsReader& reader) { reader.numbers("/time", 1, 3); }),
            file_ + ": \"/time\" has 1 rows; 4 are expected" + origin);
}

// Each part of a sparse matrix in turn is wrong: [[1, 2], [0, 3]].
TEST_F(ForeignFile, SparseMatricesAreCheckedBeforeTheyAreWritten) {
  const std::vector<std::pair<std::string, std::vector<double>>> good = {
      {"shape", {2, 2}}, {"indptr", {0, 2, 3}}, {"indices", {0, 1, 1}}, {"data", {1, 2, 3}}};
  const std::vector<std::tuple<std::string, std::vector<double>, std::string>> cases = {
      {"none", {}, "no error"},
      {"indptr", {0, 2, 4}, "indptr\" holds 4, which is no whole number from 0 to 3"},
      {"indptr", {0, -1, 3}, "indptr\" holds -1, which is no whole number from 0 to 3"},
      {"indptr", {0, std::nan(""), 3}, "indptr\" holds nan, which is no whole number from 0 to 3"},
      {"indptr", {0, 3, 2}, "indptr\" does not ascend"},
      {"indptr", {0, 1, 2}, "indptr\" does not go from 0 to the number of entries"},
      {"indptr", {0, 3}, "indptr\" has not one number a row and one more"},
      {"indices", {0, 1, 2}, "indices\" holds 2, which is no whole number from 0 to 1"},
      {"indices", {0, 1}, "indices\" has not one number an entry"},
      {"shape", {2}, "shape\" does not hold two numbers"},
      {"shape", {2, 1e300}, "shape\" holds 1e+300, which is no whole number from 0 to 1073741824"}};
  for (const auto& [part, numbers, message] : cases) {
    change([&, part = part, &numbers = numbers](hid_t file) {
      if (H5Lexists(file, "/linear", H5P_DEFAULT) > 0) H5Ldelete(file, "/linear", H5P_DEFAULT);
      for (const auto& [name, values] : good) {
        const std::vector<double>& chosen = name == part ? numbers : values;
        add(file, "/linear/analysis_0/K/" + name, {chosen.size()}, chosen);
      }
    });
    EXPECT_NE(error_of_matrices().find(message), std::string::npos) << error_of_matrices() << "\nand not\n" << message;
  }
}

TEST_F(ForeignFile, ASummaryDoesNotSteerTheTerminal) {
  change([](hid_t file) { set_attribute(file, "/", "title", 1, "\x1b[2Jgone\r"); });
  std::ostringstream summary;
  io::write_summary(io::ResultsReader(file_), summary);
  EXPECT_NE(summary.str().find("?[2Jgone?\n"), std::string::npos) << summary.str();
}

}  // namespace
