# SPDX-License-Identifier: BSD-3-Clause
"""Numbers and picture of the page on starting values, velocity projection and the stabilized index-2 method."""
import tempfile

import numpy as np

import error_recursion
import index_reduction
from common import Table, is_order, largest, put_orders
from motion import rotation_matrices
from page import Numbers
from runs import Runs, node_history, slope

STEPS = [1e-3, 5e-4, 2.5e-4]
TIME = 0.7  # of the projection, s
GRID = 1e-3
PROJECTED = {"analysis__integrator__velocity_projection": f"[{TIME}]"}
PERTURBED = {"analysis__integrator__initial": "perturbed"}
KINDS = {"consistent": ("lie_alpha", {}), "perturbed": ("lie_alpha", PERTURBED), "index2": ("lie_alpha_index2", {}),
         "projected": ("lie_alpha", PERTURBED | PROJECTED), "index2_projected": ("lie_alpha_index2", PROJECTED)}


def start(runs):
    return {kind: [runs.grid("heavy_top", method, h, 1.0, GRID, **settings) for h in STEPS]
            for kind, (method, settings) in KINDS.items()}


def multipliers(results):
    return results.history("/joints/pivot/multipliers")


def hidden(results):
    """B v = -u + R (Omega x X), the residual of the hidden constraint; X = e_2."""
    Omega = node_history(results, "centre", "angular_velocity")
    turned = np.cross(Omega, [0.0, 1.0, 0.0])
    R = rotation_matrices(node_history(results, "centre", "rotation"))
    return np.einsum("tij,tj->ti", R, turned) - node_history(results, "centre", "velocity")


def exact_multipliers():
    return Table("heavy_top_exact_multipliers.csv").columns("lam1 lam2 lam3")


def relative_error(results, exact, end=None):
    """max |e| / |lambda(t)| over the times before `end`."""
    ratio = np.linalg.norm(multipliers(results) - exact, axis=1) / np.linalg.norm(exact, axis=1)
    return ratio[results.time < end - 1e-9].max() if end else ratio.max()


def relative_to_found(results, exact):
    """max |e| / |lambda_n|, as ACB15 writes it: the oscillation is in the divisor, too."""
    found = multipliers(results)
    return (np.linalg.norm(found - exact, axis=1) / np.linalg.norm(found, axis=1)).max()


RECURSION_STEPS = (1e-3, 5e-4, 2.5e-4)
SPAN = 100  # steps that the recursion is followed over


def start_recursion(runs):
    """By frame and step: with a consistent start, with a perturbed one, and that with a projection; each step stored."""
    def started(h, frame, **more):
        # Up to the projection, and as many steps as are followed.
        return runs.grid("heavy_top", "lie_alpha", h, TIME + (SPAN + 1) * h, h, analysis__integrator__frame=frame, **more)
    return {(frame, h): [started(h, frame), started(h, frame, **PERTURBED), started(h, frame, **PERTURBED | PROJECTED)]
            for frame in ("body", "spatial") for h in RECURSION_STEPS}


def put_recursion(n, started):
    """Peaks of the errors of lambda, measured and predicted, and the largest difference of both, over the peak."""
    n.put("radius", np.abs(np.linalg.eigvals(error_recursion.matrix())).max())
    for (frame, h), series in started.items():
        consistent, perturbed, projected = (run.result() for run in series)
        R = rotation_matrices(node_history(perturbed, "centre", "rotation"))
        at = int(round(TIME / h))
        cases = {"consistent": (0, consistent, error_recursion.after_consistent_start(h, frame)),
                 "projected": (at, projected, error_recursion.after_projection(h, hidden(perturbed)[at]))}
        for case, (first, disturbed, E) in cases.items():
            window = slice(first, first + SPAN + 1)
            found = (multipliers(disturbed) - multipliers(perturbed))[window]
            predicted = error_recursion.errors_of_multipliers(E, R[window], frame)
            sizes, expected = np.linalg.norm(found, axis=1), np.linalg.norm(predicted, axis=1)
            n.put(f"recursion.{frame}.{case}.{RECURSION_STEPS.index(h)}",
                  {"measured": sizes.max(), "predicted": expected.max(), "at": int(sizes.argmax()),
                   "off": 100 * np.linalg.norm(found - predicted, axis=1).max() / sizes.max()})


def recursion_holds(n):
    """Peaks within 2 %, each of the multipliers within 10 % at h = 1 ms, 3 % at a fourth of it."""
    names = [f"recursion.{frame}.{case}" for frame in ("body", "spatial") for case in ("consistent", "projected")]
    peaks = all(abs(n[f"{name}.{i}.predicted"] / n[f"{name}.{i}.measured"] - 1) < 0.02 for name in names for i in range(3))
    return peaks and all(n[f"{name}.0.off"] < 10 and n[f"{name}.2.off"] < 3 for name in names)


def put_drift(n, stabilized):
    """|Phi| of the formulations of index 2 and 1 at 1/8, 1/4, 1/2 and 1 s, and what grows with which power of time."""
    times = (0.125, 0.25, 0.5, 1.0)
    for level in (2, 1):
        for i, h in enumerate(STEPS[:2]):
            t, phi, rate = index_reduction.run(level, h, times[-1])
            n.put(f"drift.{level}.{i}", [phi[round(time / h) - 1] for time in times])
            n.put(f"drift.{level}.{i}.rate", rate[-1])
            first = (t > 0.05) & (t < (0.251 if level == 2 else 1.1))
            n.put(f"drift.{level}.{i}.power", slope(t[first], phi[first]))
            n.put(f"drift.{level}.{i}.most", phi.max())
    n.put("drift.stabilized", max(r.steps("constraint_residual").max() for r in stabilized))


def put_transient(n, projected, plain):
    """What the projection does to lambda at the largest step: one entry a step."""
    first = int(round(TIME / GRID))
    change = np.linalg.norm(multipliers(projected) - multipliers(plain), axis=1)[first:]
    n.put("peak", change.max())
    n.put("peak_step", int(change.argmax()))
    n.put("later", 100 * change[100:].max() / change.max())
    ratio = np.linalg.norm(hidden(projected), axis=1)
    n.put("Bv.swing", ratio[first + 1:first + 100].max() / ratio[:first].max())


def numbers(runs):
    started = start(runs)
    long_run = runs.method("heavy_top", "lie_alpha_index2")
    recursion = start_recursion(runs)
    yield
    n, exact = Numbers(), exact_multipliers()
    x_exact = Table("heavy_top_exact.csv").columns("x1 x2 x3")
    results = {kind: [run.result() for run in series] for kind, series in started.items()}
    for kind, series in results.items():
        put_orders(n, "lambda." + kind, STEPS, [largest(multipliers(r) - exact) for r in series])
        put_orders(n, "x." + kind, STEPS, [largest(node_history(r, "centre")[::10] - x_exact) for r in series])
        put_orders(n, "relative." + kind, STEPS, [relative_error(r, exact) for r in series])
        put_orders(n, "before." + kind, STEPS, [relative_error(r, exact, TIME) for r in series])
        put_orders(n, "Bv." + kind, STEPS, [largest(hidden(r)) for r in series])
    n.put("by_found", [relative_to_found(r, exact) for r in results["projected"]])
    n.put("Bv.ratio", [n[f"Bv.perturbed.{i}"] / n[f"Bv.perturbed.{i + 1}"] for i in range(2)])
    at = int(round(TIME / GRID))
    n.put("Bv.after", max(np.linalg.norm(hidden(r)[at]) for r in results["projected"]))
    n.put("phi", max(r.steps("constraint_residual").max() for r in results["perturbed"]))
    n.put("x.change", max(abs(n[f"x.projected.{i}"] / n[f"x.perturbed.{i}"] - 1) for i in range(3)) * 100)
    put_transient(n, results["projected"][0], results["perturbed"][0])
    pairs = list(zip(results["index2_projected"], results["index2"]))
    n.put("index2.x", max(largest(node_history(a, "centre") - node_history(b, "centre")) for a, b in pairs))
    n.put("index2.lambda", max(largest(multipliers(a) - multipliers(b)) for a, b in pairs))
    put_recursion(n, recursion)
    put_drift(n, results["index2"])
    energy = long_run.result().history("/energy/total")
    n.put("energy", energy[-1] - energy[0])

    def near(kind, expected, prefix="lambda"):
        return all(abs(n[f"{prefix}.{kind}.{i}"] / value - 1) < 0.03 for i, value in enumerate(expected))

    n.holds("s.consistent", is_order(n, "lambda.consistent", 1) and near("consistent", (122, 60, 30)))
    n.holds("s.perturbed", is_order(n, "lambda.perturbed", 2) and near("perturbed", (8.7, 2.17, 0.543)))
    n.holds("s.index2", is_order(n, "lambda.index2", 2) and near("index2", (4.1, 1.02, 0.255)))
    n.holds("s.x", all(is_order(n, "x." + kind, 2, 0.05) for kind in KINDS))
    n.holds("s.hidden", all(abs(n[f"Bv.ratio.{i}"] - 4) < 0.1 for i in range(2)))
    n.holds("s.projected", n["Bv.after"] < 1e-10)
    n.holds("s.before", is_order(n, "before.projected", 2))
    n.holds("s.reduced", is_order(n, "relative.projected", 1) and near("projected", (0.278, 0.132, 0.0655), "relative"))
    n.holds("s.damped", n["later"] < 10)
    n.holds("s.swing", n["Bv.swing"] > 1)
    n.holds("s.radius", abs(n["radius"] - 0.9) < 1e-6)
    n.holds("s.recursion", recursion_holds(n))
    n.holds("s.drift.2", all(abs(n[f"drift.2.{i}.power"] - 1) < 0.1 for i in (0, 1)))
    n.holds("s.drift.1", all(abs(n[f"drift.1.{i}.power"] - 2) < 0.1 for i in (0, 1)))
    n.holds("s.drift.none", n["drift.stabilized"] < 1e-9)
    n.holds("s.phi", n["phi"] < 1e-9)
    n.holds("s.stabilized", max(n[f"Bv.index2.{i}"] for i in range(3)) < 1e-9)
    n.holds("s.untouched", n["index2.x"] < 1e-9 and n["index2.lambda"] < 1e-4)
    n.holds("s.energy", abs(n["energy"] - 0.34) < 0.01)
    yield n


def draw_orders(axes, steps, series, title, ylabel):
    import style
    from convergence import triangle
    for i, (label, errors) in enumerate(series.items()):
        axes.loglog(steps, errors, marker="o", markersize=4, color=style.color(i),
                    label=f"{label}: {slope(steps, errors):.2f}")
    for order, place in ((1, 0.4), (2, 0.1)):
        triangle(axes, np.array(steps), place * min(min(errors) for errors in series.values()), order)
    axes.set(title=title, xlabel="step h [s]", ylabel=ylabel)
    axes.set_xticks(steps, [f"{step:g}" for step in steps])
    axes.minorticks_off()
    style.legend(axes)


def draw(output):
    import style
    from figures import page
    with tempfile.TemporaryDirectory() as folder:
        runs = Runs(folder)
        started = start(runs)
        each_step = [runs.grid("heavy_top", "lie_alpha", h, 1.0, h, **KINDS["projected"][1]) for h in STEPS[:2]]
        results = {kind: [run.result() for run in series] for kind, series in started.items()}
        exact = exact_multipliers()
        figure, axes = page(2, 3, "Heavy top: velocity projection at 0.7 s, and starting values\n"
                                  "(figures 1 and 2 of Arnold, Cardona & Brüls 2015)")
        for panel, i in zip(axes, (0, 1)):
            r = each_step[i].result()
            panel.plot(r.time, 1e3 * hidden(r)[:, 0], linewidth=0.9)
            panel.set(title=f"Hidden constraint, h = {STEPS[i]:g} s", xlabel="time [s]", ylabel="(B v)₁ [mm/s]")
        r = results["projected"][0]
        window = (r.time > 0.65) & (r.time < 0.8)
        axes[2].plot(r.time[window], exact[window, 0], color="#b0b0b0", linewidth=3, label="exact")
        axes[2].plot(r.time[window], multipliers(r)[window, 0], label="h = 0.001 s")
        axes[2].set(title="Multiplier about the projection", xlabel="time [s]", ylabel="λ₁ [N]")
        style.legend(axes[2])
        draw_orders(axes[3], STEPS, {"[0, 1] s": [relative_error(r, exact) for r in results["projected"]],
                                     "[0, 0.7) s": [relative_error(r, exact, TIME) for r in results["projected"]]},
                    "Projected velocities: λ, order", "largest |error| / |λ|")
        labels = {"consistent": "consistent", "perturbed": "perturbed", "index2": "index 2"}
        draw_orders(axes[4], STEPS, {label: [largest(multipliers(r) - exact) for r in results[kind]]
                                     for kind, label in labels.items()},
                    "Starts: λ on [0, 1] s, order", "largest error [N]")
        for kind, label in labels.items():
            error = np.linalg.norm(multipliers(results[kind][1]) - exact, axis=1)
            axes[5].semilogy(results[kind][1].time, np.where(error > 0, error, np.nan), linewidth=0.9, label=label)
        axes[5].set_ylim(bottom=0.05)
        axes[5].set(title="Error of λ over time, h = 0.0005 s", xlabel="time [s]", ylabel="error [N]")
        style.legend(axes[5])
        style.save(figure, output)
