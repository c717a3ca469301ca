# SPDX-License-Identifier: BSD-3-Clause
"""Runs that are taken up again: their decks, and the comparison of two results files to the last bit."""
import os
import signal
import subprocess
import time
from pathlib import Path

import h5py

ROOT = Path(__file__).resolve().parents[2]
BINARY = os.environ.get("POLHODE_BINARY", str(ROOT / "build" / "release" / "polhode"))
BENCHMARKS = ROOT / "inputs" / "benchmarks"
EXAMPLES = ROOT / "inputs" / "examples"
# Of a restart point (src/io/hdf5/restart_head.hpp)
HEAD = 0x706F6C686F646501
WORDS_OF_HEAD = 10


class RunDeck:
    """A deck with what is set in it; `factor` makes it long enough to be killed on the way."""

    def __init__(self, name, file, *settings, restart=20, long=()):
        self.name = name
        self.file = file
        self.settings = [*settings, f"output.restart={restart}"]
        self.long = list(long)

    def arguments(self, is_long=False):
        result = [str(self.file)]
        for setting in [*self.settings, *(self.long if is_long else [])]:
            result += ["--set", setting]
        return result


# All methods, steps under control, kept Jacobians, static paths, friction, counted angles, analyses in turn.
DECKS = [
    RunDeck("kept_jacobian", BENCHMARKS / "heavy_top.yaml", "analysis.duration=0.5", "analysis.newton={jacobian: kept}",
            long=["analysis.duration=800", "output={every: 20, restart: 1000}"]),
    RunDeck("controlled", BENCHMARKS / "four_bar.yaml", "analysis.duration=1", "analysis.step={tolerance: 1.0e-4}",
            "analysis.newton={}", restart=10,
            long=["analysis.duration=20", "output={every: 4, restart: 50}"]),
    RunDeck("friction", EXAMPLES / "slider_crank.yaml", "analysis.duration=0.3", "output.interval=0.0037",
            long=["analysis.duration=120", "output={interval: 0.037, restart: 500}"]),
    RunDeck("rotation_vector", BENCHMARKS / "flyball_governor.yaml", "analysis.duration=1",
            "analysis.integrator.method=ul_rotation_vector",
            long=["analysis.duration=250", "output={every: 5, restart: 200}"]),
    RunDeck("index2", BENCHMARKS / "spatial_slider_crank.yaml", "analysis.duration=0.4", "responses={}",
            "analysis.integrator.method=lie_alpha_index2", "analysis.step={tolerance: 1.0e-4}", restart=10,
            long=["analysis.duration=40", "output={every: 5, restart: 100}"]),
    RunDeck("energy_momentum", BENCHMARKS / "double_spherical_pendulum.yaml", "analysis.duration=2",
            long=["analysis.duration=2000", "output={every: 10, restart: 1000}"]),
    RunDeck("variational", BENCHMARKS / "free_rigid_body.yaml", "analysis.duration=1",
            "analysis.integrator={method: variational}",
            long=["analysis.duration=2500", "output={every: 20, restart: 1000}"]),
    RunDeck("radau5", BENCHMARKS / "composite_cantilever_struck.yaml", "analysis.duration=0.05", "responses={}",
            "beams.box.elements=4", restart=5, long=["analysis.duration=1.5", "output.restart=20"]),
    RunDeck("rosenbrock4", BENCHMARKS / "vehicle_over_bump.yaml", "analysis.duration=2", "output={every: 3}",
            long=["analysis.duration=5", "analysis.step={tolerance: 1.0e-7, max: 0.002}"]),
    RunDeck("bdf", BENCHMARKS / "heavy_top.yaml", "analysis.duration=1", "analysis.newton={}",
            "analysis.step={tolerance: 1.0e-6}", "analysis.integrator={method: bdf}", restart=50,
            long=["analysis.duration=60", "output={every: 4, restart: 500}"]),
    RunDeck("arc_length", BENCHMARKS / "lee_frame.yaml", restart=3,
            long=["beams.column.elements=100", "analysis.largest_step=0.01"]),
    RunDeck("in_turn", ROOT / "tests" / "restart" / "in_turn.yaml", restart=2,
            long=["analysis.6.duration=60", "output.restart=50"]),
]
# What these leave out: other methods, norms, starts and frames, signals, cables.
MORE = [
    RunDeck("load_steps", BENCHMARKS / "roll_up.yaml", "analysis.largest_step=0.05", restart=3),
    RunDeck("stable_branch", BENCHMARKS / "elastica.yaml", "analysis.stable=true", "analysis.largest_step=0.03",
            restart=2),
    RunDeck("hht", BENCHMARKS / "right_angle_beam.yaml", restart=11),
    RunDeck("tables_of_rows", EXAMPLES / "four_parallel_hinges.yaml", "analysis.duration=1"),
    RunDeck("blade", BENCHMARKS / "blade_nrel_5mw.yaml", restart=7),
    RunDeck("bushings", EXAMPLES / "engine_on_mounts.yaml", "analysis.duration=1"),
    RunDeck("spatial_frame", BENCHMARKS / "heavy_top.yaml", "analysis.duration=0.5",
            "analysis.integrator={method: lie_alpha, frame: spatial}",
            "analysis.newton={predictor: extrapolate, criterion: weighted}"),
    RunDeck("perturbed", BENCHMARKS / "four_bar.yaml", "analysis.duration=2",
            "analysis.integrator={method: lie_alpha, initial: perturbed, rho_infinity: 0.8}",
            "analysis.newton={jacobian: kept, criterion: increment}"),
    RunDeck("controlled_contact", EXAMPLES / "mast_struck.yaml", "analysis.duration=20"),
    RunDeck("ul_crv", BENCHMARKS / "n_four_bar.yaml", "analysis.duration=1", "analysis.integrator.method=ul_crv",
            long=["analysis.duration=200", "output={every: 5, restart: 500}"]),
    RunDeck("rosenbrock_w2", BENCHMARKS / "pendulum.yaml", "analysis.duration=1", "responses={}",
            "analysis.integrator={method: rosenbrock_w2}", "analysis.newton={jacobian: kept}",
            "analysis.step={tolerance: 1.0e-4}", long=["analysis.duration=60", "output.restart=100"]),
    RunDeck("adams", BENCHMARKS / "pendulum.yaml", "analysis.duration=1", "responses={}",
            "analysis.integrator={method: adams}", "analysis.step={tolerance: 1.0e-6}",
            long=["analysis.duration=1000", "output={every: 5, restart: 500}"]),
    RunDeck("explicit_rk", BENCHMARKS / "pendulum.yaml", "analysis.duration=1", "responses={}",
            "analysis.integrator={method: explicit_rk}", "analysis.step={tolerance: 1.0e-6}", restart=5,
            long=["analysis.duration=2000", "output={every: 5, restart: 500}"]),
    RunDeck("radau_fixed", BENCHMARKS / "bennett.yaml", "analysis.duration=1", "analysis.integrator={method: radau5}"),
    RunDeck("index2_projected", BENCHMARKS / "bennett.yaml", "analysis.duration=1",
            "analysis.integrator={method: lie_alpha_index2}", "output={interval: 0.013}"),
    RunDeck("controlled_kept", BENCHMARKS / "spin_up_beam.yaml", "analysis.duration=3",
            "analysis.step={tolerance: 1.0e-4}", restart=30),
    RunDeck("driven", EXAMPLES / "robot_arm_driven.yaml"),
    RunDeck("momentum_beam", BENCHMARKS / "flying_spaghetti.yaml", "analysis.duration=2", "responses={}",
            "analysis.integrator={method: energy_momentum}", "output={every: 7}"),
    RunDeck("spaghetti", BENCHMARKS / "flying_spaghetti.yaml", "analysis.duration=3", "responses={}"),
    RunDeck("signals", ROOT / "tests" / "restart" / "signals.yaml",
            long=["analysis.duration=60", "output={every: 5, restart: 500}"]),
    RunDeck("signals_index2", ROOT / "tests" / "restart" / "signals.yaml",
            "analysis.integrator={method: lie_alpha_index2}", "analysis.step={tolerance: 1.0e-4}",
            long=["analysis.duration=30", "output={every: 5, restart: 500}"]),
    RunDeck("pid", EXAMPLES / "pendulum_pid.yaml", "analysis.duration=2", "responses={}",
            long=["analysis.duration=1000", "output={every: 10, restart: 2000}"]),
    RunDeck("pid_radau5", EXAMPLES / "pendulum_pid.yaml", "analysis.duration=2", "responses={}",
            "analysis.integrator={method: radau5}", "analysis.step={tolerance: 1.0e-5}", restart=10),
    RunDeck("pid_rosenbrock4", EXAMPLES / "pendulum_pid.yaml", "analysis.duration=2", "responses={}",
            "analysis.integrator={method: rosenbrock4}", "analysis.step={tolerance: 1.0e-5}", restart=10),
    RunDeck("sampled_beams", EXAMPLES / "arm_lqg.yaml", "analysis.duration=0.3", "responses={}",
            long=["analysis.duration=20", "output={every: 5, restart: 200}"]),
    RunDeck("sampled_radau5", EXAMPLES / "arm_lqg.yaml", "analysis.duration=0.3", "responses={}",
            "analysis.integrator={method: radau5}"),
    RunDeck("sampled_rosenbrock4", EXAMPLES / "arm_lqg.yaml", "analysis.duration=0.3", "responses={}",
            "analysis.integrator={method: rosenbrock4}", "analysis.step={tolerance: 1.0e-4}", restart=10),
    RunDeck("signals_radau5", EXAMPLES / "cart_and_pole_held.yaml", "analysis.duration=6", "responses={}",
            "analysis.integrator={method: radau5}", "analysis.step={tolerance: 1.0e-6}", restart=5),
    RunDeck("cables", EXAMPLES / "lamp_on_a_wire.yaml", "analysis.1.duration=0.5", "responses={}",
            long=["analysis.1.duration=120", "output={every: 5, restart: 500}"]),
    RunDeck("momentum_order2", BENCHMARKS / "flying_spaghetti.yaml", "analysis.duration=1", "responses={}",
            "analysis.integrator={method: energy_momentum}", "beams.rod.order=2",
            long=["analysis.duration=50", "output={every: 5, restart: 200}"]),
    RunDeck("events", EXAMPLES / "bouncing_ball.yaml", "responses={}",
            long=["analysis.duration=1000", "events.stop.when=990", "parameters.e=1", "output.restart=500"]),
    RunDeck("locks", EXAMPLES / "satellite_booms.yaml", "responses={}",
            long=["analysis.duration=500", "output.restart=200"]),
    RunDeck("excavator", EXAMPLES / "excavator_arm.yaml", "analysis.duration=2"),
]


def polhode(*arguments, **options):
    return subprocess.run([BINARY, *map(str, arguments)], capture_output=True, text=True, check=False, **options)


def run(deck, output, *settings, is_long=False):
    more = [argument for setting in settings for argument in ("--set", setting)]
    done = polhode("run", *deck.arguments(is_long), *more, "-o", output, "--quiet")
    assert done.returncode == 0, f"{deck.name}: {done.stderr}"


def restart(file, output, *arguments):
    done = polhode("run", *arguments, "--restart", file, "-o", output)
    assert done.returncode == 0, f"{file}: {done.stderr}"
    return done.stderr


def killed(arguments, seconds):
    """Kills the program after so many seconds. False if it was done before."""
    nowhere = subprocess.DEVNULL
    with subprocess.Popen([BINARY, *map(str, arguments)], stdout=nowhere, stderr=nowhere) as process:
        time.sleep(seconds)
        process.send_signal(signal.SIGKILL)
        return process.wait() != 0


def run_and_kill(deck, output, seconds, is_long=False):
    return killed(["run", *deck.arguments(is_long), "-o", output, "--quiet"], seconds)


def restart_and_kill(file, output, seconds):
    return killed(["run", "--restart", file, "-o", output, "--quiet"], seconds)


def bytes_of(file):
    """Bytes of all datasets but the log, with their shapes, by path."""
    found = {}

    def add(path, item):
        if isinstance(item, h5py.Dataset) and path != "log":
            values = item[()]
            if not isinstance(values, bytes):
                values = repr(values.tolist()) if values.dtype == object else values.tobytes()
            found[path] = (item.shape, values)

    with h5py.File(file, "r") as results:
        results.visititems(add)
        found["status"] = results.attrs["status"]
    return found


def points_of(file):
    """The restart points by their number: words of each, its head first."""
    with h5py.File(file, "r") as results:
        dataset = results["restart/points"]
        words = dataset[()].view("<u8")
        block = dataset.chunks[0]
    points = {}
    for start in range(0, len(words), block):
        if words[start] == HEAD:
            points[int(words[start + 2])] = words[start : start + WORDS_OF_HEAD + int(words[start + 1])]
    return points


def times_of(points):
    """s, of the points."""
    return [float(points[number][5:6].view("<f8")[0]) for number in sorted(points)]


def forget_points_behind(file, last):
    """Makes a file one of a run that was cut behind this point, apart from its rows."""
    with h5py.File(file, "r+") as results:
        dataset = results["restart/points"]
        words = dataset[()]
        numbers = words.view("<u8")
        for start in range(0, len(words), dataset.chunks[0]):
            if numbers[start] == HEAD and numbers[start + 2] > last:
                dataset[start] = 0


def differences(one, other, *but):
    """Paths of the datasets that differ; of the restart points what they hold, not where."""
    a, b = bytes_of(one), bytes_of(other)
    for found, file in ((a, one), (b, other)):
        found["restart/points"] = {number: words.tobytes() for number, words in points_of(file).items()}
    return sorted(path for path in a.keys() | b.keys() if a.get(path) != b.get(path) and path not in but)
