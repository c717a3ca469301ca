# SPDX-License-Identifier: BSD-3-Clause
"""Numbers of the page on state-space methods: the stiff double pendulum of Negrut et al. (2003), Tables 4 to 6."""
import numpy as np
from scipy.interpolate import CubicHermiteSpline

from page import Numbers
from runs import node_history

DECK = "double_pendulum_stiff"
STEPS = {2: 29, 3: 49, 4: 85, 5: 148, 6: 264, 7: 467}  # Table 5
# Tables 4 and 6: time of the largest error, largest error, average error
ANGLE = {2: (0.592127, 5.223e-2, 3.234e-3), 3: (0.599954, 4.198e-3, 2.631e-4), 4: (0.626135, 4.916e-4, 2.946e-5),
         5: (1.065146, 1.902e-5, 9.868e-6)}
RATE = {2: (0.795548, 4.061e-2, 2.348e-2), 3: (0.373114, 3.792e-3, 2.181e-3), 4: (0.217757, 8.652e-4, 3.445e-4),
        5: (0.186183, 2.343e-4, 9.357e-5)}


def numbers(runs):
    def start(tolerance, coordinates):
        return runs.start(DECK, analysis__step__tolerance=f"{tolerance:.1e}",
                          analysis__integrator__coordinates=coordinates)

    reference = start(1.5e-8, "partition")
    started = {(k, c): start(10.0**-k, c) for k in STEPS for c in ("partition", "weighted")}
    yield
    n = Numbers()

    def motion(run):
        results = run.result()
        quaternion = node_history(results, "rod1", "rotation")
        angle = 2 * np.pi + 2 * np.arctan2(quaternion[:, 3], quaternion[:, 0])
        return (results.time, angle, node_history(results, "rod1", "angular_velocity")[:, 2],
                node_history(results, "rod1", "angular_acceleration")[:, 2])

    time, angle, rate, acceleration = motion(reference)
    exact = CubicHermiteSpline(time, angle, rate), CubicHermiteSpline(time, rate, acceleration)
    n.put("end.angle", angle[-1])
    n.put("end.rate", rate[-1])
    good = abs(angle[-1] - 4.60188053) < 3e-8 and abs(rate[-1] + 1.395156) < 1e-6
    for (k, coordinates), run in started.items():
        t, *found = motion(run)
        name = f"{coordinates}.{k}"
        n.put(f"{name}.steps", len(t) - 1)
        n.put(f"{name}.of_published", (len(t) - 1) / STEPS[k])
        n.put(f"{name}.rejected", int(np.sum(run.result().steps("rejected_for_error"))))
        for what, history, curve in zip(("angle", "rate"), found, exact):
            errors = np.abs(history - curve(t))
            n.put(f"{name}.{what}.at", t[errors.argmax()])
            n.put(f"{name}.{what}.largest", errors.max())
            n.put(f"{name}.{what}.mean", np.sqrt(np.mean(errors[1:]**2)))
        good = good and abs((len(t) - 1) / STEPS[k] - 1) <= 0.15
    n.put("s.all", bool(good))
    yield n
