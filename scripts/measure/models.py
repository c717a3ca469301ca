# SPDX-License-Identifier: BSD-3-Clause
"""Decks of what people build, of any size: each function gives the text of a deck of n parts."""
import dataclasses
import json
import math

STEP = 0.002  # s
HEXAGON = [(math.cos(a), math.sin(a)) for a in (math.radians(60 * k) for k in range(6))]
BODY = {"type": "rigid_body", "mass": 1, "inertia": [0.01, 0.1, 0.1]}
BAR = {"stiffness": {"EA": 1e6, "GAy": 1e6, "GAz": 1e6, "GJ": 1e3, "EIy": 1e3, "EIz": 1e3},
       "mass": {"per_length": 1, "inertia": [0.02, 0.01, 0.01]}}
# A blade bends as it is pulled, and turns as it bends.
COUPLED = {"stiffness": [[1e6, 0, 0, 0, 2e4, 1e4],
                         [0, 1e6, 0, 1e4, 0, 0],
                         [0, 0, 1e6, 2e4, 0, 0],
                         [0, 1e4, 2e4, 2e3, 200, 100],
                         [2e4, 0, 0, 200, 2e3, 0],
                         [1e4, 0, 0, 100, 0, 1e3]],
           "mass": {"per_length": 1, "inertia": [0.02, 0.01, 0.01]}}


def entries(part, named):
    """A part of a deck, an entry a line."""
    return "\n".join([f"{part}:", *(f"  {name}: {json.dumps(entry)}" for name, entry in named.items())]) + "\n"


@dataclasses.dataclass
class Deck:
    """A deck while it is made; entries stand on a line each, in JSON, which YAML reads."""
    gravity: tuple = (0, 0, -9.81)
    method: str = "lie_alpha"
    newton: dict = dataclasses.field(default_factory=lambda: {"predictor": "zero", "jacobian": "full"})
    parts: dict = dataclasses.field(default_factory=dict)

    def add(self, part, name, **entry):
        self.parts.setdefault(part, {})[name] = entry

    def node(self, name, position, **more):
        self.add("nodes", name, position=position, **more)

    def body(self, name, position, **more):
        self.node(name, position, **more)
        self.add("bodies", name, node=name, **BODY)

    def text(self):
        analysis = {"type": "transient", "duration": STEP, "step": STEP,
                    "integrator": {"method": self.method, "rho_infinity": 0.9, "initial": "consistent"},
                    "newton": self.newton}
        lines = ["format: polhode-deck/1", f"gravity: {json.dumps(self.gravity)}", f"analysis: {json.dumps(analysis)}"]
        return "\n".join(lines) + "\n" + "".join(entries(*part) for part in self.parts.items())


def joint_inputs(joint):
    """Revolute joints turn about y: a row of them hangs in a plane."""
    return {"type": joint, "axis": [0, 1, 0]} if joint == "revolute" else {"type": joint}


def row(n, joint="spherical", method="lie_alpha"):
    """N bodies of 1 m, one behind the other, jointed to each other and the first to the ground: a falling rope."""
    deck = Deck(method=method)
    before = "ground"
    for i in range(n):
        deck.body(f"b{i}", [i + 0.5, 0, 0])
        deck.add("joints", f"j{i}", connects=[before, f"b{i}"], at=[i, 0, 0], **joint_inputs(joint))
        before = f"b{i}"
    return deck.text()


def tree(n):
    """A balanced binary tree that hangs by its root; body i is jointed to body (i - 1) // 2."""
    deck = Deck()
    ends = {-1: (0.0, 0.0)}
    for i in range(n):
        parent = (i - 1) // 2 if i else -1
        x, z = ends[parent]
        depth = (i + 1).bit_length() - 1
        spread = 0.0 if i == 0 else (0.5 if i % 2 else -0.5) / depth
        ends[i] = (x + spread, z - 1)
        deck.body(f"b{i}", [x + spread / 2, 0, z - 0.5])
        deck.add("joints", f"j{i}", type="spherical", connects=[f"b{parent}" if i else "ground", f"b{i}"], at=[x, 0, z])
    return deck.text()


def ring(n):
    """N bodies along a circle, each jointed to the next and the last to the first; one of them hangs at the ground."""
    deck = Deck()
    radius = n / (2 * math.pi)

    def on_circle(i):
        return [radius * math.cos(2 * math.pi * i / n), 0, radius * math.sin(2 * math.pi * i / n)]

    for i in range(n):
        deck.body(f"b{i}", on_circle(i + 0.5))
    for i in range(n):
        deck.add("joints", f"j{i}", type="spherical", connects=[f"b{i - 1 if i else n - 1}", f"b{i}"], at=on_circle(i))
    deck.add("joints", "hook", type="spherical", connects=["ground", "b0"], at=on_circle(0.5))
    return deck.text()


def lattice(n):
    """n x n nodes in a plane with a named beam between neighbors, clamped along one side, where no beam lies."""
    deck = Deck()
    deck.add("sections", "bar", **BAR)
    for i in range(n):
        for j in range(n):
            deck.node(f"n{i}_{j}", [i, j, 0], **({} if i else {"fixed": True}))
    for i in range(n):
        for j in range(n):
            if i + 1 < n:
                deck.add("beams", f"x{i}_{j}", section="bar", **{"from": f"n{i}_{j}", "to": f"n{i + 1}_{j}"})
            if i and j + 1 < n:
                deck.add("beams", f"y{i}_{j}", section="bar", **{"from": f"n{i}_{j}", "to": f"n{i}_{j + 1}"})
    return deck.text()


def beams_of_lattice(n):
    return (n - 1) * n + (n - 1) * (n - 1)


def six_bars(n, joints=("revolute", "spherical", "revolute", "universal", "revolute", "revolute"), resolve=False):
    """N hexagons of five bodies and the ground side by side. A plane loop of six revolute joints has three redundant
    equations; a spherical and a universal joint in the place of two of them leave none."""
    axes = {"revolute": {"axis": [0, 1, 0]}, "universal": {"axes": [[0, 1, 0], [1, 0, 0]]}, "spherical": {}}
    deck = Deck()
    for k in range(n):
        corners = [[x, float(k), z] for x, z in HEXAGON]
        bodies = [f"b{k}_{i}" for i in range(5)]
        for i, body in enumerate(bodies):
            deck.body(body, [(a + b) / 2 for a, b in zip(corners[i], corners[i + 1])])
        chain = ["ground", *bodies, "ground"]
        for i, joint in enumerate(joints):
            deck.add("joints", f"j{k}_{i}", type=joint, connects=[chain[i], chain[i + 1]], at=corners[i], **axes[joint])
    return deck.text() + ("constraints: {redundant: resolve}\n" if resolve else "")


def redundant_six_bars(n):
    return six_bars(n, joints=("revolute",) * 6, resolve=True)


def blade(elements, order):
    """A cantilever of elements of an order, with a section whose stiffness couples all strains."""
    deck = Deck()
    deck.add("sections", "skin", **COUPLED)
    deck.node("root", [0, 0, 0], fixed=True)
    deck.node("tip", [elements, 0, 0])
    deck.add("beams", "blade", section="skin", elements=elements, order=order, **{"from": "root", "to": "tip"})
    return deck.text()


def free_bodies(n):
    """N bodies in the air, each with a spin of its own."""
    deck = Deck()
    for i in range(n):
        deck.body(f"b{i}", [2 * i, 0, 0], angular_velocity=[0.1, 5 + i % 7, 0.2])
    return deck.text()
