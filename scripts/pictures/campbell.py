# SPDX-License-Identifier: BSD-3-Clause
"""Frequencies over the speed of rotation: one run of the deck's analyses in a turning frame, again for each speed.

The program numbers the modes by their shapes (modal assurance criterion), so that a line is one motion."""
import argparse
import csv
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import h5py
import numpy as np
import yaml

import style
from matplotlib import pyplot

PROGRAM = os.environ.get("POLHODE_BINARY", str(pathlib.Path(__file__).resolve().parents[2] / "build/release/polhode"))
SURE = 0.8  # agreement of shapes above which a line is beyond doubt


class CampbellError(Exception):
    """The message is for the user."""


def speeds_of(text):
    """a,b,... or first:last:number, ascending or not."""
    try:
        if ":" in text:
            first, last, number = text.split(":")
            speeds = np.linspace(float(first), float(last), int(number))
        else:
            speeds = np.array([float(part) for part in text.split(",")])
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"'{text}' is neither a,b,c nor first:last:number") from error
    if not len(speeds) or not np.isfinite(speeds).all():
        raise argparse.ArgumentTypeError(f"'{text}' gives no speeds")
    return speeds


def analyses_at(analyses, speeds):
    """What stands before the first analysis in a turning frame, then all from it on that turn, for each speed."""
    analyses = analyses if isinstance(analyses, list) else [analyses]
    turning = [a for a in analyses if isinstance(a, dict) and "rotation" in a]
    if not any(a.get("type") == "modal" for a in turning):
        raise CampbellError("the deck has no analysis `{type: modal, rotation: {axis: …, speed: …}}`; add one, after a "
                            "static analysis with the same `rotation`")
    before = analyses[: analyses.index(turning[0])]
    return before + [{**a, "rotation": {**a["rotation"], "speed": float(speed)}} for speed in speeds for a in turning]


def run(deck, analyses, settings, output):
    """What the program says where an analysis fails; those before it are in the results."""
    command = [PROGRAM, "run", deck, "-o", output]
    for setting in [*settings, "analysis=" + json.dumps(analyses)]:
        command += ["--set", setting]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 3):
        raise CampbellError(f"the run has failed (exit status {done.returncode}):\n{done.stderr.strip()}")
    return done.stderr.strip() if done.returncode else ""


def read(path, analyses):
    """Rows of the table: speed [rad/s], mode, frequency [Hz], damping ratio, agreement, what moves; and the title."""
    with h5py.File(path) as file:
        modal = {name: file[f"/modal/{name}"][()] for name in
                 ("analysis", "number", "frequencies", "damping", "agreement", "text")}
        title = file.attrs["title"]
    rows = [(analyses[a]["rotation"]["speed"], int(number), frequency, damping, agreement, text.decode())
            for a, number, frequency, damping, agreement, text in zip(*modal.values())]
    return rows, title.decode() if isinstance(title, bytes) else title


def failure_of(rows, speeds, said):
    """Which speed has no modes, and why, out of what the program said."""
    done = len({row[0] for row in rows})
    others = len(speeds) - done - 1
    left = f", and {others} {'speed after it was' if others == 1 else 'speeds after it were'} not tried" if others else ""
    reason = [line for line in said[said.find("error:"):].splitlines() if not line.startswith(("CPU time", "results:"))]
    return (f"there are no modes at {speeds[done]:.6g} rad/s{left}; the picture shows those before:\n"
            + "\n".join(reason))


def by_mode(rows):
    lines = {}
    for row in rows:
        lines.setdefault(row[1], []).append(row)
    return lines


def draw(rows, title, per_rev, rpm, output):
    unit, factor = ("rpm", 30 / np.pi) if rpm else ("rad/s", 1.0)
    lines = by_mode(rows)
    damped = max(abs(row[3]) for row in rows) > 1e-9
    figure, panels = pyplot.subplots(2 if damped else 1, 1, figsize=(9, 9.4 if damped else 6.2), squeeze=False,
                                     sharex=True, layout="constrained")
    axes = panels[0, 0]
    speeds = np.array(sorted({row[0] for row in rows}))
    top = 1.06 * max(row[2] for row in rows) or 1.0
    ends = []
    for i, (number, line) in enumerate(sorted(lines.items())):
        x, y = np.array([r[0] for r in line]) * factor, np.array([r[2] for r in line])
        axes.plot(x, y, ".-", color=style.color(i), markersize=4)
        doubtful = np.array([r[4] < SURE for r in line])
        axes.plot(x[doubtful], y[doubtful], "o", color=style.color(i), markersize=8, fillstyle="none")
        ends.append((y[-1], x[-1], number, style.color(i)))
        if damped:
            panels[1, 0].plot(x, [r[3] for r in line], ".-", color=style.color(i), markersize=4, label=str(number))
    gap, last = 0.022 * top, -np.inf
    for height, x, number, color in sorted(ends):  # numbers beside the lines, apart from each other
        last = max(height, last + gap)
        axes.annotate(str(number), (x, height), (6, (last - height) / top * 400), textcoords="offset points", color=color,
                      fontsize=8, va="center")
    for n in per_rev:
        axes.plot(speeds * factor, n * speeds / (2 * np.pi), "--", color="#9a9a9a", linewidth=0.8, zorder=0)
        # Where the line leaves the picture.
        end = min(speeds[-1], 2 * np.pi * top / n) if n else speeds[-1]
        axes.annotate(f"{n:g} per rev", (end * factor, n * end / (2 * np.pi)), (-4, 3), textcoords="offset points",
                      fontsize=7, color=style.GREY, ha="right")
    axes.set_ylim(0, top)
    axes.set_ylabel("frequency [Hz]")
    axes.set_title(title + (" (circles: shapes agree by less than 0.8)" if any(r[4] < SURE for r in rows) else ""))
    if damped:
        panels[1, 0].set_ylabel("damping ratio")
        style.legend(panels[1, 0])
    panels[-1, 0].set_xlabel(f"speed of rotation [{unit}]")
    style.save(figure, output)


def write_table(rows, output):
    with open(output, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["speed [rad/s]", "mode", "frequency [Hz]", "damping ratio", "agreement", "motion"])
        writer.writerows([f"{r[0]:.10g}", r[1], f"{r[2]:.10g}", f"{r[3]:.6g}", f"{r[4]:.4f}", r[5]] for r in rows)


def print_table(rows):
    """Frequencies, a row a speed and a column a mode."""
    lines = by_mode(rows)
    found = {(r[0], r[1]): r for r in rows}
    print("speed [rad/s]" + "".join(f"{'mode ' + str(n):>12}" for n in sorted(lines)) + "   [Hz]")
    for speed in dict.fromkeys(r[0] for r in rows):
        cells = [found.get((speed, n)) for n in sorted(lines)]
        print(f"{speed:13.6g}" + "".join(
            f"{'-':>12}" if r is None else f"{format(r[2], '.6g') + ('?' if r[4] < SURE else ''):>12}" for r in cells))
    for number, line in sorted(lines.items()):
        print(f"mode {number}: {line[0][5]}")
    if any(r[4] < SURE for r in rows):
        print(f"?: the shape agrees by less than {SURE} with that at the speed before; more speeds tell which is which")


def main():
    parser = argparse.ArgumentParser(prog="scripts/campbell", description=__doc__)
    parser.add_argument("deck", help="a deck with analyses in a turning frame (`rotation`), one of them modal")
    parser.add_argument("--speeds", type=speeds_of, required=True, help="a,b,c or first:last:number [rad/s]")
    parser.add_argument("--rpm", action="store_true", help="speeds, and the picture's axis, in revolutions a minute")
    parser.add_argument("--per-rev", default="1,2,3,4,5,6", help="multiples of the speed drawn as lines (default: 1 to 6)")
    parser.add_argument("--set", action="append", default=[], metavar="PATH=VALUE", help="of the deck, as for polhode run")
    parser.add_argument("-o", "--output", help="picture (.png, .pdf, .svg); the table goes beside it (.csv)")
    arguments = parser.parse_args()
    output = arguments.output or pathlib.Path(arguments.deck).stem + "_campbell.png"
    speeds = arguments.speeds * (np.pi / 30 if arguments.rpm else 1.0)
    try:
        per_rev = [float(n) for n in arguments.per_rev.split(",") if n]
        with open(arguments.deck, encoding="utf-8") as file:
            analyses = analyses_at((yaml.safe_load(file) or {}).get("analysis") or [], speeds)
        with tempfile.TemporaryDirectory() as folder:
            results = os.path.join(folder, "campbell.h5")
            failure = run(arguments.deck, analyses, arguments.set, results)
            rows, title = read(results, analyses)
        if failure and not rows:
            raise CampbellError(f"the run has failed:\n{failure}")
        write_table(rows, os.path.splitext(output)[0] + ".csv")
        print_table(rows)
        draw(rows, title, per_rev, arguments.rpm, output)
    except (CampbellError, OSError, ValueError, yaml.YAMLError) as error:
        sys.exit(f"scripts/campbell: {error}")
    print(output)
    if failure:
        sys.exit(f"scripts/campbell: {failure_of(rows, speeds, failure)}")


if __name__ == "__main__":
    main()
