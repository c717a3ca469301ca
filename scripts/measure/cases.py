# SPDX-License-Identifier: BSD-3-Clause
"""What is measured: decks at two lengths, whose difference is free of start and end.

CPU times are the least of several runs, since other programs on the machine only add to them.
"""
import dataclasses

from program import Run, count_instructions, run

NO_OUTPUT = ", no output"
STORED = 8 * 31  # bytes an element and state: 19 numbers a node, 12 an element


@dataclasses.dataclass(frozen=True)
class Case:
    """A deck and two numbers of steps."""
    name: str
    deck: str
    step: float
    short: int
    long: int
    elements: int = 0       # of a chain
    output: bool = True     # the default one; else the first and the last state only
    repeats: int = 5

    def settings(self, steps):
        settings = {"analysis.duration": repr(steps * self.step)}
        if self.elements:
            settings["parameters.N"] = self.elements
        if not self.output:
            settings["output.every"] = 1000000
        return settings

    def room(self, steps):
        return STORED * self.elements * (steps + 1 if self.output else 2)


def chain(elements, short, long, repeats=5):
    return Case(f"chain {elements}", "chain", 0.01, short, long, elements=elements, repeats=repeats)


def with_and_without_output(case):
    return [case, dataclasses.replace(case, name=f"{case.name}{NO_OUTPUT}", output=False)]


CASES = [case for pair in map(with_and_without_output, [
    chain(10, 1000, 31000),
    chain(30, 1000, 11000),
    chain(100, 100, 3100),
    chain(1000, 10, 410),
    chain(10000, 2, 42, repeats=3),
    chain(100000, 1, 6, repeats=3),
    Case("heavy top", "heavy_top", 0.002, 1000, 101000),
    Case("four-bar", "four_bar", 0.02, 500, 5500),
    Case("right-angle beam", "right_angle_beam", 0.2, 150, 6150),
]) for case in pair]
# What a quick look takes: seconds each.
QUICK = [case for case in CASES if case.elements in (0, 10, 1000)]
# Few steps, since callgrind takes fifty times as long; no output, since it is written by the clock.
COUNTED = [dataclasses.replace(case, output=False) for case in [
    chain(10, 20, 220),
    chain(1000, 2, 7),
    Case("heavy top", "heavy_top", 0.002, 100, 4100),
    Case("four-bar", "four_bar", 0.02, 10, 110),
    Case("right-angle beam", "right_angle_beam", 0.2, 10, 160),
]]


def least(runs):
    """The least of each cost over repeated runs of one kind."""
    return Run(**{field.name: min(getattr(one, field.name) for one in runs) for field in dataclasses.fields(Run)})


def difference(case, short, long):
    """Costs a solve and a step, from the two lengths of a case."""
    solves, steps = long.solves - short.solves, long.steps - short.steps
    figures = {"solves_per_step": solves / steps}
    if case.elements:
        figures["elements"] = case.elements
    if long.cpu:
        cpu = long.cpu - short.cpu
        figures |= {"us_per_solve": 1e6 * cpu / solves, "us_per_step": 1e6 * cpu / steps, "memory": long.memory,
                    "reading": short.reading, "set_up": short.set_up, "cpu_short": short.cpu}
        if case.elements:
            figures["us_per_element_and_solve"] = 1e6 * cpu / solves / case.elements
    else:
        count = (long.instructions - short.instructions) / solves
        figures |= {"instructions_per_solve": count}
        if case.elements:
            figures["instructions_per_element_and_solve"] = count / case.elements
    return figures


def measure(case, programs, repeats):
    """Figures of a case by program; the programs take turns, so that a change of load meets all of them."""
    shorts, longs = {name: [] for name in programs}, {name: [] for name in programs}
    for _ in range(repeats or case.repeats):
        for name, program in programs.items():
            for steps, runs in ((case.short, shorts[name]), (case.long, longs[name])):
                runs.append(run(program, case.deck, case.settings(steps), case.room(steps)))
    return {name: difference(case, least(shorts[name]), least(longs[name])) for name in programs}


def count(case, programs):
    """Instructions of a case by program."""
    return {name: difference(case, *(count_instructions(program, case.deck, case.settings(steps))
                                     for steps in (case.short, case.long))) for name, program in programs.items()}
