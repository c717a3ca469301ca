# SPDX-License-Identifier: BSD-3-Clause
"""Loads of the deck as arrows: components, the point that they act at, and the factor in each stored state.

Results do not store loads, so histories are worked out here: numbers, expressions in t and tables. A history in a file
of its own is not read; its loads have no arrows, and the page says so.
"""
import ast

import numpy as np

from numbers_of_decks import Numbers, _to_python

MOST = 400  # loads with arrows


class History:
    """Values of a function of time of a deck; None where it cannot be worked out."""

    def __init__(self, value, parameters):
        self.table = None
        self.tree = None
        self.numbers = Numbers(dict(parameters or {}))
        if isinstance(value, dict):
            table = value.get("table")
            if isinstance(table, dict):
                self.table = [[self.numbers.number(item) for item in table.get(key) or []] for key in ("time", "value")]
        elif isinstance(value, str) and value.startswith("="):
            self.tree = ast.parse(_to_python(value[1:].strip()), mode="eval").body
        else:
            self.table = [[0.0], [self.numbers.number(value)]]

    def at(self, times):
        if self.table is not None:
            return np.interp(times, *self.table)
        if self.tree is None:
            return None
        values = np.empty(len(times))
        for i, time in enumerate(times):
            self.numbers.parameters["t"] = float(time)
            values[i] = self.numbers._node(self.tree, 0)
        return values


def factors(value, parameters, times):
    try:
        return History(value, parameters).at(times)
    except (ValueError, TypeError, KeyError, SyntaxError, ArithmeticError, RecursionError, AttributeError):
        return None


def loads_of(model, times, load_factor):
    """Loads, their factors [T, loads], and a note or None."""
    found, columns, unknown = [], [], 0
    for name, entry in model.entries("forces"):
        kind = entry.get("type")
        if kind not in ("load", "distributed_load"):
            continue
        factor = factors(entry.get("history", 1), model.deck.get("parameters"), times) if len(found) < MOST else None
        force, moment = (model.numbers.vector(entry.get(key) or [0, 0, 0]) for key in ("force", "moment"))
        if factor is None or not np.isfinite(factor).all():
            unknown += 1
            continue
        one = {"name": name, "force": force, "moment": moment, "follower": bool(entry.get("follower"))}
        if kind == "load":
            node = model.node(entry.get("node"))
            if node is None or node < 0:
                continue
            at = entry.get("at")
            one |= {"node": node, "point": [0.0] * 3 if not isinstance(at, list) else
                    model.local(node, model.numbers.vector(at)).tolist()}
            if one["follower"]:
                one["frame"] = "node"
        else:
            one |= {"beam": str(entry.get("beam"))}
        found.append(one)
        columns.append(factor * load_factor)
    note = f"{unknown} loads have no arrows: too many, or their histories are files" if unknown else None
    return found, np.stack(columns, axis=1) if columns else np.zeros((len(times), 0)), note
