# SPDX-License-Identifier: BSD-3-Clause
"""Joints and force elements of the scene: nodes, points and axes in the nodes' frames, and what drives them."""
import numpy as np

from model import GROUND
from solids import quaternion

DRIVES = ("rotation", "translation", "motor", "motion")


def frame_along(axis, second=None):
    """A rotation matrix whose z axis is `axis`, and whose x axis is the part of `second` normal to it."""
    z = np.asarray(axis, dtype=float)
    length = np.linalg.norm(z)
    z = z / length if length > 0 and np.isfinite(length) else np.array([0.0, 0.0, 1.0])
    x = np.eye(3)[np.argmin(np.abs(z))] if second is None else np.asarray(second, dtype=float)
    x = x - z * (z @ x)
    if np.linalg.norm(x) < 1e-9:
        x = np.eye(3)[np.argmin(np.abs(z))]
        x = x - z * (z @ x)
    x = x / np.linalg.norm(x)
    return np.stack([x, np.cross(z, x), z], axis=1)


def is_driven(entry):
    if any(key in entry for key in DRIVES):
        return True
    return any(isinstance(entry.get(key), dict) and "motor" in entry[key] for key in ("about", "along"))


def directions(model, entry):
    axes = entry.get("axes")
    if isinstance(axes, list) and len(axes) == 2:
        return [model.numbers.vector(axis) for axis in axes]
    if isinstance(entry.get("axis"), list):
        return [model.numbers.vector(entry["axis"]), None]
    return [[0.0, 0.0, 1.0], None]


def rows_of(results, group):
    """Row of each name in the tables of a group."""
    return {name: row for row, name in enumerate(results.table_names(group))}


def entities(model, group):
    """Joints or forces with the points that they act on, in the deck's order."""
    results = model.results
    rows = rows_of(results, group)
    offsets = results.file.get("/joints/offsets") if group == "joints" else None
    offsets = offsets[()] if offsets is not None and hasattr(offsets, "shape") and len(offsets.shape) == 3 else None
    found = []
    for name, entry in model.entries(group):
        one = {"name": name, "type": str(entry.get("type")), "row": rows.get(name, -1)}
        ends = model.ends(entry)
        if ends is None:
            node = model.node(entry["node"]) if "node" in entry else None
            if node is None:
                one["nodes"] = []
            else:
                point = entry.get("at")
                local = np.zeros(3) if not isinstance(point, list) else model.local(node, model.numbers.vector(point))
                one |= {"nodes": [node], "points": [local.tolist()]}
            found.append(one)
            continue
        nodes, points = ends
        if offsets is not None and one["row"] >= 0:
            points = offsets[one["row"]]
        # The symbol stands on the second node, or on the first where the second is the ground.
        carrier = 1 if nodes[1] != GROUND else 0
        first, second = directions(model, entry)
        bases = frame_along(first, second)
        one |= {"nodes": nodes, "points": [np.asarray(p, dtype=float).tolist() for p in points], "carrier": carrier,
                "turn": quaternion(model.turned(nodes[carrier], bases)), "driven": is_driven(entry)}
        found.append(one)
    return found


def supports(model):
    """Nodes that the ground holds, and the row of their reactions."""
    rows = rows_of(model.results, "reactions")
    found = {name: row for name, row in rows.items() if name in model.index}
    for name, entry in model.entries("nodes"):
        if entry.get("fixed") and name in model.index:
            found.setdefault(name, -1)
    return [{"name": name, "node": model.index[name], "row": row} for name, row in found.items()]
