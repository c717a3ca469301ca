// SPDX-License-Identifier: BSD-3-Clause
// Why the path of loads ends before its time: free motions, limit points, round-off, unbalanced forces.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "arc_length.hpp"
#include "load_steps.hpp"
#include "loose_parts.hpp"
#include "path.hpp"
#include "polhode/analyses/motion/free_motion.hpp"

namespace polhode::analyses {

namespace {

// The three largest entries of the residual, by name.
std::vector<std::string> largest_forces(const assembly::System& system, const assembly::Residual& residual,
                                        const model::DroppedConstraints& dropped) {
  constexpr std::size_t most = 3;
  VectorX all(system.size());
  system.gather(residual, dropped, 1, all);
  std::vector<std::pair<double, int>> sizes;
  for (int i = 0; i < all.size(); ++i) sizes.emplace_back(std::abs(all[i]), i);
  std::sort(sizes.rbegin(), sizes.rend());
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < std::min(most, sizes.size()); ++i)
    if (sizes[i].first > 0)
      lines.push_back(fmt::format("unbalanced: {}  {:.3g}", system.name_of(sizes[i].second), all[sizes[i].second]));
  return lines;
}

}  // namespace

std::string remedy_of_stiffness(const assembly::System& system) {
  return system.beams().empty() ? "lower the largest stiffness"
                                : "lower the largest stiffness (EA, GAy, GAz), or use fewer elements of higher order";
}

// A load drives a motion where its work over it is more than round-off of the largest that both could do.
// Those that are driven come first in the message. Of a model that nothing holds one line says all.
std::optional<Path::Driven> Path::driven_motions(const std::string& head) {
  const VectorX load = equations_.load_rate().scaled;
  if (load.size() == 0) return std::nullopt;
  const VectorX& metric = equations_.displacements().metric();
  const auto motions = free_motions(system(), here_.q, equations_.stiffness().matrix(), metric);
  const int k = system().free_unknowns();
  const VectorX root = metric.head(k).cwiseSqrt();
  std::vector<std::string> details;
  std::vector<std::string> others;
  std::vector<VectorX> shapes;
  for (const FreeMotion& motion : motions) {
    shapes.push_back(motion.shape);
    // Of the change of the loads over the motion.
    const double work = std::abs(motion.shape.dot(load.head(k)));
    const double scale = root.cwiseProduct(motion.shape).norm() * load.head(k).cwiseQuotient(root).norm();
    (work > 1e-9 * scale ? details : others).push_back(motion.text);
  }
  if (details.empty()) return std::nullopt;
  for (const std::string& text : others) details.push_back(text + " (no load drives it)");
  if (const std::string text = describe_rigid_motions(system(), here_.q, shapes); !text.empty()) details = {text};
  details.emplace_back(
      "to go on: hold it by a joint, a support or a spring; start where its loads balance; or let it come to rest in a "
      "damped transient analysis before this one");
  return Driven{{head + ", and its loads drive it:", std::move(details)}, has_falling_part(system(), load)};
}

double Path::limit_load() const {
  // Near a limit point s = s_l - c (u - u_l)^2, so that 1 / |du/ds|^2 is linear in s.
  const Displacements& sizes = equations_.displacements();
  if (before_.tangent.size() == 0) return here_.s;
  // Zero of that line through the two points.
  const double g1 = 1 / sizes.product(before_.tangent, before_.tangent);
  const double g2 = 1 / sizes.product(here_.tangent, here_.tangent);
  return g1 > g2 ? here_.s + (here_.s - before_.s) * g2 / (g1 - g2) : here_.s;
}

// A limit point and elements turned too far end the path; else the whole load is tried at once. Where that fails, too,
// the reasons in the order of how much each says: free motions, round-off, and at last the largest forces.
void Path::explain(const Correction& last) {
  constexpr double steep = 30;  // times the tangent at the start: a limit point is near
  if (record_.end_if_interrupted()) return;
  // What holds free motions until loads do would hide them here.
  equations_.stiffness().set_shift(0);
  equations_.evaluate(here_.q, here_.s);
  const bool regular = equations_.linearize(here_.q) && equations_.stiffness().pivot_ratio() > least_pivot;
  std::optional<Driven> driven;
  if (!regular) driven = driven_motions(fmt::format("the model is free to move at load factor {:.6g}", here_.s));
  const Displacements& sizes = equations_.displacements();
  const bool is_steep = here_.tangent.size() > 0 && sizes.norm(here_.tangent) > steep * first_size_ && here_.s > 0;
  const bool turns_back = !driven && is_steep && ArcLength(*this).turns_back();
  if (record_.end_if_interrupted()) return;
  if (turns_back) {
    record_.fail(
        fmt::format("the loads lead beyond a limit point: no equilibrium is near above load factor {:.6g}; the last "
                    "one, at {:.6g}, is kept",
                    limit_load(), here_.s),
        {"to go on: `control: arc_length` follows the path through the limit point; smaller loads stay below it"});
    return;
  }
  if (last.end == Correction::End::past_bound) {
    record_.fail(
        fmt::format("no equilibrium was found above load factor {:.6g}: {} is turned past the bound of its rotation, "
                    "its nodes {}",
                    here_.s, last.past.element, last.past.turn_text()),
        {"an element of a beam takes less than half a turn along its length, and less from node to node the higher its "
         "order, a bushing less than a whole turn",
         "to go on: more `elements` in the beam, or smaller loads; a joint with a `torsional_spring_damper`, which "
         "counts turns, in the place of the bushing"});
    return;
  }
  const bool falls = driven && driven->falls;
  if (!falls && settings().control == StaticSettings::Control::load && relax()) return;
  if (record_.end_if_interrupted()) return;
  if (driven) return record_.fail(std::move(driven->reason));
  // Neither a mechanism nor a limit point: what is known of the numbers.
  std::vector<std::string> details;
  equations_.evaluate(here_.q, here_.s);
  if (equations_.linearize(here_.q))
    if (const double round_off = round_off_of(equations_, here_.q); round_off > 10 * settings().tolerance)
      details.push_back(
          fmt::format("round-off of the stiffest directions alone moves nodes by {:.6g} of the model's length: {}",
                      round_off, remedy_of_stiffness(system())));
  for (std::string& line : largest_forces(system(), equations_.residual(), here_.q.dropped))
    details.push_back(std::move(line));
  record_.fail(
      fmt::format("no equilibrium was found above load factor {:.6g}: Newton's iteration {} even in a step of {:.6g}",
                  here_.s, text_of(last.end), smallest_load_step),
      std::move(details));
}

}  // namespace polhode::analyses
