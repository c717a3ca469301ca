# SPDX-License-Identifier: BSD-3-Clause
"""Which runs a page shows: the files that were named, or cases of a study whose results were kept."""
import os

import h5py
import numpy as np

from results import ResultsError, has_format, text

STUDY = "polhode-study-table/"
MOST_CASES = 40
MOST_FILES = 8


def value_of(item):
    if isinstance(item, (bytes, str)):
        return text(item)
    number = float(item)
    return number if np.isfinite(number) else None


def study_of(path):
    """Runs and table of a study: the cases that have a results file, spread evenly where there are too many."""
    with h5py.File(path, "r") as file:
        title = text(file.attrs.get("title", "")) or os.path.basename(path)
        table = {name: data[:] for name, data in file["table"].items()}
        units = {name: text(data.attrs.get("units", "")) for name, data in file["table"].items()}
        varied = [text(name) for name in file["varied"][()]]
        responses = [text(name) for name in file["responses"][()]]
    folder = os.path.splitext(path)[0] + ".cases"
    kept = [(row, int(case)) for row, case in enumerate(table["case"])
            if os.path.isfile(os.path.join(folder, f"{int(case)}.h5"))]
    if not kept:
        raise ResultsError(f"{path}: a study without results of its cases; with `keep: all` in the study they stay in "
                           f"{folder}")
    count = len(kept)
    if count > MOST_CASES:
        kept = [kept[i] for i in np.unique(np.linspace(0, count - 1, MOST_CASES).round().astype(int))]
    varied = [name for name in varied if len({value_of(item) for item in table[name]}) > 1] or varied
    columns = [*varied, *responses]
    rows = [{"case": case, "status": text(table["status"][row]),
             "values": [value_of(table[name][row]) for name in columns]} for row, case in kept]
    runs = [{"path": os.path.join(folder, f"{case}.h5"), "label": f"case {case}", "case": case} for _, case in kept]
    note = f"{len(kept)} of {count} cases are in this page" if len(kept) < count else None
    return runs, {"title": title, "columns": [{"name": name, "units": units[name], "varied": name in varied}
                                              for name in columns], "rows": rows, "note": note}


def labels_of(paths):
    """Shortest names that differ."""
    short = [os.path.splitext(os.path.basename(path))[0] for path in paths]
    return short if len(set(short)) == len(short) else [os.path.splitext(path)[0] for path in paths]


def runs_of(paths):
    for path in paths:
        if not os.path.isfile(path):
            raise ResultsError(f"{path}: no such file")
    if len(paths) == 1 and has_format(paths[0], STUDY):
        return study_of(paths[0])
    if len(paths) > MOST_FILES:
        raise ResultsError(f"{len(paths)} files; a page compares at most {MOST_FILES}")
    return [{"path": path, "label": label} for path, label in zip(paths, labels_of(paths))], None
