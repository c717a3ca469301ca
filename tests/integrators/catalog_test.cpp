// SPDX-License-Identifier: BSD-3-Clause
// The catalog of methods, and what holds for each of them: a run that is saved and taken up goes on by the same bits.
#include "polhode/integrators/catalog.hpp"

#include <gtest/gtest.h>

#include <set>

#include "polhode/integrators/sundials/sundials.hpp"
#include "support/methods.hpp"
#include "support/runs.hpp"

namespace polhode::support {
namespace {

using integrators::IntegratorSettings;
using integrators::Method;

TEST(Catalog, NamesEachMethodOnceAndFindsItByName) {
  std::set<std::string_view> names;
  for (const Method* method : integrators::methods()) {
    EXPECT_TRUE(names.insert(method->name).second) << method->name;
    EXPECT_EQ(integrators::find_method(method->name), method);
  }
  EXPECT_GE(names.size(), 11u);
  EXPECT_EQ(integrators::find_method("runge_kutta"), nullptr);
  IntegratorSettings unknown;
  unknown.method = "runge_kutta";
  EXPECT_THROW(integrators::method_of(unknown), std::invalid_argument);
}

TEST(Catalog, RefusesASecondMethodOfAName) {
  const Method same{"lie_alpha", "another one", integrators::find_method("bdf")->family};
  EXPECT_THROW(integrators::add_method(same), std::invalid_argument);
}

class SavedMethod : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Methods, SavedMethod, testing::ValuesIn(built_methods()),
                         [](const auto& name) { return name.param; });

integrators::Start start_of(double h) {
  integrators::Start start;
  start.h = h;
  start.stop = 1;
  return start;
}

// Steps of one method; under control, where the method has that, with sizes that change.
struct Steps {
  Steps(const assembly::System& system, const std::string& name) {
    settings.method = name;
    const Method& entry = integrators::method_of(settings);
    own = entry.rule.kind == integrators::StepRule::Kind::own;
    control.tolerance = own ? 1e-3 : 1e30;  // no other step is rejected
    const bool controlled = !entry.conserves;
    method = integrators::make_integrator({.system = system,
                                           .settings = settings,
                                           .newton = newton,
                                           .control = controlled ? &control : nullptr,
                                           .duration = 1});
    vary = controlled;
  }
  void advance(State& q, int first, int last) {
    for (int n = first; n < last; ++n) {
      const double h = vary && n % 3 == 2 ? 5e-4 : 1e-3;
      if (method->wants_start(q)) {
        ASSERT_TRUE(method->start(q, start_of(own ? 0 : h)));
      }
      const auto outcome = method->attempt(q, {.h = h, .t_next = q.t + h}).outcome;
      ASSERT_TRUE(outcome == integrators::Outcome::converged || outcome == integrators::Outcome::round_off)
          << text_of(outcome);
      method->accept(q);
    }
  }

  IntegratorSettings settings;
  integrators::NewtonSettings newton;
  integrators::StepControlSettings control;
  std::unique_ptr<integrators::Integrator> method;
  bool own = false;
  bool vary = false;
};

void expect_same_bits(const std::string& name, model::Model model) {
  const Machine machine(std::move(model));
  Steps first(machine.system, name);
  State q = consistent_start(machine.system);
  ASSERT_TRUE(first.method->start(q, start_of(first.own ? 0 : 1e-3)));
  first.advance(q, 0, 20);
  std::vector<double> data;
  first.method->save(q, data);
  State taken_up = q;
  Steps second(machine.system, name);
  ASSERT_TRUE(second.method->load(taken_up, data));

  first.advance(q, 20, 40);
  second.advance(taken_up, 20, 40);
  EXPECT_EQ(q.t, taken_up.t);
  for (std::size_t i = 0; i < q.x.size(); ++i) {
    EXPECT_EQ(q.x[i], taken_up.x[i]);
    EXPECT_EQ(q.quat[i].coeffs(), taken_up.quat[i].coeffs());
    EXPECT_EQ(q.v[i], taken_up.v[i]);
    EXPECT_EQ(q.vdot[i], taken_up.vdot[i]);
  }
  EXPECT_EQ(q.lambda, taken_up.lambda);
}

TEST_P(SavedMethod, GoesOnByTheSameBitsAsOneThatTakesItUp) { expect_same_bits(GetParam(), heavy_top()); }

// The estimate of the error remembers what has been driven.
TEST_P(SavedMethod, OfADrivenModelGoesOnByTheSameBits) { expect_same_bits(GetParam(), driven_top()); }

// Share of the largest energy that a method may lose.
double loss_allowed_to(const std::string& name, double rho_infinity, const integrators::StepControlSettings* control) {
  return integrators::allowed_loss(method(name, rho_infinity), control);
}

TEST(AllowedLoss, IsSmallestForMethodsThatDampNothing) {
  EXPECT_EQ(loss_allowed_to("lie_alpha", 0.9, nullptr), integrators::largest_allowed_loss);
  EXPECT_EQ(loss_allowed_to("ul_crv", 1, nullptr), 0.01);
  EXPECT_EQ(loss_allowed_to("variational", 0.9, nullptr), integrators::largest_allowed_loss);
  EXPECT_EQ(loss_allowed_to("energy_momentum", 0.9, nullptr), 1e-6);
}

TEST(AllowedLoss, FollowsTheToleranceOfMethodsInStateSpaceForm) {
  for (const char* name : {"rosenbrock4", "explicit_rk"}) {
    integrators::StepControlSettings control;
    EXPECT_EQ(loss_allowed_to(name, 1, nullptr), 0.01);
    control.tolerance = 1e-6;
    EXPECT_EQ(loss_allowed_to(name, 1, &control), 0.01);
    control.tolerance = 2e-3;
    EXPECT_NEAR(loss_allowed_to(name, 1, &control), 0.02, 1e-15);
    control.tolerance = 0.1;
    EXPECT_EQ(loss_allowed_to(name, 1, &control), integrators::largest_allowed_loss);
  }
}

class StoppedMethod : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Methods, StoppedMethod, testing::ValuesIn(built_methods()),
                         [](const auto& name) { return name.param; });

TEST_P(StoppedMethod, BreaksOffItsStepAndLeavesTheStateAlone) {
  const Machine machine(heavy_top());
  Steps run(machine.system, GetParam());
  State q = consistent_start(machine.system);
  ASSERT_TRUE(run.method->start(q, start_of(run.own ? 0 : 1e-3)));
  const State before = q;
  int asked = 0;
  const auto stop = [&asked] {
    ++asked;
    return true;
  };
  const integrators::StepReport report = run.method->attempt(q, {.h = 1e-3, .t_next = q.t + 1e-3, .stop = stop});
  EXPECT_EQ(report.outcome, integrators::Outcome::interrupted) << text_of(report.outcome);
  EXPECT_FALSE(report.succeeded());
  EXPECT_EQ(asked, 1) << "the step ends there";
  EXPECT_LE(report.factorizations, 1);
  EXPECT_EQ(q.t, before.t);
  EXPECT_EQ(q.x, before.x);
  EXPECT_EQ(q.v, before.v);
  EXPECT_EQ(q.lambda, before.lambda);
}

TEST_P(SavedMethod, RefusesDataOfAnotherKind) {
  const Machine machine(heavy_top());
  Steps run(machine.system, GetParam());
  const State q = consistent_start(machine.system);
  EXPECT_FALSE(run.method->load(q, std::vector<double>{1, 2, 3}));
}

}  // namespace
}  // namespace polhode::support
