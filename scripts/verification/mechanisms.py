# SPDX-License-Identifier: BSD-3-Clause
"""Numbers of the page on mechanisms of rigid bodies, against solutions in minimal coordinates."""
import numpy as np

from page import Numbers
from runs import node_history, slope

# deck, what, unit, largest step, grid of times, quantity of the results, values at times
CASES = [
    ("pendulum", "x", 0.005, 1.0, lambda r: node_history(r, "mass")[:, :2],
     {1: (0.9862917511318753, -0.1650108531255412), 10: (-0.2750874625761169, -0.9614192050991251)}),
    ("spatial_slider_crank", "slider", 0.002, 0.5, lambda r: node_history(r, "slider")[:, :1],
     {0.5: (0.185016701708,), 1: (0.208308704612,), 2: (0.290031918809,), 5: (0.222544167609,)}),
    ("spatial_slider_crank", "crank", 0.002, 0.5, lambda r: node_history(r, "crank", "angular_velocity")[:, :1],
     {1: (10.46410477398,), 5: (10.55646789104,)}),
    ("n_four_bar", "B0", 0.01, 1.0, lambda r: 2 * node_history(r, "left")[:, :2],
     {1: (-0.195020301950, -0.980799205662), 5: (-0.811310461002, -0.584615545354),
      10: (0.328458111533, 0.944518538181)}),
    ("free_rigid_body", "Omega", 0.01, 0.5, lambda r: node_history(r, "body", "angular_velocity"),
     {5: (-1.08357528613, 1.68106055789, 0.62565576284), 10: (-0.04104996797, -1.99960368577, 0.02506724204)}),
    ("flyball_governor", "height", 0.005, 0.1, lambda r: node_history(r, "slider")[:, 2:],
     {0.1: (0.5238364756,), 0.5: (0.7432494248,), 1: (0.5014209224,), 5: (0.5355631037,), 10: (0.6196229171,)}),
]


def numbers(runs):
    started = []
    for deck, _, h, interval, _, values in CASES:
        started.append([runs.grid(deck, "lie_alpha", h / 2**level, float(max(values)), interval)
                        for level in range(3)])
    yield
    n, good = Numbers(), True
    for (deck, what, h, interval, quantity, values), series in zip(CASES, started):
        histories = [quantity(run.result()) for run in series]
        for time, value in values.items():
            found = [history[int(round(time / interval))] for history in histories]
            errors = [np.linalg.norm(one - value) for one in found]
            limits = [(4 * found[1] - found[0]) / 3, (4 * found[2] - found[1]) / 3]
            name = f"{deck}.{what}.{time:g}"
            n.put(name, value)
            n.put(name + ".found", limits[1])
            n.put(name + ".error", errors)
            n.put(name + ".order", slope([4, 2, 1], errors))
            n.put(name + ".left", np.linalg.norm(limits[1] - value))
            # What is left is of higher order: less than the last change of the limit, or the digits given.
            good &= abs(n[name + ".order"] - 2) < 0.1
            good &= n[name + ".left"] < np.linalg.norm(limits[1] - limits[0]) + 1e-10 + 3e-12 * np.abs(value).max()
    n.holds("s.all", good)
    yield n
