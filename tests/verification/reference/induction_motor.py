# SPDX-License-Identifier: BSD-3-Clause
"""An induction motor that starts a fan through a flexible shaft, inputs/examples/induction_motor.yaml.

The shaft is a row of torsional springs with consistent inertia; prints what driven_machines_test.cpp and the deck name.
"""
import sys

import numpy as np
from scipy.integrate import solve_ivp

V, w = 400 * np.sqrt(2 / 3), 2 * np.pi * 50
Rs, Rr, L, Lm, pairs = 1.405, 1.395, 0.178039, 0.1722, 2
det = L * L - Lm * Lm
n = int(sys.argv[1]) if len(sys.argv) > 1 else 12
Ip = np.pi * 0.02**4 / 32
k, tau = 2.1e11 / 2.625 * Ip / 0.5 * n, 2e-5
M = np.diag([0.0131] + [0.0] * (n - 1) + [0.06])
K = np.zeros((n + 1, n + 1))
for e in range(n):
    M[e : e + 2, e : e + 2] += 7850 * Ip * 0.5 / n * np.array([[1 / 3, 1 / 6], [1 / 6, 1 / 3]])
    K[e : e + 2, e : e + 2] += k * np.array([[1, -1], [-1, 1]])
inverse = np.linalg.inv(M)


def currents(a, b, ra, rb):
    return (L * a - Lm * ra) / det, (L * b - Lm * rb) / det, (L * ra - Lm * a) / det, (L * rb - Lm * b) / det


def rates(t, y):
    turn, speed, psi = y[: n + 1], y[n + 1 : 2 * n + 2], y[2 * n + 2 :]
    ia, ib, ira, irb = currents(*psi)
    torque = -K @ turn - tau * K @ speed
    torque[0] += 1.5 * pairs * (psi[0] * ib - psi[1] * ia)
    torque[-1] -= 6e-4 * speed[-1] * abs(speed[-1])
    flux = [V * np.cos(w * t) - Rs * ia, V * np.sin(w * t) - Rs * ib,
            -Rr * ira - pairs * speed[0] * psi[3], -Rr * irb + pairs * speed[0] * psi[2]]
    return np.concatenate([speed, inverse @ torque, flux])


solved = solve_ivp(rates, (0, 0.6), np.zeros(2 * n + 6), method="DOP853", rtol=1e-10, atol=1e-12, dense_output=True)
t = np.linspace(0, 0.6, 60001)
y = solved.sol(t)
psi = y[2 * n + 2 :]
ia, ib, _, _ = currents(*psi)
torque = 1.5 * pairs * (psi[0] * ib - psi[1] * ia)
first = k * (y[1] - y[0]) + tau * k * (y[n + 2] - y[n + 1])
print("speed at 0.05, 0.1, 0.6 s [rad/s]:", y[n + 1, 5000], y[n + 1, 10000], y[n + 1, -1])
print("largest torque, in the shaft [N m]:", abs(torque).max(), abs(first).max())
