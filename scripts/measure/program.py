# SPDX-License-Identifier: BSD-3-Clause
"""Runs of `polhode run` under the clock: CPU time, peak memory, linear solves, instructions."""
import dataclasses
import functools
import pathlib
import re
import shutil
import subprocess
import sys
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
    analyses: float      # s, with output
    instructions: float = float("nan")
    clock: float = float("nan")  # s
    size: int = 0                # bytes of the results file
    payload: int = 0             # bytes of the numbers in it


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


def payload_of(output):
    """Bytes of all numbers of a results file, each dataset once, whatever names lead to it."""
    sizes = []

    def add(_, item):
        if isinstance(item, h5py.Dataset) and item.dtype.kind in "iuf" and not item.is_virtual:
            sizes.append(item.nbytes)

    with h5py.File(output, "r") as file:
        file.visititems(add)
    return sum(sizes)


# Starts the command from a process of its own: the largest resident size that the system counts for a command includes
# that of the process which started it, and this one holds h5py.
STARTER = """
import os, sys, time
begin = time.monotonic()
process = os.posix_spawn(sys.argv[2], sys.argv[2:], os.environ)
_, status, used = os.wait4(process, 0)
clock = time.monotonic() - begin
with open(sys.argv[1], "w") as file:
    print(os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime, 1024 * used.ru_maxrss, clock, file=file)
"""


@dataclasses.dataclass
class Used:
    """What a command took."""
    cpu: float    # s
    memory: int   # bytes
    clock: float  # s


def finish(command):
    """What the command used, and what it said on standard error. `command[0]`: a path."""
    with tempfile.TemporaryDirectory(prefix="polhode_bench_") as folder:
        figures, said = pathlib.Path(folder, "used"), pathlib.Path(folder, "said")
        with open(said, "w", encoding="utf-8") as stderr:
            subprocess.run([sys.executable, "-I", "-S", "-c", STARTER, str(figures), *command], stdin=subprocess.DEVNULL,
                           stdout=subprocess.DEVNULL, stderr=stderr, check=True)
        status, cpu, memory, clock = figures.read_text().split()
        text = said.read_text(encoding="utf-8")
    if status != "0":
        raise MeasureError(f"{' '.join(command)}\nended with exit status {status}:\n{text}")
    return Used(float(cpu), int(memory), float(clock)), text


def run(program, deck, settings, room=0):
    """One run, its results in a folder that is removed; `room`: bytes that the results will need."""
    with tempfile.TemporaryDirectory(prefix="polhode_bench_") as folder:
        free = shutil.disk_usage(folder).free
        if free < 1.5 * room:
            raise MeasureError(f"{folder} has room for {free / 1e9:.1f} GB, and the results need {room / 1e9:.1f} GB; "
                               "TMPDIR may name another place")
        output = pathlib.Path(folder, "results.h5")
        used, text = finish(command_of(program, deck, settings, output))
        times = re.search(r"reading ([0-9.]+), set-up ([0-9.]+), analyses ([0-9.]+)", text)
        return Run(used.cpu, used.memory, *counts_of(output), *(float(one) for one in times.groups()), clock=used.clock,
                   size=output.stat().st_size, payload=payload_of(output))


def count_instructions(program, deck, settings):
    """The same run under callgrind, which counts instructions: a figure that does not depend on the machine's load."""
    if not shutil.which("valgrind"):
        raise MeasureError("--instructions needs valgrind (in Debian: apt-get install valgrind)")
    with tempfile.TemporaryDirectory(prefix="polhode_bench_") as folder:
        output = pathlib.Path(folder, "results.h5")
        _, text = finish([shutil.which("valgrind"), "--tool=callgrind", f"--callgrind-out-file={folder}/callgrind",
                          *command_of(program, deck, settings, output)])
        return Run(0, 0, *counts_of(output), 0, 0, 0, float(re.search(r"Collected : (\d+)", text).group(1)))
