# SPDX-License-Identifier: BSD-3-Clause
"""A results file as a scene for the page: what there is (a plain mapping) and its numbers (packed)."""
import json

import numpy as np

from channels import add_channels, columns_of
from joints import entities, supports
from loads import loads_of
from look import first_look
from model import Model
from modes import modes_of
from packing import Packer
from sections import Sweep
from solids import solid_of

from results import Results, ResultsError

MOST_STATES = 1500  # more than a timeline on a screen can show apart
FEW_STATES = 12  # at least, where poses fit; section forces may then not be in the page
PER_BEAM = 160  # bytes of a beam, which do not change in time: its name, and the sections at its ends
POSE = 7  # numbers of a node: position and quaternion
SMALL = 1_200_000  # numbers; above, a history has two bytes a number, below, three
CORNERS = ((400, 20), (3000, 10), (20000, 6), (30000, 4))  # elements at most, corners of their round sections
FEWEST = 3  # with which 50 000 elements turn at once
KNOWN = ("polhode-results/1", "polhode-results/2")
SI = {"length": "m", "mass": "kg", "time": "s"}  # of decks that declare no `units`


def clean(number):
    return None if number is None or not np.isfinite(number) else float(number)


def fitting_states(results, room):
    """How many states fit: poses take at most half the room, and leave some for section forces, unless few are left."""
    poses = 2 * POSE * len(results.node_names)
    forces = columns_of(results, "beams", "forces")
    fixed = PER_BEAM * len(results.table_names("beams")) + 8 * (POSE * len(results.node_names) + forces)
    by_poses = room // (2 * poses)
    return max(min(by_poses, (room - fixed) // (poses + forces)), min(by_poses, FEW_STATES))


def open_results(path, room):
    """The results with as many states as fit into `room` bytes, and how many there are in all."""
    results = Results(path)
    if results.attribute("format") not in KNOWN:
        raise ResultsError(f"{path}: its format is {results.attribute('format')}; this script reads {KNOWN[-1]}")
    if "/nodes/position" not in results.file or not len(results.node_names):
        raise ResultsError(f"{path}: holds no positions of nodes; `output: {{fields: [nodes, ...]}}` of its deck "
                           "stores them")
    total = len(results.time)
    most = int(max(min(MOST_STATES, fitting_states(results, room)), 2))
    if total > most:
        results.thin(most)
    return results, total


def bodies_of(model, size):
    found = []
    for name, entry in model.entries("bodies"):
        node = model.node(entry.get("node"))
        if node is None or node < 0:
            continue
        data = model.results.body(name)
        solid, given = solid_of(entry, data, model.numbers, size)
        center = np.asarray(data["center_of_mass"], dtype=float) if data else \
            np.asarray(model.numbers.vector(entry.get("center_of_mass") or [0, 0, 0]))
        one = {"name": name, "node": node, "center": np.reshape(center, 3).tolist(), "solid": solid, "given": given,
               "type": str(entry.get("type"))}
        if data:
            one["mass"] = float(np.squeeze(data["mass"]))
            inertia = data["inertia"]
            one["inertia"] = np.linalg.eigvalsh(inertia).tolist() if inertia is not None else None
        found.append(one)
    return found


def corners_of(elements):
    return next((corners for most, corners in CORNERS if elements <= most), FEWEST)


def beams_of(model, packer, size, notes):
    results = model.results
    names = results.table_names("beams")
    deck = dict(model.entries("beams"))
    sections = dict(model.entries("sections"))
    found, nodes, turns, dims, thinned, first = [], [], [], [], 0, 0
    for row, name in enumerate(names):
        indices = np.asarray(results.beam_nodes(name))
        x, R = (np.stack(part) for part in zip(*map(model.deck_pose, indices)))
        sweep = Sweep(deck.get(name, {}), sections, model.numbers, x, R, size)
        entry = deck.get(name, {})
        found.append({"name": name, "row": row, "first": first, "count": len(indices), "kind": sweep.kind,
                      "length": sweep.length, "section": str(entry.get("section") or "varying"),
                      "given": sweep.is_given, "isCable": entry.get("type") == "cable"})
        first += len(indices)
        nodes.append(indices)
        turns.append(sweep.turns)
        dims.append(sweep.dimensions)
        thinned += sweep.is_thinned
    if found:
        packer.add("sweep/nodes", np.concatenate(nodes), "i4")
        packer.add("sweep/turns", np.concatenate(turns), "f4")
        packer.add("sweep/dimensions", np.concatenate(dims), "f4")
        elements = first - len(found)
        if elements > CORNERS[-2][0]:
            notes.append(f"the sections of the {elements} elements are drawn with {corners_of(elements)} corners")
        unshaped = sum(not one["given"] for one in found)
        if thinned:
            notes.append(f"beams whose sections have no shape are drawn thinner than they may be: {thinned}")
        elif unshaped:
            notes.append("sections without a shape are drawn as ellipses of about the same radii of gyration")
    return found


def solid_points(bodies, model, others):
    """Points that the first look must show besides the nodes: boxes around bodies, and points of joints and springs."""
    found = []
    for body in bodies:
        half = np.asarray(body["solid"]["half"])
        reach = float(np.linalg.norm(half)) if body["solid"]["kind"] == "box" else float(half.max())
        center = model.at(body["node"], np.asarray(body["center"]))
        found += [center - reach, center + reach]
    for one in others:
        found += [model.at(node, point) for node, point in zip(one.get("nodes", []), one.get("points", []))]
    return np.array(found).reshape(-1, 3)


def scene_of(path, room):
    """(scene, packer, results) of a results file; about `room` bytes of numbers before compression, texts included."""
    results, total = open_results(path, room)
    model = Model(results)
    packer, notes = Packer(), []
    position = results.history("/nodes/position")
    rotation = results.history("/nodes/rotation") if "/nodes/rotation" in results.file else None
    states = len(position)
    joints, forces = entities(model, "joints"), entities(model, "forces")
    points = solid_points([], model, [*joints, *forces])
    rough = float(np.linalg.norm(np.ptp(np.vstack([model.x, points]), axis=0))) or 1.0
    bodies = bodies_of(model, rough)
    gravity = model.numbers.vector(model.deck.get("gravity") or [0, 0, 0])
    look = first_look(position[:: max(1, states // 300)], solid_points(bodies, model, [*joints, *forces]), gravity)
    beams = beams_of(model, packer, look["size"], notes)
    origin = np.asarray(look["center"])
    depth = 3 if states * len(model.names) * POSE <= SMALL else 2
    packer.add_history("nodes/position", (position - origin).reshape(states, -1), depth)
    if rotation is not None:
        packer.add_history("nodes/rotation", rotation.reshape(states, -1), 2)
    texts = json.dumps([model.names, bodies, beams, joints, forces], separators=(",", ":"))
    room -= packer.size + len(texts) * 3 // 4  # numbers become text, too: four letters for three bytes
    static = "/static/load_factor" in results.file
    factor = results.history("/static/load_factor") if static else np.ones(states)
    time = results.history("/time")
    loads, load_factors, note = loads_of(model, time, np.where(np.isfinite(factor), factor, 1.0))
    notes += [note] if note else []
    packer.add("loads/factors", load_factors, "f4")
    modes, note = modes_of(results, packer)
    notes += [note] if note else []
    table, dropped = add_channels(results, packer, room, 2)
    if states < total:
        notes.insert(0, f"one in {results.stride} of the {total} stored states is in this page")
    if dropped:
        notes.append(f"not in this page, for its size: {', '.join(dropped)}")
    if results.status == "running":
        notes.insert(0, "the run goes on, or was killed: these are its states so far")
    elif results.status not in ("completed", ""):
        notes.insert(0, f"the run did not complete: {results.status}")
    scene = {
        "file": str(path), "title": results.title, "status": results.status, "subtitle": results.subtitle(),
        "description": str(model.deck.get("description") or ""), "notes": notes, "static": bool(results.is_static),
        "time": [clean(t) for t in (results.time if results.is_static else time)],
        "loadFactor": [clean(f) for f in factor] if static else None,
        "analysis": [int(i) for i in results.history("/analysis")] if "/analysis" in results.file else [0] * states,
        "origin": origin.tolist(), "look": look, "gravity": gravity,
        "units": {**SI, **(model.deck.get("units") or {})}, "nodes": model.names, "bodies": bodies,
        "beams": beams, "corners": corners_of(sum(beam["count"] - 1 for beam in beams)), "joints": joints,
        "forces": [one for one in forces if one["type"] != "load"],
        "supports": supports(model), "loads": loads, "modes": modes, "channels": table,
        "tyres": tyres_of(model), "arrays": packer.index}
    return scene, packer, results


def tyres_of(model):
    """Radius of each wheel with a tyre, by the name of the force."""
    return {name: model.numbers.number(entry.get("radius")) for name, entry in model.entries("forces")
            if entry.get("type") == "tyre"}
