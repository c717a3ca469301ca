// SPDX-License-Identifier: BSD-3-Clause
// Errors of responses by finer runs.
#include "polhode/run/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>

#include "polhode/integrators/catalog.hpp"

namespace polhode::run {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();
// Of a quantity with an error e h^2 that of the coarse run is 4/3 of the difference to one with half of h.
constexpr double of_difference = 4.0 / 3.0;
// Differences below this part of a response are those of round-off.
constexpr double round_off = 1e-14;

// PATH=VALUE of each transient.
std::vector<std::string> finer_steps(const io::Deck& deck) {
  std::vector<std::string> settings;
  for (std::size_t i = 0; i < deck.analyses.size(); ++i) {
    const auto* transient = deck.analyses[i].as<analyses::TransientSettings>();
    if (!transient) continue;
    const std::string path = io::analysis_path(deck, i) + ".step";
    if (!transient->control) {
      settings.push_back(fmt::format("{}={:.17g}", path, transient->step / 2));
      continue;
    }
    const integrators::StepControlSettings& control = *transient->control;
    const integrators::StepRule& rule = integrators::method_of(transient->integrator).rule;
    const double most = integrators::step_sizes(control, rule, transient->duration, transient->duration).max;
    settings.push_back(fmt::format("{}.tolerance={:.17g}", path, control.tolerance / 4));
    settings.push_back(fmt::format("{}.max={:.17g}", path, most / 2));
    if (control.initial) settings.push_back(fmt::format("{}.initial={:.17g}", path, *control.initial / 2));
  }
  return settings;
}

// Whether the text has this, at the begin of a word, and a number behind it.
bool has_numbered(const std::string& text, const std::string& words) {
  const auto is_part_of_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  for (std::size_t at = text.find(words); at != std::string::npos; at = text.find(words, at + 1)) {
    const std::size_t next = at + words.size();
    const bool begins = at == 0 || !is_part_of_word(text[at - 1]);
    if (begins && next < text.size() && (std::isdigit(static_cast<unsigned char>(text[next])) || text[next] == '-'))
      return true;
  }
  return false;
}

// What a beam of twice the elements has at other places, which the deck names; "" where it names nothing of the kind. A
// beam of a part has its last name in the text of the part.
std::string_view named_places(const std::string& text, const std::string& beam) {
  const std::string name = beam.substr(beam.rfind('.') + 1);
  if (has_numbered(text, name + '.')) return "inner nodes";
  for (const char* quantity : {".forces[", ".strains["})
    if (has_numbered(text, name + quantity)) return "integration points";
  return "";
}

// PATH=VALUE of each beam; the notes say why there are none.
std::vector<std::string> finer_elements(const io::Deck& deck, std::vector<std::string>& notes) {
  std::vector<std::string> settings;
  for (const model::Entry& entry : deck.model.entries) {
    if (entry.family != model::Family::beam || !entry.has("elements")) continue;
    if (const std::string_view named = named_places(deck.text, entry.name); !named.empty()) {
      notes.push_back(fmt::format("elements are not verified: the deck names {} of {}, which would be others", named,
                                  entry.path()));
      return {};
    }
    settings.push_back(fmt::format("{}.elements={}", entry.path(), 2 * static_cast<int>(entry.number("elements", 1))));
  }
  if (settings.empty()) notes.emplace_back("elements are not verified: no beam has a number of elements");
  return settings;
}

// The responses of the deck with these settings; nothing where its run does not end well.
std::optional<std::vector<ResponseValue>> run_with(const io::Deck& deck, const std::vector<std::string>& settings,
                                                   int threads, const RunCallbacks& callbacks) {
  io::DeckSource source(deck.file, deck.text);
  for (const std::string& setting : settings) source.set(setting);
  const io::Deck finer = source.read(false);
  RunSettings quiet;
  quiet.threads = threads;
  quiet.summarize = false;
  RunCallbacks only;
  only.interrupted = callbacks.interrupted;
  RunResult result = run_deck(finer, quiet, only);
  if (result.status != Status::completed) return std::nullopt;
  return std::move(result.responses);
}

void set_errors(const RunResult& result, const std::optional<std::vector<ResponseValue>>& finer, const char* with,
                std::optional<double> ResponseError::*member, Verification& verification) {
  if (!finer) verification.notes.push_back(fmt::format("no estimate: the run with {} did not end well", with));
  for (std::size_t i = 0; i < result.responses.size(); ++i) {
    const double value = result.responses[i].value;
    double difference = finer ? std::abs((*finer)[i].value - value) : none;
    if (difference < round_off * std::abs(value)) difference = 0;
    verification.errors[i].*member = of_difference * difference;
  }
}

}  // namespace

Verification verify_run(const io::Deck& deck, const RunResult& result, const VerifySettings& settings,
                        const RunCallbacks& callbacks) {
  Verification verification;
  for (const ResponseValue& response : result.responses) verification.errors.push_back({response.name});
  if (result.responses.empty()) verification.notes.emplace_back("nothing to verify: the deck has no `responses`");
  if (result.responses.empty()) return verification;
  const std::vector<std::string> steps = finer_steps(deck);
  if (!steps.empty())
    set_errors(result, run_with(deck, steps, settings.threads, callbacks), "half the step", &ResponseError::steps,
               verification);
  std::vector<std::string> elements;
  if (settings.elements) elements = finer_elements(deck, verification.notes);
  if (!elements.empty())
    set_errors(result, run_with(deck, elements, settings.threads, callbacks), "twice the elements",
               &ResponseError::elements, verification);
  if (steps.empty() && elements.empty())
    verification.notes.emplace_back(
        "no analysis has steps in time: errors are those of elements, which --verify-elements estimates");
  for (ResponseError& error : verification.errors) {
    const bool verified = error.steps || error.elements;
    error.all = verified ? error.steps.value_or(0) + error.elements.value_or(0) : none;
  }
  return verification;
}

std::vector<std::string> lines_of(const Verification& verification, const RunResult& result) {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < verification.errors.size(); ++i) {
    const ResponseError& error = verification.errors[i];
    const double value = result.responses[i].value;
    if (std::isnan(error.all)) {
      lines.push_back(fmt::format("{} = {:.9g}, error not known", error.name, value));
      continue;
    }
    std::string line = fmt::format("{} = {:.9g} +- {:.2g}", error.name, value, error.all);
    if (value != 0) line += fmt::format("  ({:.2g} %)", 100 * error.all / std::abs(value));
    if (error.steps && error.elements)
      line += fmt::format(": steps {:.2g}, elements {:.2g}", *error.steps, *error.elements);
    lines.push_back(std::move(line));
  }
  lines.insert(lines.end(), verification.notes.begin(), verification.notes.end());
  return lines;
}

}  // namespace polhode::run
