# SPDX-License-Identifier: BSD-3-Clause
"""Pages with numbers in them: {{name|format}} in a template, and the comparison of a page with a fresh one."""
import math
import pathlib
import re

import numpy as np

TEMPLATES = pathlib.Path(__file__).resolve().parent
PLACE = re.compile(r"\{\{([^|{}]+)\|([^{}]+)\}\}")
NUMBER = re.compile(r"(?<![\w.])[-+−]?\d+(?:\.\d+)?(?:e[-+]?\d+)?")


class Numbers(dict):
    """What a page prints, by name; lists are told apart as name.0, name.1, ..."""

    def put(self, name, value):
        if isinstance(value, dict):
            for key, part in value.items():
                self.put(f"{name}.{key}", part)
        elif isinstance(value, (list, tuple, np.ndarray)):
            for key, part in enumerate(value):
                self.put(f"{name}.{key}", part)
        else:
            self[name] = float(value)

    def holds(self, name, condition):
        """A statement of the source, and whether it is found to hold."""
        self[name] = bool(condition)


def text_of(value, form):
    """`form`: of Python; `s3` for three significant digits, small ones with an exponent; `yes` for statements; `<1e-9` for what has to be below a bound, whatever its digits."""
    if form == "yes":
        return "yes" if value else "**no**"
    if form.startswith("<"):
        return f"below {form[1:]}" if abs(value) < float(form[1:]) else f"{value:.2g}"
    if form.startswith("s"):
        digits = int(form[1:])
        exponent = math.floor(math.log10(abs(float(f"{value:.{digits - 1}e}")))) if value else 0
        form = f".{max(digits - 1 - exponent, 0)}f" if -2 < exponent < 4 else f".{digits - 1}e"
    text = format(value, form)
    text = re.sub(r"e([-+])0*(\d)", lambda match: "e" + match[1].replace("+", "") + match[2], text)
    return text.replace("-", "−", 1) if text.startswith("-") else text


def render(name, numbers):
    head = f"<!-- Written by scripts/verify from scripts/verification/{name}.md; not for editing. -->\n\n"
    template = (TEMPLATES / f"{name}.md").read_text()
    return head + PLACE.sub(lambda match: text_of(numbers[match[1].strip()], match[2].strip()), template)


def value_and_unit(text):
    """A printed number, and one unit of its last digit."""
    text = text.replace("−", "-")
    mantissa, _, exponent = text.partition("e")
    digits = len(mantissa.partition(".")[2])
    return float(text), 10.0 ** (int(exponent or 0) - digits)


def differences(old, new):
    """Lines of a page that differ from a fresh one by more than one unit of the last digit of a number."""
    old_lines, new_lines = old.splitlines(), new.splitlines()
    if len(old_lines) != len(new_lines):
        return [f"{len(old_lines)} lines, and {len(new_lines)} when made anew"]
    found = []
    for number, (a, b) in enumerate(zip(old_lines, new_lines), 1):
        same = NUMBER.sub("#", a) == NUMBER.sub("#", b)
        for x, y in zip(NUMBER.findall(a), NUMBER.findall(b)) if same else ():
            (value, unit), (fresh, fresh_unit) = value_and_unit(x), value_and_unit(y)
            same = same and abs(value - fresh) <= 1.01 * max(unit, fresh_unit)
        if not same:
            found.append(f"line {number}:\n  - {a}\n  + {b}")
    return found
