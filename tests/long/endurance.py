# SPDX-License-Identifier: BSD-3-Clause
"""Many steps of the heavy top: memory stays, rotations stay orthogonal, and `check` knows the size of the results.

usage: endurance.py [STEPS [FOLDER]]; 1e8 steps write 11 GB into the folder (default: the present one), which are removed.
"""
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import h5py
import numpy as np

ROOT = Path(__file__).resolve().parents[2]
BINARY = os.environ.get("POLHODE_BINARY", str(ROOT / "build" / "release" / "polhode"))
STEP = 0.001  # s
STATES = 1000


def megabytes_of(process):
    """Resident memory."""
    for line in Path(f"/proc/{process.pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1000
    return None  # it is ending


def run(deck, output):
    """Runs the deck; memory in MB at each half second."""
    memory = []
    with subprocess.Popen([BINARY, "run", deck, "-o", output, "--quiet"]) as process:
        while process.poll() is None:
            memory.append(megabytes_of(process))
            time.sleep(0.5)
    assert process.returncode == 0
    return [one for one in memory if one is not None]


def predicted_bytes(deck):
    said = subprocess.run([BINARY, "check", deck], check=True, capture_output=True, text=True).stdout
    number, unit = re.search(r"results +about ([\d.e+]+) (\wB)", said).groups()
    return float(number) * {"kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12}[unit]


def worst_entry(file):
    """Of R^T R - 1, over all stored rotations; quaternions are (w, x, y, z)."""
    with h5py.File(file, "r") as results:
        w, x, y, z = np.moveaxis(results["nodes/rotation"][()], -1, 0)
    rotation = np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])
    return abs(np.einsum("ki...,kj...->...ij", rotation, rotation) - np.eye(3)).max()


def main():
    steps = int(float(sys.argv[1])) if len(sys.argv) > 1 else 100_000_000
    folder = Path(sys.argv[2] if len(sys.argv) > 2 else ".")
    deck, output = folder / "endurance.yaml", folder / "endurance.h5"
    text = (ROOT / "inputs/benchmarks/heavy_top.yaml").read_text()
    text = re.sub(r"duration: .*", f"duration: {steps * STEP}", text)
    text = re.sub(r"  step: .*", f"  step: {STEP}", text)
    deck.write_text(f"{text}\noutput: {{every: {max(1, steps // STATES)}}}\n")
    try:
        predicted = predicted_bytes(deck)
        memory = run(deck, output)
        orthogonal = worst_entry(output)
        size = output.stat().st_size
    finally:
        for file in (deck, output, output.with_suffix(".xdmf")):
            file.unlink(missing_ok=True)
    # HDF5's caches fill up to their limits in the first ten million steps.
    begin, end = max(memory[: len(memory) // 2 + 1]), max(memory)
    print("memory, MB:", memory[:: max(1, len(memory) // 10)])
    print(f"{steps:.3g} steps: rotations orthogonal to {orthogonal:.2g}; memory {begin:.1f} MB in the first half, "
          f"{end:.1f} MB at most; results {size / 1e6:.1f} MB, predicted {predicted / 1e6:.1f} MB")
    good = orthogonal <= 2e-15 and end <= begin + 1 and abs(size / predicted - 1) <= 0.1
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
