// SPDX-License-Identifier: BSD-3-Clause
// The catalog of kinds: declared here, defined in elements/catalog.cpp, the one place where a kind is made known.
#pragma once
#include <memory>
#include <random>
#include <span>
#include <string_view>
#include <vector>

#include "polhode/model/field.hpp"

namespace polhode::model {

// Declared here, so that readers of the catalog need not know batches.
class BatchBase;
class Builder;

// The run-time face of a kind.
// One constant a kind, in its source.
struct KindInfo {
  // The deck's `type`
  std::string_view name;
  Family family;
  // One line, for the reference.
  std::string_view doc;
  // Inputs, in the order of the reference, and results, in the order of write_outputs.
  std::span<const Field> fields;
  std::span<const Output> outputs;
  // Makes the elements of one entry (a beam makes many) with their nodes and rows. Problems of the data go to the
  // builder.
  void (*build)(const Entry&, Builder&);
  // For tests: each form of the kind as a batch of one element with random valid data, at nodes 1, 2, ...
  std::vector<std::unique_ptr<BatchBase>> (*samples)(std::mt19937&);
  // Entries without `type` are of this kind; one of a family at most.
  bool by_default = false;
};

// All kinds; the pointers are valid for the whole run of the program.
// Sorted by family and name.
std::span<const KindInfo* const> catalog();
// nullptr if there is none.
const KindInfo* find_kind(Family family, std::string_view name);

}  // namespace polhode::model
