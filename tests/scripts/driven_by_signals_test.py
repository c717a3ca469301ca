# SPDX-License-Identifier: BSD-3-Clause
"""Drives that follow signals: which signals have the two derivatives that they need, and which analyses take them."""
import math
import unittest

import numpy as np

from deck_runs import DeckRuns

ARM = """format: polhode-deck/1
gravity: [0, 0, -9.81]
nodes: {arm: {position: [0.4, 0, 0]}, link: {position: [1.3, 0, 0]}}
bodies:
  arm: {type: rigid_body, node: arm, mass: 1, inertia: [0.1, 0.1, 0.1]}
  link: {type: rigid_body, node: link, mass: 2, inertia: [0.01, 0.17, 0.17]}
signals:
  phi: {of: joints.elbow.coordinates}
  rate: {of: joints.elbow.rates}
  kinetic: {of: energy.kinetic}
  torque: {of: joints.shoulder.moment.y}
  command: "=0.4 - 0.5*sin(phi)"
  once: {type: low_pass, input: command, time_constant: 0.05}
  twice: {type: low_pass, input: once, time_constant: 0.05}
  servo: {type: transfer_function, input: COMMAND, numerator: [144], denominator: [1, 12, 144]}
  observer: {type: state_space, inputs: [command], A: [[0, 1], [-9, -6]], B: [[0], [1]], C: [[1, 0]], D: [[0]]}
  held: {type: sample_hold, input: servo, period: 0.01}
joints:
  shoulder: {type: revolute, connects: [ground, arm], at: [0, 0, 0], axis: [0, 1, 0], rotation: DRIVE}
  elbow: {type: revolute, connects: [arm, link], at: [0.8, 0, 0], axis: [0, 1, 0], damping: 0.5}
analysis: ANALYSIS
"""
# A rod on a motor that follows a filter, from rest or sampled each 100 ms
ROD = """format: polhode-deck/1
gravity: [0, 0, -9.81]
nodes: {{center: {{position: [0.5, 0, 0]}}}}
bodies: {{rod: {{type: rigid_body, node: center, mass: 2, inertia: [0.001, 0.17, 0.17]}}}}
signals:
  command: "=sin(3*t) + cos(2*t)"
  input: {input}
  pitch: {{type: transfer_function, input: input, numerator: [64], denominator: [1, 11.2, 64]}}
joints:
  hinge: {{type: revolute, connects: [ground, center], at: [0, 0, 0], axis: [0, 1, 0], rotation: pitch}}
analysis: {{type: transient, duration: 0.5, step: {step}, integrator: {{method: {method}}}}}
"""
SHORT = "{type: transient, duration: 0.05, step: 0.005}"


def arm(drive, analysis=SHORT, command="command"):
    return ARM.replace("DRIVE", f'"{drive}"').replace("ANALYSIS", analysis).replace("COMMAND", f'"{command}"')


class DrivenBySignals(DeckRuns):
    def test_what_has_two_derivatives_drives(self):
        for drive in ("servo", "twice", "observer", "=0.2*sin(t)^2", "=2*sin(servo/2)", "=servo*twice + t^2"):
            with self.subTest(drive=drive):
                self.run_deck(arm(drive))

    def test_reactions_are_right_from_the_start_on_and_behind_samples(self):
        # Errors with the inverse of the step squared have no order; radau5 is exact to 1e-8 here
        grid = np.arange(0.01, 0.5, 0.02)

        def force(signal, step, method):
            file, _ = self.run_deck(ROD.format(input=signal, step=step, method=method))
            rows = np.searchsorted(file["time"][()], grid - 1e-9)
            np.testing.assert_allclose(file["time"][()][rows], grid, rtol=0, atol=1e-9)
            return file["joints/force"][()][rows, 0]

        for signal, bound in (('"=command"', 0.1), ("{type: sample_hold, input: command, period: 0.1}", 5)):
            exact = force(signal, 0.005, "radau5")
            for method in ("lie_alpha", "ul_crv"):
                with self.subTest((signal, method)):
                    coarse, fine = (abs(force(signal, h, method) - exact).max() for h in (0.005, 0.00125))
                    self.assertLess(coarse, bound)
                    self.assertLess(fine, coarse / 2.5)

    def test_what_has_fewer_is_refused(self):
        for drive, signal, has, more in (
                ("rate", "rate", "none", "two low_pass"), ("command", "command", "none", "two low_pass"),
                ("once", "once", "one", "a low_pass"), ("=servo + once", "once", "one", "a low_pass"),
                ("held", "held", "none", "two low_pass"), ("kinetic", "kinetic", "none", "three low_pass")):
            with self.subTest(drive=drive):
                said = self.run_deck(arm(drive), status=2)
                self.assertRegex(said, rf"joints\.shoulder\.rotation: needs two derivatives of signals\.{signal}, which "
                                       rf"has {has}; put {more}")
        self.assertIn("joints.shoulder.rotation: has kinks by signals", self.run_deck(arm("=abs(servo)"), status=2))

    def test_reactions_and_sums_need_one_more(self):
        for wide in ("torque", "kinetic"):
            with self.subTest(of=wide):
                said = self.run_deck(arm("servo", command=f"=0.01*{wide}"), status=2)
                self.assertIn("needs two derivatives of signals.servo, which has one; put a low_pass", said)

    def test_drives_without_value_are_named(self):
        moving = ('  pace: {type: integrator, input: "=t", initial: 0.5}\n'
                  "  place: {type: integrator, input: pace}\n")
        deck = arm("=sqrt(place)").replace("  once:", moving + "  once:")
        self.assertIn("joints.shoulder.rotation: has no finite value, rate or acceleration where its signals start",
                      self.run_deck(deck, status=2))
        fast = "{type: transient, duration: 2, step: 0.01}"
        said = self.run_deck(arm("=asin(servo)", fast, "=2*t"), status=3)[1]
        self.assertRegex(said, r"joints\.shoulder has no value at t = 0\.5\d+ s: it is not finite there")

    def test_turns_are_those_of_the_drive(self):
        """Up to eight radians a step, more than a whole turn."""
        file, _ = self.run_deck('''format: polhode-deck/1
nodes: {arm: {position: [0.4, 0, 0]}}
bodies: {arm: {type: rigid_body, node: arm, mass: 1, inertia: [0.1, 0.1, 0.1]}}
signals:
  grow: {type: integrator, input: "=4000*t"}
  grown: {type: integrator, input: grow}
joints:
  shoulder: {type: revolute, connects: [ground, arm], at: [0, 0, 0], axis: [0, 1, 0], rotation: grown}
analysis: {type: transient, duration: 1, step: 0.004, integrator: {method: radau5}}
''')
        self.assertAlmostEqual(file["joints/shoulder/coordinates"][-1].ravel()[0], 2000 / 3, delta=1e-8)

    def test_reactions_that_are_not_unique_are_refused(self):
        deck = '''format: polhode-deck/1
gravity: [0, 0, -9.81]
nodes: {a: {position: [0, 0, 0.5]}, b: {position: [1, 0, 0.5]}, c: {position: [0.5, 0, 1]}}
bodies:
  a: {type: rigid_body, node: a, mass: 1, inertia: [0.1, 0.1, 0.1]}
  b: {type: rigid_body, node: b, mass: 1, inertia: [0.1, 0.1, 0.1]}
  c: {type: rigid_body, node: c, mass: 2, inertia: [0.1, 0.1, 0.1]}
signals: {pull: {of: joints.top.force.x}}
joints:
  left: {type: revolute, connects: [ground, a], at: [0, 0, 0], axis: [0, 1, 0], rotation: "=0.1*t^2"}
  right: {type: revolute, connects: [ground, b], at: [1, 0, 0], axis: [0, 1, 0]RIGHT}
  lower: {type: revolute, connects: [a, c], at: [0, 0, 1], axis: [0, 1, 0]}
  top: {type: revolute, connects: [c, b], at: [1, 0, 1], axis: [0, 1, 0]}
constraints: {redundant: resolve}
analysis: {type: transient, duration: 0.1, step: 0.001}
'''
        said = self.run_deck(deck.replace("RIGHT", ', rotation: "=0.1*t^2"'), status=2)
        self.assertIn("signals.pull.of: is a reaction that is not unique", said)
        # With one crank driven the hinges are redundant across the plane alone
        file, _ = self.run_deck(deck.replace("RIGHT", ""))
        np.testing.assert_allclose(file["signals/pull"][1:], file["joints/top/force"][1:, 0], rtol=1e-9)

    def test_statics_find_the_drive_at_rest(self):
        file, _ = self.run_deck(arm("servo", "{type: static}"))
        shoulder, elbow = (float(file[f"joints/{name}/coordinates"][-1].ravel()[0]) for name in ("shoulder", "elbow"))
        self.assertAlmostEqual(shoulder + elbow, math.pi / 2, delta=1e-9)
        self.assertAlmostEqual(shoulder, 0.4 - 0.5 * math.sin(elbow), delta=1e-9)

    def test_linear_models_have_them(self):
        """Against differences of the equations of the angles u of the arm and a of the link, both from level."""
        file, _ = self.run_deck(arm("servo", "[{type: static}, {type: modal, modes: 4}, {type: linearize, "
                                             "inputs: [signals.command], outputs: [joints.elbow.coordinates, "
                                             "nodes.link.acceleration.x]}]"))

        def rates(x, added):
            u, u1, a, a1 = x
            u2 = 144 * (0.4 - 0.5 * math.sin(a - u) + added - u) - 12 * u1
            along = 0.8 * (math.sin(u - a) * u1**2 + math.cos(u - a) * u2)
            return np.array([u1, u2, a1, (9.81 * math.cos(a) - along - 0.5 * (a1 - u1)) / 0.67])

        def derivative(f):
            return (8 * (f(1e-3) - f(-1e-3)) - f(2e-3) + f(-2e-3)) / 12e-3

        elbow = float(file["joints/elbow/coordinates"][-1].ravel()[0])
        at = np.array([math.pi / 2 - elbow, 0, math.pi / 2, 0])
        a = np.column_stack([derivative(lambda d: rates(at + d * unit, 0)) for unit in np.eye(4)])
        b = derivative(lambda d: rates(at, d))
        poles = [p for p in np.linalg.eigvals(a) if p.imag >= 0]
        np.testing.assert_allclose(np.sort_complex([complex(*p) for p in file["modal/eigenvalues"][:]]),
                                   np.sort_complex(poles), atol=1e-7)
        space = [file[f"linear/analysis_2/state_space/{name}"][:] for name in "ABCD"]
        for s in (0.3j, 3j, 20j):
            found = space[2] @ np.linalg.solve(s * np.eye(len(space[0])) - space[0], space[1]) + space[3]
            u, _, link, _ = np.linalg.solve(s * np.eye(4) - a, b)
            exact = [link - u, s * s * (-0.8 * math.sin(at[0]) * u - 0.5 * math.sin(at[2]) * link)]
            np.testing.assert_allclose(found.ravel(), exact, rtol=1e-7)

    def test_inputs_behind_their_filters_are_refused(self):
        said = self.run_deck(arm("servo", "[{type: static}, {type: linearize, inputs: [signals.servo]}]"), status=2)
        self.assertIn("signals.servo is followed by joints.shoulder with fewer than two derivatives", said)
        turning = "rotation: {axis: [0, 0, 1], speed: 0.1}"
        said = self.run_deck(arm("servo", f"[{{type: static, {turning}}}, {{type: linearize, {turning}}}]"), status=2)
        self.assertIn("joints.shoulder is driven by signals", said)

    def test_check_lists_what_they_follow(self):
        (self.folder / "deck.yaml").write_text(arm("servo"))
        shown = self.call("check", "deck.yaml").stdout
        self.assertRegex(shown, r"joints\.shoulder\.rotation \[rad\] +signals\.phi \[rad\]")


if __name__ == "__main__":
    unittest.main()
