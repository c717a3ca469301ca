// SPDX-License-Identifier: BSD-3-Clause
// No heap allocation inside a step: malloc and its kin are counted between two marks. KLU allocates where it chooses
// pivots; these choices are counted too, and there are none in the steps that are watched.
#include <gtest/gtest.h>

#include <cerrno>
#include <cmath>
#include <cstdlib>

#include "polhode/integrators/rosenbrock/rosenbrock.hpp"
#include "support/controlled_pendulum.hpp"
#include "support/runs.hpp"

namespace {
thread_local bool counting = false;
thread_local long allocations = 0;
}  // namespace

// The sanitizers have an allocator of their own.
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
#define POLHODE_COUNTS_ALLOCATIONS 1
// operator new of the standard library calls malloc, Eigen calls malloc or posix_memalign.
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

void* malloc(std::size_t size) {
  allocations += counting;
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
  allocations += counting;
  return __libc_calloc(count, size);
}
void* realloc(void* old, std::size_t size) {
  allocations += counting;
  return __libc_realloc(old, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  allocations += counting;
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** result, std::size_t alignment, std::size_t size) {
  allocations += counting;
  *result = __libc_memalign(alignment, size);
  return *result ? 0 : ENOMEM;
}
}
#endif

namespace polhode::support {
namespace {

#ifdef POLHODE_COUNTS_ALLOCATIONS
struct Marks {
  Marks() {
    allocations = 0;
    counting = true;
  }
  ~Marks() { counting = false; }
  Marks(const Marks&) = delete;
};

TEST(AllocationCount, SeesNewAndMatrices) {
  long seen = 0;
  {
    const Marks marks;
    char* volatile a = new char[100];
    delete[] a;
    VectorX v = VectorX::Zero(100);
    seen = allocations + (v[3] != 0);
  }
  EXPECT_EQ(seen, 2);
}

TEST(AllocationCount, OfExpressionsIsZero) {
  const std::vector<std::string> names{"angle", "rate"};
  const auto law = model::Expression::parse("t < 1 ? -angle^1.5*max(rate, 0) : hypot(angle, rate)", {}, true, names);
  double sum = 0;
  long seen = 0;
  {
    const Marks marks;
    std::array<double, 2> gradient;
    for (int i = 0; i < 100; ++i) {
      const std::array<double, 2> at{0.1 * i, 5 - 0.3 * i};
      sum += law(0.03 * i).value + law.value(0.03 * i, at) + law.value(0.03 * i, at, gradient) + gradient[1];
    }
    seen = allocations;
  }
  EXPECT_NE(sum, 0);
  EXPECT_EQ(seen, 0);
}

// Two bodies, tied by each of the forces between two nodes.
model::Model sprung_pair() {
  ModelMaker m;
  m.node("a", Vec3::Zero()).angular_velocity = Vec3(1, -2, 0.5);
  m.node("b", Vec3(1, 0, 0)).velocity = Vec3(0.3, 0.2, -1);
  m.body("a", "a", 1, Vec3(0.2, 0.3, 0.4));
  m.body("b", "b", 2, Vec3(0.3, 0.3, 0.2));
  const std::vector<std::string> pair{"a", "b"};
  m.add(Family::force, "spring_damper", "spring",
        {{"connects", pair},
         {"elongation", VectorX(Vec3(-1, 0, 2))},
         {"force", VectorX(Vec3(-5, 0, 30))},
         {"damping", 0.3},
         {"actuator", expression("sin(3*t)")}});
  m.add(Family::force, "spring_damper", "cable",
        {{"connects", pair}, {"force", law("t < 0.2 ? 0 : 3*rate/sqrt(1 + length^2)", {"length", "rate"})}});
  m.add(Family::force, "torsional_spring_damper", "shaft",
        {{"connects", pair}, {"axis", value(Vec3(1, 0, 0))}, {"stiffness", 2.0}, {"damping", 0.1}});
  m.add(Family::force, "bushing", "mount",
        {{"connects", pair},
         {"at", value(Vec3(0.5, 0, 0))},
         {"stiffness", math::MatrixX(math::Mat6::Identity())},
         {"damping", math::MatrixX(0.1 * math::Mat6::Identity())}});
  return std::move(m.model);
}

class Allocation : public testing::TestWithParam<std::string> {
 protected:
  // Steps after a warm-up, which sizes what the first steps need.
  void expect_none(model::Model model, double h) {
    const Machine machine(std::move(model));
    State q = consistent_start(machine.system);
    for (const bool increments : {false, true}) {
      integrators::NewtonSettings settings = to_round_off();
      if (increments) settings = integrators::NewtonSettings{};
      Stepper stepper(machine.system, method(GetParam()), settings);
      const bool keeps = integrators::method_of(method(GetParam())).conserves;
      stepper.start(q);
      double t = q.t;
      for (int n = 0; n < 5; ++n) ASSERT_TRUE(stepper.advance(q, h, t += h));
      const int choices = stepper.method().pivot_choices();
      long counted = 0;
      bool fine = true;
      {
        const Marks marks;
        for (int n = 0; n < 100; ++n) fine = stepper.advance(q, h, t += h) && fine;
        counted = allocations;
      }
      EXPECT_TRUE(fine);
      EXPECT_EQ(stepper.method().pivot_choices(), choices);
      EXPECT_EQ(counted, 0);
      if (keeps) continue;  // they have no steps under control
      Stepper varying(machine.system, method(GetParam()), settings, 1e30);
      const auto controlled = [&](int steps) {  // of sizes that change every third step
        for (int n = 0; n < steps; ++n) {
          const double step = n / 3 % 2 ? h / 2 : h;
          fine = varying.attempt(q, step, q.t + step) && std::isfinite(varying.method().report().error) && fine;
          varying.accept(q);
        }
      };
      controlled(10);
      const int chosen = varying.method().pivot_choices();
      {
        const Marks marks;
        controlled(60);
        counted = allocations;
      }
      EXPECT_TRUE(fine);
      EXPECT_EQ(varying.method().pivot_choices(), chosen);
      EXPECT_EQ(counted, 0) << "steps under control";
    }
  }
};

class AllocationWithBeams : public Allocation {};

TEST_P(Allocation, IsNoneInAStepOfTheHeavyTop) { expect_none(heavy_top(), 1e-3); }
TEST_P(Allocation, IsNoneInAStepWithForcesBetweenBodies) { expect_none(sprung_pair(), 0.01); }
TEST_P(AllocationWithBeams, IsNoneInAStepOfABeam) { expect_none(cantilever(6), 0.01); }
TEST_P(AllocationWithBeams, IsNoneInAStepOfADampedArcOfHigherOrder) {
  model::Model model = cantilever(2);
  model.sections[0].damping.setConstant(0.01);
  model.entries[0].values["order"] = 4.0;
  model.entries[0].values["arc"] = value(Vec3(1, 0, 0.3));
  model.entries[0].values["orientation"] = value(Vec3(0, 1, 0));
  expect_none(std::move(model), 0.01);
}

// Laws and drives along axes, counted angles, and a coupling between joints.
TEST_P(Allocation, IsNoneInAStepOfAMachine) {
  ModelMaker m;
  for (const char* name : {"wheel", "gear", "rack", "nut", "bob"}) {
    const Vec3 at(static_cast<double>(m.model.nodes.size()), 0, 0);
    m.node(name, at);
    m.body(name, name, 1, Vec3(0.1, 0.1, 0.1));
  }
  const auto joint = [&](const char* type, const char* a, const char* b, double x) -> model::Entry& {
    model::Entry& entry = m.joint(type, b, a, b, Vec3(x, 0, 0));
    entry.values.emplace("axis", value(Vec3(0, 0, 1)));
    return entry;
  };
  auto& wheel = joint("revolute", "ground", "wheel", 0).values;
  wheel.emplace("motor", expression("sin(3*t)"));
  wheel.emplace("torque", law("-rate*abs(rate) - angle^3", {"angle", "rate"}));
  wheel.emplace("stops.upper", 0.01);
  wheel.emplace("stops.stiffness", 30.0);
  wheel.emplace("stops.damping", 0.5);
  joint("cylindrical", "ground", "gear", 1).values.emplace("translation", expression("0.1*t^2"));
  joint("prismatic", "ground", "rack", 2).values.emplace("friction.coulomb", 0.1);
  joint("screw", "rack", "nut", 3).values.emplace("pitch", 0.5);
  joint("point_on_line", "nut", "bob", 4);
  m.add(Family::joint, "coupling", "gears",
        {{"joints", model::Weights{{"wheel", 1}, {"gear.rotation", 2}, {"rack", 0.5}}}});
  expect_none(std::move(m.model), 0.01);
}

// States of blocks, expressions, reactions, and forces that follow them.
class AllocationWithSignals : public Allocation {};
INSTANTIATE_TEST_SUITE_P(Methods, AllocationWithSignals,
                         testing::Values("lie_alpha", "lie_alpha_index2", "ul_crv", "ul_rotation_vector"));

TEST_P(AllocationWithSignals, IsNoneInAStepOfAControlledMachine) {
  expect_none(deck_of(controlled_pendulum("  load: {of: joints.hinge.force.z}\n"
                                          "  cell: {type: low_pass, input: load, time_constant: 0.05}\n"
                                          "  hold: {type: pid, input: \"=0.3 - angle\", kp: 60, ki: 20, kd: 8, "
                                          "filter: 0.02, limit: [-40, 40]}\n",
                                          "=hold + 0.01*cell - 0.1*rate*abs(rate)", 1, 0.01))
                  .model,
              0.001);
}

// What steps hold is copied with the state.
class AllocationWithSamples : public Allocation {};
INSTANTIATE_TEST_SUITE_P(Methods, AllocationWithSamples, testing::Values("lie_alpha", "radau5"));

TEST_P(AllocationWithSamples, IsNoneInAStepOfASampledMachine) {
  expect_none(deck_of(controlled_pendulum("  held: {type: sample_hold, input: \"=-40*angle - 6*rate\", period: 0.01}\n"
                                          "  mode: {type: mode, initial: 2}\n",
                                          "=held + mode - 0.1*rate", 1, 0.001))
                  .model,
              0.001);
}

// Steps of fixed and of changing size.
TEST(StateSpaceAllocation, IsNoneInARosenbrockStep) {
  for (model::Model model : {heavy_top(), sprung_pair(), driven_top(), cantilever(3)}) {
    const Machine machine(std::move(model));
    integrators::IntegratorSettings settings;
    settings.method = "rosenbrock4";
    integrators::Rosenbrock method(machine.system, settings);
    State q = consistent_start(machine.system);
    State next = q;
    ASSERT_TRUE(make_consistent(machine.system, method.space(), q, 0));
    bool fine = true;
    const auto steps = [&](int count) {
      for (int n = 0; n < count; ++n) {
        const double h = n / 3 % 2 ? 1e-4 : 2e-4;
        fine = method.attempt(q, h, q.t + h) == integrators::Rosenbrock::Attempt::done &&
               std::isfinite(method.error(1e-3)) && method.finish(next) && fine;
        std::swap(q, next);
        method.accepted();
      }
    };
    steps(10);
    long counted = 0;
    {
      const Marks marks;
      steps(50);
      counted = allocations;
    }
    EXPECT_TRUE(fine);
    EXPECT_EQ(counted, 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, Allocation, testing::ValuesIn(methods), [](const auto& name) { return name.param; });
INSTANTIATE_TEST_SUITE_P(Methods, AllocationWithBeams, testing::ValuesIn(methods),
                         [](const auto& name) { return name.param; });
INSTANTIATE_TEST_SUITE_P(Radau, Allocation, testing::Values("radau5"), [](const auto& name) { return name.param; });
INSTANTIATE_TEST_SUITE_P(Radau, AllocationWithBeams, testing::Values("radau5"),
                         [](const auto& name) { return name.param; });
INSTANTIATE_TEST_SUITE_P(KeepersOfStructure, Allocation, testing::Values("variational", "energy_momentum"),
                         [](const auto& name) { return name.param; });
#endif

}  // namespace
}  // namespace polhode::support
