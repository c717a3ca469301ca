# SPDX-License-Identifier: BSD-3-Clause
"""Balances a pole on a cart by a controller in Python, and draws what happened.

    PYTHONPATH=build/python/python python3 docs/examples/python/cart_and_pole.py [cart_and_pole.png]

The deck has the machine and its sensors; its motor takes an external signal. The gains come from a linear model of the
deck with the pole upright and SciPy's solution of the Riccati equation.
"""
import pathlib
import sys

import numpy
import polhode
from scipy.linalg import solve_continuous_are

DECK = pathlib.Path(__file__).resolve().parents[3] / "inputs/examples/cart_and_pole_held.yaml"
SENSORS = ["x", "phi", "v", "omega"]
MEASURED = ["joints.rail.coordinates", "joints.pin.coordinates", "nodes.cart.velocity.x",
            "nodes.bob.angular_velocity.y"]


def gains():
    """Of the regulator with the weights of the deck, by sensor: N/m, N/rad, N s/m, N s/rad."""
    upright = polhode.Simulation(DECK)
    upright.set("nodes.bob.position", [0, 0, 1])
    upright.set("signals.force", {"type": "external"})
    model = upright.linearize(["joints.rail.motor"], MEASURED)
    weights = model.C.T @ numpy.diag([10, 100, 1, 1]) @ model.C
    cost = solve_continuous_are(model.A, model.B, weights, [[0.1]])
    by_state = (model.B.T @ cost / 0.1)[0]
    return -numpy.linalg.solve(model.C.T, by_state)


def balance(gain):
    """Times and the sensors, with the force behind them: an array of five columns."""
    cart = polhode.Simulation(DECK)
    cart.set("signals.force", {"type": "external"})
    signals, rows = cart.signals, []
    goes_on = cart.start()
    while goes_on:
        measured = [signals[name] for name in SENSORS]
        signals["force"] = gain @ measured
        rows.append([cart.time, *measured, signals["force"]])
        goes_on = cart.step()
    return numpy.array(rows)


def draw(rows, file):
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
    figure, axes = pyplot.subplots(3, 1, sharex=True, figsize=(7, 5.5), constrained_layout=True)
    for axis, column, label in zip(axes, (1, 2, 5), ("cart, m", "lean, rad", "force, N")):
        axis.plot(rows[:, 0], rows[:, column], linewidth=1.2)
        axis.set_ylabel(label)
        axis.axhline(0, color="0.7", linewidth=0.6, zorder=0)
    axes[-1].set_xlabel("time, s")
    axes[0].set_title("Cart and pole, balanced from Python; pushed at 5 s", fontsize=10)
    figure.savefig(file, dpi=120)


if __name__ == "__main__":
    found = gains()
    print("gains:", numpy.round(found, 3))
    history = balance(found)
    print(f"lean at t = {history[-1, 0]:g} s: {history[-1, 2]:.2g} rad")
    if len(sys.argv) > 1:
        draw(history, sys.argv[1])
