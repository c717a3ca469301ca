// SPDX-License-Identifier: BSD-3-Clause
// The methods that a deck may ask for. A method is a line in src/integrators/catalog.cpp; what it can do, and what it
// needs, stands with its family, in the family's folder.
#pragma once
#include <any>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "polhode/integrators/integrator.hpp"
#include "polhode/integrators/settings.hpp"
#include "polhode/integrators/step_control.hpp"

namespace polhode::integrators {

// What an integrator is made of. References are kept.
struct MakeIntegrator {
  const assembly::System& system;
  const IntegratorSettings& settings;
  const NewtonSettings& newton;
  const StepControlSettings* control;  // nullptr: fixed steps
  double duration;                     // s, of the analysis
};

// The settings that a family has for itself, in IntegratorSettings::own: their keys, and the struct that these are bound
// to. Made by `own_settings`; empty for a family without.
struct OwnSettings {
  const model::SettingsTable* table = nullptr;
  // A struct with its defaults.
  std::any (*make)() = nullptr;
  // The struct in what `make` returned.
  void* (*find)(std::any& own) = nullptr;
};

template <class Settings>
constexpr OwnSettings own_settings(const model::SettingsTable& table) {
  return {.table = &table,
          .make = [] { return std::any(Settings{}); },
          .find = [](std::any& own) -> void* { return std::any_cast<Settings>(&own); }};
}

// What a method looks at before it takes the settings of a transient analysis; each by itself is within its bounds.
struct SettingsCheck {
  const IntegratorSettings& settings;
  const NewtonSettings& newton;
  const StepControlSettings* control;  // nullptr: fixed steps
  double step;                         // s, of fixed steps
  double begin;                        // s, where the analysis begins in the time of the run
  double duration;                     // s
  const std::string& path;             // of the analysis in the deck

  // Adds what is wrong with a key of the analysis: "integrator.initial".
  void report(std::string_view key, const std::string& what, model::Problems& problems) const;
};

// What a method looks at before it takes a model.
struct ModelCheck {
  const assembly::System& system;
  const IntegratorSettings& settings;
  bool controlled;          // steps
  const std::string& path;  // of the analysis in the deck
  const State& q;           // where it starts
  double h;                 // s, the first step, or 0 under control
  double least_step = h;    // s, that a deck asks for, or 0
};

// A family of methods that share code; what is left at nullptr is nothing to do.
struct MethodFamily {
  std::string_view name;
  std::unique_ptr<Integrator> (*make)(const MakeIntegrator& what);
  // Reports settings that the methods cannot work with, at the key concerned.
  void (*check_settings)(const SettingsCheck& check, model::Problems& problems) = nullptr;
  // Reports what the methods cannot do with a model, at the element concerned.
  void (*check_model)(const ModelCheck& check, model::Problems& problems) = nullptr;
  // What a user can do after a step that failed; "" for the advice that holds for all methods.
  std::string (*advice)(const IntegratorSettings& settings, const StepReport& failure) = nullptr;
  // As allowed_loss() below; nullptr: largest_allowed_loss. `control` is nullptr of fixed steps.
  double (*allowed_loss)(const IntegratorSettings& settings, const StepControlSettings* control) = nullptr;
  // Which signals models may have: none that act on the motion, or all; of some methods with steps that are no longer
  // than the shortest delay and end where kinks come out of one: these know what delays give before a step begins.
  enum class Signals { none, steps_within_delays, all };
  Signals signals = Signals::none;
  // Steps may be cut where an event happens (or the method goes back to there), and go on from other velocities.
  bool events = false;
};

struct Method {
  std::string_view name;
  // One line for users, without a full stop.
  std::string_view doc;
  const MethodFamily* family;
  // How steps are controlled.
  StepRule rule = {};
  // Keys that only this method and those of its family have.
  OwnSettings own = {};
  // A failed step of given size is repeated in smaller ones.
  bool may_subdivide = false;
  // Keeps momenta or energy, which then are results (/invariants).
  bool conserves = false;
};

// All methods, in the order in which they are listed to users.
std::span<const Method* const> methods();
// Adds a method of a program that uses the library, before it reads a deck; `method` has to live as long as the program.
// Throws std::invalid_argument if the name is taken by another one. Not for several threads at once.
void add_method(const Method& method);
// The method of this name; nullptr if there is none.
const Method* find_method(std::string_view name);
// The same, of a name that is known to be one; throws std::invalid_argument if it is not.
const Method& method_of(const IntegratorSettings& settings);

// Reports settings that the method cannot work with; for all methods, and by those of its family.
void check_method_settings(const SettingsCheck& check, model::Problems& problems);
// Reports what the method cannot do with the model.
void check_method_model(const ModelCheck& check, model::Problems& problems);
// The share of the largest energy of an analysis that the method may lose in it, by numerical damping of vibrations
// that its steps do not resolve and by errors within its tolerance; a loss above it is a warning. At most
// largest_allowed_loss: of all decks of inputs/, the right-angle beam, whose fast vibrations `lie_alpha` damps, loses
// the most, 0.019, and the others lose less than 0.004.
double allowed_loss(const IntegratorSettings& settings, const StepControlSettings* control);
inline constexpr double largest_allowed_loss = 0.05;
// The same of methods in state-space form, which are not made to damp: ten times the tolerance, since errors of many
// steps add up, and a hundredth at least, as of fixed steps.
double allowed_loss_by_tolerance(const IntegratorSettings& settings, const StepControlSettings* control);
// What to do after `failure`, by the family; "" for the advice that holds for all methods.
std::string advice_after(const IntegratorSettings& settings, const StepReport& failure);

// The integrator that `what.settings` name, with the method data of no run yet.
std::unique_ptr<Integrator> make_integrator(const MakeIntegrator& what);

}  // namespace polhode::integrators
