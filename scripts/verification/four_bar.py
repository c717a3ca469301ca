# SPDX-License-Identifier: BSD-3-Clause
"""Numbers of the page on the four-bar mechanism with a misaligned hinge."""
import pathlib
import re
import subprocess

import numpy as np

from common import METHODS, Table, is_order, largest, put_orders
from page import Numbers
from runs import PROGRAM, RunError, mean_solves, node_history

STEPS = [0.01, 0.005, 0.0025, 0.00125]
SHARP = {"analysis__newton__constraint_tolerance": "1.0e-12"}
RIGID = """format: polhode-deck/1
constraints: {{redundant: resolve}}
parameters: {{tilt: "={tilt}*pi/180"}}
nodes: {{AB: {{position: [0, 0.06, 0]}}, BC: {{position: [0.12, 0.12, 0]}}, CD: {{position: [0.24, 0.06, 0]}}}}
bodies:
  AB: {{type: rigid_body, node: AB, mass: 1, inertia: [1.0e-3, 1.0e-3, 1.0e-3]}}
  BC: {{type: rigid_body, node: BC, mass: 1, inertia: [1.0e-3, 1.0e-3, 1.0e-3]}}
  CD: {{type: rigid_body, node: CD, mass: 1, inertia: [1.0e-3, 1.0e-3, 1.0e-3]}}
joints:
  A: {{type: revolute, connects: [ground, AB], at: [0, 0, 0], axis: [0, 0, 1]}}
  B: {{type: revolute, connects: [AB, BC], at: [0, 0.12, 0], axis: [0, 0, 1]}}
  C: {{type: revolute, connects: [BC, CD], at: [0.24, 0.12, 0], axis: ["=sin(tilt)", 0, "=cos(tilt)"]}}
  D: {{type: revolute, connects: [CD, ground], at: [0.24, 0, 0], axis: [0, 0, 1]}}
analysis: {{type: transient, duration: 1, step: 0.1}}
"""


def rigid_freedom(folder, tilt):
    """Degrees of freedom, as polhode check counts them, of the mechanism with rigid bars."""
    deck = pathlib.Path(folder, f"rigid_{tilt}.yaml")
    deck.write_text(RIGID.format(tilt=tilt))
    done = subprocess.run([PROGRAM, "check", deck], capture_output=True, text=True, check=False)
    found = re.search(r"degrees of freedom +(\d+)", done.stdout)
    if not found:
        raise RunError(f"polhode check of the rigid four-bar: {done.stderr}")
    return int(found[1])


def force(results):
    return results.history("/joints/motor/force")


def numbers(runs):
    deck, interval = "four_bar", 0.02
    full = {method: runs.method(deck, method) for method in METHODS}
    fine = {method: [runs.grid(deck, method, h, 2.0, interval, **SHARP) for h in STEPS] for method in METHODS}
    yield
    n, lie = Numbers(), full["lie_alpha"].result()
    converged = Table("four_bar_converged.csv")
    C, F = converged.columns("Cx Cy Cz"), converged.columns("FAx FAy FAz")
    for method, run in full.items():
        results = run.result()
        n.put("solves." + method, mean_solves(results))
        n.put("short." + method, np.mean(results.steps("newton_iterations")[:100]))
        n.put("C." + method, largest(node_history(results, "C_bc") - node_history(lie, "C_bc")))
        n.put("F." + method, largest(force(results) - force(lie)))
        put_orders(n, "error.C." + method, STEPS,
                   [largest(node_history(run.result(), "C_bc")[1:] - C) for run in fine[method]])
        put_orders(n, "error.F." + method, STEPS, [largest(force(run.result())[1:] - F) for run in fine[method]])
    swing = lie.history("/joints/hinge_D/coordinates")[:, 0]
    n.put("AB", lie.history("/joints/motor/coordinates")[-1, 0])
    n.put("low", swing.min())
    n.put("high", swing.max())
    n.put("turns", int(np.sum(np.diff(swing)[:-1] * np.diff(swing)[1:] < 0)))
    place = node_history(lie, "C_bc")
    n.put("out", 1e3 * np.abs(place[:, 2]).max())
    # In the plane: how far C leaves the circle about D on which a rigid bar would hold it.
    n.put("in", 1e3 * np.abs(np.hypot(place[:, 0] - 0.24, place[:, 1]) - 0.12).max())
    n.put("peak", 1e-3 * np.linalg.norm(force(lie), axis=1).max())
    discrete = Table("four_bar_h0.02_lie_alpha.csv")
    rows = len(discrete.values) + 1
    n.put("discrete.C", largest(place[1:rows] - discrete.columns("Cx Cy Cz")))
    n.put("discrete.F", largest(force(lie)[1:rows] - discrete.columns("FAx FAy FAz")))
    n.put("rigid", [rigid_freedom(runs.folder, tilt) for tilt in (0, 5)])

    n.holds("s.rigid", n["rigid.0"] == 1 and n["rigid.1"] == 0)
    n.holds("s.solves", abs(n["solves.lie_alpha"] - 3.05) < 0.03 and abs(n["solves.ul_crv"] - 3.06) < 0.03)
    n.holds("s.swings", n["AB"] < -40 and n["high"] - n["low"] < np.pi and n["turns"] > 10)
    n.holds("s.spatial", n["out"] > 1 and n["in"] > 1)
    n.holds("s.agree", n["C.ul_crv"] < 1e-6 and n["F.ul_crv"] < 1)
    n.holds("s.order", all(is_order(n, f"error.{what}.{method}", 2, 0.1) for what in "CF" for method in METHODS))
    yield n
