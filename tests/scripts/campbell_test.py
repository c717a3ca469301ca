# SPDX-License-Identifier: BSD-3-Clause
"""scripts/campbell on a beam that turns: the lines, and what is left where an equilibrium is not found."""
import csv
import os
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
DECK = ROOT / "inputs/benchmarks/rotating_cantilever.yaml"


class Campbell(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_with(self, static):
        """The script's end, and the speeds and first frequencies of its table."""
        deck = self.folder / "turning.yaml"
        deck.write_text(DECK.read_text().replace("type: static,", f"type: static, {static}"))
        done = subprocess.run([ROOT / "scripts/campbell", deck, "--speeds", "0,2,4", "-o", self.folder / "lines.png"],
                              capture_output=True, text=True, env=os.environ, check=False)
        with open(self.folder / "lines.csv", newline="", encoding="utf-8") as file:
            first = [(float(row[0]), float(row[2])) for row in list(csv.reader(file))[1:] if row[1] == "1"]
        self.assertGreater((self.folder / "lines.png").stat().st_size, 1000)
        return done, first

    def test_frequencies_rise_with_the_speed(self):
        done, first = self.run_with("")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([speed for speed, _ in first], [0, 2, 4])
        self.assertLess(first[0][1], first[1][1])
        self.assertLess(first[1][1], first[2][1])

    def test_a_speed_without_equilibrium_ends_the_lines_and_is_named(self):
        done, first = self.run_with("max_steps: 2, max_iterations: 1,")
        self.assertEqual(done.returncode, 1)
        self.assertEqual([speed for speed, _ in first], [0])
        self.assertIn("there are no modes at 2 rad/s, and 1 speed after it was not tried; the picture shows those before",
                      done.stderr)
        self.assertIn("error: the path of equilibria has not reached its end", done.stderr)
        self.assertNotIn("CPU time", done.stderr)


if __name__ == "__main__":
    unittest.main()
