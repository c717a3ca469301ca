# SPDX-License-Identifier: BSD-3-Clause
"""Figures 2, 4 and 6 of Brüls, Cardona & Arnold (2012), drawn from runs of the program, and the numbers beside them."""
import argparse
import pathlib
import sys
import tempfile

import numpy as np

import style
from matplotlib import pyplot
from matplotlib.ticker import NullFormatter
from runs import (ROOT, RunError, Runs, largest_error, mean_solves, node_history, rotation_error, rotation_vector, slope)

METHODS = {"lie_alpha": ("Lie-α", style.COLORS[0], "-"), "ul_crv": ("UL-CRV", style.COLORS[1], "--"),
           "ul_rotation_vector": ("UL-rotation vector", style.COLORS[2], ":")}
PAPER = ("lie_alpha", "ul_crv")  # the methods that the figures of the paper compare


def curves(axes, results, quantity, title, ylabel, methods=PAPER, until=None):
    for method in methods:
        label, color, line = METHODS[method]
        time = results[method].time
        shown = slice(None) if until is None else time <= until + 1e-9
        axes.plot(time[shown], quantity(results[method])[shown], line, color=color, label=label)
    axes.set_title(title)
    axes.set_xlabel("time [s]")
    axes.set_ylabel(ylabel)
    style.legend(axes)


def orders(axes, steps, errors, title, ylabel):
    """Errors over steps of each method, with a line of order two; `errors`: method -> list. Returns the slopes."""
    slopes = {}
    for method, values in errors.items():
        label, color, line = METHODS[method]
        slopes[method] = slope(steps, values)
        axes.loglog(steps, values, line, marker="o", markersize=4, color=color, label=f"{label}: {slopes[method]:.2f}")
    guide = 0.4 * min(values[-1] for values in errors.values()) * (np.array(steps) / steps[-1]) ** 2
    axes.loglog(steps, guide, color="#9a9a9a", linewidth=0.9, label="order 2")
    axes.set_title(title)
    axes.set_xlabel("step h [s]")
    axes.set_ylabel(ylabel)
    axes.set_xticks(steps, [f"{step:g}" for step in steps])
    axes.xaxis.set_minor_formatter(NullFormatter())
    style.legend(axes)
    return slopes


def without_jumps(angle):
    """An angle within +-pi with a gap where it wraps, so that no line is drawn across."""
    return np.where(np.abs(np.diff(angle, append=angle[-1])) > np.pi, np.nan, angle)


def converging(runs, deck, steps, duration, interval, **settings):
    """Runs of each method at each of the steps, stored on a common grid."""
    return {method: [runs.grid(deck, method, step, duration, interval, **settings) for step in steps]
            for method in METHODS}


def errors_of(series, exact, quantity, start=0.0):
    return {method: [largest_error(run.result(), exact.result(), quantity, start) for run in runs]
            for method, runs in series.items()}


def page(rows, columns, title):
    figure, grid = pyplot.subplots(rows, columns, figsize=(4.6 * columns, 0.5 + 3.2 * rows), squeeze=False,
                                   layout="constrained")
    figure.get_layout_engine().set(w_pad=0.1, h_pad=0.1)
    figure.suptitle(title, fontsize=12, fontweight="bold")
    return figure, list(grid.flat)


def row(model, quantity, paper, values, form="{:.2f}"):
    cells = [form.format(values[method]) if method in values else "" for method in METHODS]
    return f"| {model} | {quantity} | {paper} | " + " | ".join(cells) + " |"


def energy_change(results):
    energy = results.history("/energy/total")
    return energy[-1] - energy[0]


def heavy_top(runs, output):
    steps, duration, interval = [1e-3, 5e-4, 2e-4, 1e-4], 1.0, 0.01
    full = {method: runs.method("heavy_top", method) for method in METHODS}
    fine = converging(runs, "heavy_top", steps, duration, interval)
    # The paper's step for the reference; of the three methods this one has by far the smallest error there.
    exact = runs.grid("heavy_top", "ul_crv", 1.5625e-5, duration, interval)
    # The round-off of the multipliers grows as 1/h^2, so theirs is a longer one.
    smooth = runs.grid("heavy_top", "ul_crv", 3.125e-5, duration, interval)
    yield
    full = {method: run.result() for method, run in full.items()}

    def height(results):
        return node_history(results, "centre")[:, 2]

    def spin(results):
        return without_jumps(rotation_vector(results, "centre")[:, 1])

    def multipliers(results):
        return results.history("/joints/pivot/multipliers")

    def errors(quantity):
        return errors_of(fine, exact, quantity)

    figure, axes = page(2, 3, "Heavy top, h = 0.002 s, ρ∞ = 0.9 (figure 2 of Brüls, Cardona & Arnold 2012)")
    curves(axes[0], full, height, "Height of the centre of mass", "x₃ [m]")
    curves(axes[1], full, spin, "Rotation vector, second component", "ψ₂ [rad]", until=0.2)
    curves(axes[2], full, lambda r: multipliers(r)[:, 0], "Multiplier", "λ₁ [N]")
    curves(axes[3], full, lambda r: r.history("/energy/total"), "Total energy", "energy [J]", METHODS)
    order_x = orders(axes[4], steps, errors(lambda r: node_history(r, "centre")), "Position: error and observed order",
                     "largest error of x in [0, 1] s [m]")
    order_l = orders(axes[5], steps, errors_of(fine, smooth, multipliers, 0.5),
                     "Multipliers after the start: error and order",
                     "largest error of λ in [0.5, 1] s [N]")
    style.save(figure, output / "bca12_figure_2_heavy_top.png")

    order_end = {method: slope(steps[2:], values[2:])
                 for method, values in errors(lambda r: node_history(r, "centre")).items()}
    order_R = {method: slope(steps, [rotation_error(run.result(), exact.result(), "centre").max() for run in series])
               for method, series in fine.items()}
    order_v = {method: slope(steps, values)
               for method, values in errors(lambda r: node_history(r, "centre", "velocity")).items()}
    yield [row("heavy top", "Newton solves a step", "3 (both methods)", {m: mean_solves(r) for m, r in full.items()}),
           row("", "energy at 2 s − start [J]", "drift far smaller for Lie-α; UL-CRV rises all the time",
               {m: energy_change(r) for m, r in full.items()}, "{:+.2f}"),
           row("", "order of x, h = 1e-3 … 1e-4", "2", order_x), row("", "order of R", "2", order_R),
           row("", "order of x between h = 2e-4 and 1e-4", "2", order_end),
           row("", "order of u", "", order_v), row("", "order of λ on [0.5, 1] s", "2", order_l)]


def right_angle_beam(runs, output):
    steps, duration, interval = [0.1, 0.05, 0.025, 0.0125], 10.0, 0.2
    full = {method: runs.method("right_angle_beam", method) for method in METHODS}
    fine = converging(runs, "right_angle_beam", steps, duration, interval)
    exact = runs.grid("right_angle_beam", "lie_alpha", 7.8125e-4, duration, interval)
    yield
    full = {method: run.result() for method, run in full.items()}
    errors = errors_of(fine, exact, lambda r: node_history(r, "tip"))

    figure, axes = page(2, 2, "Right-angle cantilever beam, h = 0.2 s, HHT α = 0.05\n"
                              "(figure 4 of Brüls, Cardona & Arnold 2012)")
    for panel, node in zip(axes, ("tip", "elbow")):
        curves(panel, full, lambda r, node=node: node_history(r, node)[:, 2],
               f"Displacement of the {node} out of the plane", "z [m]")
    lie = full["lie_alpha"]
    for name, look in (("total", {"color": "#4d4d4d"}), ("kinetic", {}), ("strain", {})):
        axes[2].plot(lie.time, lie.history(f"/energy/{name}"), label=name, **look)
    axes[2].set(title="Energy, Lie-α", xlabel="time [s]", ylabel="energy [J]")
    style.legend(axes[2])
    order = orders(axes[3], steps, errors, "Position of the tip: error and observed order",
                   "largest error in [0, 10] s [m]")
    style.save(figure, output / "bca12_figure_4_right_angle_beam.png")

    change = {}
    for method, results in full.items():
        free = results.history("/energy/total")[results.time >= 2.0 - 1e-9]
        change[method] = 100 * (free[-1] - free[0]) / free[0]
    solves = {method: mean_solves(results) for method, results in full.items()}
    yield [row("right-angle beam", "Newton solves a step", "3.83 (Lie-α), 3.77 (UL-CRV)", solves),
           row("", "energy at 30 s against 2 s [%]", "small variations", change, "{:+.2f}"),
           row("", "order of the tip, h = 0.1 … 0.0125", "2", order)]


def four_bar(runs, output):
    steps, duration, interval = [0.01, 0.005, 0.0025, 0.00125], 2.0, 0.02
    sharp = {"analysis__newton__constraint_tolerance": "1.0e-12"}  # the forces of small steps need it
    full = {method: runs.method("four_bar", method) for method in METHODS}
    fine = converging(runs, "four_bar", steps, duration, interval, **sharp)
    exact = runs.grid("four_bar", "lie_alpha", 2.5e-4, duration, interval, **sharp)
    yield
    full = {method: run.result() for method, run in full.items()}

    def force(results):
        return results.history("/joints/motor/force")

    figure, axes = page(2, 3, "Four-bar mechanism with a misaligned hinge, h = 0.02 s, ρ∞ = 0.9 "
                              "(figure 6 of Brüls, Cardona & Arnold 2012)")
    lie = full["lie_alpha"]
    curves(axes[0], full, lambda r: node_history(r, "C_bc")[:, 2], "Displacement of C out of the plane", "z [m]")
    for k, letter in enumerate("xy"):
        for method in PAPER:
            label, _, line = METHODS[method]
            path = node_history(full[method], "C_bc")
            axes[1].plot(full[method].time, path[:, k] - path[0, k], line, color=style.COLORS[2 + k],
                         label=f"{letter}, {label}")
    axes[1].set(title="Displacement of C in the plane", xlabel="time [s]", ylabel="displacement [m]")
    style.legend(axes[1])
    turned = np.angle(np.exp(1j * lie.history("/joints/motor/coordinates")[:, 0]))
    axes[2].plot(lie.time, without_jumps(turned), color="#b0b0b0", label="AB, within ±π")
    curves(axes[2], full, lambda r: r.history("/joints/hinge_D/coordinates")[:, 0],
           "Angles: CD at D, and AB", "angle [rad]")
    curves(axes[3], full, lambda r: np.linalg.norm(force(r), axis=1), "Force of the ground on AB at A", "magnitude [N]")
    order_C = orders(axes[4], steps, errors_of(fine, exact, lambda r: node_history(r, "C_bc"), interval),
                     "Position of C: error and observed order", "largest error in (0, 2] s [m]")
    order_F = orders(axes[5], steps, errors_of(fine, exact, force, interval),
                     "Force at A: error and observed order", "largest error in (0, 2] s [N]")
    style.save(figure, output / "bca12_figure_6_four_bar.png")

    solves = {method: mean_solves(results) for method, results in full.items()}
    peak = {method: 1e-3 * np.linalg.norm(force(results), axis=1).max() for method, results in full.items()}
    yield [row("four-bar", "Newton solves a step", "3.05 (Lie-α), 3.06 (UL-CRV)", solves, "{:.3f}"),
           row("", "largest force at A [kN]", "", peak),
           row("", "order of C, h = 0.01 … 0.00125", "2", order_C), row("", "order of the force at A", "2", order_F)]


CASES = {"heavy_top": heavy_top, "right_angle_beam": right_angle_beam, "four_bar": four_bar}


def draw(output, only=None):
    """Writes the figures into a folder; returns a table of what they show beside the paper's numbers."""
    output.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        runs = Runs(folder)
        cases = [CASES[name](runs, output) for name in ([only] if only else CASES)]
        for case in cases:  # all runs are started before the first is waited for
            next(case)
        rows = [line for case in cases for line in next(case)]
    head = ["| model | quantity | the paper | " + " | ".join(f"`{method}`" for method in METHODS) + " |",
            "| --- " * (3 + len(METHODS)) + "|"]
    return "\n".join(head + rows) + "\n"


def main():
    parser = argparse.ArgumentParser(prog="scripts/figures", description=__doc__)
    parser.add_argument("-o", "--output", type=pathlib.Path, default=ROOT / "docs/verification",
                        help="folder of the figures")
    parser.add_argument("--only", choices=CASES, help="one of the models")
    arguments = parser.parse_args()
    try:
        print(draw(arguments.output, arguments.only), end="")
    except RunError as error:
        sys.exit(f"scripts/figures: {error}")


if __name__ == "__main__":
    main()
