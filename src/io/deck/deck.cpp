// SPDX-License-Identifier: BSD-3-Clause
// Reading a deck: the file, --set, its parts in the order of their references, and all problems at the end.
#include "polhode/io/deck/deck.hpp"

#include <cstring>
#include <filesystem>
#include <utility>

#include "deck_source.hpp"
#include "io/files/read_whole.hpp"
#include "model_reader.hpp"
#include "parts/expand_parts.hpp"
#include "parts/include_files.hpp"
#include "polhode/model/model_settings.hpp"
#include "polhode/model/node_order.hpp"
#include "read_settings.hpp"

namespace polhode::io {

// What has no end is no deck; what cannot be read may be one.
std::string read_file(const std::string& file) {
  WholeText whole = read_whole(file);
  if (whole.error != 0) throw FileError("cannot read '" + file + "': " + std::strerror(whole.error));
  if (!whole.refusal.empty()) throw DeckError(file + ": " + whole.refusal);
  return std::move(whole.text);
}

// With its slash, so that a name can be appended as it is.
std::string folder_of(const std::string& file) {
  const std::size_t slash = file.rfind('/');
  return slash == std::string::npos ? "" : file.substr(0, slash + 1);
}

// Places serve messages of checks that know paths only (the model's, the analyses').
// Of vectors the list's own place is enough, and a large deck is mostly vectors.
void collect_places(const Item& item, const std::string& path, std::map<std::string, Place>& places) {
  for (std::size_t i = 0; i < item.items.size(); ++i) {
    const Item& inner = item.items[i];
    if (inner.listed && inner.kind == Item::Kind::scalar) return;  // components take the place of their list
    const std::string inner_path = join_path(path, inner.listed ? std::to_string(i) : inner.key);
    places.emplace(inner_path, inner.place);
    collect_places(inner, inner_path, places);
  }
}

// First key, so that other programs recognize a deck by its first line.
void check_format(const Item& root, std::string_view format_name, const std::string& what, Findings& findings) {
  const Item* format = root.find("format");
  if (!format) return;  // reported as a missing key
  if (format->kind != Item::Kind::scalar || format->text != format_name)
    findings.add(*format, "format",
                 "this version reads '" + std::string(format_name) + "', found " + describe(*format));
  else if (format != &root.items.front())
    findings.add(*format, "format", "must be the first key of the " + what + "; move it to the top");
}

namespace {

// Inner nodes of beams are named after their beam, as entries of an instance are after the instance: a node of the
// same name is refused.
void check_inner_nodes(Reader& reader) {
  for (const std::string& name : reader.names.nodes.list) {
    const std::size_t dot = name.rfind('.');
    const std::string beam = name.substr(0, dot);
    const auto count = dot == std::string::npos ? reader.names.inner_nodes.end() : reader.names.inner_nodes.find(beam);
    if (count == reader.names.inner_nodes.end()) continue;
    const Item& there = *reader.names.beams.by_name.at(beam);
    for (int k = 1; k <= count->second; ++k)
      if (name.substr(dot + 1) == std::to_string(k))
        reader.findings.add(*reader.names.nodes.by_name.at(name), "nodes." + name,
                            "is also the name of an inner node of the beam '" + beam + "', " +
                                reader.findings.place_text(there.place) + "; rename one of them");
  }
}

// The parts of the deck, each after those that it refers to.
void read_parts(const Mapping& root, Deck& deck, Reader& reader) {
  model::Model& model = deck.model;
  std::vector<model::Entry> starts;
  const auto part = [&](std::string_view key, auto read) {
    if (const Item* item = root.find(key)) read(*item);
  };
  // Whether constraints need a tolerance is known before joints are read.
  const Item* joints = root.find("joints");
  reader.facts.has_joints = joints && !joints->items.empty();
  part("analysis", [&](const Item& item) {
    const std::size_t before = reader.findings.size();
    deck.analyses = read_analyses(item, reader, starts);
    // Users of faulty parameters are silent.
    reader.facts.end_is_known = reader.findings.size() == before && reader.parameters.faulty.empty();
  });
  reader.facts.end_time = analyses::duration_of(deck.analyses);
  part("units", [&](const Item& item) { read_settings(item, "units", model::units_table, &deck.units, reader); });
  part("nodes", [&](const Item& item) {
    model.nodes = read_nodes(item, reader);
    if (item.items.empty()) reader.findings.add(item, "nodes", "there are no nodes, so nothing can move");
  });
  part("sections", [&](const Item& item) { model.sections = read_sections(item, reader); });
  for (const std::string key : {"bodies", "beams", "joints", "forces", "signals", "events"})
    part(key, [&](const Item& item) { read_family(item, key, reader, model.entries); });
  model.entries.insert(model.entries.end(), starts.begin(), starts.end());
  check_inner_nodes(reader);
  part("initial_motion", [&](const Item& item) { model.initial_motion = read_initial_motion(item, reader); });
  part("constraints",
       [&](const Item& item) { read_settings(item, "constraints", model::constraints_table, &model, reader); });
  part("initial", [&](const Item& item) { read_settings(item, "initial", model::initial_table, &model, reader); });
  part("output", [&](const Item& item) { read_settings(item, "output", results::output_table, &deck.output, reader); });
  part("responses", [&](const Item& item) { deck.responses = read_responses(item, reader); });
}

}  // namespace

// Without a tree no later problem can be found, so these two are thrown at once.
// The mapping stands at the begin of the file, where its missing keys are reported.
Item parse_file(const std::string& file, const std::string& text, const std::string& what,
                std::string_view format_name) {
  Findings findings(what);
  Item root;
  try {
    root = parse_document(text);
  } catch (const SyntaxError& error) {
    findings.add(error.place, what, error.what());
    throw DeckError(findings.text(file));
  }
  if (root.kind != Item::Kind::mapping) {
    const bool empty = root.kind == Item::Kind::nothing;
    findings.add({1, 1}, what,
                 (empty ? "the file holds nothing" : "expected a mapping, found " + describe(root)) + "; a " + what +
                     " begins with 'format: " + std::string(format_name) + "'");
    throw DeckError(findings.text(file));
  }
  root.place = {1, 1};
  return root;
}

// Parameters first, since any number may use them; names next, so that entries may refer to each other in
// any order. Reading goes on after problems: all are reported together.
Deck read_tree(const DeckSource::Impl& source, Findings& findings) {
  findings.set_files(source.included);
  // Copied only where it differs.
  const bool has_instances = has_parts(source.root);
  const Item expanded = has_instances ? source.flat(findings) : Item();
  const Item& root = has_instances ? expanded : source.root;
  Deck deck;
  deck.file = source.file;
  deck.included = source.included;
  collect_places(root, "", deck.places);
  Reader reader(findings, folder_of(source.file));
  check_format(root, deck_format, "deck", findings);
  if (const Item* parameters = root.find("parameters")) read_parameters(*parameters, reader);
  check_made_parameters(source, findings);
  read_names(root, reader);
  if (const Item* include = root.find("include"))
    findings.add(*include, "include", "files are included before values are set; write them into the deck");
  const auto given = reader.mapping(root, "", deck_table);
  deck.title = given->text("title", "");
  deck.description = given->text("description", "");
  deck.model.gravity = given->vector3("gravity", math::Vec3::Zero());
  if (given->has("size")) deck.model.size = given->number("size", 1);
  read_parts(*given, deck, reader);
  if (findings.empty()) model::set_order(deck.model);
  deck.model.duration = reader.facts.end_time;
  // Methods whose steps have invariants of their own take beams by directors; all analyses see the same beams.
  deck.model.directors = analyses::contents_of(deck.analyses).discrete_invariants;
  deck.tables = std::move(reader.tables);
  return deck;
}

// File and syntax are checked here, content in read(): settings may come between.
DeckSource::DeckSource(const std::string& file, Includes includes) : DeckSource(file, read_file(file), includes) {}

DeckSource::DeckSource(const std::string& file, const std::string& text, Includes includes)
    : impl_(std::make_unique<Impl>()) {
  impl_->file = file;
  impl_->text = text;
  impl_->root = parse_file(file, impl_->text, "deck", deck_format);
  include_files(*impl_, includes);
}
DeckSource::~DeckSource() = default;
DeckSource::DeckSource(DeckSource&&) noexcept = default;
DeckSource& DeckSource::operator=(DeckSource&&) noexcept = default;

void DeckSource::set(const std::string& setting) { impl_->set(setting); }

void DeckSource::set_value(const std::string& path, const std::string& value) { impl_->set_value(path, value); }

// The text is that of the file while nothing was set, with its comments; else the tree as YAML.
Deck DeckSource::read(bool with_text) const {
  Findings findings;
  Deck deck = read_tree(*impl_, findings);
  if (!findings.empty()) throw DeckError(findings.text(impl_->file));
  // Cases of a study need no text: writing a tree takes longer than a small run.
  if (with_text) deck.text = text();
  return deck;
}

namespace {

// `file` keys are names of tables beside the deck, wherever they stand.
void make_files_absolute(Item& item, const std::filesystem::path& folder) {
  if (item.key == "file" && item.kind == Item::Kind::scalar) item.text = (folder / item.text).lexically_normal();
  for (Item& inner : item.items) make_files_absolute(inner, folder);
}

}  // namespace

void DeckSource::use_absolute_files() {
  make_files_absolute(impl_->root, std::filesystem::absolute(impl_->file).parent_path());
}

// What is wrong is reported as read() does.
std::string DeckSource::flat_text() const {
  Findings findings;
  read_tree(*impl_, findings);
  if (!findings.empty()) throw DeckError(findings.text(impl_->file));
  return has_parts(impl_->root) ? write_document(impl_->flat(findings)) : text();
}

const std::string& DeckSource::file() const { return impl_->file; }

// Entries that instances make can be set in a flat deck alone.
std::string DeckSource::text() const {
  Findings unread;
  if (!impl_->late_settings.empty()) return write_document(impl_->flat(unread));
  return impl_->changed ? write_document(impl_->root) : impl_->text;
}

Deck read_deck(const std::string& file, const std::vector<std::string>& settings, Includes includes) {
  DeckSource source(file, includes);
  for (const std::string& setting : settings) source.set(setting);
  return source.read();
}

// The place of a problem is that of its path or, where the deck leaves that to a default,
// of the nearest entry above it.
std::string format_problems(const Deck& deck, const model::Problems& problems) {
  Findings findings;
  findings.set_files(deck.included);
  for (const model::Problem& problem : problems) {
    std::string known = problem.path;
    auto place = deck.places.find(known);
    while (place == deck.places.end() && !known.empty()) {
      const std::size_t dot = known.rfind('.');
      known = known.substr(0, dot == std::string::npos ? 0 : dot);
      place = deck.places.find(known);
    }
    findings.add(place == deck.places.end() ? Place{1, 1} : place->second, problem.path, problem.message);
  }
  return findings.text(deck.file);
}

void throw_problems(const Deck& deck, const model::Problems& problems) {
  if (!problems.empty()) throw DeckError(format_problems(deck, problems));
}

// As the deck has it: a list has indices, a single analysis none.
std::string analysis_path(const Deck& deck, std::size_t index) {
  return deck.places.contains("analysis.0") ? "analysis." + std::to_string(index) : "analysis";
}

}  // namespace polhode::io
