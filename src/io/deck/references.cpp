// SPDX-License-Identifier: BSD-3-Clause
// Values that name entries of the deck: existence, suggestions, inner nodes of beams.
#include "references.hpp"

#include <charconv>

namespace polhode::io {

using model::Field;

void Names::add(const Item& item) {
  list.push_back(item.key);
  by_name.emplace(item.key, &item);
}

// Nodes of the deck, or inner nodes "beam.3" where `inner` allows them (joints and forces).
// How many a beam has follows from its own entry, which was read before; a beam with an error of its own is
// not held against them.
bool ReferenceReader::check_node(const Item& item, const std::string& path, const std::string& name, bool inner) {
  if (known.nodes.contains(name)) return true;
  if (name == "ground") {
    findings.add(item, path, "'ground' is the inertial frame, not a node; name a node");
    return false;
  }
  // "beam.3", where the beam's own name may have dots.
  const std::size_t dot = name.rfind('.');
  const std::string beam = name.substr(0, dot);
  if (dot == std::string::npos || !known.beams.contains(beam)) {
    findings.add(item, path, "there is no node '" + name + "'" + findings.suggestion(name, known.nodes.list));
    return false;
  }
  if (!inner) {
    findings.add(
        item, path,
        "'" + name + "' is an inner node of a beam, which carries joints and forces only; split the beam at a node");
    return false;
  }
  const auto count = known.inner_nodes.find(beam);
  if (count == known.inner_nodes.end()) return false;  // the beam has an error itself
  int number = 0;
  const char* end = name.data() + name.size();
  const auto [stop, error] = std::from_chars(name.data() + dot + 1, end, number);
  // Neither 0 nor 03: an inner node has one name.
  if (error == std::errc{} && stop == end && number >= 1 && number <= count->second && name[dot + 1] != '0')
    return true;
  findings.add(item, path,
               "there is no node '" + name + "'; the inner nodes of this beam are " +
                   (count->second == 0 ? "none" : beam + ".1 to " + beam + "." + std::to_string(count->second)));
  return false;
}

// A name among the known ones, with the nearest where it is none.
std::optional<std::string> ReferenceReader::name(const Item& item, const std::string& path, const Names& among,
                                                 std::string_view what) {
  auto given = plain.text(item, path);
  if (!given || among.contains(*given)) return given;
  findings.add(item, path,
               "there is no " + std::string(what) + " '" + *given + "'" + findings.suggestion(*given, among.list));
  return std::nullopt;
}

std::optional<std::string> ReferenceReader::node(const Item& item, const std::string& path, bool inner) {
  auto given = plain.text(item, path);
  if (!given || !check_node(item, path, *given, inner)) return std::nullopt;
  return given;
}

std::optional<std::string> ReferenceReader::section(const Item& item, const std::string& path) {
  return name(item, path, known.sections, "section");
}

std::optional<std::string> ReferenceReader::beam(const Item& item, const std::string& path) {
  return name(item, path, known.beams, "beam");
}

// All names are looked at before the list fails.
ReferenceReader::NameList ReferenceReader::sections(const Item& item, const std::string& path) {
  if (item.kind != Item::Kind::sequence) {
    findings.add(item, path, "expected a list of names of sections, found " + describe(item));
    return std::nullopt;
  }
  std::vector<std::string> list;
  for (std::size_t i = 0; i < item.items.size(); ++i)
    if (auto name = section(item.items[i], join_path(path, std::to_string(i)))) list.push_back(std::move(*name));
  if (list.size() < item.items.size()) return std::nullopt;
  return list;
}

// Two different ends; ground may be one of them, since it is no node that messages about nodes could list.
ReferenceReader::NameList ReferenceReader::node_pair(const Item& item, const std::string& path) {
  if (item.kind != Item::Kind::sequence || item.items.size() != 2) {
    findings.add(item, path, "expected two names of nodes, one of them may be ground; found " + describe(item));
    return std::nullopt;
  }
  std::vector<std::string> pair;
  bool good = true;
  for (std::size_t i = 0; i < 2; ++i) {
    const std::string end_path = join_path(path, std::to_string(i));
    const auto name = plain.text(item.items[i], end_path);
    if (!name || (*name != "ground" && !check_node(item.items[i], end_path, *name, true)))
      good = false;
    else
      pair.push_back(*name);
  }
  if (!good) return std::nullopt;
  if (pair[0] == pair[1]) {
    findings.add(item, path, "both ends are '" + pair[0] + "'; name two different ones");
    return std::nullopt;
  }
  return pair;
}

// Names of joints, or of one of their coordinates (A.rotation), each with a number.
std::optional<model::Weights> ReferenceReader::weights(const Item& item, const std::string& path, const Field& field) {
  if (item.kind != Item::Kind::mapping) {
    findings.add(item, path, "expected names of joints, each with a number; found " + describe(item));
    return std::nullopt;
  }
  model::Weights result;
  bool good = true;
  for (const Item& one : item.items) {
    const std::string one_path = join_path(path, one.key);
    const auto value = plain.number(one, one_path, field, 1);
    const bool whole = known.joints.contains(one.key);
    const std::string joint = whole ? one.key : one.key.substr(0, one.key.rfind('.'));
    good = good && value.has_value();
    if (!known.joints.contains(joint)) {
      findings.add(one, one_path, "there is no joint '" + joint + "'" + findings.suggestion(joint, known.joints.list));
      good = false;
    } else if (value && !result.emplace(one.key, *value).second) {
      findings.add(one, one_path, "'" + one.key + "' stands here twice; remove one");
      good = false;
    }
  }
  if (!good) return std::nullopt;
  return result;
}

}  // namespace polhode::io
