// SPDX-License-Identifier: BSD-3-Clause
// polhode info: what is in a deck or in a results file.
#include <iostream>
#include <sstream>
#include <utility>

#include "command.hpp"
#include "include_option.hpp"
#include "polhode/io/deck/deck.hpp"
#include "polhode/io/hdf5/results_reader.hpp"
#include "polhode/io/read_apart.hpp"
#include "polhode/model/catalog.hpp"
#include "polhode/model/text.hpp"

namespace polhode::cli {
namespace {

// A list of names with their number; nothing where there are none.
void write_names(std::ostream& out, const char* title, const std::vector<std::string>& names) {
  if (names.empty()) return;
  out << title << names.size() << ':';
  for (const std::string& name : names) out << ' ' << name;
  out << '\n';
}

// By a process of its own: what ends it must not end this program.
std::string summary_of_results(const std::string& file) {
  return io::read_apart(file, [&] {
    std::ostringstream out;
    io::write_summary(io::ResultsReader(file), out);
    return std::move(out).str();
  });
}

// What a deck holds, without assembling its model.
std::string summary_of_deck(const io::Deck& deck) {
  std::ostringstream out;
  out << "deck       " << deck.file << "\ntitle      " << deck.title << '\n';
  if (!deck.description.empty()) out << "about      " << deck.description << '\n';
  std::vector<std::string> names;
  for (const model::NodeEntry& node : deck.model.nodes) names.push_back(node.name);
  write_names(out, "nodes      ", names);
  const std::pair<model::Family, const char*> families[] = {
      {model::Family::body, "bodies     "},   {model::Family::beam, "beams      "},
      {model::Family::joint, "joints     "},  {model::Family::force, "forces     "},
      {model::Family::signal, "signals    "}, {model::Family::event, "events     "}};
  for (const auto& [family, title] : families) {
    names.clear();
    for (const model::Entry& entry : deck.model.entries)
      if (entry.family == family) names.push_back(entry.name + " (" + std::string(entry.kind->name) + ')');
    write_names(out, title, names);
  }
  for (const analyses::Analysis& analysis : deck.analyses)
    out << "analysis   " << analysis.type().name() << ", " << analysis.describe() << '\n';
  names.clear();
  for (const results::Response& response : deck.responses) names.push_back(response.name);
  write_names(out, "responses  ", names);
  return std::move(out).str();
}

class InfoCommand final : public Command {
 public:
  void declare(Options& options) override {
    options.required({"file", "a deck (YAML) or results (HDF5)", "FILE"}, file_);
    includes_.declare(options);
  }

  // By the signature of the file. Without one it is a deck, unless it cannot be: results whose first bytes are damaged
  // are none, and what a reader of YAML says of them helps nobody.
  int run(run::Messages&) override {
    if (io::is_hdf5_file(file_) || io::looks_like_results(file_))
      std::cout << model::shown_text(summary_of_results(file_));
    else
      std::cout << model::shown_text(summary_of_deck(io::read_deck(file_, {}, includes_.value())));
    return done;
  }

 private:
  std::string file_;
  IncludeOption includes_;
};

}  // namespace

extern const CommandType info_command{"info", "what is in a deck or in a results file", make_command<InfoCommand>};

}  // namespace polhode::cli
