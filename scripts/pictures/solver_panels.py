# SPDX-License-Identifier: BSD-3-Clause
"""Panels of how the solver went: iterations and residuals of each step."""
import numpy as np

import style
from matplotlib.ticker import MaxNLocator


def solves_panel(results):
    time, iterations = results.steps("time"), results.steps("newton_iterations")
    if iterations is None or len(iterations) == 0:
        return

    def draw(axes):
        # A staircase of many steps is a black bar: beyond what can be seen, the least, mean and largest of each slice.
        slices = np.array_split(np.arange(len(iterations)), min(len(iterations), 300))
        if len(slices) == len(iterations):
            axes.plot(time[: len(iterations)], iterations, drawstyle="steps-pre", linewidth=0.8)
        else:
            middle = [time[s].mean() for s in slices]
            axes.fill_between(middle, [iterations[s].min() for s in slices], [iterations[s].max() for s in slices],
                              color=style.COLORS[0], alpha=0.25, linewidth=0, label="least to largest")
            axes.plot(middle, [iterations[s].mean() for s in slices], label="mean")
        axes.set_ylim(0, max(iterations.max() + 1, 5))
        style.legend(axes)
        axes.yaxis.set_major_locator(MaxNLocator(integer=True))
        axes.set_title(f"Linear solves a step (mean {iterations.mean():.2f})")
        axes.set_ylabel("linear solves a step")
    yield draw


def residual_panel(results):
    time = results.steps("time")
    series = [(label, results.steps(key)) for key, label in
              (("residual", "residual"), ("constraint_residual", "constraints"))]
    series = [(label, data) for label, data in series if data is not None and len(data) and np.max(data) > 0]
    if time is None or not series:
        return

    def draw(axes):
        for label, data in series:
            axes.semilogy(time[: len(data)], np.where(data > 0, data, np.nan), ".", markersize=3, label=label)
        of_forces = any(label == "residual" for label, _ in series)
        axes.set_title("What Newton leaves" if of_forces else "What is left of the constraints")
        axes.set_ylabel("norms [N, N m and m, rad]" if of_forces else "norm [m, rad]")
        style.legend(axes)
    yield draw
