# SPDX-License-Identifier: BSD-3-Clause
"""Numbers and picture of the page on state-space methods: the stiff double pendulum of Negrut et al. (2003), Tables 4 to 6."""
import tempfile

import numpy as np
from scipy.interpolate import CubicHermiteSpline

from page import Numbers
from runs import Runs, node_history

DECK = "double_pendulum_stiff"
STEPS = {2: 29, 3: 49, 4: 85, 5: 148, 6: 264, 7: 467}  # Table 5
# Tables 4 and 6: time of the largest error, largest error, average error
ANGLE = {2: (0.592127, 5.223e-2, 3.234e-3), 3: (0.599954, 4.198e-3, 2.631e-4), 4: (0.626135, 4.916e-4, 2.946e-5),
         5: (1.065146, 1.902e-5, 9.868e-6)}
RATE = {2: (0.795548, 4.061e-2, 2.348e-2), 3: (0.373114, 3.792e-3, 2.181e-3), 4: (0.217757, 8.652e-4, 3.445e-4),
        5: (0.186183, 2.343e-4, 9.357e-5)}


def start_run(runs, tolerance, coordinates, **more):
    return runs.start(DECK, analysis__step__tolerance=f"{tolerance:.1e}",
                      analysis__integrator__coordinates=coordinates, **more)


def motion(run):
    """Times, theta_1 and its rates."""
    results = run.result()
    quaternion = node_history(results, "rod1", "rotation")
    angle = 2 * np.pi + 2 * np.arctan2(quaternion[:, 3], quaternion[:, 0])
    return (results.time, angle, node_history(results, "rod1", "angular_velocity")[:, 2],
            node_history(results, "rod1", "angular_acceleration")[:, 2])


def numbers(runs):
    def start(tolerance, coordinates):
        return start_run(runs, tolerance, coordinates)

    reference = start(1.5e-8, "partition")
    started = {(k, c): start(10.0**-k, c) for k in STEPS for c in ("partition", "weighted")}
    started |= {(k, "filtered"): runs.start(DECK, analysis__step__tolerance=f"{10.0**-k:.1e}",
                                            analysis__integrator__estimate="filtered") for k in STEPS}
    looser = start(2.85e-4, "partition")
    yield
    n = Numbers()

    time, angle, rate, acceleration = motion(reference)
    exact = CubicHermiteSpline(time, angle, rate), CubicHermiteSpline(time, rate, acceleration)
    n.put("lowest", {"angle": angle.min(), "rate": rate.min()})
    n.put("highest", {"angle": angle.max(), "rate": rate.max()})
    n.put("rest", 1.5 * np.pi - angle[-1])
    # Their section 3.1 and figure 2: -10 to 7 rad/s, at last 3 pi/2
    n.holds("s.rates", -10 <= rate.min() < -9 and 6 < rate.max() <= 7)
    n.holds("s.rest", abs(n["rest"]) < 0.15)
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
        good = good and (coordinates == "filtered" or abs((len(t) - 1) / STEPS[k] - 1) <= 0.15)
    n.put("s.all", bool(good))
    n.put("looser", len(motion(looser)[0]) - 1)
    n.holds("s.filtered", all(n[f"filtered.{k}.steps"] < n[f"weighted.{k}.steps"]
                              and n[f"filtered.{k}.rejected"] <= n[f"weighted.{k}.rejected"]
                              and n[f"filtered.{k}.angle.largest"] < 1.25 * n[f"weighted.{k}.angle.largest"] for k in STEPS))
    yield n


def draw(output):
    import matplotlib.pyplot as plt
    import style
    with tempfile.TemporaryDirectory() as folder, Runs(folder) as runs:
        fine, *rough = (start_run(runs, tolerance, "weighted") for tolerance in (1.5e-8, 1e-2, 1e-3))
        figure, axes = plt.subplots(1, 2, figsize=(10, 3.8), layout="constrained")
        time, *exact = motion(fine)
        for panel, k, title, label in ((axes[0], 0, "Orientation of the first rod", "θ₁ [rad]"),
                                       (axes[1], 1, "Its angular velocity", "θ₁' [rad/s]")):
            panel.plot(time, exact[k], color="0.6", linewidth=3, label="tolerance 1.5e-8")
            for i, (run, name) in enumerate(zip(rough, ("1e-2", "1e-3"))):
                found = motion(run)
                panel.plot(found[0], found[1 + k], "os"[i], markersize=4 - i, color=style.color(i), fillstyle="none",
                           label=f"{name}: {len(found[0]) - 1} steps")
            panel.set(title=title, xlabel="time [s]", ylabel=label)
            style.legend(panel)
        axes[0].axhline(1.5 * np.pi, color="0.3", linewidth=0.8, linestyle=":")
        style.save(figure, output)
