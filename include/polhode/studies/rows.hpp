// SPDX-License-Identifier: BSD-3-Clause
// The rows of a study on disk: a text file beside the table, to which each case is added as soon as it is done. What a
// kill, a full disk or a loss of power leaves of the last line is found by its checksum and cut off.
#pragma once
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace polhode::studies {

// How a case ended, and what it gave.
struct Row {
  enum class Status { completed, failed, invalid, crashed, timed_out };
  std::size_t number = 0;
  Status status = Status::crashed;
  std::string message;
  long steps = 0;
  long newton_iterations = 0;
  // Processor time, s.
  double cpu = 0;
  // Not numbers where the case did not complete
  std::vector<double> responses;
};

const char* text_of(Row::Status status);

// One line with its end, checksum included; numbers to the last bit.
std::string line_of(const Row& row);
// Without its end; nothing where the line is damaged
std::optional<Row> row_of(std::string_view line);

using Identity = std::vector<std::pair<std::string, std::string>>;

// What differs between the study that rows were made by and the present one, one line each; empty if nothing does.
std::vector<std::string> differences(const Identity& before, const Identity& now);

struct ReadRows {
  Identity identity;
  std::vector<Row> rows;
  // Bytes up to the last good row; 0: not even the head is whole.
  std::size_t good = 0;
};
// Throws io::FileError
ReadRows read_rows(const std::string& file);

class RowsFile {
 public:
  enum class Opened { ready, in_use, changed };

  // Makes the file, or opens it, locks it and cuts off what is damaged at its end. Throws io::ResultsError.
  RowsFile(const std::string& file, const Identity& identity);
  ~RowsFile();
  RowsFile(const RowsFile&) = delete;
  RowsFile& operator=(const RowsFile&) = delete;

  Opened opened() const { return opened_; }
  const ReadRows& before() const { return before_; }  // what was there, also of another study
  long used_by() const { return used_by_; }           // the process, where the file is in use

  // Written at once, and synchronized with the disk about once a second. Throws io::ResultsError.
  void append(const Row& row);
  void synchronize();

 private:
  std::string file_;
  int descriptor_ = -1;
  Opened opened_ = Opened::ready;
  ReadRows before_;
  long used_by_ = 0;
  std::size_t size_ = 0;
  std::chrono::steady_clock::time_point synchronized_ = std::chrono::steady_clock::now();

  void write(const std::string& text);
};

}  // namespace polhode::studies
