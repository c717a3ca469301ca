# SPDX-License-Identifier: BSD-3-Clause
"""scripts/measure: the decks of its models run as they should, and its figures follow from what was measured."""
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import h5py

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ.get("POLHODE_BINARY", ROOT / "build/release/polhode"))
sys.path.insert(0, str(ROOT / "scripts/measure"))

import cases  # noqa: E402
import control  # noqa: E402
import families  # noqa: E402
import models  # noqa: E402
import program  # noqa: E402
import tables  # noqa: E402


def check(deck):
    """What `polhode check` prints of the deck, by the word that a line begins with."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "model.yaml")
        file.write_text(deck)
        done = subprocess.run([PROGRAM, "check", file], capture_output=True, text=True, check=False)
    if done.returncode:
        raise AssertionError(done.stderr)
    return {line.split()[0]: line for line in done.stdout.splitlines()[1:] if line.strip()}, done.stderr


def run_with(solves, steps, cpu, **more):
    return program.Run(**({"cpu": cpu, "memory": 1000, "solves": solves, "steps": steps, "reading": 0.25, "set_up": 0.1,
                           "analyses": cpu - 0.35, "clock": 2 * cpu, "size": 300, "payload": 200} | more))


class Models(unittest.TestCase):
    def test_each_family_gives_as_many_parts_as_it_counts(self):
        kinds = {"beam": "beam", "node": "nodes"}
        for family in families.FAMILIES:
            size = {"tree": 15, "lattice of beams": 5}.get(family.name, 4)
            with self.subTest(family=family.name):
                lines, _ = check(family.deck(size))
                kind = kinds.get(family.unit, "rigid_body")
                # The clamped root of a blade is a node, too.
                expected = family.units(size) + (kind == "nodes")
                self.assertEqual(int(lines[kind].split()[1]), expected, lines)

    def test_loops_with_a_spherical_and_a_universal_joint_have_no_redundant_equation(self):
        lines, said = check(models.six_bars(3))
        self.assertIn("constraints          81 rows, rank 81", lines["constraints"])
        self.assertNotIn("redundant", said)

    def test_loops_of_revolute_joints_have_three_redundant_equations_each(self):
        lines, _ = check(models.redundant_six_bars(2))
        self.assertIn("rank 54", lines["constraints"])

    def test_redundant_loops_side_by_side_have_the_reactions_of_one_alone(self):
        def reactions(loops, shift):
            with tempfile.TemporaryDirectory() as folder:
                deck, results = pathlib.Path(folder, "loops.yaml"), pathlib.Path(folder, "loops.h5")
                deck.write_text(models.redundant_six_bars(loops))
                subprocess.run([PROGRAM, "run", deck, "-o", results, "--set", "analysis.duration=0.1"], check=True,
                               capture_output=True)
                with h5py.File(results) as file:
                    return [file[f"/joints/j{shift}_{i}/force"][-1] for i in range(6)]

        alone = reactions(1, 0)
        for loop in (0, 2):
            for one, other in zip(alone, reactions(3, loop)):
                for a, b in zip(one, other):
                    self.assertAlmostEqual(a, b, delta=1e-7 * 50)  # of 5 bodies of 1 kg

    def test_the_lattice_of_80_by_80_has_12561_beams(self):
        self.assertEqual(models.beams_of_lattice(80), 12561)

    def test_arms_with_and_without_controllers_take_one_solve_a_step(self):
        for arm, make in control.ARMS.items():
            for controlled in (False, True):
                with self.subTest(arm=arm, controlled=controlled), tempfile.TemporaryDirectory() as folder:
                    deck, results = pathlib.Path(folder, "arm.yaml"), pathlib.Path(folder, "arm.h5")
                    deck.write_text(make(controlled))
                    self.assertEqual(deck.read_text().count('"pid"'), 10 if controlled else 0)
                    subprocess.run([PROGRAM, "run", deck, "-o", results, "--set", f"analysis.step={control.STEP}", "--set",
                                    f"analysis.duration={(control.STEPS[0] + 100) * control.STEP}"], check=True,
                                   capture_output=True)
                    with h5py.File(results) as file:
                        self.assertEqual(set(file["/solver/newton_iterations"][control.STEPS[0]:]), {1})

    def test_all_mechanisms_move(self):
        for family in families.FAMILIES:
            if "beam" in family.name or "blade" in family.name:
                continue
            with self.subTest(family=family.name):
                lines, _ = check(family.deck(7))
                self.assertGreater(int(lines["degrees"].split()[-1]), 0)


class Figures(unittest.TestCase):
    def test_costs_come_from_the_difference_of_two_lengths(self):
        runs = {(False, False): run_with(2, 1, 1.0), (True, False): run_with(22, 11, 3.0),
                (False, True): run_with(2, 1, 1.5), (True, True): run_with(22, 11, 4.0)}
        found = families.figures_of(10, runs)
        self.assertAlmostEqual(found["us_per_part_and_solve"], 2.0 / 20 / 10 * 1e6)
        self.assertEqual(found["solves_per_step"], 2)
        self.assertEqual(found["set_up_and_first_step"], 0.75)
        self.assertAlmostEqual(found["output_percent"], 20)
        self.assertEqual(found["size_over_payload"], 1.5)
        self.assertEqual(found["clock_over_cpu"], 2)

    def test_linear_growth_has_the_exponent_one(self):
        figures = families.with_exponents([{"parts": 10, "us_per_part_and_solve": 3.0},
                                           {"parts": 1000, "us_per_part_and_solve": 3.0},
                                           {"parts": 2000, "us_per_part_and_solve": 6.0}])
        self.assertNotIn("exponent", figures[0])
        self.assertAlmostEqual(figures[1]["exponent"], 1)
        self.assertAlmostEqual(figures[2]["exponent"], 2)

    def test_the_longer_run_is_longer_at_any_size(self):
        for parts in (1, 100, 10 ** 7):
            short, long = families.steps_of(parts)
            self.assertGreaterEqual(long - short, 2)

    def test_the_least_of_each_cost_counts(self):
        least = cases.least([run_with(2, 1, 1.0, memory=5), run_with(2, 1, 0.5, memory=7)])
        self.assertEqual((least.cpu, least.memory), (0.5, 5))

    def test_the_table_has_a_line_for_each_size(self):
        one = {"parts": 10, "us_per_part_and_solve": 2.5, "solves_per_step": 2, "reading": 0.1, "memory": 1e6,
               "set_up_and_first_step": 0.2, "size_over_payload": 1.2, "output_percent": 4, "clock_over_cpu": 1.01}
        text = tables.growth({"revision": "r", "families": {"row": {"unit": "body", "sizes": [one, {**one, "exponent": 1.0}]}}})
        self.assertEqual(text.splitlines()[2], "| row: body | 10 | 2.5 |  | 2 | 0.1 | 0.2 | 100 | 1.2 | 4 | 1.01 |")
        self.assertEqual(len(text.splitlines()), 4)


class Runs(unittest.TestCase):
    def test_memory_is_that_of_the_program_alone(self):
        ballast = bytearray(os.urandom(1)) * 300_000_000  # resident here while the program runs
        used, _ = program.finish(["/bin/true"])
        self.assertLess(used.memory, 30e6)
        self.assertEqual(len(ballast), 300_000_000)

    def test_a_run_has_all_of_its_figures(self):
        with tempfile.TemporaryDirectory() as folder:
            deck = pathlib.Path(folder, "row.yaml")
            deck.write_text(models.row(3))
            one = program.run(PROGRAM, deck, {"analysis.duration": repr(5 * models.STEP)})
        self.assertEqual(one.steps, 5)
        self.assertGreaterEqual(one.solves, 5)
        self.assertGreater(one.size, one.payload)
        self.assertGreater(one.payload, 6 * 3 * 19 * 8)
        self.assertFalse(any(math.isnan(value) for value in (one.cpu, one.clock, one.reading)))

    def test_a_failed_run_says_what_the_program_said(self):
        with self.assertRaisesRegex(program.MeasureError, "(?s)exit status 2.*no.yaml|exit status 4.*no.yaml"):
            program.run(PROGRAM, pathlib.Path("/nonexistent/no.yaml"), {})


if __name__ == "__main__":
    unittest.main()
