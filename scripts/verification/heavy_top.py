# SPDX-License-Identifier: BSD-3-Clause
"""Numbers of the page on the heavy top."""
import numpy as np

from common import ALL_METHODS, METHODS, Table, is_order, largest, put_orders
from motion import angles_between, rotation_matrices
from page import Numbers
from runs import mean_solves, node_history

STEPS = [1e-3, 5e-4, 2e-4, 1e-4]


def rotations(results):
    return rotation_matrices(node_history(results, "centre", "rotation"))


def errors(results, exact):
    x = node_history(results, "centre")
    v = np.hstack([node_history(results, "centre", "velocity"), node_history(results, "centre", "angular_velocity")])
    R, R_exact = rotations(results), exact.columns("R11 R12 R13 R21 R22 R23 R31 R32 R33").reshape(-1, 3, 3)
    e_x = x - exact.columns("x1 x2 x3")
    e_lambda = results.history("/joints/pivot/multipliers") - exact.columns("lam1 lam2 lam3")
    return {"x": largest(e_x), "R": angles_between(R, R_exact).max(), "v": largest(v - exact.columns("u1 u2 u3 Om1 Om2 Om3")),
            "lambda": largest(e_lambda, 50), "end": np.linalg.norm(e_x[-1]),
            "relation": largest(e_x - (R - R_exact)[:, :, 1])}


def numbers(runs):
    full = {method: runs.method("heavy_top", method) for method in ALL_METHODS}
    fine = {method: [runs.grid("heavy_top", method, h, 1.0, 0.01) for h in STEPS] for method in ALL_METHODS}
    discrete = runs.grid("heavy_top", "lie_alpha", 0.002, 0.5, 0.01)
    large = {method: runs.grid("heavy_top", method, 0.004, 2.0, 0.004, may_fail=True, analysis__newton__halvings=0)
             for method in ALL_METHODS}
    small = runs.method("heavy_top", "lie_alpha", analysis__step="1.0e-6", analysis__duration="2.0e-4")
    yield
    n = Numbers()
    for method, run in full.items():
        results = run.result()
        energy, alternating = results.history("/energy/total"), results.history("/joints/pivot/multipliers")[:, 0]
        alternating = 0.25 * np.abs(alternating[2:] - 2 * alternating[1:-1] + alternating[:-2])
        rise = energy[50::50] - energy[:-50:50]
        n.put("solves." + method, mean_solves(results))
        n.put("energy." + method, energy[-1] - energy[0])
        n.put("rise." + method, rise.min())
        n.put("alternating." + method, alternating.max())
        n.put("settled." + method, alternating[250:].max())
    lie = full["lie_alpha"].result()
    n.put("energy.start", lie.history("/energy/total")[0])
    n.put("spin", np.abs(node_history(lie, "centre", "angular_velocity")[:, 1] - 150).max())
    n.put("constraint", lie.steps("constraint_residual").max())

    exact = Table("heavy_top_exact.csv")
    for method, series in fine.items():
        found = [errors(run.result(), exact) for run in series]
        for what in ("x", "R", "v", "lambda"):
            values = [e[what] for e in found]
            put_orders(n, f"{what}.{method}", STEPS, values)
            put_orders(n, f"{what}.last.{method}", STEPS[2:], values[2:])
        n.put("relation." + method, max(e["relation"] for e in found))
        n.put("end." + method, found[-1]["end"])
    table, run = Table("heavy_top_h0.002_lie_alpha.csv"), discrete.result()
    n.put("discrete.x", largest(node_history(run, "centre")[1:] - table.columns("x1 x2 x3")))
    n.put("discrete.lambda", largest(run.history("/joints/pivot/multipliers")[1:] - table.columns("lam1 lam2 lam3")))
    for method, run in large.items():
        n.put("stops." + method, run.result().time[-1])
    n.put("small.solves", mean_solves(small.result()))

    n.holds("s.solves", all(abs(n["solves." + m] - 3) < 0.05 for m in ALL_METHODS))
    n.holds("s.oscillates", all(n["alternating." + m] > 10 and n["settled." + m] < 1 for m in METHODS))
    n.holds("s.drift", abs(n["energy.lie_alpha"]) < 0.01 * abs(n["energy.ul_crv"]))
    n.holds("s.rises", n["rise.ul_crv"] > 0)
    n.holds("s.vector", abs(n["energy.ul_rotation_vector"]) < 0.05 * n["energy.ul_crv"])
    n.holds("s.order", is_order(n, "x.lie_alpha", 2, 0.02) and is_order(n, "lambda.lie_alpha", 2, 0.02))
    n.holds("s.related", n["relation.lie_alpha"] < 1e-8 and is_order(n, "R.lie_alpha", 2, 0.02))
    yield n
