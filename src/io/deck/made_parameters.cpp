// SPDX-License-Identifier: BSD-3-Clause
// Changes of a deck by settings, and the parameters that they make: a misspelt one would change nothing.
#include <algorithm>

#include "deck_source.hpp"
#include "model_reader.hpp"

namespace polhode::io {
namespace {

// All names in expressions of the deck. Those that cannot be parsed are reported where they are evaluated.
void collect_names_used(const Item& item, std::set<std::string>& names) {
  if (item.kind == Item::Kind::scalar && item.text.starts_with('=')) try {
      for (const std::string& name : model::Expression::names_used(std::string_view(item.text).substr(1)))
        names.insert(name);
    } catch (const model::ExpressionError&) {
    }
  for (const Item& inner : item.items) collect_names_used(inner, names);
}

}  // namespace

std::set<std::string> DeckSource::Impl::parameters() const {
  std::set<std::string> names;
  if (const Item* all = root.find("parameters"))
    for (const Item& parameter : all->items) names.insert(parameter.key);
  return names;
}

void DeckSource::Impl::note_changes(const std::set<std::string>& before) {
  changed = true;
  for (const std::string& name : parameters())
    if (!before.contains(name)) made_parameters.insert(name);
}

// Whatever the path: a whole mapping of parameters may be set, too.
void DeckSource::Impl::set(const std::string& setting) {
  const std::set<std::string> before = parameters();
  apply_setting(root, setting);
  note_changes(before);
}

void DeckSource::Impl::set_value(const std::string& path, const std::string& value) {
  if (!path.starts_with("parameters")) {
    apply_value(root, path, value);
    changed = true;
    return;
  }
  const std::set<std::string> before = parameters();
  apply_value(root, path, value);
  note_changes(before);
}

// A parameter may be made together with an expression that uses it; what a deck without it is read with needs none.
void check_made_parameters(const DeckSource::Impl& source, Findings& findings) {
  const Item* all = source.root.find("parameters");
  if (source.made_parameters.empty() || !all) return;
  std::set<std::string> used;
  collect_names_used(source.root, used);
  std::vector<std::string> known;
  for (const Item& parameter : all->items)
    if (!source.made_parameters.contains(parameter.key)) known.push_back(parameter.key);
  for (const Item& parameter : all->items) {
    const std::string& name = parameter.key;
    if (!source.made_parameters.contains(name) || used.contains(name)) continue;
    const std::string hint = known.empty() ? "; it has no parameters at all" : findings.suggestion(name, known);
    findings.add_unknown_key(parameter, "parameters." + name,
                             "the deck has no parameter '" + name + "', and no expression uses it" + hint);
  }
}

}  // namespace polhode::io
