# SPDX-License-Identifier: BSD-3-Clause
"""Largest values of a run with their times and places."""
import numpy as np

from channels import shared

MOST = 12  # rows a table; the largest


def largest(values, times):
    """(value, time) of the largest absolute value of [T]."""
    row = int(np.nanargmax(np.abs(values)))
    return float(values[row]), float(times[row])


def of_vectors(results, group, quantity, what):
    """Rows (what, where, value, time) of the largest norms of the vectors of a group."""
    if group != "nodes" and not results.table_names(group):
        return []
    data, ranges = shared(results, group, quantity)
    if data is None:
        return []
    names = results.table_names(group)
    label = f"{what} [{results.unit(f'/{group}/{names[0]}/{quantity}')}]"
    data = data.reshape(len(data), -1)
    found = []
    for name, (first, count) in zip(names, ranges):
        if count == 3:
            value, time = largest(np.linalg.norm(data[:, first:first + 3], axis=1), results.time)
            found.append((label, name, value, time))
    return sorted(found, key=lambda row: -abs(row[2]))[:MOST]


def of_beams(results):
    """Largest axial force and bending moment of each beam, and at which share of its length."""
    if not results.table_names("beams"):
        return []
    data, ranges = shared(results, "beams", "forces")
    if data is None:
        return []
    data = data.reshape(len(data), -1, 6)
    found = []
    for name, (first, count) in zip(results.table_names("beams"), np.asarray(ranges) // 6):
        part = data[:, first:first + count]
        for what, component, values in (("axial force", 0, part[..., 0]),
                                        ("bending moment", 4, np.linalg.norm(part[..., 4:6], axis=2))):
            label = f"{what} [{results.unit(f'/beams/{name}/forces', component)}]"
            row, point = np.unravel_index(int(np.nanargmax(np.abs(values))), values.shape)
            place = f"{name}, at {(point + 0.5) / count:.2f} of its length"
            found.append((label, place, float(values[row, point]), float(results.time[row])))
    found.sort(key=lambda one: (one[0], -abs(one[2])))
    labels = dict.fromkeys(one[0] for one in found)
    return [one for label in labels for one in [row for row in found if row[0] == label][:MOST]]


def of_nodes(results, names):
    """Largest displacement and speed of the deck's nodes."""
    position = results.history("/nodes/position")
    chosen = [(name, results.node_names.index(name)) for name in names if name in results.node_names]
    found = []
    histories = [(f"displacement [{results.unit('/nodes/position', otherwise='m')}]", position - position[0])]
    if results.has("/nodes/velocity"):
        histories.append((f"speed [{results.unit('/nodes/velocity', otherwise='m/s')}]", results.history("/nodes/velocity")))
    for label, data in histories:
        rows = [(label, name, *largest(np.linalg.norm(data[:, node], axis=1), results.time)) for name, node in chosen]
        found += sorted(rows, key=lambda row: -abs(row[2]))[:MOST]
    return found


def extremes(results, nodes):
    found = [*of_nodes(results, nodes), *of_vectors(results, "joints", "force", "joint force"),
            *of_vectors(results, "joints", "moment", "joint moment"),
            *of_vectors(results, "reactions", "force", "support force"),
            *of_vectors(results, "reactions", "moment", "support moment"), *of_beams(results)]
    peaks = {}
    for label, _, value, _ in found:
        peaks[label] = max(peaks.get(label, 0.0), abs(value))
    return [row for row in found if abs(row[2]) > 1e-9 * peaks[row[0]]]  # the rest is round-off
