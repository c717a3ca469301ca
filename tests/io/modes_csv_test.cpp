// SPDX-License-Identifier: BSD-3-Clause
// Laws of the tables of modes: a line a mode, and a line for each mode and node.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "polhode/io/deck/deck.hpp"
#include "polhode/io/hdf5/results.hpp"
#include "polhode/io/hdf5/results_reader.hpp"
#include "sample_results.hpp"

using namespace polhode;

namespace {

class ModesCsv : public testing::Test {
 protected:
  // Two modes of three nodes, the second with an imaginary part of its last rotation; `shape_nodes`: of the shapes.
  std::string write_results(double imaginary, int shape_nodes = 3) const {
    results::Layout layout = test::make_layout();
    results::StaticData shapes{"/modal/shapes", "shapes", {}, {}, {}, {2, shape_nodes, 6, 2}, "m, rad"};
    for (int k = 0; k < 2 * shape_nodes * 6; ++k) shapes.numbers.insert(shapes.numbers.end(), {0.5 * k, 0});
    shapes.numbers.back() = imaginary;
    const std::vector<results::StaticData> modal = {
        {"/modal/analysis", "analysis", {}, {0, 2}, {}, {2}, "1"},
        {"/modal/damping", "damping", {}, {}, {0, 0.25}, {2}, "1"},
        {"/modal/eigenvalues", "eigenvalues", {}, {}, {0, 6, -1, 4}, {2, 2}, "rad/s"},
        {"/modal/frequencies", "frequencies", {}, {}, {1, 0.5}, {2}, "Hz"},
        {"/modal/number", "number", {}, {1, 7}, {}, {2}, "1"},
        {"/modal/text", "motion", {"tip, along x", "arm.1 turns"}, {}, {}, {2}, "1"},
        shapes};
    layout.statics.insert(layout.statics.end(), modal.begin(), modal.end());
    const std::string file = folder_.file("run.h5");
    io::ResultsFile results(file, {"A title", "deck", {}}, layout);
    results.append_state(std::vector<double>(layout.state_size, 1));
    results.finish(io::Status::completed, "log");
    return file;
  }

  std::vector<std::string> export_paths(const std::string& file, const std::vector<std::string>& paths) const {
    std::vector<std::string> names = io::write_csv(io::ResultsReader(file), folder_.file("out"), paths);
    for (std::string& name : names) name = std::filesystem::path(name).filename();
    return names;
  }

  std::vector<std::string> lines_of(const std::string& name) const {
    std::ifstream stream(folder_.file("out/" + name));
    std::vector<std::string> lines;
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
  }

  test::TemporaryFolder folder_;
};

TEST_F(ModesCsv, HaveALineAModeAndALineForEachModeAndNode) {
  const std::vector<std::string> files = {"modal.csv", "modal.shapes.csv"};
  EXPECT_EQ(export_paths(write_results(0), {"/modal"}), files);
  const std::vector<std::string> modes = {
      "analysis,mode,frequency [Hz],damping ratio [1],eigenvalue.real [rad/s],eigenvalue.imaginary [rad/s],motion",
      "0,1,1,0,0,6,\"tip, along x\"", "2,7,0.5,0.25,-1,4,arm.1 turns"};
  EXPECT_EQ(lines_of("modal.csv"), modes);
  const std::vector<std::string> shapes = lines_of("modal.shapes.csv");
  ASSERT_EQ(shapes.size(), 7u);
  EXPECT_EQ(shapes[0],
            "analysis,mode,node,translation.x.real [m],translation.y.real [m],translation.z.real [m],"
            "rotation.x.real [rad],rotation.y.real [rad],rotation.z.real [rad]");
  EXPECT_EQ(shapes[1], "0,1,tip,0,0.5,1,1.5,2,2.5");
  EXPECT_EQ(shapes[6], "2,7,arm.2,15,15.5,16,16.5,17,17.5");
}

TEST_F(ModesCsv, HaveColumnsOfImaginaryPartsWhereAnyModeHasOne) {
  export_paths(write_results(-3), {"modal"});
  const std::vector<std::string> shapes = lines_of("modal.shapes.csv");
  EXPECT_TRUE(
      shapes[0].ends_with("rotation.z.real [rad],translation.x.imaginary [m],translation.y.imaginary [m],"
                          "translation.z.imaginary [m],rotation.x.imaginary [rad],rotation.y.imaginary [rad],"
                          "rotation.z.imaginary [rad]"));
  EXPECT_EQ(shapes[1], "0,1,tip,0,0.5,1,1.5,2,2.5,0,0,0,0,0,0");
  EXPECT_EQ(shapes[6], "2,7,arm.2,15,15.5,16,16.5,17,17.5,0,0,0,0,0,-3");
}

TEST_F(ModesCsv, AreAmongTheTablesWithoutPathsAndAloneByTheirOwn) {
  const std::string file = write_results(0);
  const std::vector<std::string> all = export_paths(file, {});
  EXPECT_EQ(std::count(all.begin(), all.end(), "modal.csv"), 1);
  EXPECT_EQ(std::count(all.begin(), all.end(), "modal.shapes.csv"), 1);
  EXPECT_EQ(export_paths(file, {"energy"}), std::vector<std::string>{"energy.csv"});
}

TEST_F(ModesCsv, WithShapesOfOtherNodesTheFileIsDamaged) {
  const std::string file = write_results(0, 2);
  EXPECT_THROW(export_paths(file, {"modal"}), io::FileError);
}

}  // namespace
