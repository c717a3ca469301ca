# SPDX-License-Identifier: BSD-3-Clause
"""Models of what people build at growing sizes: what a part costs, and how that grows.

Each is run at two lengths without output and two with it. The difference of two lengths is free of start and end; it is
that of the processor time of analyses, since reading a large deck varies by more than some steps take.
"""
import dataclasses
import functools
import math
import pathlib
import tempfile
from collections.abc import Callable

import models
from cases import least
from program import run

PART_STEPS = 40000  # parts times steps of the longer run; bodies that fall longer whip, and end the run
LONGEST = 2000      # steps
FEWEST = 8          # steps more than the shorter run: start and reading must not hide them
STORED = 8 * 60     # bytes a part and state, about


@dataclasses.dataclass(frozen=True)
class Family:
    """A model that grows. `units`: of how many parts a model of size n consists, where it is not n."""
    name: str
    unit: str
    deck: Callable[[int], str]
    quick: tuple
    whole: tuple
    units: Callable[[int], int] = lambda n: n

    def sizes(self, whole):
        return self.quick + self.whole if whole else self.quick


FAMILIES = [
    Family("row, spherical", "body, joint", models.row, (100, 1000), (10000, 100000)),
    Family("row, revolute", "body, joint", functools.partial(models.row, joint="revolute"), (100, 1000), (10000, 100000)),
    Family("row, lie_alpha_index2", "body, joint", functools.partial(models.row, method="lie_alpha_index2"),
           (100, 1000), (10000,)),
    Family("tree", "body, joint", models.tree, (127, 1023), (8191,)),
    Family("ring", "body, joint", models.ring, (100, 1000), (10000,)),
    Family("six-bar loops", "body, joint", models.six_bars, (20, 200), (2000,), lambda n: 5 * n),
    Family("six-bar loops, redundant", "body, joint", models.redundant_six_bars, (5, 20), (80, 200), lambda n: 5 * n),
    Family("lattice of beams", "beam", models.lattice, (10, 20), (40, 80, 160), models.beams_of_lattice),
    Family("blade, order 2", "node", functools.partial(models.blade, order=2), (50, 500), (5000,), lambda n: 2 * n),
    Family("blade, order 4", "node", functools.partial(models.blade, order=4), (25, 250), (2500,), lambda n: 4 * n),
    Family("free bodies", "body", models.free_bodies, (100, 1000), (10000, 100000)),
]


def steps_of(parts):
    """Of the shorter and of the longer run."""
    return 1, 1 + max(FEWEST, min(LONGEST, PART_STEPS // parts))


def settings(steps, output):
    chosen = {"analysis.duration": repr(steps * models.STEP)}
    return chosen if output else {**chosen, "output.every": 1000000}


def figures_of(parts, runs):
    """From the least of each cost of four runs, by (is longer, has output)."""
    first, silent, stored = runs[False, False], runs[True, False], runs[True, True]
    solves, steps = silent.solves - first.solves, silent.steps - first.steps
    cpu = silent.analyses - first.analyses
    output = stored.analyses - runs[False, True].analyses
    return {
        "parts": parts, "steps": steps, "solves_per_step": solves / steps,
        "us_per_part_and_solve": 1e6 * cpu / solves / parts,
        "reading": first.reading, "set_up_and_first_step": first.set_up + first.analyses, "memory": silent.memory,
        "size_over_payload": stored.size / stored.payload,
        "output_percent": 100 * (1 - cpu / output),
        "clock_over_cpu": stored.clock / stored.cpu,
    }


def measure(family, size, programs, repeats):
    """Figures by program; the programs take turns, so that a change of load meets all of them."""
    parts = family.units(size)
    lengths = dict(zip((False, True), steps_of(parts)))
    kinds = [(longer, output) for longer in lengths for output in (False, True)]
    found = {name: {kind: [] for kind in kinds} for name in programs}
    with tempfile.TemporaryDirectory(prefix="polhode_bench_") as folder:
        deck = pathlib.Path(folder, "model.yaml")
        deck.write_text(family.deck(size))
        for _ in range(repeats):
            for name, program in programs.items():
                for longer, output in kinds:
                    steps = lengths[longer]
                    room = STORED * parts * (steps + 1 if output else 2)
                    found[name][longer, output].append(run(program, deck, settings(steps, output), room))
    return {name: figures_of(parts, {kind: least(runs) for kind, runs in of.items()}) for name, of in found.items()}


def with_exponents(figures):
    """Adds how the cost of a solve grows from each size to the next, as an exponent of the number of parts."""
    for before, one in zip(figures, figures[1:]):
        costs = [each["us_per_part_and_solve"] * each["parts"] for each in (before, one)]
        if min(costs) > 0:
            one["exponent"] = math.log(costs[1] / costs[0]) / math.log(one["parts"] / before["parts"])
    return figures


def measure_all(chosen, whole, programs, repeats, say):
    """By program and family: a list of figures, one a size."""
    all_figures = {name: {} for name in programs}
    for family in chosen:
        found = {name: [] for name in programs}
        for size in family.sizes(whole):
            say(f"  {family.name}: {family.units(size)}")
            for name, figures in measure(family, size, programs, repeats).items():
                found[name].append(figures)
        for name, figures in found.items():
            all_figures[name][family.name] = {"unit": family.unit, "sizes": with_exponents(figures)}
    return all_figures
