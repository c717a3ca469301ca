# SPDX-License-Identifier: BSD-3-Clause
"""Numbers and picture of the page on methods that keep structure: both tables of Wendlandt & Marsden (1997)."""
import re
import tempfile

import numpy as np

from common import Table, largest, put_orders
from page import Numbers
from runs import Runs, node_history, slope

METHODS = ("lie_alpha", "lie_alpha_index2", "ul_crv", "ul_rotation_vector", "variational", "energy_momentum")
STEPS = (1e-3, 1e-2, 1e-1)
BODY = {1e-3: (3.960e-6, 6.274e-5, 1.687e-5), 1e-2: (3.997e-4, 6.274e-3, 1.687e-3),
        1e-1: (3.648e-2, 6.217e-1, 1.665e-1)}  # quaternion, energy, momentum
PENDULUM = {1e-3: (1.146e-5, 3.269e-4, 1.707e-4, 1.214e-5), 1e-2: (1.135e-3, 3.224e-2, 1.696e-2, 1.225e-3),
            1e-1: (9.576e-2, 2.665, 1.560, 1.184e-1)}  # variational: position, energy, momentum; energy_momentum: position
TOP_STEPS = (2e-3, 1e-3, 5e-4)


def integrator(method, **more):
    return {"analysis__integrator": "{" + ", ".join(f"{k}: {v}" for k, v in {"method": method, **more}.items()) + "}"}


def body(runs, h, duration=30.0):
    return runs.start("free_rigid_body", nodes__body__angular_velocity="[0, 3, 4]", analysis__duration=repr(duration),
                      analysis__step=repr(h), output__every=max(1, round(min(0.1, duration) / h)),
                      **integrator("variational", start="euler", start_step=1e-5))


def pendulum(runs, h, method):
    more = {"start": "energy_momentum", "start_step": 1e-4} if method == "variational" else {}
    return runs.start("double_spherical_pendulum", analysis__step=repr(h), **integrator(method, **more))


def error(found, standard):
    """Their eq. (5.10): 1/(N m) sum |v - v_standard|, rows of width m."""
    return float(np.linalg.norm(found - standard, axis=1).mean() / found.shape[1])


def error_of_constant(found, standard):
    found = found.reshape(len(found), -1)[1:]
    return error(found, np.broadcast_to(standard, found.shape))


def invariant(results, name):
    return results.history(f"/invariants/{name}")


def positions(results):
    return np.hstack([node_history(results, "upper"), node_history(results, "lower")])


def put_body(n, first, standard, found):
    ratios, spreads = [], []
    for i, (h, run) in enumerate(found.items()):
        energy, momentum = invariant(run, "discrete_energy"), invariant(run, "discrete_angular_momentum")
        values = (error(node_history(run, "body", "rotation"), node_history(standard, "body", "rotation")),
                  error_of_constant(energy, invariant(first, "discrete_energy")[1]),
                  error_of_constant(momentum, invariant(first, "discrete_angular_momentum")[1]))
        n.put(f"body.{i}", values)
        ratios += [value / printed - 1 for value, printed in zip(values, BODY[h])]
        spreads.append(np.ptp(energy[1:]) / energy[1])
    n.put("body.off", 100 * max(map(abs, ratios)))
    n.put("body.spread", max(spreads))
    n.holds("s.body", n["body.off"] < 0.1 and n["body.spread"] < 1e-10)


def put_pendulum(n, standard, variational, energy_momentum):
    E, L = invariant(standard, "discrete_energy")[0], invariant(standard, "discrete_angular_momentum")[0, 2]
    scale = max(abs(E), standard.history("/energy/kinetic").max())
    ratios, changes = [], []
    for i, h in enumerate(STEPS):
        a, b = variational[h], energy_momentum[h]
        x = positions(standard)[:: round(h / 1e-4)]
        values = (error(positions(a), x), error_of_constant(invariant(a, "discrete_energy"), E),
                  error_of_constant(invariant(a, "discrete_angular_momentum")[:, 2], L), error(positions(b), x))
        n.put(f"pendulum.{i}", values)
        ratios += [value / printed - 1 for value, printed in zip(values, PENDULUM[h])]
        changes += [np.abs(invariant(b, "discrete_energy") - E).max() / scale,
                    np.abs(invariant(b, "discrete_angular_momentum")[:, 2] - L).max() / abs(L)]
    n.put("pendulum.off", 100 * max(map(abs, ratios)))
    n.put("pendulum.change", max(changes))
    n.holds("s.pendulum", n["pendulum.off"] < 0.5 and n["pendulum.change"] < 1e-10)


def numbers(runs):
    first, standard = body(runs, 1e-5, 1e-5), body(runs, 1e-4)
    bodies = {h: body(runs, h) for h in STEPS}
    fine = pendulum(runs, 1e-4, "energy_momentum")
    pendulums = {method: {h: pendulum(runs, h, method) for h in STEPS} for method in METHODS[-2:]}
    tops = {method: [runs.start("heavy_top", analysis__step=repr(h), analysis__duration="1.0",
                                output__every=round(0.01 / h), **integrator(method)) for h in TOP_STEPS]
            for method in METHODS[-2:]}
    levels = [runs.start("heavy_top", analysis__step=repr(h), **integrator("variational")) for h in TOP_STEPS]
    yield
    n = Numbers()
    put_body(n, first.result(), standard.result(), {h: run.result() for h, run in bodies.items()})
    done = {method: {h: run.result() for h, run in found.items()} for method, found in pendulums.items()}
    put_pendulum(n, fine.result(), done["variational"], done["energy_momentum"])
    x = Table("heavy_top_exact.csv").columns("x1 x2 x3")
    for method, found in tops.items():
        put_orders(n, f"top.{method}", TOP_STEPS, [largest(node_history(run.result(), "centre") - x) for run in found])
        n.holds(f"s.top.{method}", abs(n[f"top.{method}.order"] - 2) < 0.1)
    energies = [(invariant(run.result(), "discrete_energy")[1:], run.result().history("/energy/total")[0]) for run in levels]
    put_orders(n, "level.mean", TOP_STEPS, [energy.mean() - exact for energy, exact in energies])
    put_orders(n, "level.range", TOP_STEPS, [np.ptp(energy) for energy, _ in energies])
    n.holds("s.level", abs(n["level.mean.order"] - 2) < 0.1 and abs(n["level.range.order"] - 2) < 0.1)
    yield n


# What the picture compares, all methods: deck, step of the long run, duration and steps of the short ones, error
CASES = (("free_rigid_body", "Free rigid body", 0.01, 5.0, (0.04, 0.02, 0.01, 0.005),
          {"nodes__body__angular_velocity": "[0, 3, 4]"}, lambda r: node_history(r, "body", "rotation"), "quaternion"),
         ("double_spherical_pendulum", "Double spherical pendulum", 0.01, 5.0, (0.04, 0.02, 0.01, 0.005), {}, positions,
          "position [m]"),
         ("heavy_top", "Heavy top", 0.002, 1.0, (2e-3, 1e-3, 5e-4, 2.5e-4), {}, lambda r: node_history(r, "centre"),
          "position [m]"))
MANY = 1_000_000


def seconds_of(results):
    """Processor time of the analysis, by the log of the run."""
    log = results.file["/log"][()].decode()
    return float(re.search(r"analyses ([\d.]+)", log)[1])


def settings_of(method, deck):
    # The generalized-alpha methods without what the published decks ask of their iteration.
    return integrator(method) | {"analysis__newton": "{}"}


def draw(output):
    import style
    from figures import page
    with tempfile.TemporaryDirectory() as folder, Runs(folder) as runs:
        long_runs = {(deck, method): runs.start(deck, analysis__step=repr(h), analysis__duration=repr(MANY * h),
                                                output__every=MANY // 2000, output__fields="[invariants, energy]",
                                                **more, **settings_of(method, deck))
                     for deck, _, h, _, _, more, _, _ in CASES for method in METHODS}
        short = {(deck, method, h): runs.start(deck, analysis__step=repr(h), analysis__duration=repr(duration),
                                               output__every=round(0.04 / h) if deck != "heavy_top" else round(0.01 / h),
                                               **more, **settings_of(method, deck))
                 for deck, _, _, duration, steps, more, _, _ in CASES for method in METHODS for h in (*steps, steps[-1] / 50)
                 if h > steps[-1] / 10 or method == "energy_momentum"}
        figure, axes = page(3, 4, "Methods on three conservative models: a million steps, and errors")
        for row, (deck, title, h, duration, steps, _, value, what) in enumerate(CASES):
            energy, momentum, by_step, by_time = axes[4 * row:4 * row + 4]
            exact = value(short[deck, "energy_momentum", steps[-1] / 50].result())
            for i, method in enumerate(METHODS):
                r, look = long_runs[deck, method].result(), {"color": style.color(i), "linewidth": 1}
                own = "/invariants/discrete_energy" in r.file  # of the method itself
                E = r.history("/invariants/discrete_energy" if own else "/energy/total")[1:]
                L = invariant(r, "discrete_angular_momentum" if own else "angular_momentum")[1:, 2]
                scale = max(abs(E[0]), r.history("/energy/kinetic").max())
                for panel, change in ((energy, (E - E[0]) / scale), (momentum, (L - L[0]) / abs(L[0]))):
                    panel.loglog(r.time[2:] / h, np.maximum(np.abs(change[1:]), 1e-17), **look, label=method)
                errors = [largest(value(short[deck, method, s].result()) - exact) for s in steps]
                by_step.loglog(steps, errors, marker="o", markersize=3.5, **look,
                               label=f"{method}: {slope(steps, errors):.2f}")
                cost = seconds_of(r) / MANY  # of a step
                by_time.loglog([cost * duration / s for s in steps], errors, marker="o", markersize=3.5, **look)
            energy.set(title=f"{title}: energy, h = {h:g} s", xlabel="steps", ylabel="|change|, relative")
            momentum.set(title="Momentum about z", xlabel="steps", ylabel="|change|, relative")
            by_step.set(title="Error over the step", xlabel="step [s]", ylabel=what)
            by_time.set(title="Error over processor time", xlabel="s, by the cost of a step of the long run", ylabel=what)
            by_step.minorticks_off()
            by_step.set_xticks(steps, [f"{s:g}" for s in steps])
        figure.get_layout_engine().set(rect=(0, 0.04, 1, 0.96))
        figure.legend(*axes[0].get_legend_handles_labels(), loc="lower center", ncols=6)
        style.save(figure, output)
