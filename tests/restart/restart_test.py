# SPDX-License-Identifier: BSD-3-Clause
"""Runs that are taken up again give the bits of runs that never stopped, and what cannot be taken up is refused."""
import os
import random
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import restart_runs as runs  # noqa: E402

# Points of each deck from which runs go on beside the last one, and kills in all.
ALL = "POLHODE_ALL_POINTS" in os.environ
POINTS = 10 if ALL else 1
KILLS = 6


class Folder(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="polhode_restart_"))

    def tearDown(self):
        shutil.rmtree(self.folder)


class SameBits(Folder):
    """From points in the middle of each deck."""

    def go_on(self, deck):
        whole, cut, new = (self.folder / name for name in ("whole.h5", "cut.h5", "new.h5"))
        runs.run(deck, whole)
        numbers = sorted(runs.points_of(whole))
        self.assertGreaterEqual(len(numbers), 2, "too few points for a test")
        for last in [*random.Random(deck.name).sample(numbers[:-1], min(POINTS, len(numbers) - 1)), numbers[-1]]:
            shutil.copy(whole, cut)
            runs.forget_points_behind(cut, last)
            self.assertIn("goes on from t =", runs.restart(cut, new))
            self.assertEqual(runs.differences(whole, new), [], f"from point {last} of {len(numbers)}")


for one in runs.DECKS + (runs.MORE if ALL else []):
    setattr(SameBits, f"test_{one.name}", lambda self, deck=one: self.go_on(deck))


class Killed(Folder):
    """By SIGKILL at moments that a fixed seed chooses."""

    def test_the_same_bits(self):
        chosen = random.Random(22)
        for deck in chosen.sample(runs.DECKS, KILLS):
            whole, cut, new = self.folder / "whole.h5", self.folder / "cut.h5", self.folder / "new.h5"
            cut.unlink(missing_ok=True)  # of the deck before: a kill at once would leave it
            runs.run(deck, whole)
            runs.run_and_kill(deck, cut, chosen.uniform(0.02, 0.15))
            if not cut.exists():
                continue
            runs.restart(cut, new)
            self.assertEqual(runs.differences(whole, new), [], deck.name)


class Longer(Folder):
    def test_a_longer_duration_continues_a_finished_run(self):
        short, whole, new = (self.folder / name for name in ("short.h5", "whole.h5", "new.h5"))
        deck = runs.DECKS[0]
        runs.run(deck, short)
        runs.run(deck, whole, "analysis.duration=0.8")
        said = runs.restart(short, new, "--set", "analysis.duration=0.8")
        self.assertIn("goes on from t = 0.48 s", said)
        self.assertEqual(runs.differences(whole, new, "restart/points"), [])

    def test_at_takes_the_last_point_up_to_there(self):
        whole, new = self.folder / "whole.h5", self.folder / "new.h5"
        runs.run(runs.DECKS[0], whole)
        for at, from_there in ((0.3, "0.28"), (0.28, "0.28"), (100, "0.48")):
            self.assertIn(f"goes on from t = {from_there} s", runs.restart(whole, new, "--at", at))
            self.assertEqual(runs.differences(whole, new), [])
        self.assertIn("begins anew", runs.restart(whole, new, "--at", 0.01))
        self.assertEqual(runs.differences(whole, new), [])

    def test_of_steps_under_control_begins_anew(self):
        short, whole, new = (self.folder / name for name in ("short.h5", "whole.h5", "new.h5"))
        deck = runs.DECKS[1]
        runs.run(deck, short)
        runs.run(deck, whole, "analysis.duration=1.5")
        said = runs.restart(short, new, "--set", "analysis.duration=1.5")
        self.assertIn("begins anew", said)
        self.assertEqual(runs.differences(whole, new), [])


class Studies(Folder):
    def sweep(self):
        done = runs.polhode("sweep", "study.yaml", "-o", "table.h5", "--jobs", "1", cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_case_that_was_cut_goes_on(self):
        deck = (runs.BENCHMARKS / "heavy_top.yaml").read_text()
        (self.folder / "deck.yaml").write_text(deck + "output: {restart: 100}\n")
        (self.folder / "study.yaml").write_text(
            "format: polhode-study/1\ndeck: deck.yaml\nkeep: all\nvary: {bodies.top.mass: [15, 16]}\n"
            "responses: {x: {max: nodes.centre.position.x}}\n")
        self.sweep()
        cases = sorted(file for file in self.folder.rglob("*.h5") if file.name != "table.h5")
        self.assertEqual(len(cases), 2, cases)
        whole = self.folder / "whole.h5"
        shutil.copy(cases[1], whole)
        # As a kill in the middle of the second case leaves it, with no row
        runs.forget_points_behind(cases[1], 4)
        rows = next(self.folder.glob("*.rows"))
        lines = rows.read_text().splitlines(keepends=True)
        rows.write_text("".join(lines[:-1]))
        self.sweep()
        self.assertEqual(runs.differences(whole, cases[1]), [])
        self.assertEqual(sorted(file for file in self.folder.rglob("*.cut.h5")), [])
        with runs.h5py.File(cases[1], "r") as file:
            self.assertIn("goes on from t = 0.8 s", file["log"][()].decode())


class Refusals(Folder):
    def refused(self, status, *arguments):
        done = runs.polhode("run", *arguments)
        self.assertEqual(done.returncode, status, done.stderr)
        self.assertFalse((self.folder / "new.h5").exists())
        return done.stderr

    def results(self, *settings):
        file = self.folder / "old.h5"
        runs.run(runs.DECKS[0], file, *settings)
        return file

    def test_another_deck_is_named_by_its_first_difference(self):
        old, new = self.results(), self.folder / "new.h5"
        deck = [*runs.DECKS[0].arguments(), "--restart", old, "-o", new]
        said = self.refused(2, *deck, "--set", "analysis.step=0.001")
        self.assertIn("`analysis.step` is 0.002 there and 0.001 here", said)
        said = self.refused(2, *deck, "--set", "analysis.duration=0.1")
        self.assertIn("`analysis.duration` is 0.5 s there and shorter here, 0.1 s", said)
        self.assertIn("`gravity.2` is -9.81 there and -1 here", self.refused(2, *deck, "--set", "gravity=[0, 0, -1]"))
        said = self.refused(2, *deck, "--set", "responses.x.last=nodes.centre.position.x")
        self.assertIn("`responses` is missing there", said)

    def test_a_table_that_has_changed_is_refused(self):
        table, old, new = (self.folder / name for name in ("spin.csv", "old.h5", "new.h5"))
        table.write_text("t,x\n0,0\n1,1\n")
        deck = runs.RunDeck("", runs.BENCHMARKS / "pendulum.yaml", "analysis.duration=1", "responses={}",
                            "forces.push={type: load, node: mass, force: [1, 0, 0], "
                            f"history: {{file: {table}, columns: [t, x]}}}}")
        runs.run(deck, old)
        runs.restart(old, new)
        self.assertEqual(runs.differences(old, new), [])
        new.unlink()
        table.write_text("t,x\n0,0\n1,2\n")
        self.assertIn("a table", self.refused(2, "--restart", old, "-o", new))

    def test_a_file_without_points_is_named_with_what_would_work(self):
        old, new = self.results("output.restart=0"), self.folder / "new.h5"
        said = self.refused(4, "--restart", old, "-o", new)
        self.assertIn("holds no restart points", said)
        self.assertIn("output: {restart: n}", said)

    def test_another_version_is_named(self):
        old, new = self.results(), self.folder / "new.h5"
        with runs.h5py.File(old, "r+") as file:
            file.attrs["polhode_version"] = "0.0.1"
        said = self.refused(4, "--restart", old, "-o", new)
        self.assertIn("was written by polhode 0.0.1", said)

    def test_what_is_cut_or_no_results_file_is_named(self):
        old, new = self.results(), self.folder / "new.h5"
        text = old.read_bytes()
        old.write_bytes(text[: len(text) // 2])
        self.assertRegex(self.refused(4, "--restart", old, "-o", new), "old.h5: .*; run the deck from the begin")
        old.write_text("no results")
        self.assertIn("is no results file", self.refused(4, "--restart", old, "-o", new))
        self.assertIn("No such file", self.refused(4, "--restart", self.folder / "none.h5", "-o", new))
        os.mkfifo(self.folder / "pipe")
        self.assertIn("is no results file", self.refused(4, "--restart", self.folder / "pipe", "-o", new))

    def test_wrong_usage_is_named(self):
        old = self.results()
        self.assertIn("lost", self.refused(1, "--restart", old, "-o", old))
        self.assertIn("give it with -o", self.refused(1, "--restart", old))
        self.assertIn("--at", self.refused(1, runs.DECKS[0].file, "--at", "1", "-o", self.folder / "new.h5"))

    def test_a_point_that_is_damaged_is_passed_over(self):
        old, new, whole = self.results(), self.folder / "new.h5", self.folder / "whole.h5"
        shutil.copy(old, whole)
        with runs.h5py.File(old, "r+") as file:
            points = file["restart/points"]
            points[len(points) - points.chunks[0] + 40] = 1.25
        last = runs.times_of(runs.points_of(whole))[-1]
        said = runs.restart(old, new)
        self.assertNotIn(f"goes on from t = {last:.9g} s", said)
        self.assertEqual(runs.differences(whole, new), [])


if __name__ == "__main__":
    unittest.main()
