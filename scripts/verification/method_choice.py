# SPDX-License-Identifier: BSD-3-Clause
"""Error against instructions of the methods on rigid and flexible, soft and stiff models: which method for which machine.

usage: scripts/python scripts/verification/method_choice.py [-o FOLDER] [--only MODEL] [--limit SECONDS]

Runs are made twice: as they are, for errors, and under callgrind, for instructions, of which those of a run of two steps
are taken off. Of each series the first runs from coarse to fine are counted, at most three, the second and third where
they are below the limit; the others have their instructions by their solves."""
import argparse
import concurrent.futures
import dataclasses
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import yaml

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parent.parent / folder) for folder in ("pictures", "measure")]

import program  # noqa: E402
from motion import angles_between, rotation_matrices  # noqa: E402
from program import MeasureError, count_instructions  # noqa: E402
from runs import PROGRAM, ROOT, RunError, run  # noqa: E402


@dataclasses.dataclass
class Series:
    """Runs of one method over steps or, `controlled`, over tolerances."""
    name: str
    integrator: str
    controlled: bool = False
    newton: str = "{}"


SERIES = [
    Series("lie_alpha", "{method: lie_alpha}"),
    Series("lie_alpha, kept", "{method: lie_alpha}", newton="{jacobian: kept}"),
    Series("lie_alpha, frame: spatial", "{method: lie_alpha, frame: spatial}"),
    Series("lie_alpha_index2", "{method: lie_alpha_index2}"),
    Series("ul_crv", "{method: ul_crv}"),
    Series("ul_rotation_vector", "{method: ul_rotation_vector}"),
    Series("variational", "{method: variational}"),
    Series("energy_momentum", "{method: energy_momentum}"),
    Series("lie_alpha, controlled", "{method: lie_alpha}", True),
    Series("radau5", "{method: radau5}", True, "{jacobian: kept}"),
    Series("rosenbrock4", "{method: rosenbrock4}", True),
    Series("bdf", "{method: bdf}", True),
    Series("explicit_rk", "{method: explicit_rk}", True),
]


LONGEST = 4.0  # s of processor time of a run that is counted at all
UNFIT = ("bdf", "explicit_rk")  # of beams: minutes, whatever the tolerance is


@dataclasses.dataclass
class Model:
    deck: str
    title: str
    kind: str        # rigid or flexible, soft or stiff
    duration: float
    interval: float  # s, of the times that are compared
    steps: tuple     # s
    size: float      # m
    settings: dict = dataclasses.field(default_factory=dict)
    tolerances: tuple = (1e-2, 1e-3, 1e-4, 1e-5, 1e-6)
    reference: float = 0  # s, step of lie_alpha, or 0: radau5
    targets: tuple = (1e-2, 1e-3, 1e-4, 1e-6)


SOFT = {"forces__b__stiffness": "40", "forces__b__damping": "1.5"}
MODELS = [
    Model("heavy_top", "Heavy top, 1 s", "rigid, spins fast", 1.0, 0.02, (4e-3, 2e-3, 1e-3, 5e-4, 2e-4), 1.0),
    Model("double_spherical_pendulum", "Double spherical pendulum, 5 s", "points, soft", 5.0, 0.1,
          (0.1, 0.05, 0.02, 0.01, 5e-3, 2e-3), 7.0),
    Model("spatial_slider_crank", "Spatial slider-crank, 1 s", "rigid, closed loop", 1.0, 0.05,
          (0.05, 0.025, 0.01, 5e-3, 2.5e-3), 0.3),
    Model("double_pendulum_stiff", "Double pendulum, soft springs, 2 s", "rigid, soft", 2.0, 0.05,
          (0.05, 0.025, 0.01, 5e-3, 2.5e-3), 3.5, SOFT),
    Model("double_pendulum_stiff", "Double pendulum, stiff dampers, 2 s", "rigid, stiff dampers", 2.0, 0.05,
          (0.05, 0.025, 0.01, 5e-3, 2.5e-3), 3.5),
    Model("vehicle_over_bump", "Vehicle over a bump, 1 s", "rigid, stiff dampers, kinks", 1.0, 0.05,
          (0.025, 0.01, 5e-3, 2.5e-3, 1e-3), 4.0),
    Model("right_angle_beam", "Right-angle beam, 10 s", "flexible, soft", 10.0, 0.2, (0.2, 0.1, 0.05, 0.025, 0.0125), 14.14,
          reference=1e-3),
    Model("four_bar", "Four-bar mechanism, 1 s", "flexible, stiff, driven", 1.0, 0.02, (0.02, 0.01, 5e-3, 2.5e-3), 0.27,
          reference=2.5e-4, targets=(1e-4, 1e-5, 1e-6, 1e-7)),
    Model("../examples/robot_arm_falls", "Robot arm that falls, 1 s", "rigid chain", 1.0, 0.05,
          (0.025, 0.01, 5e-3, 2.5e-3, 1e-3), 1.0),
    Model("spin_up_beam", "Spin-up of a beam, 5 s", "flexible, driven", 5.0, 0.1, (0.1, 0.05, 0.025, 0.0125), 10.0,
          reference=1e-3),
]


def settings_of(model, series, value):
    settings = {"analysis__newton": series.newton, "analysis__duration": repr(model.duration),
                "analysis__integrator": series.integrator, "responses": "{}", **model.settings}
    if series.controlled:
        settings["analysis__step"] = f"{{tolerance: {value:.1e}}}"
        settings["output"] = f"{{fields: [nodes], interval: {model.interval!r}}}"
    else:
        settings["analysis__step"] = repr(value)
        settings["output"] = f"{{fields: [nodes], every: {max(1, round(model.interval / value))}}}"
    return settings


def available(folder, model, series):
    """Whether the program takes the method for this deck (polhode check)."""
    document = yaml.safe_load((ROOT / "inputs/benchmarks" / f"{model.deck}.yaml").read_text())
    for key, value in settings_of(model, series, model.tolerances[0] if series.controlled else model.steps[0]).items():
        *path, last = key.split("__")
        place = document
        for name in path:
            place = place.setdefault(name, {})
        place[last] = yaml.safe_load(str(value))
    path = pathlib.Path(folder, "candidate.yaml")
    path.write_text("format: polhode-deck/1\n" + yaml.safe_dump({k: v for k, v in document.items() if k != "format"}))
    return subprocess.run([PROGRAM, "check", path], capture_output=True, check=False).returncode == 0


def states(results):
    names = results.node_names
    moving = [names.index(name) for name in names if (results.deck["nodes"].get(name) or {}).get("fixed") is not True]
    x = results.history("/nodes/position")[:, moving]
    q = results.history("/nodes/rotation")[:, moving]
    return results.time, x, rotation_matrices(q.reshape(-1, 4)).reshape(*q.shape[:2], 3, 3)


def error(model, found, reference):
    """Largest over time of the root mean square over the unknowns, positions by the size of the model."""
    (t, x, R), (t0, x0, R0) = found, reference
    at = [int(np.abs(t0 - time).argmin()) for time in t]
    same = [k for k, i in enumerate(at) if abs(t0[i] - t[k]) < 1e-9]
    chosen = [at[k] for k in same]
    angle = angles_between(R[same], R0[chosen])
    distance = np.linalg.norm(x[same] - x0[chosen], axis=-1) / model.size
    return float(np.sqrt(((distance**2 + angle**2) / 6).mean(axis=1)).max())


def reference_of(folder, model):
    """By lie_alpha with a small step; or radau5 with a small tolerance, and how far rosenbrock4 is from it."""
    found = []
    if model.reference:
        fine = Series("", "{method: lie_alpha}", newton="{relative: 1.0e-9}")
        return states(run(folder, model.deck, **settings_of(model, fine, model.reference))), math.nan
    for series, tolerance in ((Series("", "{method: radau5}", True), 2e-8), (Series("", "{method: rosenbrock4}", True), 2e-8)):
        try:
            found.append(states(run(folder, model.deck, **settings_of(model, series, tolerance))))
        except RunError as problem:
            print(f"{model.title}: reference: {str(problem).splitlines()[-1]}", file=sys.stderr)
    return found[0], error(model, found[1], found[0]) if len(found) > 1 else math.nan


def dotted(settings):
    return {key.replace("__", "."): value for key, value in settings.items()}


def count_of(model, settings):
    """10^6 instructions, those of set-up and output included."""
    return 1e-6 * count_instructions(PROGRAM, model.deck, dotted(settings)).instructions


def two_steps(model, series, value):
    """Of the method, or of lie_alpha where steps are controlled: in a short run these would be tiny, and many."""
    step = model.steps[-1] if series.controlled else value
    return settings_of(model, SERIES[0] if series.controlled else series, step) | {"analysis__duration": repr(2 * step)}


def points_of(folder, model, series, reference, limit):
    """[(value, 10^6 instructions, error)] from coarse to fine. The first three runs are counted, all with reused matrices,
    of long ones the first alone; the others have their instructions by their solves."""
    if (model.kind.startswith("flexible") and series.name in UNFIT) or not available(folder, model, series):
        return []
    # Instructions a solve change with the step where matrices are reused
    most = 5 if "kept" in series.newton else 3
    points, counted, before = [], [], None
    for value in model.tolerances if series.controlled else model.steps:
        settings = settings_of(model, series, value)
        try:
            found = error(model, states(run(folder, model.deck, **settings)), reference)
            used = program.run(PROGRAM, model.deck, dotted(settings))
            if before is None:
                before = count_of(model, two_steps(model, series, value))
            if len(counted) < most and used.cpu < (limit if counted else LONGEST):
                counted.append((used.solves, count_of(model, settings) - before))
            if not counted:
                break
            cost = counted[-1][1] * used.solves / counted[-1][0]
            points.append((value, max(cost, 0.01), found))
        except (RunError, MeasureError) as problem:
            print(f"{model.title}, {series.name}, {value:g}: {str(problem).splitlines()[-1][:150]}", file=sys.stderr)
    return points


def measure_model(folder, model, limit):
    reference, uncertain = reference_of(folder, model)
    found = {"uncertain": uncertain, "series": {}}
    for series in SERIES:
        points = points_of(folder, model, series, reference, limit)
        if points:
            found["series"][series.name] = points
            print(model.title, series.name, [(f"{v:g}", round(c, 1), f"{e:.1e}") for v, c, e in points], flush=True)
    return found


def price(points, target):
    """10^6 instructions for an error, along the line of the best points; nan where it is not reached."""
    best = []
    for _, cost, found in sorted(points, key=lambda point: point[1]):
        if np.isfinite(found) and (not best or found < best[-1][1]):
            best.append((cost, found))
    if not best or best[-1][1] > target:
        return math.nan
    if best[0][1] <= target:
        return best[0][0]  # the coarsest run does better: its cost, at most
    costs, errors = np.log(np.array(best)).T
    return float(np.exp(np.interp(np.log(target), errors[::-1], costs[::-1])))


def draw(measured, output):
    import style
    from figures import page
    shown = [model for model in MODELS if model.title in measured]
    figure, axes = page(-(-len(shown) // 3), 3, "Error against instructions")
    lines = {}
    for panel, model in zip(axes, shown):
        for i, series in enumerate(SERIES):
            points = measured[model.title]["series"].get(series.name)
            if points:
                line, = panel.loglog([p[1] for p in points], [p[2] for p in points], "--" if series.controlled else "-",
                                     marker="osD"[i // 8] if not series.controlled else "s", markersize=3, linewidth=1.1,
                                     color=style.color(i), label=series.name)
                lines[series.name] = line
        panel.set(title=f"{model.title}\n({model.kind})", xlabel="10⁶ instructions", ylabel="largest error")
        panel.set_ylim(top=min(1.0, 3 * panel.dataLim.y1))
    for panel in axes[len(shown):]:
        panel.set_visible(False)
    figure.get_layout_engine().set(rect=(0, 0.06, 1, 0.94))
    names = [series.name for series in SERIES if series.name in lines]
    figure.legend([lines[name] for name in names], names, loc="lower center", ncols=5)
    style.save(figure, output)


def tables(measured):
    rows = []
    for model in (model for model in MODELS if model.title in measured):
        found = measured[model.title]["series"]
        prices = {name: [price(points, target) for target in model.targets] for name, points in found.items()}
        best = [min((row[k] for row in prices.values() if not math.isnan(row[k])), default=math.nan)
                for k in range(len(model.targets))]
        rows += [f"### {model.title} ({model.kind})", "", "| 10⁶ instructions for an error of | "
                 + " | ".join(f"{target:.0e}".replace("e-0", "e-") for target in model.targets) + " |",
                 "| --- " * (1 + len(model.targets)) + "|"]
        for name, row in prices.items():
            cells = ["" if math.isnan(value) else f"**{value:.3g}**" if value == least else f"{value:.3g}"
                     for value, least in zip(row, best)]
            rows.append(f"| {name} | " + " | ".join(cells) + " |")
        uncertain = measured[model.title]["uncertain"]
        if model.reference:
            rows += ["", f"Reference: `lie_alpha` with {1e3 * model.reference:g} ms.", ""]
            continue
        rows += ["", f"Reference: `radau5` at 2e-8; `rosenbrock4` at 2e-8 is {uncertain:.0e} from it.".replace("e-0", "e-")
                 if not math.isnan(uncertain) else "Reference: `radau5` at 2e-8.", ""]
    return "\n".join(rows)


def main():
    parser = argparse.ArgumentParser(prog="method_choice.py", description=__doc__)
    parser.add_argument("-o", "--output", type=pathlib.Path, default=ROOT / "docs/verification", help="folder")
    parser.add_argument("--only", help="models whose title contains this")
    parser.add_argument("--limit", type=float, default=0.06, help="s of processor time of a run that is counted")
    parser.add_argument("--from", dest="kept", type=pathlib.Path, help="a file of measurements, which is added to")
    parser.add_argument("--jobs", type=int, default=1)
    arguments = parser.parse_args()
    measured = json.loads(arguments.kept.read_text()) if arguments.kept and arguments.kept.is_file() else {}
    chosen = [m for m in MODELS if m.title not in measured and (not arguments.only or arguments.only in m.title)]
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        started = {}
        for model in chosen:
            place = pathlib.Path(folder, str(len(started)))
            place.mkdir()
            started[pool.submit(measure_model, place, model, arguments.limit)] = model
        for done in concurrent.futures.as_completed(started):
            measured[started[done].title] = done.result()
            if arguments.kept:
                arguments.kept.write_text(json.dumps(measured))
    arguments.output.mkdir(parents=True, exist_ok=True)
    draw(measured, arguments.output / "method_choice.png")
    template = (pathlib.Path(__file__).parent / "method_choice.md").read_text()
    (arguments.output / "method_choice.md").write_text(
        "<!-- Written by scripts/verification/method_choice.py from method_choice.md; not for editing. -->\n\n"
        + template.replace("{{tables}}", tables(measured)))


if __name__ == "__main__":
    main()
