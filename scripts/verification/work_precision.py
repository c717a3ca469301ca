# SPDX-License-Identifier: BSD-3-Clause
"""Error against instructions, or processor time: methods, steps fixed and controlled, kept factorizations, elements."""
import argparse
import dataclasses
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

import numpy as np
import yaml

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parent.parent / folder) for folder in ("pictures", "measure")]

from common import Table  # noqa: E402
from motion import angles_between, rotation_matrices  # noqa: E402
from program import MeasureError, count_instructions  # noqa: E402
from runs import PROGRAM, ROOT, RunError, node_history, run  # noqa: E402


def method(name, **more):
    return {"analysis__integrator__method": name, **more}


KEPT = {"analysis__newton__jacobian": "kept"}


@dataclasses.dataclass
class Series:
    """Runs of one kind over steps or, `controlled`, over tolerances. What the program does not know yet is left out."""
    name: str
    settings: dict
    controlled: bool = False


# One line a series; all models of the first three panels have them.
SERIES = [
    Series("lie_alpha", method("lie_alpha")),
    Series("lie_alpha, ρ∞ = 0.6", method("lie_alpha", analysis__integrator="{method: lie_alpha, rho_infinity: 0.6}")),
    Series("lie_alpha_index2", method("lie_alpha_index2")),
    Series("ul_crv", method("ul_crv")),
    Series("ul_rotation_vector", method("ul_rotation_vector")),
    Series("lie_alpha, kept", method("lie_alpha", **KEPT)),
    Series("lie_alpha, controlled", method("lie_alpha"), controlled=True),
    Series("lie_alpha_index2, controlled", method("lie_alpha_index2"), controlled=True),
    Series("lie_alpha, controlled, kept", method("lie_alpha", **KEPT), controlled=True),
]


@dataclasses.dataclass
class Model:
    deck: str
    title: str
    duration: float
    interval: float  # of the times that are compared
    steps: tuple
    tolerances: tuple
    size: float        # m
    reference: float   # step of the run to compare with, or 0: the exact motion
    targets: tuple     # errors whose price the page tells


MODELS = [
    Model("heavy_top", "Heavy top, 1 s", 1.0, 0.01, (2e-3, 1e-3, 5e-4, 2e-4, 1e-4), (1e-2, 1e-3, 1e-4, 1e-5), 1.0, 0,
          (1e-2, 1e-3, 1e-4)),
    Model("right_angle_beam", "Right-angle beam, 10 s", 10.0, 0.2, (0.2, 0.1, 0.05, 0.025, 0.0125, 0.00625),
          (1e-2, 1e-3, 1e-4, 1e-5), 14.1421, 5e-4, (1e-2, 1e-3, 1e-4)),
    Model("four_bar", "Four-bar mechanism, 2 s", 2.0, 0.02, (0.02, 0.01, 0.005, 0.0025, 0.00125),
          (1e-2, 3e-3, 1e-3, 3e-4, 1e-4), 0.268328, 2.5e-4, (1e-6, 1e-7, 1e-8)),
]

# Right-angle beam: order of the elements, elements a leg, and steps with an error in time that stays below theirs.
ELEMENTS = {1: (5, 10, 20, 40, 80), 2: (2, 3, 4, 6, 8, 12), 4: (1, 2, 3, 4, 6)}
ELEMENTS_STEP, ELEMENTS_DURATION = 0.005, 6.0


def available(folder, deck, settings):
    """Whether the program takes these settings (polhode check)."""
    document = yaml.safe_load((ROOT / "inputs/benchmarks" / f"{deck}.yaml").read_text())
    for key, value in settings.items():
        place, *_ = [document]
        *path, last = key.split("__")
        for name in path:
            place = place.setdefault(name, {})
        place[last] = yaml.safe_load(str(value))
    path = pathlib.Path(folder, "candidate.yaml")
    path.write_text("format: polhode-deck/1\n" + yaml.safe_dump({k: v for k, v in document.items() if k != "format"}))
    return subprocess.run([PROGRAM, "check", path], capture_output=True, check=False).returncode == 0


def children_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


@dataclasses.dataclass
class Cost:
    """What a run costs: processor time, the least of some repetitions, or instructions, which repeat exactly."""
    repeats: int = 3
    instructions: bool = False

    @property
    def label(self):
        return "instructions [10⁹]" if self.instructions else "processor time [s]"

    @property
    def small(self):  # unit and factor of the tables
        return ("10⁶ instructions", 1e3) if self.instructions else ("ms", 1e3)

    def of(self, folder, deck, settings):
        """The results of a run, and its cost, that of reading the deck and making the file included."""
        enough = 0.3  # s: short runs are repeated more often
        results, costs = None, []
        while not costs or (not self.instructions and (len(costs) < self.repeats or sum(costs) < enough)
                            and len(costs) < 20):
            if results:
                results.file.close()  # the next run writes this file anew
            begin = children_seconds()
            results = run(folder, deck, **settings)
            costs.append(children_seconds() - begin)
        if self.instructions:
            paths = {key.replace("__", "."): value for key, value in settings.items()}
            costs = [1e-9 * count_instructions(PROGRAM, deck, paths).instructions]
        return results, min(costs)

    def before(self, folder, model):
        """The cost of a run of two steps, which is taken off all others."""
        h = model.steps[0]
        few = dataclasses.replace(self, repeats=20)
        return few.of(folder, model.deck, {"analysis__newton": "{}", "analysis__step": repr(h),
                                           "analysis__duration": repr(2 * h)})[1]


def base(model):
    # The defaults of Newton's iteration in place of those of the papers.
    return {"analysis__newton": "{}", "analysis__duration": repr(model.duration)}


def settings_of(model, series, value):
    """Those of a run: a step, or a tolerance."""
    settings = base(model)
    newton = {k.split("__")[-1]: v for k, v in series.settings.items() if k.startswith("analysis__newton__")}
    settings["analysis__newton"] = "{" + ", ".join(f"{k}: {v}" for k, v in newton.items()) + "}"
    settings.update({k: v for k, v in series.settings.items() if not k.startswith("analysis__newton__")})
    if "analysis__integrator" in settings:
        del settings["analysis__integrator__method"]
    if series.controlled:
        settings["analysis__step"] = f"{{tolerance: {value:.1e}}}"
        settings["output__interval"] = repr(model.interval)
    else:
        settings["analysis__step"] = repr(value)
        settings["output__every"] = round(model.interval / value)
    return settings


def states(results):
    names = results.node_names
    moving = [names.index(name) for name in names if not is_fixed(results, name)]
    x = results.history("/nodes/position")[:, moving]
    q = results.history("/nodes/rotation")[:, moving]
    return x, rotation_matrices(q.reshape(-1, 4)).reshape(*q.shape[:2], 3, 3)


def is_fixed(results, name):
    return (results.deck["nodes"].get(name) or {}).get("fixed") is True


def exact_top(model):
    table = Table("heavy_top_exact.csv")
    return (table.columns("x1 x2 x3")[:, None],
            table.columns("R11 R12 R13 R21 R22 R23 R31 R32 R33").reshape(-1, 1, 3, 3))


def error(model, found, reference):
    """max over time of the root mean square over the unknowns, positions over the size of the model."""
    (x, R), (x0, R0) = found, reference
    count = min(len(x), len(x0))
    angle = angles_between(R[:count], R0[:count])
    distance = np.linalg.norm(x[:count] - x0[:count], axis=-1) / model.size
    return np.sqrt(((distance**2 + angle**2) / 6).mean(axis=1)).max()


def measure(model, folder, cost):
    """{series: [(value, cost, error)]} of those that the program knows."""
    if model.reference:
        fine = Series("", method("lie_alpha", analysis__newton__relative="1.0e-9"))
        reference = states(run(folder, model.deck, **settings_of(model, fine, model.reference)))
    else:
        reference = exact_top(model)
    measured, before = {}, cost.before(folder, model)
    for series in SERIES:
        values = model.tolerances if series.controlled else model.steps
        probe = {"analysis__step": "{tolerance: 1.0e-3}"} if series.controlled else {}
        if not available(folder, model.deck, {**series.settings, **probe}):
            continue
        points = []
        for value in values:
            try:
                results, spent = cost.of(folder, model.deck, settings_of(model, series, value))
            except RunError as problem:
                print(f"{model.deck}, {series.name}, {value:g}: left out: {str(problem).splitlines()[-1]}",
                      file=sys.stderr)
                continue
            points.append((value, max(spent - before, 1e-4), error(model, states(results), reference)))
        measured[series.name] = points
    return measured


def measure_elements(folder, cost):
    """{order: [(elements a leg, cost, error of the tip)]} against the curve that is converged in space and time."""
    curve = Table("right_angle_beam_converged.csv").columns("tip_x tip_y tip_z")[: round(ELEMENTS_DURATION / 0.2)]
    measured, before = {}, cost.before(folder, MODELS[1])
    for order, counts in ELEMENTS.items():
        for count in counts:
            settings = {"analysis__newton": "{}", "analysis__duration": ELEMENTS_DURATION,
                        "analysis__step": ELEMENTS_STEP, "output__every": round(0.2 / ELEMENTS_STEP),
                        "beams__column__elements": count, "beams__arm__elements": count,
                        "beams__column__order": order, "beams__arm__order": order}
            results, spent = cost.of(folder, "right_angle_beam", settings)
            distance = np.linalg.norm(node_history(results, "tip")[1:] - curve, axis=1).max()
            measured.setdefault(order, []).append((count, spent - before, distance))
    return measured


def price(points, target):
    """The cost of an error, by interpolation of the logarithms; nan where it is not reached."""
    costs, errors = (np.log([point[k] for point in points]) for k in (1, 2))
    order = np.argsort(errors)
    inside = errors[order[0]] <= np.log(target) <= errors[order[-1]]
    return float(np.exp(np.interp(np.log(target), errors[order], costs[order]))) if inside else float("nan")


def draw(measured, elements, cost, output):
    import style
    from figures import page
    figure, axes = page(2, 2, f"Error against {cost.label.split(' [')[0]}")
    colors = {series.name: style.color(i) for i, series in enumerate(SERIES)}
    for panel, model in zip(axes, MODELS):
        for series in SERIES:
            points = measured[model.deck].get(series.name)
            if points:
                panel.loglog([p[1] for p in points], [p[2] for p in points], "--" if series.controlled else "-",
                             marker="s" if series.controlled else "o", markersize=3.5, color=colors[series.name],
                             linewidth=1.1, label=series.name)
        panel.set(title=model.title, xlabel=cost.label, ylabel="largest error")
    lines = {label: line for panel in axes[:3] for line, label in zip(*panel.get_legend_handles_labels())}
    figure.get_layout_engine().set(rect=(0, 0.08, 1, 0.92))
    figure.legend(lines.values(), lines.keys(), loc="lower center", ncols=4)
    for i, (order, points) in enumerate(elements.items()):
        axes[3].loglog([p[1] for p in points], [p[2] for p in points], marker="o", markersize=3.5, color=style.color(i),
                       label=f"order {order}")
    axes[3].set(title=f"Right-angle beam, order of elements, {ELEMENTS_DURATION:g} s", xlabel=cost.label,
                ylabel="error of the tip [m]")
    style.legend(axes[3])
    style.save(figure, output)


def tables(measured, elements, cost):
    unit, factor = cost.small
    lines = []

    def cell(value):
        return "" if np.isnan(value) else f"{factor * value:.3g}"

    for model in MODELS:
        found = {name: points for name, points in measured[model.deck].items() if len(points) > 1}
        lines += [f"### {model.title}", "", f"| {unit} for an error of | "
                  + " | ".join(f"{target:.0e}".replace("e-0", "e-") for target in model.targets) + " |",
                  "| --- " * (1 + len(model.targets)) + "|"]
        lines += [f"| {name} | " + " | ".join(cell(price(points, target)) for target in model.targets) + " |"
                  for name, points in found.items()]
        lines.append("")
    lines += [f"### Right-angle beam, order of the elements, {ELEMENTS_DURATION:g} s with h = {ELEMENTS_STEP:g} s", "",
              f"| order | elements a leg: error of the tip [m], {unit} |", "| --- | --- |"]
    lines += [f"| {order} | " + "; ".join(f"{count}: {distance:.1e}, {factor * spent:.0f}"
                                          for count, spent, distance in points).replace("e-0", "e-") + " |"
              for order, points in elements.items()]
    return "\n".join(lines) + "\n"


def machine(cost, load):
    lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
    name = next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), "unknown processor")
    if cost.instructions:
        return "Costs are instructions, less those of a run of two steps."
    busy = "" if load < 0.5 else f" The machine was busy (load {load:.0f} on {os.cpu_count()} cores): times are too long, and vary."
    return (f"Costs are processor time of the program on one core, least of {cost.repeats} to 20 runs, less that of a run of two "
            f"steps, on {name}.{busy}")


def main():
    parser = argparse.ArgumentParser(prog="scripts/work_precision", description=__doc__)
    parser.add_argument("-o", "--output", type=pathlib.Path, default=ROOT / "docs/verification", help="folder")
    parser.add_argument("--repeats", type=int, default=3, help="of each run with --seconds; the least counts")
    parser.add_argument("--seconds", action="store_true",
                        help="processor time in place of instructions, which callgrind counts fifty times slower and "
                        "which repeat exactly")
    arguments = parser.parse_args()
    arguments.output.mkdir(parents=True, exist_ok=True)
    cost = Cost(arguments.repeats, not arguments.seconds)
    load = os.getloadavg()[0]
    try:
        with tempfile.TemporaryDirectory() as folder:
            measured = {model.deck: measure(model, folder, cost) for model in MODELS}
            elements = measure_elements(folder, cost)
    except (RunError, MeasureError) as problem:
        sys.exit(f"scripts/work_precision: {problem}")
    draw(measured, elements, cost, arguments.output / "work_precision.png")
    template = (pathlib.Path(__file__).parent / "work_precision.md").read_text()
    page = ("<!-- Written by scripts/work_precision from scripts/verification/work_precision.md; not for editing. -->\n\n"
            + template.replace("{{machine}}", machine(cost, load))
            .replace("{{tables}}", tables(measured, elements, cost)))
    (arguments.output / "work_precision.md").write_text(page)
    print(arguments.output / "work_precision.md")


if __name__ == "__main__":
    main()
