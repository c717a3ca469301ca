# SPDX-License-Identifier: BSD-3-Clause
"""Runs of `polhode run` under the clock: CPU time, peak memory, linear solves, instructions."""
import dataclasses
import functools
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

import h5py

ROOT = pathlib.Path(__file__).resolve().parents[2]


class MeasureError(Exception):
    """A measurement could not be made; the message says why."""


@dataclasses.dataclass
class Run:
    """What one run cost."""
    cpu: float           # s, user and system
    memory: int          # bytes, largest resident size
    solves: int
    steps: int
    reading: float       # s, by the program's own clock
    set_up: float
    instructions: float = float("nan")


@functools.cache
def takes_threads(program):
    """False for revisions that ran with one thread always."""
    text = subprocess.run([str(program), "run", "--help"], capture_output=True, text=True, check=True).stdout
    return "number of threads (not yet" not in " ".join(text.split())


def command_of(program, deck, settings, output):
    """`deck`: a name in inputs/benchmarks, or a path."""
    file = deck if isinstance(deck, pathlib.Path) else ROOT / "inputs/benchmarks" / f"{deck}.yaml"
    command = [str(program), "run", str(file), "-o", str(output)]
    if takes_threads(program):
        command += ["--threads", "1"]
    for path, value in settings.items():
        command += ["--set", f"{path}={value}"]
    return command


def counts_of(output):
    """Linear solves and steps of a results file."""
    with h5py.File(output, "r") as file:
        iterations = file["/solver/newton_iterations"][:]
    return int(iterations.sum()), len(iterations)


def finish(command):
    """Ends with the resources that the command used, and what it said."""
    with tempfile.TemporaryFile("w+") as said:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=said)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        text = said.read()
    if process.returncode:
        raise MeasureError(f"{' '.join(command)}\nended with exit status {process.returncode}:\n{text}")
    return used, text


def run(program, deck, settings, room=0):
    """One run, its results in a folder that is removed; `room`: bytes that the results will need."""
    with tempfile.TemporaryDirectory(prefix="polhode_bench_") as folder:
        free = shutil.disk_usage(folder).free
        if free < 1.5 * room:
            raise MeasureError(f"{folder} has room for {free / 1e9:.1f} GB, and the results need {room / 1e9:.1f} GB; "
                               "TMPDIR may name another place")
        output = pathlib.Path(folder, "results.h5")
        used, text = finish(command_of(program, deck, settings, output))
        times = re.search(r"reading ([0-9.]+), set-up ([0-9.]+)", text)
        return Run(used.ru_utime + used.ru_stime, 1024 * used.ru_maxrss, *counts_of(output),
                   *(float(time) for time in times.groups()))


def count_instructions(program, deck, settings):
    """The same run under callgrind, which counts instructions: a figure that does not depend on the machine's load."""
    if not shutil.which("valgrind"):
        raise MeasureError("--instructions needs valgrind (in Debian: apt-get install valgrind)")
    with tempfile.TemporaryDirectory(prefix="polhode_bench_") as folder:
        output = pathlib.Path(folder, "results.h5")
        _, text = finish(["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/callgrind",
                          *command_of(program, deck, settings, output)])
        return Run(0, 0, *counts_of(output), 0, 0, float(re.search(r"Collected : (\d+)", text).group(1)))
