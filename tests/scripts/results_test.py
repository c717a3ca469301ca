# SPDX-License-Identifier: BSD-3-Clause
"""Results of the program as other programs see them: by name in small groups, by the tables of names in large ones."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import h5py
import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/pictures"))

from results import Results  # noqa: E402

PROGRAM = os.environ.get("POLHODE_BINARY")


def hanging_beams(count):
    """A deck of beams of one element, each clamped at one end."""
    lines = ["format: polhode-deck/1", "gravity: [0, 0, -9.81]", "nodes:"]
    for i in range(count):
        lines += [f"  a{i}: {{position: [0, {i}, 0], fixed: true}}", f"  b{i}: {{position: [1, {i}, 0]}}"]
    lines += ["sections: {s: {shape: circle, radius: 0.01, E: 2.1e+11, nu: 0.3, density: 7800}}", "beams:"]
    lines += [f"  beam{i}: {{section: s, from: a{i}, to: b{i}, elements: 1}}" for i in range(count)]
    lines += ["analysis: {type: transient, duration: 0.002, step: 0.001, integrator: {method: lie_alpha}}"]
    return "\n".join(lines) + "\n"


@unittest.skipUnless(PROGRAM, "needs the program")
class ResultsOfTheProgram(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.folder = pathlib.Path(self.temporary.name)

    def run_program(self, *command):
        done = subprocess.run([PROGRAM, *map(str, command)], cwd=self.folder, capture_output=True, text=True,
                              check=False)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_small_groups_are_read_by_name(self):
        self.run_program("run", ROOT / "inputs/examples/gears.yaml", "--set", "analysis.duration=0.1", "-o", "gears.h5")
        with h5py.File(self.folder / "gears.h5") as file:
            names = [name.decode() for name in file["/joints/names"]]
            force = file["/joints/motor/force"]
            self.assertTrue(force.is_virtual)
            self.assertEqual(force.maxshape, (None, 3))
            self.assertEqual(force.attrs["units"], "N")
            np.testing.assert_array_equal(force[()], file["/joints/force"][:, names.index("motor")])
            self.assertNotIn("force", file["/joints/teeth"])  # gears have no force of their own
            first, count = file["/joints/rows"][names.index("guide")]
            np.testing.assert_array_equal(file["/joints/guide/multipliers"][()],
                                          file["/joints/multipliers"][:, first:first + count])
            self.assertEqual(file["/joints/guide/coordinates"].attrs["units"], "m")
            self.assertEqual(file["/joints/motor/coordinates"].attrs["units"], "rad")

    def test_large_groups_are_read_by_their_tables(self):
        (self.folder / "many.yaml").write_text(hanging_beams(300))
        self.run_program("run", "many.yaml", "-o", "many.h5")
        path = self.folder / "many.h5"
        with h5py.File(path) as file:
            self.assertNotIn("beam7", file["/beams"])
            forces = file["/beams/forces"]
            k = [name.decode() for name in file[forces.attrs["names"]]].index("beam7")
            first, count = file[forces.attrs["ranges"]][k]
            expected = forces[:, first:first + count]
            self.assertEqual(file["/beams/segments"].shape, (300, 2))
            numbers = sum(item.size * item.dtype.itemsize for group in ("nodes", "beams", "reactions")
                          for item in file[group].values())
        results = Results(str(path))
        np.testing.assert_array_equal(results.history("/beams/beam7/forces"), expected)
        self.assertEqual(list(results.beam_nodes("beam7")), [14, 15])
        self.assertEqual(len(results.names("reactions")), 300)
        results.file.close()
        self.assertLess(path.stat().st_size, 3 * numbers + 300 * 2000)
        self.assertIn("/beams/segments", path.with_suffix(".xdmf").read_text())
        self.run_program("export", "many.h5", "--csv", "csv", "--paths", "beams/beam7")
        head = (self.folder / "csv/beams.beam7.csv").read_text().split("\n")[0]
        self.assertTrue(head.startswith('time [s],"beams.beam7.forces[0][0] [N, N, N, N m, N m, N m]"'), head)


if __name__ == "__main__":
    unittest.main()
