# SPDX-License-Identifier: BSD-3-Clause
"""Mode shapes: the model at rest in grey, and at both ends of its vibration."""
import numpy as np

import style
from matplotlib import pyplot
from motion import Motion
from results import ResultsError

MOST_MODES = 12
COLUMNS = 3
SHARE = 0.12  # of the model's size: the largest displacement in the picture


def exponentials(vectors):
    """[..., 3, 3] rotation matrices of rotation vectors [..., 3]."""
    angle = np.linalg.norm(vectors, axis=-1)[..., None, None]
    x, y, z = np.moveaxis(vectors, -1, 0)
    zero = np.zeros_like(x)
    tilde = np.moveaxis(np.array([[zero, -z, y], [z, zero, -x], [-y, x, zero]]), (0, 1), (-2, -1))
    safe = np.where(angle > 1e-9, angle, 1.0)
    return np.eye(3) + np.where(angle > 1e-9, np.sin(angle) / safe, 1.0) * tilde + \
        np.where(angle > 1e-9, (1 - np.cos(angle)) / safe**2, 0.5) * tilde @ tilde


class Shapes:
    """Modes of the last modal analysis of a results file, or of analysis `which`."""

    def __init__(self, results, which=None):
        file = results.file
        analysis = file["/modal/analysis"][()]
        which = analysis.max() if which is None else which
        self.rows = np.flatnonzero(analysis == which)
        if not len(self.rows):
            raise ResultsError(f"{results.path}: no modes of analysis {which}")
        names = ("number", "frequencies", "damping", "text")
        self.number, self.frequency, self.damping, self.text = (file[f"/modal/{n}"][()][self.rows] for n in names)
        shapes = file["/modal/shapes"]
        self.count = min(len(self.rows), MOST_MODES)
        self.shape = np.stack([shapes[int(i), ..., 0] + 1j * shapes[int(i), ..., 1] for i in self.rows[: self.count]])
        # The state that the modes are about.
        before = np.flatnonzero(file["/analysis"][()] <= which)
        self.motion = Motion(results, [int(before[-1])])

    def at(self, mode, phase):
        """Geometry of the model, moved by a mode at a phase: positions and rotations of the nodes."""
        y = (self.shape[mode] * np.exp(1j * phase)).real
        moves = np.abs(self.shape[mode][:, :3]).max()
        scale = SHARE * self.motion.size / (moves if moves > 1e-6 else self.motion.size)
        return self.motion.x[0] + scale * y[:, :3], self.motion.R[0] @ exponentials(scale * y[:, 3:])

    def lines(self, x, R):
        """Polylines of the model: beams, bodies' edges, arms from bodies to joints and springs."""
        motion = self.motion
        carried = self._carrier(x, R)
        found = [(x[nodes], "beam") for nodes, _ in motion.beams.values()]
        for i, faces, centre, arms in motion.bodies.values():
            found += [(x[i] + np.vstack([face, face[:1]]) @ R[i].T, "body") for face in faces]
            found += [(np.stack([carried(i, centre[0]), carried(i, path[0])]), "body") for path in arms]
        for name, entry in (motion.deck.get("forces") or {}).items():
            if entry.get("type") == "spring_damper" and (ends := motion._ends(entry)):
                pair, paths = ends
                found.append((np.stack([carried(motion.index.get(node), path[0]) for node, path in zip(pair, paths)]),
                              "spring"))
        return found

    def _carrier(self, x, R):
        motion = self.motion

        def carried(i, point):  # of the state that the modes are about
            return point if i is None else x[i] + R[i] @ (motion.R[0, i].T @ (point - motion.x[0, i]))
        return carried


def view(points, motions):
    """Two directions to project on: those of the largest extent of the model and its motion."""
    spread = points - points.mean(axis=0)
    extent = np.ptp(points, axis=0) + 3 * np.abs(motions).max(axis=0)
    thin = int(np.argmin(extent))
    if extent[thin] < 1e-3 * extent.max() and np.ptp(spread[:, thin]) < 1e-6 * max(np.ptp(points), 1e-300):
        first, second = [k for k in range(3) if k != thin]
        return np.eye(3)[first], np.eye(3)[second], "xyz"[first], "xyz"[second]
    elevation, azimuth = np.radians(24), np.radians(-58)
    right = np.array([-np.sin(azimuth), np.cos(azimuth), 0])
    up = np.array([-np.cos(azimuth) * np.sin(elevation), -np.sin(azimuth) * np.sin(elevation), np.cos(elevation)])
    return right, up, None, None


LOOK = {"beam": (style.COLORS[0], 1.8), "body": (style.COLORS[4], 1.0), "spring": ("#202020", 0.8)}


def draw_directions(axes, right, up):
    """The inertial axes as seen in the picture, in its lower left corner."""
    for axis, letter in enumerate("xyz"):
        way = np.array([right[axis], up[axis]])
        tip, place = 0.07 * way, 0.105 * way
        if np.linalg.norm(way) > 0.15:
            axes.annotate("", xy=(0.11 + tip[0], 0.16 + tip[1] * 1.3), xytext=(0.11, 0.16), xycoords="axes fraction",
                          arrowprops={"arrowstyle": "->", "color": style.GREY, "linewidth": 1.0})
            axes.text(0.11 + place[0], 0.16 + place[1] * 1.3, letter, fontsize=8, color=style.GREY,
                      transform=axes.transAxes, ha="center", va="center")


def draw_mode(axes, shapes, mode):
    rest = shapes.motion.x[0], shapes.motion.R[0]
    right, up, across, along = view(rest[0], (shapes.at(mode, 0)[0] - rest[0]))
    states = [(rest, "#c4c4c4", 1.0), (shapes.at(mode, np.pi), None, 0.35), (shapes.at(mode, 0), None, 1.0)]
    if np.abs(shapes.shape[mode].imag).max() > 1e-3:  # what runs round: a quarter of the period between
        states.insert(1, (shapes.at(mode, np.pi / 2), None, 0.35))
    for (x, R), color, alpha in states:
        for line, what in shapes.lines(x, R):
            look, width = LOOK[what]
            axes.plot(line @ right, line @ up, color=color or look, linewidth=width, alpha=alpha,
                      marker="." if what == "beam" and len(line) < 40 else None, markersize=3)
        lonely = set(range(len(x))) - {i for nodes, _ in shapes.motion.beams.values() for i in nodes}
        points = x[sorted(lonely)]
        axes.plot(points @ right, points @ up, ".", color=color or "#202020", alpha=alpha, markersize=4)
    axes.set_aspect("equal", adjustable="datalim")
    if across:
        axes.set_xlabel(f"{across} [{shapes.motion.length}]")
        axes.set_ylabel(f"{along} [{shapes.motion.length}]")
    else:
        axes.set_xticks([])
        axes.set_yticks([])
        draw_directions(axes, right, up)
    damping = shapes.damping[mode]
    axes.set_title(f"{shapes.number[mode]}:  {shapes.frequency[mode]:.5g} Hz"
                   + (f",  damping {damping:.3g}" if abs(damping) > 1e-9 else ""))
    text = shapes.text[mode]
    axes.text(0.01, 0.985, text.decode() if isinstance(text, bytes) else text, fontsize=7, color=style.GREY,
              transform=axes.transAxes, va="top")


def draw_page(results, output, which=None):
    shapes = Shapes(results, which)
    rows = -(-shapes.count // COLUMNS)
    height = 0.95 + 3.0 * rows
    figure, grid = pyplot.subplots(rows, COLUMNS, figsize=(14, height), squeeze=False, layout="constrained")
    figure.get_layout_engine().set(w_pad=0.08, h_pad=0.08, hspace=0.03, wspace=0.03, rect=(0, 0, 1, 1 - 0.75 / height))
    figure.text(0.5, 1 - 0.28 / height, results.title, ha="center", va="center", fontsize=14, fontweight="bold")
    told = f"{shapes.count} of {len(shapes.rows)} modes" if shapes.count < len(shapes.rows) else f"{shapes.count} modes"
    highest = shapes.frequency[: shapes.count].max()
    if highest > 0:
        told += f"   ·   a step of {1 / (20 * highest):.2g} s resolves those shown"
    figure.text(0.5, 1 - 0.56 / height, told, ha="center", va="center", fontsize=9.5, color=style.GREY)
    for mode, axes in enumerate(grid.flat):
        if mode < shapes.count:
            draw_mode(axes, shapes, mode)
        else:
            axes.set_axis_off()
    style.save(figure, output)
