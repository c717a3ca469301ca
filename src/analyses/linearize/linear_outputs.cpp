// SPDX-License-Identifier: BSD-3-Clause
// Outputs of a linear model: numbers of the results, differentiated along motions.
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "linear_parts.hpp"
#include "polhode/analyses/initial/start.hpp"
#include "polhode/results/names.hpp"
#include "polhode/results/sampler.hpp"

namespace polhode::analyses {

using assembly::System;
using model::State;
using model::Vec6;
using model::VectorX;

struct LinearOutputs::Impl {
  explicit Impl(const System& s) : system(s), sampler(s, {}), residual(s.make_residual()) {}

  // The outputs of a state `step` along the direction from q.
  // Outputs are taken from the same sampler that writes results, so that each has the meaning that it has
  // there. Internal variables follow the moved state; forces of an input reach the supports without a
  // motion.
  const VectorX& at(const State& q, const Direction* along, double step) {
    moved = q;
    const assembly::Residual* given = nullptr;
    if (along) {
      scaled = along->dx;
      for (Vec6& dx : scaled) dx *= step;
      move(moved, scaled);
      for (std::size_t i = 0; i < moved.v.size(); ++i) {
        moved.v[i] += step * along->dv[i];
        moved.vdot[i] += step * along->dvdot[i];
      }
      moved.lambda += step * along->dlambda;
      moved.signals.z += step * along->dsignals;
      // An input that is added to a signal moves nothing at once, but shows in all values behind it
      if (along->added >= 0) system.signals().add_to_value(static_cast<std::size_t>(along->added), step);
      system.update_history(moved);  // angles are counted there
      if (along->force) {            // supports feel it directly
        system.set_residual(moved, residual);
        for (std::size_t i = 0; i < moved.v.size(); ++i) residual.force[i] -= step * (*along->force)[i];
        given = &residual;
      }
    }
    const auto row = sampler.state_row(moved, given, 0, 0);
    if (along && along->added >= 0) system.signals().add_to_value(0, 0);
    values.resize(static_cast<Eigen::Index>(places.size()));
    for (std::size_t i = 0; i < places.size(); ++i) values[static_cast<Eigen::Index>(i)] = row[places[i]];
    return values;
  }
  // (8 (f(h) - f(-h)) - (f(2h) - f(-2h))) / (12 h), of fourth order.
  VectorX difference(const State& q, const Direction& along, double step) {
    VectorX sum = 8 * at(q, &along, step);
    sum -= 8 * at(q, &along, -step);
    sum -= at(q, &along, 2 * step);
    sum += at(q, &along, -2 * step);
    return sum / (12 * step);
  }

  const System& system;
  results::Sampler sampler;
  assembly::Residual residual;
  std::vector<std::size_t> places;  // in the row of a state
  std::vector<LinearOutput> outputs;
  State moved;
  std::vector<Vec6> scaled;
  VectorX values;
};

// Names are resolved once to places in the row of a state. Integers, times and what belongs to steps are no
// outputs.
LinearOutputs::LinearOutputs(const System& system, const std::vector<std::string>& names, const std::string& path,
                             model::Problems& problems)
    : impl_(std::make_unique<Impl>(system)) {
  const results::Layout& layout = impl_->sampler.layout();
  for (std::size_t i = 0; i < names.size(); ++i) {
    std::string problem;
    const results::Selection selection = results::select(layout, names[i], problem);
    if (selection.channel && (selection.of_steps || selection.channel->integer || selection.channel->path == "/time"))
      problem = '"' + names[i] + "\" is no number of the motion; name one of nodes, joints, forces, beams, ...";
    if (!problem.empty()) {
      problems.push_back({path + ".outputs." + std::to_string(i), problem});
      continue;
    }
    const bool with_letters = results::has_letters(selection.channel->path, selection.shape, selection.frame);
    for (std::size_t j = 0; j < selection.size; ++j) {
      impl_->places.push_back(selection.offset + j);
      impl_->outputs.push_back(
          {names[i] + results::component_name(selection.shape, j, with_letters), selection.units, 0});
    }
  }
}

LinearOutputs::~LinearOutputs() = default;

Eigen::Index LinearOutputs::size() const { return static_cast<Eigen::Index>(impl_->places.size()); }

std::vector<LinearOutput> LinearOutputs::at(const State& q) {
  const VectorX& values = impl_->at(q, nullptr, 0);
  for (std::size_t i = 0; i < impl_->outputs.size(); ++i)
    impl_->outputs[i].value = values[static_cast<Eigen::Index>(i)];
  return impl_->outputs;
}

// By the outputs of two models that differ in the entry alone. Supports are left to derivative().
VectorX LinearOutputs::direct(const State& q, const LinearInput& input) {
  VectorX sum = VectorX::Zero(size());
  if (!input.entries) return sum;
  const std::string path = input.entries->first.path();
  const auto is_own = [&](const LinearOutput& output) { return output.name.starts_with(path + '.'); };
  if (std::none_of(impl_->outputs.begin(), impl_->outputs.end(), is_own)) return sum;
  for (const bool with : {true, false}) {
    model::Model changed = impl_->system.model();
    for (model::Entry& entry : changed.entries)
      if (entry.path() == path) entry = with ? input.entries->first : input.entries->second;
    model::Problems problems;
    const std::optional<System> system = System::make(changed, problems, impl_->system.signal_form());
    if (!system) throw std::logic_error(path + " is refused with another input, though its forces were found");
    results::Sampler sampler(*system, {});
    const auto row = sampler.state_row(q, nullptr, 0, 0);
    for (std::size_t i = 0; i < impl_->places.size(); ++i)
      if (is_own(impl_->outputs[i])) sum[static_cast<Eigen::Index>(i)] += (with ? 1 : -1) * row[impl_->places[i]];
  }
  return sum;
}

// Steps of 1e-3 of the model's length (of rotations: of 1 rad) leave twelve digits of smooth outputs. Where smaller
// steps give another value (dry friction), those count.
VectorX LinearOutputs::derivative(const State& q, const Direction& along) {
  const double length = impl_->system.length();
  double size = 0;
  for (const std::vector<Vec6>* part : {&along.dx, &along.dv})
    for (const Vec6& d : *part)
      size = std::max({size, d.head<3>().lpNorm<Eigen::Infinity>() / length, d.tail<3>().lpNorm<Eigen::Infinity>()});
  if (size == 0) size = 1;
  const double fine_step = 1e-6 / size;
  VectorX value = impl_->difference(q, along, 1e-3 / size);
  const VectorX fine = impl_->difference(q, along, fine_step);
  const double most = fine.cwiseAbs().maxCoeff();
  // What round-off of the outputs makes of the small differences.
  const VectorX noise = 1e-14 / fine_step * impl_->at(q, nullptr, 0).cwiseAbs();
  for (Eigen::Index i = 0; i < value.size(); ++i)
    if (std::abs(fine[i] - value[i]) > 1e-5 * std::abs(fine[i]) + 1e-8 * most + noise[i]) value[i] = fine[i];
  return value;
}

}  // namespace polhode::analyses
