// SPDX-License-Identifier: BSD-3-Clause
// The results file (HDF5): complete in structure before the first step, flushed at least once a second, readable after
// a kill.
#pragma once
#include <chrono>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "polhode/io/hdf5/restart_file.hpp"
#include "polhode/results/channel.hpp"

namespace polhode::io {

// Attribute `format` of the root. Files of version 1 had a dataset for each entity and quantity.
constexpr const char* results_format = "polhode-results/2";
constexpr const char* first_results_format = "polhode-results/1";

enum class Status { running, completed, failed, interrupted };

// A number that the run will give at its end; it stands in the file from the start, as NaN.
struct ResponseInfo {
  std::string name;
  std::string units;
  std::string description;
};

// What a file holds from the start, apart from the layout of its histories.
struct RunInfo {
  std::string title;
  std::string deck_text;
  std::vector<ResponseInfo> responses;
  // About as many; 0 if it is not known. Sets the size of the blocks that histories grow by.
  double expected_states = 0;
  double expected_steps = 0;
  // There will be so many at most, or hardly more: blocks are made for no others.
  bool states_are_known = false;
  bool steps_are_known = false;
  RestartInfo restart = {};
};

// How large the file becomes, bytes: its rows in whole chunks, data apart from histories, and what HDF5 adds to each
// dataset; of data that come later (modes, matrices) nothing. With the modes that a caller adds, 3 % below to 5 % above
// the file was measured, of 19 decks from 1 to 5000 states and from 1 to 20 000 entities; 17 % above with the modes of
// a `band`, and 28 % below with the states of a path of equilibria: nobody knows their number before.
double expected_bytes(const RunInfo& info, const results::Layout& layout, double states, double steps);

// Writing failed: no space, no permission, ... `what` names the file and the reason.
struct ResultsError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class ResultsFile {
 public:
  // Creates `file` with all groups, empty histories, attributes, statics, and `<file>.xdmf` beside it (same stem);
  // flushes. It is made as `<file>.polhode-part` and replaces an older file when it is complete in structure. Throws
  // ResultsError, as do all others.
  ResultsFile(const std::string& file, const RunInfo& info, const results::Layout& layout);
  // Flushes and closes; never throws.
  ~ResultsFile();
  ResultsFile(const ResultsFile&) = delete;
  ResultsFile& operator=(const ResultsFile&) = delete;

  // Appends one row (Layout::states resp. Layout::steps). Buffered: amortized cost of a copy; no allocation; written
  // and flushed when the buffer is full or one second has passed since the last flush.
  void append_state(std::span<const double> row);
  void append_step(std::span<const double> row);
  // Writes a dataset apart from histories, or writes it anew.
  void replace(const results::StaticData& data);
  // A restart point behind the rows so far; in the file with the next flush.
  void keep_point(const RestartHead& head, const std::vector<double>& body);
  // Of RunInfo::responses.
  void set_response(const std::string& name, double value);
  // Writes /log and the status, and flushes.
  void finish(Status status, const std::string& log);
  // All rows so far are in the file after it, and stay readable whatever happens to the program. Throws also where the
  // file was removed, moved or replaced by others meanwhile.
  void flush();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Throws as the constructor of ResultsFile does where the file or its picture cannot be made: a folder that is missing
// or may not be written, a directory or a device in its place, an ending that is the picture's, a file that another
// program is writing. Touches nothing.
void check_results_place(const std::string& file);

}  // namespace polhode::io
