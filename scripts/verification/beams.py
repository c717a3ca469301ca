# SPDX-License-Identifier: BSD-3-Clause
"""Numbers of the page on published beams: equilibria, motions, blades, and what sections with kinks do to the order."""
import numpy as np

import yaml

from page import Numbers
from runs import ROOT, slope

COMPOSITE = np.array([-0.090272662757, -0.064748848626, 1.229736482924])
TWISTED = np.array([-1.141525999541, -1.718053346464, -3.593213240271])
STRUCK = np.array([0.76837, 2.05349, 1.10647, 0.27881, 0.54136])
STRUCK_TIMES = ("50_ms", "100_ms", "200_ms", "500_ms", "1_s")
IEA = np.array([3.2152, 6.2795, 17.6682, 25.1901])
IEA_TIMES = (0.05, 0.1, 0.5, 1)
NREL = np.array([-0.0461, -0.327, -0.879])
KINKED = {2: (2, 4, 8, 16, 32, 64), 4: (1, 2, 4, 8, 16, 32), 8: (1, 2, 4, 8, 16)}


def last(results, node):
    return results.file["/nodes/position"][-1, results.node_names.index(node)]


def twist_of(sign):
    """Of the blade of inputs/examples/blade_tip_load.yaml, times a sign."""
    deck = yaml.safe_load((ROOT / "inputs/examples/blade_tip_load.yaml").read_text())
    return str([sign * angle for angle in deck["beams"]["blade"]["twist"]])


def start_iea(runs, sign, elements, order, integration, step, rho):
    """That blade under 200 kN at once, without damping."""
    return runs.start("../examples/blade_tip_load", beams__blade__elements=elements, beams__blade__order=order,
                      beams__blade__integration=integration, beams__blade__twist=twist_of(sign), parameters__tau=0,
                      forces__pull__force="[2.0e+5, 0, 0]", forces__pull__history=1, output__every=1, responses="{}",
                      analysis=f"{{type: transient, duration: 1, step: {step}, integrator: {{rho_infinity: {rho}}}}}")


def tip_at(results, times, component):
    x = results.file["/nodes/position"][:, results.node_names.index("tip"), component]
    return np.array([x[np.argmin(np.abs(results.time - t))] - x[0] for t in times])


def numbers(runs):
    composite, twisted, helix = (runs.start(d) for d in ("composite_cantilever", "twisted_cantilever", "helix"))
    rings = [runs.start("elastic_ring", parameters__turns=turns) for turns in (1, 2)]
    frames = {load: runs.start("right_angle_frame", parameters__P=load, analysis="[{type: static}, {type: modal, modes: 1}]")
              for load in (1.087, 1.0885)}
    struck = runs.start("composite_cantilever_struck")
    struck_fine = runs.start("composite_cantilever_struck", beams__box__elements=24)
    struck_coarse = runs.start("composite_cantilever_struck", beams__box__elements=1,
                               analysis="{type: transient, duration: 1, step: 0.005, integrator: {rho_infinity: 0}}")
    iea = {name: start_iea(runs, sign, elements, order, rule, step, rho) for name, (sign, elements, order, rule, step, rho) in
           {"file": (-1, 12, 4, "reduced", "0.001", "0.4"), "file_fine": (-1, 26, 4, "stations", "0.0005", "0.8"),
            "deck": (1, 12, 4, "reduced", "0.001", "0.4"), "deck_fine": (1, 26, 4, "stations", "0.0005", "0.8"),
            "one": (-1, 1, 8, "reduced", "0.001", "0.4"), "seen": (-1, 1, 8, "stations", "0.001", "0.4")}.items()}
    modes = {sign: runs.start("../examples/blade_tip_load", beams__blade__elements=26, parameters__tau=0, forces="{}",
                              beams__blade__twist=twist_of(sign), responses="{}", analysis="{type: modal, modes: 4}")
             for sign in (1, -1)}
    nrel = runs.start("blade_nrel_5mw")
    nrel_fine = runs.start("blade_nrel_5mw", beams__blade__elements=26,
                           analysis="{type: transient, duration: 0.5, step: 0.0005, integrator: {rho_infinity: 0.5}}")
    spaghetti = [runs.start("flying_spaghetti", analysis__step=h) for h in ("0.01", "0.005")]
    kinked = {(rule, order): [runs.start("tapered_cantilever", beams__arm__elements=n, beams__arm__order=order,
                                         beams__arm__integration=rule) for n in counts]
              for order, counts in KINKED.items() for rule in ("reduced", "full", "stations")}
    met = [runs.start("tapered_cantilever", beams__arm__elements=count, beams__arm__order=1) for count in (100, 200)]
    yield
    n = Numbers()
    n.put("composite", np.linalg.norm(last(composite.result(), "tip") - [10, 0, 0] - COMPOSITE))
    n.put("twisted", np.linalg.norm(last(twisted.result(), "tip") - [10, 0, 0] - TWISTED))
    n.holds("s.static", n["composite"] < 1e-10 and n["twisted"] < 1e-9)
    n.put("helix", helix_error(helix.result()))
    for turns, ring in zip((1, 2), rings):
        n.put(f"ring.{turns}", last(ring.result(), "B")[0])
    n.holds("s.ring", abs(n["ring.1"] - 40 / 3) < 1e-8 and abs(n["ring.2"] - 40) < 1e-8 and n["helix"] < 1e-10)
    rates = [frames[load].result().file["/modal/eigenvalues"][0, 0] for load in frames]
    n.holds("s.frame", rates[0] < 1e-6 < rates[1])
    responses = [run.result() for run in (struck, struck_fine, struck_coarse)]
    own, fine, coarse = ([response(r, f"tip_at_{t}") for t in STRUCK_TIMES] for r in responses)
    for name, values in (("own", own), ("fine", fine), ("coarse", coarse)):
        n.put(f"struck.{name}", values)
    n.put("struck.difference", np.abs(np.array(own) - fine).max())
    n.holds("s.struck", np.abs(np.array(own) / STRUCK - 1)[:2].max() < 0.01 and n["struck.difference"] < 1e-4)
    for name, run in iea.items():
        values = tip_at(run.result(), IEA_TIMES, 0)
        n.put(f"iea.{name}", values)
        n.put(f"iea.{name}.error", 100 * (values / IEA - 1))
    n.holds("s.iea", all(abs(n[f"iea.file.error.{i}"]) < bound for i, bound in enumerate((5, 5, 1, 1))))
    for name, sign in (("deck", 1), ("file", -1)):
        n.put(f"modes.{name}", modes[sign].result().file["/modal/frequencies"][:2])
    n.holds("s.modes", all(abs(n[f"modes.deck.{i}"] / f - 1) < 0.003 for i, f in enumerate((0.504, 0.690))))
    n.put("nrel", tip_at(nrel.result(), (0.1, 0.2, 0.5), 1))
    n.put("nrel.fine", tip_at(nrel_fine.result(), (0.1, 0.2, 0.5), 1))
    n.holds("s.nrel", abs(n["nrel.1"] / NREL[1] - 1) < 0.01 and abs(n["nrel.2"] / NREL[2] - 1) < 0.01)
    for name, run in zip(("coarse", "fine"), spaghetti):
        results = run.result()
        flying = results.time >= 5 - 1e-9
        energy = results.file["/energy/total"][()][flying]
        linear = results.file["/invariants/linear_momentum"][()][flying]
        angular = results.file["/invariants/angular_momentum"][()][flying]
        n.put(f"spaghetti.{name}.momentum", np.abs(linear - [50, 0, 0]).max())
        n.put(f"spaghetti.{name}.angular", np.abs(angular - angular[0]).max() / np.linalg.norm(angular[0]))
        n.put(f"spaghetti.{name}.energy", np.ptp(energy) / energy[0])
    n.holds("s.spaghetti", n["spaghetti.coarse.momentum"] < 1e-10 and all(
        n[f"spaghetti.coarse.{what}"] > 3.5 * n[f"spaghetti.fine.{what}"] for what in ("angular", "energy")))
    exact = tapered_exact()
    for (rule, order), started in kinked.items():
        errors = [abs(last(run.result(), "tip")[2] - exact) / exact for run in started]
        n.put(f"kinked.{rule}.{order}", errors)
        n.put(f"kinked.{rule}.{order}.order", -slope(KINKED[order], errors))
    n.put("met", [abs(last(run.result(), "tip")[2] - exact) / exact for run in met])
    n.put("met.order", np.log2(n["met.0"] / n["met.1"]))
    yield n


def response(results, name):
    return float(results.file[f"/responses/{name}"][()])


def helix_error(results):
    """The largest distance of the rod's nodes from the curve of constant bending and twist."""
    radius, height, turn = 10, 50, 4 * np.pi
    c = height / (radius * turn)
    length = np.hypot(1, c) * radius * turn
    axis = np.array([c, 0, 1]) / np.hypot(1, c)
    along = axis[0] * axis
    x = results.file["/nodes/position"][-1]
    beam = results.file["/beams/rod/nodes"][()]
    s = results.file["/nodes/position"][0][beam, 0]
    w = turn / length
    exact = (np.outer(s, along) + np.outer(np.sin(w * s) / w, [1, 0, 0] - along) +
             np.outer((1 - np.cos(w * s)) / w, np.cross(axis, [1, 0, 0])))
    return float(np.linalg.norm(x[beam] - exact, axis=1).max())


def tapered_exact():
    """Deflection of the tip of inputs/benchmarks/tapered_cantilever.yaml by the flexibility along it, small loads."""
    stations, bending = np.array([0, 0.23, 0.41, 0.77, 1]), np.array([1000, 400, 900, 250, 100.])
    points, weights = np.polynomial.legendre.leggauss(30)
    total = 0
    for a, b in zip(stations, stations[1:]):
        s = 0.5 * (a + b) + 0.5 * (b - a) * points
        ei = np.interp(s, stations, bending)
        total += 0.5 * (b - a) * np.sum(weights * (2 * (1 - s)) ** 2 / ei) * 2
        total += 0.5 * (b - a) * np.sum(weights / (40 * ei)) * 2
    return 1e-3 * total
