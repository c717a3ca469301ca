# SPDX-License-Identifier: BSD-3-Clause
"""Shares of the phases of a step, from the micro benchmarks (tests/bench) and the cost of the whole program."""
import json
import pathlib
import subprocess
import tempfile

from cases import NO_OUTPUT

# Measured model by case.
MODELS = {"chain 10": "chain_10", "chain 1000": "chain_1000", "chain 10000": "chain_10000",
          "chain 100000": "chain_100000", "heavy top": "heavy_top", "four-bar": "four_bar", "right-angle beam": "right_angle_beam"}
COUNTERS = {"solves", "s_per_element", "s_per_row", "blocks"}


def run_micro(program, chosen):
    """Least CPU time in microseconds by name of the benchmark, and counters by NAME:COUNTER, of the models of these cases."""
    wanted = "|".join(model for case, model in MODELS.items() if case in chosen)
    if not wanted:
        return {}
    with tempfile.TemporaryDirectory(prefix="polhode_bench_") as folder:
        out = pathlib.Path(folder, "micro.json")
        command = [program, f"--benchmark_filter=/({wanted})$", "--benchmark_repetitions=5", "--benchmark_min_time=0.05"]
        subprocess.run([*command, f"--benchmark_out={out}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
        entries = json.loads(out.read_text())["benchmarks"]
    times = {}
    for entry in entries:
        if entry["run_type"] != "iteration":
            continue
        name, scale = entry["run_name"], {"ns": 1e-3, "us": 1.0, "ms": 1e3, "s": 1e6}[entry["time_unit"]]
        values = {name: scale * entry["cpu_time"]}
        values |= {f"{name}:{key}": entry[key] for key in COUNTERS & entry.keys()}
        for key, value in values.items():
            times[key] = min(value, times.get(key, value))
    return times


def phases_of(case, costs, micro):
    """Microseconds a step by phase, from the figures by case and the micro benchmarks.

    Output is what a run saves without it, the rest what it costs beyond the step of the method. One residual a solve is
    counted: the criterion by residuals needs one more a step, which then stands under the update.
    """
    model = MODELS[case]

    def time(phase):
        return micro[f"{phase}/{model}"]

    whole, silent = costs[case]["us_per_step"], costs[case + NO_OUTPUT]["us_per_step"]
    solves = costs[case]["solves_per_step"]
    step = time("step") / micro[f"step/{model}:solves"]
    return {
        "residual": solves * time("residual"),
        "tangents": solves * time("matrix_without_scatter"),
        "scatter": solves * (time("matrix") - time("matrix_without_scatter")),
        "factorization": solves * time("factorize"),
        "solution": solves * time("solve"),
        "update, norms": solves * (step - time("residual") - time("matrix") - time("factorize") - time("solve")),
        "rest": silent - solves * step,
        "output": whole - silent,
    }
