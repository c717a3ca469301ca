// SPDX-License-Identifier: BSD-3-Clause
// Results with HDF5's plain file driver, which takes the place of polhode's own where that does not know the version of
// HDF5: the file is the same, and the program says what is lost. This program is linked with plain_file.cpp compiled
// without POLHODE_ORDERED_HDF5.
#include <gtest/gtest.h>

#include "../sample_results.hpp"
#include "polhode/io/hdf5/results.hpp"
#include "polhode/io/hdf5/results_reader.hpp"
#include "polhode/io/version.hpp"

using namespace polhode;

namespace {

TEST(PlainDriver, SaysWhatIsLost) {
  EXPECT_NE(io::hdf5_version().find("plain file driver: a run that is killed"), std::string::npos)
      << io::hdf5_version();
}

TEST(PlainDriver, WritesTheSameResults) {
  const test::TemporaryFolder folder;
  const results::Layout layout = test::make_layout(20);
  std::vector<double> state(layout.state_size);
  std::vector<double> step(layout.step_size);
  {
    io::ResultsFile file(folder.file("run.h5"), {"title", "deck", {{"peak", "N", "largest"}}}, layout);
    for (std::size_t row = 0; row < 3000; ++row) {
      test::fill_row(state, row);
      test::fill_row(step, row);
      file.append_state(state);
      file.append_step(step);
    }
    file.set_response("peak", 1.5);
    file.finish(io::Status::completed, "log");
  }
  const io::ResultsReader reader(folder.file("run.h5"));
  EXPECT_EQ(reader.attribute("status"), "completed");
  EXPECT_EQ(reader.text("/log"), "log");
  for (const results::Channel& channel : layout.states) {
    const std::vector<double> numbers = reader.numbers(channel.path);
    const std::size_t size = numbers.size() / 3000;
    ASSERT_EQ(numbers.size(), 3000 * size) << channel.path;
    for (std::size_t row = 0; row < 3000; ++row)
      for (std::size_t k = 0; k < size; ++k)
        ASSERT_EQ(numbers[row * size + k], test::sample(row, channel.offset + k)) << channel.path << " row " << row;
  }
}

TEST(PlainDriver, NamesTheFileOfAnError) {
  try {
    io::ResultsFile("/no/such/folder/run.h5", {"", "", {}}, test::make_layout());
    FAIL() << "no error";
  } catch (const io::ResultsError& error) {
    EXPECT_TRUE(std::string(error.what()).starts_with("/no/such/folder/run.h5: cannot be written: ")) << error.what();
  }
}

}  // namespace
