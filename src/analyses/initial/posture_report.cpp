// SPDX-License-Identifier: BSD-3-Clause
// Given coordinates in words.
#include "posture_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace polhode::analyses {

using assembly::System;
using model::VectorX;

namespace {

std::string unit_of(const model::InitialCoordinate& one) { return one.is_angle() ? "rad" : "m"; }

// "0.3", "[0.1, 0, 0.2]"
std::string text_of(const model::InitialCoordinate& one, bool rate) {
  if (one.form != model::InitialCoordinate::Form::rotation_vector)
    return fmt::format("{:.6g}", rate ? *one.rate : *one.value);
  const model::Vec3& v = rate ? one.vector_rate : one.vector;
  return fmt::format("[{:.6g}, {:.6g}, {:.6g}]", v.x(), v.y(), v.z());
}

// The equation that is open farthest: lengths relative to the size of the model, others in rad.
struct Gap {
  int row = -1;
  double relative = 0;
  // "joints.D: position x is open by 0.1 m"
  std::string text;
};

// Joints of loops alone are to blame: those of trees follow wherever the loop is dragged.
Gap widest_gap(const System& system, const std::set<int>& loops, const State& q) {
  assembly::Residual residual = system.make_residual();
  system.set_residual(q, residual, {false, false, true});
  Gap widest;
  for (int row = 0; row < system.rows(); ++row) {
    const double relative = std::abs(residual.phi[row]) / (system.row_is_length(row) ? system.length() : 1);
    if (relative <= widest.relative || !loops.count(system.entry_of_row(row))) continue;
    widest = {row, relative,
              fmt::format("{} is open by {:.3g} {}", system.name_of(system.free_unknowns() + row),
                          std::abs(residual.phi[row]), system.row_is_length(row) ? "m" : "rad")};
  }
  return widest;
}

// "joints.A, joints.B"; beams of a loop are no help.
std::string joints_among(const System& system, const std::set<int>& entries) {
  std::string text;
  for (const int entry : entries) {
    const model::Entry& one = system.model().entries[static_cast<std::size_t>(entry)];
    if (one.family == model::Family::joint) text += (text.empty() ? "" : ", ") + one.path();
  }
  return text;
}

// "angle of joints.crank: 1.83 of 2.5 rad, misses by 0.67 rad"
std::string miss_of(const GivenJoint& joint, double reached) {
  std::string text;
  for (const model::InitialCoordinate& one : joint.coordinates) {
    if (!one.value || *one.value == 0) continue;
    text +=
        fmt::format("{}{} gets to {:.4g} of {:.4g} {}, and misses by {:.3g} {}", text.empty() ? "" : "; ", joint.path,
                    reached * *one.value, *one.value, unit_of(one), (1 - reached) * std::abs(*one.value), unit_of(one));
  }
  return text;
}

}  // namespace

std::string text_of(const GivenJoint& joint) {
  std::string text = joint.path;
  const char* link = " at";
  for (const model::InitialCoordinate& one : joint.coordinates) {
    if (one.value) text += fmt::format("{} {} {}", link, text_of(one, false), unit_of(one));
    if (one.rate) text += fmt::format(" with {} {}/s", text_of(one, true), unit_of(one));
    link = " and";
  }
  return text;
}

// The table of what was moved is cut on the terminal and whole in the log.
void write_report(const System& system, const std::vector<GivenJoint>& joints, PostureReport& report) {
  constexpr std::size_t most_joints = 6;
  constexpr std::size_t most_nodes = 8;
  std::string given;
  for (std::size_t i = 0; i < std::min(most_joints, joints.size()); ++i)
    given += (given.empty() ? "" : ", ") + text_of(joints[i]);
  if (joints.size() > most_joints) given += " and " + model::counted(static_cast<long>(joints.size() - most_joints), "more joint");
  report.summary = table_of(system, report.changes, most_nodes);
  report.summary.insert(report.summary.begin(), fmt::format("initial coordinates: {}; {} of {} nodes moved", given,
                                                            report.changes.size(), system.nodes() - 1));
  if (report.changes.size() > most_nodes) report.notes = table_of(system, report.changes, report.changes.size());
}

std::set<int> open_loop(const System& driven, const PostureTree& tree, const State& open) {
  const Gap gap = widest_gap(driven, tree.all_loops(), open);
  return gap.row >= 0 ? tree.loop_of(driven.entry_of_row(gap.row)) : std::set<int>();
}

// The loop of the joint whose equations are open farthest. Its given joints say how far they came.
void report_open(const System& driven, const std::vector<GivenJoint>& joints, const PostureTree& tree, double reached,
                 const State& open, int blamed, model::Problems& problems) {
  const Gap gap = widest_gap(driven, blamed < 0 ? tree.all_loops() : tree.loop_of(blamed), open);
  const int entry = blamed < 0 && gap.row >= 0 ? driven.entry_of_row(gap.row) : blamed;
  const std::set<int> loop = entry >= 0 ? tree.loop_of(entry) : std::set<int>();
  std::string misses;
  std::string path;
  for (const bool only_loop : {true, false}) {
    for (const GivenJoint& joint : joints) {
      if (only_loop && loop.count(joint.entry) == 0) continue;
      const std::string miss = miss_of(joint, reached);
      if (miss.empty()) continue;
      if (path.empty()) path = joint.path;
      misses += (misses.empty() ? "" : "; ") + miss;
    }
    if (!misses.empty()) break;
  }
  if (path.empty()) path = joints.front().path;
  // Halfway there the gap is that of the last step alone.
  if (reached == 0 && !gap.text.empty()) misses += "; there, " + gap.text;
  problems.push_back(
      {path + ".initial", fmt::format("{} with these coordinates: {}; give a value that the mechanism reaches "
                                      "from the deck's configuration, or give fewer joints of the loop a coordinate",
                                      loop.empty() ? "the constraints cannot be met"
                                                   : "the loop of " + joints_among(driven, loop) + " does not close",
                                      misses)});
}

// Rates at round-off are those of the largest speed.
bool check_rates(const System& driven, const std::vector<GivenJoint>& joints, const State& q, const VectorX& left,
                 model::Problems& problems) {
  double speed = 0;
  for (const model::Vec6& v : q.v) speed = std::max({speed, v.head<3>().norm(), v.tail<3>().norm() * driven.length()});
  std::set<int> open;
  for (int row = 0; row < driven.rows(); ++row) {
    const double scale = driven.row_is_length(row) ? speed : speed / driven.length();
    if (std::abs(left[row]) > 1e-9 * scale || !std::isfinite(left[row])) open.insert(driven.entry_of_row(row));
  }
  if (open.empty()) return true;
  problems.push_back({joints.front().path + ".initial",
                      "the rates at the start contradict each other: they leave " + joints_among(driven, open) +
                          " with a speed of their own; give fewer joints of the loop a rate"});
  return false;
}

}  // namespace polhode::analyses
