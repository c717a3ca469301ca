# SPDX-License-Identifier: BSD-3-Clause
"""What the pages share: reference tables, errors over steps."""
import csv

import numpy as np

from runs import ROOT, node_history, slope

METHODS = ("lie_alpha", "ul_crv", "ul_rotation_vector")
ALL_METHODS = ("lie_alpha", "lie_alpha_index2", "ul_crv", "ul_rotation_vector")


class Table:
    """A table of tests/verification/reference."""

    def __init__(self, name):
        with open(ROOT / "tests/verification/reference" / name, encoding="utf-8") as file:
            rows = list(csv.reader(file))
        self.names = rows[0]
        self.values = np.array(rows[1:], dtype=float)

    def columns(self, names):
        return self.values[:, [self.names.index(name) for name in names.split()]]


def largest(difference, start=0):
    """The largest Euclidean norm of the rows from `start` on."""
    return float(np.linalg.norm(difference[start:], axis=1).max())


def vectors(results, path, node=None):
    return node_history(results, node, path) if node else results.history(path)


def put_orders(numbers, name, steps, errors):
    numbers.put(name, errors)
    numbers.put(f"{name}.order", slope(steps, errors))


def is_order(numbers, name, order, tolerance=0.1):
    return abs(numbers[f"{name}.order"] - order) <= tolerance
