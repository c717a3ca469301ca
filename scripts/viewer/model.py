# SPDX-License-Identifier: BSD-3-Clause
"""The model of a results file: where nodes are in its first state, and the deck's points and directions in the nodes'
frames."""
import os
import sys

import numpy as np

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "pictures"))

from motion import deck_poses, rotation_matrices  # noqa: E402 -- the pictures' modules stand beside this folder
from numbers_of_decks import Numbers  # noqa: E402

GROUND = -1


class Model:
    def __init__(self, results):
        self.results = results
        self.deck = results.deck if isinstance(results.deck, dict) else {}
        self.numbers = Numbers(self.deck.get("parameters"))
        self.names = results.node_names
        self.index = {name: i for i, name in enumerate(self.names)}
        self.x = np.asarray(results.file["/nodes/position"][0], dtype=float)
        if "/nodes/rotation" in results.file:
            self.R = rotation_matrices(results.file["/nodes/rotation"][0])
        else:
            self.R = np.broadcast_to(np.eye(3), (len(self.names), 3, 3))
        self.deck_poses = deck_poses(results, self.numbers, self.x, self.R) if self.deck else {}

    def entries(self, group):
        """(name, mapping) of a group of the deck; what is no mapping is passed over."""
        found = self.deck.get(group)
        if not isinstance(found, dict):
            return []
        return [(str(name), entry) for name, entry in found.items() if isinstance(entry, dict)]

    def node(self, name):
        """Index of a node, GROUND for the ground, None for what is neither."""
        return GROUND if str(name) == "ground" else self.index.get(str(name))

    def deck_pose(self, node):
        """Position and rotation of a node in the deck's configuration."""
        return self.deck_poses.get(node, (self.x[node], self.R[node]))

    def local(self, node, point):
        """A point of the deck in a node's frame; of the ground it stays as it is."""
        point = np.asarray(point, dtype=float)
        if node == GROUND:
            return point
        x, R = self.deck_pose(node)
        return R.T @ (point - x)

    def turned(self, node, direction):
        direction = np.asarray(direction, dtype=float)
        return direction if node == GROUND else self.deck_pose(node)[1].T @ direction

    def at(self, node, local):
        """A point in a node's frame, in the first state."""
        return np.asarray(local) if node == GROUND else self.x[node] + self.R[node] @ local

    def ends(self, entry):
        """Nodes of `connects` and the entry's point on each, in the nodes' frames; None where there are not two."""
        pair = entry.get("connects")
        if not isinstance(pair, list) or len(pair) != 2:
            return None
        nodes = [self.node(name) for name in pair]
        if None in nodes:
            return None
        at = entry.get("at")
        if isinstance(at, list) and len(at) == 2 and isinstance(at[0], list):
            points = [self.numbers.vector(point) for point in at]
        elif isinstance(at, list) and len(at) == 3:
            points = [self.numbers.vector(at)] * 2
        else:
            moving = nodes[1] if nodes[1] != GROUND else nodes[0]
            own = self.deck_pose(moving)[0] if moving != GROUND else np.zeros(3)
            points = [self.deck_pose(n)[0] if n != GROUND and entry.get("type") == "spring_damper" else own for n in nodes]
        return nodes, [self.local(n, p) for n, p in zip(nodes, points)]
