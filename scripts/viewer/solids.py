# SPDX-License-Identifier: BSD-3-Clause
"""What bodies look like: the shape that the deck gives, else the ellipsoid with the same mass and inertia."""
import numpy as np


def quaternion(matrix):
    """(w, x, y, z) of a rotation matrix."""
    m = np.asarray(matrix, dtype=float)
    squares = np.array([1 + m[0, 0] + m[1, 1] + m[2, 2], 1 + m[0, 0] - m[1, 1] - m[2, 2],
                        1 - m[0, 0] + m[1, 1] - m[2, 2], 1 - m[0, 0] - m[1, 1] + m[2, 2]])
    k = int(np.argmax(squares))
    s = 2 * np.sqrt(squares[k])
    rows = ((s / 4, (m[2, 1] - m[1, 2]) / s, (m[0, 2] - m[2, 0]) / s, (m[1, 0] - m[0, 1]) / s),
            ((m[2, 1] - m[1, 2]) / s, s / 4, (m[0, 1] + m[1, 0]) / s, (m[0, 2] + m[2, 0]) / s),
            ((m[0, 2] - m[2, 0]) / s, (m[0, 1] + m[1, 0]) / s, s / 4, (m[1, 2] + m[2, 1]) / s),
            ((m[1, 0] - m[0, 1]) / s, (m[0, 2] + m[2, 0]) / s, (m[1, 2] + m[2, 1]) / s, s / 4))
    return [float(number) for number in rows[k]]


# Of a cylinder along z: the node's axis along which it lies becomes the solid's z axis.
AXES = {"x": [[0, 0, 1], [1, 0, 0], [0, 1, 0]], "y": [[0, 1, 0], [0, 0, 1], [1, 0, 0]], "z": np.eye(3)}


def given_shape(body, numbers):
    """The solid of `shape` in the deck, or None: kind, three lengths (half-axes for x, y, z), orientation."""
    shape = body.get("shape")
    turn = quaternion(AXES.get(str(body.get("along", "x")), AXES["x"]))
    radius, length = numbers.number(body.get("radius")), numbers.number(body.get("length"))
    if shape == "box":
        return {"kind": "box", "half": [size / 2 for size in numbers.vector(body.get("size"))], "turn": [1, 0, 0, 0]}
    if shape == "sphere":
        return {"kind": "ellipsoid", "half": [radius] * 3, "turn": [1, 0, 0, 0]}
    if shape == "cylinder":
        return {"kind": "cylinder", "half": [radius, radius, length / 2], "turn": turn}
    if shape == "tube":
        return {"kind": "tube", "half": [radius, radius, length / 2], "turn": turn,
                "inner": numbers.number(body.get("inner_radius")) / (radius or 1.0)}
    return None


def ellipsoid(mass, inertia, smallest):
    """The homogeneous ellipsoid with half-axes a, b, c: I_x = m (b^2 + c^2)/5."""
    values, axes = np.linalg.eigh(np.asarray(inertia, dtype=float))
    if np.linalg.det(axes) < 0:
        axes = -axes
    squares = 2.5 * (values.sum() - 2 * values) / mass
    half = np.sqrt(np.maximum(squares, 0.0))
    return {"kind": "ellipsoid", "half": [float(max(h, smallest)) for h in half], "turn": quaternion(axes)}


def solid_of(body, data, numbers, size):
    """Solid, and whether the deck gives it; a point mass is a small sphere."""
    given = given_shape(body, numbers)
    if given and all(np.isfinite(given["half"])) and min(given["half"]) > 0:
        return given, True
    mass = float(np.squeeze(data["mass"])) if data else 0.0
    if data is not None and mass > 0 and np.trace(data["inertia"]) > 0:
        return ellipsoid(mass, data["inertia"], 0.004 * size), False
    return {"kind": "ellipsoid", "half": [0.018 * size] * 3, "turn": [1, 0, 0, 0], "point": True}, False
