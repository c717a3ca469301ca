// SPDX-License-Identifier: BSD-3-Clause
// The projection of the ambient form.
#include "polhode/integrators/sundials/ambient_ode.hpp"

#include <gtest/gtest.h>

#include "support/double_pendulum.hpp"
#include "support/models.hpp"

namespace polhode::support {
namespace {

// The rates behind the projection of y + s off have a derivative in s at 0: differences from there over s and 2 s, the
// term of first order in s taken out, agree with those over 2 s and 4 s.
TEST(AmbientOde, ProjectionIsSmooth) {
  const Machine machine(double_pendulum().model);
  integrators::AmbientOde form(machine.system);
  form.set_weights_of_projection(machine.system.initial_state(), 0.01);
  VectorX y(form.size());
  VectorX ydot(form.size());
  form.write(machine.system.initial_state(), 0, y.data());
  const VectorX off = VectorX::LinSpaced(form.size(), -1, 1);
  const auto rates = [&](double s) {
    const VectorX at = y + s * off;
    EXPECT_TRUE(form.rates(0, at.data(), ydot.data()));
    EXPECT_LE(form.violation(), 1e-13);
    return ydot;
  };
  const double s = 2e-3;
  const VectorX zero = rates(0);
  const VectorX one = rates(s);
  const VectorX two = rates(2 * s);
  const VectorX four = rates(4 * s);
  const VectorX near = (4 * (one - zero) - (two - zero)) / (2 * s);
  const VectorX wide = (4 * (two - zero) - (four - zero)) / (4 * s);
  EXPECT_LT((near - wide).norm(), 1e-3 * near.norm());
}

}  // namespace
}  // namespace polhode::support
