# SPDX-License-Identifier: BSD-3-Clause
"""Beams as swept sections: frames and dimensions of the section at each node of a beam."""
import math

import numpy as np

from solids import quaternion

KINDS = ("rectangle", "circle", "tube", "I", "ellipse")
MOST = 0.12  # half the thickness of a beam over its length, for sections without a shape; thicker ones are drawn thin
THIN = 0.025


def matrix_diagonal(value, keys, numbers):
    """Six constants of a mapping of constants or of a 6x6 matrix."""
    if isinstance(value, dict):
        return [numbers.number(value.get(key)) for key in keys]
    if isinstance(value, list) and len(value) == 6:
        rows = [row if isinstance(row, list) and len(row) == 6 else [0.0] * 6 for row in value]
        return [numbers.number(row[i]) for i, row in enumerate(rows)]
    return [0.0] * 6


def dimensions(section, numbers):
    """Kind, and half width (y), half height (z), flange, web; a section without a shape is an ellipse whose radii of
    gyration are those of its stiffness: half an edge of a rectangle is sqrt(3 EI/EA)."""
    kind = section.get("shape")
    radius = numbers.number(section.get("radius"))
    if kind in ("circle", "tube"):
        return kind, [radius, radius, 0.0, 0.0], True
    if kind in ("rectangle", "I"):
        width, height = numbers.number(section.get("width")), numbers.number(section.get("height"))
        flange, web = numbers.number(section.get("flange")), numbers.number(section.get("web"))
        return kind, [width / 2, height / 2, flange, web], True
    axial, _, _, _, about_y, about_z = matrix_diagonal(
        section.get("stiffness"), ("EA", "GAy", "GAz", "GJ", "EIy", "EIz"), numbers)
    if axial > 0 and about_y > 0 and about_z > 0:
        return "ellipse", [np.sqrt(3 * about_z / axial), np.sqrt(3 * about_y / axial), 0.0, 0.0], False
    return "ellipse", [0.0, 0.0, 0.0, 0.0], False


def tangents(points):
    """Unit tangents [n, 3] of the line through the points."""
    if len(points) == 2:
        step = points[1] - points[0]
        length = math.sqrt(step @ step)
        return np.array([step / length] * 2 if length > 0 else [[1.0, 0.0, 0.0]] * 2)
    steps = np.diff(points, axis=0)
    lengths = np.linalg.norm(steps, axis=1, keepdims=True)
    steps = steps / np.where(lengths > 0, lengths, 1.0)
    inner = steps[1:] + steps[:-1]
    found = np.vstack([steps[:1], inner, steps[-1:]])
    if len(steps) > 1:  # an arc turns as much in the half before an end as in the half beyond
        for end, near in ((0, 1), (-1, -2)):
            unit = found[near] / (np.linalg.norm(found[near]) or 1.0)
            mirrored = 2 * (unit @ steps[end]) * steps[end] - unit
            if unit @ steps[end] > 0.9:
                found[end] = mirrored
    norms = np.linalg.norm(found, axis=1, keepdims=True)
    return np.where(norms > 1e-12, found / np.where(norms > 1e-12, norms, 1.0), [1.0, 0.0, 0.0])


def frames(points, hint, twist):
    """Section frames [n, 3, 3] (columns x along the beam, y, z): y is the part of `hint` normal to the beam, turned by
    the angle `twist` [n] about x."""
    x = tangents(points)
    if hint is None:
        hint = [0.0, 1.0, 0.0] if abs(x[0][2]) > 0.999 * np.linalg.norm(x[0]) else [0.0, 0.0, 1.0]
    hint = np.asarray(hint, dtype=float)
    y = hint - x * (x @ hint)[:, None]
    bad = np.linalg.norm(y, axis=1) < 1e-9 * max(np.linalg.norm(hint), 1e-300)
    if bad.any():
        other = np.eye(3)[np.argmin(np.abs(x[0]))]
        y[bad] = (other - x * (x @ other)[:, None])[bad]
    y /= np.linalg.norm(y, axis=1, keepdims=True)
    z = np.stack([x[:, 1] * y[:, 2] - x[:, 2] * y[:, 1], x[:, 2] * y[:, 0] - x[:, 0] * y[:, 2],
                  x[:, 0] * y[:, 1] - x[:, 1] * y[:, 0]], axis=1)  # numpy's cross is slow on few rows
    cosine, sine = np.cos(twist)[:, None], np.sin(twist)[:, None]
    return np.stack([x, cosine * y + sine * z, cosine * z - sine * y], axis=-1)


class Sweep:
    """What a beam adds to the scene: kind of outline, dimensions [n, 4] and frames in the nodes' frames [n, 4]."""

    def __init__(self, beam, sections, numbers, points, rotations, size):
        lengths = np.linalg.norm(np.diff(points, axis=0), axis=1)
        place = np.concatenate([[0.0], np.cumsum(lengths)])
        self.length = float(place[-1])
        place = place / (self.length or 1.0)
        stations = [numbers.number(s) for s in beam.get("stations") or [0.0, 1.0]]
        names = beam.get("sections") or [beam.get("section")] * len(stations)
        found = [dimensions(sections.get(str(name)) or {}, numbers) for name in names]
        twist = [numbers.number(angle) for angle in beam.get("twist") or [0.0] * len(stations)]
        kinds = {kind for kind, _, _ in found}
        self.kind = kinds.pop() if len(kinds) == 1 else "ellipse"
        self.is_given = all(given for _, _, given in found)
        table = np.array([values for _, values, _ in found])
        count = min(len(stations), len(table), len(twist))
        self.dimensions = np.stack([np.interp(place, stations[:count], table[:count, k]) for k in range(4)], axis=1)
        self.is_thinned = self._draw_thin(size)
        hint = numbers.vector(beam["orientation"]) if isinstance(beam.get("orientation"), list) else None
        bases = frames(points, hint, np.interp(place, stations[:count], twist[:count]))
        self.turns = np.array([quaternion(R.T @ base) for R, base in zip(rotations, bases)])

    def _draw_thin(self, size):
        largest = float(np.nan_to_num(self.dimensions[:, :2]).max())
        if not np.isfinite(self.dimensions).all() or largest <= 0:
            self.dimensions[:] = [0.004 * size, 0.004 * size, 0.0, 0.0]
            return False
        if self.is_given or largest <= MOST * self.length:
            return False
        self.dimensions *= THIN * self.length / largest
        return True
