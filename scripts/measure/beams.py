# SPDX-License-Identifier: BSD-3-Clause
"""Beams of every kind against the plain one: what a node costs, as ratios in one run.

Cantilevers of about as many nodes, and a cable between two points, measured in turn, so that a change of load meets all
of them; all but the plain one and the cable have a section whose stiffness couples all strains.
"""
import dataclasses
import pathlib
import tempfile

import models
from cases import least
from families import settings
from program import run

NODE_STEPS = 400000  # nodes times steps of the longer run


@dataclasses.dataclass(frozen=True)
class Beam:
    name: str
    order: int
    entries: dict
    section: dict
    bound: float  # times the plain one


DAMPED = {**models.COUPLED, "damping": [1e-4, 2e-4, 2e-4, 3e-4, 3e-4, 1e-4]}
CABLE = {"stiffness": {"EA": 1e6}, "mass": {"per_length": 1}}
PLAIN = "two nodes, plain"
BEAMS = [
    Beam(PLAIN, 1, {}, models.BAR, 1),
    Beam("two nodes, damped", 1, {}, DAMPED, 1.6),
    Beam("order 2", 2, {}, models.COUPLED, 2.0),
    Beam("order 4", 4, {}, models.COUPLED, 3.5),
    Beam("order 4, damped", 4, {}, DAMPED, 4.0),
    Beam("order 8", 8, {}, models.COUPLED, 7.0),
    Beam("cable", 1, {"type": "cable", "tension": 1000}, CABLE, None),
]


def deck_of(beam, nodes):
    """A beam of about this many nodes along x, which falls from its root."""
    elements = nodes // beam.order
    deck = models.Deck()
    deck.add("sections", "section", **beam.section)
    point = {"dofs": "translation", "fixed": True} if beam.entries.get("type") == "cable" else {}
    deck.node("root", [0, 0, 0], **{"fixed": True, **point})
    deck.node("tip", [elements, 0, 0], **point)
    order = {} if point else {"order": beam.order}
    deck.add("beams", "beam", section="section", elements=elements, **order, **beam.entries,
             **{"from": "root", "to": "tip"})
    return deck.text()


def measure(nodes, programs, repeats):
    """By program and name: microseconds a node and solve, and how many times the plain one that is."""
    steps = {False: 1, True: 1 + max(8, NODE_STEPS // nodes)}
    runs = {(name, beam.name, longer): [] for name in programs for beam in BEAMS for longer in steps}
    with tempfile.TemporaryDirectory(prefix="polhode_bench_") as folder:
        deck = pathlib.Path(folder, "beam.yaml")
        for _ in range(repeats):
            for beam in BEAMS:
                deck.write_text(deck_of(beam, nodes))
                for name, program in programs.items():
                    for longer, count in steps.items():
                        runs[name, beam.name, longer].append(run(program, deck, settings(count, output=False), 0))
    found = {}
    for name in programs:
        costs = {}
        for beam in BEAMS:
            short, long = (least(runs[name, beam.name, longer]) for longer in steps)
            count = nodes // beam.order * beam.order
            costs[beam.name] = 1e6 * (long.analyses - short.analyses) / (long.solves - short.solves) / count
        found[name] = {beam: {"us_per_node_and_solve": cost, "times_plain": cost / costs[PLAIN]}
                       for beam, cost in costs.items()}
    return found


def measure_all(whole, programs, repeats, say):
    """By program: figures by number of nodes."""
    figures = {name: {} for name in programs}
    for nodes in (1000, 10000) if whole else (1000,):
        say(f"  beams of {nodes} nodes")
        for name, found in measure(nodes, programs, repeats).items():
            figures[name][nodes] = found
    return figures
