# SPDX-License-Identifier: BSD-3-Clause
"""Kills each deck at random moments and takes it up again: the results have the bits of a run that never stopped.

Every third run that was taken up is killed once more, and taken up from there. Prints a line a deck; the exit status is
1 if any result differs. Arguments: kills of each deck (50), names of decks (all that have a
long run).
"""
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import restart_runs as runs  # noqa: E402


def seconds_of(deck, whole):
    begin = time.monotonic()
    runs.run(deck, whole, is_long=True)
    return time.monotonic() - begin


def main():
    kills = int(sys.argv[1]) if len(sys.argv) > 1 else 50
    names = sys.argv[2:]
    all_good = all_kills = 0
    for deck in [one for one in runs.DECKS + runs.MORE if one.long]:
        if names and deck.name not in names:
            continue
        chosen = random.Random(deck.name)
        seen = Counter()
        with tempfile.TemporaryDirectory(prefix="polhode_kills_") as folder:
            whole, cut, again, new = (Path(folder) / name for name in ("whole.h5", "cut.h5", "again.h5", "new.h5"))
            seconds = seconds_of(deck, whole)
            for kill in range(kills):
                cut.unlink(missing_ok=True)
                was_cut = runs.run_and_kill(deck, cut, chosen.uniform(0, seconds), is_long=True)
                seen["cut"] += was_cut
                if not cut.exists():
                    seen["before the file"] += 1
                    runs.run(deck, new, is_long=True)
                    seen["the same"] += runs.differences(whole, new) == []
                    continue
                source = cut
                if kill % 3 == 2:
                    again.unlink(missing_ok=True)
                    runs.restart_and_kill(cut, again, chosen.uniform(0, seconds / 2))
                    source = again if again.exists() else cut
                said = runs.restart(source, new)
                seen["from a point"] += "goes on" in said
                differ = runs.differences(whole, new)
                seen["the same"] += differ == []
                if differ:
                    print(f"{deck.name}: kill {kill}: {differ[:5]}", flush=True)
        print(f"{deck.name}: {seen['the same']} of {kills} the same bits; {seen['cut']} were cut, "
              f"{seen['before the file']} before their file was there, {seen['from a point']} went on from a point",
              flush=True)
        all_good += seen["the same"]
        all_kills += kills
    print(f"{all_good} of {all_kills}")
    return 0 if all_good == all_kills else 1


if __name__ == "__main__":
    sys.exit(main())
