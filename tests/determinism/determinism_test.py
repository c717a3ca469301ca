# SPDX-License-Identifier: BSD-3-Clause
"""The same deck gives the same bits wherever and however it is run."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "restart"))
import restart_runs as runs  # noqa: E402

DECKS = [deck for deck in runs.DECKS if deck.name in ("friction", "controlled", "rosenbrock4", "radau5", "in_turn")]


class SameBits(unittest.TestCase):
    """Results, responses and tables of a run under another condition than the first one."""

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="polhode_determinism_"))

    def tearDown(self):
        shutil.rmtree(self.folder)

    def run_in(self, name, deck, *more, file="run.h5", environment=None, source=None):
        """The folder with run.h5, responses and tables."""
        folder = self.folder / deck.name / name
        folder.mkdir(parents=True)
        arguments = deck.arguments()
        if source:
            arguments[0] = source
        everything = {**os.environ, **(environment or {})}
        subprocess.run([runs.BINARY, "run", *map(str, arguments), "-o", file, "--responses", "responses.json", "--quiet", *more],
                       check=True, cwd=folder, env=everything)
        if file != "run.h5":
            (folder / file).rename(folder / "run.h5")
        subprocess.run([runs.BINARY, "export", "run.h5", "--csv", "tables"], check=True, cwd=folder, env=everything,
                       stdout=subprocess.DEVNULL)
        return folder

    def expect_the_same(self, first, other):
        self.assertEqual(runs.differences(first / "run.h5", other / "run.h5"), [])
        tables = [file.relative_to(first) for file in sorted(first.glob("tables/*.csv"))]
        self.assertGreater(len(tables), 0)
        for file in [Path("responses.json"), *tables]:
            self.assertEqual((first / file).read_bytes(), (other / file).read_bytes(), str(file))

    def each(self, *arguments, **options):
        for deck in DECKS:
            with self.subTest(deck=deck.name):
                self.expect_the_same(self.run_in("first", deck), self.run_in("other", deck, *arguments, **options))

    def test_repeated(self):
        self.each()

    def test_with_memory_that_is_not_zero(self):
        self.each(environment={"MALLOC_PERTURB_": "165"})

    def test_by_several_threads(self):
        self.each("--threads", "3")

    def test_at_another_time_zone(self):
        self.each(environment={"TZ": "Pacific/Kiritimati"})

    def test_with_another_locale(self):
        locales = self.folder / "locales"
        locales.mkdir()
        made = subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", locales / "de_DE.UTF-8"], capture_output=True, check=False)
        name = "de_DE.UTF-8" if made.returncode == 0 else "C.UTF-8"
        self.each(environment={"LOCPATH": str(locales), "LC_ALL": name, "LANG": name})

    def test_under_another_name(self):
        self.each(file="Ergebnisse, zweiter Lauf für Käthe.hdf5")

    def test_of_a_deck_in_another_folder(self):
        for deck in DECKS:
            copy = self.folder / "decks of others" / f"{deck.name}.yaml"
            copy.parent.mkdir(exist_ok=True)
            shutil.copy(deck.file, copy)
            with self.subTest(deck=deck.name):
                self.expect_the_same(self.run_in("first", deck), self.run_in("other", deck, source=copy))


if __name__ == "__main__":
    unittest.main()
