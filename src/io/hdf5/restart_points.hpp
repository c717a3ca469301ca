// SPDX-License-Identifier: BSD-3-Clause
// Restart points in a results file: /restart/points, numbers in blocks.
//
// A point begins with a block and takes as many as it needs. It has a head (restart_head.hpp) with a check sum over all
// of it: a block that begins with no head, and a point that was cut while it was written over another one, are passed
// over. Points go to the file with a flush, behind the rows that they count, so that they are never ahead of them.
#pragma once
#include <map>
#include <vector>

#include "io/hdf5/hdf5.hpp"
#include "polhode/io/hdf5/restart_file.hpp"

namespace polhode::io {

class RestartPointsWriter {
 public:
  // Makes the dataset, empty, with what the info says as its attributes. Throws hdf5::Error, as do all others.
  RestartPointsWriter(hid_t file, const RestartInfo& info);

  // Keeps a point for the next write().
  void keep(const RestartHead& head, const std::vector<double>& body);
  bool is_waiting() const { return !waiting_.empty(); }
  // So much waits that the file is to be flushed.
  bool must_be_flushed() const { return waiting_words_ > most_waiting_words; }
  // Writes what waits. `flush`: of the file, called between blocks.
  template <class Flush>
  void write(const Flush& flush) {
    for (Waiting& point : waiting_) write_point(point.place, point.words, flush);
    waiting_.clear();
    waiting_words_ = 0;
  }

 private:
  static constexpr std::size_t most_waiting_words = 1024 * 1024;
  struct Blocks {
    hsize_t first = 0;
    hsize_t count = 0;
  };
  struct Waiting {
    long place;
    std::vector<double> words;
  };

  template <class Flush>
  void write_point(long place, std::vector<double>& words, const Flush& flush) {
    const Blocks blocks = blocks_for(place, words);
    for (hsize_t i = 0; i < blocks.count; ++i) {
      write_block(blocks.first + i, words.data() + i * block_words_);
      if (new_blocks_ < most_new_blocks) continue;
      flush();
      new_blocks_ = 0;
    }
  }
  // Makes the words as many as the blocks have.
  Blocks blocks_for(long place, std::vector<double>& words);
  void write_block(hsize_t block, const double* words);

  // Between flushes (file_driver.hpp)
  static constexpr int most_new_blocks = 24;
  hdf5::Handle dataset_;
  hsize_t block_words_;
  bool keeps_all_;
  hsize_t blocks_ = 0;
  int new_blocks_ = 0;
  // By place, of which a point takes that of an older one
  std::map<long, Blocks> places_;
  // In the order in which they came
  std::vector<Waiting> waiting_;
  std::size_t waiting_words_ = 0;
};

// The place of a point in a file that keeps the last ones and some before: of points at the begin of an analysis one
// each. Of all others each second one, each second of the rest and so on have four places in turn, so that among n
// points back from the last one some are no further apart than about n/4.
long place_of(const RestartHead& head, bool keeps_all);

// Words of a block, a multiple of a page.
hsize_t words_of_block(double expected_words);

}  // namespace polhode::io
