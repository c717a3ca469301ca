#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Quarter of a car over a bump (inputs/examples/active_suspension.yaml): heights over the equilibrium as an ODE, by
DOP853 from one end of the bump to the other, so that no step crosses a kink of the road."""
import numpy as np
from scipy.integrate import solve_ivp

BODY, WHEEL, SPRING, DAMPER, TYRE = 300.0, 40.0, 20000.0, 800.0, 180000.0
SPEED, BEGIN, LENGTH, BUMP, MEMORY = 10.0, 2.0, 4.0, 0.06, 0.5


def road(t):
    x = SPEED * t - BEGIN
    return 0.5 * BUMP * (1 - np.cos(2 * np.pi * x / LENGTH)) if 0 < x < LENGTH else 0.0


def rates(t, y, sky):
    body, wheel, body_rate, wheel_rate, filtered = y
    between = SPRING * (body - wheel) + DAMPER * (body_rate - wheel_rate) + sky * MEMORY * filtered
    load = max(0.0, TYRE * (road(t) - wheel) + 9.81 * (BODY + WHEEL))
    acceleration = -between / BODY
    return [body_rate, wheel_rate, acceleration, (between + load - 9.81 * (BODY + WHEEL)) / WHEEL,
            (acceleration - filtered) / MEMORY]


def run(sky, end=2.0):
    kinks = [0, BEGIN / SPEED, (BEGIN + LENGTH) / SPEED, end]
    y, times, states = np.zeros(5), [], []
    for t0, t1 in zip(kinks, kinks[1:]):
        found = solve_ivp(rates, (t0, t1), y, "DOP853", args=(sky,), rtol=1e-13, atol=1e-15, dense_output=True)
        t = np.linspace(t0, t1, 20001)
        times.append(t)
        states.append(found.sol(t))
        y = found.y[:, -1]
    t, y = np.concatenate(times), np.concatenate(states, axis=1)
    acceleration = np.array([rates(a, b, sky)[2] for a, b in zip(t, y.T)])
    load = TYRE * (np.array([road(a) for a in t]) - y[1]) + 9.81 * (BODY + WHEEL)
    return y[:, -1], np.abs(acceleration).max(), load.min(), load.max(), y[0].max()


for sky in (0.0, 3000.0):
    end, acceleration, least, most, height = run(sky)
    print(f"sky {sky:6.0f}: body at 2 s {end[0]:.13f} m, filter {end[4]:.12f}, largest acceleration {acceleration:.8f} "
          f"m/s^2, tyre {least:.5f} to {most:.5f} N, highest {height:.9f} m")
