# SPDX-License-Identifier: BSD-3-Clause
"""Faults at random moments and of random sizes, chosen by a fixed seed: what is left can be read and taken up again.

After each fault the program has ended by itself with the status and the words of the documentation, its results are not
there or can be read, no temporary file is beside them, and a run that goes on from them, or the same command again, has
the bits of a run that nothing disturbed. SIGKILL is in tests/restart. POLHODE_FAULTS: faults of each kind,
default 2; POLHODE_LONG: in runs of some seconds.
"""
import contextlib
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import h5py

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "restart"))
import restart_runs as runs  # noqa: E402

FAULTS = int(os.environ.get("POLHODE_FAULTS", "2"))
IS_LONG = "POLHODE_LONG" in os.environ
MEGABYTE = 1 << 20


def wholes():
    """Undisturbed results of a deck, its time and its memory, made once for all tests."""
    known = {}

    def whole_of(deck):
        if deck.name not in known:
            file = FOLDER / f"{deck.name}.h5"
            begin = time.monotonic()
            runs.run(deck, file, is_long=IS_LONG)
            known[deck.name] = (file, time.monotonic() - begin)
        return known[deck.name]

    return whole_of


def setUpModule():
    global FOLDER, whole_of
    FOLDER = Path(tempfile.mkdtemp(prefix="polhode_wholes_"))
    whole_of = wholes()


def tearDownModule():
    shutil.rmtree(FOLDER)


class Disk:
    """A file system of its own in memory, of so many bytes. Raises unittest.SkipTest where it may not be mounted."""

    def __init__(self, folder, size):
        self.folder = folder
        folder.mkdir()
        done = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", folder], capture_output=True, check=False)
        if done.returncode != 0:
            folder.rmdir()
            raise unittest.SkipTest("no file system can be mounted here")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        subprocess.run(["umount", "-l", self.folder], check=True)
        self.folder.rmdir()

    def make_read_only(self):
        subprocess.run(["mount", "-o", "remount,ro", self.folder], check=True)


class Faults(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="polhode_faults_"))
        self.output = self.folder / "out" / "run.h5"
        self.random = random.Random(self.id().rsplit(".", 1)[-1])
        (self.folder / "out").mkdir()

    def tearDown(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    def each(self, fault):
        """Calls `fault(deck, whole, seconds)`: results of a run that nothing disturbs, and how long it took."""
        for number in range(FAULTS):
            deck = self.random.choice(runs.DECKS)
            for file in self.output.parent.glob("*"):
                file.unlink()
            whole, seconds = whole_of(deck)
            with self.subTest(deck=deck.name, number=number):
                fault(deck, whole, seconds)

    def start(self, deck, *more, output=None, limit=None):
        """`limit` is called in the process before the program begins."""
        arguments = [runs.BINARY, "run", *deck.arguments(IS_LONG), "-o", output or self.output, "--quiet", *more]
        return subprocess.Popen([*map(str, arguments)], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True,
                                preexec_fn=limit)

    def ended(self, process, *statuses):
        """What it said, once it has ended with one of these."""
        said = process.communicate(timeout=120)[1]
        self.assertIn(process.returncode, statuses, said)
        if process.returncode != 0:
            self.assertTrue(said.strip(), "ended without a word")
        return said

    def expect_the_same_in_the_end(self, deck, whole, output=None):
        """From what the fault has left."""
        output = output or self.output
        self.assertLessEqual({file.name for file in output.parent.iterdir()}, {"run.h5", "run.xdmf"})
        new = self.folder / "new.h5"
        if output.exists():
            done = runs.polhode("info", output)
            self.assertEqual(done.returncode, 0, done.stderr)
            done = runs.polhode("run", "--restart", output, "-o", new, "--quiet")
            self.assertEqual(done.returncode, 0, done.stderr)
        else:
            runs.run(deck, new, is_long=IS_LONG)
        self.assertEqual(runs.differences(whole, new), [])

    def fault_signals(self, deck, whole, seconds):
        process = self.start(deck)
        time.sleep(self.random.uniform(0, seconds))
        process.send_signal(self.random.choice([signal.SIGINT, signal.SIGTERM]))
        process.communicate(timeout=120)
        # Before main() begins a signal does what it does to any program.
        self.assertIn(process.returncode, (0, 130, -signal.SIGINT, -signal.SIGTERM))
        self.expect_the_same_in_the_end(deck, whole)

    def fault_files_that_may_not_grow(self, deck, whole, _):
        size = self.random.randrange(0, whole.stat().st_size)
        process = self.start(deck, "--force", limit=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)))
        self.assertIn("File too large", self.ended(process, 4))
        self.expect_the_same_in_the_end(deck, whole)

    def fault_a_disk_that_is_full(self, deck, whole, _):
        size = self.random.randrange(4096, whole.stat().st_size)
        with Disk(self.folder / "disk", size) as disk:
            output = disk.folder / "run.h5"
            self.assertIn("No space left on device", self.ended(self.start(deck, "--force", output=output), 4))
            self.expect_the_same_in_the_end(deck, whole, output)

    def fault_a_disk_that_may_not_be_written(self, deck, whole, _):
        with Disk(self.folder / "disk", 10 * whole.stat().st_size) as disk:
            output = disk.folder / "run.h5"
            has_older = self.random.random() < 0.5
            if has_older:
                shutil.copy(whole, output)
            disk.make_read_only()
            self.assertIn("Read-only file system", self.ended(self.start(deck, output=output), 4))
            self.assertEqual(output.exists(), has_older)
            if has_older:
                self.assertEqual(output.read_bytes(), whole.read_bytes())

    def fault_a_folder_that_vanishes(self, deck, whole, seconds):
        process = self.start(deck)
        time.sleep(self.random.uniform(0, seconds))
        moved = self.folder / "moved"
        self.output.parent.rename(moved)
        is_moved = self.random.random() < 0.5
        if not is_moved:
            shutil.rmtree(moved, ignore_errors=True)
        self.ended(process, 0, 4)  # 0: it was done before
        if process.returncode == 4:
            self.assertFalse(self.output.exists())
        self.output.parent.mkdir()
        if is_moved:
            # Under its temporary name a file cannot be removed from a folder that is somewhere else.
            for file in moved.glob("*.polhode-part"):
                file.unlink()
            for file in moved.glob("*"):
                file.rename(self.output.parent / file.name)
            moved.rmdir()
        self.expect_the_same_in_the_end(deck, whole)

    def fault_memory_that_is_limited(self, deck, whole, _):
        size = self.least_memory() + self.random.randrange(0, 40 * MEGABYTE)
        process = self.start(deck, limit=lambda: resource.setrlimit(resource.RLIMIT_AS, (size, size)))
        self.ended(process, 0, 3, 4)
        self.expect_the_same_in_the_end(deck, whole)

    @staticmethod
    def least_memory():
        """With which the program begins at all, and a megabyte."""
        size = MEGABYTE
        while size < 1024 * MEGABYTE:
            limit = (size, size)
            done = subprocess.run([runs.BINARY, "--version"], capture_output=True, check=False,
                                  preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, limit))
            if done.returncode == 0:
                return size + MEGABYTE
            size += MEGABYTE // 4
        raise unittest.SkipTest("the address sanitizer reserves more memory than any limit")

    def fault_two_writers(self, deck, whole, seconds):
        first = self.start(deck)
        time.sleep(self.random.uniform(0, 1.2 * seconds))
        second = self.start(deck)
        said = [self.ended(process, 0, 4) for process in (first, second)]
        self.assertIn(0, (first.returncode, second.returncode), said)
        for process, words in zip((first, second), said):
            if process.returncode == 4:
                self.assertIn("another program is writing or reading it", words)
        self.assertEqual(runs.differences(whole, self.output), [])

    def fault_a_reader_that_holds_the_file(self, deck, whole, seconds):
        process = self.start(deck)
        time.sleep(self.random.uniform(0, seconds))
        with h5py.File(self.output, "r") if self.output.exists() else contextlib.nullcontext():
            self.ended(process, 0)
        self.assertEqual(runs.differences(whole, self.output), [])
        before = self.output.read_bytes()
        with h5py.File(self.output, "r"):
            self.assertIn("another program is writing or reading it", self.ended(self.start(deck), 4))
        self.assertEqual(self.output.read_bytes(), before)


for name in [name for name in vars(Faults) if name.startswith("fault_")]:
    setattr(Faults, name.replace("fault_", "test_"), lambda self, name=name: self.each(getattr(self, name)))


if __name__ == "__main__":
    unittest.main()
