// SPDX-License-Identifier: BSD-3-Clause
// Rows of numbers from states and step reports.
#include "polhode/analyses/sampler.hpp"

#include <algorithm>

namespace polhode::analyses {

using model::State;
using model::Vec3;

std::span<const double> Sampler::state_row(const State& q, const assembly::Residual* residual, double external_work,
                                           int analysis, const StaticNumbers& statics) {
  if (needs_residual_ && !residual) {
    system_.set_residual(q, residual_);
    residual = &residual_;
  }
  const model::Context context = system_.context(q);
  model::Energies energies;
  for (const EntryOutputs& entry : entries_) {
    double* const scratch = scratch_.data();
    if (needs_energies_ && entry.with_energies)
      energies += entry.batch->observe(entry.first, entry.count, q, context, scratch, entry.stride * entry.points);
    else
      entry.batch->write_outputs(entry.first, entry.count, q, context, scratch, entry.stride * entry.points);
    const double* from = scratch;
    for (const auto& part : entry.parts) {
      if (part.wanted)
        for (std::size_t e = 0; e < entry.rows(); ++e)
          std::copy_n(from + e * entry.stride, part.size, row_.data() + part.offset + e * part.size);
      from += part.size;
    }
  }
  if (needs_energies_)
    for (const model::BatchBase* batch : without_outputs_) energies += batch->energies(q, context);
  const auto copy_nodes = [&](double* to, const auto& values, int first) {
    for (std::size_t i = 1; i < system_.nodes(); ++i, to += 3) std::copy_n(values[i].data() + first, 3, to);
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
        for (std::size_t i = 1; i < system_.nodes(); ++i, to += 4)
          to[0] = q.quat[i].w(), to[1] = q.quat[i].x(), to[2] = q.quat[i].y(), to[3] = q.quat[i].z();
        break;
      case Source::multipliers:
        std::copy_n(q.lambda.data() + item.index, item.count, to);
        break;
      case Source::output:
        break;  // above, element by element
      case Source::reaction_force:
        for (int k = 0; k < 3; ++k) to[k] = system_.node(item.index).removed[k] ? residual->force[item.index][k] : 0;
        break;
      case Source::reaction_moment: {
        Vec3 moment = residual->force[item.index].tail<3>();
        for (int k = 0; k < 3; ++k)
          if (!system_.node(item.index).removed[3 + k]) moment[k] = 0;
        const Vec3 inertial = q.R[item.index] * moment;
        std::copy_n(inertial.data(), 3, to);
        break;
      }
      case Source::kinetic:
        *to = energies.kinetic;
        break;
      case Source::strain:
        *to = energies.strain;
        break;
      case Source::gravity:
        *to = energies.gravity;
        break;
      case Source::total:
        *to = energies.total();
        break;
      case Source::external_work:
        *to = external_work;
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

std::span<const double> Sampler::step_row(const integrators::StepReport& report, int wasted_iterations) {
  step_row_ = {report.t,
               report.h,
               static_cast<double>(report.iterations),
               report.residual,
               report.constraint_residual,
               static_cast<double>(wasted_iterations)};
  return step_row_;
}

}  // namespace polhode::analyses
