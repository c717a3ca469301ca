// SPDX-License-Identifier: BSD-3-Clause
// Shared histories in files: read by name in any number, by other programs in small groups, and checked when opened.
#include <gtest/gtest.h>
#include <hdf5.h>

#include <fstream>
#include <functional>
#include <iterator>
#include <sstream>

#include "io/hdf5/hdf5.hpp"
#include "io/hdf5/histories.hpp"
#include "polhode/io/deck/deck.hpp"
#include "polhode/io/hdf5/results.hpp"
#include "polhode/io/hdf5/results_reader.hpp"
#include "sample_results.hpp"

using namespace polhode;

namespace {

const std::string damage = "; the file is damaged, or was not written by polhode";
constexpr std::size_t rows = 5;

class SharedHistories : public testing::Test {
 protected:
  std::string file() const { return folder_.file("run.h5"); }

  // Results with some rows, of the sample's joints or of a layout.
  void write(const results::Layout& layout) const {
    std::vector<double> state(layout.state_size);
    io::ResultsFile results(file(), {"title", "deck", {}, rows}, layout);
    for (std::size_t row = 0; row < rows; ++row) {
      test::fill_row(state, row);
      results.append_state(state);
    }
    results.finish(io::Status::completed, "");
  }

  void change(const std::function<void(hid_t file)>& action) const {
    const hid_t opened = H5Fopen(file().c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    ASSERT_GE(opened, 0);
    action(opened);
    H5Fclose(opened);
  }

  std::string error() const {
    try {
      const io::ResultsReader reader(file());
    } catch (const io::FileError& failed) {
      return failed.what();
    }
    return "no error";
  }

  // Puts other numbers in the place of a table of integers.
  void write_over(const char* path, const std::vector<int>& numbers) const {
    change([&](hid_t opened) {
      const hid_t data = H5Dopen2(opened, path, H5P_DEFAULT);
      EXPECT_GE(H5Dwrite(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()), 0);
      H5Dclose(data);
    });
  }

  void write_over_names(std::vector<const char*> names) const {
    change([&](hid_t opened) {
      const hid_t data = H5Dopen2(opened, "/joints/names", H5P_DEFAULT);
      const hid_t type = H5Dget_type(data);
      EXPECT_GE(H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, names.data()), 0);
      H5Tclose(type);
      H5Dclose(data);
    });
  }

  test::TemporaryFolder folder_;
};

// What a joint has of a shared channel, by the layout that was written.
std::vector<double> expected(const results::Layout& layout, const results::Channel& channel, std::size_t part) {
  (void)layout;
  const results::Part& of_joint = channel.parts[part];
  std::vector<double> numbers;
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t k = 0; k < results::numbers_of(results::shape_of(channel, of_joint)); ++k)
      numbers.push_back(test::sample(row, results::offset_of(channel, of_joint) + k));
  return numbers;
}

TEST_F(SharedHistories, AreReadByNameInAnyNumber) {
  for (const int joints : {3, 256, 257}) {
    const results::Layout layout = test::make_shared_layout(joints);
    write(layout);
    const io::ResultsReader reader(file());
    for (const results::Channel& channel : layout.states) {
      if (channel.group.empty()) continue;
      EXPECT_EQ(reader.numbers(channel.path).size(), rows * results::numbers_of(channel.shape));
      EXPECT_EQ(reader.parts(channel.path).size(), static_cast<std::size_t>(joints));
      EXPECT_EQ(reader.dataset(channel.path).has_listed_parts, joints <= 256);
      for (const std::size_t k : {std::size_t{0}, std::size_t{1}, static_cast<std::size_t>(joints) - 1}) {
        const std::string path = results::path_of(channel, "j" + std::to_string(k));
        ASSERT_TRUE(reader.has(path)) << path;
        EXPECT_EQ(reader.numbers(path), expected(layout, channel, k)) << path;
        EXPECT_TRUE(reader.dataset(path).is_part);
        EXPECT_TRUE(reader.dataset(path).history);
      }
    }
    EXPECT_EQ(reader.dataset("/joints/j1/force").shape, (std::vector<std::size_t>{rows, 3}));
    EXPECT_EQ(reader.dataset("/joints/j1/multipliers").shape, (std::vector<std::size_t>{rows, 2}));
    EXPECT_EQ(reader.dataset("/joints/j1/multipliers").units, "N m");
    EXPECT_EQ(reader.dataset("/joints/j0/multipliers").units, "N");
    EXPECT_EQ(reader.numbers("/joints/j1/force", 2, 1).at(0), test::sample(2, 1 + 3));
    EXPECT_FALSE(reader.has("/joints/none/force"));
    EXPECT_THROW(reader.numbers("/joints/j1/moment"), io::FileError);
  }
}

// As any HDF5 program sees them.
TEST_F(SharedHistories, HaveWindowsByNameInSmallGroupsAlone) {
  for (const int joints : {2, 257}) {
    const results::Layout layout = test::make_shared_layout(joints);
    write(layout);
    const io::hdf5::Handle opened(H5Fopen(file().c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
    EXPECT_EQ(H5Lexists(opened, "/joints/j1", H5P_DEFAULT) > 0, joints == 2);
    if (joints > 2) continue;
    const io::hdf5::Handle data(H5Dopen2(opened, "/joints/j1/force", H5P_DEFAULT), H5Dclose);
    const io::hdf5::Handle space(H5Dget_space(data), H5Sclose);
    hsize_t shape[2] = {};
    hsize_t limit[2] = {};
    ASSERT_EQ(H5Sget_simple_extent_dims(space, shape, limit), 2);
    EXPECT_EQ(shape[0], rows) << "as long as the history";
    EXPECT_EQ(shape[1], 3u);
    EXPECT_EQ(limit[0], H5S_UNLIMITED);
    std::vector<double> numbers(3 * rows);
    ASSERT_GE(H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()), 0);
    EXPECT_EQ(numbers, expected(layout, layout.states[1], 1));
  }
}

TEST_F(SharedHistories, GrowWithTheirWindowsWhileTheRunGoesOn) {
  const results::Layout layout = test::make_shared_layout(2);
  std::vector<double> state(layout.state_size);
  io::ResultsFile results(file(), {"title", "deck", {}}, layout);
  for (const std::size_t known : {std::size_t{1}, std::size_t{4}}) {
    for (std::size_t row = known == 1 ? 0 : 1; row < known; ++row) {
      test::fill_row(state, row);
      results.append_state(state);
    }
    results.flush();
    std::ifstream from(file(), std::ios::binary);
    std::ofstream(folder_.file("copy.h5"), std::ios::binary) << from.rdbuf();
    EXPECT_EQ(io::ResultsReader(folder_.file("copy.h5")).dataset("/joints/j1/force").shape[0], known);
    const io::hdf5::Handle opened(H5Fopen(folder_.file("copy.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
    const io::hdf5::Handle data(H5Dopen2(opened, "/joints/j1/force", H5P_DEFAULT), H5Dclose);
    const io::hdf5::Handle space(H5Dget_space(data), H5Sclose);
    hsize_t shape[2] = {};
    H5Sget_simple_extent_dims(space, shape, nullptr);
    EXPECT_EQ(shape[0], known);
  }
}

TEST_F(SharedHistories, OfAnEntityCalledAsADatasetAreReadAllTheSame) {
  results::Layout layout = test::make_shared_layout(3);
  layout.statics[0].names[1] = "force";
  write(layout);
  const io::ResultsReader reader(file());
  EXPECT_EQ(reader.numbers("/joints/force/force"), expected(layout, layout.states[1], 1));
  EXPECT_EQ(reader.dataset("/joints/force").shape, (std::vector<std::size_t>{rows, 3, 3}));
}

TEST_F(SharedHistories, AreExportedByName) {
  const auto first_line = [&](const std::string& name) {
    std::ifstream stream(folder_.file("csv/" + name));
    std::string line;
    std::getline(stream, line);
    return line;
  };
  write(test::make_shared_layout(2));
  EXPECT_EQ(io::write_csv(io::ResultsReader(file()), folder_.file("csv"), {}).size(), 2u) << "a table a joint";
  EXPECT_EQ(first_line("joints.j1.csv"),
            "time [s],joints.j1.force.x [N],joints.j1.force.y [N],joints.j1.force.z [N],"
            "joints.j1.multipliers[0] [N m],joints.j1.multipliers[1] [N m]");
  const std::string alone = first_line("joints.j1.csv");
  write(test::make_shared_layout(300));
  const io::ResultsReader reader(file());
  EXPECT_EQ(io::write_csv(reader, folder_.file("csv"), {}).size(), 1u) << "one table of all joints";
  EXPECT_NE(first_line("joints.csv").find(",joints.j299.force.z [N],"), std::string::npos);
  io::write_csv(reader, folder_.file("csv"), {"joints/j1", "/joints/j1/force"});
  EXPECT_EQ(first_line("joints.j1.csv"), alone) << "of a joint that is asked for";
  EXPECT_EQ(first_line("joints.j1.force.csv").substr(0, 40), alone.substr(0, 40));
  EXPECT_THROW(io::write_csv(reader, folder_.file("csv"), {"joints/j300"}), std::invalid_argument);
}

TEST_F(SharedHistories, AreNamedInTheSummary) {
  write(test::make_shared_layout(300));
  std::ostringstream out;
  io::write_summary(io::ResultsReader(file()), out);
  EXPECT_NE(out.str().find("joints     300: j0 j1 j2"), std::string::npos);
  EXPECT_EQ(out.str().find("/joints/j1/"), std::string::npos) << "a line a joint";
}

TEST_F(SharedHistories, WithWrongTablesAreRefused) {
  const results::Layout layout = test::make_shared_layout(3);
  const auto wrong = [&](const char* table, const char* history) {
    return file() + ": \"" + table + "\" does not hold the places of \"" + history + '"' + damage;
  };
  for (const std::vector<int>& places :
       {std::vector<int>{0, 1, 1, 2, 3, 4}, std::vector<int>{0, 1, -1, 2, 3, 3}, std::vector<int>{0, 1, 1, -2, 3, 3},
        std::vector<int>{0, 1, 2000000000, 2000000000, 3, 3}}) {
    write(layout);
    write_over("/joints/rows", places);
    EXPECT_EQ(error(), wrong("/joints/rows", "/joints/multipliers"));
  }
  write(layout);
  write_over("/joints/rows", {0, 1, 0, 0, 0, 6});
  EXPECT_EQ(error(), "no error") << "parts may overlap, and be empty";
  EXPECT_FALSE(io::ResultsReader(file()).has("/joints/j1/multipliers"));
}

TEST_F(SharedHistories, WithNamesThatCannotBePartsOfPathsAreRefused) {
  const results::Layout layout = test::make_shared_layout(3);
  for (const char* name : {"", ".", "a/b"}) {
    write(layout);
    write_over_names({"j0", name, "j2"});
    EXPECT_EQ(error(), file() + ": \"/joints/names\" holds \"" + name + "\", which cannot be a name" + damage);
  }
  write(layout);
  write_over_names({"j0", "j2", "j2"});
  EXPECT_EQ(error(), file() + ": \"/joints/names\" holds \"j2\" twice" + damage);
  write(layout);
  change([](hid_t opened) { H5Ldelete(opened, "/joints/names", H5P_DEFAULT); });
  EXPECT_EQ(error(), file() + ": \"/joints/names\" is named by another dataset, and not there" + damage);
}

TEST_F(SharedHistories, AreNeverThoseOfAnotherFile) {
  write(test::make_shared_layout(2));
  change([](hid_t opened) {
    const hsize_t size = 2;
    const hid_t space = H5Screate_simple(1, &size, nullptr);
    const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_virtual(properties, space, "other.h5", "/time", space);
    const hid_t data = H5Dcreate2(opened, "/stolen", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, properties, H5P_DEFAULT);
    EXPECT_GE(data, 0);
    H5Dclose(data);
    H5Pclose(properties);
    H5Sclose(space);
  });
  EXPECT_EQ(error(), file() +
                         ": \"/stolen\" is a dataset whose numbers are in another file; polhode reads one file "
                         "alone, copy the data into it");
}

// A file of version 1 has a dataset for each joint and quantity, and none that is shared.
TEST_F(SharedHistories, AreNotNeededInFilesOfVersionOne) {
  {
    const io::hdf5::Handle made(H5Fcreate(file().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
    io::hdf5::write_attribute(made, "format", io::first_results_format);
    io::Histories histories(made,
                            {{"/time", {}, "s", "", "times", 0},
                             {"/joints/pivot/force", {3}, "N", "inertial", "reaction", 1},
                             {"/joints/pivot/coordinates", {1}, "rad", "", "angle", 4}},
                            5, {rows, true});
    for (std::size_t row = 0; row < rows; ++row) {
      std::vector<double> state(5);
      test::fill_row(state, row);
      histories.push(state);
    }
    histories.write();
  }
  const io::ResultsReader reader(file());
  EXPECT_EQ(reader.numbers("/joints/pivot/force", 3, 1), (std::vector<double>{3001, 3002, 3003}));
  EXPECT_TRUE(reader.parts("/joints/pivot/force").empty());
  std::ostringstream out;
  io::write_summary(reader, out);
  EXPECT_NE(out.str().find("joints     1: pivot\n"), std::string::npos);
  const auto files = io::write_csv(reader, folder_.file("csv"), {});
  ASSERT_EQ(files.size(), 1u);
  EXPECT_TRUE(files[0].ends_with("joints.pivot.csv"));
}

TEST_F(SharedHistories, TakeLittleMoreThanTheirNumbers) {
  const auto size_of = [&](int joints, bool known) {
    const results::Layout layout = test::make_shared_layout(joints);
    const std::vector<double> state(layout.state_size, 1.5);
    io::RunInfo info{"title", "deck", {}, 12};
    info.states_are_known = known;
    {
      io::ResultsFile results(file(), info, layout);
      for (int row = 0; row < 12; ++row) results.append_state(state);
      results.finish(io::Status::completed, "");
    }
    return static_cast<double>(std::filesystem::file_size(file()));
  };
  const double numbers = 8 * 12 * (3000 * 3 + 6000);
  EXPECT_LT(size_of(3000, true), 1.5 * numbers);
  EXPECT_LT(size_of(1, true), 60'000);
  EXPECT_LT(size_of(1, true), size_of(1, false));
  EXPECT_LT(size_of(256, true), 3 * numbers * 256 / 3000 + 256 * 4000);
}

}  // namespace
