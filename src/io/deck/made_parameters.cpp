// SPDX-License-Identifier: BSD-3-Clause
// Changes of a deck by settings, and the parameters that they make: a misspelt one would change nothing.
#include <algorithm>

#include "deck_source.hpp"
#include "model_reader.hpp"
#include "parts/expand_parts.hpp"
#include "parts/part_values.hpp"

namespace polhode::io {
namespace {

// The path goes to `name`, or into it.
bool goes_into(std::string_view path, std::string_view name) {
  return path.starts_with(name) && (path.size() == name.size() || path[name.size()] == '.');
}

// True of "nodes.leg.foot.position" where the deck has an instance `leg`, and no node of its own that is meant.
bool is_of_instance(const Item& root, const std::string& path) {
  const Item* instances = root.find("instances");
  const std::size_t dot = path.find('.');
  if (!instances || dot == std::string::npos) return false;
  const std::string family = path.substr(0, dot);
  const std::string_view rest = std::string_view(path).substr(dot + 1);
  const auto has_family = [&](const Key& key) { return key.field.name == family && key.form != Form::parameters; };
  if (family == "instances" || std::none_of(part_table.keys.begin(), part_table.keys.end(), has_family)) return false;
  const auto is_meant = [&](const Item& entry) { return goes_into(rest, entry.key); };
  const Item* own = root.find(family);
  if (own && std::any_of(own->items.begin(), own->items.end(), is_meant)) return false;
  return std::any_of(instances->items.begin(), instances->items.end(), is_meant);
}

// One value a path, as often as a study sets it.
void put(std::vector<DeckSource::Impl::LateSetting>& all, DeckSource::Impl::LateSetting setting) {
  std::erase_if(all, [&](const DeckSource::Impl::LateSetting& one) { return one.path == setting.path; });
  all.push_back(std::move(setting));
}

void add_parameters_of(const Item& holder, const std::string& path, std::set<std::string>& all) {
  if (const Item* parameters = holder.find("parameters"))
    for (const Item& parameter : parameters->items) all.insert(path + "parameters." + parameter.key);
}

// Parameters of the deck or of a part, `what` for messages, that were made and that no expression uses.
void check_made(const Item& holder, const std::string& path, const std::string& what, const std::set<std::string>& made,
                Findings& findings) {
  const Item* all = holder.find("parameters");
  if (!all) return;
  std::vector<std::string> known;
  std::vector<const Item*> suspects;
  for (const Item& parameter : all->items) {
    if (made.contains(path + "parameters." + parameter.key))
      suspects.push_back(&parameter);
    else
      known.push_back(parameter.key);
  }
  if (suspects.empty()) return;
  const std::vector<std::string> used = names_in(holder);
  for (const Item* parameter : suspects) {
    const std::string& name = parameter->key;
    if (std::find(used.begin(), used.end(), name) != used.end()) continue;
    const std::string hint = known.empty() ? "; it has no parameters at all" : findings.suggestion(name, known);
    findings.add_unknown_key(*parameter, path + "parameters." + name,
                             what + " has no parameter '" + name + "', and no expression uses it" + hint);
  }
}

}  // namespace

std::set<std::string> DeckSource::Impl::parameters() const {
  std::set<std::string> all;
  add_parameters_of(root, "", all);
  if (const Item* parts = root.find("parts"))
    for (const Item& part : parts->items) add_parameters_of(part, "parts." + part.key + ".", all);
  return all;
}

void DeckSource::Impl::note_changes(const std::set<std::string>& before) {
  changed = true;
  for (const std::string& path : parameters())
    if (!before.contains(path)) made_parameters.insert(path);
}

// Whatever the path: a whole mapping of parameters may be set, too.
void DeckSource::Impl::set(const std::string& setting) {
  const std::size_t equals = setting.find('=');
  const std::string path = setting.substr(0, equals);
  if (equals != std::string::npos && is_of_instance(root, path)) {
    put(late_settings, {path, setting.substr(equals + 1)});
    return;
  }
  const std::set<std::string> before = parameters();
  apply_setting(root, setting);
  note_changes(before);
}

void DeckSource::Impl::set_value(const std::string& path, const std::string& value) {
  if (is_of_instance(root, path)) {
    put(late_settings, {path, value, true});
    return;
  }
  if (!goes_into(path, "parameters") && !goes_into(path, "parts")) {
    apply_value(root, path, value);
    changed = true;
    return;
  }
  const std::set<std::string> before = parameters();
  apply_value(root, path, value);
  note_changes(before);
}

Item DeckSource::Impl::flat(Findings& findings) const {
  Item expanded = expand_parts(root, findings);
  for (const LateSetting& one : late_settings) {
    if (one.plain)
      apply_value(expanded, one.path, one.value);
    else
      apply_setting(expanded, one.path + "=" + one.value);
  }
  return expanded;
}

// A parameter may be made together with an expression that uses it; what a deck without it is read with needs none.
void check_made_parameters(const DeckSource::Impl& source, Findings& findings) {
  if (source.made_parameters.empty()) return;
  check_made(source.root, "", "the deck", source.made_parameters, findings);
  if (const Item* parts = source.root.find("parts"))
    for (const Item& part : parts->items)
      check_made(part, "parts." + part.key + ".", "part '" + part.key + "'", source.made_parameters, findings);
}

}  // namespace polhode::io
