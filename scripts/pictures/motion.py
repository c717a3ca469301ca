# SPDX-License-Identifier: BSD-3-Clause
"""What a results file shows in space: bodies as boxes or discs, beams as lines with section frames, joints as points."""
import numpy as np

from numbers_of_decks import Numbers


def angles_between(R, R0):
    """Angles of the rotations R0^T R, rad; arrays [..., 3, 3]."""
    relative = np.swapaxes(R0, -1, -2) @ R
    skew = np.stack([relative[..., 2, 1] - relative[..., 1, 2], relative[..., 0, 2] - relative[..., 2, 0],
                     relative[..., 1, 0] - relative[..., 0, 1]], axis=-1)
    return np.arctan2(np.linalg.norm(skew, axis=-1), np.trace(relative, axis1=-2, axis2=-1) - 1)


def rotation_matrices(quaternions):
    """[..., 3, 3] from unit quaternions [..., (w, x, y, z)]."""
    w, x, y, z = np.moveaxis(np.asarray(quaternions, dtype=float), -1, 0)
    rows = [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]
    return np.moveaxis(np.array(rows), (0, 1), (-2, -1))


def box(lengths):
    """Faces of a box [6, 4, 3] about the origin."""
    faces = []
    for axis in range(3):
        for side in (-0.5, 0.5):
            face = np.zeros((4, 3))
            face[:, axis] = side
            face[:, (axis + 1) % 3] = (-0.5, 0.5, 0.5, -0.5)
            face[:, (axis + 2) % 3] = (-0.5, -0.5, 0.5, 0.5)
            faces.append(face * lengths)
    return faces


def cylinder(radius, height, axis, sides=24):
    """Faces of a cylinder about `axis`: its two ends in sectors (so that a spin can be seen), then its sides."""
    angle = np.linspace(0, 2 * np.pi, sides + 1)
    rim = np.zeros((sides + 1, 3))
    rim[:, (axis + 1) % 3], rim[:, (axis + 2) % 3] = radius * np.cos(angle), radius * np.sin(angle)
    up = np.zeros(3)
    up[axis] = height / 2
    quarter = sides // 4
    sectors = [np.vstack([end, rim[k * quarter:(k + 1) * quarter + 1] + end]) for end in (up, -up) for k in range(4)]
    walls = [np.array([rim[k] - up, rim[k + 1] - up, rim[k + 1] + up, rim[k] + up]) for k in range(sides)]
    return sectors + walls


def solid_of(mass, inertia, smallest):
    """Faces of the homogeneous solid with this mass and inertia: a cylinder where two principal values agree, else a box.

    Box: I_x = m (b^2 + c^2)/12. Cylinder: I_axis = m r^2/2, I_across = m (3 r^2 + h^2)/12.
    """
    values, axes = np.linalg.eigh(inertia)
    if np.linalg.det(axes) < 0:
        axes = -axes
    twins = [k for k in range(3) if abs(values[(k + 1) % 3] - values[(k + 2) % 3]) <= 1e-6 * max(values.max(), 1e-300)]
    if len(twins) == 1:
        axis = twins[0]
        radius = np.sqrt(2 * values[axis] / mass)
        across = values[(axis + 1) % 3]
        faces = cylinder(radius, max(np.sqrt(max(12 * across / mass - 3 * radius**2, 0)), smallest), axis)
    else:
        squares = 6 * (values.sum() - 2 * values) / mass
        faces = box(np.maximum(np.sqrt(np.maximum(squares, 0)), smallest))
    return [face @ axes.T for face in faces]


def given_solid(body, numbers):
    """Faces of the shape that the deck gives a body, in its node's frame; None where it gives none."""
    shape = body.get("shape")
    radius, length = numbers.number(body.get("radius")), numbers.number(body.get("length"))
    axis = "xyz".find(str(body.get("along", "x")))
    if shape == "box":
        return box(np.array(numbers.vector(body.get("size"))))
    if shape in ("cylinder", "tube") and axis >= 0:
        return cylinder(radius, length, axis)
    return None


def is_inside(faces, point):
    """Whether a point lies in the box around a solid, by a margin of its twentieth."""
    if not faces:
        return False
    corners = np.concatenate(faces)
    low, high = corners.min(axis=0), corners.max(axis=0)
    margin = 0.05 * (high - low)
    return bool(((point >= low - margin) & (point <= high + margin)).all())


def deck_poses(results, numbers, x, R):
    """Position and rotation in the deck's configuration, where points and axes of the deck are, by node: where `initial`
    of joints has moved the model away from it. `x`, `R`: of the first state, which else is that configuration."""
    if not any(isinstance(joint, dict) and joint.get("initial") for joint in (results.deck.get("joints") or {}).values()):
        return {}
    index = {name: i for i, name in enumerate(results.node_names)}
    poses = {index[name]: (np.array(numbers.vector(node.get("position"))), numbers.rotation(node.get("orientation")))
             for name, node in (results.deck.get("nodes") or {}).items() if name in index}
    for beam in results.names("beams"):  # moved as rigid bodies: inner nodes go with the first one
        first, *inner = results.beam_nodes(beam)
        place, turn = poses.get(first, (x[first], R[first]))
        back = turn @ R[first].T
        for i in inner:
            poses.setdefault(i, (place + back @ (x[i] - x[first]), back @ R[i]))
    return poses


class Motion:
    """Geometry of the chosen states (`rows`) of a results file."""

    def __init__(self, results, rows):
        self.numbers = Numbers(results.deck.get("parameters"))
        self.deck = results.deck
        self.length = results.unit("/nodes/position")
        names = results.node_names
        self.index = {name: i for i, name in enumerate(names)}
        x, q = results.file["/nodes/position"], results.file["/nodes/rotation"]
        self.x = np.stack([x[row] for row in rows])
        self.R = rotation_matrices(np.stack([q[row] for row in rows]))
        self.x0, self.R0 = x[0], rotation_matrices(q[0])
        self.time = np.array([results.file["/time"][row] for row in rows])
        self.deck_poses = deck_poses(results, self.numbers, self.x0, self.R0)
        self.points = self._joint_points()
        self.links = self._links()
        everything = [self.x0, *(path for path, _ in self.points.values())]
        corners = np.concatenate([np.reshape(part, (-1, 3)) for part in (*everything, self.x)])
        self.size = float(np.linalg.norm(np.ptp(corners, axis=0))) or 1.0
        self.bodies = self._bodies(results)
        self.beams = self._beams(results)

    def carried(self, node, point):
        """The path [T, 3] of a point given in the initial configuration and fixed to a node ('ground' stands still)."""
        point = np.asarray(point, dtype=float)
        if node not in self.index:
            return np.broadcast_to(point, (len(self.x), 3))
        i = self.index[node]
        x0, R0 = self.deck_pose(i)
        return self.x[:, i] + self.R[:, i] @ (R0.T @ (point - x0))

    def deck_pose(self, i):
        """Position and rotation of a node in the deck's configuration."""
        return self.deck_poses.get(i, (self.x0[i], self.R0[i]))

    def _ends(self, entry):
        """Paths of the points on the two nodes of a joint or a force: of one point in space, or of a point for each."""
        pair = [str(node) for node in entry.get("connects") or []]
        if len(pair) != 2:
            return None
        at = entry.get("at")
        if at is None:
            points = [self.deck_pose(self.index[node])[0] if node in self.index else np.zeros(3) for node in pair]
        else:
            points = [self.numbers.vector(point) for point in (at if isinstance(at[0], list) else [at, at])]
        return pair, [self.carried(node, point) for node, point in zip(pair, points)]

    def _joint_points(self):
        """Of the joints the path on each node that moves, or one for both where the two are the same: path, node names."""
        points = {}
        for name, joint in (self.deck.get("joints") or {}).items():
            ends = self._ends(joint)
            if ends is None:
                continue
            pair, (on_a, on_b) = ends
            if isinstance(joint.get("at"), list) and joint["at"] and isinstance(joint["at"][0], list):
                points[name + ".a"], points[name + ".b"] = (on_a, pair[:1]), (on_b, pair[1:])
            else:
                points[name] = (on_b if pair[1] in self.index else on_a, pair)
        return points

    def _links(self):
        """Lines between two points: distances that are kept, and springs."""
        entries = [*(self.deck.get("joints") or {}).values(), *(self.deck.get("forces") or {}).values()]
        ends = [self._ends(entry) for entry in entries if entry.get("type") in ("distance", "spring_damper")]
        return [paths for _, paths in filter(None, ends)]

    def _bodies(self, results):
        """Of each body: node, faces in its frame (empty for a point mass), and lines from its center to joints outside
        of it (all others would make a star of a rotor)."""
        bodies = {}
        for name, body in (self.deck.get("bodies") or {}).items():
            node = str(body.get("node"))
            if node not in self.index:
                continue
            data = results.body(name)  # may be left out by the deck's output
            offset = data["center_of_mass"] if data else np.zeros(3)
            inertia = data["inertia"] if data else np.zeros((3, 3))
            faces = []
            if np.trace(inertia) > 0:
                mass = float(np.squeeze(data["mass"]))
                given = given_solid(body, self.numbers)
                faces = [face + offset for face in given or solid_of(mass, inertia, 0.035 * self.size)]
            i = self.index[node]
            centre = self.x[:, i] + self.R[:, i] @ offset
            arms = [path for path, pair in self.points.values()
                    if node in pair and not is_inside(faces, self.R[0, i].T @ (path[0] - self.x[0, i]))]
            bodies[name] = (i, faces, centre, arms)
        return bodies

    def _beams(self, results):
        """Of each beam: indices of its nodes and the section's axes y and z there, [T, n, 3, 2]; None of cables."""
        beams = {}
        for name in results.names("beams"):
            nodes = results.beam_nodes(name)
            along = self.x0[nodes[-1]] - self.x0[nodes[0]]
            along = along / (np.linalg.norm(along) or 1.0)
            beam = (self.deck.get("beams") or {}).get(name, {})
            if beam.get("type") == "cable":
                beams[name] = (nodes, None)
                continue
            hint = np.array(self.numbers.vector(beam.get("orientation"), (0.0, 0.0, 1.0)))
            hint = self.R0[nodes[0]] @ self.deck_pose(nodes[0])[1].T @ hint
            y = hint - along * (hint @ along)
            if np.linalg.norm(y) < 1e-9:
                y = np.cross(along, np.eye(3)[np.argmin(np.abs(along))])
            y = y / np.linalg.norm(y)
            axes = np.stack([y, np.cross(along, y)], axis=1)
            # The section turns with the node, whatever frame the node itself has in the deck.
            beams[name] = (nodes, self.R[:, nodes] @ np.swapaxes(self.R0[nodes], -1, -2) @ axes)
        return beams
