// SPDX-License-Identifier: BSD-3-Clause
// What happens to loads and drives at a breakpoint of their functions of time.
#pragma once
#include <array>

#include "polhode/assembly/system.hpp"

namespace polhode::analyses {

// Loads and drives are evaluated a little before and after a time, twice on each side, with the configuration held. A
// jump of a drive's rate or acceleration counts as one of a load.
class BreakpointProbe {
 public:
  enum class Kind { smooth, kink, jump };
  explicit BreakpointProbe(const assembly::System& system);

  // At q.t; `h`: s, the step that led there. `q` is as before when it returns.
  Kind kind(model::State& q, double h);
  // Whether loads and drives do more from q.t up to `stop` than grow evenly: a pulse that a single step could pass over.
  bool more_than_linear(model::State& q, double stop);

 private:
  void evaluate(model::State& q, double t, model::VectorX& f);
  double bend(model::State& q, double e);

  const assembly::System& system_;
  assembly::Residual residual_;
  model::VectorX Bv_;
  model::VectorX phi_t_;
  model::VectorX gamma_;
  std::array<model::VectorX, 4> f_;
  double size_ = 0;  // of f in the last bend()
  bool jump_ = false;
};

}  // namespace polhode::analyses
