#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Spin-up of a flexible beam by a second way: the numbers that spin_up_beam_test.cpp compares with.

Planar geometrically exact beam (Reissner) with Lagrange elements of order p in positions and section angle, all seen from the
frame that turns with the hub, where the inertia forces of that frame stand on the right; full integration; consistent masses;
time by scipy's Radau method of order 5. It shares with polhode neither unknowns, nor elements, nor the method in time.

usage: spin_up_beam.py ELEMENTS ORDER TOLERANCE        (the numbers of the test: 6 4 1e-8; 4 5 1e-8 gives the same to 3e-7)
"""
import sys

import numpy as np
from numpy.polynomial import legendre
from scipy.integrate import solve_ivp

L, EA, GA, EI, MASS, INERTIA, T, SPEED = 8.0, 5.03e6, 1.94e6, 566.0, 0.201, 22.7e-6, 15.0, 4.0


def hub(t):
    """Angle, speed and acceleration of the hub."""
    tau, w = t / T, 2 * np.pi
    return (
        SPEED * T * (tau**2 / 2 + (np.cos(w * tau) - 1) / w**2),
        SPEED * (tau - np.sin(w * tau) / w),
        SPEED / T * (1 - np.cos(w * tau)),
    )


class Beam:
    def __init__(self, elements, order):
        p, h = order, L / elements
        inner = legendre.legroots(legendre.legder(np.eye(p + 1)[p])).real if p > 1 else []
        nodes = np.sort(np.r_[-1, inner, 1])  # of one element, in [-1, 1]
        to_legendre = np.linalg.inv(legendre.legvander(nodes, p))
        points, weights = legendre.leggauss(p + 1)
        self.B = legendre.legvander(points, p) @ to_legendre
        slopes = [legendre.legval(points, legendre.legder(to_legendre[:, j])) for j in range(p + 1)]
        self.D = np.stack(slopes, 1) * 2 / h
        self.W = weights * h / 2
        self.at = np.array([[e * p + i for i in range(p + 1)] for e in range(elements)])
        self.n = elements * p  # nodes but the one on the hub
        self.x0 = np.zeros(self.n + 1)
        gram = np.zeros((self.n + 1, self.n + 1))
        for e, row in enumerate(self.at):
            self.x0[row] = (e + (nodes + 1) / 2) * h
            gram[np.ix_(row, row)] += (self.B.T * self.W) @ self.B
        self.inverse = np.linalg.inv(gram[1:, 1:])
        self.on_hub = self.inverse @ gram[1:, 0]  # the hub's section turns with it

    def fields(self, q):
        """Derivatives and angle at the integration points, strains, forces; q = x, y, angle of all free nodes."""
        x, y, a = (np.r_[0, row][self.at] for row in q.reshape(3, self.n))
        c, s = np.cos(a @ self.B.T), np.sin(a @ self.B.T)
        dx, dy = x @ self.D.T, y @ self.D.T
        stretch, shear = c * dx + s * dy, -s * dx + c * dy  # stretch = 1 + axial strain
        return c, s, stretch, shear, EA * (stretch - 1), GA * shear, EI * (a @ self.D.T)

    def forces(self, q):
        c, s, stretch, shear, N, Q, M = self.fields(q)
        F = np.zeros((3, self.n + 1))
        np.add.at(F[0], self.at, ((c * N - s * Q) * self.W) @ self.D)
        np.add.at(F[1], self.at, ((s * N + c * Q) * self.W) @ self.D)
        np.add.at(F[2], self.at, (M * self.W) @ self.D + ((N * shear - Q * stretch) * self.W) @ self.B)
        return F[:, 1:]

    def stiffness(self, q):
        c, s, stretch, shear, N, Q, _ = self.fields(q)
        size, k = self.n + 1, self.at.shape[1]
        K = np.zeros((3 * size, 3 * size))
        X, Y, A = slice(0, k), slice(k, 2 * k), slice(2 * k, 3 * k)
        for e, row in enumerate(self.at):
            local = np.zeros((3 * k, 3 * k))
            for g, w in enumerate(self.W):
                b, d, zero = self.B[g], self.D[g], np.zeros(k)
                for stiffness, force, by, second in (
                    (EA, N[e, g], (c[e, g], s[e, g], shear[e, g]), -stretch[e, g]),
                    (GA, Q[e, g], (-s[e, g], c[e, g], -stretch[e, g]), -shear[e, g]),
                ):
                    gradient = np.r_[by[0] * d, by[1] * d, by[2] * b]
                    H = np.zeros_like(local)  # second derivatives of the strain
                    H[X, A], H[Y, A] = -by[1] * np.outer(d, b), by[0] * np.outer(d, b)
                    H += H.T
                    H[A, A] = second * np.outer(b, b)
                    local += w * (stiffness * np.outer(gradient, gradient) + force * H)
                bend = np.r_[zero, zero, d]
                local += w * EI * np.outer(bend, bend)
            index = np.r_[row, row + size, row + 2 * size]
            K[np.ix_(index, index)] += local
        free = np.r_[1:size, size + 1 : 2 * size, 2 * size + 1 : 3 * size]
        return K[np.ix_(free, free)]

    def rate(self, t, z):
        n = self.n
        q, v = z[: 3 * n].reshape(3, n), z[3 * n :].reshape(3, n)
        _, w, alpha = hub(t)
        F = self.forces(z[: 3 * n])
        ax = -self.inverse @ F[0] / MASS + 2 * w * v[1] + alpha * q[1] + w**2 * q[0]
        ay = -self.inverse @ F[1] / MASS - 2 * w * v[0] - alpha * q[0] + w**2 * q[1]
        turn = -self.inverse @ F[2] / INERTIA - alpha * (1 + self.on_hub)
        return np.r_[z[3 * n :], ax, ay, turn]

    def rate_gradient(self, t, z):
        n, I = self.n, np.eye(self.n)
        _, w, alpha = hub(t)
        K = self.stiffness(z[: 3 * n])
        for r, m in enumerate((MASS, MASS, INERTIA)):
            K[r * n : (r + 1) * n] = -self.inverse @ K[r * n : (r + 1) * n] / m
        G = np.zeros((3 * n, 3 * n))
        G[:n, n : 2 * n], G[n : 2 * n, :n] = 2 * w * I, -2 * w * I
        K[:n, :n] += w**2 * I
        K[n : 2 * n, n : 2 * n] += w**2 * I
        K[:n, n : 2 * n] += alpha * I
        K[n : 2 * n, :n] -= alpha * I
        return np.block([[np.zeros_like(G), np.eye(3 * n)], [K, G]])


def main(elements, order, tolerance):
    beam = Beam(int(elements), int(order))
    start = np.r_[beam.x0[1:], np.zeros(5 * beam.n)]
    run = solve_ivp(beam.rate, (0, T), start, method="Radau", jac=beam.rate_gradient, rtol=float(tolerance),
                    atol=0.1 * float(tolerance), t_eval=[5, 10, 15])
    for t, z in zip(run.t, run.y.T):
        x, y, angle = z[beam.n - 1], z[2 * beam.n - 1], hub(t)[0]
        print(f"{t:g} s: tip ({x * np.cos(angle) - y * np.sin(angle):.8f}, {x * np.sin(angle) + y * np.cos(angle):.8f})")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
