// SPDX-License-Identifier: BSD-3-Clause
// Drives that follow signals: a driven arm with a free link, whose set point follows the link, against DOP853 of its
// equations (relative tolerance 1e-13); their tangents, and what has too few derivatives.
#include <cmath>
#include <numbers>

#include "support/dense.hpp"
#include "support/methods.hpp"
#include "support/transients.hpp"

namespace polhode::support {
namespace {

constexpr const char* servo_signals =
    "  command: \"=0.4*sin(2*t) - 0.5*sin(phi) - 0.05*rate\"\n"
    "  place: {type: transfer_function, input: command, numerator: [144], denominator: [1, 12, 144]}\n";

// An arm of 0.8 m, and a link of 1 m, 2 kg and 0.17 kg m^2 about its center on it, both level at the start.
std::string arm_and_link(const std::string& signals, const std::string& drive, const std::string& analysis) {
  return "format: polhode-deck/1\ngravity: [0, 0, -9.81]\n"
         "nodes: {arm: {position: [0.4, 0, 0]}, link: {position: [1.3, 0, 0]}}\n"
         "bodies:\n  arm: {type: rigid_body, node: arm, mass: 1, inertia: [0.1, 0.1, 0.1]}\n"
         "  link: {type: rigid_body, node: link, mass: 2, inertia: [0.01, 0.17, 0.17]}\n"
         "signals:\n  phi: {of: joints.elbow.coordinates}\n  rate: {of: joints.elbow.rates}\n" +
         signals + "joints:\n  shoulder: {type: revolute, connects: [ground, arm], at: [0, 0, 0], axis: [0, 1, 0], " +
         "rotation: \"" + drive +
         "\"}\n  elbow: {type: revolute, connects: [arm, link], at: [0.8, 0, 0], axis: [0, 1, 0]}\nanalysis: " +
         analysis + "\n";
}
std::string transient(const std::string& method, double duration, const std::string& step) {
  return "{type: transient, duration: " + std::to_string(duration) + ", step: " + step +
         ", integrator: {method: " + method + "}}";
}

// Of the arm, and of the link against it, rad.
struct Angles {
  double shoulder;
  double elbow;
};
Angles angles_of(const State& q) {
  const auto angle = [](const Vec3& along) { return std::atan2(-along.z(), along.x()); };
  const double shoulder = angle(q.x[1]);
  return {shoulder, angle(q.x[2] - 2 * q.x[1]) - shoulder};
}
// The larger difference of both; whole turns do not count.
double off(const State& q, const Angles& exact) {
  const Angles found = angles_of(q);
  const auto apart = [](double a, double b) { return std::abs(std::remainder(a - b, 2 * std::numbers::pi)); };
  return std::max(apart(found.shoulder, exact.shoulder), apart(found.elbow, exact.elbow));
}
double error_at_end(const std::string& text, const Angles& exact) {
  Transient run(deck_of(text));
  EXPECT_EQ(run.result.end, TransientResult::End::done) << text;
  return off(run.q, exact);
}

constexpr Angles place_at_half{-0.6438414644566, 3.2913479746422};
// The drive 2 sin(place/2) + 0.1 sin(t)^2, whose second derivative has squares of rates
constexpr const char* curved = "=2*sin(place/2) + 0.1*sin(t)^2";
constexpr Angles curved_at_half{-0.6204531818980, 3.1955866600550};

// Of four forms of generalized-alpha, of Radau's method and of both Rosenbrock methods, one of which loses its order where
// a derivative is missing; the link turns once around in the time.
TEST(DrivenBySignals, HasTheOrderOfTheMethod) {
  struct Case {
    std::string method;
    double order;
    double least;      // error at the end
    double h = 0.005;  // s, the longer step
  };
  for (const Case& each : {Case{"lie_alpha", 1.9, 1e-3}, Case{"ul_crv", 1.9, 1e-3}, Case{"lie_alpha_index2", 1.9, 1e-3},
                           Case{"lie_alpha, frame: spatial", 1.9, 1e-3}, Case{"radau5", 4.5, 1e-8, 0.01},
                           Case{"rosenbrock4", 3.7, 1e-7}, Case{"rosenbrock_w2", 1.9, 2e-2}}) {
    const auto error = [&](double h) {
      return error_at_end(arm_and_link(servo_signals, "place", transient(each.method, 0.5, std::to_string(h))),
                          place_at_half);
    };
    const double longer = error(each.h);
    const double shorter = error(each.h / 2);
    EXPECT_GE(std::log2(longer / shorter), each.order) << each.method << " " << longer << " " << shorter;
    EXPECT_LE(shorter, each.least) << each.method;
  }
}

// Also of a drive that is no linear function of its signal.
TEST(DrivenBySignals, AtSmallSteps) {
  EXPECT_LE(error_at_end(arm_and_link(servo_signals, "place", transient("lie_alpha", 0.5, "0.0001")), place_at_half),
            2e-6);
  EXPECT_LE(error_at_end(arm_and_link(servo_signals, curved, transient("lie_alpha", 0.5, "0.0001")), curved_at_half),
            2e-6);
  EXPECT_LE(error_at_end(arm_and_link(servo_signals, curved, transient("radau5", 0.5, "0.0025")), curved_at_half),
            1e-8);
}

// These take accelerations of the drive, no positions.
TEST(DrivenBySignals, BySundials) {
  for (const std::string& method : and_of_sundials({}))
    EXPECT_LE(error_at_end(arm_and_link(servo_signals, curved, transient(method, 0.5, "{tolerance: 1.0e-7}")),
                           curved_at_half),
              2e-6)
        << method;
}

// Errors of positions that a drive prescribes are in the estimate of the step.
TEST(DrivenBySignals, UnderControlOfTheStep) {
  EXPECT_LE(error_at_end(arm_and_link(servo_signals, curved, transient("lie_alpha", 0.5, "{tolerance: 1.0e-6}")),
                         curved_at_half),
            1e-4);
  EXPECT_LE(error_at_end(arm_and_link(servo_signals, curved, transient("radau5", 0.5, "{tolerance: 1.0e-7}")),
                         curved_at_half),
            1e-7);
}

// Sampled 50 times a second, to the last bit of what the filter makes of it.
TEST(DrivenBySignals, OfASampledController) {
  const std::string sampled =
      "  command: {type: sample_hold, period: 0.02, input: \"=0.4*sin(2*t) - 0.5*sin(phi) - 0.05*rate\"}\n"
      "  place: {type: transfer_function, input: command, numerator: [144], denominator: [1, 12, 144]}\n";
  constexpr Angles exact{-1.4840687199945, 13.9747739578096};
  EXPECT_LE(error_at_end(arm_and_link(sampled, "place", transient("radau5", 1, "0.0025")), exact), 1e-7);
  EXPECT_LE(error_at_end(arm_and_link(sampled, "place", transient("rosenbrock4", 1, "0.0005")), exact), 1e-7);
}

// An inexact matrix would need more.
TEST(DrivenBySignals, TakesNoMoreIterations) {
  for (const std::string method : {"lie_alpha", "ul_crv", "lie_alpha_index2"}) {
    const auto iterations = [&](const std::string& drive) {
      Transient run(deck_of(arm_and_link(servo_signals, drive, transient(method, 0.5, "0.005"))));
      EXPECT_EQ(run.result.end, TransientResult::End::done);
      return run.result.progress.iterations;
    };
    EXPECT_LE(iterations("place"), iterations("=0.5*sin(3*t)^2") * 11 / 10) << method;
  }
}

// The force of the drive three orders in front of it: the last two must not swing about what they should be, as they do where
// the matrix does not know of them.
TEST(DrivenBySignals, ReactionsThreeOrdersAhead) {
  const std::string deck =
      "format: polhode-deck/1\nnodes: {slide: {position: [0.4, 0, 0]}}\n"
      "bodies: {slide: {type: rigid_body, node: slide, mass: 3, inertia: [0.1, 0.1, 0.1]}}\nsignals:\n"
      "  force: {of: joints.guide.axis_force}\n"
      "  first: {type: low_pass, input: \"=0.3*sin(3*t) - 0.05*force\", time_constant: 0.1}\n"
      "  second: {type: low_pass, input: first, time_constant: 0.05}\n"
      "  third: {type: low_pass, input: second, time_constant: 0.07}\n"
      "joints: {guide: {type: prismatic, connects: [ground, slide], at: [0, 0, 0], axis: [1, 0, 0], translation: "
      "third}}\nanalysis: ";
  const auto force = [&](const std::string& method, double duration, const std::string& step) {
    Transient run(deck_of(deck + transient(method, duration, step) + "\n"));
    EXPECT_EQ(run.result.end, TransientResult::End::done);
    return run.q.signals.values[0];
  };
  constexpr double exact = 2.4592235046834;
  for (const std::string method : {"lie_alpha", "ul_crv", "lie_alpha_index2"})
    for (const std::string h : {"0.002", "0.0001"}) {
      EXPECT_NEAR(force(method, 0.5, h), exact, 5e-5) << method << " " << h;
      EXPECT_NEAR(force(method, 0.498, h), exact + 0.002 * 9.01, 5e-4) << method << " " << h;
    }
  EXPECT_NEAR(force("radau5", 0.5, "0.005"), exact, 1e-7);
}

// Rows of positions and of velocities, where states follow the motion at a gain of a step; the drive follows its own rate,
// too, and signals of two paths.
TEST(DrivenBySignals, TangentsMatchDifferences) {
  const std::string signals =
      "  z: {of: nodes.link.position.z}\n" + std::string(servo_signals) +
      "  own: {of: joints.shoulder.rates}\n  first: {type: low_pass, input: \"=own + rate*z\", time_constant: 0.02}\n"
      "  second: {type: low_pass, input: \"=first - 0.3*second + weight\", time_constant: 0.03}\n"
      "  load: {of: joints.shoulder.moment.y}\n  pull: {of: joints.elbow.force.z}\n"
      "  loaded: {type: low_pass, input: \"=3*load + pull\", time_constant: 0.02}\n"
      "  weight: {type: low_pass, input: loaded, time_constant: 0.02}\n";
  const Machine machine(
      deck_of(arm_and_link(signals, "=2*sin(place) + second", transient("lie_alpha", 1, "0.01"))).model);
  const assembly::System& system = machine.system;
  State q = system.initial_state();
  for (std::size_t i = 1; i < q.x.size(); ++i) q.v[i] << 0.3, -0.2, 0.5, 0.1, 0.7, -0.4;
  q.signals.gain = 0.01;
  q.signals.base = 0.3 * model::VectorX::Ones(q.signals.z.size());
  constexpr double c = 50;
  const auto moved = [&](int unknown, double step) {
    if (unknown >= system.free_unknowns()) {
      State r = q;
      r.lambda[unknown - system.free_unknowns()] += step;
      return r;
    }
    math::VectorX unit = math::VectorX::Zero(system.size());
    unit[unknown] = step;
    std::vector<model::Vec6> by_node(system.nodes());
    system.scatter(unit, by_node);
    State r = q;
    for (std::size_t i = 1; i < by_node.size(); ++i) {
      r.v[i] += c * by_node[i];
      r.x[i] += by_node[i].head<3>();
      r.set_rotation(i, (r.quat[i] * math::so3::exp_quaternion(by_node[i].tail<3>())).normalized());
    }
    return r;
  };
  const auto positions = [&](const State& r) {
    assembly::Residual found = system.make_residual();
    system.set_residual(r, found);
    return found.phi;
  };
  const auto rates = [&](const State& r) {
    model::VectorX Bv(system.rows());
    model::VectorX phi_t(system.rows());
    system.set_velocity_rates(r, Bv, phi_t);
    return phi_t;
  };
  assembly::SparseMatrix by_positions = system.make_matrix();
  assembly::SparseMatrix by_rates = system.make_matrix();
  system.set_matrix(q, {.c = c, .k = 1, .b = 1}, 1, by_positions);
  system.add_velocity_tangents_to(q, {.c = c, .k = 1}, by_rates);
  const math::MatrixX of_positions = dense_of(by_positions).bottomRows(system.rows());
  const math::MatrixX of_rates = dense_of(by_rates).bottomRows(system.rows());
  EXPECT_GT(of_rates.norm(), 1);
  EXPECT_GT(of_positions.rightCols(system.rows()).norm(), 1e-3);
  for (int column = 0; column < system.size(); ++column) {
    constexpr double d = 1e-5;
    const auto difference = [&](const auto& f) -> model::VectorX {
      return (8 * (f(moved(column, d)) - f(moved(column, -d))) - (f(moved(column, 2 * d)) - f(moved(column, -2 * d)))) /
             (12 * d);
    };
    EXPECT_LE((of_positions.col(column) - difference(positions)).lpNorm<Eigen::Infinity>(), 1e-8) << column;
    // But for products of signals
    EXPECT_LE((of_rates.col(column) - difference(rates)).lpNorm<Eigen::Infinity>(), 2e-2 * of_rates.norm()) << column;
  }
}

}  // namespace
}  // namespace polhode::support
