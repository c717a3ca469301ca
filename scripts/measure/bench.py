# SPDX-License-Identifier: BSD-3-Clause
"""Measures what the program costs, prints tables, and keeps them as JSON (scripts/bench)."""
import argparse
import datetime
import json
import os
import pathlib
import sys

import builds
import cases
import large
import phases
import tables
from program import MeasureError


def options():
    parser = argparse.ArgumentParser(prog="scripts/bench", description=__doc__,
                                     epilog="docs/performance.md explains the tables.")
    parser.add_argument("--against", metavar="REV", help="build this revision too, and print both side by side")
    parser.add_argument("--instructions", action="store_true",
                        help="count instructions (callgrind) in the place of time: does not depend on the load")
    parser.add_argument("--only", metavar="TEXT",
                        help="only cases whose name holds TEXT (`chain 1000`, `heavy`); nothing is kept")
    parser.add_argument("--repeats", type=int, help="runs of each kind, of which the least counts")
    parser.add_argument("--no-phases", action="store_true", help="leave out the micro benchmarks")
    return parser.parse_args()


def say(text):
    print(text, file=sys.stderr, flush=True)


def processor():
    lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), "unknown processor")


def measure(chosen, programs, counting, repeats):
    """Figures by program and case."""
    figures = {name: {} for name in programs}
    for case in chosen:
        say(f"  {case.name}")
        found = cases.count(case, programs) if counting else cases.measure(case, programs, repeats)
        for name in programs:
            figures[name][case.name] = found[name]
    return figures


def main():
    asked = options()
    revisions = {builds.this_revision(): builds.this_checkout()}
    if asked.against:
        other, built = builds.other_revision(asked.against)
        revisions = {other: built, **revisions}
    programs = {name: polhode for name, (polhode, _) in revisions.items()}
    say(f"load average {os.getloadavg()[0]:.2f} on {os.cpu_count()} cores"
        + ("" if asked.instructions or os.getloadavg()[0] < 0.5 else ": not quiet, times will be too long"))

    chosen = [case for case in (cases.COUNTED if asked.instructions else cases.CASES)
              if not asked.only or asked.only in case.name]
    figures = measure(chosen, programs, asked.instructions, asked.repeats)
    records = {}
    for name, (polhode, bench) in revisions.items():
        record = {"revision": name, "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
                  "machine": f"{processor()}, {os.cpu_count()} cores", "load": os.getloadavg(), "cases": figures[name]}
        if not asked.instructions and not asked.only:
            say("  set-up of 100000 elements")
            record["set_up"] = large.measure(polhode, asked.repeats or 3)
        if bench and not asked.no_phases and not asked.instructions:
            say("  phases")
            record["micro"] = phases.run_micro(bench, figures[name])
        records[name] = record
        if asked.only:  # a part must not pass for the whole
            continue
        builds.FOLDER.mkdir(parents=True, exist_ok=True)
        file = builds.FOLDER / f"{name}{'-instructions' if asked.instructions else ''}.json"
        file.write_text(json.dumps(record, indent=1) + "\n")
        say(f"kept in {file.relative_to(builds.ROOT)}")
    print(tables.instructions(records) if asked.instructions else tables.times(records))
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except MeasureError as error:
        sys.exit(f"scripts/bench: {error}")
