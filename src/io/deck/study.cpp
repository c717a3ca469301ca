// SPDX-License-Identifier: BSD-3-Clause
// Reading a study: its keys, the values of each varied path, and the deck that they belong to.
#include "polhode/io/deck/study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "polhode/io/digest.hpp"
#include "polhode/io/version.hpp"
#include "study_reader.hpp"

namespace polhode::io {
namespace {

constexpr std::string_view study_format = "polhode-study/1";
// Columns that every table has.
constexpr std::string_view own_columns[] = {"case", "status", "message", "newton_iterations", "steps", "cpu_time"};

// Names that responses of a study cannot have.
bool is_own_column(std::string_view name) {
  return std::find(std::begin(own_columns), std::end(own_columns), name) != std::end(own_columns);
}

// Durations may be varied themselves, or by parameters: then each case has an end of its own.
bool may_vary_times(const Study& study) {
  return std::any_of(study.axes.begin(), study.axes.end(), [](const Axis& axis) {
    return axis.path.starts_with("analysis") || axis.path.starts_with("parameters");
  });
}

// Products of numbers of values grow fast; in floating point none overflows.
void check_number_of_cases(const Item& root, const Study& study, Findings& findings) {
  const Item& vary = *root.find("vary");
  if (study.sampling.kind == Sampling::Kind::zip) {
    for (std::size_t i = 1; i < study.axes.size(); ++i)
      if (study.axes[i].size() != study.axes[0].size())
        findings.add(vary.items[i], "vary." + study.axes[i].path,
                     "has " + std::to_string(study.axes[i].size()) + " values, but '" + study.axes[0].path + "' has " +
                         std::to_string(study.axes[0].size()) + "; with sampling zip all have as many");
  } else if (study.sampling.kind == Sampling::Kind::grid) {
    // Each axis with each.
    double all = 1;
    for (const Axis& axis : study.axes) all *= static_cast<double>(axis.size());
    if (all > most_cases)
      findings.add(vary, "vary",
                   "makes a grid of " + rounded_text(all) + " cases, and a study has at most " +
                       rounded_text(most_cases) + "; take fewer values, or samples");
  } else if (study.sampling.kind == Sampling::Kind::sobol && study.axes.size() > 32) {
    findings.add(vary, "vary", "Sobol's sequence is there for 32 numbers at most; take latin_hypercube");
  }
}

// Sixteen hexadecimal digits.
std::string digest_text(const std::string& text) { return fmt::format("{:016x}", digest(text)); }

// Files that the deck names count with what is in them.
void add_files_to(const Item& item, const std::string& folder, std::string& text) {
  if (item.key == "file" && item.kind == Item::Kind::scalar) try {
      text += read_file(item.text.starts_with('/') ? item.text : folder + item.text);
    } catch (const FileError&) {  // both reported by the reader of the deck
    } catch (const DeckError&) {
    }
  for (const Item& inner : item.items) add_files_to(inner, folder, text);
}

// All that decides what a row holds: program version, deck with the files that it names, variations,
// sampling, responses. Shards of one study are put together only if all parts are equal,
// and a message names the part that is not.
void set_identity(const Item& root, const std::string& deck_as_read, Study& study) {
  std::string files;
  add_files_to(study.deck.impl().root, folder_of(study.deck.impl().file), files);
  // Another version of the program may give other digits.
  study.identity.emplace_back("polhode", version);
  study.identity.emplace_back("deck", digest_text(deck_as_read + files));
  for (const Item& entry : root.find("vary")->items) study.identity.emplace_back("vary." + entry.key, flow_text(entry));
  const Item* sampling = root.find("sampling");
  study.identity.emplace_back("sampling", sampling ? flow_text(*sampling) : "grid");
  if (const Item* responses = root.find("responses"))
    for (const Item& entry : responses->items) study.identity.emplace_back("responses." + entry.key, flow_text(entry));
}

// The responses of the study go into the tree of the deck.
void add_responses(const Item& given, Study& study, Findings& findings) {
  Item& deck = study.deck.impl().root;
  auto own = std::find_if(deck.items.begin(), deck.items.end(), [](const Item& i) { return i.key == "responses"; });
  if (own == deck.items.end()) {
    Item made;
    made.key = "responses";
    own = deck.items.insert(own, std::move(made));
  }
  // `responses:` without entries is nothing until now.
  own->kind = Item::Kind::mapping;
  for (const Item& entry : given.items) {
    if (own->find(entry.key))
      findings.add(entry, "responses." + entry.key,
                   "the deck has a response of this name already; choose another name");
    else
      own->items.push_back(entry);
  }
  study.deck.impl().changed = true;
}

}  // namespace

// The number of rows that the whole study will have.
std::size_t Study::cases() const {
  if (sampling.kind == Sampling::Kind::latin_hypercube || sampling.kind == Sampling::Kind::sobol)
    return sampling.samples;
  if (sampling.kind == Sampling::Kind::zip) return axes[0].size();
  std::size_t all = 1;
  for (const Axis& axis : axes) all *= axis.size();
  return all;
}

// The deck is read once as it is, so that its own problems are reported under its own name,
// before any path of the study is held against it. Responses of the study join those of the deck afterwards;
// the text for the identity is taken before that.
Study read_study(const std::string& file, Includes includes) {
  const std::string text = read_file(file);
  const Item root = parse_file(file, text, "study", study_format);
  Findings findings("study");
  Reader reader(findings, folder_of(file));
  check_format(root, study_format, "study", findings);
  const auto given = reader.mapping(root, "", study_table);
  const std::string deck = given->text("deck", "");
  if (deck.empty()) throw DeckError(findings.text(file));
  // The path is the study's, so a missing deck is a finding there.
  const auto open = [&] {
    try {
      return DeckSource(deck.starts_with('/') ? deck : folder_of(file) + deck, includes);
    } catch (const FileError& error) {
      findings.add(*root.find("deck"), "deck", std::string(error.what()) + "; the path is relative to the study");
      throw DeckError(findings.text(file));
    }
  };
  Study study{file, given->text("title", ""), text, open(), {}, {}, Study::Keep::responses, {}, {}};
  collect_places(root, "", study.places);
  if (const std::string keep = given->text("keep", "responses"); keep != "responses")
    study.keep = keep == "all" ? Study::Keep::all : Study::Keep::failed;
  if (const Item* vary = root.find("vary")) read_vary(*vary, study, reader);
  if (const Item* sampling = root.find("sampling")) read_sampling(*sampling, study, reader);
  // Counts of faulty axes would only add messages.
  if (findings.empty()) check_number_of_cases(root, study, findings);

  const std::string deck_as_read = write_document(study.deck.impl().root);
  const Deck own = study.deck.read(false);  // throws what is wrong with the deck
  for (const results::Response& response : own.responses)
    if (is_own_column(response.name))
      throw DeckError(study.deck.impl().file + ": responses." + response.name +
                      ": a table of a study has a column of this name; rename the response");
  check_paths(root, study, findings);
  if (const Item* responses = root.find("responses")) {
    reader.facts.end_time = analyses::duration_of(own.analyses);
    reader.facts.end_is_known = !may_vary_times(study);
    // Expressions of responses may take those of the deck, which is sound
    if (const Item* parameters = study.deck.impl().root.find("parameters")) read_parameters(*parameters, reader);
    read_responses(*responses, reader);
    for (const Item& entry : responses->items)
      if (is_own_column(entry.key))
        findings.add(entry, "responses." + entry.key, "the table has a column of this name; choose another name");
    add_responses(*responses, study, findings);
  }
  if (!findings.empty()) throw DeckError(findings.text(file));
  set_identity(root, deck_as_read, study);
  return study;
}

// Problems with responses that the study gave stand in the study, all others in the deck.
std::string format_problems(const Study& study, const Deck& deck, const model::Problems& problems) {
  Findings findings("study");
  model::Problems of_deck;
  for (const model::Problem& problem : problems) {
    const auto place = study.places.find(problem.path);
    const bool of_study = problem.path.starts_with("responses.") && place != study.places.end();
    if (of_study) {
      findings.add(place->second, problem.path, problem.message);
    } else {
      of_deck.push_back(problem);
    }
  }
  const std::string first = findings.text(study.file);
  const std::string second = format_problems(deck, of_deck);
  return first + (first.empty() || second.empty() ? "" : "\n") + second;
}

void throw_problems(const Study& study, const Deck& deck, const model::Problems& problems) {
  if (!problems.empty()) throw DeckError(format_problems(study, deck, problems));
}

}  // namespace polhode::io
