# SPDX-License-Identifier: BSD-3-Clause
"""The look that all pictures share."""
import matplotlib
from PIL import Image

matplotlib.use("Agg")

COLORS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c564b", "#4d4d4d"]
GREY = "#5a5a5a"

matplotlib.rcParams.update({
    "axes.prop_cycle": matplotlib.cycler(color=COLORS),
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": GREY,
    "axes.grid": True,
    "axes.titlesize": 10,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.labelsize": 9,
    "axes.formatter.useoffset": False,
    "axes.formatter.limits": (-4, 5),
    "grid.color": "#e4e4e4",
    "grid.linewidth": 0.6,
    "legend.fontsize": 8,
    "legend.frameon": True,
    "legend.framealpha": 0.85,
    "legend.edgecolor": "none",
    "legend.handlelength": 1.4,
    "legend.borderpad": 0.2,
    "lines.linewidth": 1.2,
    "xtick.labelsize": 8,
    "ytick.labelsize": 8,
    "xtick.color": GREY,
    "ytick.color": GREY,
    "figure.dpi": 110,
    "font.family": "DejaVu Sans",
})


def color(index):
    return COLORS[index % len(COLORS)]


def legend(axes, room=62):
    """A legend above the curves, in room that is made for it, so that it never covers one; `room`: letters side by side."""
    handles, labels = axes.get_legend_handles_labels()
    if not labels:
        return
    columns = max(1, min(len(labels), room // (max(map(len, labels)) + 6)))
    rows = -(-len(labels) // columns)
    share = 0.03 + 0.085 * rows  # of the height
    transform = axes.yaxis.get_transform()
    low, high = transform.transform(axes.get_ylim())
    top = low + (high - low) / (1 - share)
    axes.set_ylim(transform.inverted().transform([low, top]))
    axes.legend(loc="upper left", ncols=columns, borderaxespad=0.1, columnspacing=1.2)


def save(figure, path):
    """Writes a figure; a PNG with a palette, which is a third of the size and looks the same."""
    figure.savefig(path)
    if str(path).lower().endswith(".png"):
        with Image.open(path) as picture:
            small = picture.convert("RGB").quantize(128, dither=Image.Dither.NONE)
        small.save(path, optimize=True)
