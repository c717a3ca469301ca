// SPDX-License-Identifier: BSD-3-Clause
// polhode info: what is in a deck or in a results file.
#include <fmt/format.h>

#include <iostream>
#include <sstream>
#include <utility>

#include "command.hpp"
#include "polhode/io/deck/deck.hpp"
#include "polhode/io/hdf5/results_reader.hpp"
#include "polhode/model/catalog.hpp"

namespace polhode::cli {
namespace {

std::string text_of(const analyses::TransientSettings& settings) {
  std::ostringstream text;
  text << "transient, " << settings.duration << " s with ";
  if (settings.control)
    text << "steps by tolerance " << settings.control->tolerance;
  else
    text << "step " << settings.step << " s";
  text << ", " << settings.integrator.method;
  return text.str();
}

std::string text_of(const analyses::InitialSettings&) { return "initial, constraints met with the least change"; }

std::string text_of(const analyses::StaticSettings& settings) {
  const bool arc_length = settings.control == analyses::StaticSettings::Control::arc_length;
  return std::string("static, ") + (arc_length ? "along the path of equilibria" : "load factor from 0 to 1") +
         (settings.rotation ? ", in a rotating frame" : "");
}

std::string text_of(const analyses::ModalSettings& settings) {
  const std::string text = settings.band
                               ? fmt::format("modal, from {:g} to {:g} Hz", (*settings.band)[0], (*settings.band)[1])
                               : fmt::format("modal, the lowest {} modes", settings.modes);
  return text + (settings.rotation ? ", in a rotating frame" : "");
}

std::string text_of(const analyses::LinearizeSettings& settings) {
  const auto count = [](std::size_t n, const char* what) {
    return std::to_string(n) + ' ' + what + (n == 1 ? "" : "s");
  };
  return "linearize, " + count(settings.inputs.size(), "input") + ", " + count(settings.outputs.size(), "output") +
         (settings.rotation ? ", in a rotating frame" : "");
}

void write_names(std::ostream& out, const char* title, const std::vector<std::string>& names) {
  if (names.empty()) return;
  out << title << names.size() << ':';
  for (const std::string& name : names) out << ' ' << name;
  out << '\n';
}

void write_summary(const io::Deck& deck, std::ostream& out) {
  out << "deck       " << deck.file << "\ntitle      " << deck.title << '\n';
  if (!deck.description.empty()) out << "about      " << deck.description << '\n';
  std::vector<std::string> names;
  for (const model::NodeEntry& node : deck.model.nodes) names.push_back(node.name);
  write_names(out, "nodes      ", names);
  const std::pair<model::Family, const char*> families[] = {{model::Family::body, "bodies     "},
                                                            {model::Family::beam, "beams      "},
                                                            {model::Family::joint, "joints     "},
                                                            {model::Family::force, "forces     "}};
  for (const auto& [family, title] : families) {
    names.clear();
    for (const model::Entry& entry : deck.model.entries)
      if (entry.family == family) names.push_back(entry.name + " (" + std::string(entry.kind->name) + ')');
    write_names(out, title, names);
  }
  for (const analyses::Analysis& analysis : deck.analyses)
    out << "analysis   " << std::visit([](const auto& settings) { return text_of(settings); }, analysis) << '\n';
  names.clear();
  for (const results::Response& response : deck.responses) names.push_back(response.name);
  write_names(out, "responses  ", names);
}

class InfoCommand final : public Command {
 public:
  void declare(Options& options) override {
    options.required({"file", "a deck (YAML) or results (HDF5)", "FILE"}, file_);
  }

  int run(run::Messages&) override {
    if (io::is_hdf5_file(file_))
      io::write_summary(io::ResultsReader(file_), std::cout);
    else
      write_summary(io::read_deck(file_), std::cout);
    return done;
  }

 private:
  std::string file_;
};

}  // namespace

extern const CommandType info_command{"info", "what is in a deck or in a results file", make_command<InfoCommand>};

}  // namespace polhode::cli
