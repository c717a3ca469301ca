# SPDX-License-Identifier: BSD-3-Clause
"""Numbers of the page on the spin-up of a beam."""
import numpy as np

from page import Numbers
from runs import node_history, slope

REFERENCE = {5: (4.31530955, 6.73429293, 0), 10: (0.11712408, -7.99822533, 0), 15: (1.24152938, -7.90318573, 0)}


def numbers(runs):
    series = [runs.grid("spin_up_beam", "lie_alpha", 0.005 / 2**level, 15.0, 5.0, beams__arm__elements=20 * 2**level)
              for level in range(3)]
    steady = runs.grid("spin_up_beam", "lie_alpha", 0.005, 2.0, 2.0, joints__motor__rotation='"=4*t"',
                       initial_motion="{angular_velocity: [0, 0, 4]}", analysis__integrator__rho_infinity=0)
    yield
    n, good = Numbers(), True
    tips = [node_history(run.result(), "tip") for run in series]
    for row, (time, value) in enumerate(REFERENCE.items(), 1):
        found = [tip[row] for tip in tips]
        errors = [np.linalg.norm(one - value) for one in found]
        limits = [(4 * found[1] - found[0]) / 3, (4 * found[2] - found[1]) / 3]
        n.put(f"tip.{time}", value)
        n.put(f"found.{time}", limits[1])
        n.put(f"error.{time}", errors)
        n.put(f"order.{time}", slope([4, 2, 1], errors))
        n.put(f"left.{time}", np.linalg.norm(limits[1] - value))
        good &= abs(n[f"order.{time}"] - 2) < 0.1
        good &= n[f"left.{time}"] < np.linalg.norm(limits[1] - limits[0]) + 3e-7
    k = np.sqrt(0.201 * 16 / 5.03e6)
    n.put("radius", np.tan(8 * k) / k)
    n.put("radius.found", np.linalg.norm(node_history(steady.result(), "tip")[-1]))
    n.holds("s.tip", good)
    n.holds("s.radius", abs(n["radius"] - n["radius.found"]) < 5e-7)
    yield n
