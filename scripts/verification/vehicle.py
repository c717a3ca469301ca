# SPDX-License-Identifier: BSD-3-Clause
"""Numbers and picture of the page on the vehicle over a bump (Negrut et al. 2003, section 3.2).

A further method: its tolerances in RUNS, and its rows in vehicle.md."""
import tempfile

import numpy as np

from page import Numbers
from runs import Runs, node_history

DECK = "vehicle_over_bump"
RUNS = {"rosenbrock4": (2, 3, 4, 5, 6), "rosenbrock_w2": (3,), "lie_alpha": (3, 4, 5, 6), "bdf": (4, 6),
        "explicit_rk": (2, 3, 4, 5), "adams": (2, 3, 4, 5)}  # tolerances 10^-k; the last two take minutes
# Tables 7 and 8: seconds of DEABM and of the implicit method by tolerance, after 1, 2, 3, 4 s of motion
EXPLICIT = {2: (3618, 7276, 10865, 14480), 3: (3641, 7348, 11122, 14771), 4: (3667, 7287, 10949, 14630),
            5: (3663, 7276, 10965, 14592)}
IMPLICIT = {2: (5.6, 12.6, 13, 13.3), 3: (13.2, 32.6, 36.3, 37), 4: (40.7, 95, 105, 106), 5: (172, 405, 422, 428)}
OUTBOARD = {"inner": 0, "ball": 0.173, "wide": 0.3}  # m, of the struts
INTERVAL = 0.01


def start(runs, method, k, **more):
    return runs.method(DECK, method, analysis__step__tolerance=f"{10.0**-k:.1e}", **more)


def height(results):
    return node_history(results, "chassis")[:, 2]


def at_rest(runs, outboard):
    """The linear model of the settled vehicle, far from the bump."""
    analyses = ("[{type: transient, duration: 20, step: {tolerance: 1.0e-4}, integrator: {method: rosenbrock4}}, "
                "{type: linearize, inputs: [nodes.chassis.force.z], outputs: [nodes.chassis.position.z]}]")
    return runs.start(DECK, parameters__outboard=outboard, parameters__speed=0, parameters__bump=1000, analysis=analyses)


def work(results):
    """Evaluations of the accelerations, or solves of stages, up to 1, 2, 3, 4 s: those that were wasted included."""
    time = results.steps("time")
    counts = results.steps("newton_iterations") + results.steps("wasted_iterations")
    return [int(counts[time <= end + 1e-9].sum()) for end in (1, 2, 3, 4)]


def put_tables(n, started):
    """Tables 7 and 8. Spreads over tolerances, and factors from the first second to the fourth, printed and found."""
    done = {method: {k: work(started[method, k].result()) for k in EXPLICIT}
            for method in ("explicit_rk", "adams", "rosenbrock4")}
    for method, rows in done.items():
        for k, row in rows.items():
            n.put(f"work.{method}.{k}", row)

    def spread(rows):
        return max(max(row[i] for row in rows.values()) / min(row[i] for row in rows.values()) - 1 for i in range(4)) * 100

    for name, rows in (("printed", EXPLICIT), ("explicit_rk", done["explicit_rk"]), ("adams", done["adams"])):
        n.put(f"spread.{name}", spread(rows))
    n.holds("s.flat", max(spread(done["explicit_rk"]), spread(done["adams"])) < 3)
    n.holds("s.linear", all(abs(row[i] / row[0] / (i + 1) - 1) < 0.03 for method in ("explicit_rk", "adams")
                            for row in done[method].values() for i in range(4)))
    n.holds("s.accuracy", all(done["rosenbrock4"][k + 1][i] > 1.2 * done["rosenbrock4"][k][i] for k in (2, 3, 4)
                              for i in range(4)))
    counts = np.histogram(started["explicit_rk", 4].result().steps("time"), np.arange(0, 4.01, 0.05))[0]
    n.put("steady", 100 * (counts.max() / counts.min() - 1))
    n.holds("s.steady", n["steady"] < 3)
    late = {k: (row[3] - row[2]) / row[0] for k, row in done["rosenbrock4"].items()}
    n.put("late_share", [100 * late[k] for k in sorted(late)])
    n.put("late_printed", [100 * (IMPLICIT[k][3] - IMPLICIT[k][2]) / IMPLICIT[k][0] for k in sorted(IMPLICIT)])
    n.holds("s.settles", all(late[k] < 0.4 for k in (3, 4, 5)))


def numbers(runs):
    grid = {"output__interval": INTERVAL}
    reference = start(runs, "rosenbrock4", 7, **grid)
    started = {(method, k): start(runs, method, k, **grid) for method, ks in RUNS.items() for k in ks}
    linear = {name: at_rest(runs, outboard) for name, outboard in OUTBOARD.items()}
    moved = {name: start(runs, "rosenbrock4", 3, parameters__outboard=outboard) for name, outboard in OUTBOARD.items()}
    yield
    n = Numbers()
    exact = height(reference.result())
    time = reference.result().time
    found = {}
    for (method, k), run in started.items():
        results, name = run.result(), f"{method}.{k}"
        found[method, k] = height(results)
        difference = np.abs(found[method, k] - exact)
        n.put(f"{name}.steps", len(results.steps("time")))
        n.put(f"{name}.rejected", int(np.sum(results.steps("rejected_for_error"))))
        n.put(f"{name}.difference", difference.max())
        n.put(f"{name}.end", found[method, k][-1])
        n.put(f"{name}.constraints", results.steps("constraint_residual").max())
    put_tables(n, started)
    three = [found["rosenbrock4", 4], found["lie_alpha", 4], found["bdf", 6]]
    between = max(np.abs(a - b).max() for a in three for b in three)
    n.put("between", between)
    n.holds("agree", between <= 1e-4)
    n.put("highest.at", time[exact.argmax()])
    n.put("highest", exact.max())
    n.put("lowest.at", time[exact.argmin()])
    n.put("lowest", exact.min())
    n.put("end", exact[-1])
    n.put("frame", exact[-1] - 0.52349)
    late = time >= 4
    n.put("late", np.ptp(exact[late]))
    n.holds("settles", np.ptp(exact[late]) <= 1e-4)
    contact = reference.result().history("/forces/tyre_rear_left/road")
    n.put("rear", time[np.argmax(contact > 0)])
    for name, run in linear.items():
        A = run.result().file["linear/analysis_1/state_space/A"][()]
        eigenvalues = np.linalg.eigvals(A)
        n.put(f"{name}.eigenvalue", eigenvalues[np.abs(eigenvalues).argmax()].real)
        tyre, strut = (run.result().history(f"/forces/{force}_front_left/force")[-1, 0] for force in ("tyre", "strut"))
        n.put(f"{name}.ratio", abs(tyre / strut))
        n.put(f"{name}.steps", len(moved[name].result().steps("time")))
        n.put(f"{name}.rejected", int(np.sum(moved[name].result().steps("rejected_for_error"))))
    yield n


def draw(output):
    import matplotlib.pyplot as plt
    import style
    with tempfile.TemporaryDirectory() as folder, Runs(folder) as runs:
        fine, coarse = start(runs, "rosenbrock4", 7, output__interval=INTERVAL), start(runs, "rosenbrock4", 3)
        alpha = start(runs, "lie_alpha", 3)
        figure, (heights, steps) = plt.subplots(2, 1, sharex=True, figsize=(9, 6), layout="constrained")
        heights.plot(fine.result().time, height(fine.result()), color="0.6", linewidth=3, label="rosenbrock4, 1e-7")
        for i, (label, run) in enumerate({"rosenbrock4, 1e-3": coarse, "lie_alpha, 1e-3": alpha}.items()):
            results = run.result()
            heights.plot(results.time, height(results), ".", markersize=4, color=style.color(i), label=label)
            steps.semilogy(results.steps("time"), results.steps("step"), color=style.color(i), linewidth=1, label=label)
        heights.set(ylabel="height of the chassis [m]", title="Vehicle over a bump: front wheels at 0.5 s, rear at 1.24 s")
        heights.legend()
        steps.set(xlabel="time [s]", ylabel="step [s]")
        style.save(figure, output)
