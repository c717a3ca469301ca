# SPDX-License-Identifier: BSD-3-Clause
"""Joints that come apart, by events and at the start of analyses; lists of actions."""
import math
import unittest

import h5py
import numpy as np

from deck_runs import ROOT, DeckRuns

G = 9.81

# A rod on a hinge at the origin, its center half a meter away: 0.6 kg m^2 about the hinge
ROD = """format: polhode-deck/1
gravity: [0, 0, -9.81]
nodes:
  rod: {position: [0.5, 0, 0], velocity: [0, 0, -0.5], angular_velocity: [0, 1, 0]}
bodies:
  rod: {type: rigid_body, node: rod, mass: 2, inertia: [0.01, 0.1, 0.1]}
joints:
  hinge: {type: revolute, connects: [ground, rod], at: [0, 0, 0], axis: [0, 1, 0]}
signals:
  angle: {of: joints.hinge.coordinates}
"""

# A block that a wire holds down against a spring
LATCH = """format: polhode-deck/1
nodes: {block: {position: [0, 0, -1], dofs: translation}}
bodies: {block: {type: point_mass, node: block, mass: 2}}
forces: {spring: {type: spring_damper, connects: [ground, block], at: [[0, 0, 1], [0, 0, -1]], stiffness: 50,
                  free_length: 1.6}}
joints: {wire: {type: distance, connects: [ground, block], at: [[0, 0, -2], [0, 0, -1]]}}
analysis:
  - {type: static}
  - {type: transient, duration: 2, step: 0.001, released: [joints.wire]}
"""


class Program(DeckRuns):
    def rod(self, events, more="", step="0.01", duration=1, method="lie_alpha"):
        return ROD + more + f"events: {{{events}}}\nanalysis: {{type: transient, duration: {duration}, step: {step}, " \
            f"integrator: {{method: {method}}}}}\n"

    def what(self, file):
        return [text.decode() for text in file["events/what"][()]]

    def at_event(self, file, path):
        """The state at the first event, with velocities before it."""
        return file[path][np.argmin(abs(file["time"][()] - file["events/time"][0]))]


class Lists(Program):
    def test_actions_are_done_in_their_order(self):
        hit = "{node: rod, impulse: [0, 0, -2]}"
        release = "{release: joints.hinge}"
        cases = {f"[{hit}, {release}]": (-0.5 - 2 * 0.5 / 0.6 * 0.5, 1 + 2 * 0.5 / 0.6),  # the hinge takes its part
                 f"[{release}, {hit}]": (-0.5 - 2 / 2, 1)}
        for actions, (velocity, rate) in cases.items():
            with self.subTest(actions):
                deck = self.rod(f"both: {{when: 0.01, do: {actions}}}").replace("gravity: [0, 0, -9.81]\n", "")
                file, _ = self.run_deck(deck, "analysis.duration=0.1", "analysis.step=0.001")
                speed = np.linalg.norm(file["nodes/velocity"][-1, 0])
                # The hinge has pulled for 0.01 s: the velocity has turned by 0.01 rad, the impulse has not
                along = np.array([-math.sin(0.01), 0, -math.cos(0.01)])
                before = 0.5 * along
                if actions.startswith("[{rel"):
                    np.testing.assert_allclose(file["nodes/velocity"][-1, 0], before + [0, 0, -1], atol=1e-6)
                else:
                    gain = 2 * 0.5 * math.cos(0.01) / 0.6
                    self.assertAlmostEqual(speed, 0.5 * (1 + gain), delta=1e-6)
                    rate = 1 + gain
                    self.assertAlmostEqual(velocity, -0.5 * (1 + 2 * 0.5 / 0.6), delta=1e-12)
                self.assertAlmostEqual(file["nodes/angular_velocity"][-1, 0, 1], rate, delta=1e-6)
                self.assertEqual(self.what(file)[0].split(", ")[0], "hits nodes.rod" if "impulse" in actions[:20]
                                 else "releases joints.hinge")
                self.assertEqual(len(self.what(file)[0].split(", ")), 2)

    def test_values_are_of_signals_behind_the_actions_before(self):
        deck = self.rod("go: {when: 0.25, do: [{set: signals.a, value: 1}, {set: signals.b, value: '=a + 1'}, "
                        "{set: signals.a, value: '=10*b'}]}", step="0.05") \
            .replace("signals:\n", "signals:\n  a: {type: mode}\n  b: {type: mode}\n")
        file, _ = self.run_deck(deck)
        self.assertEqual((file["signals/a"][-1].item(), file["signals/b"][-1].item()), (20, 2))
        self.assertEqual(self.what(file), ["sets signals.a, sets signals.b, sets signals.a"])

    def test_lists_of_instances_name_and_turn_what_is_theirs(self):
        deck = """format: polhode-deck/1
parts:
  arm:
    nodes: {rod: {position: [0.5, 0, 0]}}
    bodies: {rod: {type: rigid_body, node: rod, mass: 2, inertia: [0.01, 0.1, 0.1]}}
    joints: {hinge: {type: fixed, connects: [ground, rod]}}
    events: {go: {when: 0.1, do: [{release: joints.hinge}, {node: rod, impulse: [0, 2, 0]}]}}
instances:
  one: {part: arm, at: [0, 0, 0]}
  two: {part: arm, at: [0, 0, 1], orientation: {axis: [0, 0, 1], angle_deg: 90}}
analysis: {type: transient, duration: 0.3, step: 0.01}
"""
        file, _ = self.run_deck(deck)
        self.assertEqual(self.what(file),
                         [f"releases joints.{one}.hinge, hits nodes.{one}.rod" for one in ("one", "two")])
        np.testing.assert_allclose(file["nodes/velocity"][-1], [[0, 1, 0], [-1, 0, 0]], atol=1e-12)

    def test_what_is_wrong_in_a_list_is_at_its_place(self):
        for do, said in (("[{end: true}, {lock: joints.none}]", "events.e.do.1.lock: names no joint"),
                         ("[{end: true}, {impulse: [0, 0, 1]}]", "events.e.do.1: `impulse` or `moment` belong"),
                         ("[{end: true}, {}]", "events.e.do.1: is empty"),
                         ("[]", "events.e.do: is an empty list"),
                         ("[{end: true, stop: 1}]", "events.e.do.0.stop: unknown key"),
                         ("[end]", "events.e.do.0: expected a mapping")):
            with self.subTest(do):
                self.assertIn(said, self.run_deck(self.rod(f"e: {{when: 1, do: {do}}}"), status=2))


class Release(Program):
    def test_a_released_pendulum_flies_on_its_parabola(self):
        laws = "stiffness: 3, damping: 0.4, motor: 2, torque: '=-angle', friction: {coulomb: 0.2, velocity: 0.1}, " \
               "stops: {lower: -0.1, stiffness: 100}"
        for method in ("lie_alpha", "lie_alpha_index2", "ul_crv", "ul_rotation_vector"):
            for law in ("", laws):
                with self.subTest(method=method, law=law):
                    deck = self.rod("drop: {when: 0.3, do: {release: joints.hinge}}", method=method)
                    if law:
                        deck = deck.replace("axis: [0, 1, 0]}", f"axis: [0, 1, 0], {law}}}")
                    file, _ = self.run_deck(deck)
                    self.assertEqual(self.what(file), ["releases joints.hinge"])
                    time = file["time"][()]
                    start = np.argmin(abs(time - 0.3))
                    x, v = file["nodes/position"][start, 0], file["nodes/velocity"][start, 0]
                    t = time[start:] - 0.3
                    fall = x + np.outer(t, v) + np.outer(t ** 2 / 2, [0, 0, -G])
                    np.testing.assert_allclose(file["nodes/position"][start:, 0], fall, rtol=0, atol=1e-12)
                    spin = file["nodes/angular_velocity"][start:, 0]
                    # Conformal rotation vectors of a steady turn are no linear functions of time
                    kept = 1e-5 if method == "ul_crv" else 1e-12
                    np.testing.assert_allclose(spin, np.broadcast_to(spin[0], spin.shape), rtol=0, atol=kept)
                    for path in ("force", "moment", "multipliers", "axis_torque"):
                        self.assertEqual(abs(file["joints/hinge/" + path][start + 1:]).max(), 0, path)
                    for name in ("momentum", "angular_momentum"):
                        np.testing.assert_array_equal(file[f"events/{name}_before"], file[f"events/{name}_after"])
                    # The spring has gone with what it held; the energy balance knows
                    angle = file["joints/hinge/coordinates"][start, 0]
                    lost = 1.5 * angle ** 2 if law else 0
                    self.assertAlmostEqual(file["events/energy_change"][0], -lost, delta=1e-12)
                    total, work = file["energy/total"][()], file["energy/external_work"][()]
                    self.assertLess(np.ptp((total - work)[start + 1:]), kept)

    def test_a_chain_breaks_and_both_parts_keep_what_they_have(self):
        links = range(4)
        deck = "format: polhode-deck/1\ngravity: [0, 0, -9.81]\nnodes:\n" + "".join(
            f"  l{i}: {{position: [{i + 0.5}, 0, 0]}}\n" for i in links) + "bodies:\n" + "".join(
            f"  l{i}: {{type: rigid_body, node: l{i}, mass: 1, inertia: [0.01, 0.08, 0.09]}}\n" for i in links)
        deck += "joints:\n" + "".join(
            f"  j{i}: {{type: spherical, connects: [{f'l{i - 1}' if i else 'ground'}, l{i}], at: [{i}, 0, 0]}}\n"
            for i in links)
        deck += "events: {break: {when: 0.4, do: {release: joints.j2}}}\n" \
            "analysis: {type: transient, duration: 1, step: 0.002}\n"
        file, _ = self.run_deck(deck, "nodes.l3.velocity=[0, 1, 0]", "initial={velocities: 1}")
        time = file["time"][()]
        behind = time > 0.401
        free = [2, 3]
        x, v = file["nodes/position"][behind][:, free], file["nodes/velocity"][behind][:, free]
        center, speed = x.mean(axis=1), v.mean(axis=1)
        t = time[behind] - time[behind][0]
        np.testing.assert_allclose(speed, speed[0] + np.outer(t, [0, 0, -G]), atol=1e-11)
        np.testing.assert_allclose(center, center[0] + np.outer(t, speed[0]) + np.outer(t ** 2 / 2, [0, 0, -G]),
                                   atol=1e-6)
        # Angular momentum of both links about their center: an error of second order
        q, Omega = file["nodes/rotation"][behind][:, free], file["nodes/angular_velocity"][behind][:, free]
        local = Omega * [0.01, 0.08, 0.09]
        w, u = q[..., :1], q[..., 1:]
        spin = local + 2 * np.cross(u, np.cross(u, local) + w * local)
        L = (spin + np.cross(x - center[:, None], v - speed[:, None])).sum(axis=1)
        self.assertLess(abs(L - L[0]).max(), 2e-5 * np.linalg.norm(L[0]))
        self.assertEqual(abs(file["joints/j2/force"][()][behind]).max(), 0)
        self.assertGreater(abs(file["joints/j1/force"][()][behind]).max(), 1)

    def test_all_that_are_constraints_come_apart(self):
        for joint in ("{type: fixed, connects: [ground, rod]}",
                      "{type: spherical, connects: [ground, rod], at: [0, 0, 0]}",
                      "{type: universal, connects: [ground, rod], at: [0, 0, 0], axes: [[0, 1, 0], [0, 0, 1]]}",
                      "{type: cylindrical, connects: [ground, rod], at: [0, 0, 0], axis: [0, 1, 0]}",
                      "{type: prismatic, connects: [ground, rod], at: [0, 0, 0], axis: [0, 0, 1], stiffness: 9}",
                      "{type: planar, connects: [ground, rod], at: [0, 0, 0], axis: [0, 1, 0]}",
                      "{type: screw, connects: [ground, rod], at: [0, 0, 0], axis: [0, 1, 0], pitch: 0.1}",
                      "{type: point_on_line, connects: [ground, rod], at: [0, 0, 0], axis: [0, 1, 0]}",
                      "{type: point_on_plane, connects: [ground, rod], at: [0, 0, 0], axis: [0, 1, 0]}",
                      "{type: distance, connects: [ground, rod], at: [[0, 0, 0], [0.5, 0, 0]]}",
                      "{type: motion, connects: [ground, rod], at: [0, 0, 0], motion: {x: '=sin(t)^2', ry: '=t^2'}}",
                      "{type: revolute, connects: [ground, rod], at: [0, 0, 0], axis: [0, 1, 0], rotation: '=t^2'}"):
            with self.subTest(joint):
                deck = self.rod("drop: {when: 0.3, do: {release: joints.hinge}}", duration=0.6) \
                    .replace(", velocity: [0, 0, -0.5], angular_velocity: [0, 1, 0]", "") \
                    .replace("{type: revolute, connects: [ground, rod], at: [0, 0, 0], axis: [0, 1, 0]}", joint) \
                    .replace("signals:\n  angle: {of: joints.hinge.coordinates}\n", "")
                file, _ = self.run_deck(deck)
                behind = file["time"][()] > 0.301
                acceleration = file["nodes/acceleration"][()][behind][:, 0]
                np.testing.assert_allclose(acceleration, np.broadcast_to([0, 0, -G], acceleration.shape), atol=1e-9)

    def test_a_lock_that_did_not_happen_is_no_reason_to_come_apart(self):
        lock = "catch: {when: '=angle - 9', do: {lock: joints.hinge}}, "
        free = "free: {when: 0.2, do: {release: joints.hinge}}"
        file, _ = self.run_deck(self.rod(lock + free))
        self.assertNotIn("events", file)
        np.testing.assert_allclose(np.linalg.norm(file["nodes/position"][:, 0], axis=1), 0.5, atol=1e-9)
        file, _ = self.run_deck(self.rod(lock.replace("9", "0.1") + free.replace("release", "separate")))
        self.assertEqual(self.what(file), ["locks joints.hinge", "separates joints.hinge"])
        behind = file["time"][()] > 0.201
        self.assertEqual(abs(file["joints/hinge/force"][()][behind]).max(), 0)
        self.assertLess(abs(file["nodes/angular_velocity"][()][behind]).max(), 1e-15)

    def test_a_joint_is_closed_where_both_sides_meet(self):
        # Thrown up by 3 m/s, back behind 6/g seconds
        clamp = "{type: fixed, connects: [ground, rod]}"
        events = "up: {when: 0.1, do: [{release: joints.hinge}, {node: rod, impulse: [0, 0, 6]}]}, " \
                 "back: {when: '=height', direction: down, do: {lock: joints.hinge}}"
        deck = self.rod(events).replace(", velocity: [0, 0, -0.5], angular_velocity: [0, 1, 0]", "") \
            .replace("{type: revolute, connects: [ground, rod], at: [0, 0, 0], axis: [0, 1, 0]}", clamp) \
            .replace("angle: {of: joints.hinge.coordinates}", "height: {of: nodes.rod.position.z}")
        file, _ = self.run_deck(deck)
        self.assertEqual(self.what(file), ["releases joints.hinge, hits nodes.rod", "locks joints.hinge"])
        self.assertAlmostEqual(file["events/time"][1], 0.1 + 6 / G, delta=1e-9)
        self.assertAlmostEqual(file["events/energy_change"][1], -9, delta=1e-8)
        at_rest = file["time"][()] > 0.1 + 6 / G + 1e-6
        position = file["nodes/position"][()][at_rest][:, 0]
        np.testing.assert_allclose(position, [[0.5, 0, 0]] * at_rest.sum(), atol=1e-13)
        np.testing.assert_allclose(file["joints/hinge/force"][-1], [0, 0, 2 * G], atol=1e-9)
        file, said = self.run_deck(deck, "events.back.when=0.5", "events.back.direction=up", status=3)
        self.assertIn("events.back at t = 0.5 s cannot close joints.hinge, which is apart: position z by", said)
        self.assertEqual(file.attrs["status"], "failed")

    def test_what_cannot_come_apart_is_refused_by_name(self):
        arm = ROD.replace("bodies:\n", "  arm: {position: [0, 0, 0.5]}\nbodies:\n"
                          "  arm: {type: rigid_body, node: arm, mass: 1, inertia: [0.1, 0.1, 0.1]}\n") \
            .replace("signals:\n", "  other: {type: revolute, connects: [ground, arm], at: [0, 0, 0], "
                     "axis: [0, 1, 0]}\n  gears: {type: coupling, joints: {hinge: 1, other: 1}}\nsignals:\n") \
            .replace("velocity: [0, 0, -0.5], angular_velocity: [0, 1, 0]", "velocity: [0, 0, 0]")
        tail = "analysis: {type: transient, duration: 0.5, step: 0.01}\n"
        said = self.run_deck(arm + "events: {e: {when: 0.1, do: {release: joints.hinge}}}\n" + tail, status=2)
        self.assertIn("events.e.do: takes joints.hinge apart, which joints.gears couples", said)
        both = "[{release: joints.gears}, {release: joints.hinge}]"
        file, _ = self.run_deck(arm + f"events: {{e: {{when: 0.1, do: {both}}}}}\n" + tail)
        acceleration = file["nodes/acceleration"][-1, 0]
        np.testing.assert_allclose(acceleration, [0, 0, -G], atol=1e-9)
        said = self.run_deck(self.rod("e: {when: 1, do: {release: forces.spring}}"), status=2)
        self.assertIn("events.e.do.release: names no joint of the deck: 'forces.spring'", said)

    def test_a_part_without_mass_that_loses_its_hold_is_named(self):
        deck = ROD.replace("bodies:\n", "  tip: {position: [1, 0, 0], velocity: [0, 0, -1], "
                           "angular_velocity: [0, 1, 0]}\nbodies:\n") \
            .replace("signals:\n", "  end: {type: fixed, connects: [rod, tip]}\nsignals:\n")
        deck += "events: {e: {when: 0.1, do: {release: joints.end}}}\n" \
                "analysis: {type: transient, duration: 0.5, step: 0.01}\n"
        _, said = self.run_deck(deck, status=3)
        self.assertIn("events.e at t = 0.1 s leaves no motion that is unique", said)
        self.assertIn("no mass of its own", said)

    def test_runs_with_a_release_are_taken_up_to_the_last_bit(self):
        deck = self.rod("drop: {when: 0.3, do: {release: joints.hinge}}", step="{tolerance: 1.0e-5}") \
            .replace("axis: [0, 1, 0]}", "axis: [0, 1, 0], stiffness: 3}")
        deck = deck.replace("analysis: {", "analysis: [{type: transient, duration: 0.1, step: 0.01}, {").rstrip() + "]\n"
        file, _ = self.run_deck(deck, "output.restart=5")
        for at in (0.05, 0.25, 0.6):
            done = self.call("run", "--restart", f"run{self.runs}.h5", "--at", at, "-o", f"again{at}.h5")
            self.assertEqual(done.returncode, 0, done.stderr)
            with h5py.File(self.folder / f"again{at}.h5") as again:
                for path in ("time", "nodes/position", "nodes/velocity", "energy/strain", "energy/external_work"):
                    np.testing.assert_array_equal(file[path][()], again[path][()], path)


class AtTheStart(Program):
    def test_a_latch_is_released_behind_statics(self):
        file, said = self.run_deck(LATCH)
        self.assertIn("analysis.1 at t = 0 s: releases joints.wire", said)
        # k (z_0 - z) with z_0 = 1 - 1.6
        time, z = file["time"][()], file["nodes/position"][:, 0, 2]
        self.assertAlmostEqual(z[0], -1, delta=1e-12)
        np.testing.assert_allclose(file["joints/wire/force"][1], [0, 0, -20], atol=1e-9)
        np.testing.assert_allclose(z, -0.6 - 0.4 * np.cos(5 * time), atol=2e-5)
        self.assertEqual(abs(file["joints/wire/force"][2:]).max(), 0)
        total = file["energy/total"][()]
        self.assertLess(np.ptp(total), 1e-6 * total[0])

    def test_a_load_drops_from_a_beam(self):
        file, _ = self.run_deck((ROOT / "inputs" / "examples" / "dropped_load.yaml").read_text())
        EI, w = 2.1e11 * 0.05 * 0.02 ** 3 / 12, 7850 * 0.001 * G
        # The load turns with the tip, and its weight has a lever then
        lever = 0.3 * (10 * G * 4 / (2 * EI) + w * 8 / (6 * EI))
        sag = -(10 * G * 8 / (3 * EI) + w * 16 / (8 * EI) - 10 * G * lever * 4 / (2 * EI))
        self.assertAlmostEqual(file["responses/sag"][()], sag, delta=1e-3 * abs(sag))  # large deflections
        fallen = file["responses/sag"][()] - 0.3 - G * 0.6 ** 2 / 2
        self.assertAlmostEqual(file["responses/load"][()], fallen, delta=3e-4)
        tip = file["nodes/position"][2:, list(file["nodes/names"][()]).index(b"tip"), 2]
        middle = w * 16 / (8 * EI)
        self.assertAlmostEqual(file["responses/rise"][()], -2 * middle - sag, delta=0.03 * abs(sag))
        # Where it passes the middle, twice a period
        passes = np.flatnonzero(np.diff(np.sign(tip + middle)))
        f = (len(passes) - 1) / 2 / (1e-3 * (passes[-1] - passes[0]))
        self.assertAlmostEqual(f, 3.516 / (8 * math.pi) * math.sqrt(EI * G / w), delta=0.03)

    def test_a_hinge_is_held_in_one_analysis_and_free_in_the_next(self):
        rest = ROD.replace(", velocity: [0, 0, -0.5], angular_velocity: [0, 1, 0]", "")
        step = "duration: 0.5, step: 0.01"
        file, _ = self.run_deck(rest + f"analysis: [{{type: static, locked: [joints.hinge]}}, "
                                f"{{type: transient, {step}, released: [joints.hinge]}}]\n")
        other, _ = self.run_deck(rest + f"analysis: {{type: transient, {step}}}\n")
        np.testing.assert_allclose(file["nodes/position"][-1], other["nodes/position"][-1], atol=1e-13)
        # Held again: the motion is lost by impulses, and the energy with it
        file, said = self.run_deck(rest + f"analysis: [{{type: transient, {step}}}, "
                                   f"{{type: transient, duration: 0.2, step: 0.01, locked: [joints.hinge]}}]\n")
        angle = file["joints/hinge/coordinates"][:, 0]
        behind = file["time"][()] > 0.5
        np.testing.assert_allclose(angle[behind], angle[-1], atol=1e-13)
        lost = file["energy/kinetic"][np.argmin(abs(file["time"][()] - 0.5))]
        self.assertIn(f"analysis.1 at t = 0.5 s: locks joints.hinge, energy -{lost:.6g} J", said)
        balance = file["energy/total"][()] - file["energy/external_work"][()]
        self.assertAlmostEqual(balance[-1], balance[np.argmax(behind) - 2], delta=1e-4)

    def test_every_method_begins_with_a_joint_apart(self):
        deck = ROD.split("signals:")[0].replace("axis: [0, 1, 0]}", "axis: [0, 1, 0], stiffness: 4, damping: 0.2}")
        deck += "analysis: {type: transient, duration: 0.5, step: 0.005, released: [joints.hinge]}\n"
        end = [0.5, 0, -0.25 - G / 8]
        for method in ("lie_alpha", "lie_alpha_index2", "ul_crv", "ul_rotation_vector", "radau5", "rosenbrock4",
                       "rosenbrock_w2", "energy_momentum", "variational"):
            with self.subTest(method):
                file, _ = self.run_deck(deck, f"analysis.integrator={{method: {method}}}")
                np.testing.assert_allclose(file["nodes/position"][-1, 0], end, atol=1e-10)
                self.assertAlmostEqual(file["nodes/angular_velocity"][-1, 0, 1], 1, delta=1e-8)
                self.assertEqual(abs(file["joints/hinge/axis_torque"][()]).max(), 0)
        for method in ("adams", "bdf", "explicit_rk"):
            with self.subTest(method):
                file, _ = self.run_deck(deck, f"analysis.integrator={{method: {method}}}",
                                        "analysis.step={tolerance: 1.0e-6}")
                np.testing.assert_allclose(file["nodes/position"][-1, 0], end, atol=1e-5)

    def test_a_run_that_is_taken_up_has_its_joints_as_they_were(self):
        rest = ROD.replace(", velocity: [0, 0, -0.5], angular_velocity: [0, 1, 0]", "") \
            .replace("axis: [0, 1, 0]}", "axis: [0, 1, 0], stiffness: 4}")
        file, _ = self.run_deck(rest + "analysis: [{type: transient, duration: 0.3, step: 0.01}, {type: transient, "
                                "duration: 0.2, step: 0.01, locked: [joints.hinge]}, {type: transient, duration: 0.3, "
                                "step: 0.01, released: [joints.hinge]}]\noutput: {restart: 4}\n")
        for at in (0.1, 0.35, 0.6):
            done = self.call("run", "--restart", f"run{self.runs}.h5", "--at", at, "-o", f"again{at}.h5")
            self.assertEqual(done.returncode, 0, done.stderr)
            with h5py.File(self.folder / f"again{at}.h5") as again:
                for path in ("time", "nodes/position", "nodes/velocity", "energy/external_work"):
                    np.testing.assert_array_equal(file[path][()], again[path][()], path)

    def test_modes_with_a_lock_are_those_of_a_fixed_joint(self):
        beam = """format: polhode-deck/1
nodes: {a: {position: [0, 0, 0]}, b: {position: [1, 0, 0]}, c: {position: [1, 0, 0]}, d: {position: [2, 0.5, 0]}}
sections: {tube: {shape: tube, radius: 0.02, inner_radius: 0.018, E: 7.0e+10, nu: 0.33, density: 2700}}
beams:
  one: {section: tube, from: a, to: b, elements: 3, orientation: [0, 0, 1]}
  two: {section: tube, from: c, to: d, elements: 3, orientation: [0, 0, 1]}
bodies: {tip: {type: rigid_body, node: d, mass: 1, inertia: [0.02, 0.02, 0.02]}}
joints:
  root: {type: fixed, connects: [ground, a]}
  elbow: {type: HINGE, connects: [b, c], at: [1, 0, 0]}
"""
        hinged = beam.replace("HINGE", "revolute").replace("at: [1, 0, 0]}", "at: [1, 0, 0], axis: [0, 0, 1]}")
        fixed, _ = self.run_deck(beam.replace("HINGE", "fixed") + "analysis: {type: modal, modes: 6}\n")
        file, _ = self.run_deck(hinged + "analysis: [{type: modal, modes: 6}, {type: modal, modes: 6, locked: "
                                "[joints.elbow]}, {type: modal, modes: 6, released: [joints.elbow]}]\n")
        f = file["modal/frequencies"][()].reshape(3, 6)
        np.testing.assert_allclose(f[1], fixed["modal/frequencies"], rtol=1e-9)
        np.testing.assert_allclose(f[2], f[0], rtol=1e-6, atol=1e-6)
        self.assertLess(f[0, 0], 1e-3)
        # The lock of an event stays for what follows the transient
        lock = "events: {stay: {when: 0.005, do: {lock: joints.elbow}}}\n"
        file, _ = self.run_deck(hinged + lock + "analysis: [{type: transient, duration: 0.01, step: 0.001}, "
                                "{type: static}, {type: modal, modes: 6}, {type: linearize, modes: 6}]\n")
        np.testing.assert_allclose(file["modal/frequencies"], fixed["modal/frequencies"], rtol=1e-6)

    def test_what_does_not_hold_is_no_equation(self):
        lock = "events: {stay: {when: 0.5, do: {lock: joints.hinge}}}\n"
        step = "type: transient, duration: 1, step: 0.01"
        self.assertRegex(self.check_deck(ROD + lock + f"analysis: {{{step}}}\n"), r"constraints +5 rows, rank 5")
        held = ROD.replace(", velocity: [0, 0, -0.5], angular_velocity: [0, 1, 0]", "")
        held = self.check_deck(held + f"analysis: {{{step}, locked: [joints.hinge]}}\n")
        self.assertRegex(held, r"constraints +6 rows, rank 6")
        self.assertRegex(held, r"degrees of freedom +0")
        free = self.check_deck(ROD + f"analysis: {{{step}, released: [joints.hinge]}}\n")
        self.assertRegex(free, r"constraints +0 rows, rank 0")

    def test_what_cannot_be_is_refused_by_name(self):
        step = "type: transient, duration: 1, step: 0.01"
        for settings, said in (
                ("released: [joints.other]", "analysis.released: names no joint of the deck"),
                ("locked: [hinge]", "analysis.locked: names no joint of the deck: 'hinge'"),
                ("locked: joints.hinge", "analysis.locked: expected a list")):
            with self.subTest(settings):
                self.assertIn(said, self.run_deck(ROD + f"analysis: {{{step}, {settings}}}\n", status=2))
        fixed = ROD.replace("type: revolute", "type: fixed").replace(", axis: [0, 1, 0]", "").split("signals:")[0]
        said = self.run_deck(fixed + f"analysis: {{{step}, locked: [joints.hinge]}}\n", status=2)
        self.assertIn("analysis.locked: is no joint that can be locked", said)


if __name__ == "__main__":
    unittest.main()
