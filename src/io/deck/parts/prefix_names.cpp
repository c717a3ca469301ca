// SPDX-License-Identifier: BSD-3-Clause
// Names of an included file with a prefix: entries, parameters and parts, and what refers to them in the same file.
#include <algorithm>

#include "include_files.hpp"
#include "part_entries.hpp"
#include "part_values.hpp"

namespace polhode::io {
namespace {

// What has names in the file, or in one of its parts.
struct Scope {
  PartValues parameters;
  FlatNames names;
};

void rename_instance(Item& instance, const std::string& prefix, const FlatNames& names) {
  constexpr std::string_view family = "nodes.";
  for (Item& item : instance.items) {
    if (item.key == "part" && names.contains("parts", prefix + item.text)) item.text = prefix + item.text;
    if (item.key == "frame" && item.text.starts_with(family)) {
      const std::string own = prefix + item.text.substr(family.size());
      if (names.is_known("nodes", own)) item.text = std::string(family) + own;
    }
  }
}

void rename_entry(Item& entry, const std::string& family, const std::string& prefix, const Scope& scope) {
  // Names alone take the place of names: nothing can be wrong.
  substitute_values(entry, scope.parameters, [](const Item&, const std::string&) {});
  if (family == "parameters") return;
  if (family == "instances") return rename_instance(entry, prefix, scope.names);
  rename_references(entry, family, prefix, scope.names);
}

// Names of a part hide those of the file.
Scope inside_of(const Item& part, const std::string& prefix, const Scope& file) {
  Scope scope = file;
  for (const Item& family : part.items)
    for (const Item& entry : family.items) {
      if (family.key == "parameters" || family.key == "signals") scope.parameters.erase(entry.key);
      scope.names.remove(family.key, prefix + entry.key);
    }
  return scope;
}

bool is_model_key(const std::string& key) {
  const auto names = [&](const Key& one) { return one.field.name == key; };
  return key == "parts" || std::any_of(part_table.keys.begin(), part_table.keys.end(), names);
}

void rename_part(Item& part, const std::string& prefix, const Scope& file) {
  const Scope scope = inside_of(part, prefix, file);
  for (Item& family : part.items)
    if (is_model_key(family.key))
      for (Item& entry : family.items) rename_entry(entry, family.key, prefix, scope);
}

// A parameter `a` becomes `left_a`: a signal that had this name before could not be told from it in expressions.
void check_signals(const Item& root, const std::string& prefix, Findings& findings) {
  const Item* parameters = root.find("parameters");
  const Item* signals = root.find("signals");
  if (!parameters || !signals) return;
  for (const Item& one : signals->items) {
    const std::string rest = one.key.starts_with(prefix) ? one.key.substr(prefix.size()) : "";
    if (!rest.empty() && parameters->find(rest))
      findings.add(one, "signals." + one.key,
                   "is what the prefix makes of the parameter '" + rest + "'; choose another name for one of them");
  }
}

}  // namespace

void prefix_names(Item& root, const std::string& prefix, Findings& findings) {
  Scope file;
  for (const Item& family : root.items) {
    if (family.key != "format" && !is_model_key(family.key))
      findings.add(
          family, family.key,
          "a file with a prefix holds parameters, parts, instances, nodes, bodies, sections, beams, joints, forces, "
          "signals, events and responses alone; put '" +
              family.key + "' into the deck, or include the file without a prefix");
    for (const Item& entry : family.items) {
      file.names.add(family.key, prefix + entry.key);
      if (family.key != "parameters") continue;
      Item& renamed = file.parameters[entry.key];
      renamed.kind = Item::Kind::scalar;
      renamed.quoted = true;
      renamed.text = "=" + prefix + entry.key;
    }
  }
  check_signals(root, prefix, findings);
  for (Item& family : root.items) {
    if (!is_model_key(family.key)) continue;
    for (Item& entry : family.items) {
      if (family.key == "parts")
        rename_part(entry, prefix, file);
      else
        rename_entry(entry, family.key, prefix, file);
      entry.key = prefix + entry.key;
    }
  }
}

}  // namespace polhode::io
