# SPDX-License-Identifier: BSD-3-Clause
"""scripts/report RESULTS.h5 [-o report.html]: model, run, plots, extremes and how to repeat it, on a page to print."""
import argparse
import base64
import collections
import hashlib
import html
import os
import re
import sys
import tempfile

import model  # noqa: F401 -- finds the pictures' modules

import numpy as np
import plot
import shapes

from extremes import extremes
from page import read, run_tool, source_of
from results import text
from scene import scene_of
from view import still

ROOM = 2_000_000  # bytes of numbers that the picture needs at most
MOST_ROWS = 60
CHUNK = 1 << 20


def number(value):
    return f"{value:.5g}" if isinstance(value, float) else str(value)


def table(head, rows):
    """A table of HTML; what does not fit is counted below."""
    if not rows:
        return ""
    cells = "".join("<tr>" + "".join(
        f'<td class="number">{html.escape(number(cell))}</td>' if isinstance(cell, (int, float)) else
        f"<td>{html.escape(str(cell))}</td>" for cell in row) + "</tr>" for row in rows[:MOST_ROWS])
    more = f"<p>and {len(rows) - MOST_ROWS} more</p>" if len(rows) > MOST_ROWS else ""
    heads = "".join(f"<th>{html.escape(name)}</th>" for name in head)
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{cells}</tbody></table>{more}"


def model_rows(scene, log):
    rows = [("nodes", len(scene["nodes"])), ("bodies", len(scene["bodies"])), ("beams", len(scene["beams"]))]
    rows += [(f"joints: {kind}", count) for kind, count in
             sorted(collections.Counter(one["type"] for one in scene["joints"]).items())]
    forces = [one["type"] for one in scene["forces"]] + ["load"] * len(scene["loads"])
    rows += [(f"forces: {kind}", count) for kind, count in sorted(collections.Counter(forces).items())]
    if size := re.search(r"(\d+) unknowns, (\d+) constraint rows", log):
        rows += [("unknowns", int(size[1])), ("constraint equations", int(size[2]))]
    masses = [body["mass"] for body in scene["bodies"] if "mass" in body]
    if masses:
        rows.append((f"mass of the bodies [{scene['units']['mass']}]", float(sum(masses))))
    rows.append((f"gravity [{scene['units']['length']}/{scene['units']['time']}²]", "  ".join(number(float(g)) for g in scene["gravity"])))
    return rows


def run_rows(results):
    rows = [("status", results.status), ("states stored", results.count)]
    iterations = results.steps("newton_iterations")
    if iterations is not None and len(iterations):
        wasted, steps = results.steps("wasted_iterations"), results.steps("step")
        rows += [("steps", len(iterations)), ("linear solves a step, mean", float(np.mean(iterations))),
                 ("linear solves a step, largest", int(np.max(iterations)))]
        if wasted is not None:
            rows.append(("linear solves of failed attempts", int(np.sum(wasted))))
        if steps is not None:
            rows.append((f"step [{results.unit('/time')}], smallest and largest", f"{np.min(steps):.4g}, {np.max(steps):.4g}"))
    if results.has("/energy/total") and not results.is_static and results.moves:
        total = results.history("/energy/total")
        work = results.history("/energy/external_work") if results.has("/energy/external_work") else 0 * total
        drift = total - total[0] - (work - work[0])
        scale = max(np.ptp(total), np.ptp(work), float(np.abs(results.history("/energy/kinetic")).max()))
        rows.append((f"energy that nothing accounts for [{results.unit('/energy/total')}], largest", float(np.abs(drift).max())))
        if scale > 0:
            rows.append(("the same over the energy that is exchanged", float(np.abs(drift).max() / scale)))
    return rows


def picture_of_plots(results):
    """The page of scripts/plot as data for an image."""
    with tempfile.TemporaryDirectory() as folder:
        pictures = []
        if results.moves:
            pictures.append(os.path.join(folder, "plots.png"))
            plot.draw_page(results, [], pictures[-1])
        if "/modal/shapes" in results.file:
            pictures.append(os.path.join(folder, "modes.png"))
            shapes.draw_page(results, pictures[-1])
        found = []
        for path in pictures:
            with open(path, "rb") as file:
                data = base64.b64encode(file.read()).decode("ascii")
            found.append(f'<img alt="plots" src="data:image/png;base64,{data}">')
    return "".join(found)


def hash_of(path):
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while piece := file.read(CHUNK):
            digest.update(piece)
    return digest.hexdigest()


def report_of(path):
    scene, _, results = scene_of(path, ROOM)
    results.thin(plot.MAX_STATES)
    log = text(results.file["/log"][()]) if "/log" in results.file else ""
    deck = text(results.file["/deck"][()]) if "/deck" in results.file else ""
    warnings = [line for line in log.splitlines() if "warning" in line.lower()]
    deck_nodes = list(results.deck.get("nodes") or {})
    parameters = [(str(name), str(value)) for name, value in (results.deck.get("parameters") or {}).items()]
    bodies = [(body["name"], body["type"], body.get("mass", ""),
               ", ".join(f"{inertia:.4g}" for inertia in body.get("inertia") or []))
              for body in scene["bodies"]]
    modes = [(mode["number"], mode["frequency"], mode["damping"], mode["text"]) for mode in scene["modes"]]
    sections = [
        ("Model", still(scene, results) + table(("quantity", "value"), model_rows(scene, log))),
        ("Parameters", table(("parameter", "value"), parameters)),
        ("Bodies", table(("body", "kind", "mass [kg]", "principal inertia [kg m²]"), bodies)),
        ("Run", table(("quantity", "value"), run_rows(results))),
        ("Warnings", table(("warning",), [(line,) for line in warnings]) or "<p>none</p>"),
        ("Modes", table(("mode", "frequency [Hz]", "damping ratio", "motion"), modes)),
        ("Plots", picture_of_plots(results)),
        ("Extremes", table(("quantity", "where", "largest value", "state" if results.is_static else f"time [{results.unit('/time')}]"),
                           extremes(results, deck_nodes)) if results.moves else ""),
        ("To repeat it", table(("what", "value"), [
            ("program", results.attribute("polhode_version")), ("made", results.attribute("created")),
            ("results", os.path.basename(path)), ("SHA-256 of the results", hash_of(path)),
            ("SHA-256 of the deck", hashlib.sha256(deck.encode()).hexdigest())])
            + f"<h2>Messages</h2><pre>{html.escape(log)}</pre><h2>Deck</h2><pre>{html.escape(deck)}</pre>")]
    style = read("report.css")
    status = html.escape(results.status)
    bad = "" if status == "completed" else f'<p class="bad">The run is not complete: {status}.</p>'
    body = "".join(f"<section><h2>{title}</h2>{content}</section>" for title, content in sections if content)
    title = html.escape(results.title)
    return ('<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" '
            f'content="default-src \'none\'; img-src data:; style-src {source_of(style)}">\n<title>{title}</title>\n'
            f"<style>{style}</style></head>\n<body><h1>{title}</h1><p>{html.escape(results.subtitle())}</p>{bad}{body}"
            "</body></html>\n")


def main():
    parser = argparse.ArgumentParser(prog="scripts/report", description=__doc__)
    parser.add_argument("results", help="results file (.h5)")
    parser.add_argument("-o", "--output", help="the page; default: the results' name with _report.html")
    options = parser.parse_args()
    output = options.output or os.path.splitext(options.results)[0] + "_report.html"

    def make():
        page = report_of(options.results)
        with open(output, "w", encoding="utf-8") as file:
            file.write(page)
        return output

    return run_tool("report", make)


if __name__ == "__main__":
    sys.exit(main())
