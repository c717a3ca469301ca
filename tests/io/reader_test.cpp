// SPDX-License-Identifier: BSD-3-Clause
// Reading results: the summary, tables as CSV, and what is said of files that are no results.
#include <gtest/gtest.h>
#include <hdf5.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "polhode/io/deck/deck.hpp"
#include "polhode/io/hdf5/results.hpp"
#include "polhode/io/hdf5/results_reader.hpp"
#include "sample_results.hpp"

using namespace polhode;

namespace {

class Reader : public testing::Test {
 protected:
  Reader() : file_(folder_.file("run.h5")) {
    const results::Layout layout = test::make_layout();
    std::vector<double> state(layout.state_size);
    std::vector<double> step(layout.step_size);
    io::ResultsFile results(file_, {"A title", "deck", {{"peak", "N", "largest"}}}, layout);
    for (std::size_t row = 0; row < 4; ++row) {
      test::fill_row(state, row);
      test::fill_row(step, row);
      results.append_state(state);
      results.append_step(step);
      results.append_step(step);
    }
    results.set_response("peak", 2.5);
    results.finish(io::Status::completed, "log");
  }

  std::vector<std::string> lines_of(const std::string& name) const {
    std::ifstream stream(name);
    std::vector<std::string> lines;
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
  }

  test::TemporaryFolder folder_;
  std::string file_;
};

std::string error_of(const std::string& file) {
  try {
    const io::ResultsReader reader(file);
  } catch (const io::FileError& error) {
    return error.what();
  }
  return "no error";
}

TEST_F(Reader, SummaryNamesWhatIsThere) {
  std::ostringstream out;
  io::write_summary(io::ResultsReader(file_), out);
  const std::string text = out.str();
  for (const char* part :
       {"A title", "completed", "states     4, time 1 to 3001 s", "steps      8", "nodes      3: tip\n",
        "joints     1: motor", "beams      1: arm", "/nodes/position", "[4, 3, 3]", "m/s", "0 ... 3000", "2.5"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\nnot in\n" << text;
}

TEST_F(Reader, OneTableAPathWithTimeFirstAndUnitsInTheHeads) {
  const io::ResultsReader reader(file_);
  const std::vector<std::string> files =
      io::write_csv(reader, folder_.file("csv"), {"/nodes/position", "joints/motor", "solver", "beams/arm/forces"});
  ASSERT_EQ(files.size(), 4u);
  EXPECT_EQ(files[0], folder_.file("csv/nodes.position.csv"));
  EXPECT_EQ(files[1], folder_.file("csv/joints.motor.csv"));
  const std::vector<std::string> nodes = lines_of(files[0]);
  ASSERT_EQ(nodes.size(), 5u);
  EXPECT_TRUE(nodes[0].starts_with("time [s],nodes.tip.position.x [m],nodes.tip.position.y [m],")) << nodes[0];
  EXPECT_TRUE(nodes[0].ends_with(",nodes.arm.2.position.z [m]")) << nodes[0];
  EXPECT_EQ(nodes[2], "1001,1003,1004,1005,1006,1007,1008,1009,1010,1011");
  EXPECT_EQ(lines_of(files[1])[0],
            "time [s],joints.motor.coordinates[0] [rad],joints.motor.force.x [N],joints.motor.force.y "
            "[N],joints.motor.force.z [N]");
  EXPECT_EQ(lines_of(files[2])[0], "solver.time [s],solver.newton_iterations [1]");
  EXPECT_EQ(lines_of(files[2]).size(), 9u);
  EXPECT_TRUE(lines_of(files[3])[0].starts_with("time [s],\"beams.arm.forces[0][0] [N, N m]\","));
}

TEST_F(Reader, NumbersInTablesLoseNoBit) {
  const results::Layout layout = test::make_layout();
  std::vector<double> row(layout.state_size, 0.1 + 0.2);
  {
    io::ResultsFile results(folder_.file("bits.h5"), {"", "", {}}, layout);
    results.append_state(row);
  }
  const auto files = io::write_csv(io::ResultsReader(folder_.file("bits.h5")), folder_.file("csv"), {"/energy/total"});
  const std::string line = lines_of(files[0]).at(1);
  EXPECT_EQ(std::stod(line.substr(line.find(',') + 1)), 0.1 + 0.2);
}

TEST_F(Reader, AllGroupsAreExportedWhenNoneIsNamed) {
  EXPECT_EQ(io::write_csv(io::ResultsReader(file_), folder_.file("csv"), {}).size(), 5u);
}

TEST_F(Reader, UnknownPathsAreNamedAndNothingIsWritten) {
  const io::ResultsReader reader(file_);
  const auto message = [&](const std::string& path) -> std::string {
    try {
      io::write_csv(reader, folder_.file("csv"), {"/energy/total", path});
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(message("/joints/moter"),
            file_ + ": /joints/moter is no history and no group of histories; did you mean /joints/motor?");
  EXPECT_TRUE(message("/deck").starts_with(file_ + ": /deck is no history"));
  EXPECT_FALSE(std::filesystem::exists(folder_.file("csv")));
}

TEST_F(Reader, SaysWhyAFileCannotBeRead) {
  EXPECT_EQ(error_of("/no/such.h5"), "/no/such.h5: cannot be read: No such file or directory");
  std::ofstream(folder_.file("text.h5")) << "format: polhode-deck/1\n";
  EXPECT_EQ(error_of(folder_.file("text.h5")), folder_.file("text.h5") +
                                                   ": is no results file (HDF5): it does not begin with the signature "
                                                   "of one; it is damaged, or something else");
  std::filesystem::resize_file(file_, 1000);
  testing::internal::CaptureStderr();
  EXPECT_TRUE(error_of(file_).starts_with(file_ + ": cannot be read: ")) << error_of(file_);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

// What a file with this change is refused for.
template <class Change>
std::string error_after(const std::string& name, const Change& change) {
  const hid_t file = H5Fopen(name.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  EXPECT_GE(file, 0);
  change(file);
  H5Fclose(file);
  return error_of(name);
}

TEST_F(Reader, ReadsNoFileBehindALink) {
  EXPECT_EQ(error_after(file_,
                        [](hid_t file) {
                          H5Lcreate_external("/etc/other.h5", "/numbers", file, "/nodes/more", H5P_DEFAULT,
                                             H5P_DEFAULT);
                        }),
            file_ +
                ": \"/nodes/more\" is a link to something in another file; polhode reads one file alone, copy the "
                "data into it");
}

TEST_F(Reader, FollowsNoLinkInsideOfTheFile) {
  EXPECT_EQ(
      error_after(
          file_, [](hid_t file) { H5Lcreate_soft("/nodes/position", file, "/nodes/place", H5P_DEFAULT, H5P_DEFAULT); }),
      "no error");
  EXPECT_FALSE(io::ResultsReader(file_).has("/nodes/place"));
}

TEST_F(Reader, ReadsNoNumbersOutOfOtherFiles) {
  const std::string other = folder_.file("secret.txt");
  std::ofstream(other) << "root:x:0:0:0123456789";
  EXPECT_EQ(error_after(file_,
                        [&](hid_t file) {
                          const hsize_t size[] = {8};
                          const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
                          H5Pset_external(properties, other.c_str(), 0, 8);
                          const hid_t space = H5Screate_simple(1, size, nullptr);
                          const hid_t data = H5Dcreate2(file, "/nodes/extra", H5T_NATIVE_UINT8, space, H5P_DEFAULT,
                                                        properties, H5P_DEFAULT);
                          EXPECT_GE(data, 0);
                          H5Dclose(data);
                          H5Sclose(space);
                          H5Pclose(properties);
                        }),
            file_ +
                ": \"/nodes/extra\" is a dataset whose numbers are in another file; polhode reads one file alone, "
                "copy the data into it");
}

TEST_F(Reader, ReadsNoVirtualDatasets) {
  const std::string error = error_after(file_, [&](hid_t file) {
    const hsize_t size[] = {8};
    const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
    const hid_t space = H5Screate_simple(1, size, nullptr);
    H5Pset_virtual(properties, space, "/etc/other.h5", "/numbers", space);
    const hid_t data = H5Dcreate2(file, "/nodes/extra", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, properties, H5P_DEFAULT);
    EXPECT_GE(data, 0);
    H5Dclose(data);
    H5Sclose(space);
    H5Pclose(properties);
  });
  EXPECT_NE(error.find("\"/nodes/extra\" is a dataset whose numbers are in another file"), std::string::npos) << error;
}

}  // namespace
