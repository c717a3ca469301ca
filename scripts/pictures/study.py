# SPDX-License-Identifier: BSD-3-Clause
"""The table of a study: responses against a parameter, families of curves, maps of two parameters, pairs of more."""
import h5py
import numpy as np

import style
from matplotlib import pyplot
from results import ResultsError, has_format, text

FORMAT = "polhode-study-table/"
MOST_CURVES = 8  # of a family
MOST_PANELS = 6  # side by side
MOST_PAIRS = 8
MARKED = 60  # points of a curve; more are a line alone


def is_study(path):
    return has_format(path, FORMAT)


class Study:
    def __init__(self, path):
        with h5py.File(path, "r") as file:
            self.title = text(file.attrs["title"])
            self.sampling = text(file.attrs["sampling"])
            self.cases = int(file["cases"][0])
            self.columns = {name: (data.asstr() if data.dtype == object else data)[:]
                            for name, data in file["table"].items()}
            self.units = {name: text(data.attrs["units"]) for name, data in file["table"].items()}
            varied = [text(name) for name in file["varied"][()]]
            self.responses = [text(name) for name in file["responses"][()]]
        self.varied = [name for name in varied if len(set(self.columns[name])) > 1]
        self.values = {name: np.unique(self.columns[name]) for name in self.varied}
        self.rows = len(self.columns["case"])
        self.good = self.columns["status"] == "completed"
        if not self.good.any() or not self.responses or not self.varied:
            raise ResultsError(f"{path}: there is nothing to draw: {self.good.sum()} cases completed, "
                               f"{len(self.responses)} responses, {len(self.varied)} values that vary")

    def is_text(self, name):
        return self.columns[name].dtype == object

    def is_log(self, name):
        """Of values over more than a decade whose steps grow with them."""
        data = self.columns[name][self.good] if name in self.responses else self.columns[name]
        data = data[np.isfinite(data)]
        if len(data) == 0 or data.min() <= 0 or data.max() < 9 * data.min():
            return False
        values = np.unique(data)
        middle = np.median(values)
        return middle - values[0] < 0.25 * (values[-1] - values[0])

    def label(self, name):
        unit = self.units[name]
        return f"{name} [{unit}]" if unit not in ("", "1") else name

    def roles(self):
        """(x, family, panels) for curves: the longest list of numbers along x, one curve a value of the second."""
        numbers = [name for name in self.varied if not self.is_text(name)]
        if not numbers or len(self.varied) > 3:
            return None
        x = max(numbers, key=lambda name: (len(self.values[name]), self.is_log(name)))
        rest = [name for name in self.varied if name != x]
        rest.sort(key=lambda name: (not self.is_text(name), len(self.values[name])))
        panels = rest.pop(0) if len(rest) == 2 else None
        return x, (rest[0] if rest else None), panels


def value_text(value):
    return value if isinstance(value, str) else f"{value:.4g}"


def last_part(name):
    return name.rsplit(".", 1)[-1]


def family_of(study, family):
    """The values that get a curve, spread evenly where there are too many, and their colors."""
    values = study.values[family]
    if len(values) > MOST_CURVES:
        values = values[np.linspace(0, len(values) - 1, MOST_CURVES).round().astype(int)]
    if study.is_text(family):
        return [(value, style.color(i)) for i, value in enumerate(values)]
    return [(value, pyplot.cm.viridis(0.9 * i / max(len(values) - 1, 1))) for i, value in enumerate(values)]


def draw_curves(axes, study, response, x, family, chosen, legend=True):
    curves = family_of(study, family) if family else [(None, style.color(0))]
    for value, color in curves:
        rows = chosen & study.good
        if family:
            rows = rows & (study.columns[family] == value)
        along = study.columns[x][rows]
        order = np.argsort(along, kind="stable")
        axes.plot(along[order], study.columns[response][rows][order], "o-" if rows.sum() <= MARKED else "-",
                  markersize=3, color=color, label=f"{last_part(family)} = {value_text(value)}" if family else None)
    if study.is_log(x):
        axes.set_xscale("log")
    if study.is_log(response):
        axes.set_yscale("log")
    axes.set_xlabel(study.label(x))
    axes.set_ylabel(study.label(response))
    if legend:
        style.legend(axes, 44)


def draw_map(figure, axes, study, response, x, y):
    good = study.good
    across, up, value = (study.columns[name][good] for name in (x, y, response))
    across_log, up_log = study.is_log(x), study.is_log(y)
    if study.sampling == "grid":
        columns, rows = study.values[x], study.values[y]
        picture = np.full((len(rows), len(columns)), np.nan)
        picture[np.searchsorted(rows, up), np.searchsorted(columns, across)] = value
        drawn = axes.pcolormesh(columns, rows, picture, shading="nearest", cmap="viridis")
    elif len(value) >= 4:
        drawn = axes.tricontourf(across, up, value, levels=24, cmap="viridis")
        axes.plot(across, up, ".", color="white", markersize=2, alpha=0.6)
    else:
        drawn = axes.scatter(across, up, c=value, cmap="viridis")
    bad = ~good
    if bad.any():
        axes.plot(study.columns[x][bad], study.columns[y][bad], "x", color=style.COLORS[1], markersize=4)
        axes.text(1, 1.01, "× not completed", transform=axes.transAxes, ha="right", fontsize=8, color=style.COLORS[1])
    if across_log:
        axes.set_xscale("log")
    if up_log:
        axes.set_yscale("log")
    axes.grid(False)
    axes.set_xlabel(study.label(x))
    axes.set_ylabel(study.label(y))
    figure.colorbar(drawn, ax=axes, pad=0.02).set_label(study.label(response), fontsize=9)


def draw_pairs(figure, grid, study, names):
    """Each of the names against each; the color is that of the first response."""
    good = study.good
    data = {}
    for name in names:
        column = study.columns[name]
        data[name] = np.searchsorted(study.values[name], column) if study.is_text(name) else column
    color = data[study.responses[0]][good]
    for i, row in enumerate(names):
        for j, column in enumerate(names):
            axes = grid[i, j]
            if j > i:
                axes.set_axis_off()
                continue
            if i == j:
                values = data[row][good].astype(float)
                axes.hist(values[np.isfinite(values)], bins=20, color=style.COLORS[0])
                axes.set_yticks([])
            else:
                drawn = axes.scatter(data[column][good], data[row][good], s=6, c=color, cmap="viridis", linewidths=0)
                axes.plot(data[column][~good], data[row][~good], "x", color=style.COLORS[1], markersize=3)
            axes.tick_params(labelsize=6)
            for name, axis in ((column, axes.xaxis), (row, axes.yaxis)):
                if study.is_text(name) and not (i == j and axis is axes.yaxis):
                    axis.set_ticks(range(len(study.values[name])), study.values[name])
            axes.set_xlabel(study.label(column) if i == len(names) - 1 else "", fontsize=7)
            axes.set_ylabel(study.label(row) if j == 0 and i > 0 else "", fontsize=7)
    bar = figure.colorbar(drawn, ax=grid[0, -1], location="left", fraction=0.5)
    bar.set_label(study.label(study.responses[0]), fontsize=8)


def heading(figure, study, height):
    figure.get_layout_engine().set(w_pad=0.08, h_pad=0.08, hspace=0.03, wspace=0.03, rect=(0, 0, 1, 1 - 0.75 / height))
    figure.text(0.5, 1 - 0.28 / height, study.title, ha="center", va="center", fontsize=14, fontweight="bold")
    counts = [f"{study.cases} cases", study.sampling.replace("_", " "), f"{study.good.sum()} completed"]
    if study.rows < study.cases:
        counts.append(f"{study.cases - study.rows} missing")
    figure.text(0.5, 1 - 0.56 / height, "   ·   ".join(counts), ha="center", va="center", fontsize=9.5,
                color=style.GREY)


def sheet(rows, columns, width, panel_height):
    height = 0.95 + panel_height * rows
    figure, grid = pyplot.subplots(rows, columns, figsize=(width * columns, height), squeeze=False,
                                   layout="constrained")
    return figure, grid, height


def draw_page(path, output):
    study = Study(path)
    roles = study.roles()
    sampled = study.sampling not in ("grid", "zip")
    if roles is None or (sampled and len(study.varied) > 2) or \
            (roles[2] and len(study.values[roles[2]]) > MOST_PANELS):
        names = (study.varied + study.responses)[:MOST_PAIRS]
        if study.responses[0] not in names:
            names[-1] = study.responses[0]
        figure, grid, height = sheet(len(names), len(names), 1.75, 1.55)
        draw_pairs(figure, grid, study, names)
    elif roles[2]:
        x, family, panels = roles
        values = study.values[panels]
        figure, grid, height = sheet(len(study.responses), len(values), 3.75, 3.1)
        for row, response in zip(grid, study.responses):
            for axes, value in zip(row, values):
                draw_curves(axes, study, response, x, family, study.columns[panels] == value, axes is row[0])
                axes.set_title(f"{last_part(panels)} = {value_text(value)}")
            low = min(axes.get_ylim()[0] for axes in row)
            high = max(axes.get_ylim()[1] for axes in row)
            for axes in row:
                axes.set_ylim(low, high)
    else:
        x, family, _ = roles
        maps = family is not None and not study.is_text(family) and (sampled or len(study.values[family]) > 3) \
            and study.sampling != "zip"
        curves = family is None or not sampled
        figure, grid, height = sheet(maps + curves, len(study.responses), 4.4, 3.3)
        everything = np.ones(study.rows, dtype=bool)
        for column, response in enumerate(study.responses):
            if curves:
                draw_curves(grid[0, column], study, response, x, family if study.sampling != "zip" else None, everything)
                grid[0, column].set_title(response)
            if maps:
                draw_map(figure, grid[-1, column], study, response, x, family)
                grid[-1, column].set_title(response if not curves else "")
    heading(figure, study, height)
    style.save(figure, output)
