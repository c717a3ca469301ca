// SPDX-License-Identifier: BSD-3-Clause
// The catalog of analyses: what a type of analysis declares, and the list of all types. docs/adding_an_analysis.md
// shows how to write one.
//
// A type is a class derived from AnalysisTypeOf<its settings>; one object of it stands in catalog.cpp, on one line.
// Reader of decks, schema, reference page, checks, runs and summaries find everything there.
#pragma once
#include <any>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "polhode/analyses/analysis.hpp"
#include "polhode/model/settings.hpp"

namespace polhode::analyses {

// What a check before the run works with.
struct CheckContext {
  const assembly::System& system;
  // Of the analysis in the deck
  std::string path;
  // Receives what is wrong
  model::Problems& problems;
};

// What a check of the start works with, where the analysis is the first of its deck.
struct StartContext {
  const assembly::System& system;
  // Of the deck; may be changed
  model::State& q;
  // s, of this analysis or of the run, > 0: velocities count against size / duration
  double duration;
  // Receives what is wrong
  model::Problems& problems;
};

class AnalysisType {
 public:
  // `table`: the keys of its settings in a deck; its name is the type's, its doc the type's documentation.
  explicit AnalysisType(const model::SettingsTable& table) : table_(&table) {}
  virtual ~AnalysisType() = default;
  AnalysisType(const AnalysisType&) = delete;
  AnalysisType& operator=(const AnalysisType&) = delete;

  std::string_view name() const { return table_->name; }
  const model::SettingsTable* table() const { return table_; }

  // Settings with their defaults.
  virtual std::any make_settings() const = 0;
  // The struct in `settings` that the table is bound to.
  virtual void* struct_in(std::any& settings) const = 0;

  // The functions of AnalysisTypeOf, for settings of this type.
  virtual AnalysisResult run_any(const std::any& settings, AnalysisContext& context) const = 0;
  virtual void check_any(const std::any& settings, const CheckContext& context) const = 0;
  virtual std::string check_start_any(const std::any& settings, const StartContext& context) const = 0;
  virtual double duration_any(const std::any& settings) const = 0;
  virtual double expected_states_any(const std::any& settings, const results::OutputSettings& output,
                                     double begin) const = 0;
  virtual results::RunContents contents_any(const std::any& settings) const = 0;
  virtual std::string describe_any(const std::any& settings) const = 0;

 private:
  const model::SettingsTable* table_;
};

// Meets constraints and solves for accelerations, as most analyses begin.
StartReport check_consistent_start(const StartContext& context);

// What a type defines: `run`, and of the others those that differ from what stands here. A misspelt one does not
// compile, since it overrides nothing.
template <class Settings>
class AnalysisTypeOf : public AnalysisType {
 public:
  using AnalysisType::AnalysisType;

  // Does the analysis from the state of the context, which becomes the state at its end.
  virtual AnalysisResult run(const Settings& settings, AnalysisContext& context) const = 0;
  // Reports what can be known to be wrong before the first analysis of the run begins.
  virtual void check(const Settings&, const CheckContext&) const {}
  // Tries its start, as the first analysis; returns one line on what it changes, or "".
  virtual std::string check_start(const Settings&, const StartContext& context) const {
    check_consistent_start(context);
    return "";
  }
  // Simulated time that it takes, s.
  virtual double duration(const Settings&) const { return 0; }
  // States that it will store, about; `begin` in s.
  virtual double expected_states(const Settings&, const results::OutputSettings&, double begin) const {
    (void)begin;
    return 1;
  }
  // What its states and steps have beside those of every analysis.
  virtual results::RunContents contents(const Settings&) const { return {}; }
  // One line for `polhode info`, after the type's name: "0.5 s with step 0.001 s"; "" for nothing.
  virtual std::string describe(const Settings&) const { return ""; }

  std::any make_settings() const final { return Settings{}; }
  void* struct_in(std::any& settings) const final { return std::any_cast<Settings>(&settings); }
  AnalysisResult run_any(const std::any& settings, AnalysisContext& context) const final {
    return run(of(settings), context);
  }
  void check_any(const std::any& settings, const CheckContext& context) const final { check(of(settings), context); }
  std::string check_start_any(const std::any& settings, const StartContext& context) const final {
    return check_start(of(settings), context);
  }
  double duration_any(const std::any& settings) const final { return duration(of(settings)); }
  double expected_states_any(const std::any& settings, const results::OutputSettings& output,
                             double begin) const final {
    return expected_states(of(settings), output, begin);
  }
  results::RunContents contents_any(const std::any& settings) const final { return contents(of(settings)); }
  std::string describe_any(const std::any& settings) const final { return describe(of(settings)); }

 private:
  static const Settings& of(const std::any& settings) { return *std::any_cast<Settings>(&settings); }
};

// All types, in the order of the reference page.
std::span<const AnalysisType* const> analysis_types();
// The type of that name in `types`; nullptr if there is none.
const AnalysisType* find_type(std::span<const AnalysisType* const> types, std::string_view name);

// One analysis of a deck: a type with its settings. Analyses are done in turn, each from the state where the one before
// ended.
class Analysis {
 public:
  // With the defaults of the settings.
  explicit Analysis(const AnalysisType& type) : type_(&type), settings_(type.make_settings()) {}
  // With settings of exactly this type.
  template <class Settings>
  Analysis(const AnalysisTypeOf<Settings>& type, Settings settings) : type_(&type), settings_(std::move(settings)) {}

  const AnalysisType& type() const { return *type_; }
  // Its settings, if they are such; else nullptr.
  template <class Settings>
  const Settings* as() const {
    return std::any_cast<Settings>(&settings_);
  }
  void* settings_struct() { return type_->struct_in(settings_); }

  // Invalid where the context has problems already, as of joints that it locks.
  AnalysisResult run(AnalysisContext& context) const {
    if (context.problems.empty()) return type_->run_any(settings_, context);
    AnalysisResult none;
    none.end = End::invalid;
    return none;
  }
  void check(const CheckContext& context) const { type_->check_any(settings_, context); }
  std::string check_start(const StartContext& context) const { return type_->check_start_any(settings_, context); }
  double duration() const { return type_->duration_any(settings_); }
  double expected_states(const results::OutputSettings& output, double begin) const {
    return type_->expected_states_any(settings_, output, begin);
  }
  results::RunContents contents() const { return type_->contents_any(settings_); }
  std::string describe() const { return type_->describe_any(settings_); }

 private:
  const AnalysisType* type_;
  std::any settings_;
};

// Of analyses in turn: time, s; states stored, the first ones included; columns of the rows.
double duration_of(const std::vector<Analysis>& all);
double expected_states(const std::vector<Analysis>& all, const results::OutputSettings& output);
results::RunContents contents_of(const std::vector<Analysis>& all);

}  // namespace polhode::analyses
