// SPDX-License-Identifier: BSD-3-Clause
// Reading a results file: what is in it, its numbers and texts, a summary of it, and its histories as CSV.
#pragma once
#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

namespace polhode::io {

// One dataset of a file, without its values.
struct Dataset {
  // "/nodes/position"
  std::string path;
  // {} = scalar; the first axis of a history is time.
  std::vector<std::size_t> shape;
  // Attributes; "" where there is none.
  std::string units;
  std::string frame;
  std::string description;
  // Holds texts resp. numbers; neither where another program has put something else there.
  bool text = false;
  bool number = false;
  // Grows in time.
  bool history = false;
  // A part of a shared history that is read by the name of its entity: "/joints/pivot/force".
  bool is_part = false;
  // A shared history all of whose parts are listed.
  bool has_listed_parts = false;
};

// What an entity has of a shared history: the path by which it is read alone, and its places on the second axis.
struct NamedPart {
  std::string path;
  std::size_t first = 0;
  std::size_t count = 0;
};

// An open file of results, of a study's table or of observed orders. It may be written meanwhile: the reader knows what
// was in it when it was opened. All members throw FileError with the name of the file where something cannot be read,
// the constructor also where a link or a dataset leads to another file: this one alone is read.
class ResultsReader {
 public:
  explicit ResultsReader(const std::string& file);
  ~ResultsReader();
  ResultsReader(const ResultsReader&) = delete;
  ResultsReader& operator=(const ResultsReader&) = delete;

  const std::string& file() const;
  // Of the root; "" where there is none.
  std::string attribute(const std::string& name) const;
  // Sorted by path. Parts of shared histories are among them where their group is small (results::most_by_name); the
  // functions below know all of them.
  const std::vector<Dataset>& datasets() const;
  const Dataset& dataset(const std::string& path) const;
  bool has(const std::string& path) const;
  // They are none of the datasets, and read by RestartSource (restart_file.hpp).
  bool has_restart_points() const;
  // Of a shared history, in the order of its names; {} of all other datasets.
  std::vector<NamedPart> parts(const std::string& path) const;

  // All numbers of a dataset, last index fastest; integers are converted.
  std::vector<double> numbers(const std::string& path) const;
  // Those of some rows of the first axis, which must be there.
  std::vector<double> numbers(const std::string& path, std::size_t first_row, std::size_t rows) const;
  std::vector<std::string> texts(const std::string& path) const;
  // Of a scalar.
  std::string text(const std::string& path) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// By its first bytes. Throws FileError where the file cannot be read.
bool is_hdf5_file(const std::string& file);

// By its name (.h5, .hdf5), or by bytes that no text has: whatever is wrong with such a file, it is no deck. Throws
// FileError where it cannot be read.
bool looks_like_results(const std::string& file);

// Title, status, times, counts, and each dataset with shape, units and, for histories, its smallest and largest number.
void write_summary(const ResultsReader& results, std::ostream& out);

// Histories as CSV, one file a path, into `folder` (made where missing). A path is a dataset or a group, with or
// without the leading slash; none means all groups that hold histories. A group gives one table with the columns of its
// datasets. Time stands first; heads carry the names that responses use, and units: "nodes.tip.position.x [m]". Modes
// are in modal.csv and modal.shapes.csv (path: /modal). Returns the files written. Files that are there are replaced
// where polhode-export.json in the folder names them, which lists the files of all exports into it, or with `force`.
// Throws FileError, also for names that are none of a file; std::invalid_argument for a path that is not there or holds
// no history, and for files of others. Both come before anything is written.
std::vector<std::string> write_csv(const ResultsReader& results, const std::string& folder,
                                   const std::vector<std::string>& paths, bool force = false);

// The matrices and names of the linear models in the results, under the paths that they have in /linear: K.mtx,
// state_space/A.mtx, inputs.txt. Returns the files written, none of them outside of the folder; those that are there
// are replaced as by write_csv. Throws FileError; std::invalid_argument where there are none, and for files of others.
std::vector<std::string> write_matrix_market(const ResultsReader& results, const std::string& folder,
                                             bool force = false);

}  // namespace polhode::io
