# SPDX-License-Identifier: BSD-3-Clause
"""Flexible multibody dynamics: decks run and stepped from Python.

    simulation = polhode.Simulation("cart.yaml")
    while simulation.step():
        simulation.signals["force"] = -20 * simulation.signals["angle"]
"""
import collections
import collections.abc
import json
import os
import tempfile

import numpy

import _polhode
from _polhode import DeckError, FileError, ResultsError, SettingError, SolutionError, UseError

__version__ = _polhode.version
__all__ = ["DeckError", "FileError", "LinearModel", "Quantity", "Results", "ResultsError", "SettingError", "Simulation",
           "SolutionError", "UseError", "results"]

LinearModel = collections.namedtuple("LinearModel", "A B C D inputs outputs values")


class Quantity(numpy.ndarray):
    """An array with `units`, `frame` and `description`, as they stand in the results file."""

    def __new__(cls, values, units, frame, description):
        made = numpy.asarray(values).view(cls)
        made.units, made.frame, made.description = units, frame, description
        return made

    def __array_finalize__(self, other):
        for name in ("units", "frame", "description"):
            setattr(self, name, getattr(other, name, ""))


class Results(collections.abc.Mapping):
    """Datasets of a results file by their paths, read when they are asked for: results["/nodes/position"]."""

    def __init__(self, file):
        self._reader = _polhode.Reader(os.fspath(file))

    def attribute(self, name):
        return self._reader.attribute(name)

    def __getitem__(self, path):
        values, *facts = self._reader.read(path if path.startswith("/") else "/" + path)
        return Quantity(values, *facts) if isinstance(values, numpy.ndarray) else values

    def __iter__(self):
        return iter(self._reader.paths())

    def __len__(self):
        return len(self._reader.paths())


def results(file):
    """The results in a file."""
    return Results(file)


def _plain(value):
    """Arrays and numbers of NumPy as what JSON knows."""
    if isinstance(value, (numpy.ndarray, numpy.generic)):
        return value.tolist()
    raise TypeError(f"a deck has no place for {type(value).__name__}")


def _yaml(value, indent=None):
    """JSON, which is YAML."""
    return json.dumps(value, default=_plain, ensure_ascii=False, indent=indent)


class Simulation(_polhode.Simulation):
    """A deck: the name of a file, a text of several lines, or a dict. `output`: the file for results."""

    def __init__(self, deck, output=None):
        if isinstance(deck, collections.abc.Mapping):
            super().__init__("<dict>", _yaml(deck, indent=1))
        elif isinstance(deck, str) and "\n" in deck:
            super().__init__("<text>", deck)
        else:
            super().__init__(os.fspath(deck))
        self._results = None
        self._output = output
        if output is not None:
            self._write_results_to(os.fspath(output))

    def set(self, path, value):
        """Replaces a value of the deck, as --set does: set("parameters.L", 2). Before the first step."""
        is_formula = isinstance(value, str) and value.startswith("=")
        self._set(f"{path}={value if is_formula else _yaml(value)}")

    def run(self):
        """All that is left. Results are kept where nothing has been stepped yet, or where there is an output file."""
        if self._output is None and not self.started:
            with tempfile.TemporaryDirectory() as folder:
                file = os.path.join(folder, "results.h5")
                self._write_results_to(file)
                self._run()
                if os.path.exists(file):
                    self._results = Results(file)  # stays open without its name
        else:
            self._run()
        return self

    @property
    def results(self):
        """Datasets by their paths, of a run that has ended."""
        if self._results is None and not self.started:
            self.run()
        if self._results is None:
            if self._output is None:
                raise UseError("steps store no results by themselves: give Simulation(deck, output=FILE)")
            self._run()
            self._results = Results(self._output)
        return self._results

    def linearize(self, inputs=None, outputs=(), open=(), pade=3):
        """A, B, C, D and names about the present state; without `inputs` the deck's own analysis of that type.

        `open`: signals at which loops of control are cut, each held at its value. `pade`: the order of the approximants
        of delays, 1 to 10."""
        if not 1 <= pade <= 10:
            raise ValueError("`pade` must be in [1, 10]")
        if inputs is None:
            if outputs or open:
                raise ValueError("`outputs` and `open` go with `inputs`; give a list of inputs, which may be empty")
            return LinearModel(*self._linearize())
        return LinearModel(*self._linearize(list(inputs), list(outputs), list(open), pade))
