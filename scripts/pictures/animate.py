# SPDX-License-Identifier: BSD-3-Clause
"""A film of a results file: bodies, beams with their section frames, joints. GIF, or MP4 where ffmpeg is installed."""
import argparse
import os
import shutil
import sys

import numpy as np

import style
from matplotlib import animation, pyplot
from mpl_toolkits.mplot3d.art3d import Line3DCollection, Poly3DCollection
from motion import Motion
from results import Results, ResultsError

VIEWS = {"iso": (22, -58), "front": (0, -90), "side": (0, 0), "top": (90, -90)}
BEAM, BODY, JOINT, POINT = style.COLORS[0], style.COLORS[4], style.COLORS[1], "#202020"
SECTION_Y, SECTION_Z = style.COLORS[2], style.COLORS[3]


def chosen_rows(results, frames):
    """Rows nearest to `frames` equal intervals of time."""
    time = results.time
    wanted = np.linspace(time[0], time[-1], min(frames, len(time)))
    right = np.clip(np.searchsorted(time, wanted), 1, max(len(time) - 1, 1)) if len(time) > 1 else np.zeros(1, dtype=int)
    left = np.maximum(right - 1, 0)
    return np.unique(np.where(wanted - time[left] <= time[right] - wanted, left, right))


def view_onto(extent):
    """Elevation and azimuth: onto the plane of a flat motion, else from a corner."""
    thin = int(np.argmin(extent))
    if extent[thin] > 0.5 * np.sort(extent)[1]:
        return VIEWS["iso"]
    return [(20, -20), (20, -70), (50, -70)][thin]


class Scene:
    def __init__(self, motion, title, view):
        self.motion = motion
        self.figure = pyplot.figure(figsize=(7.2, 6.0), dpi=90)
        self.axes = self.figure.add_axes((0.0, 0.03, 1.0, 0.91), projection="3d", computed_zorder=False)
        self.figure.text(0.03, 0.95, title, fontsize=12, fontweight="bold")
        self.clock = self.figure.text(0.97, 0.95, "", ha="right", fontsize=11, family="monospace", color=style.GREY)
        self.segment = 0.035 * motion.size
        extent = self._fit_axes()
        self.axes.view_init(*(view or view_onto(extent)))
        self._make_artists()

    def _fit_axes(self):
        """Equal axes around all that is ever shown; returns their lengths."""
        ends = [path for link in self.motion.links for path in link]
        parts = [self.motion.x, *(path for path, _ in self.motion.points.values()), *ends]
        for i, faces, _, _ in self.motion.bodies.values():
            reach = max((np.linalg.norm(face, axis=1).max() for face in faces), default=0)
            parts += [self.motion.x[:, i] - reach, self.motion.x[:, i] + reach]
        corners = np.concatenate([np.reshape(part, (-1, 3)) for part in parts])
        low, high = corners.min(axis=0), corners.max(axis=0)
        extent = np.maximum(high - low, 0.25 * (high - low).max())
        extent = np.where(extent > 0, extent, 1.0) * 1.08
        for letter, middle, width in zip("xyz", (low + high) / 2, extent):
            getattr(self.axes, f"set_{letter}lim")(middle - width / 2, middle + width / 2)
        self.axes.set_box_aspect(extent, zoom=0.86)
        for letter in "xyz":
            getattr(self.axes, f"set_{letter}label")(f"{letter} [{self.motion.length}]", fontsize=9)
            getattr(self.axes, f"{letter}axis").set_pane_color((0.97, 0.97, 0.97, 1))
            # As many ticks as the axis has room for.
            share = extent["xyz".index(letter)] / extent.max()
            self.axes.locator_params(axis=letter, nbins=max(2, round(6 * share)))
        self.axes.tick_params(labelsize=7, pad=0)
        return extent

    def _line(self, **look):
        return self.axes.plot([], [], [], **look)[0]

    def _make_artists(self):
        motion = self.motion
        self.trails = [self._line(color="#bdbdbd", linewidth=0.8, zorder=1) for _ in self._trail_paths()]
        self.arms = [self._line(color=BODY, linewidth=2, zorder=2) for b in motion.bodies.values() for _ in b[3]]
        self.links = [self._line(color=POINT, linewidth=1, zorder=2) for _ in motion.links]
        self.solids = []
        for _, faces, _, _ in motion.bodies.values():
            colors = [BODY if k % 2 else "#f6d58c" for k in range(max(len(faces), 1))]
            solid = Poly3DCollection([np.zeros((3, 3))], facecolors=colors, edgecolors="#7a5200", linewidths=0.4,
                                     alpha=0.9, zorder=3)
            self.axes.add_collection3d(solid)
            self.solids.append(solid)
        self.masses = self._line(color=BODY, marker="o", markersize=7, linestyle="", markeredgecolor="#7a5200", zorder=4)
        self.frames = []
        for color in (SECTION_Y, SECTION_Z):
            frame = Line3DCollection([np.zeros((2, 3))], colors=color, linewidths=0.9, zorder=2)
            self.axes.add_collection3d(frame)
            self.frames.append(frame)
        self.lines = [self._line(color=BEAM, linewidth=2.4, marker=".", markersize=4, zorder=3) for _ in motion.beams]
        self.joints = self._line(color=JOINT, marker="o", markersize=6, markerfacecolor="white", markeredgewidth=1.6,
                                 linestyle="", zorder=5)
        self.points = self._line(color=POINT, marker=".", markersize=4, linestyle="", zorder=4)
        held = {i for i, *_ in motion.bodies.values()} | {int(i) for nodes, _ in motion.beams.values() for i in nodes}
        self.lonely = [i for i in range(motion.x.shape[1]) if i not in held]

        line, square = {}, {"linestyle": "", "marker": "s"}
        ring = {"linestyle": "", "marker": "o", "markerfacecolor": "white"}
        framed = [axes for _, axes in motion.beams.values() if axes is not None]
        shown = [(motion.beams, BEAM, line, "beam"), (framed, SECTION_Y, line, "section y"),
                 (framed, SECTION_Z, line, "section z"), (motion.bodies, BODY, square, "body"),
                 (motion.points, JOINT, ring, "joint"), (motion.links, POINT, line, "distance or spring")]
        handles = [pyplot.Line2D([], [], color=color, label=label, **look)
                   for items, color, look, label in shown if items]
        if handles:
            self.figure.legend(handles=handles, loc="lower left", ncols=len(handles), fontsize=8, frameon=False)

    def _trail_paths(self):
        """Paths of the bodies and of the free ends: where the eye wants to see where a point has been."""
        return [centre for _, _, centre, _ in self.motion.bodies.values()] + [
            self.motion.x[:, nodes[-1]] for nodes, _ in self.motion.beams.values()]

    def draw(self, k):
        motion = self.motion
        for line, path in zip(self.trails, self._trail_paths()):
            line.set_data_3d(*path[: k + 1].T)
        arms = iter(self.arms)
        masses = []
        for solid, (i, faces, centre, joints) in zip(self.solids, motion.bodies.values()):
            solid.set_verts([motion.x[k, i] + face @ motion.R[k, i].T for face in faces] or [np.full((3, 3), np.nan)])
            for path in joints:
                next(arms).set_data_3d(*np.stack([centre[k], path[k]]).T)
            if not faces:
                masses.append(centre[k])
        self._scatter(self.masses, masses)
        for line, (on_a, on_b) in zip(self.links, motion.links):
            line.set_data_3d(*np.stack([on_a[k], on_b[k]]).T)
        segments = [[], []]
        for line, (nodes, axes) in zip(self.lines, motion.beams.values()):
            places = motion.x[k, nodes]
            line.set_data_3d(*places.T)
            for j in range(2 if axes is not None else 0):
                segments[j] += [np.stack([p, p + self.segment * axis]) for p, axis in zip(places, axes[k, :, :, j])]
        for frame, lines in zip(self.frames, segments):
            frame.set_segments(lines)
        self._scatter(self.joints, [path[k] for path, _ in motion.points.values()])
        self._scatter(self.points, motion.x[k, self.lonely])
        self.clock.set_text(f"t = {motion.time[k]:.3f} s")
        return []

    @staticmethod
    def _scatter(artist, places):
        artist.set_data_3d(*np.reshape(places, (-1, 3)).T)


def view_of(text):
    if text in VIEWS:
        return VIEWS[text]
    try:
        elevation, azimuth = (float(part) for part in text.split(","))
        return elevation, azimuth
    except ValueError as error:
        known = ", ".join(VIEWS)
        raise argparse.ArgumentTypeError(f"'{text}' is none of {known}, nor ELEVATION,AZIMUTH in degrees") from error


def positive(text):
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return value


def main():
    parser = argparse.ArgumentParser(prog="scripts/animate", description=__doc__)
    parser.add_argument("results", help="results file (.h5)")
    parser.add_argument("-o", "--output", help="film: .gif, or .mp4 with ffmpeg (default: a GIF beside the results)")
    parser.add_argument("--fps", type=positive, default=25, help="frames a second (default: 25)")
    parser.add_argument("--frames", type=positive, default=150, help="at most so many frames (default: 150)")
    parser.add_argument("--view", type=view_of,
                        help="iso, front, side, top, or ELEVATION,AZIMUTH in degrees (default: by the motion)")
    arguments = parser.parse_args()
    output = arguments.output or os.path.splitext(arguments.results)[0] + ".gif"
    film = output.lower().endswith(".mp4")
    if film and not shutil.which("ffmpeg"):
        sys.exit("scripts/animate: an MP4 needs ffmpeg (apt-get install ffmpeg); a GIF does not")
    try:
        results = Results(arguments.results)
        motion = Motion(results, chosen_rows(results, arguments.frames))
        scene = Scene(motion, results.title, arguments.view)
        movie = animation.FuncAnimation(scene.figure, scene.draw, frames=len(motion.time), init_func=lambda: [])
        writer = animation.FFMpegWriter(fps=arguments.fps) if film else animation.PillowWriter(fps=arguments.fps)
        movie.save(output, writer=writer)
    except (ResultsError, OSError) as error:
        sys.exit(f"scripts/animate: {error}")
    print(output)


if __name__ == "__main__":
    main()
