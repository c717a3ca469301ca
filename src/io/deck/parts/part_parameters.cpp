// SPDX-License-Identifier: BSD-3-Clause
// Values of a part's parameters, depth first: a default is read after those that it uses.
#include "part_parameters.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "../model_reader.hpp"

namespace polhode::io {

// The same rules as for numbers of the deck: `t` would take the place of the time.
void check_parameter_names(const Item& parameters, const std::string& path, Findings& findings) {
  std::set<std::string> seen;
  for (const Item& one : parameters.items) {
    const std::string one_path = join_path(path, one.key);
    if (!is_identifier(one.key))
      findings.add(one, one_path,
                   "'" + one.key + "' cannot be a parameter: letters, digits and '_', not first a digit");
    else if (model::Expression::is_reserved(one.key))
      findings.add(one, one_path, "'" + one.key + "' has a meaning of its own in expressions; choose another name");
    else if (!seen.insert(one.key).second)
      findings.add(one, one_path, "'" + one.key + "' stands here twice; rename or remove one");
  }
}

bool PartParameters::read(const std::string& path) {
  const std::size_t before = reader_.findings.size();
  // Values of the instance come first: defaults may use them.
  if (given_)
    for (const Item& one : given_->items) read_given(one, join_path(path + ".parameters", one.key));
  // One fault is enough: what uses a faulty default is faulty, too.
  if (defaults_)
    for (const Item& one : defaults_->items)
      if (reader_.findings.size() == before) read_default(one);
  return reader_.findings.size() == before;
}

void PartParameters::read_given(const Item& one, const std::string& path) {
  if (defaults_ && defaults_->find(one.key)) return evaluate(values.emplace(one.key, one).first->second, path);
  std::vector<std::string> known;
  if (defaults_)
    for (const Item& other : defaults_->items) known.push_back(other.key);
  // An unknown key for studies, which ask whether a path is one of the deck.
  reader_.findings.add_unknown_key(
      one, path,
      fmt::format("part '{}' has no parameter '{}'{}", part_.key, one.key,
                  known.empty() ? "; it has no parameters at all" : reader_.findings.suggestion(one.key, known)));
}

void PartParameters::read_default(const Item& one) {
  if (values.contains(one.key)) return;
  const std::string path = fmt::format("parts.{}.parameters.{}", part_.key, one.key);
  if (const auto first = std::find(open_.begin(), open_.end(), one.key); first != open_.end())
    return reader_.findings.add(
        one, path, fmt::format("refers to itself: {} -> {}", fmt::join(first, open_.end(), " -> "), one.key));
  const std::size_t before = reader_.findings.size();
  open_.push_back(one.key);
  for (const std::string& name : names_in(one))
    if (const Item* used = defaults_->find(name); used && reader_.findings.size() == before) read_default(*used);
  open_.pop_back();
  if (reader_.findings.size() > before) return;
  // All that it uses has a value now.
  Item value = one;
  substitute_values(value, values, [&](const Item& at, std::string message) {
    reader_.findings.add_cause(at, path, std::move(message));
  });
  evaluate(value, path);
  values.emplace(one.key, std::move(value));
}

// Expressions become numbers, of vectors and matrices each component. A text that is no expression stays: it may be the
// name of a section.
void PartParameters::evaluate(Item& value, const std::string& path) {
  static const model::Field any{"", model::FieldType::number, "", ""};
  for (Item& inner : value.items) evaluate(inner, path);
  if (value.kind != Item::Kind::scalar || !value.text.starts_with('=')) return;
  const auto number = reader_.plain.number(value, path, any);
  if (!number) return;
  // With all digits that it needs to be read back the same.
  value.text = number_text(*number);
  value.quoted = false;
}

}  // namespace polhode::io
