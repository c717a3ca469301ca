# SPDX-License-Identifier: BSD-3-Clause
"""Tests that run decks in a folder of their own, and look at results and messages."""
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

import h5py

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("POLHODE_BINARY", str(ROOT / "build" / "release" / "polhode"))


class DeckRuns(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.folder = Path(self.temporary.name)
        self.runs = 0

    def call(self, *arguments):
        return subprocess.run([PROGRAM, *map(str, arguments)], cwd=self.folder, capture_output=True, text=True,
                              check=False, timeout=120)

    def written(self, deck):
        """A deck as a file: it is one, or a text."""
        if isinstance(deck, Path):
            return deck
        (self.folder / "deck.yaml").write_text(deck)
        return self.folder / "deck.yaml"

    def run_deck(self, deck, *settings, status=0):
        """The results of a run and what it said; of a deck that is refused, status 2, what it said alone."""
        more = [argument for setting in settings for argument in ("--set", setting)]
        self.runs += 1
        done = self.call("run", self.written(deck), *more, "-o", f"run{self.runs}.h5")
        self.assertEqual(done.returncode, status, done.stderr)
        if status == 2:
            return done.stderr
        file = h5py.File(self.folder / f"run{self.runs}.h5")
        self.addCleanup(file.close)
        return file, done.stderr

    def check_deck(self, deck):
        done = self.call("check", self.written(deck))
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout
