# SPDX-License-Identifier: BSD-3-Clause
"""Compiles faulty kinds and sees that the compiler refuses each of them by name and for its fault.

usage: compile.py SOURCE COMPILER [OPTIONS...]

Each faulty kind stands in SOURCE after a comment `// refused: MESSAGE`; all others must compile.
"""
import pathlib
import re
import subprocess
import sys

source, *compiler = sys.argv[1:]
text = pathlib.Path(source).read_text()
faults = dict(reversed(pair) for pair in re.findall(r"// refused: (.*)\nstruct (\w+)", text))
kinds = re.findall(r"static_assert\(checked_kind<(\w+)>\(\)\)", text)
done = subprocess.run([*compiler, "-fsyntax-only", source], capture_output=True, text=True, check=False)
problems = []
for kind in kinds:
    named = re.search(rf"\b{kind}\b", done.stderr) is not None
    message = faults.get(kind)
    if message is None and named:
        problems.append(f"{kind} has no fault, and does not compile")
    if message is not None and not (named and message in done.stderr):
        problems.append(f"{kind} compiles, or is refused for another reason than: {message}")
others = [line for line in done.stderr.splitlines() if "error: static" in line and not any(m in line for m in faults.values())]
problems += [f"not expected: {line}" for line in others]
if problems or not faults:
    sys.exit("\n".join([*problems, done.stderr]))
print(f"{len(faults)} faulty kinds refused")
