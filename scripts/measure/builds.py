# SPDX-License-Identifier: BSD-3-Clause
"""The program of this checkout, and that of another revision built beside it under build/bench/."""
import pathlib
import subprocess
import sys

from program import ROOT, MeasureError

FOLDER = ROOT / "build/bench"


def git(*arguments):
    done = subprocess.run(["git", "-C", ROOT, *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        raise MeasureError(f"git {' '.join(arguments)}: {done.stderr.strip()}")
    return done.stdout.strip()


def this_revision():
    """The short name of the commit, with a mark where files differ from it."""
    return git("describe", "--always", "--dirty", "--exclude=*")


def build(folder, target):
    """Builds a target of a configured folder; False if there is no such target."""
    done = subprocess.run(["cmake", "--build", folder, "--target", target], capture_output=True, text=True, check=False)
    if done.returncode and "unknown target" not in done.stdout + done.stderr:
        raise MeasureError(f"{target} of {folder} cannot be built:\n{done.stdout[-4000:]}{done.stderr}")
    return done.returncode == 0


def programs_in(folder):
    """(polhode, polhode_bench or None) of a build folder."""
    bench = folder / "tests/polhode_bench"
    return folder / "polhode", bench if build(folder, "polhode_bench") else None


def this_checkout():
    return programs_in(ROOT / "build/release")


def other_revision(name):
    """(short name, programs) of another revision, from a work tree of its own, which is kept for the next time."""
    revision = git("rev-parse", "--short", "--verify", f"{name}^{{commit}}")
    tree, folder = FOLDER / f"tree-{revision}", FOLDER / f"build-{revision}"
    if not tree.is_dir():
        git("worktree", "prune")
        git("worktree", "add", "--detach", str(tree), revision)
    print(f"building {revision} in {folder.relative_to(pathlib.Path(ROOT))}", file=sys.stderr)
    done = subprocess.run(["cmake", "-S", tree, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release"],
                          capture_output=True, text=True, check=False)
    if done.returncode:
        raise MeasureError(f"{revision} cannot be configured:\n{done.stderr}")
    build(folder, "polhode")
    return revision, programs_in(folder)
