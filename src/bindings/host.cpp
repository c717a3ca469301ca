// SPDX-License-Identifier: BSD-3-Clause
// From the deck to the responses.
#include "polhode/bindings/host.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "polhode/analyses/initial/posture.hpp"
#include "polhode/analyses/linearize/prepared_loops.hpp"

namespace polhode::bindings {
namespace {

// The ground first, which is node 0, then as results have them. A model that was refused has no state.
template <class Value>
void take_nodes(const std::vector<Value>& from, const std::vector<int>& node_axis, std::vector<Value>& to) {
  to.resize(from.size());
  if (from.empty()) return;
  to[0] = from[0];
  for (std::size_t place = 0; place < node_axis.size(); ++place)
    to[place + 1] = from[static_cast<std::size_t>(node_axis[place])];
}

}  // namespace

// A state has the same sizes from its start on, so that nothing is allocated again.
void StateArrays::take(const model::State& q, const std::vector<int>& node_axis) {
  take_nodes(q.x, node_axis, x);
  take_nodes(q.R, node_axis, R);
  take_nodes(q.v, node_axis, v);
  take_nodes(q.vdot, node_axis, vdot);
  lambda = q.lambda;
}

// The text is parsed at once, so that settings can be made; it is read as a deck when the run starts.
Host::Host(const std::string& file) : source_(file) {}

Host::Host(const std::string& name, const std::string& text) : source_(name, text) {}

// The deck is what it is once the run has begun.
void Host::require_before_start(const char* what) const {
  if (simulation_) throw UseError(std::string(what) + " comes before the first step; make a new simulation");
}

void Host::set(const std::string& setting) {
  require_before_start("set");
  source_.set(setting);
  deck_.reset();
}

// An empty name is that of no file.
void Host::write_results_to(const std::string& file) {
  require_before_start("the file for results");
  settings_.results_file = file;
}

// Read again behind each setting.
const io::Deck& Host::deck() {
  if (!deck_) deck_ = std::make_unique<io::Deck>(source_.read());
  return *deck_;
}

// Once; an exception of the deck leaves the host as it was.
bool Host::start() {
  if (simulation_) return !is_done_;
  run::RunCallbacks callbacks;
  callbacks.assembled = [this](const assembly::System& system) { name_nodes(system); };
  simulation_ = std::make_unique<run::Simulation>(deck(), settings_, callbacks);
  const bool goes_on = simulation_->start();
  name_signals();
  return note_end(goes_on);
}

// The ground has no name in results.
void Host::name_nodes(const assembly::System& system) {
  node_axis_.assign(system.node_axis().begin(), system.node_axis().end());
  for (const int node : node_axis_) nodes_.push_back(system.node(static_cast<std::size_t>(node)).name);
}

// A signal of several outputs has the name of its first one, too.
void Host::name_signals() {
  const std::vector<run::SignalPlace>& signals = simulation_->signals();
  for (std::size_t i = 0; i < signals.size(); ++i) {
    names_[signals[i].name] = {i, 0};
    for (std::size_t k = 0; signals[i].size > 1 && k < signals[i].size; ++k)
      names_[fmt::format("{}.{}", signals[i].name, k)] = {i, k};
  }
}

// Whatever comes behind the end is no step.
bool Host::step() {
  if (!start() || is_done_) return false;
  return note_end(simulation_->step());
}

// A time that is reached but for round-off is reached.
bool Host::advance(double h) {
  if (!(h > 0) || !std::isfinite(h)) throw std::invalid_argument("steps take a finite time above zero, in s");
  if (!start()) return false;
  constexpr double round_off = 1e-9;
  return note_end(simulation_->advance_to(time() + h * (1 - round_off)));
}

// Also by those who want the result: what has been stepped is not done twice.
void Host::run() {
  while (step()) continue;
}

// The result is kept before its failure is thrown, so that responses up to there can be read.
bool Host::note_end(bool goes_on) {
  if (has_arrays_) arrays_.take(simulation_->state(), node_axis_);
  if (goes_on || is_done_) return goes_on;
  is_done_ = true;
  result_ = simulation_->finish();
  io::throw_problems(*deck_, result_.problems);
  if (result_.failure) throw SolutionError(fmt::format("{}", fmt::join(analyses::lines_of(*result_.failure), "\n")));
  return false;
}

const model::State& Host::state() {
  start();
  return simulation_->state();
}

// From the first call on note_end() keeps them up to date; who never asks pays nothing.
const StateArrays& Host::arrays() {
  const model::State& q = state();
  if (!has_arrays_) arrays_.take(q, node_axis_);
  has_arrays_ = true;
  return arrays_;
}

const std::vector<std::string>& Host::nodes() {
  start();
  return nodes_;
}

const std::vector<run::SignalPlace>& Host::signals() {
  start();
  return simulation_->signals();
}

// The nearest name helps who has misspelt one.
const std::pair<std::size_t, std::size_t>& Host::place_of(const std::string& name) {
  start();
  const auto found = names_.find(name);
  if (found != names_.end()) return found->second;
  std::vector<std::string> known;
  for (const auto& [one, place] : names_) known.push_back(one);
  const std::string nearest = model::nearest_name(name, known);
  throw std::out_of_range("signals." + name + ": there is no such signal" +
                          (nearest.empty() ? "" : "; did you mean '" + nearest + "'?"));
}

// What the last step left, or what was set since. Other signals follow with the next step: finding them anew here would
// show values that no result has.
double Host::signal(const std::string& name) {
  const auto [signal, output] = place_of(name);
  const std::size_t first = simulation_->signals()[signal].first;
  return simulation_->state().signals.values[static_cast<Eigen::Index>(first + output)];
}

// An external signal has one output.
void Host::set_signal(const std::string& name, double value) {
  const std::size_t signal = place_of(name).first;
  simulation_->set_signal(simulation_->signals()[signal], value);
}

// Responses count whole runs.
const run::RunResult& Host::result() {
  run();
  return result_;
}

// A system of its own, so that the run is not touched; states of both have the same form.
analyses::LinearModel Host::linearize(const std::vector<std::string>& inputs, const std::vector<std::string>& outputs,
                                      const std::vector<std::string>& open, int pade) {
  const std::string path = "linearize";
  model::Problems problems;
  const auto system = assembly::System::make(deck().model, problems);
  io::throw_problems(deck(), problems);
  analyses::LinearizeSettings settings;
  settings.inputs = inputs;
  settings.outputs = outputs;
  settings.open = open;
  settings.pade = pade;
  analyses::check_linearize(*system, settings, path, problems);
  analyses::check_open(*system, open, path, problems);
  io::throw_problems(deck(), problems);
  const bool has_state = simulation_ && !simulation_->state().x.empty();
  model::State q = has_state ? simulation_->state() : system->initial_state();
  analyses::PostureReport posture;
  if (!has_state) analyses::set_coordinates(*system, q, posture, problems);
  io::throw_problems(deck(), problems);
  // As an analysis of the deck would have it
  std::optional<analyses::PreparedLoops> loops;
  if (analyses::PreparedLoops::are_needed(*system, open)) {
    loops.emplace(*system, open, settings.pade, q, path, problems);
    io::throw_problems(deck(), problems);
    q = loops->q;
  }
  auto made = analyses::make_linear_model(loops ? *loops->system : *system, settings, std::move(q), path, problems);
  io::throw_problems(deck(), problems);
  made->linear.system = nullptr;
  return std::move(*made);
}

// From the last analysis to the first: a deck may look at more than one equilibrium.
analyses::LinearModel Host::linearize() {
  const std::vector<run::AnalysisSummary>& all = result().analyses;
  for (auto one = all.rbegin(); one != all.rend(); ++one)
    if (const auto* model = std::any_cast<analyses::LinearModel>(&one->result.data)) return *model;
  throw UseError("the deck has no analysis of `type: linearize`; name inputs and outputs");
}

}  // namespace polhode::bindings
