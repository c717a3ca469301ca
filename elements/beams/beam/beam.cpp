// SPDX-License-Identifier: BSD-3-Clause
// The two-node beam: internal forces, their tangent, energy and outputs.
#include "elements/beams/beam/beam.hpp"

namespace polhode::elements {

using math::cross_left;
using math::cross_right;
using math::Mat3;
using math::tilde;
using math::Vec3;

namespace {

// What residual and tangent have in common.
struct Strain {
  Mat3 Q;         // mid frame
  Vec3 psi;       // relative rotation vector
  double s;       // |psi|^2
  Vec3 g, Gamma, kappa;
  Vec3 N, M;      // section force and moment

  Strain(const Beam::Data& d, const Beam::Nodes& n) {
    const math::so3::Quaternion q1 = d.turned[0] ? n[0].quat * d.E[0] : n[0].quat;
    const math::so3::Quaternion q2 = d.turned[1] ? n[1].quat * d.E[1] : n[1].quat;
    math::so3::Quaternion relative = q1.conjugate() * q2;
    if (relative.w() < 0) relative.coeffs() *= -1;
    psi = math::so3::log(relative);
    s = psi.squaredNorm();
    relative.w() += 1;  // 1 + q points half-way
    Q = (q1 * relative.normalized()).toRotationMatrix();
    g = Q.transpose() * (n[1].x - n[0].x) / d.length;
    Gamma = g - Vec3::UnitX();
    kappa = psi / d.length;
    N = d.C11 * Gamma + d.C12 * kappa;
    M = d.C12.transpose() * Gamma + d.C22 * kappa;
  }
};

// Moments come out in section axes; the residual wants those of the node's frame.
Vec3 to_node(const Beam::Data& d, int i, const Vec3& moment) { return d.turned[i] ? d.E[i] * moment : moment; }

}  // namespace

void Beam::add_forces_to(const Data& d, const Nodes& n, const model::Context&, Vector& r) {
  const Strain e(d, n);
  const double tau = math::so3::halfway_coefficients(e.s).tau, eta = math::so3::inverse_coefficients(e.s).eta;
  const Vec3 f = e.Q * e.N;
  const Vec3 nhat = d.length * e.N.cross(e.g);
  const Vec3 pn = 0.5 * tau * e.psi.cross(nhat);                                    // A nhat = nhat/2 + pn
  const Vec3 pM = e.psi.cross(e.M), even = e.M + eta * e.psi.cross(pM);             // T^-1 M = even + pM/2
  r.segment<3>(0) -= f;
  r.segment<3>(6) += f;
  r.segment<3>(3) += to_node(d, 0, 0.5 * nhat + pn - even - 0.5 * pM);
  r.segment<3>(9) += to_node(d, 1, 0.5 * nhat - pn + even - 0.5 * pM);
}

// In the variations of y = (Q_m^T (dx_2 - dx_1), dTheta_m, dpsi), conjugate to (N, nhat, M), the tangent is the 3x3 block matrix
//   [ C11/L        C11 g~ - N~          C12/L ]
//   [ transpose    L (N~ - g~ C11) g~  -g~ C12 ]       plus the derivatives of A and T^-1 with nhat and M kept,
//   [ C21/L        C21 g~               C22/L ]
// and dTheta_m = A^T dTheta_1 + A dTheta_2, dpsi = -T^-T dTheta_1 + T^-1 dTheta_2.
void Beam::add_force_tangents_to(const Data& d, const Nodes& n, const model::Context&, Tangents& t) {
  const Strain e(d, n);
  const auto [tau, tau1] = math::so3::halfway_coefficients(e.s);
  const auto [eta, eta1] = math::so3::inverse_coefficients(e.s);
  const double L = d.length;
  const Mat3 psi = tilde(e.psi);
  const Mat3 A = 0.5 * (Mat3::Identity() + tau * psi);
  const Mat3 Ti = Mat3::Identity() + 0.5 * psi + eta * psi * psi;

  const Mat3 C11g = cross_right(d.C11, e.g);
  const Mat3 Kdm = C11g - tilde(e.N);
  const Mat3 Kmm = L * cross_right(tilde(e.N) - cross_left(e.g, d.C11), e.g);
  const Mat3 Kmp = -cross_left(e.g, d.C12);
  const Mat3 Kpm = Kmp.transpose();  // C21 g~
  const Mat3 Kpp = d.C22 / L;

  const Vec3 nhat = L * e.N.cross(e.g);
  const Vec3 pM = e.psi.cross(e.M);
  const Mat3 P = 0.5 * (tau * tilde(nhat) - 2 * tau1 * e.psi.cross(nhat) * e.psi.transpose());
  const Mat3 H = -eta * (tilde(pM) + cross_left(e.psi, tilde(e.M))) + 2 * eta1 * e.psi.cross(pM) * e.psi.transpose();
  const Mat3 halfM = 0.5 * tilde(e.M);
  const Mat3 D1 = halfM - P - H, D2 = halfM + P + H;

  // columns by dTheta_1: (A^T, -T^-T), by dTheta_2: (A, T^-1); rows 1: (A, -T^-1), rows 2: (A^T, T^-T)
  const Mat3 At = A.transpose(), Tt = Ti.transpose();
  const Mat3 Fx = e.Q * (d.C11 / L) * e.Q.transpose();
  Mat3 F1 = e.Q * (Kdm * At - (d.C12 / L) * Tt);
  Mat3 F2 = e.Q * (Kdm * A + (d.C12 / L) * Ti);
  const Mat3 Xm1 = Kmm * At - Kmp * Tt, Xm2 = Kmm * A + Kmp * Ti;
  const Mat3 Xp1 = Kpm * At - Kpp * Tt, Xp2 = Kpm * A + Kpp * Ti;
  Mat3 K11 = A * Xm1 - Ti * Xp1 - D1 * Tt, K12 = A * Xm2 - Ti * Xp2 + D1 * Ti;
  Mat3 K21 = At * Xm1 + Tt * Xp1 - D2 * Tt, K22 = At * Xm2 + Tt * Xp2 + D2 * Ti;
  Mat3 G1 = (A * Kdm.transpose() - Ti * (d.C12.transpose() / L)) * e.Q.transpose();
  Mat3 G2 = (At * Kdm.transpose() + Tt * (d.C12.transpose() / L)) * e.Q.transpose();
  if (d.turned[0]) {
    const Mat3 E = d.E[0].toRotationMatrix();
    F1 = F1 * E.transpose(), G1 = E * G1, K11 = E * K11 * E.transpose(), K12 = E * K12, K21 = K21 * E.transpose();
  }
  if (d.turned[1]) {
    const Mat3 E = d.E[1].toRotationMatrix();
    F2 = F2 * E.transpose(), G2 = E * G2, K22 = E * K22 * E.transpose(), K21 = E * K21, K12 = K12 * E.transpose();
  }
  auto& K = t.K;
  K.block<3, 3>(0, 0) += Fx, K.block<3, 3>(0, 6) -= Fx, K.block<3, 3>(6, 0) -= Fx, K.block<3, 3>(6, 6) += Fx;
  K.block<3, 3>(0, 3) -= F1, K.block<3, 3>(6, 3) += F1, K.block<3, 3>(0, 9) -= F2, K.block<3, 3>(6, 9) += F2;
  K.block<3, 3>(3, 0) -= G1, K.block<3, 3>(3, 6) += G1, K.block<3, 3>(9, 0) -= G2, K.block<3, 3>(9, 6) += G2;
  K.block<3, 3>(3, 3) += K11, K.block<3, 3>(3, 9) += K12, K.block<3, 3>(9, 3) += K21, K.block<3, 3>(9, 9) += K22;
}

model::Energies Beam::energies(const Data& d, const Nodes& n, const model::Context& c) {
  const Strain e(d, n);
  const double strain = 0.5 * d.length * (e.N.dot(e.Gamma) + e.M.dot(e.kappa));
  double kinetic = 0, gravity = 0;
  std::array<Vec3, 2> Omega, ldot;
  for (int i = 0; i < 2; ++i) {
    Omega[i] = d.E[i].conjugate() * n[i].Omega();
    const math::so3::Quaternion Q = n[i].quat * d.E[i];
    ldot[i] = Q * Omega[i].cross(d.c);
    gravity -= d.mass * d.length / 2 * c.gravity.dot(n[i].x + Q * d.c);
  }
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) {
      const double w = d.length * (i == j ? 1.0 / 3 : 1.0 / 6);
      kinetic += 0.5 * w * (d.mass * n[i].u().dot(n[j].u() + 2 * ldot[j]) + Omega[i].dot(d.J * Omega[j]));
    }
  return {kinetic, strain, gravity};
}

void Beam::write_outputs(const Data& d, const Nodes& n, const model::Context&, const model::Rows<Beam>&, const double*, double* out) {
  const Strain e(d, n);
  Eigen::Map<math::Mat<12>> result(out);
  result << e.Gamma, e.kappa, e.N, e.M;
}

Beam::Data Beam::sample(std::mt19937& random) {
  std::uniform_real_distribution<double> number(-1, 1);
  const auto vector = [&] { return Vec3(number(random), number(random), number(random)); };
  math::Mat6 X;
  for (int i = 0; i < 36; ++i) X(i) = number(random);
  const math::Mat6 C = X * X.transpose() + math::Mat6::Identity();
  const bool turned = number(random) > 0, offset = number(random) > 0;
  const Vec3 c = offset ? Vec3(0.3 * vector()) : Vec3(Vec3::Zero());
  std::array<math::so3::Quaternion, 2> E{math::so3::Quaternion::Identity(), math::so3::Quaternion::Identity()};
  if (turned) E = {math::so3::exp_quaternion(vector()), math::so3::exp_quaternion(vector())};
  const Mat3 J = Mat3(Vec3(2, 1, 1.5).asDiagonal()) + c.squaredNorm() * Mat3::Identity() - c * c.transpose();
  return {1.5 + number(random), E, {turned, turned},
          C.topLeftCorner<3, 3>(), C.topRightCorner<3, 3>(), C.bottomRightCorner<3, 3>(), 1, c, J};
}

}  // namespace polhode::elements
