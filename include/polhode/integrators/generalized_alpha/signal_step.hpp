// SPDX-License-Identifier: BSD-3-Clause
// States of signals over a step: the generalized-alpha method for equations of first order z' = f beside those of the
// motion (Brüls & Golinval, Multibody Syst. Dyn. 16 (2006) 29-49), with the parameters of the velocities:
//   z_{n+1} = z_n + (1 - gamma) h a_n + gamma h a_{n+1}
//   (1 - alpha_m) a_{n+1} + alpha_m a_n = (1 - alpha_f) f_{n+1} + alpha_f f_n
// so that z_{n+1} = base + gain f_{n+1} (SignalState), which is solved with the signals at each iterate.
#pragma once
#include "polhode/integrators/generalized_alpha/alpha_parameters.hpp"
#include "polhode/model/state.hpp"

namespace polhode::integrators {

class SignalStep {
 public:
  explicit SignalStep(const AlphaParameters& parameters) : p_(parameters) {}
  // a_0 = f_0.
  static void start(model::State& q) { q.signals.mean_rate = q.signals.rate; }
  // From `old`, which is settled, to where the states at `next` are sought. Where the step size has changed, a_n is that
  // of a step of h, s.
  void begin(const model::State& old, model::State& next, double h) {
    const model::SignalState& from = old.signals;
    model::SignalState& to = next.signals;
    const double change = old.last_step > 0 ? h / old.last_step : 1;
    mean_rate_ = from.mean_rate;
    if (change != 1) mean_rate_ = from.rate + change * (mean_rate_ - from.rate);
    to.z = from.z;
    to.held = from.held;
    to.values = from.values;
    to.past = from.past;
    to.gain = h * p_.gamma * (1 - p_.alpha_f) / (1 - p_.alpha_m);
    to.base = from.z + h * (1 - p_.gamma) * mean_rate_ +
              h * p_.gamma / (1 - p_.alpha_m) * (p_.alpha_f * from.rate - p_.alpha_m * mean_rate_);
  }
  // `next` is settled.
  void finish(const model::State& old, model::State& next) const {
    next.signals.mean_rate =
        ((1 - p_.alpha_f) * next.signals.rate + p_.alpha_f * old.signals.rate - p_.alpha_m * mean_rate_) /
        (1 - p_.alpha_m);
  }

 private:
  AlphaParameters p_;
  // a_n of the last begin()
  model::VectorX mean_rate_;
};

}  // namespace polhode::integrators
