// SPDX-License-Identifier: BSD-3-Clause
// The schemes by the names of their methods.
#include "polhode/integrators/generalized_alpha/scheme.hpp"

#include <stdexcept>

#include "polhode/integrators/generalized_alpha/settings.hpp"
#include "polhode/integrators/generalized_alpha/spatial_lie_alpha.hpp"
#include "polhode/integrators/generalized_alpha/updated_lagrangian.hpp"

namespace polhode::integrators {

// By T at the present iterate: dTheta = T dx.
void Scheme::to_turns(const State& next, std::span<Vec6> x) {
  const Factors of_iterate = factors(next);
  for (std::size_t i = 0; i < x.size(); ++i) x[i].tail<3>() = of_iterate.rot_b[i] * Vec3(x[i].tail<3>());
}

// Names have been checked by the catalog of methods.
std::unique_ptr<Scheme> make_scheme(const IntegratorSettings& settings, const math::IndexLots& nodes) {
  const AlphaParameters p = AlphaParameters::of(settings);
  if (settings.method == "ul_crv")
    return std::make_unique<UpdatedLagrangian>(math::Chart::conformal_rotation_vector, p, nodes);
  if (settings.method == "ul_rotation_vector")
    return std::make_unique<UpdatedLagrangian>(math::Chart::rotation_vector, p, nodes);
  const bool index2 = settings.method == "lie_alpha_index2";
  if (!index2 && settings.method != "lie_alpha")
    throw std::invalid_argument("no integrator of this name: " + settings.method);
  if (settings.own_or_default<LieAlphaSettings>().frame == Frame::spatial)
    return std::make_unique<SpatialLieAlpha>(p, nodes, index2);
  return std::make_unique<LieAlpha>(p, nodes, index2);
}

}  // namespace polhode::integrators
