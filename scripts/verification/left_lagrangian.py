# SPDX-License-Identifier: BSD-3-Clause
"""The discrete Lagrangians (4.1) and (4.16) of Wendlandt & Marsden (1997), L((x + y)/2, (y - x)/h) and L(y, (y - x)/h), kinetic
energy included: on the plane double pendulum in two angles, whose kinetic energy depends on them, and on quaternions.
"""
import numpy as np

MASSES, LENGTHS, GRAVITY = (2.0, 3.5), (4.0, 3.0), 9.81  # theirs of section 5.2
ANGLES, RATES = np.array([0.8, 1.2]), np.array([0.9, -0.5])


def lagrangian(q, v):
    (m1, m2), (l1, l2), (a, b), (da, db) = MASSES, LENGTHS, q, v
    kinetic = (m1 + m2) * (l1 * da) ** 2 / 2 + m2 * (l2 * db) ** 2 / 2 + m2 * l1 * l2 * da * db * np.cos(a - b)
    return kinetic + GRAVITY * ((m1 + m2) * l1 * np.cos(a) + m2 * l2 * np.cos(b))


def gradient(function, z):
    """By complex steps: to round-off."""
    return np.array([function(z + 1e-30j * unit).imag for unit in np.eye(len(z))]) / 1e-30


def discrete(x, y, h, left):
    return lagrangian(y if left else (x + y) / 2, (y - x) / h)


def momenta_after(x, y, h, left):
    return h * gradient(lambda z: discrete(x, z, h, left), y.astype(complex))


def momenta_before(x, y, h, left):
    return -h * gradient(lambda z: discrete(z, y, h, left), x.astype(complex))


def motion(h, duration, left):
    """Angles and momenta at the end; -h D_1 L is the momentum at the first angles."""
    x = ANGLES
    p = gradient(lambda v: lagrangian(ANGLES, v), RATES.astype(complex))
    for _ in range(round(duration / h)):
        y = x + h * RATES if _ == 0 else 2 * x - before
        for _ in range(20):
            residual = momenta_before(x, y, h, left) - p
            slope = np.array([(momenta_before(x, y + 1e-6 * unit, h, left) - momenta_before(x, y - 1e-6 * unit, h, left))
                              / 2e-6 for unit in np.eye(2)]).T
            change = np.linalg.solve(slope, -residual)
            y = y + change
            if abs(change).max() < 1e-11:
                break
        p = momenta_after(x, y, h, left)
        before, x = x, y
    return x, p


def exact(duration, steps=4000):
    """Hamilton's equations by the classical Runge-Kutta method."""
    def mass(q):
        (m1, m2), (l1, l2), c = MASSES, LENGTHS, np.cos(q[0] - q[1])
        return np.array([[(m1 + m2) * l1**2, m2 * l1 * l2 * c], [m2 * l1 * l2 * c, m2 * l2**2]])

    def rate(z):
        v = np.linalg.solve(mass(z[:2]), z[2:])
        return np.concatenate([v, gradient(lambda q: lagrangian(q, v), z[:2].astype(complex))])

    z, h = np.concatenate([ANGLES, mass(ANGLES) @ RATES]), duration / steps
    for _ in range(steps):
        a = rate(z)
        b = rate(z + h / 2 * a)
        c = rate(z + h / 2 * b)
        z = z + h / 6 * (a + 2 * b + 2 * c + rate(z + h * c))
    return z[:2], z[2:]


def errors(steps, duration, left):
    angles, _ = exact(duration)
    return [np.linalg.norm(motion(h, duration, left)[0] - angles) for h in steps]


def product(a, b):
    """Of quaternions (w, v)."""
    return np.concatenate([[a[0] * b[0] - a[1:] @ b[1:]], a[0] * b[1:] + b[0] * a[1:] + np.cross(a[1:], b[1:])])


def quaternion_difference(count=1000):
    """Largest difference of (4.1) and (4.16), relative, over pairs of unit quaternions: the kinetic energy of a body takes
    the vector part of 2 conj(q) q', and that is the same for both."""
    random, inertia, most = np.random.default_rng(1), np.array([1.0, 2.0, 3.0]), 0.0
    for _ in range(count):
        x, y = (q / np.linalg.norm(q) for q in random.standard_normal((2, 4)))
        conjugate = np.array([1, -1, -1, -1])
        spins = [2 * product(conjugate * place, y - x)[1:] for place in ((x + y) / 2, y)]
        energies = [(inertia * spin * spin).sum() / 2 for spin in spins]
        most = max(most, abs(energies[0] - energies[1]) / energies[0])
    return most
