# SPDX-License-Identifier: BSD-3-Clause
"""What an engineer looks at first, on one page: positions, energies, reactions, coordinates, linear solves; of a
deck, the model before it runs."""
import argparse
import os
import sys

import numpy as np

import convergence
import model_page
import shapes
import signals
import style
import study
from matplotlib import pyplot
from results import Results, ResultsError
from shown_nodes import MAX_LINES, different, note_on, shown_nodes, size
from solver_panels import solves_panel, residual_panel

MAX_STATES = 20000  # a picture is some 1500 pixels wide
COLUMNS = 3
TITLE_FITS = 45  # characters above a panel; longer titles are written smaller


def strongest(series):
    """At most MAX_LINES of (name, history): those with the largest values, in their old order."""
    if len(series) <= MAX_LINES:
        return series
    peak = sorted((np.abs(data).max() for _, data in series), reverse=True)[MAX_LINES - 1]
    return [(name, data) for name, data in series if np.abs(data).max() >= peak][:MAX_LINES]


def colors_in(names, given):
    """Those given by name; the others have what is left of the colors, in turn. No color twice, while there are enough."""
    found = {}
    for name in names:
        if name in given and given[name] not in found.values():
            found[name] = given[name]
    left = iter([one for one in style.COLORS if one not in found.values()] + style.COLORS * len(names))
    return [found[name] if name in found else next(left) for name in names]


def lines(title, ylabel, time, series, colors=None):
    """A panel of lines over the time. `colors`: by name, else in turn."""
    in_turn = colors_in([name for name, _ in series], colors or {})
    # Where curves lie on each other the lower ones are broader, so that all of them can be seen.
    widths = [1.2] * len(series) if len(different(series)) == len(series) else [3.2, 2.4, 1.8, 1.4] + [1.2] * len(series)

    def draw(axes):
        for i, (name, data) in enumerate(series):
            axes.plot(time, data, label=name, linewidth=widths[i], color=in_turn[i])
        axes.set_title(title, fontsize=10 * min(1, TITLE_FITS / max(1, len(title))))
        axes.set_ylabel(ylabel)
        if any(name for name, _ in series):
            style.legend(axes)
    return draw


def strongest_lines(title, ylabel, time, series, colors=None):
    """A panel of the strongest, whose title says how many there are."""
    shown = strongest(series)
    if len(shown) < len(series):
        title += f", the {len(shown)} largest of {len(series)}"
    return lines(title, ylabel, time, shown, colors)


def position_panels(results, nodes):
    unit = results.units("/nodes/position") or "m"
    smallest = 1e-6 * max(np.ptp(data, axis=0).max() for _, data in nodes)  # less than this is round-off, not motion
    for axis, letter in enumerate("xyz"):
        still = smallest > 0 and all(np.ptp(data[:, axis]) < smallest for _, data in nodes)
        panel = lines(f"Position {letter}" + (", constant but for round-off" if still else ""), f"{letter} [{unit}]",
                      results.time,
                      [(name, data[:, axis]) for name, data in nodes])

        def draw(axes, panel=panel):
            panel(axes)
            low, high = axes.get_ylim()
            if high - low < smallest:
                axes.set_ylim((low + high - smallest) / 2, (low + high + smallest) / 2)
        yield draw


def energy_panels(results):
    if not results.has("/energy/total"):
        return
    energies = {name: results.history(f"/energy/{name}") for name in ("kinetic", "strain", "gravity", "total")
                if results.has(f"/energy/{name}")}
    scale = max(np.abs(data).max() for data in energies.values())
    panel = lines("Energy", f"energy [{results.unit('/energy/total')}]", results.time, [(name, data) for name, data in energies.items()
                                                         if name != "total" and np.abs(data).max() > 1e-9 * scale])

    def draw(axes):  # the total is broad and pale, so that a part which is nearly all of it stays in sight
        axes.plot(results.time, energies["total"], color="#b0b0b0", linewidth=3.5, label="total")
        panel(axes)
    yield draw
    if results.is_static:  # the work is taken from the energy there
        return
    work = results.history("/energy/external_work") if results.has("/energy/external_work") else 0 * energies["total"]
    drift = energies["total"] - energies["total"][0] - (work - work[0])
    title = "Energy drift: total − external work" if np.abs(work).max() > 0 else "Energy drift"
    if signals.is_noise(drift, 1e-3 * scale):
        title += ", round-off only"
    yield lines(title, f"change since the start [{results.unit('/energy/total')}]", results.time, [("", drift)])


def joint_colors(results):
    """One color a joint in all panels."""
    return {name: style.color(i) for i, name in enumerate(results.names("joints"))}


def reaction_panels(results):
    """Forces, then moments, of joints and supports: components where there is one, else magnitudes. Moments that forces
    of these sizes make at levers below 1e-12 m are round-off."""
    largest_force = 0
    for quantity in ("force", "moment"):
        series = []
        unit = ""
        for group, words in (("joints", ""), ("reactions", "support ")):
            for name in results.names(group):
                path = f"/{group}/{name}/{quantity}"
                if results.has(path):
                    unit = results.unit(path)
                    series.append((words + name, results.history(path)))
        peak = max((np.abs(data).max() for _, data in series), default=0)
        series = [(name, data) for name, data in series if np.abs(data).max() > 1e-9 * peak]
        if not series or peak < max(1e-9, 1e-12 * largest_force):
            continue
        largest_force = max(largest_force, peak)
        if len(series) == 1:
            name, data = series[0]
            yield lines(f"Reaction {quantity}: {name}", f"{quantity} [{unit}]", results.time,
                        [(letter, data[:, axis]) for axis, letter in enumerate("xyz")])
        else:
            yield strongest_lines(f"Reaction {quantity}s", f"magnitude [{unit}]", results.time,
                                  [(name, size(data)) for name, data in series], joint_colors(results))


def by_range(series):
    """Those with a much larger range than the others, and the others."""
    ranges = sorted(np.ptp(data) for _, data in series)
    cuts = [i for i in range(1, len(ranges)) if ranges[i] > 5 * ranges[i - 1] > 0]
    limit = ranges[cuts[-1]] if cuts else 0
    groups = [[s for s in series if np.ptp(s[1]) >= limit], [s for s in series if np.ptp(s[1]) < limit]]
    return [group for group in groups if group]


def coordinate_panels(results):
    """Joint coordinates by unit, without those that are round-off; those with a much larger range than the others apart."""
    by_unit = {}
    for name in results.names("joints"):
        path = f"/joints/{name}/coordinates"
        if results.has(path):
            data = results.history(path)
            units = results.units(path).split(", ")  # of several coordinates one each, or the same for all
            for k in range(data.shape[1]):
                label = name if data.shape[1] == 1 else f"{name} [{k}]"
                by_unit.setdefault(units[min(k, len(units) - 1)], []).append((label, data[:, k]))
    for unit, series in by_unit.items():
        peak = max(np.abs(data).max() for _, data in series)
        for group in by_range([(name, data) for name, data in series if np.abs(data).max() > max(1e-9 * peak, 1e-12)]):
            yield strongest_lines("Joint coordinates", f"coordinate [{unit}]", results.time, group,
                                  joint_colors(results))


def machine_panels(results):
    """What controllers and other signals of the deck are worth, sensors by unit; formulas have none."""
    by_unit = {}
    for name in results.file.get("signals", {}):
        data = results.history(f"/signals/{name}")
        if data.any():
            by_unit.setdefault(signals.unit_of_signal(results, f"/signals/{name}"), []).append((name, data))
    for unit, series in by_unit.items():
        label = f"value [{unit}]" if unit else "value"
        for group in by_range(series):
            for part in by_range(group):  # torques, forces and angles are some decades apart
                yield strongest_lines("Signals", label, results.time, part)


def beam_panels(results):
    """The largest section forces along each beam."""
    found = [(name, results.history(f"/beams/{name}/forces")) for name in results.names("beams")
             if results.has(f"/beams/{name}/forces")]
    for title, what, part in (("Beams: largest bending moment", "moment", slice(4, 6)),
                              ("Beams: largest axial force", "force", slice(0, 1))):
        series = [(name, size(data[..., part]).max(axis=1)) for name, data in found]
        series = [(name, data) for name, data in series if data.any()]  # cables have no moments
        if series:
            unit = results.unit(f"/beams/{series[0][0]}/forces", part.start)
            yield strongest_lines(title, f"{what} [{unit}]", results.time, series)


def speed_panel(results, nodes):
    names = results.node_names
    path = "/nodes/angular_velocity"
    if not results.has(path):
        return
    series = [(name, size(results.history(path, names.index(name)))) for name, _ in nodes]
    if max(data.max() for _, data in series) > 0:
        yield lines("Angular speed", f"|Ω| [{results.unit(path)}]", results.time, series)


def path_panels(results, nodes):
    """The path of equilibria of static analyses: load factor against displacements, limit points marked."""
    rows = results.static_rows()
    if len(rows) < 2:
        return
    factor = results.history("/static/load_factor")[rows]
    limits = results.history("/static/limit_point")[rows] > 0
    unit = results.units("/nodes/position") or "m"
    ways = [(name, data[rows] - data[rows[0]]) for name, data in nodes]
    largest = max(np.abs(way).max() for _, way in ways)

    def panel(axis, letter):
        def draw(axes):
            for i, (name, way) in enumerate(ways):
                axes.plot(way[:, axis], factor, ".-", markersize=4, label=name, color=style.color(i))
                axes.plot(way[limits, axis], factor[limits], "o", markersize=7, fillstyle="none", color=style.color(i),
                          label="limit point" if limits.any() and i == len(ways) - 1 else None)
            axes.set_title(f"Equilibrium path, {letter}")
            axes.set_ylabel("load factor")
            style.legend(axes)
        draw.xlabel = f"displacement {letter} [{unit}]"
        return draw
    for axis, letter in enumerate("xyz"):
        if max(np.abs(way[:, axis]).max() for _, way in ways) > 1e-6 * largest > 0:
            yield panel(axis, letter)

    smallest = results.history("/static/smallest_pivot")[rows]
    if not (smallest > 0).any():  # a motion that nothing resists: no logarithm
        return

    def pivots(axes):
        axes.semilogy(rows, smallest, ".-", markersize=4)
        axes.set_title("Smallest pivot of the tangent stiffness")
        axes.set_ylabel("over the largest")
    pivots.xlabel = "state"
    yield pivots


def panels_of(results, nodes):
    if results.is_static:
        return [*path_panels(results, nodes), *position_panels(results, nodes), *energy_panels(results),
                *reaction_panels(results), *coordinate_panels(results), *beam_panels(results)]
    panels = [*path_panels(results, nodes), *position_panels(results, nodes), *energy_panels(results),
              *solves_panel(results),
              *reaction_panels(results), *coordinate_panels(results), *machine_panels(results)]
    # What comes next in interest fills the last row.
    for extra in (*beam_panels(results), *residual_panel(results), *speed_panel(results, nodes)):
        if len(panels) % COLUMNS:
            panels.append(extra)
    return panels


def signal_panels(results, wanted):
    for title, unit, series in signals.panels_of_signals(results, wanted):
        noise = all(signals.is_noise(data, 0.0) for _, data in series)
        yield lines(title + (", constant but for round-off" if noise else ""), f"[{unit}]" if unit else "", results.time,
                    series)


def draw_page(results, wanted, output, chosen=()):
    """Draws the page; returns a note on nodes that it does not show, or None."""
    nodes, hidden = ([], []) if chosen else shown_nodes(results, wanted)
    panels = [*signal_panels(results, chosen)] if chosen else panels_of(results, nodes)
    note = note_on(hidden)
    across = min(COLUMNS, len(panels))
    rows = -(-len(panels) // across)
    head = 0.95 if note else 0.75
    height = 0.2 + head + 3.0 * rows
    figure, grid = pyplot.subplots(rows, across, figsize=(14, height), squeeze=False, layout="constrained")
    figure.get_layout_engine().set(w_pad=0.08, h_pad=0.08, hspace=0.03, wspace=0.03, rect=(0, 0, 1, 1 - head / height))
    figure.text(0.5, 1 - 0.28 / height, results.title, ha="center", va="center", fontsize=14, fontweight="bold")
    figure.text(0.5, 1 - 0.56 / height, results.subtitle(), ha="center", va="center", fontsize=9.5, color=style.GREY)
    if note:
        figure.text(0.5, 1 - 0.79 / height, note, ha="center", va="center", fontsize=8, color=style.GREY, wrap=True)
    for axes, draw in zip(grid.flat, panels):
        draw(axes)
        axes.set_xlabel(getattr(draw, "xlabel", "state" if results.is_static else f"time [{results.unit('/time')}]"))
        start, end = results.time[0], results.time[-1]
        if end > start and not hasattr(draw, "xlabel"):
            axes.set_xlim(start - 0.01 * (end - start), end + 0.01 * (end - start))
    for axes in grid.flat[len(panels):]:
        axes.set_axis_off()
    style.save(figure, output)
    return note


def main():
    parser = argparse.ArgumentParser(prog="scripts/plot", description=__doc__)
    parser.add_argument("results", help="results of polhode run, convergence or sweep (.h5), or a deck (.yaml)")
    parser.add_argument("-o", "--output", help="picture (.png, .pdf, .svg); default: beside the results; of a deck, in this folder")
    parser.add_argument("--modes", type=int, metavar="ANALYSIS",
                        help="index of the modal analysis whose shapes are shown (default: the last one)")
    parser.add_argument("--nodes", help="nodes whose positions are shown: a,b,... (default: those of the deck that move)")
    parser.add_argument("--signals", help="instead: what is named, as in responses, with wildcards, a panel each: "
                                          "nodes.tip.position.z,joints.*.force,energy.total")
    arguments = parser.parse_args()
    is_deck = arguments.results.endswith((".yaml", ".yml"))
    stem = os.path.splitext(arguments.results)[0]
    output = arguments.output or (os.path.basename(stem) + "_model" if is_deck else stem) + ".png"
    try:
        if is_deck:
            model_page.draw_page(arguments.results, output)
        elif convergence.is_convergence(arguments.results):
            convergence.draw_page(arguments.results, output)
        elif study.is_study(arguments.results):
            study.draw_page(arguments.results, output)
        else:
            results = Results(arguments.results, MAX_STATES)
            with_modes = "/modal/shapes" in results.file
            if arguments.modes is not None and not with_modes:
                raise ResultsError(f"{arguments.results}: holds no modes; its deck needs an analysis of type modal")
            chosen = [name.strip() for name in (arguments.signals or "").split(",") if name.strip()]
            if with_modes and not chosen:  # beside the motion, where there is one
                stem, ending = os.path.splitext(output)
                picture = stem + "_modes" + ending if results.moves else output
                shapes.draw_page(results, picture, arguments.modes)
                if picture != output:
                    print(picture)
            if results.moves or chosen or not with_modes:
                note = draw_page(results, [name for name in (arguments.nodes or "").split(",") if name], output, chosen)
                if note:
                    print(f"scripts/plot: {note}", file=sys.stderr)
    except (ResultsError, OSError) as error:
        sys.exit(f"scripts/plot: {error}")
    print(output)


if __name__ == "__main__":
    main()
