# SPDX-License-Identifier: BSD-3-Clause
"""The verification report: pages, numbers and pictures from fresh runs, or the comparison of its numbers with such."""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "pictures"))

from page import differences, render  # noqa: E402
from runs import PROGRAM, ROOT, RunError, Runs  # noqa: E402

import beams  # noqa: E402
import discrete_principle  # noqa: E402
import four_bar  # noqa: E402
import heavy_top  # noqa: E402
import lie_groups  # noqa: E402
import mechanisms  # noqa: E402
import right_angle_beam  # noqa: E402
import spin_up_beam  # noqa: E402
import statics  # noqa: E402
import structure  # noqa: E402
import state_space  # noqa: E402
import state_space_methods  # noqa: E402
import turbine  # noqa: E402
import vehicle  # noqa: E402
import velocity_projection  # noqa: E402

# Each module starts its runs, yields, and yields the numbers of its page.
PAGES = {"heavy_top": heavy_top, "velocity_projection": velocity_projection, "right_angle_beam": right_angle_beam,
         "four_bar": four_bar, "mechanisms": mechanisms, "statics": statics, "beams": beams, "structure": structure,
         "spin_up_beam": spin_up_beam, "state_space": state_space, "state_space_methods": state_space_methods,
         "vehicle": vehicle, "lie_groups": lie_groups, "discrete_principle": discrete_principle,
         "turbine": turbine}
SLOW = ("beams", "lie_groups", "spin_up_beam", "structure", "state_space_methods", "turbine", "vehicle")  # a dozen seconds and more
# Models whose numbers stand on a page of their own, and therefore not in tested.md.
WITH_PAGE = ("heavy top", "heavy_top", "right-angle beam", "right_angle_beam", "four-bar", "four_bar", "pendulum",
             "spatial slider-crank", "two four-bars", "free_rigid_body", "free_rigid_body, spin (0, 3, 4)",
             "flyball_governor", "spin-up beam", "double pendulum with stiff spring-dampers, partition",
             "double pendulum with stiff spring-dampers, weighted", "double_spherical_pendulum", "vehicle over a bump",
             "cantilever, large load", "45-degree bend, 600 N", "roll-up, middle", "shallow truss", "Lee's frame",
             "composite cantilever", "composite cantilever, struck", "twisted cantilever", "helix by an end moment",
             "elastic ring", "right-angle frame", "NREL 5 MW blade", "IEA 15 MW blade", "flying spaghetti", "tapered cantilever")


def fresh_pages(names, runs):
    started = {name: PAGES[name].numbers(runs) for name in names}
    for page in started.values():  # all runs are started before the first is waited for
        next(page)
    for name, page in started.items():
        yield name, next(page)


def draw(folder, only):
    import figures  # pictures need matplotlib, comparisons do not
    if only is None or only in figures.CASES:
        figures.draw(folder, only)
    if only in (None, "velocity_projection"):
        velocity_projection.draw(folder / "acb15_velocity_projection.png")
    if only in (None, "discrete_principle"):
        discrete_principle.draw(folder / "discrete_principle.png")
    if only in (None, "state_space"):
        state_space.draw(folder / "state_space.png")
    if only in (None, "structure"):
        structure.draw(folder / "structure.png")
    if only in (None, "state_space_methods"):
        state_space_methods.draw(folder / "state_space_methods.png")
    if only in (None, "vehicle"):
        vehicle.draw(folder / "vehicle.png")


def write_tables_of_tests(folder):
    """tested.md and beam_convergence.md, from the tests of the published cases."""
    program = pathlib.Path(PROGRAM).parent / "tests/polhode_verification"
    if not program.is_file():
        print(f"{program}: not there; tested.md and beam_convergence.md are left alone (scripts/setup builds it)")
        return
    environment = {**os.environ, "POLHODE_BEAM_CONVERGENCE": str(folder / "beam_convergence.md")}
    done = subprocess.run([program, "--gtest_brief=1"], env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RunError(f"{program} has failed:\n{done.stdout}")
    rows = [line for line in done.stdout.splitlines() if line.startswith("|")]
    rows = [line for line in rows if line.split("|")[1].strip() not in WITH_PAGE]
    head = ["<!-- Output of the verification tests, written by scripts/verify; not for editing. -->", "",
            "# Bounds of the verification tests", "",
            "What the tests of published cases measure, beside their bounds. Models with a [page of their own](README.md)",
            "are on that page. All rows, theirs included:", "",
            "```sh", "build/release/tests/polhode_verification --gtest_brief=1 | grep '^|'", "```", "",
            "| model | what | measured | bound |", "| --- | --- | --- | --- |"]
    (folder / "tested.md").write_text("\n".join(head + rows) + "\n")


def main():
    parser = argparse.ArgumentParser(prog="scripts/verify", description=__doc__)
    parser.add_argument("-o", "--output", type=pathlib.Path, default=ROOT / "docs/verification", help="folder")
    parser.add_argument("--only", choices=PAGES, help="one of the pages")
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    parser.add_argument("--fast", action="store_true", help="without the pages that take long")
    arguments = parser.parse_args()
    names = [arguments.only] if arguments.only else [n for n in PAGES if not (arguments.fast and n in SLOW)]
    failed = 0
    try:
        with tempfile.TemporaryDirectory() as temporary, Runs(temporary) as runs:
            for name, numbers in fresh_pages(names, runs):
                page, target = render(name, numbers), arguments.output / f"{name}.md"
                untrue = [key for key, value in numbers.items() if value is False]
                for key in untrue:
                    print(f"{name}: {key}: does not hold")
                failed += len(untrue)
                if not arguments.check:
                    arguments.output.mkdir(parents=True, exist_ok=True)
                    target.write_text(page)
                    print(target)
                    continue
                found = differences(target.read_text(), page) if target.is_file() else ["there is no such page"]
                failed += len(found)
                for difference in found:
                    print(f"{target}: {difference}")
        if not arguments.check:
            draw(arguments.output, arguments.only)
            if not arguments.only:
                write_tables_of_tests(arguments.output.resolve())
    except RunError as error:
        sys.exit(f"scripts/verify: {error}")
    if failed:
        sys.exit(f"scripts/verify: {failed} differences; if they are meant, write the pages anew with scripts/verify")


if __name__ == "__main__":
    main()
