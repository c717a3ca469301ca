# SPDX-License-Identifier: BSD-3-Clause
"""Measures what the program costs, prints tables, and keeps them as JSON (scripts/bench)."""
import argparse
import datetime
import json
import os
import pathlib
import sys

import beams
import builds
import cases
import control
import families
import large
import phases
import tables
from program import MeasureError


def options():
    parser = argparse.ArgumentParser(prog="scripts/bench", description=__doc__,
                                     epilog="docs/performance.md explains the tables.")
    parser.add_argument("--whole", action="store_true",
                        help="all models at all sizes, phases of a step, and decks of 100000 elements: an hour; "
                             "without, some minutes")
    parser.add_argument("--against", metavar="REV", help="build this revision too, and print both side by side")
    parser.add_argument("--instructions", action="store_true",
                        help="count instructions (callgrind) in the place of time: does not depend on the load")
    parser.add_argument("--only", metavar="TEXT",
                        help="only models whose name holds TEXT (`chain 1000`, `heavy`, `row`); nothing is kept")
    parser.add_argument("--repeats", type=int, help="runs of each kind, of which the least counts")
    return parser.parse_args()


def say(text):
    print(text, file=sys.stderr, flush=True)


def processor():
    lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), "unknown processor")


def measure_cases(chosen, programs, counting, repeats):
    """Figures by program and case."""
    figures = {name: {} for name in programs}
    for case in chosen:
        say(f"  {case.name}")
        found = cases.count(case, programs) if counting else cases.measure(case, programs, repeats)
        for name in programs:
            figures[name][case.name] = found[name]
    return figures


def chosen_cases(asked):
    listed = cases.COUNTED if asked.instructions else cases.CASES if asked.whole else cases.QUICK
    return [case for case in listed if not asked.only or asked.only in case.name]


def chosen_families(asked):
    if asked.instructions:
        return []
    return [family for family in families.FAMILIES if not asked.only or asked.only in family.name]


def chosen_arms(asked):
    if not asked.instructions:
        return []
    return [arm for arm in control.ARMS if not asked.only or asked.only in arm]


def measure(asked, revisions):
    """A record of everything that was measured, by revision."""
    programs = {name: polhode for name, (polhode, _) in revisions.items()}
    figures = measure_cases(chosen_cases(asked), programs, asked.instructions, asked.repeats)
    growing = families.measure_all(chosen_families(asked), asked.whole, programs, asked.repeats or 3, say)
    compared = not asked.instructions and (not asked.only or asked.only in "beams")
    ratios = beams.measure_all(asked.whole, programs, asked.repeats or 5, say) if compared else {}
    controlled = control.count_all(chosen_arms(asked), programs, say)
    records = {}
    for name, (polhode, bench) in revisions.items():
        record = {"revision": name, "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
                  "machine": f"{processor()}, {os.cpu_count()} cores", "load": os.getloadavg(), "cases": figures[name],
                  "families": growing[name], "beams": ratios.get(name, {}), "controlled": controlled[name]}
        if asked.whole and not asked.instructions and not asked.only:
            say("  set-up of 100000 elements")
            record["set_up"] = large.measure(polhode, asked.repeats or 3)
        if bench and asked.whole and not asked.instructions:
            say("  phases")
            record["micro"] = phases.run_micro(bench, figures[name])
        records[name] = record
    return records


def keep(record, instructions):
    builds.FOLDER.mkdir(parents=True, exist_ok=True)
    file = builds.FOLDER / f"{record['revision']}{'-instructions' if instructions else ''}.json"
    file.write_text(json.dumps(record, indent=1) + "\n")
    say(f"kept in {file.relative_to(builds.ROOT)}")


def main():
    asked = options()
    revisions = {builds.this_revision(): builds.this_checkout()}
    if asked.against:
        other, built = builds.other_revision(asked.against)
        revisions = {other: built, **revisions}
    say(f"load average {os.getloadavg()[0]:.2f} on {os.cpu_count()} cores"
        + ("" if asked.instructions or os.getloadavg()[0] < 0.5 else ": not quiet, times will be too long"))
    records = measure(asked, revisions)
    if not asked.only:  # a part must not pass for the whole
        for record in records.values():
            keep(record, asked.instructions)
    print(tables.instructions(records) if asked.instructions else tables.times(records))
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except MeasureError as error:
        sys.exit(f"scripts/bench: {error}")
