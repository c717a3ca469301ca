// SPDX-License-Identifier: BSD-3-Clause
// Reading a study: its keys, the values of each varied path, and the deck that they belong to.
#include "polhode/io/study.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "polhode/io/digest.hpp"
#include "polhode/io/version.hpp"
#include "study_paths.hpp"

namespace polhode::io {
namespace {

constexpr std::string_view study_format = "polhode-study/1";
constexpr double most_cases = 1e8;
// Columns that every table has.
constexpr std::string_view own_columns[] = {"case", "status", "message", "newton_iterations", "steps", "cpu_time"};

bool is_own_column(std::string_view name) {
  return std::find(std::begin(own_columns), std::end(own_columns), name) != std::end(own_columns);
}

// A list: numbers (expressions too), or texts such as names of methods.
void read_list(const Item& item, const std::string& path, Axis& axis, Reader& reader) {
  if (item.items.empty())
    return reader.findings.add(item, path, "the list of values is empty, so there is no case; give one value or more");
  const auto is_number = [](const Item& one) {
    return one.kind == Item::Kind::scalar &&
           (one.text.starts_with('=') || (!one.quoted && one.text.find_first_of("0123456789") != std::string::npos &&
                                          one.text.find_first_not_of("0123456789+-.eE") == std::string::npos));
  };
  const auto numbers = std::count_if(item.items.begin(), item.items.end(), is_number);
  if (numbers > 0 && numbers < static_cast<std::ptrdiff_t>(item.items.size()))
    return reader.findings.add(item, path, "numbers and texts in one list; give one sort of them");
  if (numbers > 0) {
    const model::Field any{"", model::FieldType::number, "", ""};
    axis.numbers = reader.numbers(item, path, any, 0).value_or(axis.numbers);
    return;
  }
  for (std::size_t i = 0; i < item.items.size(); ++i) {
    const Item& one = item.items[i];
    if (one.kind != Item::Kind::scalar)
      reader.findings.add(one, join_path(path, std::to_string(i)),
                          "expected a number or a text, found " + describe(one) +
                              "; components of vectors are varied one by one, as in nodes.tip.position.2");
    axis.texts.push_back(one.text);
  }
}

void read_range(const Item& item, const std::string& path, Axis& axis, Reader& reader) {
  const std::size_t before = reader.findings.size();
  const auto given = reader.mapping(item, path, range_table);
  if (!given || reader.findings.size() > before) return;
  if (item.items.size() != 1)
    return reader.findings.add(item, path, "give a list of values, or exactly one of linspace, logspace");
  const Key& key = range_table.keys[given->has("linspace") ? 0 : 1];
  const std::string key_path = path + "." + std::string(key.field.name);
  const auto three = reader.numbers(item.items[0], key_path, key.field, 3);
  if (!three) return;
  const double first = (*three)[0], last = (*three)[1], count = (*three)[2];
  if (count != std::floor(count) || count < 2 || count > most_cases)
    return reader.findings.add(item.items[0], key_path,
                               "the number of values must be whole and 2 or more, is " + number_text(count) +
                                   "; a single value is a list, [" + number_text(first) + "]");
  if (first == last)
    return reader.findings.add(
        item.items[0], key_path,
        "both ends are " + number_text(first) + "; a single value is a list, [" + number_text(first) + "]");
  axis.range = true;
  axis.logarithmic = given->has("logspace");
  const auto n = static_cast<std::size_t>(count);
  axis.numbers.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double s = static_cast<double>(i) / static_cast<double>(n - 1);
    axis.numbers[i] = axis.logarithmic ? first * std::pow(last / first, s) : first + s * (last - first);
  }
  axis.numbers.back() = last;
}

void read_vary(const Item& item, Study& study, Reader& reader) {
  if (item.kind != Item::Kind::mapping || item.items.empty())
    return reader.findings.add(item, "vary",
                               item.items.empty() && item.kind != Item::Kind::scalar
                                   ? "nothing is varied, so there is no case; name at least one path of the deck"
                                   : "expected paths of the deck, each with its values; found " + describe(item));
  for (const Item& entry : item.items) {
    const std::string path = "vary." + entry.key;
    const bool twice =
        std::any_of(study.axes.begin(), study.axes.end(), [&](const Axis& other) { return other.path == entry.key; });
    if (twice) {
      reader.findings.add(entry, path, "'" + entry.key + "' stands here twice; remove one");
      continue;
    }
    Axis axis;
    axis.path = entry.key;
    if (entry.kind == Item::Kind::sequence)
      read_list(entry, path, axis, reader);
    else if (entry.kind == Item::Kind::mapping)
      read_range(entry, path, axis, reader);
    else
      reader.findings.add(entry, path,
                          "expected a list of values, {linspace: [first, last, number]} or {logspace: [...]}; found " +
                              describe(entry));
    study.axes.push_back(std::move(axis));
  }
}

void read_samples(const Item& item, const std::string& path, Sampling& sampling, Reader& reader) {
  const auto given = reader.mapping(item, path, samples_of_study_table);
  if (!given) return;
  sampling.samples = static_cast<std::size_t>(given->number("samples", 1));
  sampling.seed = static_cast<std::uint64_t>(given->number("seed", 0));
}

void read_sampling(const Item& item, Study& study, Reader& reader) {
  Sampling& sampling = study.sampling;
  if (item.kind == Item::Kind::mapping) {
    const std::size_t before = reader.findings.size();
    const auto given = reader.mapping(item, "sampling", sampling_table);
    if (!given || reader.findings.size() > before) return;
    if (item.items.size() != 1)
      return reader.findings.add(item, "sampling", "give exactly one of latin_hypercube, sobol");
    sampling.kind = given->has("sobol") ? Sampling::Kind::sobol : Sampling::Kind::latin_hypercube;
    return read_samples(item.items[0], "sampling." + item.items[0].key, sampling, reader);
  }
  for (const Key& key : study_table.keys)
    if (key.form == Form::choice_or_mapping)
      if (const auto choice = reader.value(item, "sampling", key.field, study_table.name))
        sampling.kind = std::get<std::string>(*choice) == "zip" ? Sampling::Kind::zip : Sampling::Kind::grid;
}

void check_number_of_cases(const Item& root, const Study& study, Findings& findings) {
  const Item& vary = *root.find("vary");
  if (study.sampling.kind == Sampling::Kind::zip) {
    for (std::size_t i = 1; i < study.axes.size(); ++i)
      if (study.axes[i].size() != study.axes[0].size())
        findings.add(vary.items[i], "vary." + study.axes[i].path,
                     "has " + std::to_string(study.axes[i].size()) + " values, but '" + study.axes[0].path + "' has " +
                         std::to_string(study.axes[0].size()) + "; with sampling zip all have as many");
  } else if (study.sampling.kind == Sampling::Kind::grid) {
    double all = 1;
    for (const Axis& axis : study.axes) all *= static_cast<double>(axis.size());
    if (all > most_cases)
      findings.add(vary, "vary",
                   "makes a grid of " + rounded_text(all) + " cases, more than " + rounded_text(most_cases) +
                       "; take fewer values, or samples");
  } else if (study.sampling.kind == Sampling::Kind::sobol && study.axes.size() > 32) {
    findings.add(vary, "vary", "Sobol's sequence is there for 32 numbers at most; take latin_hypercube");
  }
}

std::string digest_text(const std::string& text) {
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(digest(text)));
  return digits;
}

// Files that the deck names count with what is in them.
void add_files_to(const Item& item, const std::string& folder, std::string& text) {
  if (item.key == "file" && item.kind == Item::Kind::scalar) try {
      text += read_file(item.text.starts_with('/') ? item.text : folder + item.text);
    } catch (const FileError&) {  // told by the reader of the deck
    }
  for (const Item& inner : item.items) add_files_to(inner, folder, text);
}

void set_identity(const Item& root, const std::string& deck_as_read, Study& study) {
  std::string files;
  add_files_to(study.deck.impl().root, folder_of(study.deck.impl().file), files);
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

std::size_t Study::cases() const {
  if (sampling.kind == Sampling::Kind::latin_hypercube || sampling.kind == Sampling::Kind::sobol)
    return sampling.samples;
  if (sampling.kind == Sampling::Kind::zip) return axes[0].size();
  std::size_t all = 1;
  for (const Axis& axis : axes) all *= axis.size();
  return all;
}

Study read_study(const std::string& file) {
  const std::string text = read_file(file);
  const Item root = parse_file(file, text, "study", study_format);
  Findings findings("study");
  Reader reader(findings, folder_of(file));
  check_format(root, study_format, "study", findings);
  const auto given = reader.mapping(root, "", study_table);
  const std::string deck = given->text("deck", "");
  if (deck.empty()) throw DeckError(findings.text(file));
  const auto open = [&] {
    try {
      return DeckSource(deck.starts_with('/') ? deck : folder_of(file) + deck);
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
  const Item* responses = root.find("responses");
  if (responses) read_responses(*responses, reader);
  if (findings.empty()) check_number_of_cases(root, study, findings);

  const std::string deck_as_read = write_document(study.deck.impl().root);
  const std::vector<analyses::Response> own = study.deck.read(false).responses;  // throws what is wrong with the deck
  for (const analyses::Response& response : own)
    if (is_own_column(response.name))
      throw DeckError(study.deck.impl().file + ": responses." + response.name +
                      ": a table of a study has a column of this name; rename the response");
  check_paths(root, study, findings);
  if (responses) {
    for (const Item& entry : responses->items)
      if (is_own_column(entry.key))
        findings.add(entry, "responses." + entry.key, "the table has a column of this name; choose another name");
    add_responses(*responses, study, findings);
  }
  if (!findings.empty()) throw DeckError(findings.text(file));
  set_identity(root, deck_as_read, study);
  return study;
}

std::string format_problems(const Study& study, const Deck& deck, const model::Problems& problems) {
  Findings findings("study");
  model::Problems of_deck;
  for (const model::Problem& problem : problems) {
    const auto place = study.places.find(problem.path);
    const bool of_study = problem.path.starts_with("responses.") && place != study.places.end();
    of_study ? findings.add(place->second, problem.path, problem.message) : of_deck.push_back(problem);
  }
  const std::string first = findings.text(study.file), second = format_problems(deck, of_deck);
  return first + (first.empty() || second.empty() ? "" : "\n") + second;
}

}  // namespace polhode::io
