// SPDX-License-Identifier: BSD-3-Clause
// The family of SUNDIALS in the catalog: what its methods ask of a model.
#include <stdexcept>

#include "polhode/integrators/rosenbrock/rosenbrock_integrator.hpp"
#include "polhode/integrators/sundials/sundials_integrator.hpp"

namespace polhode::integrators {
namespace {

// The steps are chosen by the library, by its own rules.
void check_settings(const SettingsCheck& check, model::Problems& problems) {
  const std::string method = "`" + check.settings.method + "`";
  check_state_space_settings(check, problems);
  if (!has_sundials())
    check.report("integrator.method",
                 method +
                     " needs SUNDIALS, which this program was built without; install libsundials-dev and build anew "
                     "(scripts/setup does both), or take `rosenbrock4`",
                 problems);
  if (!check.control)
    return check.report("step", method + " chooses its steps itself; give {tolerance: 1.0e-4}", problems);
  const auto own_rule = [&](const std::string& key, bool given) {
    if (given) check.report("step." + key, method + " has its own rule for the next step; leave it out", problems);
  };
  own_rule("safety", check.control->safety.has_value());
  own_rule("growth", check.control->growth.has_value());
}

constexpr int most_rows = 3000;  // of the dense matrix of bdf, 70 MB

void check_model(const ModelCheck& check, model::Problems& problems) {
  if (!has_sundials() || check.settings.method != "bdf") return;
  const int rows = size_of_ambient_ode(check.system);
  if (rows > most_rows)
    problems.push_back({check.path + ".integrator.method",
                        "`bdf` factorizes a dense matrix, here of " + std::to_string(rows) + " rows (at most " +
                            std::to_string(most_rows) + "); take `rosenbrock4` or `lie_alpha`"});
}

std::unique_ptr<Integrator> make(const MakeIntegrator& what) {
  if (!what.control) throw std::invalid_argument("methods of SUNDIALS choose their steps themselves");
  return std::make_unique<SundialsIntegrator>(what.system, what.settings.method, *what.control, what.duration);
}

std::string advice(const IntegratorSettings& settings, const StepReport& failure) {
  if (failure.outcome == Outcome::inaccurate) return "";
  return std::string("no larger step than `step: {min}` converges. To go on: a smaller `min` or `initial`; ") +
         (settings.method == "bdf" ? "`rosenbrock4` or `lie_alpha`" : "`bdf` or `rosenbrock4`") +
         " where parts are stiff; a smoother load or drive at this time; look at the motion up to here, which is kept";
}

}  // namespace

const MethodFamily sundials_family{.name = "SUNDIALS",
                                   .make = make,
                                   .check_settings = check_settings,
                                   .check_model = check_model,
                                   .advice = advice,
                                   .allowed_loss = allowed_loss_by_tolerance,
                                   .signals = MethodFamily::Signals::steps_within_delays,
                                   .events = true};

}  // namespace polhode::integrators
