# SPDX-License-Identifier: BSD-3-Clause
"""Where machines that react end or are refused: by name; and where they once were wrong."""
import math
import unittest

import numpy as np

from deck_runs import DeckRuns

# A mass of 1.5 kg on a rail with a spring and a damper
SLIDE = """format: polhode-deck/1
nodes:
  s: {{position: [0.1, 0, 0], velocity: [0.4, 0, 0]}}
bodies:
  s: {{type: rigid_body, node: s, mass: 1.5, inertia: [1, 1, 1]}}
joints:
  p: {{type: prismatic, connects: [ground, s], at: [0, 0, 0], axis: [1, 0, 0], stiffness: 6, damping: 0.3, motor: u}}
signals:
  x: {{of: joints.p.coordinates}}
  v: {{of: joints.p.rates}}
  {signals}
analysis: {analysis}
"""
# The same behind a law that has no value beyond 0.15 m
LAW = """format: polhode-deck/1
nodes:
  s: {position: [0.1, 0, 0], velocity: [0.8, 0, 0]}
bodies:
  s: {type: rigid_body, node: s, mass: 1.5, inertia: [1, 1, 1]}
joints:
  p: {type: prismatic, connects: [ground, s], at: [0, 0, 0], axis: [1, 0, 0], force: "=-3*sqrt(0.15 - displacement)"}
"""
STEPS = "{type: transient, duration: 1, step: 0.01}"

BEAM = """format: polhode-deck/1
nodes:
  a: {position: [0, 0, 0], fixed: true}
  b: {position: [1, 0, 0]}
sections:
  s: {shape: circle, radius: 0.02, E: 2.0e+11, nu: 0.3, density: 7800}
beams:
  beam: {section: s, from: a, to: b, elements: 2, order: 3, orientation: [0, 1, 0]}
forces:
  load: {type: distributed_load, beam: beam, force: [0, 0, 1000]}
analysis: {type: static}
"""

# An arm whose motor pushes the way that its tip goes
DRIVEN_APART = """format: polhode-deck/1
nodes:
  a: {position: [0, 0, 0]}
  b: {position: [1, 0, 0], velocity: [0, 0, 0.1]}
sections:
  s: {shape: circle, radius: 0.005, E: 2.0e+9, nu: 0.3, density: 1500, damping: 1.0e-4}
beams:
  beam: {section: s, from: a, to: b, elements: 4, orientation: [0, 1, 0]}
bodies:
  tip: {type: rigid_body, node: b, mass: 0.2, inertia: [1.0e-4, 1.0e-4, 1.0e-4]}
joints:
  hinge: {type: revolute, connects: [ground, a], at: [0, 0, 0], axis: [0, 1, 0], motor: u}
signals:
  z: {of: nodes.b.position.z}
  w: {of: nodes.b.velocity.z}
  u: "=200*z + 20*w"
analysis: {type: transient, duration: 10, step: 0.01}
"""

BALLS = """format: polhode-deck/1
gravity: [0, 0, -9.81]
nodes:
  a: {position: [0, 0, 1]}
  c: {position: [1, 0, 1], angular_velocity: [0.4, 0, 0]}
bodies:
  a: {type: rigid_body, node: a, mass: 1.5, inertia: [1, 1, 1]}
  c: {type: rigid_body, node: c, mass: 2.5, inertia: [1, 1, 1]}
signals:
  za: {of: nodes.a.position.z}
  va: {of: nodes.a.velocity.z}
  zc: {of: nodes.c.position.z}
  vc: {of: nodes.c.velocity.z}
events:
  a: {when: "=za", direction: down, do: {node: a, impulse: [0, 0, "=-1.5*1.8*va"]}}
  c: {when: "=zc", direction: down, do: {node: c, impulse: [0, 0, "=-2.5*1.8*vc"]}}
"""


class SignalFailures(DeckRuns):
    def slide(self, signals, analysis=STEPS, more="", status=0):
        return self.run_deck(SLIDE.format(signals="\n  ".join(signals), analysis=analysis) + more, status=status)

    def test_loads_along_beams_stay_where_signals_and_events_follow_them(self):
        alone, _ = self.run_deck(BEAM)
        tip = alone["nodes/position"][-1, 1, 2]
        self.assertAlmostEqual(tip, 1000 / (8 * 2e11 * math.pi * 0.02 ** 4 / 4), delta=2e-5)
        for more in ('signals: {q: "=2*t"}\n', "events: {e: {when: 5, do: {end: true}}}\n"):
            with self.subTest(more):
                file, _ = self.run_deck(BEAM + more)
                self.assertEqual(file["nodes/position"][-1, 1, 2], tip)

    def test_motors_are_inputs_of_machines_with_delays(self):
        analysis = "[{type: static}, {type: linearize, inputs: [joints.p.motor], outputs: [joints.p.coordinates]}]"
        file, _ = self.slide(["d: {type: delay, input: x, time: 0.15}", 'u: "=0.2*d"'], analysis)
        model = file["linear/analysis_1/state_space"]
        A, B, C = (model[name][()] for name in "ABC")
        for s in (0.5j, 3j):
            through = (C @ np.linalg.solve(s * np.eye(len(A)) - A, B)).item()
            expected = 1 / (1.5 * s ** 2 + 0.3 * s + 6 - 0.2 * np.exp(-0.15 * s))
            self.assertAlmostEqual(abs(through - expected) / abs(expected), 0, delta=1e-4)

    def test_chains_of_states_that_rest_at_zero_rest(self):
        for numerator, denominator in (([1], [1, 2, 1]), ([3], [2, 3, 5]), ([100], [1, 20, 100]), ([1], [1, 3, 3, 1])):
            with self.subTest(denominator):
                file, _ = self.slide(
                    [f"u: {{type: transfer_function, input: x, numerator: {numerator}, denominator: {denominator}}}"],
                    "[{type: static}, {type: modal, modes: 9}]")
                wanted = np.roots(np.polysub(np.polymul([1.5, 0.3, 6], denominator), numerator))
                found = file["modal/eigenvalues"][()]
                for s in found[:, 0] + 1j * found[:, 1]:
                    self.assertLess(abs(wanted - s).min(), 1e-7)

    def test_an_equilibrium_is_right_whatever_the_pole(self):
        for pole in (0.1, 1.0, 0.937):
            with self.subTest(pole):
                file, _ = self.slide([f"u: {{type: transfer_function, input: \"=-x + 1\", numerator: [2], "
                                      f"denominator: [1, -{pole}]}}"], "{type: static}")
                # 6 x = 2/(0 - pole) (1 - x)
                x = file["nodes/position"][-1, 0, 0] - 0.1
                self.assertAlmostEqual(6 * x, -2 / pole * (1 - x), delta=1e-9)

    def test_kinks_of_delays_behind_each_other_that_are_a_step_apart(self):
        signals = ['ux: "=-3*x - 0.8*v + sin(3*t)"', "d1: {type: delay, input: ux, time: 0.1, initial: 0.3}",
                   'd2: {type: delay, input: "=d1*x + v", time: 0.16}', 'u: "=d1 + 0.7*d2"']
        analysis = "{{type: transient, duration: 2, step: {}, integrator: {{method: {}}}}}".format

        def end(step, method):
            return self.slide(signals, analysis(step, method))[0]["nodes/position"][-1, 0, 0]

        exact = end(0.0025, "radau5")
        for method, same in (("radau5", 3e-8), ("rosenbrock4", 1e-7)):
            with self.subTest(method):
                self.assertAlmostEqual(end(0.02, method), exact, delta=same)
                self.assertAlmostEqual(end("{tolerance: 1.0e-5}", method), exact, delta=same)

    def test_a_switch_that_slides_at_its_threshold_is_named(self):
        relay = ["u: {type: switch, input: v, on_above: 0, when_on: -2, when_off: 2}"]
        for method, step in (("adams", "{tolerance: 1.0e-5}"), ("explicit_rk", "{tolerance: 1.0e-5}"),
                             ("bdf", "{tolerance: 1.0e-6}"), ("lie_alpha", "{tolerance: 1.0e-5}"),
                             ("lie_alpha", "0.01"), ("radau5", "0.01")):
            with self.subTest((method, step)):
                _, said = self.slide(
                    relay, f"{{type: transient, duration: 1, step: {step}, integrator: {{method: {method}}}}}", status=3)
                self.assertIn("signals.u switches for ever: it keeps its input at the threshold", said)

    def test_balls_bounce_until_they_come_to_rest_and_never_fall_through(self):
        end = math.sqrt(2 / 9.81) * (1 + 2 * 0.8 / 0.2)
        for method, step, same in (("lie_alpha", "{tolerance: 1.0e-5}", 2e-3), ("lie_alpha", "0.01", 2e-3),
                                   ("explicit_rk", "{tolerance: 1.0e-5}", 2e-3), ("radau5", "0.02", 2e-3),
                                   ("rosenbrock4", "{tolerance: 1.0e-5}", 2e-3), ("bdf", "{tolerance: 1.0e-5}", 0.1),
                                   ("adams", "{tolerance: 1.0e-5}", 0.1)):
            with self.subTest((method, step)):
                file, said = self.run_deck(
                    BALLS + f"analysis: {{type: transient, duration: 6, step: {step}, integrator: {{method: {method}}}}}",
                    status=3)
                self.assertRegex(said, r"events\.[ac] happens for ever: again and again, each time sooner")
                self.assertLess(abs(file["time"][-1] - end), same)
                self.assertGreater(file["nodes/position"][:, :, 2].min(), -1e-4)

    def test_signals_without_value_are_named(self):
        method = "{{type: transient, duration: 1, step: 0.01, integrator: {{method: {}}}}}".format
        for signals, analysis, name in (
                (["n: {type: delay, input: \"=sqrt(0.03-x)\", time: 0.1}", "u: n"], STEPS, "signals.n"),
                (["n: \"=sqrt(0.03-x)\"", "u: n"], STEPS, "signals.n"),
                (["n: {type: low_pass, input: \"=sqrt(0.03-x)\", time_constant: 0.1}", "u: n"], method("radau5"),
                 "signals.n"),
                (["n: {type: low_pass, input: \"=sqrt(0.03-x)\", time_constant: 0.1}", "u: n"], method("rosenbrock4"),
                 "signals.n"),
                (["n: {type: integrator, input: \"=sqrt(0.03-x)\"}", "u: x"], STEPS, "signals.n"),
                (["u: x", "n: \"=1/max(0.03-x, 0)\""], STEPS, "signals.n")):
            with self.subTest((signals, analysis)):
                file, said = self.slide(signals, analysis, status=3)
                self.assertRegex(said, name + r" has no value at t = 0\.\d+ s: it is not finite there")
                self.assertGreater(file["time"][-1], 0.05)
        _, said = self.slide(['a: "=b^2 + 0.2 + x*3"', "b: a", "u: a"], status=3)
        self.assertIn("the signals that depend on each other without delay (a, b) have no solution at t = ", said)

    def test_forces_without_value_are_named(self):
        by_steps = ("lie_alpha", "ul_crv", "lie_alpha_index2", "radau5", "energy_momentum", "rosenbrock4", "rosenbrock_w2")
        for method in by_steps + ("adams", "bdf", "explicit_rk"):
            with self.subTest(method):
                step = "0.01" if method in by_steps else "{tolerance: 1.0e-5}"
                file, said = self.run_deck(
                    LAW + f"analysis: {{type: transient, duration: 1, step: {step}, integrator: {{method: {method}}}}}",
                    status=3)
                self.assertRegex(said, r"the force of joints\.p has no value at t = 0\.\d+ s: it is not finite there")
                self.assertGreater(file["time"][-1], 0.05)

    def test_what_a_controller_drives_apart_may_be_an_unstable_loop(self):
        _, said = self.run_deck(DRIVEN_APART, status=3)
        self.assertIn("joints.hinge.motor follows measurements: if the motion up to here grows at any `step`, the "
                      "closed loop is unstable", said)
        # A function of time does not, and what is named needs no guess
        _, said = self.run_deck(DRIVEN_APART.replace('200*z + 20*w', '1.0e+12*t'), status=3)
        self.assertNotIn("closed loop", said)
        _, said = self.slide(['n: "=sqrt(0.03-x)"', "u: n"], status=3)
        self.assertNotIn("closed loop", said)

    def test_events_without_value_are_named(self):
        for events, said in (("{when: \"=sqrt(0.03-x)\", do: {end: true}}", "events.e.when has no value at t = "),
                             ("{when: \"=x-0.05\", do: {set: signals.m, value: \"=sqrt(-x)\"}}",
                              "sets signals.m to -nan, which is no number"),
                             ("{when: \"=x-0.05\", do: {node: s, impulse: [\"=sqrt(-x)\", 0, 0]}}",
                              "has an impulse that is no number")):
            with self.subTest(events):
                _, found = self.slide(["m: {type: mode}", "u: m"], more=f"events: {{e: {events}}}\n", status=3)
                self.assertIn(said, found)

    def test_check_names_forces_that_follow_measurements_with_their_units(self):
        said = self.check_deck(SLIDE.format(signals="u: \"=-x - 2*v\"", analysis=STEPS))
        self.assertRegex(said, r"joints\.p\.motor \[N\] +signals\.x \[m\], signals\.v \[m/s\]\n")

    def test_fields_of_the_output_may_be_signals(self):
        more = "output: {fields: [nodes, signals]}\nresponses: {last: {last: signals.u}}\n"
        file, _ = self.slide(['u: "=-x"'], more=more)
        self.assertEqual(set(file["signals"]), {"x", "v", "u"})
        self.assertEqual(file["responses/last"][()], file["signals/u"][-1])
        self.assertNotIn("force", file["joints"])
        self.assertNotIn("signals", self.slide(['u: "=-x"'], more="output: {fields: [nodes]}\n")[0])

    def test_what_cannot_be_is_refused(self):
        for signals, more, said in (
                (["u: {type: sample_hold, input: x, period: 1.0e-9}"], "", "signals.u.period: is taken 1e+09 times in 1 s"),
                (["u: {of: nodes.s.rotation.x}"], "", "signals.u.of: needs the number in the quaternion"),
                (["w: x"], "", "joints.p.motor: 'u' is no signal"),
                (["u: x"], "events: {e: {when: 0, do: {end: true}}}\n", "events.e.when: is no time behind the start")):
            with self.subTest(said):
                self.assertIn(said, self.slide(signals, more=more, status=2))


if __name__ == "__main__":
    unittest.main()
