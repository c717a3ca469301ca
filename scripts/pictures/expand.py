# SPDX-License-Identifier: BSD-3-Clause
"""The program whose results the pictures show: the build's, or the installed one."""
import os
import pathlib
import shutil
import subprocess
import tempfile

_BUILT = pathlib.Path(__file__).resolve().parents[2] / "build/release/polhode"


def program():
    """POLHODE_BINARY, else the release build, else the one that is installed; None where there is none."""
    return os.environ.get("POLHODE_BINARY") or (str(_BUILT) if _BUILT.is_file() else shutil.which("polhode"))


def is_flat(deck):
    """Whether a deck, as read, has neither instances nor entries in the frames of nodes."""
    entries = [one for key in ("nodes", "beams") for one in (deck.get(key) or {}).values()]
    return "instances" not in deck and not any(isinstance(one, dict) and "frame" in one for one in entries)


def flat_deck(text):
    """A deck whose instances of parts are entries of its own (`polhode check --expand`); as it is where that fails."""
    if not program():
        return text
    with tempfile.TemporaryDirectory() as folder:
        deck = pathlib.Path(folder, "deck.yaml")
        deck.write_text(text)
        done = subprocess.run([program(), "check", "--expand", str(deck)], capture_output=True, text=True, check=False)
    return text if done.returncode else done.stdout
