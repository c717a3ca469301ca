// SPDX-License-Identifier: BSD-3-Clause
// Right-angle cantilever beam of BCA12, section 7.2, against a discrete reference and a curve converged in space and
// time.
#include <gtest/gtest.h>

#include "verification/measured.hpp"
#include "verification/reference.hpp"
#include "verification/run.hpp"

namespace polhode::verification {
namespace {

const std::string right_angle_name = "right-angle beam";
const std::vector<std::string> tip_columns{"tip_x", "tip_y", "tip_z"};
const std::vector<std::string> elbow_columns{"elbow_x", "elbow_y", "elbow_z"};

TEST(RightAngleBeam, MeanSolvesAreThoseOfThePaper) {
  for (const std::string& method : all_methods)
    expect_between(right_angle_name, method + ": mean Newton solves a step",
                   run("right_angle_beam", {set_method(method)}, {}).mean_solves(), 3.76, 3.86, 3);
}

TEST(RightAngleBeam, AgreesWithTheDiscreteReference) {
  const Table reference("right_angle_beam_10el_h0.2_lie_alpha.csv");
  const Histories beam = run("right_angle_beam", {set_duration(10)},
                             {"nodes.tip.position", "nodes.elbow.position", "energy.kinetic", "energy.strain"}, 0.2);
  ASSERT_EQ(reference.rows() + 1, beam[0].rows());  // the table starts at 0.2 s
  const auto distance = [&](std::size_t history, const std::vector<std::string>& columns) {
    return largest_distance(beam[history].bottomRows(reference.rows()), reference.columns(columns));
  };
  expect_at_most(right_angle_name, "lie_alpha: distance of the tip from the discrete reference [m]",
                 distance(0, tip_columns), 1e-5);
  expect_at_most(right_angle_name, "lie_alpha: distance of the elbow from the discrete reference [m]",
                 distance(1, elbow_columns), 1e-5);
  expect_at_most(right_angle_name, "lie_alpha: distance of the kinetic energy from the discrete reference [J]",
                 distance(2, {"kinetic"}), 1e-3);
  expect_at_most(right_angle_name, "lie_alpha: distance of the strain energy from the discrete reference [J]",
                 distance(3, {"strain"}), 1e-3);
}

TEST(RightAngleBeam, MethodsAgreeAndEnergyVariesLittleInTheFreePhase) {
  Series tip;
  for (const std::string& method : all_methods) {
    const Histories beam = run("right_angle_beam", {set_method(method)}, {"nodes.tip.position", "energy.total"}, 0.2);
    if (tip.size() == 0) {
      tip = beam[0];
      expect_between(right_angle_name, method + ": lowest displacement of the tip [m]", tip.col(2).minCoeff(), -10, -9);
      expect_between(right_angle_name, method + ": highest displacement of the tip [m]", tip.col(2).maxCoeff(), 8, 9);
    } else {
      expect_at_most(right_angle_name, method + ": distance of the tip from that of lie_alpha in 30 s [m]",
                     largest_distance(beam[0], tip), 0.1);
    }
    const Eigen::VectorXd free = beam[1].col(0).tail(beam[1].rows() - 10);  // from 2 s on
    expect_between(right_angle_name, method + ": energy at 30 s against 2 s [%]",
                   100 * (free(free.size() - 1) / free(0) - 1), -1, 0);
    expect_between(right_angle_name, method + ": largest change of the energy in the free phase [%]",
                   100 * (free.array() / free(0) - 1).abs().maxCoeff(), 0, 1);
  }
}

TEST(RightAngleBeam, TipConvergesWithOrderTwoInTheStep) {
  const auto tip = [](const std::string& method, double h) {
    return run("right_angle_beam", {set_method(method), set_step(h), set_duration(10)}, {"nodes.tip.position"}, 0.2)[0];
  };
  const Series fine = tip("lie_alpha", 1e-3);
  const std::vector<double> steps{0.1, 0.05, 0.025, 0.0125};
  for (const std::string& method : all_methods) {
    std::vector<double> errors;
    for (const double h : steps) errors.push_back(largest_distance(tip(method, h), fine));
    expect_order(right_angle_name, method + ": order (errors) of the tip [m], h = 0.1, 0.05, 0.025, 0.0125", steps,
                 errors, 1.85, 2.15);
  }
}

// The step is so small that its error is below that of the finest mesh.
TEST(RightAngleBeam, TipApproachesTheConvergedCurveWithOrderTwoInTheElementSize) {
  const Series converged = Table("right_angle_beam_converged.csv").columns(tip_columns).topRows(50);  // 0.2 … 10 s
  const double h = 0.005;
  std::vector<double> sizes;
  std::vector<double> errors;
  for (const int elements : {10, 20, 40, 80}) {
    const std::string half = std::to_string(elements / 2);
    const Histories beam =
        run("right_angle_beam",
            {"beams.column.elements=" + half, "beams.arm.elements=" + half, set_step(h), set_duration(10)},
            {"nodes.tip.position"}, 0.2);
    const double error = largest_distance(beam[0].bottomRows(50), converged);
    if (elements == 10) {  // the deck's mesh, too coarse to show the order
      note(right_angle_name, "lie_alpha: error of the tip [m] with 10 elements, h = 0.005", std::to_string(error));
      continue;
    }
    sizes.push_back(20.0 / elements);
    errors.push_back(error);
  }
  expect_order(right_angle_name,
               "lie_alpha: order in element size (errors) of the tip [m], 20, 40, 80 elements, h = 0.005", sizes,
               errors, 1.85, 2.15);
}

// Elements of higher order on the same curve, up to 6 s; the step adds some 5e-5 m.
TEST(RightAngleBeam, ElementsOfHigherOrderMeetTheConvergedCurve) {
  const Series converged = Table("right_angle_beam_converged.csv").columns(tip_columns).topRows(30);  // 0.2 … 6 s
  const auto error = [&](int order, int elements) {
    std::vector<std::string> settings{set_step(0.005), set_duration(6)};
    for (const std::string leg : {"column", "arm"}) {
      settings.push_back("beams." + leg + ".order=" + std::to_string(order));
      settings.push_back("beams." + leg + ".elements=" + std::to_string(elements));
    }
    return largest_distance(run("right_angle_beam", settings, {"nodes.tip.position"}, 0.2)[0].bottomRows(30),
                            converged);
  };
  expect_at_most(right_angle_name, "2 x 12 elements of order 1: error of the tip [m]", error(1, 12), 0.1);
  expect_at_most(right_angle_name, "2 x 3 elements of order 4, as many unknowns: error of the tip [m]", error(4, 3),
                 1e-4);
  expect_order(right_angle_name, "order in element size (errors) of the tip [m], order 2, 2 x 4 and 2 x 8 elements",
               {1, 0.5}, {error(2, 4), error(2, 8)}, 3.5, 4.5);
}

// The methods that keep energy or momenta, by elements with directors, up to 4 s; the mesh adds some 1e-5 m.
TEST(RightAngleBeam, StructurePreservingMethodsMeetTheConvergedCurve) {
  const Series converged = Table("right_angle_beam_converged.csv").columns(tip_columns).topRows(20);  // 0.2 … 4 s
  for (const std::string method : {"energy_momentum", "variational"}) {
    const auto error = [&](double h) {
      std::vector<std::string> settings{set_method(method), set_step(h), set_duration(4)};
      for (const std::string leg : {"column", "arm"}) {
        settings.push_back("beams." + leg + ".order=4");
        settings.push_back("beams." + leg + ".elements=3");
      }
      const Histories beam =
          run("right_angle_beam", settings, {"nodes.tip.position", "energy.total", "energy.external_work"}, 0.2);
      if (method == "energy_momentum")
        expect_at_most(right_angle_name, method + ": energy less work [J]", largest_distance(beam[1], beam[2]), 1e-9);
      return largest_distance(beam[0].bottomRows(20), converged);
    };
    expect_order(right_angle_name, method + ": order in the step (errors) of the tip [m], h = 0.04, 0.02", {0.02, 0.01},
                 {error(0.04), error(0.02)}, 1.85, 2.15);
  }
}

}  // namespace
}  // namespace polhode::verification
