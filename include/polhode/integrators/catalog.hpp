// SPDX-License-Identifier: BSD-3-Clause
// The methods that a deck may ask for. A method is a line in src/integrators/catalog.cpp; what it can do, and what it
// needs, stands with its family, in the family's folder.
#pragma once
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

// What a method looks at before it takes a model.
struct ModelCheck {
  const assembly::System& system;
  const IntegratorSettings& settings;
  bool controlled;          // steps
  const std::string& path;  // of the analysis in the deck
  const State& q;           // where it starts
  double h;                 // s, the first step, or 0 under control
};

struct MethodFamily {
  std::string_view name;
  // Reports what the methods cannot do with a model, at the element concerned.
  void (*check_model)(const ModelCheck& check, model::Problems& problems);
  std::unique_ptr<Integrator> (*make)(const MakeIntegrator& what);
  // What a user can do after a step that failed; "" for the advice that holds for all methods.
  std::string (*advice)(const IntegratorSettings& settings, const StepReport& failure);
};

struct Method {
  std::string_view name;
  const MethodFamily* family;
  StepRule rule;             // of controlled steps
  bool may_subdivide = false;  // a failed step of given size is repeated in smaller ones
  bool conserves = false;      // momenta or energy, which then are results (/invariants)
};

// All methods, in the order in which they are listed to users.
std::span<const Method> methods();
// The method of this name; nullptr if there is none.
const Method* find_method(std::string_view name);
// The same, of a name that is known to be one; throws std::invalid_argument if it is not.
const Method& method_of(const IntegratorSettings& settings);

// The integrator that `what.settings` name, with the method data of no run yet.
std::unique_ptr<Integrator> make_integrator(const MakeIntegrator& what);

}  // namespace polhode::integrators
