// SPDX-License-Identifier: BSD-3-Clause
// An analysis as docs/adding_an_analysis.md writes one: mass, center of mass and inertia of the whole model.
//
// Forces of inertia M vdot are linear in the accelerations. With velocities zero,
//   all nodes accelerated by a:              sum f_i = m a,   sum x_i x f_i + R_i m_i = c x (m a)
//   accelerated as a body, by alpha about c: sum (x_i - c) x f_i + R_i m_i = J alpha
// f_i in the inertial frame, m_i in the node's own.
#pragma once
#include "polhode/analyses/catalog.hpp"

namespace polhode::analyses {

struct MassSettings {
  std::string group = "/mass";  // of the results
};

struct MassResult {
  double mass = 0;                            // kg
  model::Vec3 center = model::Vec3::Zero();   // m, inertial frame
  model::Mat3 inertia = model::Mat3::Zero();  // kg m^2, about the center, inertial frame
};

const AnalysisTypeOf<MassSettings>& mass_analysis();

}  // namespace polhode::analyses
