# SPDX-License-Identifier: BSD-3-Clause
"""Histories of a results file by name, as in responses: nodes.tip.position.z, joints.*.force, energy.total."""
import difflib
import fnmatch

import h5py
import numpy as np

from results import ResultsError

VECTORS = {3: "xyz"}
SINGLE = ("energy", "invariants", "signals", "static")  # groups without entities
GROUPS = ("nodes", "joints", "reactions", "beams", "forces")
MOST = 40  # curves on a page


def near(wanted, known, count=5):
    """Known names like one that is not known, the most alike first."""
    lower = {name.lower(): name for name in known}
    found = [lower[name] for name in difflib.get_close_matches(wanted.lower(), list(lower), count, 0.5)]
    return found or [name for name in known if wanted.lower().split(".")[-1] in name.lower()][:count]


def quantities(results, group):
    """Names of the histories of a group."""
    names = set(results.table_names(group)) if group != "nodes" else set()
    found = [key for key, item in results.file[group].items() if isinstance(item, h5py.Dataset) and item.maxshape
             and item.maxshape[0] is None and key not in names]
    if found or group == "nodes":
        return found
    groups = [results.file[group][name] for name in names if isinstance(results.file[group].get(name), h5py.Group)]
    return sorted({key for entity in groups for key, item in entity.items()  # version 1
                   if item.maxshape and item.maxshape[0] is None})


def all_signals(results):
    """Paths by name: nodes.tip.position -> (path, item), item only for nodes."""
    found = {}
    for group in SINGLE:
        for key, item in results.file.get(group, {}).items():
            if item.shape and item.shape[0] >= results.count:
                found[f"{group}.{key}"] = (f"/{group}/{key}", None)
    for group in GROUPS:
        if group not in results.file:
            continue
        names = results.node_names if group == "nodes" else results.table_names(group)
        for key in quantities(results, group):
            for place, name in enumerate(names):
                path = f"/{group}/{key}" if group == "nodes" else f"/{group}/{name}/{key}"
                if group == "nodes" or results.has(path):
                    found[f"{group}.{name}.{key}"] = (path, place if group == "nodes" else None)
    return found


def component(name, known):
    """Name without its component, and the component: x, y, z or [k]."""
    if name in known:
        return name, None
    head, dot, last = name.rpartition(".")
    if dot and last in ("x", "y", "z"):
        return head, "xyz".index(last)
    if name.endswith("]") and "[" in name:
        head, _, number = name[:-1].rpartition("[")
        if number.isdigit():
            return head, int(number)
    return name, None


def columns(name, data, part):
    """(name, numbers [T]) of a history, of one component or of all of them."""
    data = data.reshape(len(data), -1)
    if part is not None:
        if part >= data.shape[1]:
            raise ResultsError(f"{name}: has {data.shape[1]} components")
        letters = VECTORS.get(data.shape[1])
        return [(f"{name}.{letters[part]}" if letters else f"{name}[{part}]", data[:, part])]
    if data.shape[1] == 1:
        return [(name, data[:, 0])]
    letters = VECTORS.get(data.shape[1])
    return [(f"{name}.{letters[k]}" if letters else f"{name}[{k}]", data[:, k]) for k in range(data.shape[1])]


def unit_of_signal(results, path):
    """Of what a sensor reads, or "": formulas have none."""
    unit = results.unit(path)
    return "" if unit == "1" else unit


def panels_of_signals(results, wanted):
    """(title, unit, [(name, numbers)]) a pattern: one panel each, by the order they were asked for."""
    known = all_signals(results)
    panels, count = [], 0
    for pattern in wanted:
        head, part = component(pattern, known)
        names = [name for name in known if fnmatch.fnmatchcase(name, head)]
        if not names and head != pattern:
            names, part = [name for name in known if fnmatch.fnmatchcase(name, pattern)], None
        if not names:
            alike = near(head, list(known))
            hint = f"; near names: {', '.join(alike)}" if alike else ""
            raise ResultsError(f"{results.path}: no signal {pattern}{hint}")
        by_unit = {}
        for name in names:
            path, item = known[name]
            unit = unit_of_signal(results, path) if path.startswith("/signals/") else results.unit(path)
            data = results.history(path, item)
            if part is None and len(names) > 2 and data.reshape(len(data), -1).shape[1] == 3:
                series = [(f"|{name}|", np.linalg.norm(data.reshape(len(data), 3), axis=1))]  # fewer curves
            else:
                series = columns(name, data, part)
            by_unit.setdefault(unit, []).extend(series)
        for unit, series in by_unit.items():
            count += len(series)
            panels.append((pattern, unit, series))
    if count > MOST:
        raise ResultsError(f"{results.path}: {count} curves match; a page has at most {MOST}")
    return panels


def is_noise(data, scale):
    """Whether a history is constant but for round-off, beside numbers of the size `scale`."""
    return float(np.ptp(data)) <= 1e-9 * max(float(np.abs(data).max()), scale)
