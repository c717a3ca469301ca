// SPDX-License-Identifier: BSD-3-Clause
// A transient analysis of a deck: steps, integrator and Newton iteration.
#include <algorithm>
#include <array>
#include <cmath>

#include "model_reader.hpp"
#include "polhode/integrators/sundials/sundials.hpp"

namespace polhode::io {
namespace {

using analyses::TransientSettings;
using integrators::NewtonSettings;

constexpr double most_steps = 2e9;  // steps are counted in 32 bits

// What belongs to the structure-preserving methods, and what does not.
void read_structure(const Mapping& given, const std::string& path, integrators::IntegratorSettings& settings,
                    Reader& reader) {
  using Settings = integrators::IntegratorSettings;
  const auto wrong = [&](const char* key, const std::string& text) {
    reader.findings.add(*given.find(key), path + "." + key, text);
  };
  const bool variational = settings.method == "variational";
  if (given.has("start") && !settings.keeps_structure())
    wrong("start",
          "belongs to methods `variational` and `energy_momentum`, not to `" + settings.method + "`; leave it out");
  for (const char* key : {"start_step", "increments", "potential"})
    if (given.has(key) && !variational)
      wrong(key, "belongs to method `variational`, not to `" + settings.method + "`; leave it out");
  if (settings.keeps_structure()) {
    if (settings.initial == Settings::Initial::perturbed)
      wrong("initial", "'perturbed' is of the generalized-alpha methods; leave it out");
    if (given.has("velocity_projection"))
      wrong("velocity_projection", "would take from `" + settings.method + "` what it keeps; leave it out");
  }
  const std::string start = given.text("start", "given");
  if (start == "corrected") settings.start = Settings::Start::corrected;
  if (start == "euler") settings.start = Settings::Start::euler;
  if (start == "energy_momentum") settings.start = Settings::Start::energy_momentum;
  if (settings.keeps_structure() && start != "given" && variational == (start == "corrected"))
    wrong("start", variational ? "'corrected' is of `energy_momentum`; give given, euler or energy_momentum"
                               : "'" + start + "' is of `variational`; give given or corrected");
  settings.start_step = given.number("start_step", settings.start_step);
  if (given.text("increments", "quaternion") == "cayley") settings.increments = Settings::Increments::cayley;
  const std::string potential = given.text("potential", "midpoint");
  if (potential == "node") settings.potential = Settings::Potential::node;
  if (potential == "left") settings.potential = Settings::Potential::left;
}

// What belongs to state-space methods, and what to the others.
void read_state_space(const Mapping& given, const std::string& path, integrators::IntegratorSettings& settings,
                      Reader& reader) {
  const std::string coordinates = given.text("coordinates", "weighted");
  if (coordinates == "mass") settings.coordinates = integrators::Coordinates::mass;
  if (coordinates == "partition") settings.coordinates = integrators::Coordinates::partition;
  const auto wrong = [&](const char* key, const std::string& text) {
    if (const Item* item = given.find(key)) reader.findings.add(*item, path + "." + key, text);
  };
  if (!settings.is_rosenbrock())
    wrong("coordinates",
          "is of Rosenbrock methods (rosenbrock4, rosenbrock_w2), not of `" + settings.method + "`; leave it out");
  if (!settings.in_state_space()) return;
  if (settings.initial == integrators::IntegratorSettings::Initial::perturbed)
    wrong("initial", "'perturbed' is of the generalized-alpha methods; leave it out");
  wrong("velocity_projection", "`" + settings.method + "` meets the velocity constraints at every step; leave it out");
}

integrators::IntegratorSettings read_integrator(const Item& item, const std::string& path, double begin, double end,
                                                Reader& reader) {
  integrators::IntegratorSettings settings;
  const auto given = reader.mapping(item, path, integrator_table);
  if (!given) return settings;
  settings.method = given->text("method", settings.method);
  if (const double* rho = given->value<double>("rho_infinity")) settings.rho_infinity = *rho;
  if (const double* alpha = given->value<double>("hht_alpha")) settings.hht_alpha = *alpha;
  if (given->text("initial", "consistent") == "perturbed")
    settings.initial = integrators::IntegratorSettings::Initial::perturbed;
  if (const auto* times = given->value<math::VectorX>("velocity_projection")) {
    settings.velocity_projection.assign(times->begin(), times->end());
    std::sort(settings.velocity_projection.begin(), settings.velocity_projection.end());
    const auto& all = settings.velocity_projection;
    if (!all.empty() && end > begin && (all.front() <= begin || all.back() > end))
      reader.findings.add(*given->find("velocity_projection"), path + ".velocity_projection",
                          number_text(all.front() <= begin ? all.front() : all.back()) +
                              " s is not within the analysis; give times above " + number_text(begin) +
                              " s and up to " + number_text(end) + " s");
  }
  read_structure(*given, path, settings, reader);
  read_state_space(*given, path, settings, reader);
  if (given->has("rho_infinity") && given->has("hht_alpha"))
    reader.findings.add(*given->find("hht_alpha"), path + ".hht_alpha",
                        "excludes rho_infinity, both choose the same parameters; remove one");
  return settings;
}

// The steps are chosen by the library, by its own rules.
void check_sundials(const Mapping& given, const TransientSettings& settings, Reader& reader) {
  const std::string method = "`" + settings.integrator.method + "`";
  if (!integrators::has_sundials())
    reader.findings.add(*given.find("integrator"), given.path + ".integrator.method",
                        method +
                            " needs SUNDIALS, which this program was built without; install libsundials-dev and "
                            "build anew (scripts/setup does both), or take `rosenbrock4`");
  const Item* step = given.find("step");
  if (!step) return;
  if (step->kind != Item::Kind::mapping)
    return reader.findings.add(*step, given.path + ".step",
                               method + " chooses its steps itself; give {tolerance: 1.0e-4}");
  for (const char* key : {"safety", "growth"})
    if (const Item* item = step->find(key))
      reader.findings.add(*item, given.path + ".step." + key,
                          method + " has its own rule for the next step; leave it out");
}

// Without `max`, its default bounds the other two.
void check_default_of_max(const Mapping& given, const TransientSettings& settings, Reader& reader) {
  if (!settings.control || settings.control->max || !(settings.duration > 0)) return;
  const int parts = settings.integrator.is_of_sundials() ? 5 : 200;
  const double most = settings.duration / parts;
  const auto check = [&](const char* key, const std::optional<double>& value) {
    if (value && *value > most)
      reader.findings.add(*given.find("step")->find(key), given.path + ".step." + key,
                          number_text(*value) + " s is above the default of max, duration / " + std::to_string(parts) +
                              " = " + number_text(most) + " s; give max as well, or a smaller " + key);
  };
  check("min", settings.control->min);
  check("initial", settings.control->initial);
}

// What depends on both the method and the steps or the iteration.
void check_method(const Mapping& given, const TransientSettings& settings, Reader& reader) {
  const std::string& method = settings.integrator.method;
  check_default_of_max(given, settings, reader);
  if (settings.integrator.is_of_sundials()) return check_sundials(given, settings, reader);
  if (const Item* step = given.find("step"); step && settings.control && settings.control->growth)
    if (*settings.control->growth > 2 && !settings.integrator.is_rosenbrock())
      reader.findings.add(*step->find("growth"), given.path + ".step.growth",
                          "must be in (1, 2] for `" + method + "`, is " + number_text(*settings.control->growth) +
                              ": beyond, the method itself amplifies vibrations");
  if (settings.newton.jacobian == NewtonSettings::Jacobian::kept && method == "rosenbrock4")
    reader.findings.add(*given.find("newton")->find("jacobian"), given.path + ".newton.jacobian",
                        "`rosenbrock4` has order 1 with kept tangents; leave it out, or take `rosenbrock_w2`");
}

NewtonSettings read_newton(const Item& item, const std::string& path, bool has_joints, Reader& reader) {
  NewtonSettings settings;
  const auto given = reader.mapping(item, path, newton_table);
  if (!given) return settings;
  if (given->text("predictor", "extrapolate") == "zero") settings.predictor = NewtonSettings::Predictor::zero;
  if (given->text("jacobian", "full") == "kept") settings.jacobian = NewtonSettings::Jacobian::kept;
  settings.residual_tolerance = given->number("residual_tolerance", settings.residual_tolerance);
  settings.constraint_tolerance = given->number("constraint_tolerance", settings.constraint_tolerance);
  settings.relative = given->number("relative", settings.relative);
  settings.absolute = given->number("absolute", settings.absolute);
  settings.max_iterations = static_cast<int>(given->number("max_iterations", settings.max_iterations));
  settings.halvings = static_cast<int>(given->number("halvings", settings.halvings));
  if (given->text("criterion", "increment") == "residual") {
    settings.criterion = NewtonSettings::Criterion::residual;
    if (!given->has("residual_tolerance"))
      reader.findings.add(item, path, "'residual_tolerance' is missing: criterion 'residual' asks for it");
    if (has_joints && !given->has("constraint_tolerance"))
      reader.findings.add(
          item, path, "'constraint_tolerance' is missing: criterion 'residual' asks for it, as the model has joints");
  }
  return settings;
}

// The floor of a tolerance: a step may then have an error of 1e-13, and positions of sixteen digits tell no less.
constexpr double least_tolerance = 1e-8;

std::optional<integrators::StepControlSettings> read_step_control(const Item& item, const std::string& path,
                                                                  Reader& reader) {
  const std::size_t before = reader.findings.size();
  const auto given = reader.mapping(item, path, step_table);
  if (!given || reader.findings.size() > before) return std::nullopt;
  integrators::StepControlSettings settings;
  settings.tolerance = given->number("tolerance", 0);
  const auto size = [&](const char* key, std::optional<double>& value) {
    if (const double* number = given->value<double>(key)) value = *number;
  };
  size("safety", settings.safety);
  size("growth", settings.growth);
  size("initial", settings.initial);
  size("min", settings.min);
  size("max", settings.max);
  const auto wrong = [&](const char* key, const std::string& text) {
    reader.findings.add(*given->find(key), path + "." + key, text);
  };
  if (settings.tolerance <= least_tolerance)
    wrong("tolerance", number_text(settings.tolerance) + " is at round-off: a step of it could not be told from its " +
                           "rounding errors; give more than " + number_text(least_tolerance) +
                           " (1.0e-3 to 1.0e-6 are common)");
  if (settings.min && settings.max && *settings.min > *settings.max)
    wrong("min", number_text(*settings.min) + " s is above max, " + number_text(*settings.max) +
                     " s; exchange them, or leave min out");
  if (settings.initial && settings.max && *settings.initial > *settings.max)
    wrong("initial", number_text(*settings.initial) + " s is above max, " + number_text(*settings.max) +
                         " s; give less, or leave it out");
  if (settings.initial && settings.min && *settings.initial < *settings.min)
    wrong("initial", number_text(*settings.initial) + " s is below min, " + number_text(*settings.min) +
                         " s; give more, or leave it out");
  return settings;
}

// `step`: a number, or a mapping.
void read_step(const Item& item, const std::string& path, TransientSettings& settings, Reader& reader) {
  if (item.kind == Item::Kind::mapping) {
    settings.control = read_step_control(item, path, reader);
    return;
  }
  for (const Key& key : transient_table.keys)
    if (key.field.name == "step")
      if (const auto value = reader.value(item, path, key.field, transient_table.name))
        settings.step = std::get<double>(*value);
  if (settings.step > 0 && settings.duration / settings.step > most_steps)
    reader.findings.add(item, path, "makes more than 2e9 steps of the duration; choose a larger one");
}

// The structure-preserving methods conserve what they do for one step size.
void check_steps(const Mapping& given, const TransientSettings& settings, Reader& reader) {
  if (!settings.integrator.keeps_structure()) return;
  const Item& step = *given.find("step");
  const std::string path = given.path + ".step";
  const std::string method = "`" + settings.integrator.method + "`";
  if (step.kind == Item::Kind::mapping)
    return reader.findings.add(step, path,
                               "steps that change are not for " + method +
                                   "; give a number, or take a method of the "
                                   "generalized-alpha family");
  const Item* integrator = given.find("integrator");
  if (const Item* start_step = integrator ? integrator->find("start_step") : nullptr)
    if (settings.integrator.start_step > settings.step)
      reader.findings.add(
          *start_step, given.path + ".integrator.start_step",
          number_text(settings.integrator.start_step) + " s is above `step`; give a hundredth of it or less");
  if (settings.integrator.method != "variational" || !(settings.step > 0) || !(settings.duration > 0)) return;
  const double ratio = settings.duration / settings.step;
  if (std::round(ratio) < 1 || std::abs(ratio - std::round(ratio)) >= 1e-6)
    reader.findings.add(step, path,
                        method + " keeps one step size, and the duration is no whole number of steps; give " +
                            number_text(settings.duration / std::ceil(ratio)) + " s, or another duration");
  const Item* newton = given.find("newton");
  if (const Item* halvings = newton ? newton->find("halvings") : nullptr; halvings && settings.newton.halvings > 0)
    reader.findings.add(*halvings, given.path + ".newton.halvings",
                        method + " keeps one step size, and makes no step in parts; leave it out, or give 0");
}

}  // namespace

TransientSettings read_transient(const Mapping& given, double begin, bool has_joints, Reader& reader) {
  TransientSettings settings;
  settings.path = given.path;
  settings.duration = given.number("duration", 0);
  if (const Item* step = given.find("step")) read_step(*step, given.path + ".step", settings, reader);
  if (const Item* integrator = given.find("integrator"))
    settings.integrator =
        read_integrator(*integrator, given.path + ".integrator", begin, begin + settings.duration, reader);
  if (const Item* newton = given.find("newton"))
    settings.newton = read_newton(*newton, given.path + ".newton", has_joints, reader);
  if (given.find("step")) check_steps(given, settings, reader);
  check_method(given, settings, reader);
  return settings;
}

}  // namespace polhode::io
