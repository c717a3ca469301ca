# SPDX-License-Identifier: BSD-3-Clause
"""The controller of arm_lqg.yaml: LQG at 50 Hz from the linear model of arm.yaml; prints its matrices as a deck has them.

    polhode run inputs/examples/arm.yaml -o arm.h5
    python3 inputs/examples/arm_lqg.py arm.h5
"""
import sys

import h5py
import numpy as np
from scipy import linalg

PERIOD = 0.02  # s
TARGET = np.array([0.06, -0.04])  # rad


def sampled(A, B):
    """Of an input that is held over a period."""
    n, m = B.shape
    both = linalg.expm(np.block([[A, B], [np.zeros((m, n + m))]]) * PERIOD)
    return both[:n, :n], both[:n, n:]


def main(file):
    with h5py.File(file) as results:
        model = next(iter(results["linear"].values()))["state_space"]
        A, B, C = model["A"][:], model["B"][:], model["C"][:]
    half = len(A) // 2
    moved = np.abs(B[half:]).max(axis=1) > 1e-6  # motors do not move modes out of the plane
    keep = np.flatnonzero(np.concatenate([moved, moved]))
    A, B, C = A[np.ix_(keep, keep)], B[keep], C[:, keep]
    a, b = sampled(A, B)
    angles, tip, rates = C[:2], C[2:3], C[3:5]

    weight = 1e3 * tip.T @ tip + 2e3 * angles.T @ angles + rates.T @ rates + 1e-6 * np.eye(len(a))
    effort = 0.05 * np.eye(2)
    X = linalg.solve_discrete_are(a, b, weight, effort)
    K = linalg.solve(effort + b.T @ X @ b, b.T @ X @ a)

    disturbance, noise = b @ b.T + 1e-8 * np.eye(len(a)), 1e-6 * np.eye(2)
    P = linalg.solve_discrete_are(a.T, angles.T, disturbance, noise)
    L = a @ P @ angles.T @ np.linalg.inv(angles @ P @ angles.T + noise)

    free = linalg.null_space(A, rcond=1e-9)  # turned as a whole, links straight
    start = -free @ np.linalg.lstsq(angles @ free, TARGET, rcond=None)[0]
    np.set_printoptions(precision=10, linewidth=116, threshold=sys.maxsize)
    for name, matrix in {"A": a - b @ K - L @ angles, "B": L, "C": -K, "initial": start}.items():
        print(f"{name}:\n{np.array2string(matrix, separator=', ')}")


main(sys.argv[1])
