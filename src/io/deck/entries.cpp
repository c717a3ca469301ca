// SPDX-License-Identifier: BSD-3-Clause
// Bodies, beams, joints and forces: entries of the kinds in the catalog, read by their fields.
#include <algorithm>

#include "model_reader.hpp"

namespace polhode::io {
namespace {

// The kind that an entry is of, or nullptr with the reason in the findings.
const model::KindInfo* kind_of(const Item& entry, const std::string& path, const FamilyKinds& family, Reader& reader) {
  std::vector<std::string_view> names;
  for (const model::KindInfo* kind : family.kinds) names.push_back(kind->name);
  const Item* type = entry.find("type");
  if (!type && family.by_default) return family.by_default;
  if (!type) {
    reader.findings.add(entry, path, "'type' is missing; one of: " + list_text(names));
    return nullptr;
  }
  // Read as any choice, for the same messages.
  const model::Field field{.name = "type", .type = model::FieldType::choice, .unit = "", .doc = "", .choices = names};
  const auto name = reader.value(*type, join_path(path, "type"), field, model::deck_key(family.family));
  return name ? model::find_kind(family.family, std::get<std::string>(*name)) : nullptr;
}

// The values of the groups inside `given`, under "group.member", or "group.0.member" of a list of them.
void read_groups(const Mapping& given, const Table& table, const std::string& prefix, Reader& reader,
                 model::Entry& entry) {
  const auto read = [&](const Item& item, const std::string& name, const Table& members) {
    const auto inner = reader.mapping(item, join_path(given.path, name), members);
    if (!inner) return;
    // Flat, so that a kind asks for "friction.coulomb" as for any other key.
    for (const auto& [member, value] : inner->values) entry.values.emplace(prefix + name + "." + member, value);
    read_groups(*inner, members, prefix + name + ".", reader, entry);
  };
  for (const Key& key : table.keys) {
    const bool is_list = key.form == Form::mapping_or_list;
    const Item* item = is_list || key.form == Form::mapping ? given.find(key.field.name) : nullptr;
    if (!item) continue;
    const std::string name(key.field.name);
    if (!is_list || item->kind != Item::Kind::sequence) {
      read(*item, name, *key.table);
      continue;
    }
    // What is empty would end the list for the kind
    const auto is_empty = [](const Item& one) { return one.kind != Item::Kind::scalar && one.items.empty(); };
    for (std::size_t i = 0; i < item->items.size(); ++i) {
      const std::string place = name + "." + std::to_string(i);
      if (is_empty(item->items[i]))
        reader.findings.add(item->items[i], join_path(given.path, place), "is empty; remove it, or give it a key");
      else
        read(item->items[i], place, *key.table);
    }
    if (item->items.empty()) reader.findings.add(*item, join_path(given.path, name), "is an empty list");
  }
}

// Of a state space with several rows of C one name a row.
void add_values_of(const Item& entry, std::vector<std::string>& names) {
  const Item* type = entry.kind == Item::Kind::mapping ? entry.find("type") : nullptr;
  const Item* rows = type && type->text == "state_space" ? entry.find("C") : nullptr;
  if (!rows || rows->kind != Item::Kind::sequence || rows->items.size() < 2) {
    names.push_back(entry.key);
    return;
  }
  for (std::size_t i = 0; i < rows->items.size(); ++i) names.push_back(entry.key + "." + std::to_string(i));
}

// A name that expressions know: "leg.0.angle" in an instance, whose copies have numbers. A number at the end is one of
// several outputs.
bool is_signal_name(std::string_view name) {
  bool word = false;
  for (bool first = true; first || !name.empty(); first = false) {
    const std::string_view one = name.substr(0, name.find('.'));
    word = is_identifier(one);
    const bool number = !first && !one.empty() && one.find_first_not_of("0123456789") == std::string_view::npos;
    if (!word && !number) return false;
    name.remove_prefix(std::min(one.size() + 1, name.size()));
  }
  return word;
}

// Nothing else has the name in expressions.
bool check_signal(const Item& entry, const std::string& path, Reader& reader) {
  const auto problem = [&](const std::string& text) {
    reader.findings.add(entry, path, "'" + entry.key + "' " + text);
    return false;
  };
  if (!is_signal_name(entry.key)) {
    const bool of_instance = is_identifier(std::string_view(entry.key).substr(entry.key.rfind('.') + 1));
    return problem(std::string("cannot be a signal: letters, digits and '_', not first a digit") +
                   (of_instance ? "; rename the instance" : ""));
  }
  if (entry.key == "t" || entry.key == "pi")
    return problem("has a meaning of its own in expressions; choose another name");
  if (reader.parameters.values.contains(entry.key)) return problem("is a parameter, too; choose another name");
  return true;
}

// A text is short for an expression: a mapping with `type: expression` and `value`.
std::optional<model::Entry> read_short_signal(const Item& entry, const std::string& path, Reader& reader) {
  model::Entry result;
  result.name = entry.key;
  result.family = model::Family::signal;
  result.kind = model::find_kind(model::Family::signal, "expression");
  auto value = reader.value(entry, path, result.kind->fields.front(), "signals");
  if (!value) return std::nullopt;
  result.values.emplace("value", std::move(*value));
  return result;
}

}  // namespace

// Names alone, without a look at the entries: what is wrong with those is found when they are read.
void read_names(const Item& root, Reader& reader) {
  const auto collect = [&](std::string_view key, Names& names) {
    if (const Item* all = root.find(key); all && all->kind == Item::Kind::mapping)
      for (const Item& entry : all->items) names.add(entry);
  };
  collect("nodes", reader.names.nodes);
  collect("sections", reader.names.sections);
  collect("bodies", reader.names.bodies);
  collect("beams", reader.names.beams);
  collect("joints", reader.names.joints);
  collect("signals", reader.names.signals);
  std::vector<std::string> values;
  if (const Item* all = root.find("signals"); all && all->kind == Item::Kind::mapping)
    for (const Item& entry : all->items) add_values_of(entry, values);
  reader.names.signal_values = model::VariableNames(std::move(values));
}

// An entry without a mapping may be complete, where its kind has no required key.
// `type` is no value of the kind. How many inner nodes a beam has is noted only where both numbers that make
// it are sound, so that no reference to them is refused for the wrong reason.
void read_family(const Item& item, const std::string& path, Reader& reader, std::vector<model::Entry>& entries) {
  const FamilyKinds& family = family_of(path);
  // Signals stand in expressions: their names have rules of their own
  const bool of_signals = family.family == model::Family::signal;
  reader.entries(item, path, [&](const Item& entry, const std::string& entry_path) {
    if (of_signals && !check_signal(entry, entry_path, reader)) return;
    if (of_signals && entry.kind == Item::Kind::scalar) {
      if (auto made = read_short_signal(entry, entry_path, reader)) entries.push_back(std::move(*made));
      return;
    }
    if (entry.kind != Item::Kind::mapping && entry.kind != Item::Kind::nothing)
      return reader.findings.add(entry, entry_path, "expected a mapping, found " + describe(entry));
    const model::KindInfo* kind = kind_of(entry, entry_path, family, reader);
    if (!kind) return;
    auto given = reader.mapping(entry, entry_path, table_of(*kind));
    if (!given) return;
    model::Entry result;
    result.name = entry.key;
    result.family = family.family;
    result.kind = kind;
    result.values = std::move(given->values);
    result.values.erase("type");
    read_groups(*given, table_of(*kind), "", reader, result);
    if (family.family == model::Family::beam && (result.has("elements") || !given->has("elements")) &&
        (result.has("order") || !given->has("order")))
      reader.names.inner_nodes[result.name] =
          static_cast<int>(result.number("elements", 1)) * static_cast<int>(result.number("order", 1)) - 1;
    entries.push_back(std::move(result));
  });
}

}  // namespace polhode::io
