# SPDX-License-Identifier: BSD-3-Clause
"""Linear models read as the user guide says, Campbell diagrams, pictures of mode shapes."""
import csv
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import numpy as np
import scipy.io
import scipy.sparse

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/pictures"))

from campbell import CampbellError, analyses_at, speeds_of  # noqa: E402
from shapes import exponentials  # noqa: E402

PROGRAM = os.environ.get("POLHODE_BINARY")


@unittest.skipUnless(PROGRAM, "needs the program")
class WithProgram(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.folder = pathlib.Path(self.temporary.name)

    def call(self, *command):
        done = subprocess.run([str(part) for part in command], cwd=self.folder, capture_output=True, text=True,
                              check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_the_lines_of_the_user_guide_read_a_linear_model(self):
        self.call(PROGRAM, "run", ROOT / "inputs/examples/cart_and_pole.yaml")
        guide = (ROOT / "docs/user_guide.md").read_text()
        lines = re.search(r"<!-- tested -->\n```python\n(.*?)```", guide, re.S)[1]
        names = {}
        here = os.getcwd()
        os.chdir(self.folder)
        try:
            exec(lines, names)  # noqa: S102 -- what the user guide says
        finally:
            os.chdir(here)
        self.assertEqual(len(lines.strip().splitlines()), 4)  # the import, and three lines
        poles = np.linalg.eigvals(names["system"].A)
        self.assertAlmostEqual(poles.real.max(), np.sqrt((1 + 0.5 / 2) * 9.81), places=6)
        self.call(PROGRAM, "export", "cart_and_pole.h5", "--matrix-market", "matrices")
        folder = self.folder / "matrices/analysis_0"
        np.testing.assert_array_equal(scipy.io.mmread(folder / "K.mtx").toarray(), names["K"].toarray())
        for name in "ABCD":
            np.testing.assert_array_equal(scipy.io.mmread(folder / f"state_space/{name}.mtx"),
                                          getattr(names["system"], name))
        # What the lines for Octave rest on: sizes in the third line.
        third = (folder / "K.mtx").read_text().splitlines()[2].split()
        self.assertEqual(third, ["12", "12", str(names["K"].nnz)])
        self.assertEqual((folder / "inputs.txt").read_text().split(), ["joints.rail.motor", "nodes.bob.force.x"])

    def test_campbell_follows_modes_that_cross(self):
        self.call(ROOT / "scripts/campbell", ROOT / "inputs/benchmarks/rotating_cantilever.yaml", "--speeds", "0:12:4", "--set",
                  "beams.arm.elements=3", "-o", "blade.png")
        self.assertTrue((self.folder / "blade.png").read_bytes().startswith(b"\x89PNG"))
        with open(self.folder / "blade.csv", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        flap = {float(r["speed [rad/s]"]): r for r in rows if r["mode"] == "1"}
        self.assertEqual(sorted(flap), [0, 4, 8, 12])
        self.assertTrue(all(r["motion"].endswith("along [0, 0, 1]") for r in flap.values()))
        self.assertAlmostEqual(float(flap[12]["frequency [Hz]"]) * 2 * np.pi, 13.17015049, delta=1e-3)
        lag = [float(r["frequency [Hz]"]) for r in rows if r["mode"] == "2"]
        self.assertGreater(lag[0], float(flap[0]["frequency [Hz]"]))
        self.assertLess(lag[-1], float(flap[12]["frequency [Hz]"]))

    def test_plot_draws_mode_shapes(self):
        self.call(PROGRAM, "run", ROOT / "inputs/benchmarks/rotating_cantilever.yaml", "-o", "r.h5")
        self.assertEqual(self.call(ROOT / "scripts/plot", "r.h5").split(), ["r_modes.png", "r.png"])
        self.assertTrue((self.folder / "r_modes.png").read_bytes().startswith(b"\x89PNG"))


class Parts(unittest.TestCase):
    def test_speeds_are_a_list_or_a_range(self):
        np.testing.assert_allclose(speeds_of("1,2.5"), [1, 2.5])
        np.testing.assert_allclose(speeds_of("0:12:4"), [0, 4, 8, 12])

    def test_analyses_in_a_turning_frame_are_repeated(self):
        turn = {"axis": [0, 0, 1], "speed": "=W"}
        made = analyses_at([{"type": "initial"}, {"type": "static", "rotation": turn}, {"type": "modal", "rotation": turn}],
                           [1, 2])
        self.assertEqual([a["type"] for a in made], ["initial", "static", "modal", "static", "modal"])
        self.assertEqual([a["rotation"]["speed"] for a in made[1:]], [1, 1, 2, 2])
        with self.assertRaises(CampbellError):
            analyses_at({"type": "modal"}, [1])

    def test_rotation_vectors_make_rotations(self):
        R = exponentials(np.array([[0, 0, np.pi / 2], [0, 0, 0], [1e-12, 0, 0]]))
        np.testing.assert_allclose(R[0] @ [1, 0, 0], [0, 1, 0], atol=1e-15)
        np.testing.assert_allclose(R[1:], np.broadcast_to(np.eye(3), (2, 3, 3)), atol=1e-11)


if __name__ == "__main__":
    unittest.main()
