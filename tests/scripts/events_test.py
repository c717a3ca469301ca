# SPDX-License-Identifier: BSD-3-Clause
"""Events of a deck: their times, what they do to a motion, and what is refused."""
import math
import unittest

import h5py
import numpy as np

from deck_runs import ROOT, DeckRuns

EXAMPLES = ROOT / "inputs" / "examples"

ROD = """format: polhode-deck/1
nodes:
  rod: {position: [0.5, 0, 0], velocity: [0, 0, -0.5], angular_velocity: [0, 1, 0]}
bodies:
  rod: {type: rigid_body, node: rod, mass: 2, inertia: [0.01, 0.1, 0.1]}
joints:
  hinge: {type: revolute, connects: [ground, rod], at: [0, 0, 0], axis: [0, 1, 0]}
signals:
  angle: {of: joints.hinge.coordinates}
  rate: {of: joints.hinge.rates}
"""
# Two rods on hinges that are not parallel; the event drives nothing
PENDULUM = """format: polhode-deck/1
gravity: [0, 0, -9.81]
parameters: {when: 0.1}
nodes:
  a: {position: [0.5, 0, 0]}
  b: {position: [1.5, 0, 0]}
bodies:
  a: {type: rigid_body, node: a, mass: 2, inertia: [0.01, 0.17, 0.17]}
  b: {type: rigid_body, node: b, mass: 2, inertia: [0.01, 0.17, 0.17]}
joints:
  h: {type: revolute, connects: [ground, a], at: [0, 0, 0], axis: [0, 1, 0], initial: {rate: 3}}
  k: {type: revolute, connects: [a, b], at: [1, 0, 0], axis: [0, 1, 0.2], initial: {rate: -5}}
signals:
  changes: {type: mode, initial: 0}
events:
  e: {when: "=t - when", do: {set: signals.changes, value: "=changes + 1"}}
analysis: {type: transient, duration: 0.3, step: 0.01}
"""
# A hinge whose controller answers within a tenth of a millisecond
FAST_LOOP = """format: polhode-deck/1
parameters: {c: 1}
nodes:
  a: {position: [0, 0, 0]}
bodies:
  a: {type: rigid_body, node: a, mass: 1, inertia: [1.0e-4, 1.0e-4, 1.0e-4]}
joints:
  h: {type: revolute, connects: [ground, a], at: [0, 0, 0], axis: [0, 1, 0], motor: torque}
signals:
  angle: {of: joints.h.coordinates}
  rate: {of: joints.h.rates}
  lead: {type: transfer_function, input: "=0.2 - angle", numerator: [3, 1], denominator: [0.01, 1]}
"""
CATCH = "{when: '=angle - 0.3', direction: up, do: {lock: joints.hinge}}"


class Events(DeckRuns):
    def rod(self, events, more="", step="0.01", duration=1):
        return ROD + more + f"events: {{{events}}}\nanalysis: {{type: transient, duration: {duration}, step: {step}}}\n"

    def names(self, file):
        return [name.decode() for name in file["events/names"][()]]

    def test_a_ball_bounces_at_the_times_of_free_fall_whatever_the_step(self):
        first = math.sqrt(2 / 9.81)
        times = first + np.cumsum([0, *(2 * first * 0.8 ** k for k in (1, 2, 3))])
        for step, same in (("0.01", 1e-12), ("0.0037", 1e-12), ("{tolerance: 1.0e-5}", 1e-9)):
            with self.subTest(step):
                file, _ = self.run_deck(EXAMPLES / "bouncing_ball.yaml", f"analysis.step={step}")
                self.assertEqual(self.names(file), 4 * ["bounce"] + ["stop"])
                np.testing.assert_allclose(file["events/time"][:4], times, rtol=0, atol=same)
                self.assertAlmostEqual(file["time"][-1], 2.5, delta=1e-12)
                self.assertEqual(file.attrs["status"], "completed")
                before, after = file["events/momentum_before"][:4, 2], file["events/momentum_after"][:4, 2]
                np.testing.assert_allclose(after, -0.8 * before, rtol=1e-9)
                height = file["nodes/position"][:, 0, 2]
                self.assertGreater(height.min(), -1e-9)

    def test_methods_of_one_step_meet_them_as_well(self):
        times = math.sqrt(2 / 9.81) * (1 + 2 * np.cumsum([0, 0.8, 0.64, 0.512]))
        for method in ("radau5", "rosenbrock4", "rosenbrock_w2"):
            with self.subTest(method):
                file, _ = self.run_deck(EXAMPLES / "bouncing_ball.yaml", f"analysis.integrator={{method: {method}}}")
                np.testing.assert_allclose(file["events/time"][:4], times, rtol=0, atol=1e-10)
        file, _ = self.run_deck(EXAMPLES / "satellite_booms.yaml", "analysis.step={tolerance: 1.0e-5}",
                                "analysis.integrator={method: radau5}")
        change = file["events/angular_momentum_after"][()] - file["events/angular_momentum_before"][()]
        self.assertLess(abs(change).max(), 1e-11 * 76.7845)
        self.assertAlmostEqual(file["responses/spin"][()], 0.83678, delta=5e-6)
        self.assertAlmostEqual(file["events/time"][0], 4.060487, delta=1e-5)

    def test_methods_that_choose_their_steps_go_back_to_them(self):
        """As exact as the tolerance; the work until then is that of the bounces."""
        times = math.sqrt(2 / 9.81) * (1 + 2 * np.cumsum([0, 0.8, 0.64, 0.512]))
        for method in ("adams", "bdf", "explicit_rk"):
            with self.subTest(method):
                file, said = self.run_deck(EXAMPLES / "bouncing_ball.yaml", f"analysis.integrator={{method: {method}}}",
                                           "analysis.step={tolerance: 1.0e-7}")
                self.assertEqual(self.names(file), 4 * ["bounce"] + ["stop"], said)
                np.testing.assert_allclose(file["events/time"][:4], times, rtol=0, atol=4e-6)
                self.assertAlmostEqual(file["time"][-1], 2.5, delta=1e-10)
                self.assertAlmostEqual(file["energy/external_work"][-1], file["events/energy_change"][()].sum(),
                                       delta=1e-8)

    def test_booms_lock_at_fixed_steps_too(self):
        # The blow has accelerations that last far shorter than a step; time and spin by radau5, tolerance 1e-6
        for method in ("lie_alpha", "lie_alpha_index2", "ul_crv"):
            for step, late, spin in ((0.05, 2e-3, 5e-4), (0.02, 1e-3, 1e-4)):
                with self.subTest(method=method, step=step):
                    file, said = self.run_deck(EXAMPLES / "satellite_booms.yaml", f"analysis.step={step}",
                                               f"analysis.integrator.method={method}")
                    self.assertIn("does not resolve the accelerations here, and begins with smoothed ones", said)
                    np.testing.assert_allclose(file["events/time"], 4.0604875, atol=late)
                    self.assertAlmostEqual(file["responses/spin"][()], 0.83678014, delta=spin)

    def test_booms_lock_and_keep_the_momenta_of_the_satellite(self):
        file, _ = self.run_deck(EXAMPLES / "satellite_booms.yaml")
        self.assertEqual(sorted(self.names(file)), ["lock_1", "lock_2"])
        self.assertLess(abs(np.diff(file["events/time"][()])[0]), 1e-9)
        whole = 76.7845002
        for name, scale in (("momentum", whole), ("angular_momentum", whole)):
            change = file[f"events/{name}_after"][()] - file[f"events/{name}_before"][()]
            self.assertLess(abs(change).max(), 1e-11 * scale, name)
        self.assertLess(file["events/energy_change"][0], 0)
        self.assertAlmostEqual(file["responses/spin"][()], 0.83678, delta=5e-6)
        self.assertAlmostEqual(file["responses/angle"][()], -math.pi / 2, delta=1e-8)

    def test_a_hinge_is_locked_and_released(self):
        events = f"catch: {CATCH}, free: {{when: 0.5, do: {{release: joints.hinge}}}}, " \
                 "kick: {when: 0.6, do: {node: rod, impulse: [0, 0, -2]}}"
        for method in ("lie_alpha", "lie_alpha_index2", "ul_crv", "ul_rotation_vector", "radau5", "rosenbrock4"):
            for step in ("0.01", "{tolerance: 1.0e-5}"):
                with self.subTest(method=method, step=step):
                    file, _ = self.run_deck(self.rod(events, step=step), f"analysis.integrator={{method: {method}}}")
                    self.assertEqual(self.names(file), ["catch", "free", "kick"])
                    np.testing.assert_allclose(file["events/time"][()], [0.3, 0.5, 0.6], atol=5e-6)
                    time, angle = file["time"][()], file["joints/hinge/coordinates"][:, 0]
                    # All of the spin is lost, then that of an impulse at half a meter: 2 N s 0.5 m / 0.6 kg m^2
                    np.testing.assert_allclose(angle[(time > 0.301) & (time <= 0.6)], 0.3, atol=1e-12)
                    self.assertAlmostEqual(angle[-1], 0.3 + 0.4 / 0.6 * math.cos(0.3), delta=3e-5)
                    self.assertAlmostEqual(file["events/impulse"][0], -0.6, delta=1e-5)

    def test_joints_of_all_kinds_are_locked(self):
        """Two bodies in free flight: what is locked stays as it is, momenta stay, energy falls."""
        kinds = {"universal": "axes: [[0, 1, 0], [0, 0, 1]]", "spherical": "", "planar": "axis: [0, 0, 1]",
                 "screw": "axis: [1, 0, 0], pitch: 0.2", "point_on_line": "axis: [1, 0, 0]",
                 "point_on_plane": "axis: [0, 0, 1]", "cylindrical": "axis: [1, 0, 0]"}
        deck = """format: polhode-deck/1
nodes:
  a: {position: [0, 0, 0], angular_velocity: [0.1, 0.3, 0.2], velocity: [0, 0.1, 0]}
  b: {position: [0.8, 0, 0], angular_velocity: [0.9, -0.6, 1.1], velocity: [0.4, 0.3, -0.2]}
bodies:
  a: {type: rigid_body, node: a, mass: 2, inertia: [0.1, 0.2, 0.3]}
  b: {type: rigid_body, node: b, mass: 1, inertia: [0.05, 0.06, 0.07]}
joints:
  joint: {type: KIND, connects: [a, b], at: [0.4, 0, 0]KEYS}
events:
  catch: {when: 0.3, do: {lock: joints.joint}}
  let_go: {when: 0.6, do: {release: joints.joint}}
initial: {velocities: 10}
analysis: {type: transient, duration: 0.9, step: 0.01}
"""
        for kind, keys in kinds.items():
            with self.subTest(kind):
                text = deck.replace("KIND", kind).replace("KEYS", ", " + keys if keys else "")
                if kind in ("point_on_line", "point_on_plane"):
                    text = text.replace("at: [0.4, 0, 0]", "at: [0.8, 0, 0]")
                file, _ = self.run_deck(text)
                self.assertEqual(self.names(file), ["catch", "let_go"])
                t = file["time"][()]
                moved = file["joints/joint/coordinates"][()].reshape(len(t), -1)
                held = moved[(t > 0.301) & (t < 0.6)]
                self.assertLess(np.ptp(held, axis=0).max(), 1e-9)
                self.assertGreater(np.ptp(moved[t < 0.3], axis=0).max(), 1e-2)
                self.assertGreater(np.ptp(moved[t > 0.601], axis=0).max(), 1e-4)
                for what in ("momentum", "angular_momentum"):
                    before, after = file[f"events/{what}_before"][0], file[f"events/{what}_after"][0]
                    np.testing.assert_allclose(after, before, rtol=0, atol=1e-13)
                self.assertLess(file["events/energy_change"][0], -1e-3)

    def test_a_signal_is_set_and_switches_a_motor(self):
        deck = self.rod("grip: {when: 0.25, do: {set: signals.brake, value: '=1 + 0*rate'}}") \
            .replace("signals:\n", "signals:\n  brake: {type: mode}\n") \
            .replace("axis: [0, 1, 0]}", "axis: [0, 1, 0], motor: '=-0.6*brake*rate'}")
        file, _ = self.run_deck(deck, "analysis.step=0.001")
        self.assertAlmostEqual(file["joints/hinge/coordinates"][-1, 0], 0.25 + 1 - math.exp(-0.75), delta=1e-6)
        brake = file["signals/brake"][()].ravel()
        self.assertEqual(sorted(set(brake)), [0, 1])

    def test_events_without_end_are_named(self):
        file, said = self.run_deck(EXAMPLES / "bouncing_ball.yaml", "parameters.e=0.5", "events.stop.when=9", status=3)
        self.assertIn("events.bounce happens for ever", said)
        self.assertEqual(file.attrs["status"], "failed")
        self.assertAlmostEqual(file["time"][-1], 3 * math.sqrt(2 / 9.81), delta=1e-2)
        self.assertGreater(len(file["events/time"]), 8)

    def test_a_lock_of_what_is_held_is_named(self):
        deck = self.rod("one: {when: 0.1, do: {lock: joints.hinge}}, two: {when: 0.15, do: {lock: joints.other}}") \
            .replace("bodies:\n", "  arm: {position: [0, 0, 0.5], velocity: [0.5, 0, 0], angular_velocity: [0, 1, 0]}\n"
                     "bodies:\n  arm: {type: rigid_body, node: arm, mass: 1, inertia: [0.1, 0.1, 0.1]}\n") \
            .replace("signals:\n", "  other: {type: revolute, connects: [ground, arm], at: [0, 0, 0], axis: [0, 1, 0]}\n"
                     "  gears: {type: coupling, joints: {hinge: 1, other: -1}}\nsignals:\n")
        file, said = self.run_deck(deck, status=3)
        self.assertIn("events.two at t = 0.15 s leaves no motion that is unique", said)
        self.assertEqual(self.names(file), ["one"])
        self.assertAlmostEqual(file["time"][-1], 0.15, delta=1e-9)

    def test_the_time_of_a_contact_is_that_of_the_ends_of_steps(self):
        lines = (EXAMPLES / "bump_stop.yaml").read_text().splitlines()
        at = lines.index(next(line for line in lines if line.startswith("analysis:")))
        lines[at:at] = ["signals: {s: {of: joints.strut.coordinates}, hit: {type: mode}}",
                        "events: {contact: {when: '=s + 0.06', direction: down, do: {set: signals.hit, value: 1}}}"]
        errors = []
        for step in (0.001, 0.0005):
            file, _ = self.run_deck("\n".join(lines), f"analysis.step={step}", "analysis.duration=0.1")
            time, contact = file["time"][()], file["events/time"][0]
            place = file["joints/strut/coordinates"][np.argmin(abs(time - contact)), 0] + 0.06
            # 1e-10 of the step at 1.8565 m/s; the rest is the error of the method
            self.assertLess(abs(place), 1e-10 * step * 1.8565)
            errors.append(contact - 0.0309508240788)
        self.assertLess(abs(errors[0]), 3e-7)
        self.assertAlmostEqual(errors[0] / errors[1], 4, delta=0.1)

    def test_restarted_runs_are_the_same_to_the_last_bit(self):
        for deck, at in ((EXAMPLES / "bouncing_ball.yaml", 1), (EXAMPLES / "satellite_booms.yaml", 25)):
            with self.subTest(deck.name):
                file, _ = self.run_deck(deck, "output.restart=7")
                done = self.call("run", "--restart", f"run{self.runs}.h5", "--at", at, "-o", f"again{self.runs}.h5")
                self.assertEqual(done.returncode, 0, done.stderr)
                with h5py.File(self.folder / f"again{self.runs}.h5") as again:
                    for path in ("time", "nodes/position", "nodes/velocity", "events/time", "events/momentum_after"):
                        np.testing.assert_array_equal(file[path][()], again[path][()], path)
                    self.assertEqual(self.names(file), self.names(again))

    def test_reactions_do_not_show_how_near_the_grid_an_event_is(self):
        quiet, _ = self.run_deck(PENDULUM, "parameters.when=1")
        usual = abs(quiet["joints/force"][()]).max()
        for method in ("lie_alpha", "ul_crv", "lie_alpha_index2"):
            for when in (0.097, 0.0999, 0.099999, 0.09999999, 0.0999999999,
                         0.10000000001, 0.1000000001, 0.100001, 0.1001):
                with self.subTest((method, when)):
                    file, _ = self.run_deck(PENDULUM, f"parameters.when={when}", f"analysis.integrator.method={method}")
                    self.assertEqual(file["signals/changes"][-1], 1)
                    self.assertLess(abs(file["joints/force"][()]).max(), 1.05 * usual)

    def test_events_are_where_their_functions_are_at_zero(self):
        signals = '  m: {type: mode, initial: -0.6}\n  torque: "=lead - c*rate - 0.5*m"\n'
        events = ('events:\n  go: {when: "=rate - 0.8", direction: up, do: {set: signals.m, value: 1}}\n'
                  '  stop: {when: "=rate + 0.2", direction: down, do: {end: true}}\n')
        for step in (0.002, 0.001, 0.0005):
            with self.subTest(step):
                file, _ = self.run_deck(FAST_LOOP + signals + events +
                                        f"analysis: {{type: transient, duration: 0.2, step: {step}}}\n")
                self.assertNotIn("stop", self.names(file))
                self.assertAlmostEqual(file["time"][-1], 0.2)
                self.assertGreater(file["signals/rate"][()].min(), -0.2)

    def test_an_event_at_the_end_of_a_step_leaves_no_step_of_no_length(self):
        signals = ('  s: {type: switch, input: rate, on_above: 0.38, off_below: 0.17, when_on: -0.5, when_off: 0.3}\n'
                   '  torque: "=lead - c*rate + s"\n')
        file, said = self.run_deck(FAST_LOOP + signals + "analysis: {type: transient, duration: 0.2, step: 0.001}\n",
                                   "parameters.c=0.3")
        self.assertNotIn("a step of 0 s", said)
        self.assertGreater(np.diff(file["time"][()]).min(), 0)

    def test_info_lists_them(self):
        done = self.call("info", EXAMPLES / "bouncing_ball.yaml")
        self.assertRegex(done.stdout, r"events +2: bounce \(event\) stop")

    def test_what_cannot_be_is_refused_by_name(self):
        for events, settings, said in (
                (f"catch: {CATCH}", ["analysis.integrator={method: energy_momentum}"],
                 "analysis.integrator.method: energy_momentum takes no signals"),
                (f"catch: {CATCH}", ["joints.hinge.type=fixed", "joints.hinge.axis="], "joints.hinge"),
                ("a: {when: 1, do: {lock: joints.none}}", [], "events.a.do.lock: names no joint"),
                ("a: {when: 1, do: {release: hinge}}", [], "events.a.do.release: names no joint"),
                ("a: {when: 1, do: {set: signals.rate, value: 1}}", [], "events.a.do.set: 'signals.rate' is no signal"),
                ("a: {when: 1, do: {set: parameters.k, value: 1}}", [], "is no signal of `type: mode`"),
                ("a: {when: 1, do: {end: false}}", [], "events.a.do: does nothing"),
                ("a: {when: 1, do: {impulse: [0, 0, 1]}}", [], "belong to a `node`"),
                ("a: {when: 1, do: {node: rod, impulse: [0, 1]}}", [], "three components"),
                ("a: {when: 1}", [], "events.a"),
                (f"a: {{when: 1, do: {{lock: joints.hinge}}}}", ["joints.hinge.rotation==t"], "is a driven joint")):
            with self.subTest(said):
                self.assertIn(said, self.run_deck(self.rod(events), *settings, status=2))


if __name__ == "__main__":
    unittest.main()
