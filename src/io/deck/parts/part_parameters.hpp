// SPDX-License-Identifier: BSD-3-Clause
// Parameters of one instance: what it gives, else the defaults of its part, which may use each other.
#pragma once
#include <string>
#include <vector>

#include "../reader.hpp"
#include "part_values.hpp"

namespace polhode::io {

// Names that the deck's vectors or a part's parameters cannot have, and those that stand twice, go to the findings.
void check_parameter_names(const Item& parameters, const std::string& path, Findings& findings);

// What is wrong goes to the findings of the reader, whose parameters are those of the deck.
class PartParameters {
 public:
  // All must live as long as this.
  PartParameters(const Item& part, const Item& instance, Reader& reader)
      : part_(part), defaults_(part.find("parameters")), given_(instance.find("parameters")), reader_(reader) {}

  // Values without expressions, at `path` for messages about the instance. False where something is wrong.
  bool read(const std::string& path);
  PartValues values;

 private:
  const Item& part_;
  const Item* defaults_;
  const Item* given_;
  Reader& reader_;
  std::vector<std::string> open_;  // defaults that wait for others

  void read_given(const Item& one, const std::string& path);
  void read_default(const Item& one);
  void evaluate(Item& value, const std::string& path);
};

}  // namespace polhode::io
