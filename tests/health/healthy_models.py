#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs healthy models with --strict: a warning of one is a false alarm. Random trees, loops, beams, frames, blades, drives
and force elements with fixed seeds, by all methods, and all decks of inputs/. Not in the suite:
cmake --build --preset release --target healthy_models. Options: --seed N, --only NAME, --keep FOLDER (decks and messages)."""
import argparse
import collections
import json
import math
import os
import pathlib
import random
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Decks whose warnings their own comments announce, with a word of each warning that belongs there.
ANNOUNCED = {
    "bennett": ("over-constrained",),
    "four_parallel_hinges": ("over-constrained",),
    "n_four_bar": ("singular position",),
}
IMPLICIT = ("lie_alpha", "ul_crv", "ul_rotation_vector", "lie_alpha_index2")
STATE_SPACE = ("rosenbrock4", "rosenbrock_w2")
SUNDIALS = ("adams", "bdf", "explicit_rk")
STRUCTURE = ("variational", "energy_momentum")
STEEL = {"E": 2.1e11, "nu": 0.3, "density": 7850.0}


# -- vectors -------------------------------------------------------------------------------------------------------

def plus(a, b):
    return [x + y for x, y in zip(a, b)]


def times(s, a):
    return [s * x for x in a]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def unit(a):
    length = math.sqrt(sum(x * x for x in a))
    return [x / length for x in a]


def direction(rng):
    while True:
        a = [rng.uniform(-1, 1) for _ in range(3)]
        if 0.2 < sum(x * x for x in a) < 1:
            return unit(a)


def normal(rng, a):
    """A random unit vector at right angles to `a`."""
    while True:
        b = cross(a, direction(rng))
        if sum(x * x for x in b) > 0.1:
            return unit(b)


# -- parts of decks ------------------------------------------------------------------------------------------------

def transient(method, duration, step, **integrator):
    """Fixed steps for a number, controlled ones for a mapping."""
    analysis = {"type": "transient", "duration": duration, "step": step}
    analysis["integrator"] = {"method": method, **integrator}
    return analysis


def motion(rng, duration, step, methods):
    """A transient by one of `methods`: fixed steps or controlled ones, where the method has both."""
    method = rng.choice(methods)
    if method in SUNDIALS:
        return transient(method, duration, {"tolerance": rng.choice((1e-6, 1e-7))})
    if method in STRUCTURE or rng.random() < 0.5:
        return transient(method, duration, step)
    tolerance = rng.choice((1e-4, 1e-5)) if method in IMPLICIT else rng.choice((1e-5, 1e-6))
    return transient(method, duration, {"tolerance": tolerance})


def rod(rng, mass, length):
    """Principal inertia of a stout rod of any direction: no moment exceeds the sum of the others."""
    across = mass * length**2 / 12
    return [across * rng.uniform(0.6, 1.0) for _ in range(3)]


def deck(title, **entries):
    return {"format": "polhode-deck/1", "title": title, **entries}


def smooth_drive(rng, largest):
    """A function of time that starts at zero with zero rate and stays within `largest`."""
    a = rng.uniform(0.3, 1) * largest / 2
    w = rng.uniform(1, 5)
    return rng.choice((f"={a!r}*(1 - cos({w!r}*t))", f"={2 * a!r}*(1 - exp(-(t^2)*{w!r}))", f"={a!r}*sin({w!r}*t)^2"))


def smooth_table(rng, duration, largest):
    """A cubic table that rises and falls once, with rows far coarser than the steps."""
    rows = rng.randint(6, 10)
    time = [duration * k / (rows - 1) for k in range(rows)]
    value = [largest * math.sin(math.pi * k / (rows - 1)) ** 2 for k in range(rows)]
    return {"table": {"time": time, "value": value}, "interpolation": "cubic"}


def pulse(rng, duration, step):
    """Half a sine of at least twenty steps, or a ramp to a constant."""
    begin = round(rng.uniform(0.1, 0.4) * duration / step) * step
    length = max(20 * step, rng.uniform(0.1, 0.3) * duration)
    length = round(length / step) * step
    end = begin + length
    return rng.choice((
        f"=t < {begin!r} ? 0 : (t < {end!r} ? sin(pi*(t - {begin!r})/{length!r}) : 0)",
        f"=t < {begin!r} ? 0 : (t < {end!r} ? (t - {begin!r})/{length!r} : 1)",
    ))


# -- trees ---------------------------------------------------------------------------------------------------------

def tree(rng):
    """Pendulums on pendulums: each body hangs on one before it, or on the ground."""
    nodes, bodies, joints, ends, names = {}, {}, {}, {"ground": [0.0, 0.0, 0.0]}, ["ground"]
    count = rng.randint(1, 6)
    for k in range(count):
        parent = rng.choice(names[-2:])
        at = ends[parent]
        along = unit(plus([0, 0, -0.8], times(0.8, direction(rng))))
        length, mass = rng.uniform(0.3, 0.8), rng.uniform(0.5, 3)
        name = f"b{k}"
        nodes[name] = {"position": plus(at, times(length / 2, along))}
        bodies[name] = {"type": "rigid_body", "node": name, "mass": mass, "inertia": rod(rng, mass, length)}
        axis = normal(rng, along)
        joint = {"type": rng.choice(("spherical", "revolute", "revolute", "universal", "prismatic", "cylindrical"))}
        joint.update({"connects": [parent, name], "at": at})
        if joint["type"] in ("revolute", "prismatic", "cylindrical"):
            joint["axis"] = axis
        if joint["type"] == "revolute" and rng.random() < 0.5:
            joint["damping"] = rng.uniform(0, 0.5)
            joint["stiffness"] = rng.uniform(0, 5)
        if joint["type"] == "prismatic":
            joint.update({"axis": along, "stiffness": rng.uniform(300, 1000), "damping": rng.uniform(0, 10)})
        if joint["type"] == "cylindrical":
            joint.update({"axis": along, "along": {"stiffness": rng.uniform(300, 1000), "damping": rng.uniform(0, 10)},
                          "about": {"stiffness": rng.uniform(1, 5)}})
        if joint["type"] == "universal":
            joint["axes"] = [axis, unit(cross(axis, along))]
        joints[f"j{k}"] = joint
        ends[name] = plus(at, times(length, along))
        names.append(name)
    entries = {"gravity": [0, 0, -9.81], "nodes": nodes, "bodies": bodies, "joints": joints}
    analysis = motion(rng, 1.0, 0.001, IMPLICIT + STATE_SPACE + SUNDIALS + STRUCTURE)
    return deck("tree", **entries, analysis=analysis)


def spring_tree(rng):
    """Bodies on springs, bushings and torsional springs; a load with a history."""
    nodes, bodies, forces = {}, {}, {}
    before, at = "ground", [0.0, 0.0, 0.0]
    for k in range(rng.randint(1, 4)):
        name, mass = f"b{k}", rng.uniform(1, 5)
        there = plus(at, [rng.uniform(0.3, 0.6), rng.uniform(-0.1, 0.1), rng.uniform(-0.1, 0.1)])
        nodes[name] = {"position": there}
        bodies[name] = {"type": "rigid_body", "node": name, "mass": mass, "inertia": rod(rng, mass, 0.4)}
        k_t, k_r = rng.uniform(2e3, 2e4), rng.uniform(50, 200)
        loss = rng.uniform(0, 0.01)
        stiffness = [k_t, k_t * 1.2, k_t * 0.9, k_r, k_r * 1.1, k_r * 1.3]
        forces[f"mount{k}"] = {"type": "bushing", "connects": [before, name], "at": times(0.5, plus(at, there)),
                               "stiffness": stiffness, "damping": times(loss, stiffness)}
        if rng.random() < 0.5:
            forces[f"spring{k}"] = {"type": "spring_damper", "connects": ["ground", name],
                                    "at": [plus(there, [0, 0.5, 0.5]), there],
                                    "stiffness": rng.uniform(100, 1000), "damping": rng.uniform(0, 5)}
        if rng.random() < 0.5:
            forces[f"twist{k}"] = {"type": "torsional_spring_damper", "connects": [before, name], "axis": [1, 0, 0],
                                   "stiffness": rng.uniform(5, 50), "damping": rng.uniform(0, 1)}
        before, at = name, there
    step = 0.0005
    history = rng.choice((smooth_table(rng, 1.0, 20.0), pulse(rng, 1.0, step), smooth_drive(rng, 10.0)))
    forces["push"] = {"type": "load", "node": before, "force": times(rng.uniform(1, 5), direction(rng)),
                      "history": history}
    analysis = motion(rng, 1.0, step, IMPLICIT + STATE_SPACE + SUNDIALS + STRUCTURE)
    if analysis["step"] != step:
        forces["push"]["history"] = smooth_drive(rng, 10.0)
    return deck("bodies on springs", gravity=[0, 0, -9.81], nodes=nodes, bodies=bodies, forces=forces, analysis=analysis)


def driven_tree(rng):
    """A robot: an arm of driven hinges and slides, and one more link that swings."""
    nodes, bodies, joints = {}, {}, {}
    before, at = "ground", [0.0, 0.0, 0.0]
    for k in range(rng.randint(1, 4)):
        name, mass, along = f"b{k}", rng.uniform(0.5, 5), direction(rng)
        there = plus(at, times(0.4, along))
        nodes[name] = {"position": times(0.5, plus(at, there))}
        bodies[name] = {"type": "rigid_body", "node": name, "mass": mass, "inertia": rod(rng, mass, 0.4)}
        drive = smooth_drive(rng, 1.5)
        kind = rng.choice(("revolute", "revolute", "prismatic", "cylindrical", "motion"))
        joint = {"type": kind, "connects": [before, name], "at": at}
        axis = normal(rng, along)
        if kind == "motion":
            joint["motion"] = {"x": smooth_drive(rng, 0.2), "y": 0, "z": 0, "rx": 0, "ry": 0, "rz": drive}
        elif kind == "prismatic":
            joint.update({"axis": along, "translation": smooth_drive(rng, 0.3)})
        elif kind == "cylindrical":
            joint.update({"axis": axis, "rotation": drive, "translation": smooth_drive(rng, 0.2)})
        else:
            joint.update({"axis": axis, "rotation": drive})
        joints[f"j{k}"] = joint
        before, at = name, there
    nodes["hand"] = {"position": plus(at, [0, 0, -0.2])}
    bodies["hand"] = {"type": "rigid_body", "node": "hand", "mass": 0.5, "inertia": [0.01, 0.012, 0.011]}
    joints["wrist"] = {"type": "spherical", "connects": [before, "hand"], "at": at}
    analysis = motion(rng, 2.0, 0.002, IMPLICIT + STATE_SPACE + ("adams", "bdf", "energy_momentum", "variational"))
    return deck("robot", gravity=[0, 0, -9.81], nodes=nodes, bodies=bodies, joints=joints, analysis=analysis)


def spinning(rng):
    """A free body, or a heavy top, with a start of its own."""
    spin = times(rng.uniform(1, 20), direction(rng))
    inertia = rod(rng, 2.0, 1.0)
    node = {"position": [0.3, 0.1, 0.5], "angular_velocity": spin}
    entries = {"nodes": {"top": node}}
    entries["bodies"] = {"top": {"type": "rigid_body", "node": "top", "mass": 2.0, "inertia": inertia}}
    if rng.random() < 0.5:
        entries["gravity"] = [0, 0, -9.81]
        entries["joints"] = {"foot": {"type": "spherical", "connects": ["ground", "top"], "at": [0, 0, 0]}}
        node["velocity"] = cross(spin, node["position"])
    else:
        node["velocity"] = direction(rng)
    analysis = motion(rng, 1.0, 0.001, IMPLICIT + STATE_SPACE + SUNDIALS + STRUCTURE)
    return deck("spinning body", **entries, analysis=analysis)


# -- loops ---------------------------------------------------------------------------------------------------------

def circles_meet(p, r, q, s):
    """The point at distance r of p and s of q, left of the way from p to q; None where there is none."""
    d = math.hypot(q[0] - p[0], q[1] - p[1])
    a = (d * d + r * r - s * s) / (2 * d)
    if r * r - a * a < (0.2 * r) ** 2:  # far from the stretched position, too
        return None
    h = math.sqrt(r * r - a * a)
    e = [(q[0] - p[0]) / d, (q[1] - p[1]) / d]
    return [p[0] + a * e[0] - h * e[1], p[1] + a * e[1] + h * e[0]]


def add_dyad(nodes, bodies, joints, name, bars, ends, hinges):
    """A coupler between the bars a and b, on a ball joint at b: over-constrained by nothing, whatever the precision."""
    (a, b), (p, q), (first, last) = bars, ends, hinges
    nodes[name] = {"position": times(0.5, plus(p, q))}
    length = math.dist(p, q)
    bodies[name] = {"type": "rigid_body", "node": name, "mass": length, "inertia": [length**3 / 12] * 3}
    joints[first] = {"type": "universal", "connects": [a, name], "at": p,
                     "axes": [[0, 1, 0], unit(cross([0, 1, 0], plus(q, times(-1, p))))]}
    joints[last] = {"type": "spherical", "connects": [name, b], "at": q}


def crank_rocker(rng):
    """Lengths of a four-bar linkage whose crank turns all round, far from stretched positions: crank, coupler, rocker."""
    while True:
        crank, coupler, rocker = rng.uniform(0.15, 0.3), rng.uniform(0.7, 1.1), rng.uniform(0.6, 0.9)
        angles = [2 * math.pi * k / 72 for k in range(72)]
        tips = [[crank * math.cos(a), crank * math.sin(a)] for a in angles]
        if all(circles_meet(tip, coupler, [1.0, 0.0], rocker) for tip in tips):
            return crank, coupler, rocker, tips


def loop(rng):
    """A four-bar linkage, or a six-bar of two: turned by a drive or a motor, or falling."""
    crank, coupler, rocker, tips = crank_rocker(rng)
    tip = rng.choice(tips)
    top = circles_meet(tip, coupler, [1.0, 0.0], rocker)
    space = [[p[0], 0.0, p[1]] for p in (tip, top)]
    nodes = {"crank": {"position": times(0.5, space[0])},
             "rocker": {"position": times(0.5, plus([1, 0, 0], space[1]))}}
    bodies = {"crank": {"type": "rigid_body", "node": "crank", "mass": crank, "inertia": [crank**3 / 12] * 3},
              "rocker": {"type": "rigid_body", "node": "rocker", "mass": rocker, "inertia": [rocker**3 / 12] * 3}}
    joints = {"A": {"type": "revolute", "connects": ["ground", "crank"], "at": [0, 0, 0], "axis": [0, 1, 0]},
              "D": {"type": "revolute", "connects": ["ground", "rocker"], "at": [1, 0, 0], "axis": [0, 1, 0]}}
    add_dyad(nodes, bodies, joints, "coupler", ("crank", "rocker"), space, ("B", "C"))
    if rng.random() < 0.5:
        # The rocker, which swings by little, drives a second rocker of the same length beside it: a parallelogram, nearly.
        far = [1.9, 0.0, 0.0]
        end = plus(space[1], [0.9 + rng.uniform(0.02, 0.08), 0.0, rng.uniform(-0.03, 0.03)])
        nodes["second"] = {"position": times(0.5, plus(far, end))}
        bodies["second"] = {"type": "rigid_body", "node": "second", "mass": 0.7, "inertia": [0.03] * 3}
        joints["F"] = {"type": "revolute", "connects": ["ground", "second"], "at": far, "axis": [0, 1, 0]}
        add_dyad(nodes, bodies, joints, "link", ("rocker", "second"), (space[1], end), ("E", "G"))
    kind = rng.choice(("drive", "motor", "fall"))
    if kind == "drive":
        joints["A"]["rotation"] = f"={rng.uniform(1, 6)!r}*t^2/(1 + t)"
    elif kind == "motor":
        joints["A"].update({"motor": rng.uniform(0.5, 2), "damping": rng.uniform(0.3, 0.6)})
    analysis = motion(rng, 1.5, 0.001, IMPLICIT + STATE_SPACE + ("adams", "bdf", "energy_momentum", "variational"))
    return deck(f"loop, {kind}", gravity=[0, 0, -9.81], nodes=nodes, bodies=bodies, joints=joints, analysis=analysis)


# -- beams ---------------------------------------------------------------------------------------------------------

def section(rng):
    size = rng.uniform(0.02, 0.05)
    shape = rng.choice((
        {"shape": "circle", "radius": size},
        {"shape": "tube", "radius": size, "inner_radius": 0.8 * size},
        {"shape": "rectangle", "width": size, "height": size * rng.uniform(1.1, 2)},
        {"shape": "I", "width": 2 * size, "height": 3 * size, "flange": size / 5, "web": size / 5},
    ))
    return {**shape, **STEEL, "damping": rng.choice((0, 1e-4, 1e-3))}


def stiffness_of(entry):
    """A lower bound of E I of a section, for loads that bend it by little."""
    size = entry.get("radius", entry.get("width"))
    return entry["E"] * size**4 / 30


def cantilever(rng):
    """A cantilever, straight or an arc, with a load at its tip or along it: its statics, its modes, its motion."""
    length, order, profile = rng.uniform(1, 4), rng.randint(1, 4), section(rng)
    elements = max(2, 12 // order)
    beam = {"section": "s", "from": "root", "to": "tip", "elements": elements, "order": order, "orientation": [0, 0, 1]}
    if rng.random() < 0.3:
        beam["arc"] = [length / 2, length / 6, 0]
    force = stiffness_of(profile) / length**2 * rng.uniform(0.05, 0.5)
    load = {"type": "load", "node": "tip", "force": times(force, plus([0, 0.3, 0.3], direction(rng)))}
    if rng.random() < 0.3:
        load = {"type": "distributed_load", "beam": "b", "force": times(force / length, direction(rng))}
    if rng.random() < 0.3:
        load["follower"] = True
    kind = rng.choice(("static", "modal", "motion", "motion", "release"))
    analysis = [{"type": "static"}]
    if kind == "modal":
        analysis.append({"type": "modal", "modes": rng.randint(3, 12)})
        load.pop("follower", None)
    elif kind == "motion":
        load["history"] = smooth_table(rng, 0.5, 1.0)
        analysis = [motion(rng, 0.5, 0.0005, IMPLICIT)]
    elif kind == "release":
        # Pulled aside in a time that is long for the beam, then at rest under the load.
        load["history"] = "=t < 0.3 ? 0.5*(1 - cos(pi*t/0.3)) : 1"
        analysis = [motion(rng, 0.5, 0.0005, IMPLICIT)]
    nodes = {"root": {"position": [0, 0, 0], "fixed": True}, "tip": {"position": [length, 0, 0]}}
    return deck(f"cantilever, {kind}", nodes=nodes, sections={"s": profile}, beams={"b": beam}, forces={"load": load},
                analysis=analysis)


def frame(rng):
    """A portal of two columns and a beam, some with hinges at the feet: weight, modes, a shaken foundation."""
    profile, height, width = section(rng), rng.uniform(1, 3), rng.uniform(1, 4)
    order = rng.randint(1, 4)
    corners = {"a": [0, 0, 0], "b": [0, 0, height], "c": [width, 0, height], "d": [width, 0, 0]}
    nodes = {name: {"position": at} for name, at in corners.items()}
    beams = {}
    for name, (p, q) in {"left": "ab", "top": "bc", "right": "cd"}.items():
        beams[name] = {"section": "s", "from": p, "to": q, "elements": max(2, 8 // order), "order": order,
                       "orientation": [0, 1, 0]}
    entries = {"sections": {"s": profile}, "beams": beams, "gravity": [0, 0, -9.81]}
    nodes["a"]["fixed"] = True
    joints = {}
    kind = rng.choice(("static", "modal", "shaken", "blown"))
    if kind == "shaken":
        del nodes["a"]["fixed"]
        drive = smooth_drive(rng, 0.02)
        for foot in "ad":
            joints[foot] = {"type": "motion", "connects": ["ground", foot], "at": corners[foot],
                            "motion": {"x": drive, "y": 0, "z": 0, "rx": 0, "ry": 0, "rz": 0}}
    elif rng.random() < 0.5:
        joints["d"] = {"type": "revolute", "connects": ["ground", "d"], "at": corners["d"], "axis": [0, 1, 0]}
    else:
        nodes["d"]["fixed"] = True
    push = {"type": "load", "node": "b", "force": [0.02 * stiffness_of(profile) / height**2, 0, 0]}
    if kind == "blown":
        push["history"] = pulse(rng, 0.5, 0.0005)
    entries["forces"] = {"push": push}
    analysis = [{"type": "static"}]
    if kind == "modal":
        analysis.append({"type": "modal", "modes": 8})
    elif kind in ("shaken", "blown"):
        analysis = [transient(rng.choice(IMPLICIT), 0.5, 0.0005, rho_infinity=rng.choice((0.6, 0.8, 0.9)))]
        entries["gravity"] = [0, 0, 0]
    return deck(f"frame, {kind}", nodes=nodes, **entries, **({"joints": joints} if joints else {}), analysis=analysis)


def blade(rng):
    """A blade on a hub: in the frame that turns, its equilibrium and modes; or run up smoothly."""
    length, order, profile = rng.uniform(1, 5), rng.randint(1, 4), section(rng)
    speed, hub = rng.uniform(1, 10), rng.uniform(0.05, 0.3)
    beam = {"section": "s", "from": "root", "to": "tip", "elements": max(3, 12 // order), "order": order,
            "orientation": [0, 0, 1]}
    nodes = {"root": {"position": [hub, 0, 0], "fixed": True}, "tip": {"position": [hub + length, 0, 0]}}
    entries = {"sections": {"s": profile}, "beams": {"blade": beam}}
    if rng.random() < 0.5:
        turning = {"axis": [0, 0, 1], "speed": speed}
        analysis = [{"type": "static", "rotation": turning}, {"type": "modal", "modes": 6, "rotation": turning}]
        return deck("blade, modes", nodes=nodes, **entries, analysis=analysis)
    del nodes["root"]["fixed"]
    rise = f"={speed!r}*(t < 1 ? (t^2/2 + (cos(2*pi*t) - 1)/(2*pi)^2) : t - 0.5)"
    entries["joints"] = {"hub": {"type": "revolute", "connects": ["ground", "root"], "at": [0, 0, 0], "axis": [0, 0, 1],
                                 "rotation": rise}}
    analysis = motion(rng, 1.5, 0.001, IMPLICIT)
    return deck("blade, run up", nodes=nodes, **entries, analysis=analysis)


def flexible_pendulum(rng):
    """A beam that swings on a hinge with a body at its end, or a crank that drives a flexible rod."""
    profile, length = section(rng), rng.uniform(0.5, 1.5)
    order = rng.randint(1, 3)
    nodes = {"top": {"position": [0, 0, 0]}, "end": {"position": [length, 0, 0]}}
    beams = {"rod": {"section": "s", "from": "top", "to": "end", "elements": max(2, 6 // order), "order": order,
                     "orientation": [0, 0, 1]}}
    bodies = {"bob": {"type": "rigid_body", "node": "end", "mass": rng.uniform(0.5, 5), "inertia": [0.02, 0.02, 0.02]}}
    joints = {"pin": {"type": rng.choice(("revolute", "spherical")), "connects": ["ground", "top"], "at": [0, 0, 0]}}
    if joints["pin"]["type"] == "revolute":
        joints["pin"]["axis"] = [0, 1, 0]
    analysis = motion(rng, 1.0, 0.001, IMPLICIT)
    analysis["integrator"]["rho_infinity"] = rng.choice((0.6, 0.8, 0.9))
    return deck("flexible pendulum", gravity=[0, 0, -9.81], nodes=nodes, sections={"s": profile}, beams=beams,
                bodies=bodies, joints=joints, analysis=analysis)


FAMILIES = {"tree": (tree, 45), "springs": (spring_tree, 25), "driven": (driven_tree, 25), "spinning": (spinning, 15),
            "loop": (loop, 30), "cantilever": (cantilever, 30), "frame": (frame, 20), "blade": (blade, 15),
            "flexible": (flexible_pendulum, 15)}


# -- runs ----------------------------------------------------------------------------------------------------------

def binary():
    return os.environ.get("POLHODE_BINARY", str(ROOT / "build" / "release" / "polhode"))


def trouble(path, folder):
    """What a run says that a healthy model must not make it say: lines, empty where all is well."""
    command = [binary(), "run", str(path), "--strict", "--force", "-o", str(folder / "run.h5")]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    except subprocess.TimeoutExpired:
        return ["no end after 300 s"]
    lines = [line for line in done.stderr.splitlines() if "warning" in line and "--strict" not in line]
    announced = ANNOUNCED.get(path.stem, ())
    unexpected = [line for line in lines if not any(word in line for word in announced)]
    if done.returncode != 0 and (unexpected or not (lines and done.returncode == 3)):
        unexpected.append(f"exit status {done.returncode}")
        unexpected += [line for line in done.stderr.splitlines() if line.startswith("error") and "--strict" not in line]
    return unexpected


def random_decks(seed, folder):
    for family, (make, count) in FAMILIES.items():
        for k in range(count):
            path = folder / f"{family}_{k}.yaml"
            path.write_text(json.dumps(make(random.Random(f"{seed} {family} {k}")), indent=1))
            yield path


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="", help="decks whose names contain this")
    parser.add_argument("--keep", type=pathlib.Path, help="folder for the decks; default: one that is removed")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        folder = options.keep or pathlib.Path(made)
        folder.mkdir(parents=True, exist_ok=True)
        shipped = [p for group in ("benchmarks", "examples") for p in sorted((ROOT / "inputs" / group).glob("*.yaml"))]
        counts, alarms = collections.Counter(), 0
        for path in [*random_decks(options.seed, folder), *shipped]:
            if options.only not in path.stem:
                continue
            counts["shipped" if path in shipped else path.stem.rsplit("_", 1)[0]] += 1
            lines = trouble(path, pathlib.Path(made))
            alarms += bool(lines)
            for line in lines:
                print(f"{path.name}: {line}", flush=True)
        families = ", ".join(f"{count} {name}" for name, count in counts.items())
        print(f"{sum(counts.values())} models ({families}): {alarms} with alarms")
    return 1 if alarms else 0


if __name__ == "__main__":
    sys.exit(main())
