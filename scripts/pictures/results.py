# SPDX-License-Identifier: BSD-3-Clause
"""Reading a results file, also one that is still being written or whose run has ended early."""
import os

os.environ.setdefault("HDF5_USE_FILE_LOCKING", "FALSE")  # a running program may hold the lock; reading harms nothing

import h5py  # noqa: E402 -- the setting above must come first
import numpy as np  # noqa: E402
import yaml  # noqa: E402

from expand import flat_deck, is_flat  # noqa: E402


class ResultsError(Exception):
    """The file cannot be used; the message is for the user."""


def text(value):
    return value.decode() if isinstance(value, bytes) else str(value)


def read_yaml(deck):
    """A deck as a dictionary; ten thousand entities take ten times as long without the loader in C."""
    return yaml.load(deck, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)) or {}


def has_format(path, name):
    """True for an HDF5 file whose attribute `format` begins with `name`; False for all else, readable or not."""
    try:
        with h5py.File(path, "r") as file:
            return text(file.attrs.get("format", "")).startswith(name)
    except OSError:
        return False


class Results:
    def __init__(self, path, max_states=None):
        """`max_states`: reads every k-th state, so that at most this many are read, and the last one."""
        self.path = path
        if not os.path.isfile(path):
            raise ResultsError(f"{path}: no such file")
        try:
            self.file = h5py.File(path, "r")
        except OSError as error:
            raise ResultsError(f"{path}: cannot be opened as a results file ({error})") from error
        if not self.attribute("format").startswith("polhode-results/"):
            raise ResultsError(f"{path}: not a results file of polhode (no attribute format = polhode-results/...)")
        self._tables = {}  # lists of texts that have been read, by path
        self._places = {}  # of names in such a list
        self._beam_nodes = None
        self.title = self.attribute("title") or os.path.basename(path)
        self.status = self.attribute("status")
        deck = text(self.file["/deck"][()] if "/deck" in self.file else "")
        self.deck = read_yaml(deck)
        if not is_flat(self.deck):
            self.deck = read_yaml(flat_deck(deck))
        # Histories of an unfinished file may end at different rows: only what all of them have counts.
        lengths = []
        self.file.visititems(lambda name, item: lengths.append(item.shape[0]) if self._is_history(name, item) else None)
        count = min(lengths, default=0)
        if count == 0:
            raise ResultsError(f"{path}: holds no state yet")
        self.count = count
        self.thin(max_states)

    def thin(self, max_states):
        """Reads every k-th state from now on, so that there are at most so many, and the last one."""
        self.stride = 1 if not max_states else max(1, -(-self.count // max_states))
        self._rows = np.unique(np.append(np.arange(0, self.count, self.stride), self.count - 1))
        self.time = self.history("/time")
        # Without any motion in time the states themselves are counted.
        self.is_static = self.count > 1 and self.time[0] == self.time[-1] and "/static/load_factor" in self.file
        self.moves = self.count > 1  # holds more than one state
        if self.is_static:
            self.time = np.arange(len(self.time), dtype=float)

    def attribute(self, name):
        return text(self.file.attrs.get(name, ""))

    @staticmethod
    def _is_history(name, item):
        """Histories grow; what does not change in time cannot. /solver, /monitors, /modal and /restart have other axes."""
        if not isinstance(item, h5py.Dataset) or item.is_virtual:  # a window has the rows of what it shows
            return False
        growing = item.shape and item.maxshape[0] is None
        return growing and not name.startswith(("solver/", "monitors/", "modal/", "restart/"))

    def _texts(self, path):
        if path not in self._tables:
            self._tables[path] = [text(name) for name in self.file[path][()]]
        return self._tables[path]

    def _entity(self, path, tables):
        """Place of the name in "/joints/pivot/force" among those of its group, from the table with the names."""
        if tables not in self._places:
            self._places[tables] = {name: place for place, name in enumerate(self._texts(tables))}
        return self._places[tables].get(path.strip("/").split("/")[1])

    def _find(self, path):
        """Dataset of a path, and which items of its second axis belong to it: of version 2 the numbers of all joints
        stand together, and a path by name is a part of them."""
        pieces = path.strip("/").split("/")
        shared = self.file.get(f"/{pieces[0]}/{pieces[2]}") if len(pieces) == 3 else None
        if not isinstance(shared, h5py.Dataset) or "names" not in shared.attrs:
            return self.file.get(path), None
        entity = self._entity(path, text(shared.attrs["names"]))
        if entity is None:
            return None, None
        if "ranges" in shared.attrs:
            first, count = (int(n) for n in self.file[text(shared.attrs["ranges"])][entity])
            return (shared, slice(first, first + count)) if count else (None, None)
        if "items" in shared.attrs:
            entity = int(self.file[text(shared.attrs["items"])][entity])
        return (shared, entity) if entity >= 0 else (None, None)

    def has(self, path):
        dataset = self._find(path)[0]
        return dataset is not None and dataset.shape[:1] != (0,)

    def units(self, path):
        dataset, item = self._find(path)
        if dataset is None:
            return ""
        if item is not None and "units_by_name" in dataset.attrs:
            units = self._texts(text(dataset.attrs["units_by_name"]))
            return units[self._entity(path, text(dataset.attrs["names"]))]
        return text(dataset.attrs.get("units", ""))

    def unit(self, path, component=0, otherwise=""):
        """The unit of one number of a dataset, as labels have it: of "N, N m" the first or the second."""
        units = self.units(path).split(", ")
        return units[min(component, len(units) - 1)] or otherwise

    def history(self, path, item=None):
        """[T, ...] of a dataset or of a part by name, or of one item of a dataset's second axis."""
        dataset, part = self._find(path)
        if dataset is None:
            raise KeyError(path)
        item = part if item is None else item
        last = self._rows[-1] + 1
        data = dataset[:last:self.stride] if item is None else dataset[:last:self.stride, item]
        if len(data) < len(self._rows):
            data = np.concatenate([data, dataset[last - 1 : last] if item is None else dataset[last - 1 : last, item]])
        return data

    def steps(self, name):
        """/solver/<name>, cut to what all of them have; None if there is none."""
        group = self.file.get("/solver")
        if group is None or name not in group:
            return None
        count = min(group[key].shape[0] for key in ("time", name) if key in group)
        return group[name][:count]

    def table_names(self, group):
        """Names of joints, supports (reactions), forces or beams, in the order of the file."""
        tables = f"/{group}/names"
        return self._texts(tables) if tables in self.file else list(self.file[group]) if group in self.file else []

    def names(self, group):
        """The same in the order of the deck, then of the file."""
        found = self.table_names(group)
        order = list(self.deck.get({"reactions": "nodes"}.get(group, group)) or [])
        place = {name: i for i, name in enumerate(order)}
        return sorted(found, key=lambda name: place.get(name, len(order)))

    def beam_nodes(self, name):
        """Indices of the nodes along a beam."""
        if self._beam_nodes is None and "/beams/node_ranges" not in self.file:  # version 1
            return self.file[f"/beams/{name}/nodes"][()].astype(int)
        if self._beam_nodes is None:
            self._beam_nodes = self.file["/beams/node_ranges"][()], self.file["/beams/nodes"][()].astype(int)
        ranges, nodes = self._beam_nodes
        first, count = ranges[self._entity(f"/beams/{name}", "/beams/names")]
        return nodes[first : first + count]

    def body(self, name):
        """Mass, center of mass and inertia of a body; None where the file has none of that name."""
        if "/bodies/names" not in self.file:  # version 1
            data = self.file.get(f"/bodies/{name}")
            return data and {key: data[key][()] for key in ("mass", "center_of_mass", "inertia")}
        place = self._entity(f"/bodies/{name}", "/bodies/names")
        if place is None:
            return None
        return {key: self.file[f"/bodies/{key}"][place] for key in ("mass", "center_of_mass", "inertia")}

    @property
    def node_names(self):
        return self._texts("/nodes/names")

    @property
    def analyses(self):
        analysis = self.deck.get("analysis") or []
        return analysis if isinstance(analysis, list) else [analysis]

    def static_rows(self):
        """Rows of states of static analyses, the last of them if there are several."""
        if "/static/load_factor" not in self.file:
            return np.array([], dtype=int)
        static = [i for i, a in enumerate(self.analyses) if isinstance(a, dict) and a.get("type") == "static"]
        rows = [np.flatnonzero(self.history("/analysis") == i) for i in static]
        return next((r for r in reversed(rows) if len(r)), np.array([], dtype=int))

    def subtitle(self):
        """Method, step and state of the run in one line."""
        pieces = []
        if self.is_static:
            pieces.append(f"static, {len(self.time) - 1} equilibria")
            if self.status != "completed":
                pieces.append({"running": "UNFINISHED"}.get(self.status, self.status.upper()))
            return "   ·   ".join(pieces)
        transient = next((a for a in self.analyses if isinstance(a, dict) and a.get("type") == "transient"), {})
        integrator = transient.get("integrator") or {}
        pieces.append(str(integrator.get("method", "lie_alpha")))
        pieces += [f"{label} {integrator[key]}" for key, label in (("rho_infinity", "ρ∞"), ("hht_alpha", "HHT α"))
                   if key in integrator]
        if isinstance(transient.get("step"), (int, float)):
            pieces.append(f"h = {transient['step']:g} s")
        iterations = self.steps("newton_iterations")
        if iterations is not None and len(iterations):
            pieces.append(f"{len(iterations)} steps, {np.mean(iterations):.2f} linear solves a step")
        if self.status != "completed":
            pieces.append({"running": "UNFINISHED"}.get(self.status, self.status.upper()))
        return "   ·   ".join(pieces)
