// SPDX-License-Identifier: BSD-3-Clause
// Decks of runs that are taken up again.
#include "polhode/io/deck/restart_deck.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "deck_source.hpp"
#include "polhode/io/digest.hpp"

namespace polhode::io {
namespace {

// A difference: its path, and what stands there in one deck and in the other.
struct Difference {
  std::string path;
  std::string there;
  std::string here;
};

std::string short_text(const Item* item) {
  constexpr std::size_t most = 60;
  if (!item) return "missing";
  std::string text = flow_text(*item);
  if (text.size() > most) text = text.substr(0, most) + "...";
  return text;
}

bool is_duration(const std::string& path) { return path.starts_with("analysis.") && path.ends_with(".duration"); }

// Keys of both in turn; the first difference of each entry is enough.
void compare(const Item& there, const Item& here, const std::string& path, std::vector<Difference>& all) {
  const bool lists = there.kind == Item::Kind::mapping || there.kind == Item::Kind::sequence;
  if (there.kind != here.kind || (!lists && (there.text != here.text || there.quoted != here.quoted)) ||
      (there.kind == Item::Kind::sequence && there.items.size() != here.items.size())) {
    all.push_back({path, short_text(&there), short_text(&here)});
    return;
  }
  if (there.kind == Item::Kind::sequence) {
    for (std::size_t i = 0; i < there.items.size(); ++i)
      compare(there.items[i], here.items[i], join_path(path, std::to_string(i)), all);
    return;
  }
  for (const Item& item : there.items) {
    const Item* other = here.find(item.key);
    if (other)
      compare(item, *other, join_path(path, item.key), all);
    else
      all.push_back({join_path(path, item.key), short_text(&item), short_text(nullptr)});
  }
  for (const Item& item : here.items)
    if (!there.find(item.key)) all.push_back({join_path(path, item.key), short_text(nullptr), short_text(&item)});
  // Nodes and rows are numbered in the order of the deck.
  const auto same_key = [](const Item& a, const Item& b) { return a.key == b.key; };
  if (all.empty() &&
      !std::equal(there.items.begin(), there.items.end(), here.items.begin(), here.items.end(), same_key))
    all.push_back({path, "in one order", "in another one"});
}

[[noreturn]] void refuse(const Deck& deck, const RestartSource& source, const std::string& what) {
  throw DeckError(
      fmt::format("{}: its restart points are of another deck than {}: {}; only a `duration` may be longer. "
                  "Run the deck from the begin, or leave it out to go on with the deck in the file",
                  source.file(), deck.file, what));
}

}  // namespace

Deck read_deck_of(const RestartSource& source, const std::vector<std::string>& settings) {
  DeckSource deck(source.info().deck_file, source.deck_text());
  for (const std::string& setting : settings) deck.set(setting);
  return deck.read();
}

std::vector<std::size_t> longer_analyses(const Deck& deck, const RestartSource& source) {
  if (digest_of_tables(deck) != source.info().tables)
    refuse(deck, source, "a table that its functions of time are read from has changed since");
  if (deck.text == source.deck_text()) return {};
  const Item there = parse_file(source.file(), source.deck_text(), "deck", "");
  const Item here = parse_file(deck.file, deck.text, "deck", "");
  std::vector<Difference> differences;
  compare(there, here, "", differences);
  for (const Difference& one : differences)
    if (!is_duration(one.path))
      refuse(deck, source, fmt::format("`{}` is {} there and {} here", one.path, one.there, one.here));
  if (differences.empty()) return {};
  const Deck before = read_deck_of(source);
  std::vector<std::size_t> longer;
  for (std::size_t i = 0; i < deck.analyses.size(); ++i) {
    const double now = deck.analyses[i].duration();
    const double then = before.analyses.at(i).duration();
    if (now < then)
      refuse(
          deck, source,
          fmt::format("`{}.duration` is {:.9g} s there and shorter here, {:.9g} s", analysis_path(deck, i), then, now));
    if (now > then) longer.push_back(i);
  }
  return longer;
}

// A pipe is empty by now.
std::string digest_of_tables(const Deck& deck) {
  std::uint64_t all = 0;
  std::error_code none;
  for (const std::string& table : deck.tables)
    if (std::filesystem::is_regular_file(table, none)) all = 31 * all + digest(read_file(table));
  return deck.tables.empty() ? "" : fmt::format("{:016x}", all);
}

}  // namespace polhode::io
