# SPDX-License-Identifier: BSD-3-Clause
"""The measured figures as Markdown, one column or one table a revision."""
import math

import beams
import control
import phases
from cases import NO_OUTPUT

CHAINS = [10, 30, 100, 1000, 10000, 100000]
# What is asked for, in microseconds.
BOUNDS = {10: 1.3, 1000: 1.2, 100000: 1.5}


def rows_to_text(rows):
    """A Markdown table; the first row is its head."""
    def text_of(cell):
        if isinstance(cell, str):
            return cell
        return "" if cell is None or math.isnan(cell) else f"{cell:.3g}"

    cells = [[text_of(cell) for cell in row] for row in rows]
    lines = ["| " + " | ".join(row) + " |" for row in cells]
    return "\n".join([lines[0], "|" + " --- |" * len(cells[0]), *lines[1:]])


def figure(record, case, name):
    return record["cases"].get(case, {}).get(name, math.nan)


def exponent(record, name="us_per_solve"):
    """Growth of the cost of a solve from 1000 to 100 000 elements: cost ~ N^exponent."""
    costs = [figure(record, f"chain {n}", name) for n in (1000, 100000)]
    return math.log(costs[1] / costs[0]) / math.log(100)


def output_time(record, case):
    """Microseconds a step that a run saves when it stores its first and last state only."""
    return figure(record, case, "us_per_step") - figure(record, case + NO_OUTPUT, "us_per_step")


def output_share(record, case):
    """The same in percent of the CPU time."""
    return 100 * output_time(record, case) / figure(record, case, "us_per_step")


def costs(records):
    rows = [["CPU time, whole program", *records, "bound"]]

    def add(text, value, bound=None):
        values = [value(record) for record in records.values()]
        if not all(math.isnan(one) for one in values):
            rows.append([text, *values, bound])

    for n in CHAINS:
        add(f"chain of {n}: µs an element and solve",
            lambda record, n=n: figure(record, f"chain {n}", "us_per_element_and_solve"), BOUNDS.get(n))
    add("growth exponent, 1000 to 100000", exponent, 1.06)
    add("heavy top: µs a step", lambda record: figure(record, "heavy top", "us_per_step"), 5.0)
    add("four-bar: µs a solve", lambda record: figure(record, "four-bar", "us_per_solve"), 60.0)
    add("right-angle beam: µs a solve", lambda record: figure(record, "right-angle beam", "us_per_solve"), 15.0)
    add("heavy top, output: µs a step", lambda record: output_time(record, "heavy top"), 1.0)
    for n in CHAINS[1:]:
        add(f"chain of {n}, output: % of CPU time", lambda record, n=n: output_share(record, f"chain {n}"), 5.0)
    for n in CHAINS:
        add(f"chain of {n}: solves a step", lambda record, n=n: figure(record, f"chain {n}", "solves_per_step"))

    def large(record, *names):
        value = record.get("set_up", {})
        for name in names:
            value = value.get(name, {})
        return value or math.nan

    for deck, text in (("one entry", "a beam of 100000 elements"), ("many entries", "100000 beams of one element")):
        add(f"{text}: reading, s", lambda record, deck=deck: large(record, deck, "reading"))
        add(f"{text}: set-up, s", lambda record, deck=deck: large(record, deck, "set_up"))
        add(f"{text}: both, s",
            lambda record, deck=deck: large(record, deck, "reading") + large(record, deck, "set_up"), 2.0)
    add("memory: kB an element (difference of 100000 and 20000)",
        lambda record: large(record, "bytes_per_element") / 1e3, 5.0)
    add("memory: kB an element (peak of all by 100000)", lambda record: large(record, "one entry", "memory") / 1e8)
    return rows_to_text(rows)


def shares(record):
    """Phases of a step in percent of the whole program, by model."""
    costs_of = record["cases"]
    columns = {case: phases.phases_of(case, costs_of, record["micro"])
               for case in phases.MODELS if case in costs_of and case + NO_OUTPUT in costs_of}
    names = list(next(iter(columns.values())))
    rows = [[f"share of a step, % ({record['revision']})", *columns]]
    rows += [[name, *(str(round(100 * one[name] / sum(one.values()))) for one in columns.values())] for name in names]
    rows.append(["µs a step", *(sum(one.values()) for one in columns.values())])
    return rows_to_text(rows)


GROWTH = ["model", "parts", "µs a part and solve", "exponent", "solves a step", "reading, s", "set-up, first step, s",
          "memory, kB a part", "results over payload", "output, % of CPU", "clock over CPU"]


def growth(record):
    """Models of what people build (families.py): cost of a part at each size, and how it grows."""
    rows = [[f"{GROWTH[0]} ({record['revision']})", *GROWTH[1:]]]
    for name, family in record["families"].items():
        rows += [[f"{name}: {family['unit']}", str(one["parts"]), one["us_per_part_and_solve"], one.get("exponent"),
                  one["solves_per_step"], one["reading"], one["set_up_and_first_step"],
                  one["memory"] / 1e3 / one["parts"], one["size_over_payload"], one["output_percent"],
                  one["clock_over_cpu"]] for one in family["sizes"]]
    return rows_to_text(rows)


def ratios(record):
    """Beams of every kind against the plain one (beams.py)."""
    sizes = list(record["beams"])
    rows = [[f"beam ({record['revision']})", *(f"{nodes} nodes: µs a node and solve | times plain" for nodes in sizes),
             "bound"]]
    for beam in beams.BEAMS:
        figures = [record["beams"][nodes][beam.name] for nodes in sizes]
        rows.append([beam.name, *(f"{one['us_per_node_and_solve']:.3g} | {one['times_plain']:.3g}" for one in figures),
                     beam.bound])
    return rows_to_text(rows).replace("| --- |", "| --- |" + " --- |" * len(sizes), 1)


def times(records):
    parts = [costs(records)]
    parts += [growth(record) for record in records.values() if record.get("families")]
    parts += [ratios(record) for record in records.values() if record.get("beams")]
    parts += [shares(record) for record in records.values() if record.get("micro")]
    first = next(iter(records.values()))
    parts.append(f"{first['machine']}; load average {first['load'][0]:.2f} at the end")
    return "\n\n".join(parts)


def instructions(records):
    rows = [["instructions", *records]]
    for case in next(iter(records.values()))["cases"]:
        for name, text in (("instructions_per_element_and_solve", "an element and solve"),
                           ("instructions_per_solve", "a solve")):
            values = [figure(record, case, name) for record in records.values()]
            if not all(math.isnan(value) for value in values):
                rows.append([f"{case}: {text}", *(f"{value:.0f}" for value in values)])
                break
    for arm in next(iter(records.values()))["controlled"]:
        by_time, controlled = zip(*(record["controlled"][arm] for record in records.values()))
        rows += [[f"{arm}, motors by time: a solve", *(f"{one:.0f}" for one in by_time)],
                 [f"{arm}, ten PID controllers: a solve", *(f"{one:.0f}" for one in controlled)],
                 [f"{arm}: controllers, % (bound {control.BOUND})",
                  *(f"{100 * (1 - a / b):.1f}" for a, b in zip(by_time, controlled))]]
    return rows_to_text(rows)
