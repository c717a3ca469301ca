// SPDX-License-Identifier: BSD-3-Clause
// All that is wrong with a deck, collected while reading and printed in the order of the file.
#pragma once
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "document.hpp"

namespace polhode::io {

// A problem with its place in the file.
struct Finding : model::Problem {
  Place place;
  bool unknown_key = false;  // the key is none that its table has
};

class Findings {
 public:
  // `whole` is what messages call the empty path: "deck", "study".
  explicit Findings(std::string whole = "deck") : whole_(std::move(whole)) {}

  // Names of included files, in the order of Place::file.
  void set_files(std::vector<std::string> files) { files_ = std::move(files); }
  // As messages name a place other than their own: "line 12", "line 12 of legs.yaml", "--set".
  std::string place_text(Place place) const;

  void add(const Item& at, const std::string& path, std::string message);
  void add(Place at, const std::string& path, std::string message);
  // What is found later at this place follows from this, and is not reported.
  void add_cause(const Item& at, const std::string& path, std::string message);
  void add_unknown_key(const Item& at, const std::string& path, std::string message);
  bool empty() const { return found_.empty(); }
  std::size_t size() const { return found_.size(); }

  // "; did you mean 'axis'?", or nothing. Only the first findings get one: the search goes through all known names.
  std::string suggestion(const std::string& name, const std::vector<std::string>& known) const;

  // One line each: "FILE:LINE:COLUMN: path: message". Where more than five entries of one mapping have the same fault,
  // or more than five instances of one part, the first one alone gets a line, which names a few of the others and says
  // how many they are.
  std::string text(const std::string& file) const;

  const std::vector<Finding>& all() const { return found_; }

 private:
  std::string whole_;
  std::vector<std::string> files_;
  std::vector<Finding> found_;
  std::set<std::tuple<int, int, int>> causes_;  // places
};

}  // namespace polhode::io
