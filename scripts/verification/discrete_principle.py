# SPDX-License-Identifier: BSD-3-Clause
"""Numbers and picture of the page on the discrete variational principle: Wendlandt & Marsden (1997), rows with h = 1e-4 s,
figures 4, 9 and 12, the symplectic form, and their eq. (4.16)."""
import tempfile

import numpy as np

import left_lagrangian
from common import put_orders
from lie_groups import HeavyTop, exponential
from motion import rotation_matrices
from page import Numbers
from runs import Runs, node_history
from structure import body, error, error_of_constant, invariant, pendulum, positions

STEPS = (1e-4, 1e-3, 1e-2, 1e-1)
BODY = (6.256e-7, 1.671e-7)               # energy, momentum at 1e-4 s
PENDULUM = (2.329e-7, 6.475e-6, 2.547e-6)  # position, energy, momentum
BODY_ENERGY = {1e-4: (32.999999349, 32.999999359), 1e-3: (32.999937235, 32.999937236)}
PENDULUM_ENERGY = {1e-4: (24.944495109, 24.944499828), 1e-1: (20.910805793, 25.583335766)}

FORM_STEP, MOVE = 2e-3, 2e-3
FORM_METHODS = ("variational", "energy_momentum", "lie_alpha")


def top_of(z):
    """A consistent state of the heavy top: R turned by z[:3] from a general place, Omega changed by 150 rad/s z[3:]."""
    top = HeavyTop()
    R = exponential(np.array([0.3, 0.7, -0.4])) @ exponential(np.array(z[:3]))
    Omega = top.Omega + np.array([2.0, 0, 3.0]) + 150 * np.array(z[3:])
    return R @ top.arm, R, R @ np.cross(Omega, top.arm), Omega


def vector(values):
    return "[" + ", ".join(map(repr, map(float, values))) + "]"


def turned(R):
    """Its rotation vector."""
    angle = np.arccos((np.trace(R) - 1) / 2)
    return angle / (2 * np.sin(angle)) * np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])


def start_step(runs, method, z):
    x, R, u, Omega = top_of(z)
    return runs.start("heavy_top", nodes__centre__position=vector(x), nodes__centre__orientation=f"{{rotation_vector: {vector(turned(R))}}}",
                      nodes__centre__velocity=vector(u), nodes__centre__angular_velocity=vector(Omega),
                      joints__pivot__at="[0, 0, 0]", analysis__duration=repr(FORM_STEP), analysis__step=repr(FORM_STEP),
                      analysis__newton="{relative: 1.0e-12}", analysis__integrator=f"{{method: {method}}}")


def start_steps(runs, method):
    """The step itself, and four along each of six curves."""
    curves = {(k, s): start_step(runs, method, s * MOVE * np.eye(6)[k]) for k in range(6) for s in (-2, -1, 1, 2)}
    return start_step(runs, method, np.zeros(6)), curves


def phase(results, at):
    return (node_history(results, "centre")[at], rotation_matrices(node_history(results, "centre", "rotation"))[at],
            node_history(results, "centre", "velocity")[at], node_history(results, "centre", "angular_velocity")[at])


def form(states, middle):
    """dx^dp + dTheta^dPi + Pi . (dTheta x dTheta) on the six curves: momenta of kg m/s in units of 150 rad/s."""
    mass, J = HeavyTop.mass, HeavyTop.J

    def coordinates(state):
        x, R, u, Omega = state
        S = middle[1].T @ R
        angle = np.array([S[2, 1] - S[1, 2], S[0, 2] - S[2, 0], S[1, 0] - S[0, 1]]) / 2
        size = np.linalg.norm(angle)
        theta = angle if size < 1e-12 else angle * np.arcsin(size) / size
        return np.concatenate([x, theta, mass * u, J @ Omega])

    D = np.array([(8 * (coordinates(states[k, 1]) - coordinates(states[k, -1]))
                   - (coordinates(states[k, 2]) - coordinates(states[k, -2]))) / (12 * MOVE) for k in range(6)]).T
    Pi = J @ middle[3]
    turn = D[3:6]
    return D[:6].T @ D[6:] - D[6:].T @ D[:6] + np.einsum("i,iab->ab", Pi, np.cross(turn[:, :, None], turn[:, None], axis=0))


def put_form(n, method, steps):
    middle, curves = steps[0].result(), {key: run.result() for key, run in steps[1].items()}
    before, after = (form({key: phase(r, at) for key, r in curves.items()}, phase(middle, at)) for at in (0, -1))
    n.put(f"form.{method}", np.linalg.norm(after - before) / np.linalg.norm(before))


def put_tables(n, first, bodies, pendulums, fine):
    standard = invariant(first, "discrete_energy")[1], invariant(first, "discrete_angular_momentum")[1]
    for i, h in enumerate(STEPS):
        energy = invariant(bodies[h], "discrete_energy")[1:]
        n.put(f"body.{i}.energy", {"low": energy.min(), "high": energy.max()})
        energy = invariant(pendulums[h], "discrete_energy")[1:]
        n.put(f"pendulum.{i}.energy", {"low": energy.min(), "high": energy.max(), "mean": energy.mean(),
                                       "swing": np.ptp(energy)})
    n.put("body", [error_of_constant(invariant(bodies[1e-4], "discrete_energy"), standard[0]),
                   error_of_constant(invariant(bodies[1e-4], "discrete_angular_momentum"), standard[1])])
    E, L = invariant(fine, "discrete_energy")[0], invariant(fine, "discrete_angular_momentum")[0, 2]
    run = pendulums[1e-4]
    n.put("pendulum", [error(positions(run), positions(fine)), error_of_constant(invariant(run, "discrete_energy"), E),
                       error_of_constant(invariant(run, "discrete_angular_momentum")[:, 2], L)])
    n.put("pendulum.exact", E)
    n.put("pendulum.momentum", np.ptp(invariant(run, "discrete_angular_momentum")[1:, 2]))
    n.holds("s.tables", all(abs(n[f"{name}.{i}"] / printed - 1) < 0.01
                            for name, row in (("body", BODY), ("pendulum", PENDULUM)) for i, printed in enumerate(row)))
    n.holds("s.body.energy", all(abs(n[f"body.{STEPS.index(h)}.energy.{end}"] - value) < 1e-8
                                 for h, range_ in BODY_ENERGY.items() for end, value in zip(("low", "high"), range_)))
    n.holds("s.pendulum.energy", all(abs(n[f"pendulum.{STEPS.index(h)}.energy.swing"] / (high - low) - 1) < 0.02
                                     for h, (low, high) in PENDULUM_ENERGY.items()))


def rods(results):
    return [results.history(f"/joints/{rod}/multipliers")[:, 0] for rod in ("upper_rod", "lower_rod")]


def put_multipliers(n, pendulums):
    """Correlation of the energy of a step with the multipliers at its middle."""
    for i, h in enumerate(STEPS):
        energy = invariant(pendulums[h], "discrete_energy")[1:]
        n.put(f"follows.{i}", [np.corrcoef(energy, (m[1:] + m[:-1]) / 2)[0, 1] for m in rods(pendulums[h])])
    off = [n["pendulum.exact"] - n[f"pendulum.{i}.energy.mean"] for i in range(4)]
    n.put("level", off)
    n.holds("s.follows", all(n[f"follows.{i}.{k}"] > 0.95 for i in range(4) for k in (0, 1)))
    n.holds("s.level", all(80 < off[i + 1] / off[i] < 115 for i in (1, 2)))
    n.holds("s.swing", all(85 < n[f"pendulum.{i + 1}.energy.swing"] / n[f"pendulum.{i}.energy.swing"] < 115 for i in (0, 1, 2)))


def put_left(n):
    steps = (0.02, 0.01, 0.005)
    put_orders(n, "midpoint", steps, left_lagrangian.errors(steps, 1.0, False))
    put_orders(n, "left", steps, left_lagrangian.errors(steps, 1.0, True))
    n.put("quaternions", left_lagrangian.quaternion_difference())
    n.holds("s.left", abs(n["left.order"] - 1) < 0.05 and abs(n["midpoint.order"] - 2) < 0.05)
    n.holds("s.quaternions", n["quaternions"] < 1e-14)


def start(runs):
    return {"first": body(runs, 1e-5, 1e-5), "bodies": {h: body(runs, h) for h in STEPS},
            "pendulums": {h: pendulum(runs, h, "variational") for h in STEPS},
            "kept": {h: pendulum(runs, h, "energy_momentum") for h in (1e-4, 1e-1)}}


def numbers(runs):
    started = start(runs)
    forms = {method: start_steps(runs, method) for method in FORM_METHODS}
    left = {potential: runs.start("double_spherical_pendulum", analysis__step="0.01", analysis__duration="5",
                                  analysis__integrator=f"{{method: variational, potential: {potential}}}")
            for potential in ("midpoint", "left")}
    yield
    n = Numbers()
    bodies, pendulums = ({h: run.result() for h, run in started[name].items()} for name in ("bodies", "pendulums"))
    put_tables(n, started["first"].result(), bodies, pendulums, started["kept"][1e-4].result())
    put_multipliers(n, pendulums)
    for method, steps in forms.items():
        put_form(n, method, steps)
    n.holds("s.form", n["form.variational"] < 1e-9)
    n.holds("s.form.not", n["form.energy_momentum"] > 1e-5 and n["form.lie_alpha"] > 1e-5)
    put_left(n)
    n.put("left.pendulum", np.abs(positions(left["left"].result()) - positions(left["midpoint"].result())).max())
    coarse, fine = started["kept"][1e-1].result(), started["kept"][1e-4].result()
    for name, results in (("variational", pendulums[1e-1]), ("energy_momentum", coarse)):
        y = node_history(results, "lower")[:, 1]
        n.put(f"y.{name}", np.abs(y - node_history(fine, "lower")[::1000, 1]).max())
    n.put("y.fine", np.abs(node_history(pendulums[1e-4], "lower")[:, 1] - node_history(fine, "lower")[:, 1]).max())
    n.put("q", np.abs(node_history(bodies[1e-1], "body", "rotation")[:, 2]
                      - node_history(bodies[1e-4], "body", "rotation")[:, 2]).max())
    n.holds("s.curves", n["y.fine"] < 1e-5 and n["y.variational"] < 3 and n["y.energy_momentum"] < 3 and n["q"] < 0.5)
    yield n


def draw(output):
    import matplotlib.pyplot as plt
    import style
    with tempfile.TemporaryDirectory() as folder, Runs(folder) as runs:
        started = start(runs)
        bodies, pendulums, kept = ({h: run.result() for h, run in started[name].items()}
                                   for name in ("bodies", "pendulums", "kept"))
        figure, axes = plt.subplots(5, 1, figsize=(9, 13), layout="constrained")
        figure.suptitle("Figures 4, 9 and 12 of Wendlandt & Marsden (1997)", fontsize=12, fontweight="bold")
        for h, look in ((1e-4, {"color": "0.6", "linewidth": 3}), (1e-1, {"color": style.color(0)})):
            axes[0].plot(bodies[h].time, node_history(bodies[h], "body", "rotation")[:, 2], label=f"h = {h:g} s", **look)
            axes[1].plot(kept[h].time, node_history(kept[h], "lower")[:, 1], label=f"energy_momentum, h = {h:g} s",
                         **look)
        axes[1].plot(pendulums[1e-1].time, node_history(pendulums[1e-1], "lower")[:, 1], "--", color=style.color(1),
                     label="variational, h = 0.1 s")
        for panel, steps in ((axes[2], (1e-3, 1e-4)), (axes[4], (1e-1, 1e-2))):
            for i, h in enumerate(steps):
                panel.plot(pendulums[h].time[1:], invariant(pendulums[h], "discrete_energy")[1:], color=style.color(i),
                           label=f"h = {h:g} s")
            panel.set(ylabel="energy of a step [J]", title="Double spherical pendulum, variational: energy")
        for i, (rod, values) in enumerate(zip(("upper", "lower"), rods(pendulums[1e-2]))):
            axes[3].plot(pendulums[1e-2].time, values, color=style.color(i), label=f"{rod} rod")
        axes[0].set(ylabel="$q_y$", title="Free rigid body, variational: a component of the quaternion")
        axes[1].set(ylabel="y [m]", title="Double spherical pendulum: the lower mass")
        axes[3].set(ylabel="multiplier [N]", title="Double spherical pendulum, variational, h = 0.01 s: multipliers")
        axes[4].set_xlabel("time [s]")
        for panel in axes:
            style.legend(panel, 90)
        style.save(figure, output)
