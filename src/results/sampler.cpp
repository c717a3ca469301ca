// SPDX-License-Identifier: BSD-3-Clause
// Rows of numbers from states and step reports.
#include "polhode/results/sampler.hpp"

#include <algorithm>
#include <limits>

namespace polhode::results {

using model::State;
using model::Vec3;

namespace {

// `count` pieces of `size` numbers, `stride` apart.
void copy_part(const double* from, std::size_t stride, std::size_t count, std::size_t size, double* to) {
  if (size == 3)  // vectors, nearly always
    for (std::size_t i = 0; i < count; ++i, from += stride, to += 3) {
      to[0] = from[0];
      to[1] = from[1];
      to[2] = from[2];
    }
  else
    for (std::size_t i = 0; i < count; ++i, from += stride, to += size) std::copy_n(from, size, to);
}

}  // namespace

std::span<const double> Sampler::state_row(const State& q, const assembly::Residual* residual, double external_work,
                                           int analysis, const StaticNumbers& statics,
                                           const integrators::Invariants* invariants) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  const auto put = [](double* to, const Vec3& v) { std::copy_n(v.data(), 3, to); };
  if (!residual) set_reactions(q);
  const std::vector<model::Vec6>& forces = residual ? residual->force : forces_;
  const model::Context context = system_.context(q);
  model::Totals totals;
  for (const EntryOutputs& entry : entries_) {
    const bool with_totals = needs_totals_ && entry.with_totals;
    const std::size_t stride = entry.stride * entry.points;
    for (std::size_t first = 0; first < entry.count; first += at_a_time) {
      const std::size_t count = std::min(at_a_time, entry.count - first);
      double* const scratch = scratch_.data();
      if (with_totals)
        totals += entry.batch->observe(entry.first + first, count, q, context, scratch, stride);
      else
        entry.batch->write_outputs(entry.first + first, count, q, context, scratch, stride);
      const double* from = scratch;
      for (const auto& part : entry.parts) {
        double* const to = row_.data() + part.offset + first * entry.points * part.size;
        if (part.wanted) copy_part(from, entry.stride, count * entry.points, part.size, to);
        from += part.size;
      }
    }
  }
  if (needs_totals_)
    for (const model::BatchBase* batch : without_outputs_)
      totals += batch->observe(0, batch->size(), q, context, nullptr, 0);
  kinetic_ = totals.energies.kinetic;
  const auto copy_nodes = [&](double* to, const auto& values, int first) {
    copy_part(values[1].data() + first, static_cast<std::size_t>(values[1].size()), system_.nodes() - 1, 3, to);
  };
  for (const Item& item : items_) {
    double* to = row_.data() + item.offset;
    switch (item.source) {
      case Source::time:
        *to = q.t;
        break;
      case Source::analysis:
        *to = analysis;
        break;
      case Source::position:
        copy_nodes(to, q.x, 0);
        break;
      case Source::velocity:
        copy_nodes(to, q.v, 0);
        break;
      case Source::acceleration:
        copy_nodes(to, q.vdot, 0);
        break;
      case Source::angular_velocity:
        copy_nodes(to, q.v, 3);
        break;
      case Source::angular_acceleration:
        copy_nodes(to, q.vdot, 3);
        break;
      case Source::rotation:
        for (std::size_t i = 1; i < system_.nodes(); ++i, to += 4) {
          to[0] = q.quat[i].w();
          to[1] = q.quat[i].x();
          to[2] = q.quat[i].y();
          to[3] = q.quat[i].z();
        }
        break;
      case Source::multipliers:
        std::copy_n(q.lambda.data() + item.index, item.count, to);
        break;
      case Source::output:
        break;  // above, element by element
      case Source::reaction_force:
        for (int k = 0; k < 3; ++k) to[k] = system_.node(item.index).removed[k] ? forces[item.index][k] : 0;
        break;
      case Source::reaction_moment: {
        Vec3 moment = forces[item.index].tail<3>();
        for (int k = 0; k < 3; ++k)
          if (!system_.node(item.index).removed[3 + k]) moment[k] = 0;
        const Vec3 inertial = q.R[item.index] * moment;
        std::copy_n(inertial.data(), 3, to);
        break;
      }
      case Source::kinetic:
        *to = totals.energies.kinetic;
        break;
      case Source::strain:
        *to = totals.energies.strain;
        break;
      case Source::gravity:
        *to = totals.energies.gravity;
        break;
      case Source::total:
        *to = totals.energies.total();
        break;
      case Source::external_work:
        *to = external_work;
        break;
      case Source::linear_momentum:
        put(to, totals.linear);
        break;
      case Source::angular_momentum:
        put(to, totals.angular);
        break;
      case Source::invariant_energy:
        *to = totals.energies.total();
        break;
      case Source::discrete_linear_momentum:
        put(to, invariants ? invariants->linear : Vec3::Constant(none));
        break;
      case Source::discrete_angular_momentum:
        put(to, invariants ? invariants->angular : Vec3::Constant(none));
        break;
      case Source::discrete_energy:
        *to = invariants ? invariants->energy : none;
        break;
      case Source::load_factor:
        *to = statics.load_factor;
        break;
      case Source::static_iterations:
        *to = statics.iterations;
        break;
      case Source::smallest_pivot:
        *to = statics.smallest_pivot;
        break;
      case Source::limit_point:
        *to = statics.limit_point;
        break;
    }
  }
  return row_;
}

void Sampler::set_reactions(const State& q) {
  for (const int node : touched_) forces_[node].setZero();
  const model::Context context = system_.context(q);
  for (const Neighbours& some : neighbours_) some.batch->add_residual_of(some.elements, q, context, forces_);
}

std::span<const double> Sampler::step_row(const integrators::StepReport& report, int wasted_iterations) {
  const std::array all{report.t,
                       report.h,
                       static_cast<double>(report.iterations),
                       report.residual,
                       report.constraint_residual,
                       static_cast<double>(wasted_iterations),
                       static_cast<double>(report.factorizations),
                       report.contraction,
                       report.order,
                       report.error,
                       static_cast<double>(report.rejected_for_error),
                       static_cast<double>(report.rejected_by_newton)};
  std::copy_n(all.begin(), step_row_.size(), step_row_.begin());
  return step_row_;
}

}  // namespace polhode::results
