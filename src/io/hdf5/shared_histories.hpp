// SPDX-License-Identifier: BSD-3-Clause
// Shared histories of a file (polhode-results/2): whose numbers stand where, checked when the file is opened.
//
// A shared history says with its attributes which datasets hold the names of its entities (`names`), their places on
// its second axis (`ranges`: first and number of each; `items`: one each, -1 = none; neither: in the order of the
// names), and units and frames where they differ (`units_by_name`, `frames_by_name`).
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "io/hdf5/checked_data.hpp"
#include "polhode/io/hdf5/results_reader.hpp"

namespace polhode::io::hdf5 {

// How the tables of a file are read; both throw ContentError.
struct TableReader {
  std::function<std::vector<std::string>(const std::string& path)> texts;
  std::function<std::vector<double>(const std::string& path)> numbers;
  // "" where there is no such attribute.
  std::function<std::string(const std::string& path, const char* attribute)> attribute;
};

// A part of a shared history.
struct FoundPart {
  const std::string* source;
  Places places;
  // Without the numbers: as if it were a dataset.
  Dataset dataset;
};

class SharedHistories {
 public:
  // Reads the tables of `dataset` where it is a shared history. Throws ContentError for tables that do not fit it, and
  // for names that cannot be part of a path.
  void add(const Dataset& dataset, const TableReader& file);

  // Nothing where the path is none of a part. Path: "/joints/pivot/force".
  std::optional<FoundPart> find(std::string_view path) const;
  // Of a shared history, in the order of the names; {} of others.
  std::vector<NamedPart> parts(const std::string& path) const;
  // Whether its entities are few enough to be listed.
  bool is_small(const std::string& path) const;

 private:
  struct Names {
    std::vector<std::string> list;
    std::unordered_map<std::string_view, std::size_t> index;
  };
  struct Shared {
    // "/joints/", "/force"
    std::string begin;
    std::string end;
    const Names* names;
    std::vector<Places> places;
    bool one_each = true;
    std::vector<std::string> units;
    std::vector<std::string> frames;
    Dataset dataset;
  };
  const Names& names_at(const std::string& path, const TableReader& file);
  static void read_places(Shared& shared, const TableReader& file);
  static std::string path_of(const Shared& shared, const std::string& name);

  // By path of the table; texts do not move.
  std::map<std::string, std::unique_ptr<Names>> names_;
  std::map<std::string, Shared> shared_;
};

}  // namespace polhode::io::hdf5
