// SPDX-License-Identifier: BSD-3-Clause
// Paths that a study varies: what is there is a value; what is not must be a key that the deck may name.
#include <algorithm>

#include "study_reader.hpp"

namespace polhode::io {
namespace {

// All values of the deck by their paths, for the nearest one.
void collect_values(const Item& item, const std::string& path, std::vector<std::string>& all) {
  for (std::size_t i = 0; i < item.items.size(); ++i) {
    const Item& inner = item.items[i];
    const std::string inner_path = join_path(path, inner.listed ? std::to_string(i) : inner.key);
    if (inner.kind == Item::Kind::scalar) all.push_back(inner_path);
    collect_values(inner, inner_path, all);
  }
}

// Any value of the axis serves for the trial; the first is there.
std::string first_value(const Axis& axis) { return axis.texts.empty() ? number_text(axis.numbers[0]) : axis.texts[0]; }

// True if the deck with a value at this path, which it does not have, is read as if the path were known: its value may
// still be wrong, which is a matter of the case.
bool is_known(const DeckSource& deck, const Axis& axis) {
  // A copy of text and tree.
  DeckSource::Impl trial = deck.impl();
  try {
    trial.set_value(axis.path, first_value(axis));
  } catch (const SettingError&) {
    return false;
  }
  Findings findings;
  read_tree(trial, findings);
  return std::none_of(findings.all().begin(), findings.all().end(), [&](const Finding& f) {
    // A missing key beside it means that the value has made a mapping that was not there.
    return f.unknown_key || (axis.path.starts_with(f.path + ".") && f.message.find("is missing") != std::string::npos);
  });
}

}  // namespace

// A scalar that is there may be varied. A path that is not there may be a key with a default:
// the deck is read with it on trial, on a copy.
void check_paths(const Item& root, const Study& study, Findings& findings) {
  const Item& deck = study.deck.impl().root;
  const Item* vary = root.find("vary");
  if (!vary) return;
  for (const Item& entry : vary->items) {
    const std::string path = "vary." + entry.key;
    const Item* there = find_entry(deck, entry.key);
    if (there && there->kind == Item::Kind::scalar) continue;
    if (there && there->kind != Item::Kind::nothing) {
      findings.add(entry, path,
                   "'" + entry.key + "' is " + describe(*there) + " in the deck; name one value inside of it");
      continue;
    }
    const auto axis =
        std::find_if(study.axes.begin(), study.axes.end(), [&](const Axis& a) { return a.path == entry.key; });
    if (axis == study.axes.end() || axis->size() == 0 || is_known(study.deck, *axis)) continue;
    std::vector<std::string> values;
    collect_values(deck, "", values);
    const Item* parameters = deck.find("parameters");
    const bool without_parameters = entry.key.starts_with("parameters.") && (!parameters || parameters->items.empty());
    findings.add(entry, path,
                 "the deck has no '" + entry.key + "'" +
                     (without_parameters ? "; it has no parameters at all" : findings.suggestion(entry.key, values)));
  }
}

}  // namespace polhode::io
