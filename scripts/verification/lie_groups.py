# SPDX-License-Identifier: BSD-3-Clause
"""Numbers of the page on Lie groups and frames: the generalized-alpha method on four motions of one rigid body.

The program has the first two of the formulations below, SE(3) is here alone. Each is a set of right factors F_k, F_c,
F_m, by which an increment of the unknown of a step changes the configuration (dx inertial, dTheta in the body),
velocities (u inertial, Omega in the body) and accelerations.
"""
import numpy as np

from page import Numbers
from runs import node_history, slope

RHO = 0.9
I3 = np.eye(3)


def tilde(a):
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def cross(a, b):
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def exponential(a):
    angle = np.sqrt(a @ a)
    A = tilde(a)
    if angle < 1e-4:
        return I3 + A + A @ A / 2
    return I3 + np.sin(angle) / angle * A + (1 - np.cos(angle)) / angle**2 * (A @ A)


def tangent(a):
    """exp(a)^T d exp(a) = tilde(tangent(a) da)"""
    angle = np.sqrt(a @ a)
    A = tilde(a)
    if angle < 1e-3:
        return I3 - A / 2 + A @ A / 6
    return I3 - (1 - np.cos(angle)) / angle**2 * A + (angle - np.sin(angle)) / angle**3 * (A @ A)


def blocks(a, b, c, d):
    return np.vstack([np.hstack([a, b]), np.hstack([c, d])])


ZERO = np.zeros((3, 3))


class Body:
    """Velocities (u inertial, Omega in the body): `frame: body` of lie_alpha."""

    def velocities(self, R, u, Omega):
        return np.concatenate([u, Omega])

    def accelerations(self, R, u, Omega, udot, Omegadot):
        return np.concatenate([udot, Omegadot])

    def configuration(self, x, R, p):
        return x + p[:3], R @ exponential(p[3:])

    def physical(self, R, v, vdot):
        return v[:3], v[3:], vdot[:3], vdot[3:]

    def factors(self, R, p, v, vdot, gamma, beta):
        I = np.eye(6)
        return blocks(I3, ZERO, ZERO, tangent(p[3:])), gamma * I, beta * I


class Spatial(Body):
    """Velocities (u, omega) inertial, R exp(h Dq)'s factor on the left: `frame: spatial`."""

    def velocities(self, R, u, Omega):
        return np.concatenate([u, R @ Omega])

    def accelerations(self, R, u, Omega, udot, Omegadot):
        return np.concatenate([udot, R @ Omegadot])

    def configuration(self, x, R, p):
        return x + p[:3], exponential(p[3:]) @ R

    def physical(self, R, v, vdot):
        return v[:3], R.T @ v[3:], vdot[:3], R.T @ vdot[3:]

    def factors(self, R, p, v, vdot, gamma, beta):
        T = tangent(p[3:]).T
        return (blocks(I3, ZERO, ZERO, R.T @ T), blocks(gamma * I3, ZERO, ZERO, R.T @ (gamma * I3 + tilde(v[3:]) @ T)),
                blocks(beta * I3, ZERO, ZERO, R.T @ (beta * I3 + tilde(vdot[3:]) @ T)))


class SE3(Body):
    """Velocities (U, Omega) in the body, H exp(h Dq) (Bruels, Arnold & Cardona 2011)."""

    def velocities(self, R, u, Omega):
        return np.concatenate([R.T @ u, Omega])

    def accelerations(self, R, u, Omega, udot, Omegadot):
        return np.concatenate([R.T @ udot - cross(Omega, R.T @ u), Omegadot])

    def configuration(self, x, R, p):
        return x + R @ (tangent(-p[3:]) @ p[:3]), R @ exponential(p[3:])

    def physical(self, R, v, vdot):
        return R @ v[:3], v[3:], R @ (vdot[:3] + cross(v[3:], v[:3])), vdot[3:]

    def factors(self, R, p, v, vdot, gamma, beta):
        adjoint = blocks(tilde(p[3:]), tilde(p[:3]), ZERO, tilde(p[3:]))
        T, term = np.eye(6), np.eye(6)
        for k in range(1, 30):
            term = -term @ adjoint / (k + 1)
            T = T + term
            if abs(term).max() < 1e-17:
                break
        E = blocks(R, ZERO, ZERO, I3)
        acceleration = vdot[:3] + cross(v[3:], v[:3])
        turned = R @ tilde(v[:3])
        F_c = gamma * E + blocks(ZERO, -turned, ZERO, ZERO) @ T
        F_m = (beta * E + gamma * blocks(R @ tilde(v[3:]), -turned, ZERO, ZERO) +
               blocks(ZERO, -R @ tilde(acceleration), ZERO, ZERO) @ T)
        return E @ T, F_c, F_m


class Motion:
    """A body: mass, inertia J about its node, centre of mass from there, loads and constraints; start and duration."""
    mass, J, centre = 1.0, np.diag([1.0, 2.0, 3.0]), np.zeros(3)
    x, R, u, Omega = np.zeros(3), I3, np.zeros(3), np.zeros(3)
    rows = 0

    def loads(self, t, R):
        """Force on the node, inertial; moment, in the body; derivative of the force by dTheta."""
        return np.zeros(3), np.zeros(3), ZERO

    def constraints(self, x, R):
        return np.zeros(0)

    def gradient(self, R):
        return np.zeros((0, 6))

    def stiffness(self, R, multipliers):
        """Derivative of B^T lambda by dTheta, of its moments."""
        return ZERO


class HeavyTop(Motion):
    """Bruels, Cardona & Arnold (2012), 7.1."""
    mass, J, rows = 15.0, np.diag([0.234375, 0.46875, 0.234375]), 3
    arm = np.array([0, 1.0, 0])
    x, Omega = arm, np.array([0, 150, -4.61538])
    u = cross(Omega, arm)
    duration, steps = 2.0, (2e-3, 1.25e-3, 1e-3)
    exact = np.array([-0.150416822746, -0.724165591637, -0.673022269560])

    def loads(self, t, R):
        return np.array([0, 0, -9.81 * self.mass]), np.zeros(3), ZERO

    def constraints(self, x, R):
        return x - R @ self.arm

    def gradient(self, R):
        return np.hstack([I3, R @ tilde(self.arm)])

    def stiffness(self, R, multipliers):
        return -tilde(self.arm) @ tilde(R.T @ multipliers)

    def error(self, x, R):
        return np.linalg.norm(x - self.exact)


class Helix(Motion):
    """A body that a force and a moment of constant components in the body keep on a helix: its twist is constant."""
    Omega, u = np.array([1.0, 2.0, 3.0]), np.array([3.0, 0.0, 1.0])
    force, moment = cross(Omega, u), cross(Omega, Motion.J @ Omega)
    duration, steps = 2.0, (4e-2, 2e-2, 1e-2)

    def loads(self, t, R):
        force = R @ self.force
        return force, self.moment, -R @ tilde(self.force)

    def error(self, x, R):
        a = self.duration * self.Omega
        return np.linalg.norm(x - tangent(-a) @ (self.duration * self.u))


class Flight(Motion):
    """A body of three different inertias, thrown: a parabola, and a free rotation near the unstable axis."""
    Omega, u = np.array([0.3, 4.0, 0.2]), np.array([1.0, 0.0, 10.0])
    duration, steps = 2.0, (2e-2, 1e-2, 5e-3)

    def loads(self, t, R):
        return np.array([0, 0, -9.81]), np.zeros(3), ZERO

    def error(self, x, R):
        t = self.duration
        place = np.linalg.norm(x - (self.u * t - np.array([0, 0, 9.81 * t * t / 2])))
        turn = self.rotation().T @ R
        return np.hypot(place, np.linalg.norm([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]]) / 2)

    def rotation(self, steps=4000):
        """By the classical Runge-Kutta method."""
        inverse, h = np.linalg.inv(self.J), self.duration / steps
        rate = lambda R, w: (R @ tilde(w), -inverse @ cross(w, self.J @ w))
        R, w = self.R, self.Omega
        for _ in range(steps):
            a, b = rate(R, w)
            c, d = rate(R + h / 2 * a, w + h / 2 * b)
            e, f = rate(R + h / 2 * c, w + h / 2 * d)
            g, i = rate(R + h * e, w + h * f)
            R, w = R + h / 6 * (a + 2 * c + 2 * e + g), w + h / 6 * (b + 2 * d + 2 * f + i)
        return R


class Screw(Motion):
    """A body 0.5 m beside the axis of a screw of 0.2 m/rad, driven by a moment cos 5t; theta(t) is known."""
    rows, arm, pitch, moment, rate = 5, np.array([0.5, 0, 0]), 0.2, 10.0, 5.0
    x, Omega = arm, np.array([0, 0, 6.0])
    u = cross(Omega, arm) + np.array([0, 0, pitch * 6.0])
    duration, steps = 2.0, (2e-2, 1e-2, 5e-3)
    turns = np.array([[1.0, 0, 0], [0, 1.0, 0]])

    def loads(self, t, R):
        return np.zeros(3), np.array([0, 0, self.moment * np.cos(self.rate * t)]), ZERO

    def angle(self, x, R):
        near = x[2] / self.pitch
        angle = np.arctan2(R[1, 0], R[0, 0])
        return angle + 2 * np.pi * np.round((near - angle) / (2 * np.pi))

    def constraints(self, x, R):
        foot = x - R @ self.arm
        return np.array([R[0, 2], R[1, 2], foot[0], foot[1], foot[2] - self.pitch * self.angle(x, R)])

    def gradient(self, R):
        B = np.zeros((5, 6))
        B[:2, 3:] = -(R @ tilde(np.array([0, 0, 1.0])))[:2]
        B[2:, :3] = I3
        B[2:, 3:] = R @ tilde(self.arm)
        B[4, 3:] -= self.pitch * R[2]
        return B

    def stiffness(self, R, multipliers):
        aligning, at_foot = R.T @ np.array([*multipliers[:2], 0]), R.T @ multipliers[2:]
        K = tilde(np.array([0, 0, 1.0])) @ tilde(aligning) - tilde(self.arm) @ tilde(at_foot)
        return K - self.pitch * tilde(R[2] * multipliers[4])

    def error(self, x, R):
        inertia = self.J[2, 2] + self.mass * (self.arm[0] ** 2 + self.pitch**2)
        w, t = self.rate, self.duration
        theta = 6.0 * t + self.moment / inertia * (1 - np.cos(w * t)) / w**2
        return np.linalg.norm(x - np.array([0.5 * np.cos(theta), 0.5 * np.sin(theta), self.pitch * theta]))


class ScrewOnAxis(Screw):
    """The same machine with the body's node on the axis of the screw."""
    centre, arm, x = Screw.arm, np.zeros(3), np.zeros(3)
    u = np.array([0, 0, Screw.pitch * 6.0])
    J = Screw.J + Screw.arm @ Screw.arm * I3 - np.outer(Screw.arm, Screw.arm)

    def error(self, x, R):
        return Screw().error(x + R @ self.centre, R)


def turning(motion, Omega, Omegadot):
    """Acceleration of the centre of mass against the node, in the body."""
    return cross(Omegadot, motion.centre) + cross(Omega, cross(Omega, motion.centre))


def forces(motion, t, R, u, Omega, udot, Omegadot, multipliers):
    """Residual of the equations of motion, forces inertial, moments in the body."""
    m, J, (force, moment, _) = motion.mass, motion.J, motion.loads(t, R)
    r = np.concatenate([m * (udot + R @ turning(motion, Omega, Omegadot)) - force,
                        J @ Omegadot + cross(Omega, J @ Omega) + m * cross(motion.centre, R.T @ udot) - moment])
    return r + motion.gradient(R).T @ multipliers


def tangents(motion, t, R, Omega, udot, Omegadot, multipliers):
    """Derivatives of it by accelerations, velocities (Omega), configuration (dTheta)."""
    m, J, c = motion.mass, motion.J, tilde(motion.centre)
    M = blocks(m * I3, -m * R @ c, m * c @ R.T, J)
    C = blocks(ZERO, -m * R @ (tilde(cross(Omega, motion.centre)) + tilde(Omega) @ c), ZERO,
               tilde(Omega) @ J - tilde(J @ Omega))
    K = blocks(ZERO, -m * R @ tilde(turning(motion, Omega, Omegadot)) - motion.loads(t, R)[2], ZERO,
               m * c @ tilde(R.T @ udot) + motion.stiffness(R, multipliers))
    return M, C, K


def start(motion):
    """Accelerations and multipliers from M vdot + g + B^T lambda = 0, B vdot + gamma = 0."""
    nothing, B = np.zeros(3), motion.gradient(motion.R)
    M, _, _ = tangents(motion, 0.0, motion.R, nothing, nothing, nothing, np.zeros(motion.rows))
    g = forces(motion, 0.0, motion.R, motion.u, motion.Omega, nothing, nothing, np.zeros(motion.rows))
    h = 1e-5
    rate = lambda s: motion.gradient(motion.R @ exponential(s * motion.Omega)) @ np.concatenate([motion.u, motion.Omega])
    gamma = (rate(h) - rate(-h)) / (2 * h)
    A = np.block([[M, B.T], [B, np.zeros((motion.rows, motion.rows))]])
    solution = np.linalg.solve(A, -np.concatenate([g, gamma]))
    return solution[:6], solution[6:]


def integrate(group, motion, h):
    """Error of the end; a step that does not converge ends with nan."""
    alpha_m, alpha_f = (2 * RHO - 1) / (RHO + 1), RHO / (RHO + 1)
    gamma = 0.5 + alpha_f - alpha_m
    beta = (gamma + 0.5) ** 2 / 4
    of_beta, of_gamma = (1 - alpha_m) / (h * h * beta * (1 - alpha_f)), gamma / (h * beta)
    x, R = motion.x, motion.R
    rates, multipliers = start(motion)
    v = group.velocities(R, motion.u, motion.Omega)
    vdot = group.accelerations(R, motion.u, motion.Omega, rates[:3], rates[3:])
    a = vdot
    for step in range(1, round(motion.duration / h) + 1):
        guess = (alpha_f * vdot - alpha_m * a) / (1 - alpha_m)
        p = h * v + h * h * ((0.5 - beta) * a + beta * guess)
        v = v + h * ((1 - gamma) * a + gamma * guess)
        vdot = np.zeros(6)
        for _ in range(20):
            x1, R1 = group.configuration(x, R, p)
            u, Omega, udot, Omegadot = group.physical(R1, v, vdot)
            r = np.concatenate([forces(motion, step * h, R1, u, Omega, udot, Omegadot, multipliers),
                                motion.constraints(x1, R1)])
            if abs(r[:6]).max() < 1e-7 and (not motion.rows or abs(r[6:]).max() < 1e-11):
                break
            if not np.isfinite(r).all():
                return np.nan
            F_k, F_c, F_m = group.factors(R1, p, v, vdot, of_gamma, of_beta)
            M, C, K = tangents(motion, step * h, R1, Omega, udot, Omegadot, multipliers)
            B = motion.gradient(R1)
            S = np.block([[M @ F_m + C @ F_c + K @ F_k, B.T], [B @ F_k, np.zeros((motion.rows, motion.rows))]])
            change = np.linalg.solve(S, -r)
            p, v, vdot = p + change[:6], v + of_gamma * change[:6], vdot + of_beta * change[:6]
            multipliers = multipliers + change[6:]
        else:
            return np.nan
        x, R = x1, R1
        a = guess + (1 - alpha_f) / (1 - alpha_m) * vdot
    return motion.error(x, R)


MOTIONS = {"top": HeavyTop(), "helix": Helix(), "flight": Flight(), "screw": Screw(), "on_axis": ScrewOnAxis()}
GROUPS = {"body": Body(), "spatial": Spatial(), "se3": SE3()}


def numbers(runs):
    program = {"body": runs.grid("heavy_top", "lie_alpha", 2e-3, 2.0, 2.0),
               "spatial": runs.grid("heavy_top", "lie_alpha", 2e-3, 2.0, 2.0, analysis__integrator__frame="spatial")}
    yield
    n, good = Numbers(), True
    for name, motion in MOTIONS.items():
        for group, formulation in GROUPS.items():
            errors = [integrate(formulation, motion, h) for h in motion.steps]
            n.put(f"{name}.{group}", errors)
            if errors[-1] > 1e-10:
                good &= abs(slope(motion.steps[1:], errors[1:]) - 2) < 0.1
    for group, run in program.items():
        n.put(f"program.{group}", np.linalg.norm(node_history(run.result(), "centre")[-1] - HeavyTop.exact))
        good &= abs(n[f"program.{group}"] / n[f"top.{group}.0"] - 1) < 2e-3
    n.holds("s.order", good)
    n.holds("s.helix", n["helix.se3.0"] < 1e-12)
    n.holds("s.axis", all(abs(n[f"on_axis.{g}.2"] / n["screw.se3.2"] - 1) < 0.01 for g in ("body", "spatial")))
    yield n
