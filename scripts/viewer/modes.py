# SPDX-License-Identifier: BSD-3-Clause
"""Modes of a results file: frequencies, damping, words, and shapes about the state that they belong to."""
import numpy as np

MOST_NUMBERS = 3_000_000


def modes_of(results, packer):
    """A table of modes and a note on what is not there; adds their shapes to the packer."""
    file = results.file
    if "/modal/shapes" not in file or not len(file["/modal/frequencies"]):
        return [], None
    shapes = file["/modal/shapes"]
    total = min(len(file["/modal/frequencies"]), len(shapes))
    count = min(total, max(1, MOST_NUMBERS // max(int(np.prod(shapes.shape[1:])), 1)))
    frequency, damping, analysis = (file[f"/modal/{key}"][:count] for key in ("frequencies", "damping", "analysis"))
    text = [item.decode() if isinstance(item, bytes) else str(item) for item in file["/modal/text"][:count]]
    number = file["/modal/number"][:count] if "/modal/number" in file else np.arange(1, count + 1)
    stored = results.history("/analysis")
    table = []
    for i in range(count):
        before = np.flatnonzero(stored <= analysis[i])
        table.append({"number": int(number[i]), "frequency": float(frequency[i]), "damping": float(damping[i]),
                      "analysis": int(analysis[i]), "text": text[i], "state": int(before[-1]) if len(before) else 0})
    packer.add("modal/shapes", shapes[:count], "f4")
    return table, f"the first {count} of {total} modes" if count < total else None
