// SPDX-License-Identifier: BSD-3-Clause
// All that is wrong with a deck, collected while reading and told in the order of the file.
#pragma once
#include <string>
#include <vector>

#include "document.hpp"

namespace polhode::io {

class Findings {
 public:
  explicit Findings(std::string whole = "deck") : whole_(std::move(whole)) {}

  void add(const Item& at, const std::string& path, std::string message);
  void add(Place at, const std::string& path, std::string message);
  bool empty() const { return found_.empty(); }
  std::size_t size() const { return found_.size(); }

  // "; did you mean 'axis'?", or nothing. Only the first findings get one: the search goes through all known names.
  std::string suggestion(const std::string& name, const std::vector<std::string>& known) const;

  // One line each: "FILE:LINE:COLUMN: path: message".
  std::string text(const std::string& file) const;

  struct Finding {
    Place place;
    std::string path;
    std::string message;
  };
  const std::vector<Finding>& all() const { return found_; }

 private:
  std::string whole_;  // what the empty path stands for
  std::vector<Finding> found_;
};

}  // namespace polhode::io
