// SPDX-License-Identifier: BSD-3-Clause
// The files of a study: the table, and beside it the rows that it is made of, one file a shard.
#pragma once
#include "polhode/io/hdf5/study_file.hpp"
#include "polhode/run/result.hpp"
#include "polhode/studies/cases.hpp"
#include "polhode/studies/rows.hpp"
#include "polhode/studies/shard.hpp"

namespace polhode::studies {

struct StudyFiles {
  explicit StudyFiles(std::string table_file) : table(std::move(table_file)) {}
  // The table itself: study.h5.
  std::string table;

  // The table as text: study.csv.
  std::string csv() const;
  // Study.rows, study.2of4.rows
  std::string rows(const Shard& shard) const;
  // Study.cases/17.h5
  std::string results(std::size_t number) const;
  // Study.cases
  std::string folder_of_results() const;
  // That are there, of all shards, sorted
  std::vector<std::string> all_rows() const;
};

// The rows of all cases that are known, by their numbers.
class DoneRows {
 public:
  explicit DoneRows(std::size_t cases) : index_(cases, none) {}
  bool has(std::size_t number) const { return index_[number] != none; }
  // The first one of a number counts
  void add(Row row);
  std::size_t size() const { return rows_.size(); }
  std::size_t cases() const { return index_.size(); }
  const Row& row(std::size_t number) const { return rows_[index_[number]]; }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  std::vector<std::size_t> index_;
  std::vector<Row> rows_;
};

io::StudyTable table_of(const io::Study& study, const Cases& cases, const std::vector<run::ResponseValue>& responses,
                        const DoneRows& rows);

// "0, 4, 8 to 11" of the cases without a row; not more than a line of them.
std::string missing_text(const DoneRows& rows);

}  // namespace polhode::studies
