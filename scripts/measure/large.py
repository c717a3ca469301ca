# SPDX-License-Identifier: BSD-3-Clause
"""Decks of 100 000 elements: time to read and set up, and memory."""
import pathlib
import tempfile

from program import ROOT, run

ELEMENTS = 100000
ONE_STEP = {"analysis.duration": 0.01, "output.every": 1000000}
ROOM = 2 * 8 * 31 * ELEMENTS


def deck_of_many_entries():
    """The chain with a node and a beam in the deck for each element."""
    head, rest = (ROOT / "inputs/benchmarks/chain.yaml").read_text().split("nodes:\n", 1)
    tail = rest[rest.index("sections:"):]
    sections, after = tail.split("beams:\n", 1)
    after = after[after.index("forces:"):].replace("node: tip", f"node: n{ELEMENTS}")
    nodes = ["  n0: {position: [0, 0, 0], fixed: true}"]
    nodes += [f"  n{i}: {{position: [{i}, 0, 0]}}" for i in range(1, ELEMENTS + 1)]
    beams = [f"  b{i}: {{section: bar, from: n{i - 1}, to: n{i}, elements: 1, orientation: [0, 1, 0]}}"
             for i in range(1, ELEMENTS + 1)]
    return "\n".join([head + "nodes:", *nodes, sections + "beams:", *beams, after])


def figures_of(runs):
    return {"reading": min(one.reading for one in runs), "set_up": min(one.set_up for one in runs),
            "memory": min(one.memory for one in runs)}


def measure(program, repeats):
    """Seconds to read and to set up, and bytes, of a beam of many elements and of as many beams of one element."""
    one_entry = [run(program, "chain", {"parameters.N": ELEMENTS, **ONE_STEP}, ROOM) for _ in range(repeats)]
    fewer = run(program, "chain", {"parameters.N": ELEMENTS // 5, **ONE_STEP}, ROOM)
    with tempfile.TemporaryDirectory(prefix="polhode_bench_") as folder:
        deck = pathlib.Path(folder, "many.yaml")
        deck.write_text(deck_of_many_entries())
        # Without histories of single beams: a results file of 100 000 groups is not what is measured here.
        settings = {**ONE_STEP, "output.fields": "[nodes, energy]"}
        many_entries = [run(program, deck, settings, ROOM) for _ in range(repeats)]
    one = figures_of(one_entry)
    return {"one entry": one, "many entries": figures_of(many_entries),
            "bytes_per_element": (one["memory"] - fewer.memory) / (ELEMENTS - ELEMENTS // 5)}
