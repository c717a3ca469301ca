# SPDX-License-Identifier: BSD-3-Clause
"""Observed orders (a file of polhode convergence): errors over steps with triangles of slope 1 and 2, errors over time."""
import h5py
import numpy as np

import style
from matplotlib import pyplot
from matplotlib.ticker import FixedLocator, NullFormatter, NullLocator
from results import has_format, text

FORMAT = "polhode-convergence/"
WORDS = {"position": "Position", "rotation": "Rotation", "velocity": "Velocity", "angular_velocity": "Angular velocity",
         "acceleration": "Acceleration", "angular_acceleration": "Angular acceleration", "multipliers": "Multipliers"}
LOOKS = {"whole": ("o", "-", 0), "after": ("s", "--", 1)}  # of the intervals drawn: marker, line, color
COLUMNS = 4


def is_convergence(path):
    return has_format(path, FORMAT)


class Convergence:
    def __init__(self, path):
        with h5py.File(path, "r") as file:
            self.title = text(file.attrs["title"])
            self.method = text(file.attrs["method"])
            self.reference = text(file.attrs["reference"])
            self.steps = file["steps"][()]
            self.time = file["time"][()]
            self.status = [text(status) for status in file["status"][()]]
            self.cpu = file["cpu_time"][()]
            self.solves = file["newton_iterations"][()]
            self.components = [name for name in WORDS if name in file["errors"]]
            self.units = {name: text(file[f"errors/{name}/whole"].attrs["units"]) for name in self.components}
            self.intervals = {name: tuple(data[()]) for name, data in file["intervals"].items()}
            self.errors = {(name, interval): file[f"errors/{name}/{interval}"][()]
                           for name in self.components for interval in self.intervals}
            self.order = {(name, interval): float(file[f"order/{name}/{interval}"][()])
                          for name in self.components for interval in self.intervals}
            self.distances = {name: file[f"distances/{name}"][()] for name in self.components}


def triangle(axes, steps, error, slope):
    """A right triangle of that slope below the point (smallest step, error), its legs as long as the steps allow."""
    small, large = steps.min(), steps.max()
    left = small * (large / small) ** 0.15
    right = left * min(2.0, (large / small) ** 0.5)
    low = error
    high = low * (right / left) ** slope
    axes.plot([left, right, right, left], [low, low, high, low], color="#8a8a8a", linewidth=0.9, zorder=1)
    axes.text(right * 1.03, np.sqrt(low * high), str(slope), fontsize=7.5, color=style.GREY, va="center")


def draw_errors(axes, data, name):
    smallest = []
    for interval, (marker, line, color) in LOOKS.items():
        errors = data.errors[name, interval]
        good = np.isfinite(errors) & (errors > 0)
        if not good.any():
            continue
        begin, end = data.intervals[interval]
        axes.loglog(data.steps[good], errors[good], line, marker=marker, markersize=4, color=style.color(color),
                    label=f"{begin:.3g} … {end:.3g} s: order {data.order[name, interval]:.2f}")
        smallest.append(errors[good].min())
    axes.set_title(WORDS[name])
    axes.set_ylabel(f"largest error [{data.units[name]}]")
    axes.set_xlabel("step h [s]")
    axes.xaxis.set_major_locator(FixedLocator(data.steps))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_xticklabels([f"{step:g}" for step in data.steps], rotation=30 if len(data.steps) > 3 else 0)
    if smallest:
        for slope, below in ((1, 0.35), (2, 0.08)):
            triangle(axes, data.steps, below * min(smallest), slope)
    axes.yaxis.set_minor_formatter(NullFormatter())
    style.legend(axes)


def draw_history(axes, data, name):
    for i, step in enumerate(data.steps):
        history = data.distances[name][i]
        if np.isfinite(history).any():
            axes.semilogy(data.time, np.where(history > 0, history, np.nan), color=style.color(i), linewidth=0.9,
                          label=f"h = {step:g}")
    axes.axvline(data.intervals["after"][0], color="#9a9a9a", linewidth=0.8, linestyle=":")
    axes.set_title(f"{WORDS[name]}: error over time")
    axes.set_ylabel(f"error [{data.units[name]}]")
    axes.set_xlabel("time [s]")
    style.legend(axes)


def draw_page(path, output):
    data = Convergence(path)
    panels = [(draw_errors, name) for name in data.components]
    histories = ["multipliers"] if "multipliers" in data.components else data.components[:1]
    while histories and len(panels) % COLUMNS:
        panels.append((draw_history, histories.pop(0)))
    columns = min(COLUMNS, len(panels))
    rows = -(-len(panels) // columns)
    height = 0.95 + 3.1 * rows
    figure, grid = pyplot.subplots(rows, columns, figsize=(3.75 * columns, height), squeeze=False, layout="constrained")
    figure.get_layout_engine().set(w_pad=0.08, h_pad=0.08, hspace=0.03, wspace=0.03, rect=(0, 0, 1, 1 - 0.75 / height))
    figure.text(0.5, 1 - 0.28 / height, f"{data.title}: observed orders, {data.method}", ha="center", va="center",
                fontsize=14, fontweight="bold")
    failed = [f"h = {step:g} s failed" for step, status in zip(data.steps, data.status) if status != "completed"]
    figure.text(0.5, 1 - 0.56 / height, "   ·   ".join([f"reference: {data.reference}"] + failed), ha="center",
                va="center", fontsize=9.5, color=style.GREY)
    for axes, (draw, name) in zip(grid.flat, panels):
        draw(axes, data, name)
    for axes in grid.flat[len(panels):]:
        axes.set_axis_off()
    style.save(figure, output)
