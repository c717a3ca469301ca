# SPDX-License-Identifier: BSD-3-Clause
"""Which nodes a picture of positions shows, and which it does not."""
import numpy as np

import signals
from results import ResultsError

MAX_LINES = 7  # in a panel; more cannot be told apart
MAX_READ = 200  # nodes whose motion is read to choose among them
MAX_NAMED = 8  # names in a note


def size(vectors):
    """Euclidean norm of each row."""
    return np.linalg.norm(vectors, axis=-1)


def different(candidates):
    """Those (name, history) whose history is not that of one before, within a hundredth of the largest range."""
    scale = max((np.ptp(data, axis=0).max() for _, data in candidates), default=0)
    kept = []
    for name, data in candidates:
        if all(np.abs(data - other).max() > 1e-2 * scale for _, other in kept):
            kept.append((name, data))
    return kept


def nodes_by_name(results, wanted):
    names = results.node_names
    missing = [name for name in wanted if name not in names]
    if missing:
        alike = list(dict.fromkeys(other for name in missing for other in signals.near(name, names)))
        hint = f"near names: {', '.join(alike)}" if alike else f"there are: {', '.join(names[:20])}"
        raise ResultsError(f"{results.path}: no node {', '.join(missing)}; {hint}")
    return [(name, results.history("/nodes/position", names.index(name))) for name in wanted]


def shown_nodes(results, wanted):
    """(name, positions) of the nodes asked for, else of the deck's nodes that move, without doubles; and the names of
    the others, without those that are known to be at rest."""
    if wanted:
        return nodes_by_name(results, wanted), []
    names = results.node_names
    declared = [name for name in results.deck.get("nodes") or {} if name in names] or names
    read = declared[:: len(declared) // MAX_READ] if len(declared) > MAX_READ else declared
    all_nodes = nodes_by_name(results, read)
    travel = [size(data - data[0]).max() for _, data in all_nodes]
    moving = [node for node, way in zip(all_nodes, travel) if way > 1e-6 * max(travel, default=0)]
    nodes = different(moving) or all_nodes[:1]
    if len(nodes) > MAX_LINES:
        nodes = [nodes[i] for i in np.linspace(0, len(nodes) - 1, MAX_LINES).round().astype(int)]
    known = {name for name, _ in nodes} | (set(read) - {name for name, _ in moving})
    return nodes, [name for name in declared if name not in known]


def note_on(hidden):
    """Says which nodes a picture does not show, and how to see them; None where it shows all."""
    if not hidden:
        return None
    names = ", ".join(hidden[:MAX_NAMED]) + (f" and {len(hidden) - MAX_NAMED} more" if len(hidden) > MAX_NAMED else "")
    return (f"Positions without {names} (moving like those shown, or too many); "
            f"to see them: --nodes {','.join(hidden[:2])}" + (",…" if len(hidden) > 2 else ""))
