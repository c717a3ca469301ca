# SPDX-License-Identifier: BSD-3-Clause
"""Reactions of locked joints: with what holds the lock."""
import unittest

import numpy as np

from deck_runs import DeckRuns

# A rod of 2 kg, its center half a meter from the joint, on the ground by it alone
ROD = """format: polhode-deck/1
gravity: [1, 2, -9.81]
nodes: {{rod: {{position: [0.5, 0, 0]}}}}
bodies: {{rod: {{type: rigid_body, node: rod, mass: 2, inertia: [0.01, 0.1, 0.1]}}}}
joints: {{h: {{connects: [ground, rod], at: [0, 0, 0], {joint}}}}}
{more}
"""
FORCE = [-2, -4, 19.62]
MOMENT = [0, -9.81, -2]
LOCKED = ("type: revolute, axis: [0, 1, 0]", "type: prismatic, axis: [1, 0, 0]", "type: cylindrical, axis: [1, 0, 0]",
          "type: planar, axis: [1, 0, 0]", "type: spherical", "type: universal, axes: [[0, 1, 0], [1, 0, 0]]",
          "type: screw, axis: [0, 1, 0], pitch: 0.1")


class LockReactions(DeckRuns):
    def test_they_are_those_of_a_fixed_joint(self):
        for joint in LOCKED:
            for analysis in ("{type: static, locked: [joints.h]}",
                             "{type: transient, duration: 0.05, step: 0.01, locked: [joints.h]}"):
                with self.subTest((joint, analysis)):
                    file, _ = self.run_deck(ROD.format(joint=joint, more=f"analysis: {analysis}"))
                    np.testing.assert_allclose(file["joints/h/force"][-1], FORCE, rtol=0, atol=1e-9)
                    np.testing.assert_allclose(file["joints/h/moment"][-1], MOMENT, rtol=0, atol=1e-9)

    def test_points_on_lines_and_planes_are_held_as_by_a_ball(self):
        start = "analysis: {type: transient, duration: 0.1, step: 0.005"
        ball, _ = self.run_deck(ROD.format(joint="type: spherical", more=start + "}"))
        for joint in ("type: point_on_line, axis: [1, 0, 0]", "type: point_on_plane, axis: [1, 0, 0]"):
            with self.subTest(joint):
                file, _ = self.run_deck(ROD.format(joint=joint, more=start + ", locked: [joints.h]}"))
                np.testing.assert_allclose(file["joints/h/force"][()], ball["joints/h/force"][()], rtol=0, atol=1e-8)

    def test_they_follow_locks_of_events_and_vanish_with_them(self):
        events = "events: {catch: {when: 0.2, do: {lock: joints.h}}, drop: {when: 0.4, do: {release: joints.h}}}\n"
        file, _ = self.run_deck(ROD.format(joint="type: revolute, axis: [0, 1, 0]", more=events + (
            "analysis: {type: transient, duration: 0.6, step: 0.01}")))
        t, moment = file["time"][()], file["joints/h/moment"][:, 1]
        held = (t > 0.215) & (t < 0.395)
        # Against the weight and the side force where the rod stands then
        x = file["nodes/position"][held, 0]
        np.testing.assert_allclose(moment[held], -2 * (x[:, 2] * 1 + x[:, 0] * 9.81), rtol=0, atol=1e-7)
        self.assertGreater(abs(moment[held]).min(), 1)
        np.testing.assert_allclose(moment[(t < 0.195) | (t > 0.405)], 0, atol=1e-9)

    def test_responses_and_linear_models_have_them(self):
        # With a slide beside it: a model without a motion has no state space
        deck = ROD.format(joint="type: revolute, axis: [0, 1, 0]", more="""
responses: {moment: {max_abs: joints.h.moment.y}}
analysis:
  - {type: static, locked: [joints.h]}
  - {type: linearize, inputs: [nodes.rod.force.z], outputs: [joints.h.moment.y]}
""").replace("{rod: {position: [0.5, 0, 0]}}", "{rod: {position: [0.5, 0, 0]}, s: {position: [3, 0, 0]}}") \
            .replace("bodies: {", "bodies: {s: {type: rigid_body, node: s, mass: 1, inertia: [1, 1, 1]}, ") \
            .replace("joints: {", "joints: {s: {type: prismatic, connects: [ground, s], at: [3, 0, 0], "
                     "axis: [1, 0, 0], stiffness: 5}, ")
        file, said = self.run_deck(deck)
        self.assertAlmostEqual(file["responses/moment"][()], 9.81, delta=1e-9, msg=said)
        self.assertAlmostEqual(file["linear/analysis_1/state_space/D"][0, 0], 0.5, delta=1e-9)

    def test_sensors_that_would_leave_them_out_are_refused(self):
        event = "events: {e: {when: 1, do: {lock: joints.h}}}\nanalysis: {type: transient, duration: 0.1, step: 0.01}\n"
        for joint, number, refused in ((LOCKED[0], "moment.y", True), (LOCKED[0], "force.y", False),
                                       (LOCKED[1], "force.x", True), (LOCKED[4], "force.x", False)):
            with self.subTest((joint, number)):
                deck = ROD.format(joint=joint, more=f"signals: {{m: {{of: joints.h.{number}}}}}\n" + event)
                if refused:
                    self.assertIn("signals.m.of: is a reaction of joints.h, which is locked on the way",
                                  self.run_deck(deck, status=2))
                else:
                    self.run_deck(deck)


if __name__ == "__main__":
    unittest.main()
