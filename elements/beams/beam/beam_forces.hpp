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
  BeamStrain<S> e(d, n);
  const auto k = math::so3::beam_coefficients(e.s, false);
  if (d.damped) {
    const BeamRates<S> rates(d, n, e, k.eta, k.tau);
    e.add_damping(d, rates.Gamma, rates.kappa);
  }
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

// A tangent in the variations of y = (Q_m^T (dx_2 - dx_1), dTheta_m, dpsi), conjugate to (N, nhat, M): blocks by the
// parts d, m, p of y.
template <class S>
struct BeamForm {
  using Mat3 = math::Mat3Of<S>;
  Mat3 dd;
  Mat3 dm;
  Mat3 dp;
  Mat3 md;
  Mat3 mm;
  Mat3 mp;
  Mat3 pd;
  Mat3 pm;
  Mat3 pp;
};

// How dTheta_m and dpsi come from the rotations of the ends:
// dTheta_m = A^T dTheta_1 + A dTheta_2, dpsi = -T^-T dTheta_1 + T^-1 dTheta_2.
template <class S>
struct BeamTurns {
  using Mat3 = math::Mat3Of<S>;
  Mat3 A;
  Mat3 At;
  Mat3 Ti;
  Mat3 Tt;
  // A = (I + tau psi~)/2; T^-1 = I + psi~/2 + eta psi~ psi~, psi~ psi~ = psi psi^T - s I
  BeamTurns(const BeamStrain<S>& e, const S& eta, const S& tau) {
    const S half(0.5);
    const Mat3 psi = math::tilde_of<S>(e.psi);
    A = half * tau * psi;
    Ti = half * psi + (eta * e.psi) * e.psi.transpose();
    for (int i = 0; i < 3; ++i) {
      A(i, i) += half;
      Ti(i, i) += S(1) - eta * e.s;
    }
    At = A.transpose();
    Tt = Ti.transpose();
  }
};

// Adds the form in the variations of the nodes, by add(i, j, block): 0, 2 are the translations of both nodes, 1, 3 their
// rotations. `geometric`: null, or what the moments of both nodes change by psi with nhat and M held.
template <class S, class Add>
void add_beam_form(const Beam::DataOf<S>& d, const BeamStrain<S>& e, const BeamTurns<S>& turns, const BeamForm<S>& f,
                   const std::array<math::Mat3Of<S>, 2>* geometric, const Add& add) {
  using Mat3 = math::Mat3Of<S>;
  const auto& [A, At, Ti, Tt] = turns;
  // Columns by dTheta_1: (A^T, -T^-T), by dTheta_2: (A, T^-1); rows of m_1: (A, -T^-1), of m_2: (A^T, T^-T).
  const Mat3 Qt = e.Q.transpose();
  const Mat3 Fx = e.Q * f.dd * Qt;
  Mat3 F1 = e.Q * (f.dm * At - f.dp * Tt);
  Mat3 F2 = e.Q * (f.dm * A + f.dp * Ti);
  const Mat3 Xm1 = f.mm * At - f.mp * Tt;
  const Mat3 Xm2 = f.mm * A + f.mp * Ti;
  const Mat3 Xp1 = f.pm * At - f.pp * Tt;
  const Mat3 Xp2 = f.pm * A + f.pp * Ti;
  Mat3 K11 = A * Xm1 - Ti * Xp1;
  Mat3 K12 = A * Xm2 - Ti * Xp2;
  Mat3 K21 = At * Xm1 + Tt * Xp1;
  Mat3 K22 = At * Xm2 + Tt * Xp2;
  if (geometric) {
    const auto& [D1, D2] = *geometric;
    K11 -= D1 * Tt;
    K12 += D1 * Ti;
    K21 -= D2 * Tt;
    K22 += D2 * Ti;
  }
  Mat3 G1 = (A * f.md - Ti * f.pd) * Qt;
  Mat3 G2 = (At * f.md + Tt * f.pd) * Qt;
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
  // Only x_2 - x_1 counts, hence the signs.
  add(0, 0, Fx);
  add(0, 2, -Fx);
  add(2, 0, -Fx);
  add(2, 2, Fx);
  add(0, 1, -F1);
  add(2, 1, F1);
  add(0, 3, -F2);
  add(2, 3, F2);
  add(1, 0, -G1);
  add(1, 2, G1);
  add(3, 0, -G2);
  add(3, 2, G2);
  add(1, 1, K11);
  add(1, 3, K12);
  add(3, 1, K21);
  add(3, 3, K22);
}

// The damping's part of C, L B^T D B, to the sink, and of K, L B^T D grad [Gamma; kappa]', to the form k. B is that of
// the strains by y, and the rates vary with velocities held:
//   dGamma' = stretch~ dTheta_m - Omega~ dGamma + g~ dOmega,
//   dOmega = (tau1 (psi x w) psi^T - tau w~/2) dpsi,   dkappa' = (D(T^-1 w) - sum~/2 + w~/2) dpsi / L,   w = difference.
template <class S>
void add_beam_damping_to(const Beam::DataOf<S>& d, const BeamStrain<S>& e, const BeamRates<S>& rates,
                         const math::so3::BeamCoefficients<S>& c, const BeamTurns<S>& turns, BeamForm<S>& k,
                         model::TangentSink<2, S>& t) {
  using Vec3 = math::Vec3Of<S>;
  using Mat3 = math::Mat3Of<S>;
  const auto tilde = [](const Vec3& a) { return math::tilde_of<S>(a); };
  const auto left = [](const Vec3& a, const Mat3& X) { return math::cross_left_of<S>(a, X); };
  const auto right = [](const Mat3& X, const Vec3& a) { return math::cross_right_of<S>(X, a); };
  const S L = d.length;
  const S per_length = S(1) / L;
  const S half(0.5);
  const Vec3 w = rates.difference;
  const Vec3 pw = e.psi.cross(w);
  const Mat3 D21 = d.D12.transpose();
  // Derivatives of Gamma' by m and p of y, and of kappa' by p; that of Gamma' by d is -Omega~/L.
  const Mat3 Gm = tilde(rates.stretch) - left(rates.Omega, tilde(e.g));
  const Mat3 Gp = left(e.g, (c.tau1 * pw) * e.psi.transpose() - half * c.tau * tilde(w));
  const Mat3 Kp = per_length * ((S(2) * c.eta1 * e.psi.cross(pw)) * e.psi.transpose() -
                                c.eta * (tilde(pw) + left(e.psi, tilde(w))) - half * tilde(rates.sum));
  const Mat3 Nd = -per_length * right(d.D11, rates.Omega);
  const Mat3 Nm = d.D11 * Gm;
  const Mat3 Np = d.D11 * Gp + d.D12 * Kp;
  k.dd += Nd;
  k.dm += Nm;
  k.dp += Np;
  k.md -= L * left(e.g, Nd);
  k.mm -= L * left(e.g, Nm);
  k.mp -= L * left(e.g, Np);
  k.pd -= per_length * right(D21, rates.Omega);
  k.pm += D21 * Gm;
  k.pp += D21 * Gp + d.D22 * Kp;

  BeamForm<S> rate;
  rate.dd = per_length * d.D11;
  rate.dm = right(d.D11, e.g);
  rate.dp = per_length * d.D12;
  rate.md = rate.dm.transpose();
  rate.mm = -L * left(e.g, rate.dm);
  rate.mp = -left(e.g, d.D12);
  rate.pd = rate.dp.transpose();
  rate.pm = rate.mp.transpose();
  rate.pp = per_length * d.D22;
  add_beam_form<S>(d, e, turns, rate, nullptr, [&](int i, int j, const Mat3& X) { t.add_c(i, j, X); });
}

// In the variations of y the tangent is the 3x3 block matrix
//   [ C11/L        C11 g~ - N~          C12/L ]
//   [ transpose    L (N~ - g~ C11) g~  -g~ C12 ]       plus the derivatives of A and T^-1 with nhat and M kept.
//   [ C21/L        C21 g~               C22/L ]
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
  BeamStrain<S> e(d, n);
  const auto c = math::so3::beam_coefficients(e.s, true);
  const BeamTurns<S> turns(e, c.eta, c.tau);
  const S L = d.length;
  const S per_length = S(1) / L;
  const S half(0.5);
  const S two(2);
  const auto set = [&](BeamForm<S>& k) {
    const Mat3 N = tilde(e.N);
    k.dd = per_length * d.C11;
    k.dm = right(d.C11, e.g) - N;
    k.dp = per_length * d.C12;
    k.md = k.dm.transpose();
    k.mm = L * right(N - left(e.g, d.C11), e.g);
    k.mp = -left(e.g, d.C12);
    k.pd = k.dp.transpose();
    k.pm = k.mp.transpose();
    k.pp = per_length * d.C22;
  };
  BeamForm<S> k;
  if (d.damped) {
    const BeamRates<S> rates(d, n, e, c.eta, c.tau);
    e.add_damping(d, rates.Gamma, rates.kappa);
    set(k);
    add_beam_damping_to(d, e, rates, c, turns, k, t);
  } else {
    set(k);
  }

  const Vec3 nhat = L * e.N.cross(e.g);
  const Vec3 pM = e.psi.cross(e.M);
  const Mat3 P = half * c.tau * tilde(nhat) - (c.tau1 * e.psi.cross(nhat)) * e.psi.transpose();
  const Mat3 H = (two * c.eta1 * e.psi.cross(pM)) * e.psi.transpose() - c.eta * (tilde(pM) + left(e.psi, tilde(e.M)));
  const Mat3 PH = P + H;
  const Mat3 halfM = half * tilde(e.M);
  const std::array<Mat3, 2> geometric{halfM - PH, halfM + PH};
  add_beam_form<S>(d, e, turns, k, &geometric, [&](int i, int j, const Mat3& X) { t.add_k(i, j, X); });
}

}  // namespace polhode::elements
