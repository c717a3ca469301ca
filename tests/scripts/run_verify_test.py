# SPDX-License-Identifier: BSD-3-Clause
"""polhode run --verify: estimated errors of responses against true ones, on decks whose answers are known."""
import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BINARY = os.environ.get("POLHODE_BINARY", str(ROOT / "build" / "release" / "polhode"))

# Deck, what is set, and the answers: 3 m g of the pendulum, others by fifty times finer steps, extrapolated.
DECKS = [
    ("benchmarks/heavy_top.yaml",
     ["responses={z: {last: nodes.centre.position.z}, x: {at: {time: 1, of: nodes.centre.position.x}}}"],
     {"z": -0.673022270685, "x": 0.173343965357}),
    ("benchmarks/pendulum.yaml", [], {"largest_pull": 29.43}),
    ("benchmarks/bennett.yaml", ["responses={energy: {max: energy.kinetic}}"], {"energy": 13.1995142061}),
    ("benchmarks/double_spherical_pendulum.yaml", ["analysis.duration=3", "responses={energy: {last: energy.gravity}}"],
     {"energy": -179.770712634}),
    ("benchmarks/right_angle_beam.yaml", ["analysis.duration=5", "responses={z: {last: nodes.tip.position.z}}"],
     {"z": 5.49318955455}),
    ("benchmarks/spin_up_beam.yaml", ["analysis.duration=6", "responses={y: {last: nodes.tip.position.y}}"],
     {"y": 7.31272689734}),
    ("benchmarks/double_pendulum_stiff.yaml", [], {"angle": -1.68130484027, "speed": -1.39515522074}),
    ("benchmarks/spatial_slider_crank.yaml", ["analysis.duration=1"],
     {"crank_speed": 10.4641047745, "slider_travel": 0.105208058046}),
    ("benchmarks/n_four_bar.yaml", ["analysis.duration=1", "responses={energy: {last: energy.kinetic}}"],
     {"energy": 69.5107407266}),
    ("examples/weights_on_springs.yaml",
     ["analysis.duration=5", "responses={A: {last: nodes.A.position.z}, B: {last: nodes.B.position.z}}"],
     {"A": -0.37132628525, "B": -0.718269448202}),
    ("examples/engine_on_mounts.yaml",
     ["analysis.duration=2", "responses={sag: {min: nodes.block.position.z}, swing: {range: nodes.block.position.z}}"],
     {"sag": 0.293423584422, "swing": 0.00657641557837}),
    ("benchmarks/four_bar.yaml", ["analysis.duration=3", "responses={energy: {last: energy.kinetic}}"],
     {"energy": 0.101057782077}),
]


class Verify(unittest.TestCase):
    def test_estimates_are_from_half_to_three_times_the_true_error(self):
        self.assertEqual(len(DECKS), 12)
        for deck, settings, answers in DECKS:
            with self.subTest(deck), tempfile.TemporaryDirectory() as folder:
                arguments = [argument for setting in settings for argument in ("--set", setting)]
                done = subprocess.run(
                    [BINARY, "run", str(ROOT / "inputs" / deck), *arguments, "--verify", "--quiet", "-o", "run.h5"],
                    capture_output=True, text=True, check=False, cwd=folder)
                self.assertEqual(done.returncode, 0, done.stderr)
                found = re.findall(r"^(\S+) = (\S+) \+- (\S+)", done.stdout, re.MULTILINE)
                self.assertEqual([name for name, _, _ in found], list(answers))
                for name, value, estimate in found:
                    error = abs(float(value) - answers[name])
                    self.assertGreater(float(estimate), 0.5 * error, name)
                    self.assertLess(float(estimate), 3 * error, name)


if __name__ == "__main__":
    unittest.main()
