#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Reference of inputs/examples/bump_stop.yaml: contacts, peaks of the forces of the stops, and the end of the motion.

m s'' = -k s - c s'/sqrt(1 + (s'/v)^2) + stops, by DOP853 of SciPy with a relative tolerance of 1e-13, from contact to
contact: no step crosses the begin or the end of one. Printed with 12 digits.
"""
import numpy as np
from scipy.integrate import solve_ivp

M, K, C, V = 300.0, 20000.0, 2000.0, 0.4
LOWER, UPPER, STIFFNESS, EXPONENT, DAMPING = -0.06, 0.05, 5.0e6, 1.5, 0.4
END = 1.0


def stop(s, u):
    """Force of the stops at the place s and the velocity u."""
    if s < LOWER:
        return max(0.0, STIFFNESS * (LOWER - s) ** EXPONENT * (1 - DAMPING * u))
    if s > UPPER:
        return -max(0.0, STIFFNESS * (s - UPPER) ** EXPONENT * (1 + DAMPING * u))
    return 0.0


def free(u):
    return -C * u / np.sqrt(1 + (u / V) ** 2)


def motion(inside):
    return lambda t, y: [y[1], (-K * y[0] + free(y[1]) + (stop(*y) if inside else 0.0)) / M]


def event(limit, direction):
    f = lambda t, y: y[0] - limit
    f.terminal, f.direction = True, direction
    return f


def main():
    t, y, inside, limit = 0.0, np.array([0.0, -2.0]), False, None
    while t < END:
        if inside:  # until it leaves the stop
            events = [event(limit, 1 if limit == LOWER else -1)]
        else:
            events = [event(LOWER, -1), event(UPPER, 1)]
        r = solve_ivp(motion(inside), (t, END), y, method="DOP853", rtol=1e-13, atol=1e-15, events=events, dense_output=True)
        if inside:  # a parabola through the largest of many and its neighbors
            fine = np.linspace(t, r.t[-1], 20001)
            forces = np.array([stop(*r.sol(x)) for x in fine])
            i = int(np.argmax(np.abs(forces)))
            a, b, d = forces[i - 1], forces[i], forces[i + 1]
            shift = 0.5 * (a - d) / (a - 2 * b + d)
            print(f"peak     {fine[i] + shift * (fine[1] - fine[0]):.9g} s  {b - 0.25 * (a - d) * shift:.12g} N")
        t, y = r.t[-1], r.y[:, -1].copy()
        if r.status == 1:
            hit = next(i for i, times in enumerate(r.t_events) if len(times))
            t, y = r.t_events[hit][0], r.y_events[hit][0].copy()
            inside = not inside
            if inside:
                limit = LOWER if hit == 0 else UPPER
            print(f"{'contact' if inside else 'leaves '}  {t:.12g} s  at {limit} m with {y[1]:.12g} m/s")
            y[0] = limit
    print(f"end      {y[0]:.12g} m  {y[1]:.12g} m/s")


main()
