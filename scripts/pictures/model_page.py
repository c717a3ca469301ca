# SPDX-License-Identifier: BSD-3-Clause
"""The model of a deck before it runs: its bodies, beams, joints, springs, supports and loads, from four sides."""
import pathlib
import subprocess
import tempfile

import numpy as np

import style
from matplotlib import pyplot
from motion import Motion
from expand import program
from results import Results, ResultsError

MOST_NAMES = 24  # of nodes and joints in the large view
OBLIQUE = (np.radians(20), np.radians(-58))  # elevation and azimuth of the large view
SIDES = (("xz", (0, 2)), ("yz", (1, 2)), ("xy", (0, 1)))
JOINTS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "p", "h", "*")  # a mark for each type, in the order of the deck


def start_of(deck):
    """Results with the start of a deck alone, positions and velocities as its constraints want them."""
    if not program():
        raise ResultsError("the program is missing: build it (scripts/setup), or name one by POLHODE_BINARY")
    with tempfile.TemporaryDirectory() as folder:
        file = str(pathlib.Path(folder, "start.h5"))
        command = [program(), "run", deck, "-o", file, "--quiet", "--set", "analysis={type: initial}", "--set",
                   "responses={}", "--set", "events={}", "--set", "output={}"]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        if done.returncode:
            raise ResultsError(f"{deck} cannot be drawn:\n{done.stderr.strip()}")
        return Results(file)


class Model:
    """Lines and points of a model at its start, and how they look."""

    def __init__(self, results):
        self.motion = motion = Motion(results, [0])
        self.x = motion.x[0]
        self.deck = results.deck
        self.lines = {"beams": [self.x[nodes] for nodes, axes in motion.beams.values() if axes is not None],
                      "cables": [self.x[nodes] for nodes, axes in motion.beams.values() if axes is None],
                      "bodies": [], "springs and distances": [np.stack([a[0], b[0]]) for a, b in motion.links]}
        for i, faces, centre, arms in motion.bodies.values():
            self.lines["bodies"] += [self.x[i] + np.vstack([face, face[:1]]) @ motion.R[0, i].T for face in faces]
            self.lines["bodies"] += [np.stack([centre[0], path[0]]) for path in arms]
        self.masses = np.reshape([centre[0] for _, faces, centre, _ in motion.bodies.values() if not faces], (-1, 3))
        self.joints, joints = {}, self.deck.get("joints") or {}  # points by type
        for name, (path, _) in motion.points.items():
            joint = joints.get(name) or joints.get(name[:-2]) or {}  # of one with two points: name.a, name.b
            self.joints.setdefault(joint.get("type", "joint"), []).append((name, path[0]))
        nodes = self.deck.get("nodes") or {}
        self.named = [(name, self.x[motion.index[name]]) for name in nodes if name in motion.index]
        self.held = np.reshape([self.x[motion.index[name]] for name, node in nodes.items()
                                if name in motion.index and isinstance(node, dict) and node.get("fixed")], (-1, 3))
        self.loads = np.reshape([self.x[motion.index[entry["node"]]] for entry in (self.deck.get("forces") or {}).values()
                                 if entry.get("type") == "load" and entry.get("node") in motion.index], (-1, 3))

    def gravity(self):
        """Direction of gravity; None without one."""
        g = np.array(self.motion.numbers.vector(self.deck.get("gravity")))
        return g / np.linalg.norm(g) if g.any() else None

    def summary(self):
        """The numbers of things in one line."""
        counts = [(len(self.x), "node", "nodes"), (len(self.motion.beams), "beam", "beams"),
                  (len(self.motion.bodies), "body", "bodies"), (len(self.deck.get("joints") or {}), "joint", "joints"),
                  (len(self.deck.get("forces") or {}), "force", "forces")]
        size = f"size {self.motion.size:.4g} {self.motion.length}"
        return "   ·   ".join([*(f"{n} {one if n == 1 else many}" for n, one, many in counts if n), size])


LOOK = {"beams": (style.COLORS[0], 1.8), "cables": (style.COLORS[5], 1.4), "bodies": (style.COLORS[4], 0.9),
        "springs and distances": ("#202020", 0.8)}


def groups_of_names(model, flat):
    """Names of nodes and where they stand in the picture; those that would cover each other are one text."""
    groups = []
    for name, point in model.named:
        place = np.array(flat(point))
        near = [group for group in groups if np.linalg.norm((group[1] - place) * (0.4, 1)) < 0.03 * model.motion.size]
        if near:
            near[0][0].append(name)
        else:
            groups.append(([name], place))
    return [(",\n".join(", ".join(names[k:k + 3]) for k in range(0, len(names), 3)), place) for names, place in groups]


def draw_view(axes, model, across, up, names=False):
    """One view: `across` and `up` are the directions of the picture's axes."""
    def flat(points):
        return points @ across, points @ up
    for what, lines in model.lines.items():
        color, width = LOOK[what]
        for k, line in enumerate(lines):
            axes.plot(*flat(line), color=color, linewidth=width, label=None if k else what,
                      marker="." if what in ("beams", "cables") and len(line) < 40 else None, markersize=2.5)
    for k, (kind, points) in enumerate(model.joints.items()):
        axes.plot(*flat(np.array([point for _, point in points])), JOINTS[k % len(JOINTS)], color=style.COLORS[1],
                  markersize=5, fillstyle="none", label=kind)
    for points, mark, color, label in ((model.masses, "o", style.COLORS[4], "point masses"),
                                       (model.held, "s", "#202020", "fixed"), (model.loads, "*", style.COLORS[3], "loads")):
        if len(points):
            axes.plot(*flat(points), mark, color=color, markersize=6 if mark == "*" else 4, label=label)
    axes.set_aspect("equal", adjustable="datalim")
    axes.margins(0.12)
    if names and len(model.named) <= MOST_NAMES:
        for group, point in groups_of_names(model, flat):
            axes.annotate(group, point, xytext=(4, 3), textcoords="offset points", fontsize=7, color=style.GREY)


def draw_page(deck, output):
    """A picture of the model of the deck."""
    model = Model(start_of(deck))
    figure = pyplot.figure(figsize=(13, 8.2), layout="constrained")
    grid = figure.add_gridspec(3, 2, width_ratios=(2.4, 1))
    figure.suptitle(model.deck.get("title") or pathlib.Path(deck).name, fontsize=14, fontweight="bold")
    elevation, azimuth = OBLIQUE
    across = np.array([-np.sin(azimuth), np.cos(azimuth), 0])
    up = np.array([-np.cos(azimuth) * np.sin(elevation), -np.sin(azimuth) * np.sin(elevation), np.cos(elevation)])
    large = figure.add_subplot(grid[:, 0])
    draw_view(large, model, across, up, names=True)
    large.set_axis_off()
    large.set_title(model.summary(), fontsize=9, fontweight="normal", color=style.GREY)
    directions = [("xyz"[k], np.eye(3)[k], style.GREY) for k in range(3)]
    if model.gravity() is not None:
        directions.append(("gravity", model.gravity(), style.COLORS[1]))
    inset = large.inset_axes([0, 0, 0.14, 0.2])
    for name, way, color in directions:
        tip = np.array([way @ across, way @ up])
        inset.annotate("", xy=tip, xytext=(0, 0), arrowprops={"arrowstyle": "->", "color": color})
        inset.text(*(1.25 * tip), name, fontsize=8, color=color, ha="center", va="center")
    inset.set_xlim(-1.4, 1.4)
    inset.set_ylim(-1.4, 1.4)
    inset.set_aspect("equal")
    inset.set_axis_off()
    large.legend(loc="upper left", fontsize=8)
    for row, (letters, (a, b)) in enumerate(SIDES):
        axes = figure.add_subplot(grid[row, 1])
        draw_view(axes, model, np.eye(3)[a], np.eye(3)[b])
        axes.set_xlabel(f"{letters[0]} [{model.motion.length}]")
        axes.set_ylabel(f"{letters[1]} [{model.motion.length}]")
    style.save(figure, output)
