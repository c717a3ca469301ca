// SPDX-License-Identifier: BSD-3-Clause
// A model inside a Newton iteration: the state predicted for the next step, and what the iteration matrix is made of.
#pragma once
#include <algorithm>

#include "subject.hpp"

namespace polhode::bench {

struct Iterate {
  explicit Iterate(const Subject& s)
      : subject(s),
        scheme(integrators::make_scheme(s.settings().integrator, s.system.node_lots())),
        q(s.q),
        matrix(s.system.make_matrix()) {
    const double h = s.settings().step;
    scale = integrators::AlphaParameters::of(s.settings().integrator).beta * h * h;
    q.t = s.q.t + h;
    scheme->predict(s.q, q, h, s.settings().newton.predictor);
  }
  void set_matrix() { subject.system.set_matrix(q, scheme->factors(q), scale, matrix); }
  void add_tangents() {
    for (const auto& batch : subject.system.batches())
      batch->add_tangents_to(batch->all(), q, subject.system.context(q), scheme->factors(q), scale,
                             subject.system.unknowns(), matrix.values);
  }

  const Subject& subject;
  std::unique_ptr<integrators::Scheme> scheme;
  model::State q;
  assembly::SparseMatrix matrix;
  double scale = 0;
};

// While it lives, tangents of elements without rows are computed but go nowhere.
class WithoutDestinations {
 public:
  explicit WithoutDestinations(const assembly::System& system) {
    for (const auto& batch : system.batches()) {
      if (batch->rows() > 0) continue;
      const std::span<model::Slot> slots = batch->slots();
      kept_.push_back({slots, {slots.begin(), slots.end()}});
      std::fill(slots.begin(), slots.end(), -1);
    }
  }
  ~WithoutDestinations() {
    for (const Kept& kept : kept_) std::copy(kept.values.begin(), kept.values.end(), kept.slots.begin());
  }
  WithoutDestinations(const WithoutDestinations&) = delete;
  WithoutDestinations& operator=(const WithoutDestinations&) = delete;

 private:
  struct Kept {
    std::span<model::Slot> slots;
    std::vector<model::Slot> values;
  };
  std::vector<Kept> kept_;
};

}  // namespace polhode::bench
