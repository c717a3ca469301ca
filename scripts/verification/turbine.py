# SPDX-License-Identifier: BSD-3-Clause
"""Numbers of the page on the wind turbine by parts: its weight, the modes of its tower, the edgewise moment of a blade."""
import subprocess

import numpy as np
import scipy.linalg
import yaml

from page import Numbers
from runs import PROGRAM, ROOT

DECK = "../examples/turbine"
FILE = ROOT / "inputs/examples/turbine.yaml"
HEIGHT, YOUNG, POISSON, STEEL = 144.4, 2e11, 0.3, 7850.0
TOWER = {"tower_0": (5, 4.959), "tower_1": (4.6, 4.566), "tower_2": (3.25, 3.226)}  # radii, at stations 0, 0.5, 1
MODES, FIRST = 10, 5  # of the whole; those that are the tower's two lowest in bending each way, and its torsion
SPEED, RAMP, END, STEP = 7.5 * 2 * np.pi / 60, 10.0, 60.0, 0.05  # rad/s, s
TURN = 2 * np.pi / SPEED
EDGEWISE = 0.690  # Hz, of the clamped blade (beams.md)
TRANSIENT = ("{type: transient, duration: %g, step: %g, integrator: {method: lie_alpha, rho_infinity: 0.8}, "
             "newton: {criterion: increment, relative: 1.0e-8, absolute: 1.0e-10}}")
STILL = {f"instances__{blade}__parameters__pitch": 0 for blade in ("blade_1", "blade_2", "blade_3")} | {"responses": "{}"}


def section(outer, inner):
    """EA [N], EI and GJ [N m^2], mass [kg/m] and rotary inertia about y or z [kg m] of a tube."""
    area, second = np.pi * (outer**2 - inner**2), np.pi / 4 * (outer**4 - inner**4)
    return np.array([YOUNG * area, YOUNG * second, YOUNG / (1 + POISSON) * second, STEEL * area, STEEL * second])


def slender_tower():
    """Settings: the tower without what Euler and Bernoulli neglect, shear and rotary inertia."""
    settings = {"beams__tower__elements": 10}
    for name, radii in TOWER.items():
        ea, ei, gj, mass, rotary = section(*radii)
        settings[f"sections__{name}"] = (
            f"{{stiffness: {{EA: {ea}, GAy: {1e4 * ea}, GAz: {1e4 * ea}, GJ: {gj}, EIy: {ei}, EIz: {ei}}}, "
            f"mass: {{per_length: {mass}, inertia: [{2 * rotary}, {rotary / 1e3}, {rotary / 1e3}]}}}}")
    return settings


def rigid_blades():
    """Settings: blades a million times as stiff."""
    sections = yaml.safe_load(FILE.read_text())["parts"]["blade"]["sections"]
    for one in sections.values():
        one["stiffness"] = (1e6 * np.array(one["stiffness"])).tolist()
    return {"parts__blade__sections": yaml.safe_dump(sections, default_flow_style=True, width=10**9).strip()}


def tilde(a):
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def masses():
    """Name: mass [kg], center [m], inertia about it [kg m^2], as `polhode check` prints them."""
    out = subprocess.run([PROGRAM, "check", str(FILE)], capture_output=True, text=True, check=True).stdout
    found = {}
    for line in out.splitlines():
        name, *values = line.replace(",", " ").split() or [""]
        if name.startswith(("bodies.", "beams.")):
            mass, x, y, z, xx, yy, zz, xy, xz, yz = map(float, values)
            found[name] = mass, np.array([x, y, z]), np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    return found


def mass_on_top():
    """[6, 6] mass matrix of nacelle, hub and rigid blades, for translation and rotation of the tower's top."""
    matrix = np.zeros((6, 6))
    for name, (mass, center, inertia) in masses().items():
        if name != "beams.tower":
            r = tilde(center - [0, 0, HEIGHT])
            matrix += np.block([[mass * np.eye(3), -mass * r], [mass * r, inertia - mass * r @ r]])
    return matrix


def euler_bernoulli(count=200):
    """The lowest frequencies [Hz] of the tower: cubic elements in bending, linear ones along and about the axis, section
    properties of their middle, linear between stations, and a rigid body on top."""
    stations = np.array([section(*radii) for radii in TOWER.values()])
    length = HEIGHT / count
    K, M = np.zeros((2, 6 * count + 6, 6 * count + 6))
    linear, mean = np.array([[1, -1], [-1, 1]]) / length, np.array([[2, 1], [1, 2]]) * length / 6
    a, b = length, length**2
    bend = np.array([[12, 6 * a, -12, 6 * a], [6 * a, 4 * b, -6 * a, 2 * b],
                     [-12, -6 * a, 12, -6 * a], [6 * a, 2 * b, -6 * a, 4 * b]]) / length**3
    carry = np.array([[156, 22 * a, 54, -13 * a], [22 * a, 4 * b, 13 * a, -3 * b],
                      [54, 13 * a, 156, -22 * a], [-13 * a, -3 * b, -22 * a, 4 * b]]) * length / 420
    for e in range(count):
        ea, ei, gj, mass, rotary = (np.interp((e + 0.5) / count, [0, 0.5, 1], column) for column in stations.T)
        first = 6 * e
        for places, k, m in (([2, 8], ea * linear, mass * mean), ([5, 11], gj * linear, 2 * rotary * mean)):
            at = np.ix_(np.add(places, first), np.add(places, first))
            K[at] += k
            M[at] += m
        for places, sign in (([0, 4, 6, 10], 1), ([1, 3, 7, 9], -1)):  # x' = rotation about y, y' = -rotation about x
            turn = np.diag([1, sign, 1, sign])
            at = np.ix_(np.add(places, first), np.add(places, first))
            K[at] += turn @ (ei * bend) @ turn
            M[at] += turn @ (mass * carry) @ turn
    M[-6:, -6:] += mass_on_top()
    squares = scipy.linalg.eigh(K[6:, 6:], M[6:, 6:], eigvals_only=True, subset_by_index=[0, MODES - 1])
    return np.sqrt(squares) / (2 * np.pi)


def frequencies(results):
    return results.file["/modal/frequencies"][()][:MODES]


def moment(results):
    """The moment in the bearing of blade 1 about the rotor's axis [N m]."""
    return results.history("/joints/blade_1.bearing/moment")[:, 0]


def numbers(runs):
    modal = {**STILL, "gravity": "[0, 0, 0]", "analysis": f"[{{type: modal, modes: {MODES}}}]", **rigid_blades()}
    rest = runs.start(DECK, **STILL, analysis="[{type: static}]")
    modes, slender = runs.start(DECK, **modal), runs.start(DECK, **modal, **slender_tower())
    level = runs.start(DECK, **STILL, analysis="[{type: static}]", joints__shaft__rotation="=pi/2")
    turning = runs.start(DECK, **STILL, analysis=f"[{{type: static}}, {TRANSIENT % (END, STEP)}]",
                         joints__shaft__rotation=f"=t < {RAMP} ? {SPEED}*t*t/{2 * RAMP} : {SPEED}*(t - {RAMP / 2})")
    yield
    n = Numbers()
    weight = sum(mass for mass, _, _ in masses().values()) * 9.81
    n.put("weight", weight / 1e6)
    n.put("weight.error", abs(rest.result().history("/reactions/base/force")[-1, 2] / weight - 1))
    n.holds("s.weight", n["weight.error"] < 1e-5)  # the digits that `check` prints
    exact = euler_bernoulli()
    for name, run in (("modes", modes), ("slender", slender)):
        found = frequencies(run.result())
        n.put(name, found)
        n.put(name + ".off", 100 * (found / exact - 1))
    n.put("exact", exact)
    n.put("modes.worst", max(abs(n[f"modes.off.{k}"]) for k in range(FIRST)))
    n.put("slender.worst", max(abs(n[f"slender.off.{k}"]) for k in range(MODES)))
    n.holds("s.modes", n["modes.worst"] < 3 and n["slender.worst"] < 0.05)
    time, history = turning.result().time, moment(turning.result())
    last = history[time > END - 2 * TURN]
    n.put("static", abs(moment(level.result())[-1]) / 1e6)
    n.put("amplitude", (last.max() - last.min()) / 2e6)
    n.put("ratio", n["amplitude"] / n["static"])
    n.put("expected", 1 / (1 - (1 / TURN / EDGEWISE) ** 2))
    n.put("ratio.off", 100 * (n["ratio"] / n["expected"] - 1))
    n.holds("s.moment", abs(n["ratio.off"]) < 1.5)
    yield n
