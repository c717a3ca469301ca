// SPDX-License-Identifier: BSD-3-Clause
// What a deck asks of its analyses and of their output.
#pragma once
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "polhode/integrators/settings.hpp"
#include "polhode/math/types.hpp"
#include "polhode/model/settings.hpp"
#include "polhode/results/settings.hpp"

namespace polhode::analyses {

struct TransientSettings {
  // In the deck.
  std::string path = "analysis";
  // s, > 0.
  double duration = 0;
  // Fixed steps h, s: t_n = t_0 + n h, the last one shorter if needed; 0 under control.
  double step = 0;
  // Steps that the program chooses.
  std::optional<integrators::StepControlSettings> control;
  integrators::IntegratorSettings integrator;
  integrators::NewtonSettings newton;
  // joints.NAME, before anything else: what comes apart or loses its lock, and what is held
  std::vector<std::string> released{};
  std::vector<std::string> locked{};
};

// Positions and velocities that meet the constraints, with the least change.
struct InitialSettings {};

// A frame that turns steadily about an axis through a point, both inertial.
struct Rotation {
  math::Vec3 axis = math::Vec3::UnitZ();  // of length 1
  double speed = 0;                       // rad/s
  math::Vec3 about = math::Vec3::Zero();  // m
};

// Equilibrium.
struct StaticSettings {
  enum class Control { load, arc_length } control = Control::load;
  std::optional<Rotation> rotation;
  // of the load factor, in (0, 1]
  double first_step = 1;
  double largest_step = 1;
  int max_steps = 1000;
  int max_iterations = 15;
  double tolerance = 1e-9;  // of the increments, relative
  bool stable = false;      // equilibria that are unstable are left for stable ones
  // joints.NAME, before anything else: what comes apart or loses its lock, and what is held
  std::vector<std::string> released{};
  std::vector<std::string> locked{};
};

// The order of Padé approximants of delays: exp(-s T) to 1e-5 up to |s T| = 1, to 1e-3 up to 2.
inline constexpr int default_pade = 3;

// Small motions about an equilibrium: the `modes` lowest, or those of a band of frequencies.
struct ModalSettings {
  int modes = 10;
  std::optional<std::array<double, 2>> band;  // Hz, ascending
  std::optional<Rotation> rotation;
  int pade = default_pade;
  // joints.NAME, before anything else: what comes apart or loses its lock, and what is held
  std::vector<std::string> released{};
  std::vector<std::string> locked{};
};

// The linear model of small motions about an equilibrium (linear_model.hpp).
struct LinearizeSettings {
  // names
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  std::vector<std::string> open;  // signals at which loops of control are cut
  std::optional<int> modes;       // states: the lowest modes instead of all that the constraints allow
  std::optional<Rotation> rotation;
  int pade = default_pade;
  // joints.NAME, before anything else: what comes apart or loses its lock, and what is held
  std::vector<std::string> released{};
  std::vector<std::string> locked{};
};

// The keys that several types of analysis have: of joints, and of linear models.
inline constexpr model::Field pade_field{
    .name = "pade",
    .doc = "order of the Padé approximants that delays are replaced by, and the number of states of each",
    .min = 1,
    .max = 10};
inline constexpr model::Field released_field{
    .name = "released",
    .doc = "joints.NAME: released at the start, as by an event, and so for the analyses that follow"};
inline constexpr model::Field locked_field{
    .name = "locked", .doc = "joints.NAME: locked at the start, as by an event, and so for the analyses that follow"};

// The keys of these settings in a deck. `rotation`: axes become unit vectors.
extern const model::SettingsTable transient_table;
extern const model::SettingsTable rotation_table;
extern const model::SettingsTable initial_table;
extern const model::SettingsTable static_table;
extern const model::SettingsTable modal_table;
extern const model::SettingsTable linearize_table;

// Steps of an analysis: exact where they are fixed, a guess where they are under control.
double expected_steps(const TransientSettings& settings);

}  // namespace polhode::analyses
