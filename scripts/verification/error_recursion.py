# SPDX-License-Identifier: BSD-3-Clause
"""Eq. (8) of ACB15 on the heavy top: E_{n+1} = (T+^-1 T0 (x) I) E_n with E = (B v/h + h B r, B M^-1 B^T (lambda_n -
lambda(t_n)), B (a_n - vdot(t_n + Delta_alpha h))), from what is known at one step to the errors of the multipliers behind
it. The paper prints the second and third component with the other sign, which its matrices do not fit.
"""
import numpy as np

from lie_groups import RHO, HeavyTop, cross, tilde

TOP = HeavyTop()
ALPHA_M, ALPHA_F = (2 * RHO - 1) / (RHO + 1), RHO / (RHO + 1)
GAMMA = 0.5 + ALPHA_F - ALPHA_M
BETA = 0.25 * (GAMMA + 0.5) ** 2
SHIFT = ALPHA_M - ALPHA_F


def matrix():
    plus = np.array([[0, 0, -BETA], [1, 0, -GAMMA], [0, 1 - ALPHA_F, 1 - ALPHA_M]])
    zero = np.array([[1, 0, 0.5 - BETA], [1, 0, 1 - GAMMA], [0, -ALPHA_F, -ALPHA_M]])
    return np.linalg.solve(plus, zero)


def rates(R, Omega, frame):
    """v, vdot, vddot of the exact motion, by the equations of the top about its pivot."""
    arm, inertia = TOP.arm, TOP.J - TOP.mass * tilde(TOP.arm) @ tilde(TOP.arm)
    weight, W = np.array([0, 0, -9.81 * TOP.mass]), tilde(Omega)
    first = np.linalg.solve(inertia, cross(arm, R.T @ weight) - cross(Omega, inertia @ Omega))
    second = np.linalg.solve(inertia, cross(arm, (R @ W).T @ weight) - cross(first, inertia @ Omega)
                             - cross(Omega, inertia @ first))
    W1, W2 = tilde(first), tilde(second)
    u = [R @ W @ arm, R @ (W @ W + W1) @ arm, R @ (W @ (W @ W + W1) + W1 @ W + W @ W1 + W2) @ arm]
    turned = [Omega, first, second] if frame == "body" else [R @ Omega, R @ first, R @ (cross(Omega, first) + second)]
    return [np.concatenate(pair) for pair in zip(u, turned)]


def gradient(R, frame):
    B = np.hstack([-np.eye(3), -R @ tilde(TOP.arm)])
    if frame == "spatial":
        B[:, 3:] = B[:, 3:] @ R.T
    return B


def compliance(R):
    """B M^-1 B^T."""
    lever = R @ tilde(TOP.arm)
    return np.eye(3) / TOP.mass + lever @ np.linalg.inv(TOP.J) @ lever.T


def after_consistent_start(h, frame):
    """E_0 where B v_0 = 0, a_0 = vdot_0; from the remainder term, nothing is measured."""
    v, vdot, vddot = rates(np.eye(3), TOP.Omega, frame)
    bracket = np.concatenate([np.zeros(3), cross(v[3:], vdot[3:])]) * (1 if frame == "body" else -1)
    remainder = -((1 - 6 * BETA - 3 * SHIFT) / 6 * vddot + bracket / 12)
    B = gradient(np.eye(3), frame)
    return np.array([h * B @ remainder, np.zeros(3), -h * SHIFT * B @ vddot])


def after_projection(h, hidden):
    """E where the projection takes B v = hidden away."""
    return np.array([-hidden / h, np.zeros(3), np.zeros(3)])


def moved(a, b):
    """The least rotation that takes a to b."""
    K = tilde(np.cross(a, b))
    return np.eye(3) + K + K @ K / (1 + a @ b)


def errors_of_multipliers(E, rotations, frame):
    """lambda_n - lambda(t_n) at each step. The theory has one B for all steps. To leading order it does not matter how E
    is carried from step to step; here as the method carries accelerations, 98 % of which are angular: with the body, or
    with the axis of the top alone, across which B M^-1 B^T is 65 times what it is along it."""
    T, last, found = matrix(), rotations[0], []
    for R in rotations:
        E = E @ (R @ last.T if frame == "body" else moved(last @ TOP.arm, R @ TOP.arm)).T
        last = R
        found.append(np.linalg.solve(compliance(R), E[1]))
        E = T @ E
    return np.array(found)
