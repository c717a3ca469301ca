// SPDX-License-Identifier: BSD-3-Clause
// Values that name nodes, beams, sections and joints of the deck.
#pragma once
#include "names.hpp"
#include "plain_values.hpp"

namespace polhode::io {

// Functions return nothing where a name is none of the deck, which they have added to the findings.
struct ReferenceReader {
  PlainReader& plain;
  Findings& findings;
  const DeckNames& known;

  using NameList = std::optional<std::vector<std::string>>;
  // A node; `inner`: or an inner node of a beam, "beam.3", which carries joints and forces only.
  std::optional<std::string> node(const Item& item, const std::string& path, bool inner);
  // Two different ends, one of which may be "ground".
  NameList node_pair(const Item& item, const std::string& path);
  std::optional<std::string> section(const Item& item, const std::string& path);
  std::optional<std::string> beam(const Item& item, const std::string& path);
  NameList sections(const Item& item, const std::string& path);
  // Joints or coordinates of them (A.rotation), each with a number.
  std::optional<model::Weights> weights(const Item& item, const std::string& path, const model::Field& field);

 private:
  bool check_node(const Item& item, const std::string& path, const std::string& name, bool inner);
  std::optional<std::string> name(const Item& item, const std::string& path, const Names& among, std::string_view what);
};

}  // namespace polhode::io
