# SPDX-License-Identifier: BSD-3-Clause
"""Numbers of the page on equilibria and modes: errors over the number of elements, limit loads."""
import numpy as np

from page import Numbers
from runs import slope

# Elements of low order do not get through with EA/EI = 1e10; 1e7 leaves strains of 1e-6.
SOFTER = {"sections__strip__stiffness": "{EA: 1.0e+7, GAy: 1.0e+7, GAz: 1.0e+7, GJ: 1, EIy: 1, EIz: 1}"}
# name, deck, settings for orders below 4, reference of the tip [m] (None: of the middle, on the circle), meshes by order
BENDS = [
    ("elastica", "elastica", SOFTER, (1 - 0.5549955977538, -0.8106090248803, 0), {1: (8, 16, 32), 2: (4, 8, 16)}),
    ("princeton", "princeton_beam", {}, (0.508 - 0.014411824833, -0.008979196723, 0.109113115255),
     {1: (8, 16, 32), 2: (2, 4, 8), 4: (1, 2)}),
    ("bend", "bend_45_degrees", {}, (15.6848005, 47.1504386, 53.4748588), {1: (8, 16, 32), 2: (4, 8, 16), 4: (1, 2, 3)}),
    ("roll_up", "roll_up", {}, None, {1: (10, 20, 40), 2: (4, 8, 16), 4: (4, 6, 8)}),
]
CANTILEVER = np.array([3.516015269, 22.03449156, 61.69721441, 120.9019161, 199.8595301, 298.5555310])
MODE_MESHES = {1: (16, 32, 64), 2: (8, 16, 32), 4: (4, 6, 8)}
ROTATING = {3: (4.797278532, 23.32026367, 62.98496748), 6: (7.360373019, 26.80908168, 66.68391438),
            12: (13.17015049, 37.60311233, 79.61447849)}


def along_z(results, count):
    """The lowest angular frequencies of motions along z."""
    modal = results.file["/modal"]
    rates = [2 * np.pi * f for f, text in zip(modal["frequencies"][()], modal["text"][()])
             if text.decode().endswith("along [0, 0, 1]")]
    return np.array(rates[:count])


def place(results, node):
    return results.file["/nodes/position"][-1, results.node_names.index(node)]


def numbers(runs):
    bends = {}
    for name, deck, settings, _, meshes in BENDS:
        for order, counts in meshes.items():
            bends[name, order] = [runs.start(deck, beams__arm__order=order, beams__arm__elements=n, responses="{}",
                                             **(settings if order < 4 else {}))
                                  for n in counts]
    modes = {order: [runs.start("cantilever_modes", beams__arm__order=order, beams__arm__elements=n,
                                analysis__band="[0, 90]") for n in counts]
             for order, counts in MODE_MESHES.items()}
    rotating = {speed: runs.start("rotating_cantilever", parameters__Omega=speed, analysis__1__modes=8)
                for speed in ROTATING}
    truss, lee = runs.start("shallow_truss"), runs.start("lee_frame")
    fine = runs.start("lee_frame", beams__column__elements=8, beams__left__elements=2, beams__right__elements=7)
    yield
    n = Numbers()
    good = True
    for name, _, _, tip, meshes in BENDS:
        for order, counts in meshes.items():
            errors = []
            for count, run in zip(counts, bends[name, order]):
                # The node in the middle of a whole circle of 10 m stands opposite to the clamp.
                node, exact = ("tip", tip) if tip else (f"arm.{count * order // 2}", (0, 10 / np.pi, 0))
                errors.append(np.linalg.norm(place(run.result(), node) - exact))
            n.put(f"{name}.{order}", errors)
            n.put(f"{name}.{order}.order", -slope(counts, errors))
            good &= n[f"{name}.{order}.order"] > 2 * order - 0.6
    n.holds("s.bends", good)
    good = True
    for order, counts in MODE_MESHES.items():
        found = np.array([along_z(run.result(), 6) for run in modes[order]])
        errors = np.abs(found / CANTILEVER - 1)
        n.put(f"modes.{order}", errors[:, 0])
        n.put(f"third.{order}", errors[:, 2])
        n.put(f"third.{order}.order", -slope(counts, errors[:, 2]))
        good &= order == 4 or n[f"third.{order}.order"] > 2 * order - 0.25
    n.put("six", errors[-1])
    n.holds("s.modes", good and errors[-1].max() < 1e-4)
    for speed, exact in ROTATING.items():
        found = along_z(rotating[speed].result(), 3)
        n.put(f"rotating.{speed}", found)
        n.put(f"rotating.{speed}.error", np.abs(found / exact - 1))
    n.holds("s.rotating", all(n[f"rotating.{speed}.error.{i}"] < 1e-3 for speed in ROTATING for i in range(3)))
    l0 = np.hypot(1, 0.2)
    limit = 2 * (l0 / np.cbrt(l0) - 1) * np.sqrt(np.cbrt(l0) ** 2 - 1) / 0.004
    loads = [truss.result().history("/static/load_factor")[truss.result().history("/static/limit_point") > 0],
             *(2 * r.result().history("/static/load_factor")[r.result().history("/static/limit_point") > 0]
               for r in (lee, fine))]
    n.put("truss", loads[0])
    n.put("truss.exact", limit)
    n.put("truss.error", np.abs(loads[0] / (limit * np.array([1, -1])) - 1))
    n.put("lee", loads[1])
    n.put("lee.fine", loads[2])
    n.holds("s.limits", all(n[f"truss.error.{i}"] < 1e-8 for i in (0, 1)) and
            np.abs(loads[1] / loads[2] - 1).max() < 1e-3)
    yield n
