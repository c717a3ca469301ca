# SPDX-License-Identifier: BSD-3-Clause
"""Where the camera stands at first: up against gravity, on the side from which a plane model is seen whole."""
import numpy as np

FLAT = 0.06  # thickness of what counts as a plane model
TRAVELS = 2.5  # sizes of the model: what moves farther is followed


def corners(points):
    points = np.asarray(points, dtype=float).reshape(-1, 3)
    points = points[np.isfinite(points).all(axis=1)]
    return (points.min(axis=0), points.max(axis=0)) if len(points) else (np.zeros(3), np.zeros(3))


def first_look(path, solid, gravity):
    """`path` [T, n, 3]: what moves; `solid` [m, 3]: further points of the first state."""
    low, high = corners(np.vstack([path[0], solid]) if len(solid) else path[0])
    size = float(np.linalg.norm(high - low))
    sizes = [np.linalg.norm(np.ptp(state, axis=0)) for state in path]
    size = max(size, float(max(sizes))) or 1.0
    all_low, all_high = corners(np.vstack([path.reshape(-1, 3), *([solid] if len(solid) else [])]))
    travels = float(np.linalg.norm(all_high - all_low)) > TRAVELS * size
    low, high = (low, high) if travels else (all_low, all_high)
    extent = np.maximum(high - low, 1e-9 * size)
    thin = int(np.argmin(extent))
    flat = extent[thin] < FLAT * np.sort(extent)[1]
    line = np.sort(extent)[1] < FLAT * extent.max()
    if np.linalg.norm(gravity) > 0:
        up_axis = int(np.argmax(np.abs(gravity)))
        up = np.zeros(3)
        up[up_axis] = -np.sign(gravity[up_axis])
    else:
        up = np.array([0.0, 1.0, 0.0]) if flat and not line and thin == 2 else np.array([0.0, 0.0, 1.0])
    up_axis = int(np.argmax(np.abs(up)))
    sides = [(up_axis + 1) % 3, (up_axis + 2) % 3]
    forward = np.zeros(3)
    if (flat or line) and thin != up_axis:
        other = [axis for axis in sides if axis != thin][0] if not line else sides[0]
        if line:  # a line: seen from the side across which it extends least
            thin, other = sorted(sides, key=lambda axis: extent[axis])
        forward[thin] = 1.0 if thin != 1 else -1.0
        forward[other] = 0.28
        forward += 0.22 * up
    else:
        # The longer side runs from left to right.
        far, near = sorted(sides, key=lambda axis: extent[axis])
        forward[far], forward[near] = (1.0 if far != 1 else -1.0), 0.55
        forward += 0.45 * up
    return {"up": up.tolist(), "from": (forward / np.linalg.norm(forward)).tolist(), "size": size,
            "center": ((low + high) / 2).tolist(), "radius": float(np.linalg.norm(high - low) / 2) or 0.5,
            "travels": bool(travels), "low": all_low.tolist(), "high": all_high.tolist()}
