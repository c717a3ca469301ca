# SPDX-License-Identifier: BSD-3-Clause
"""Numbers of the page on the right-angle cantilever beam."""
import numpy as np

from common import METHODS, Table, is_order, largest, put_orders
from page import Numbers
from runs import mean_solves, node_history, slope

STEPS = [0.1, 0.05, 0.025, 0.0125]
ELEMENTS = [10, 20, 40, 80]
TIP = "tip_x tip_y tip_z"


def tip(results):
    return node_history(results, "tip")


def numbers(runs):
    deck, interval = "right_angle_beam", 0.2
    full = {method: runs.method(deck, method) for method in METHODS}
    fine = {method: [runs.grid(deck, method, h, 10.0, interval) for h in STEPS] for method in METHODS}
    exact = runs.grid(deck, "lie_alpha", 7.8125e-4, 10.0, interval)
    meshes = [runs.grid(deck, "lie_alpha", 0.005, 10.0, interval, beams__column__elements=elements // 2,
                        beams__arm__elements=elements // 2) for elements in ELEMENTS]
    yield
    n, lie = Numbers(), full["lie_alpha"].result()
    for method, run in full.items():
        results = run.result()
        energy = results.history("/energy/total")[results.time >= 2 - 1e-9]
        n.put("solves." + method, mean_solves(results))
        n.put("apart." + method, largest(tip(results) - tip(lie)))
        n.put("energy." + method, 100 * (energy[-1] / energy[0] - 1))
        n.put("swing." + method, 100 * np.abs(energy / energy[0] - 1).max())
        put_orders(n, "tip." + method, STEPS, [largest(tip(run.result()) - tip(exact.result())) for run in fine[method]])
    n.put("low", tip(lie)[:, 2].min())
    n.put("high", tip(lie)[:, 2].max())
    n.put("ratio", 100 * max(abs(n[f"tip.ul_crv.{i}"] / n[f"tip.lie_alpha.{i}"] - 1) for i in range(len(STEPS))))
    n.put("multipliers", sum(lie.has(f"/joints/{name}/multipliers") for name in lie.names("joints")))
    n.put("rho", (1 - 0.05) / (1 + 0.05))
    discrete = Table("right_angle_beam_10el_h0.2_lie_alpha.csv").columns(TIP)
    n.put("discrete", largest(tip(lie)[1:len(discrete) + 1] - discrete))
    converged = Table("right_angle_beam_converged.csv").columns(TIP)[:50]
    errors = [largest(tip(run.result())[1:] - converged) for run in meshes]
    n.put("mesh", errors)
    n.put("mesh.order", slope([1 / elements for elements in ELEMENTS[1:]], errors[1:]))

    n.holds("s.solves", abs(n["solves.lie_alpha"] - n["solves.ul_crv"]) < 0.05 and
            abs(n["solves.lie_alpha"] - 3.83) < 0.06 and abs(n["solves.ul_crv"] - 3.77) < 0.06)
    n.holds("s.agree", n["apart.ul_crv"] < 0.1)
    n.holds("s.large", n["high"] - n["low"] > 10)
    n.holds("s.energy", all(n["swing." + method] < 1 for method in METHODS))
    n.holds("s.order", all(is_order(n, "tip." + method, 2, 0.1) for method in METHODS))
    n.holds("s.similar", n["ratio"] < 5)
    n.holds("s.rho", abs(n["rho"] - 0.905) < 5e-4)
    n.holds("s.ode", n["multipliers"] == 0)
    yield n
