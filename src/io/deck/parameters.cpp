// SPDX-License-Identifier: BSD-3-Clause
// The named numbers of a deck: evaluated in the order of their references, cycles named.
#include <algorithm>

#include "model_reader.hpp"

namespace polhode::io {

bool is_identifier(std::string_view name) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  return !name.empty() && letter(name[0]) &&
         std::all_of(name.begin(), name.end(), [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

namespace {

bool is_expression(const Item& item) { return item.kind == Item::Kind::scalar && item.text.starts_with('='); }

// A node of the graph of references.
struct Parameter {
  const Item* item;
  // other parameters
  std::vector<std::size_t> uses;
  std::vector<std::size_t> used_by;
  std::size_t open = 0;  // of `uses`, those not yet evaluated
  bool done = false;
};

// Follows references among what is left until one comes twice: "a -> b -> a".
std::vector<std::size_t> find_cycle(const std::vector<Parameter>& all, std::size_t start) {
  std::vector<std::size_t> trail;
  std::vector<bool> seen(all.size(), false);
  std::size_t at = start;
  while (!seen[at]) {
    seen[at] = true;
    trail.push_back(at);
    at = *std::find_if(all[at].uses.begin(), all[at].uses.end(), [&](std::size_t i) { return !all[i].done; });
  }
  trail.erase(trail.begin(), std::find(trail.begin(), trail.end(), at));
  return trail;
}

}  // namespace

// Kahn's topological order: a parameter is evaluated when all that it uses are;
// what is left over refers to itself. Each cycle is reported once, and faulty parameters silence the
// expressions that use them, so that one slip makes one message.
void read_parameters(const Item& item, Reader& reader) {
  std::vector<Parameter> all;
  std::unordered_map<std::string, std::size_t> index;
  reader.entries(item, "parameters", [&](const Item& entry, const std::string& path) {
    if (!is_identifier(entry.key))
      return reader.findings.add(
          entry, path, "'" + entry.key + "' cannot be a parameter: letters, digits and '_', not first a digit");
    if (model::Expression::is_reserved(entry.key))
      return reader.findings.add(entry, path,
                                 "'" + entry.key + "' has a meaning of its own in expressions; choose another name");
    // Numbers and expressions alike: a number uses nothing and is ready at once.
    index.emplace(entry.key, all.size());
    all.push_back({&entry, {}, {}});
  });
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!is_expression(*all[i].item)) continue;
    try {
      for (const std::string& name : model::Expression::names_used(std::string_view(all[i].item->text).substr(1)))
        if (const auto found = index.find(name); found != index.end()) {
          all[i].uses.push_back(found->second);
          all[found->second].used_by.push_back(i);
        }
    } catch (const model::ExpressionError&) {
      // reported with its place when the expression is evaluated below
    }
    all[i].open = all[i].uses.size();
  }

  // An unknown name in an expression is looked up among all of them, so that the nearest known one can be proposed.
  for (const Parameter& p : all) reader.parameters.values[p.item->key] = 0;
  const model::Field field{"", model::FieldType::number, "", ""};
  std::vector<std::size_t> ready;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i].open == 0) ready.push_back(i);
  // The list grows while it is walked.
  for (std::size_t next = 0; next < ready.size(); ++next) {
    Parameter& p = all[ready[next]];
    if (const auto v = reader.plain.number(*p.item, "parameters." + p.item->key, field, 1))
      reader.parameters.values[p.item->key] = *v;
    else
      reader.parameters.faulty.insert(p.item->key);
    p.done = true;
    for (const std::size_t user : p.used_by)
      if (--all[user].open == 0) ready.push_back(user);
  }

  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].done) continue;
    const std::vector<std::size_t> cycle = find_cycle(all, i);
    if (!reader.parameters.faulty.contains(all[cycle[0]].item->key)) {
      std::size_t first = 0;  // reported at the entry that stands first in the deck
      for (std::size_t k = 0; k < cycle.size(); ++k)
        if (cycle[k] < cycle[first]) first = k;
      std::string text;
      for (std::size_t k = 0; k <= cycle.size(); ++k)
        text += (k == 0 ? "" : " -> ") + all[cycle[(first + k) % cycle.size()]].item->key;
      const Item& entry = *all[cycle[first]].item;
      reader.findings.add(entry, "parameters." + entry.key, "refers to itself: " + text);
    }
    for (const std::size_t k : cycle) reader.parameters.faulty.insert(all[k].item->key);
    reader.parameters.faulty.insert(all[i].item->key);
  }
}

}  // namespace polhode::io
