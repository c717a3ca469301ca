# SPDX-License-Identifier: BSD-3-Clause
"""Locks, releases and separations where redundant constraint equations are resolved."""
import unittest

import numpy as np

from deck_runs import DeckRuns

# A four-bar in the plane of x and z. Four hinges hold three equations too many; with two balls in the place of B and C
# it moves alike, and none is redundant.
FOUR_BAR = """format: polhode-deck/1
gravity: [2, 0, -9.81]
constraints: {{redundant: resolve}}
nodes:
  crank: {{position: [0, 0, 0.5]}}
  coupler: {{position: [1, 0, 1]}}
  rocker: {{position: [2, 0, 0.5]}}
bodies:
  crank: {{type: rigid_body, node: crank, mass: 1, inertia: [0.1, 0.1, 0.01]}}
  coupler: {{type: rigid_body, node: coupler, mass: 3, inertia: [0.02, 0.7, 0.7]}}
  rocker: {{type: rigid_body, node: rocker, mass: 2, inertia: [0.2, 0.2, 0.02]}}
joints:
  A: {{type: revolute, connects: [ground, crank], at: [0, 0, 0], axis: [0, 1, 0]}}
  B: {{connects: [crank, coupler], at: [0, 0, 1], {inner}}}
  C: {{connects: [coupler, rocker], at: [2, 0, 1], {inner}}}
  D: {{type: revolute, connects: [rocker, ground], at: [2, 0, 0], axis: [0, 1, 0]}}
signals:
  angle: {{of: joints.A.coordinates}}
"""
HINGES = FOUR_BAR.format(inner="type: revolute, axis: [0, 1, 0]")
BALLS = FOUR_BAR.format(inner="type: spherical")

EVENTS = """events:
  catch: {when: '=angle - 0.2', direction: up, do: {lock: joints.A}}
  let_go: {when: 0.75, do: {release: joints.A}}
  breaks: {when: 1.1, do: {separate: joints.C}}
"""


class RedundantEvents(DeckRuns):
    def test_a_machine_with_hinges_too_many_moves_as_one_with_balls(self):
        for method, step, same in (("lie_alpha", "0.002", 1e-9), ("radau5", "0.005", 1e-9),
                                   ("rosenbrock4", "0.005", 1e-8), ("lie_alpha_index2", "0.002", 1e-9)):
            with self.subTest(method):
                analysis = f"analysis: {{type: transient, duration: 1.4, step: {step}, integrator: {{method: {method}}}}}\n"
                hinges, said = self.run_deck(HINGES + EVENTS + analysis)
                balls, _ = self.run_deck(BALLS + EVENTS + analysis)
                self.assertEqual([name.decode() for name in hinges["events/names"][()]], ["catch", "let_go", "breaks"])
                # The tree behind the break has none
                self.assertIn("0 redundant constraint equations from here on, 3 before", said)
                np.testing.assert_allclose(hinges["events/time"][()], balls["events/time"][()], rtol=0, atol=1e-9)
                np.testing.assert_allclose(hinges["nodes/position"][()], balls["nodes/position"][()], rtol=0, atol=same)
                np.testing.assert_allclose(hinges["events/impulse"][()], balls["events/impulse"][()], rtol=1e-7)
                energy = hinges["events/energy_change"][()]
                self.assertLess(energy[0], -1e-3)
                np.testing.assert_allclose(energy[1:], 0, atol=1e-12)
                # What is locked stands still
                held = (hinges["time"][()] > hinges["events/time"][0] + 0.01) & (hinges["time"][()] < 0.75)
                self.assertGreater(held.sum(), 20)
                self.assertLess(np.ptp(hinges["nodes/position"][held], axis=0).max(), 1e-9)

    def test_starts_of_analyses_lock_and_release(self):
        analyses = ("analysis:\n  - {type: transient, duration: 0.1, step: 0.002, locked: [joints.A]}\n"
                    "  - {type: transient, duration: 0.3, step: 0.002, released: [joints.A]}\n")
        hinges, _ = self.run_deck(HINGES + analyses)
        free = "analysis: {type: transient, duration: 0.3, step: 0.002}\n"
        alone, _ = self.run_deck(BALLS + free)
        position = hinges["nodes/position"][()]
        self.assertLess(np.ptp(position[hinges["time"][()] < 0.1], axis=0).max(), 1e-12)
        np.testing.assert_allclose(position[-1], alone["nodes/position"][-1], rtol=0, atol=1e-9)

    def test_a_lock_on_what_is_held_already_is_one_equation_more_that_is_redundant(self):
        twice = ("events: {catch: {when: 0.2, do: {lock: joints.A}}, again: {when: 0.3, do: {lock: joints.D}}}\n"
                 "analysis: {type: transient, duration: 0.5, step: 0.005}\n")
        file, said = self.run_deck(HINGES + twice)
        self.assertIn("4 redundant constraint equations from here on, 3 before", said)
        self.assertLess(np.ptp(file["nodes/position"][file["time"][()] > 0.2], axis=0).max(), 1e-9)


if __name__ == "__main__":
    unittest.main()
