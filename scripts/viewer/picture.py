# SPDX-License-Identifier: BSD-3-Clause
"""A still picture of a scene in SVG, for browsers that cannot draw in three dimensions."""
import numpy as np

from motion import rotation_matrices

WIDTH, HEIGHT = 900, 560
MOST = 6000  # lines; of more, some that are spread evenly


def view_axes(look):
    """Directions to the right and up on the picture."""
    toward, up = np.asarray(look["from"]), np.asarray(look["up"])
    right = np.cross(up, toward)
    right /= np.linalg.norm(right)
    return right, np.cross(toward, right)


def outlines(body):
    """Polylines of a body in its node's frame: edges of its box, or three ellipses."""
    solid = body["solid"]
    half, turn = np.asarray(solid["half"]), rotation_matrices(solid["turn"])
    if solid["kind"] == "box":
        signs = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1], [-1, -1]])
        lines = [np.insert(signs * 1.0, axis, side, axis=1) for axis in (0, 2) for side in (-1, 1)]
    else:
        angle = np.linspace(0, 2 * np.pi, 33)
        ring = np.stack([np.cos(angle), np.sin(angle)], axis=1)
        lines = [np.insert(ring, axis, 0.0, axis=1) for axis in range(3)]
    return [np.asarray(body["center"]) + (line * half) @ turn.T for line in lines]


def picture_of(scene, position, rotation):
    """`position` [N, 3], `rotation` [N, 4] of one state, inertial."""
    R = rotation_matrices(rotation)
    right, up = view_axes(scene["look"])
    lines = []

    def carried(node, point):
        return np.asarray(point) if node < 0 else position[node] + R[node] @ np.asarray(point)

    for beam, nodes in scene["lines"]:
        lines.append((position[nodes], "beam"))
    for body in scene["bodies"]:
        lines += [(position[body["node"]] + line @ R[body["node"]].T, "body") for line in outlines(body)]
    for one in (*scene["joints"], *scene["forces"]):
        ends = [carried(node, point) for node, point in zip(one["nodes"], one.get("points", []))]
        if len(ends) == 2 and np.linalg.norm(ends[0] - ends[1]) > 0:
            lines.append((np.array(ends), "link"))
        for node, end in zip(one["nodes"], ends):
            if node >= 0:
                lines.append((np.array([position[node], end]), "link"))
    stride = max(1, -(-len(lines) // MOST))
    flat = [(np.stack([line @ right, -(line @ up)], axis=1), kind) for line, kind in lines[::stride]]
    if not flat:
        flat = [(np.stack([position @ right, -(position @ up)], axis=1), "beam")]
    everything = np.vstack([line for line, _ in flat])
    low, high = everything.min(axis=0), everything.max(axis=0)
    scale = 0.9 * min(WIDTH / max(high[0] - low[0], 1e-300), HEIGHT / max(high[1] - low[1], 1e-300))
    scale = min(scale, 0.9 * WIDTH / max(float((high - low).max()), 1e-300))
    middle = (low + high) / 2
    rows = []
    for line, kind in flat:
        points = (line - middle) * scale + [WIDTH / 2, HEIGHT / 2]
        text = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        rows.append(f'<polyline class="{kind}" points="{text}"/>')
    if stride > 1:
        rows.append(f'<text x="12" y="{HEIGHT - 12}" font-size="16" stroke="none" fill="#777">one in {stride} of '
                    f'{len(lines)} lines</text>')
    return f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="the model">{"".join(rows)}</svg>'
