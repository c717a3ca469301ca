# SPDX-License-Identifier: BSD-3-Clause
"""Runs of the program over the published decks, several at a time, and the order of convergence that they show."""
import concurrent.futures
import hashlib
import os
import pathlib
import re
import subprocess

import numpy as np

from motion import rotation_matrices
from results import Results

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("POLHODE_BINARY", str(ROOT / "build/release/polhode"))


class RunError(Exception):
    """A run has failed; the message holds what the program said."""


def run(folder, deck, may_fail=False, **settings):
    """The results of a deck of inputs/benchmarks under --set; `__` stands for the dot in a path. `may_fail`: also
    what a run leaves whose solution fails."""
    name = "_".join([deck, *(f"{key.split('__')[-1]}-{value}" for key, value in settings.items())])
    if len(name) > 200:  # file systems have limits
        name = name[:150] + hashlib.sha256(name.encode()).hexdigest()
    output = pathlib.Path(folder, re.sub(r"[^\w.-]", "_", name) + ".h5")
    command = [PROGRAM, "run", str(ROOT / "inputs/benchmarks" / f"{deck}.yaml"), "-o", str(output)]
    for key, value in settings.items():
        command += ["--set", f"{key.replace('__', '.')}={value}"]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode and not (may_fail and done.returncode == 3):
        raise RunError(f"{' '.join(command)}\nended with exit status {done.returncode}:\n{done.stderr}")
    return Results(str(output))


class Runs:
    """Starts runs at once, hands out their results when asked."""

    def __init__(self, folder):
        self.folder = folder
        self.pool = concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count())
        self.started = {}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.pool.shutdown(wait=True, cancel_futures=True)

    def start(self, deck, **settings):
        key = (deck, *sorted(settings.items()))
        if key not in self.started:
            self.started[key] = self.pool.submit(run, self.folder, deck, **settings)
        return self.started[key]

    def method(self, deck, method, **settings):
        return self.start(deck, analysis__integrator__method=method, **settings)

    def grid(self, deck, method, step, duration, interval, **settings):
        """A run of step `step` whose states are stored on a grid of `interval`."""
        return self.method(deck, method, analysis__step=repr(step), analysis__duration=repr(duration),
                           output__every=round(interval / step), **settings)


def node_history(results, node, quantity="position"):
    return results.history(f"/nodes/{quantity}", results.node_names.index(node))


def rotation_vector(results, node):
    """The Cartesian rotation vector psi = log R, |psi| <= pi."""
    quaternion = node_history(results, node, "rotation")
    quaternion = np.where(quaternion[:, :1] < 0, -quaternion, quaternion)
    length = np.linalg.norm(quaternion[:, 1:], axis=1)
    angle = 2 * np.arctan2(length, quaternion[:, 0])
    return quaternion[:, 1:] * np.where(length > 1e-12, angle / np.maximum(length, 1e-300), 2.0)[:, None]


def rotation_error(a, b, node):
    """Norm of log(R_b^T R_a) at each time."""
    Ra, Rb = (rotation_matrices(node_history(results, node, "rotation")) for results in (a, b))
    relative = np.swapaxes(Rb, -1, -2) @ Ra
    skew = np.stack([relative[:, 2, 1] - relative[:, 1, 2], relative[:, 0, 2] - relative[:, 2, 0],
                     relative[:, 1, 0] - relative[:, 0, 1]], axis=1)
    return np.arctan2(np.linalg.norm(skew, axis=1), np.trace(relative, axis1=1, axis2=2) - 1)


def largest_error(results, reference, quantity, start=0.0):
    """Maximum over the common grid, from `start` on, of the Euclidean norm of the difference."""
    count = min(len(results.time), len(reference.time))
    if not np.allclose(results.time[:count], reference.time[:count], rtol=0, atol=1e-9):
        raise RunError(f"{results.path} and {reference.path} have different grids of time")
    chosen = results.time[:count] >= start - 1e-9
    return np.linalg.norm(quantity(results)[:count] - quantity(reference)[:count], axis=1)[chosen].max()


def slope(steps, errors):
    """Observed order: slope of the least-squares line through log(error) over log(step)."""
    return np.polyfit(np.log(steps), np.log(errors), 1)[0]


def mean_solves(results):
    return float(np.mean(results.steps("newton_iterations")))
