// SPDX-License-Identifier: BSD-3-Clause
// References of entries by their tables: names, paths such as joints.hinge.rates, and names of signals in expressions.
#include <algorithm>

#include "part_entries.hpp"
#include "polhode/model/expression_names.hpp"

namespace polhode::io {
namespace {

using model::Field;
using model::FieldType;

// "rod" of "rod.2"; "" of names without a dot.
std::string stem_of(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  return dot == std::string::npos ? "" : name.substr(0, dot);
}

class References {
 public:
  References(const std::string& prefix, const FlatNames& names) : prefix_(prefix), names_(names) {}

  // Members of groups have tables of their own.
  void rename_entry(Item& entry, const Table& table) const {
    for (Item& item : entry.items)
      for (const Key& key : table.keys) {
        if (key.field.name != item.key) continue;
        if (key.form == Form::mapping_or_list && item.kind == Item::Kind::sequence)
          for (Item& one : item.items) rename_entry(one, *key.table);
        else if ((key.form == Form::mapping || key.form == Form::mapping_or_list) && key.table)
          rename_entry(item, *key.table);
        else
          rename_value(item, key.field);
      }
  }

  // A signal's name, or an expression of signals.
  void rename_function(Item& item) const {
    if (item.kind != Item::Kind::scalar) return;
    if (!item.text.starts_with('=')) return rename(item.text, "signals");
    const auto new_name = [&](std::string_view name) {
      std::string renamed(name);
      rename(renamed, "signals");
      return renamed;
    };
    item.text = '=' + model::with_new_names(std::string_view(item.text).substr(1), new_name);
  }

  // "joints.hinge.coordinates[0]": the longest name of the family that there is takes the prefix.
  void rename_path(std::string& path) const {
    const std::size_t dot = path.find('.');
    if (dot == std::string::npos) return;
    const std::string first = path.substr(0, dot);
    const std::string family = first == "reactions" ? "nodes" : first;
    const std::string rest = path.substr(dot + 1);
    for (std::size_t end = std::min(rest.find('['), rest.size()); end > 0; end = rest.rfind('.', end - 1)) {
      if (end == std::string::npos) return;
      if (names_.is_known(family, prefix_ + rest.substr(0, end))) return void(path.insert(dot + 1, prefix_));
    }
  }

 private:
  const std::string& prefix_;
  const FlatNames& names_;

  // The name in the instance where there is one; else the deck's.
  void rename(std::string& name, std::string_view family) const {
    std::string own = prefix_ + name;
    if (names_.is_known(family, own)) name = std::move(own);
  }

  // By the types of the fields, so that a new kind needs nothing here.
  void rename_value(Item& item, const Field& field) const {
    switch (field.type) {
      case FieldType::node:
        return rename(item.text, "nodes");
      case FieldType::section:
        return rename(item.text, "sections");
      case FieldType::beam:
        return rename(item.text, "beams");
      // Texts of signals and events are paths of entries and of results
      case FieldType::text:
        return rename_path(item.text);
      case FieldType::function:
        if (field.variables.empty()) rename_function(item);
        return;
      case FieldType::functions:
        for (Item& one : item.items) rename_function(one);
        return;
      case FieldType::node_pair:
        for (Item& one : item.items)
          if (one.text != "ground") rename(one.text, "nodes");
        return;
      case FieldType::sections:
        for (Item& one : item.items) rename(one.text, "sections");
        return;
      case FieldType::weights:
        for (Item& one : item.items) rename(one.key, "joints");
        return;
      default:
        return;
    }
  }
};

// All texts of a response name results; numbers and expressions are none.
void rename_response(Item& item, const References& references) {
  for (Item& inner : item.items) rename_response(inner, references);
  if (item.kind == Item::Kind::scalar && !item.text.starts_with('=')) references.rename_path(item.text);
}

}  // namespace

void FlatNames::add(std::string_view family, const std::string& name) { of_family_[std::string(family)].insert(name); }

void FlatNames::remove(std::string_view family, const std::string& name) {
  of_family_[std::string(family)].erase(name);
}

bool FlatNames::contains(std::string_view family, const std::string& name) const {
  const auto found = of_family_.find(family);
  return found != of_family_.end() && found->second.contains(name);
}

// Names of instances have no dots in a file with parts.
bool FlatNames::is_known(std::string_view family, const std::string& name) const {
  if (contains(family, name)) return true;
  const std::string stem = stem_of(name);
  if (stem.empty()) return false;
  // An inner node of a beam, a coordinate of a joint, one of several outputs: the reader looks which there are
  if (family == "nodes" && contains("beams", stem)) return true;
  if ((family == "joints" || family == "signals") && contains(family, stem)) return true;
  return contains("instances", name.substr(0, name.find('.')));
}

void rename_references(Item& entry, std::string_view family, const std::string& prefix, const FlatNames& names) {
  const References references(prefix, names);
  if (family == "responses") return rename_response(entry, references);
  // A text is short for an expression.
  if (family == "signals" && entry.kind == Item::Kind::scalar) return references.rename_function(entry);
  if (const Table* table = table_of_entry(family, entry)) references.rename_entry(entry, *table);
}

}  // namespace polhode::io
