// SPDX-License-Identifier: BSD-3-Clause
// What a path of equilibria reports of its stability.
#include <fmt/format.h>

#include "path.hpp"
#include "polhode/analyses/motion/free_motion.hpp"
#include "polhode/model/text.hpp"
#include "stable_branch.hpp"

namespace polhode::analyses {

namespace {

std::string directions(int count) { return "unstable in " + model::counted(count, "direction"); }

}  // namespace

std::string Path::motion_of(const Stability::Motions& motions) const {
  return describe_motion(system(), here_.q, motions.shapes.col(0));
}

// A count that grows is confirmed by the motions themselves.
void Path::watch_stability() {
  const std::optional<int> count = stability_.count(here_.q, here_.s);
  if (!count || *count == counted_) return;
  counted_ = *count;
  const int before = record_.result().unstable;
  if (*count > before) return report_unstable(before);
  if (*count == before) return;
  record_.set_unstable(*count);
  record_.note(*count > 0 ? fmt::format("{} only at load factor {:.3g}", directions(*count), here_.s)
                          : fmt::format("stable again at load factor {:.3g}", here_.s));
}

// By inertia alone where the motions cannot be computed. Unstable parts are what a path by arc length is for: no reason
// to warn.
void Path::report_unstable(int before) {
  const Stability::Motions now = stability_.motions(here_.q, here_.s, counted_);
  const bool known = now.shapes.cols() > 0;
  if (now.oscillating > 0) note_flutter(now);
  const int unstable = known ? now.unstable : counted_;
  record_.set_unstable(unstable);
  if (unstable <= before) return;
  const bool by_load = equations_.loads().load_factor(0) == 0 && !went_downhill_;
  std::string text = directions(unstable);
  if (by_load) text += fmt::format(" since load factor {:.3g}", unstable_since(before));
  if (known) text += std::string(": ") + (unstable > 1 ? "first " : "") + motion_of(now);
  if (settings().control == StaticSettings::Control::arc_length) {
    record_.note(text);
    return;
  }
  record_.warn(fmt::format("{}; a small disturbance moves the model away from such an equilibrium{}{}", text,
                           settings().rotation ? ", unless gyroscopic forces hold it" : "",
                           settings().stable ? "" : "; to go on: `stable: true` takes the stable branch"));
}

// A model that buckles under a load across goes to the side of that load: there it was before, or wants to go from
// there. Directions that show no side have the sign that makes their largest entry positive.
VectorX Path::way_off(const State& from, const Stability::Motions& motions) {
  constexpr double noticeable = 1e-10;  // of the model's length
  const Displacements& sizes = equations_.displacements();
  const double least = noticeable * system().length();
  VectorX direction = VectorX::Zero(system().free_unknowns());
  VectorX before = VectorX::Zero(system().free_unknowns());
  VectorX all = VectorX::Zero(system().size());
  for (int i = 0; i < motions.unstable; ++i) {
    const VectorX shape = motions.shapes.col(i);
    all.head(shape.size()) = shape;
    const double back = sizes.along(all, from, here_.q);
    if (std::abs(back) > least) direction += back * shape;
    if (here_.tangent.size() > 0) before += sizes.product(all, here_.tangent) * shape;
  }
  if (direction.isZero(0) && sizes.largest(before) > noticeable) direction = before;
  if (direction.isZero(0)) {
    Eigen::Index largest = 0;
    direction = motions.shapes.col(0);
    direction.cwiseAbs().maxCoeff(&largest);
    if (direction[largest] < 0) direction *= -1;
  }
  return direction / (sizes.largest(direction) * system().length());
}

bool Path::settle(Point& point) {
  const std::optional<int> count = stability_.count(point.q, point.s);
  if (!count || *count == 0) return true;
  const Stability::Motions motions = stability_.motions(point.q, point.s, *count);
  if (motions.unstable == 0) return true;
  StableBranch branch(equations_, stability_, [&] { return record_.interrupted(); });
  const std::optional<State> stable = branch.find(point.q, point.s, way_off(point.q, motions), motions.curvature[0]);
  record_.add_wasted(branch.solves());
  Point settled{.q = stable.value_or(State{}), .s = point.s, .tangent = {}, .smallest_pivot = 0};
  if (stable && set_tangent(settled)) {
    point = std::move(settled);
    record_.note(fmt::format("at load factor {:.3g} an unstable equilibrium was left for a stable one", point.s));
    return true;
  }
  if (!record_.end_if_interrupted())
    record_.fail(fmt::format("the equilibrium at load factor {:.6g} is {}, and no stable one was found from there",
                             point.s, directions(motions.unstable)),
                 {describe_motion(system(), point.q, motions.shapes.col(0)),
                  "to go on: a damped transient before, or without `stable: true` on the unstable branch"});
  return false;
}

// Solves of a descent that ends count for its load step, others as failed attempts.
bool Path::relax() {
  StableBranch branch(equations_, stability_, [&] { return record_.interrupted(); });
  const std::optional<State> stable = branch.find(here_.q, 1);
  Point settled{.q = stable.value_or(State{}), .s = 1, .tangent = {}, .smallest_pivot = 0};
  if (!stable || !set_tangent_held(settled)) {
    record_.add_wasted(branch.solves());
    return false;
  }
  record_.note(fmt::format(
      "the equilibrium under the whole load was found downhill from the state at load factor {:.3g}", here_.s));
  went_downhill_ = true;
  accept(std::move(settled), branch.solves(), true);
  return true;
}

// Statics cannot know: masses decide.
void Path::note_flutter(const Stability::Motions& now) {
  if (flutter_noted_) return;
  flutter_noted_ = true;
  record_.note(
      fmt::format("at load factor {:.3g} loads without a potential (moments of fixed direction, follower loads) couple "
                  "{} of negative stiffness: vibrations may grow, as a modal analysis shows",
                  here_.s, model::counted(now.oscillating, "direction")));
}

// Where a stable and an unstable equilibrium are on one path, so are those of the loads between. Where none is found
// there, Newton's method has jumped to another part. A direction without stiffness at the begin has never had any, and
// steps that are narrow show as much as can be seen.
bool Path::is_joined_by_stability(const Point& next) {
  loss_.reset();
  const std::optional<int> count = stability_.count(next.q, next.s);
  if (!count || *count <= counted_) return true;
  LossSearch search(equations_, stability_, record_.result().unstable);
  LossOfStability span{.stable = here_.q, .unstable = next.q, .begin = here_.s, .end = next.s};
  if (search.interpolate(span) > span.begin) {
    const bool joined = search.narrow(span);
    record_.add_wasted(search.solves());
    if (!joined) return false;
  }
  loss_ = std::move(span);
  return true;
}

// By arc length the load factor may turn between both points, which are near to each other: a line through them says
// where.
double Path::unstable_since(int index) {
  LossSearch search(equations_, stability_, index);
  if (!loss_) loss_ = {.stable = before_.q, .unstable = here_.q, .begin = before_.s, .end = here_.s};
  const double since = search.interpolate(*loss_);
  loss_.reset();
  return since;
}

}  // namespace polhode::analyses
