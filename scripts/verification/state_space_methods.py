# SPDX-License-Identifier: BSD-3-Clause
"""Numbers and picture of the page on what stiffness costs: all methods with steps under control on the double pendulum of
Negrut et al. (2003), stiff and soft, and on the vehicle where its deck is there."""
import dataclasses
import pathlib
import re
import tempfile

import numpy as np

from page import Numbers
from runs import ROOT, Runs, node_history

METHODS = ["rosenbrock4", "rosenbrock_w2", "bdf", "adams", "explicit_rk", "lie_alpha", "lie_alpha_index2"]
FEW = ("adams", "explicit_rk")  # steps by stability: two tolerances tell all
LIBRARY = ("bdf", *FEW)


@dataclasses.dataclass
class Model:
    name: str
    title: str
    deck: str
    settings: dict
    interval: float    # of the times that are compared
    quantity: object   # of results: the history that is compared
    label: str
    stiff: bool
    limits: str = ""   # of steps, beside the tolerance
    tolerances: tuple = (1e-2, 1e-3, 1e-4, 1e-5, 1e-6)

    def there(self):
        return (ROOT / "inputs/benchmarks" / f"{self.deck}.yaml").is_file()

    def tolerances_of(self, method):
        return self.tolerances[0:3:2] if self.stiff and method in FEW else self.tolerances


def first_angle(results):
    quaternion = node_history(results, "rod1", "rotation")
    return np.unwrap(2 * np.arctan2(quaternion[:, 3], quaternion[:, 0]))


SOFT = {"forces__b__stiffness": 40, "forces__b__damping": 1.5}
MODELS = [
    Model("stiff", "Stiff double pendulum, 2 s", "double_pendulum_stiff", {}, 0.02, first_angle, "error of θ₁ [rad]", True),
    Model("soft", "The same, soft springs, 2 s", "double_pendulum_stiff", SOFT, 0.02, first_angle, "error of θ₁ [rad]", False),
]
VEHICLE = Model("vehicle", "Vehicle over a bump", "vehicle_over_bump", {}, 0.02,
                lambda results: node_history(results, "chassis")[:, 2], "error of the chassis' height [m]", True,
                ", max: 0.05")  # a wheel is over the bump for 0.1 s


def start(runs, model, method, tolerance):
    return runs.method(model.deck, method, analysis__step=f"{{tolerance: {tolerance:.1e}{model.limits}}}",
                       output=f"{{interval: {model.interval}}}", **model.settings)


def start_all(runs, model):
    reference = start(runs, model, "rosenbrock4", 2e-8)
    return reference, {method: [(tolerance, start(runs, model, method, tolerance))
                                for tolerance in model.tolerances_of(method)] for method in METHODS}


def error(model, run, reference):
    found, exact = model.quantity(run.result()), model.quantity(reference.result())
    count = min(len(found), len(exact))
    return np.abs(found[:count] - exact[:count]).max()


def seconds(run):
    """Processor time of the analyses, from the log."""
    log = run.result().file["/log"][()]
    text = log.decode() if isinstance(log, bytes) else "\n".join(
        line.decode() if isinstance(line, bytes) else str(line) for line in np.atleast_1d(log))
    return float(re.findall(r"analyses ([0-9.]+)", text)[-1])


def numbers(runs):
    started = {model.name: start_all(runs, model) for model in MODELS}
    yield
    n = Numbers()
    for model in MODELS:
        reference, series = started[model.name]
        for method, points in series.items():
            for tolerance, run in points:
                name = f"{model.name}.{method}.{round(-np.log10(tolerance))}"
                n.put(f"{name}.steps", len(run.result().steps("step")))
                n.put(f"{name}.solves", run.result().steps("newton_iterations").sum())
                n.put(f"{name}.error", error(model, run, reference))
    for k in (2, 4):  # Table 7: steps whatever the tolerance
        n.holds(f"s.{k}", 4.5e4 < n[f"stiff.explicit_rk.{k}.steps"] < 6.5e4 and 2e5 < n[f"stiff.adams.{k}.steps"] < 3.2e5)
    yield n


def draw(output):
    import style
    from figures import page
    models = [model for model in (*MODELS, VEHICLE) if model.there()]
    figure, axes = page(1, len(models), "Error against processor time, steps under control")
    with tempfile.TemporaryDirectory() as folder, Runs(folder) as runs:
        started = [start_all(runs, model) for model in models]
        for panel, model, (reference, series) in zip(axes, models, started):
            for i, (method, points) in enumerate(series.items()):
                panel.loglog([max(seconds(run), 1e-3) for _, run in points], [error(model, run, reference) for _, run in points],
                             "--" if method in LIBRARY else "-", marker="s" if method in LIBRARY else "o", markersize=3.5,
                             color=style.color(i), linewidth=1.1, label=method)
            panel.set(title=model.title, xlabel="processor time of the analysis [s]", ylabel=model.label)
    lines = dict(zip(*reversed(axes[0].get_legend_handles_labels())))
    figure.get_layout_engine().set(rect=(0, 0.1, 1, 0.9))
    figure.legend(lines.values(), lines.keys(), loc="lower center", ncols=4)
    style.save(figure, pathlib.Path(output))
