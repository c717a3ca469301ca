# SPDX-License-Identifier: BSD-3-Clause
"""The generalized-alpha method on the heavy top with constraints of positions (index 3), velocities (index 2) or
accelerations (index 1) alone, as ACB15 names them after eq. (5): the program has the first one and the stabilized one
only, so these are here to show what the others drift by.
"""
import numpy as np

from lie_groups import RHO, Body, HeavyTop, cross, forces, start, tangent, tangents, tilde


def constraint(level, top, x, R, v, vdot):
    """Phi, B v or B vdot + Z(v, v); its derivatives by configuration (dx, dTheta), velocities and accelerations."""
    B, none = top.gradient(R), np.zeros((3, 6))
    def by_rotation(a):  # of R a
        return np.hstack([np.zeros((3, 3)), -R @ tilde(a)])
    turned = cross(top.arm, v[3:])
    if level == 3:
        return top.constraints(x, R), B, none, none
    if level == 2:
        return B @ v, by_rotation(turned), B, none
    inward = cross(v[3:], turned)
    curved = np.hstack([np.zeros((3, 3)), R @ (tilde(v[3:]) @ tilde(top.arm) - tilde(turned))])
    return B @ vdot + R @ inward, by_rotation(cross(top.arm, vdot[3:]) + inward), curved, B


def run(level, h, duration):
    """Times, and |Phi|, |B v| at each step."""
    top, group = HeavyTop(), Body()
    alpha_m, alpha_f = (2 * RHO - 1) / (RHO + 1), RHO / (RHO + 1)
    gamma = 0.5 + alpha_f - alpha_m
    beta = (gamma + 0.5) ** 2 / 4
    of_beta, of_gamma = (1 - alpha_m) / (h * h * beta * (1 - alpha_f)), gamma / (h * beta)
    scale = {3: 1.0, 2: 1 / of_gamma, 1: 1 / of_beta}[level]  # rows of the size of positions
    x, R = top.x, top.R
    vdot, multipliers = start(top)
    v, a, before = np.concatenate([top.u, top.Omega]), vdot, vdot
    found = []
    for step in range(1, round(duration / h) + 1):
        guess = (alpha_f * before - alpha_m * a) / (1 - alpha_m)
        p = h * v + h * h * ((0.5 - beta) * a + beta * guess)
        v = v + h * ((1 - gamma) * a + gamma * guess)
        vdot = np.zeros(6)
        for _ in range(20):
            x1, R1 = group.configuration(x, R, p)
            row, by_q, by_v, by_vdot = constraint(level, top, x1, R1, v, vdot)
            r = np.concatenate([forces(top, step * h, R1, v[:3], v[3:], vdot[:3], vdot[3:], multipliers), scale * row])
            M, C, K = tangents(top, step * h, R1, v[3:], vdot[:3], vdot[3:], multipliers)
            T = np.eye(6)
            T[3:, 3:] = tangent(p[3:])
            lower = scale * (by_q @ T + of_gamma * by_v + of_beta * by_vdot)
            S = np.block([[M * of_beta + C * of_gamma + K @ T, top.gradient(R1).T], [lower, np.zeros((3, 3))]])
            change = np.linalg.solve(S, -r)
            p, v, vdot = p + change[:6], v + of_gamma * change[:6], vdot + of_beta * change[:6]
            multipliers = multipliers + change[6:]
            if abs(change[:6]).max() < 1e-12:
                break
        else:
            raise ArithmeticError(f"index {level}, h = {h:g} s: step {step} does not converge")
        a, before = ((1 - alpha_f) * vdot + alpha_f * before - alpha_m * a) / (1 - alpha_m), vdot
        x, R = group.configuration(x, R, p)
        found.append((step * h, np.linalg.norm(top.constraints(x, R)), np.linalg.norm(top.gradient(R) @ v)))
    return np.array(found).T
