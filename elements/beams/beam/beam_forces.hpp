// SPDX-License-Identifier: BSD-3-Clause
// Internal forces of the two-node beam and their exact tangent.
// Both functions are templates over double and math::Lanes without branches on data, except the flag `turned`.
#pragma once
#include "elements/beams/beam/beam_strain.hpp"

namespace polhode::elements {

// r += gradient of the strain energy: [-f; m_1; f; m_2] with f = Q_m N in the inertial frame (N) and the moments in the
// frames of the nodes (N m). With T^-1 = I + psi~/2 + eta psi~ psi~ the equations of beam.hpp read
//   m_1 = nhat/2 + pn - even - pM/2,   m_2 = nhat/2 - pn + even - pM/2,
// where pn = tau psi x nhat/2, pM = psi x M and even = M + eta psi x pM: T^-1 and T^-T differ by the sign of pM alone.
template <class S>
void add_beam_forces_to(const Beam::DataOf<S>& d, const Beam::NodesOf<S>& n, model::VectorOf<2, S>& r) {
  using Vec3 = math::Vec3Of<S>;
  const BeamStrain<S> e(d, n);
  const auto k = math::so3::beam_coefficients(e.s, false);
  const S half(0.5);
  const Vec3 f = e.Q * e.N;
  const Vec3 nhat = d.length * e.N.cross(e.g);
  // A nhat = nhat/2 + pn, A^T nhat = nhat/2 - pn
  const Vec3 pn = half * k.tau * e.psi.cross(nhat);
  // T^-1 M = even + pM/2
  const Vec3 pM = e.psi.cross(e.M);
  const Vec3 even = e.M + k.eta * e.psi.cross(pM);
  Vec3 m1 = half * (nhat - pM) + pn - even;
  Vec3 m2 = half * (nhat - pM) - pn + even;
  if (d.turned) {
    m1 = math::so3::rotation_matrix(d.E[0]) * m1;
    m2 = math::so3::rotation_matrix(d.E[1]) * m2;
  }
  r.template segment<3>(0) -= f;
  r.template segment<3>(3) += m1;
  r.template segment<3>(6) += f;
  r.template segment<3>(9) += m2;
}

// In the variations of y = (Q_m^T (dx_2 - dx_1), dTheta_m, dpsi), conjugate to (N, nhat, M), the tangent is the 3x3
// block matrix
//   [ C11/L        C11 g~ - N~          C12/L ]
//   [ transpose    L (N~ - g~ C11) g~  -g~ C12 ]       plus the derivatives of A and T^-1 with nhat and M kept,
//   [ C21/L        C21 g~               C22/L ]
// and dTheta_m = A^T dTheta_1 + A dTheta_2, dpsi = -T^-T dTheta_1 + T^-1 dTheta_2.
// Derivatives by psi with nhat and M held: D(A nhat) = -P, D(A^T nhat) = P, D(T^-1 M) = H - M~/2, D(T^-T M) = H + M~/2,
// with tau1, eta1 the derivatives of tau, eta by s = |psi|^2. All blocks are exact; none is symmetrized, because K need
// not be symmetric: rotations do not commute.
template <class S>
void add_beam_stiffness_to(const Beam::DataOf<S>& d, const Beam::NodesOf<S>& n, model::TangentSink<2, S>& t) {
  using Vec3 = math::Vec3Of<S>;
  using Mat3 = math::Mat3Of<S>;
  const auto tilde = [](const Vec3& a) { return math::tilde_of<S>(a); };
  const auto left = [](const Vec3& a, const Mat3& X) { return math::cross_left_of<S>(a, X); };
  const auto right = [](const Mat3& X, const Vec3& a) { return math::cross_right_of<S>(X, a); };
  const BeamStrain<S> e(d, n);
  const auto [eta, eta1, tau, tau1] = math::so3::beam_coefficients(e.s, true);
  const S L = d.length;
  const S per_length = S(1) / L;
  const S half(0.5);
  const S two(2);

  // A = (I + tau psi~)/2; T^-1 = I + psi~/2 + eta psi~ psi~, psi~ psi~ = psi psi^T - s I
  const Mat3 psi = tilde(e.psi);
  Mat3 A = half * tau * psi;
  Mat3 Ti = half * psi + (eta * e.psi) * e.psi.transpose();
  for (int i = 0; i < 3; ++i) {
    A(i, i) += half;
    Ti(i, i) += S(1) - eta * e.s;
  }
  const Mat3 At = A.transpose();
  const Mat3 Tt = Ti.transpose();

  // Blocks of the matrix above, named by the parts d, m, p of y = (Q_m^T (dx_2 - dx_1), dTheta_m, dpsi)
  const Mat3 C11g = right(d.C11, e.g);
  const Mat3 N = tilde(e.N);
  const Mat3 Kdm = C11g - N;
  const Mat3 Kmm = L * right(N - left(e.g, d.C11), e.g);
  const Mat3 Kmp = -left(e.g, d.C12);
  const Mat3 Kpm = Kmp.transpose();  // C21 g~
  const Mat3 C12L = per_length * d.C12;
  const Mat3 Kpp = per_length * d.C22;

  const Vec3 nhat = L * e.N.cross(e.g);
  const Vec3 pM = e.psi.cross(e.M);
  // D1, D2: derivatives of m_1 and m_2 by psi with nhat and M held
  const Mat3 P = half * tau * tilde(nhat) - (tau1 * e.psi.cross(nhat)) * e.psi.transpose();
  const Mat3 H = (two * eta1 * e.psi.cross(pM)) * e.psi.transpose() - eta * (tilde(pM) + left(e.psi, tilde(e.M)));
  const Mat3 PH = P + H;
  const Mat3 halfM = half * tilde(e.M);
  const Mat3 D1 = halfM - PH;
  const Mat3 D2 = halfM + PH;

  // Columns by dTheta_1: (A^T, -T^-T), by dTheta_2: (A, T^-1); rows of m_1: (A, -T^-1), of m_2: (A^T, T^-T).
  const Mat3 Qt = e.Q.transpose();
  const Mat3 Fx = e.Q * (per_length * d.C11) * Qt;
  Mat3 F1 = e.Q * (Kdm * At - C12L * Tt);
  Mat3 F2 = e.Q * (Kdm * A + C12L * Ti);
  const Mat3 Xm1 = Kmm * At - Kmp * Tt;
  const Mat3 Xm2 = Kmm * A + Kmp * Ti;
  const Mat3 Xp1 = Kpm * At - Kpp * Tt;
  const Mat3 Xp2 = Kpm * A + Kpp * Ti;
  Mat3 K11 = A * Xm1 - Ti * Xp1 - D1 * Tt;
  Mat3 K12 = A * Xm2 - Ti * Xp2 + D1 * Ti;
  Mat3 K21 = At * Xm1 + Tt * Xp1 - D2 * Tt;
  Mat3 K22 = At * Xm2 + Tt * Xp2 + D2 * Ti;
  Mat3 G1 = (A * Kdm.transpose() - Ti * C12L.transpose()) * Qt;
  Mat3 G2 = (At * Kdm.transpose() + Tt * C12L.transpose()) * Qt;
  // From section axes to node axes, Q_i = R_i E_i: columns take E^T, rows take E.
  if (d.turned) {
    const Mat3 E1 = math::so3::rotation_matrix(d.E[0]);
    const Mat3 E2 = math::so3::rotation_matrix(d.E[1]);
    F1 = (F1 * E1.transpose()).eval();
    G1 = (E1 * G1).eval();
    F2 = (F2 * E2.transpose()).eval();
    G2 = (E2 * G2).eval();
    K11 = (E1 * K11 * E1.transpose()).eval();
    K12 = (E1 * K12 * E2.transpose()).eval();
    K21 = (E2 * K21 * E1.transpose()).eval();
    K22 = (E2 * K22 * E2.transpose()).eval();
  }
  // Blocks 0, 2 are the translations of both nodes, 1, 3 their rotations. Only x_2 - x_1 counts, hence the signs.
  t.add_k(0, 0, Fx);
  t.add_k(0, 2, -Fx);
  t.add_k(2, 0, -Fx);
  t.add_k(2, 2, Fx);
  t.add_k(0, 1, -F1);
  t.add_k(2, 1, F1);
  t.add_k(0, 3, -F2);
  t.add_k(2, 3, F2);
  t.add_k(1, 0, -G1);
  t.add_k(1, 2, G1);
  t.add_k(3, 0, -G2);
  t.add_k(3, 2, G2);
  t.add_k(1, 1, K11);
  t.add_k(1, 3, K12);
  t.add_k(3, 1, K21);
  t.add_k(3, 3, K22);
}

}  // namespace polhode::elements
