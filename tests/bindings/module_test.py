# SPDX-License-Identifier: BSD-3-Clause
"""The Python module: closed loops, the same messages, views without copies, cost of a step, memory."""
import gc
import os
import pathlib
import subprocess
import tempfile
import time
import tracemalloc
import unittest

import numpy
import polhode

INPUTS = pathlib.Path(__file__).resolve().parents[2] / "inputs"
CART = INPUTS / "examples/cart_and_pole_held.yaml"
TOP = INPUTS / "benchmarks/heavy_top.yaml"
FORCE = "=10*x + 121.88*phi + 14.439*v + 36.061*omega"


def falling(**more):
    return {"format": "polhode-deck/1", "gravity": [0, 0, -10],
            "nodes": {"mass": {"position": numpy.zeros(3), "dofs": "translation"}},
            "bodies": {"mass": {"type": "point_mass", "node": "mass", "mass": numpy.float64(2)}},
            "responses": {"z": {"last": "nodes.mass.position.z"}},
            "analysis": {"type": "transient", "duration": 1, "step": 0.01}, **more}


def resident():
    """Memory of this process, bytes."""
    return int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


class ClosedLoops(unittest.TestCase):
    def test_a_controller_in_python_is_the_sampled_one_of_the_deck(self):
        sampled, host = polhode.Simulation(CART), polhode.Simulation(CART)
        sampled.set("signals.force", {"type": "sample_hold", "input": FORCE, "period": 0.005})
        host.set("signals.force", {"type": "external"})
        s, largest, steps = host.signals, 0, 0
        goes_on = host.start() and sampled.start()
        while goes_on:
            s["force"] = 10 * s["x"] + 121.88 * s["phi"] + 14.439 * s["v"] + 36.061 * s["omega"]
            goes_on = host.step()
            self.assertEqual(sampled.step(), goes_on)
            largest = max(largest, abs(sampled.state.positions - host.state.positions).max())
            steps += goes_on
        self.assertEqual(steps, 2000)
        self.assertLess(largest, 1e-9)
        self.assertLess(abs(s["phi"]), 1e-3)

    def test_two_simulations_do_not_know_of_each_other(self):
        alone = polhode.Simulation(TOP)
        alone.step(0.1)
        first, second = polhode.Simulation(TOP), polhode.Simulation(falling())
        for _ in range(50):
            first.step()
            second.step()
        self.assertTrue((first.state.positions == alone.state.positions).all())
        self.assertAlmostEqual(second.state.velocities[0, 2], -5, places=10)


class Decks(unittest.TestCase):
    def test_a_dict_is_the_deck_that_a_text_is(self):
        text = polhode._yaml(falling(), indent=1)
        by_dict, by_text = polhode.Simulation(falling()), polhode.Simulation(text)
        by_dict.set("analysis.step", 0.005)
        by_text.set("analysis", {"type": "transient", "duration": 1, "step": 0.005})
        self.assertEqual(by_dict.responses, by_text.responses)
        self.assertAlmostEqual(by_dict.responses["z"], -5, delta=1e-4)

    def test_errors_have_place_and_path(self):
        with self.assertRaisesRegex(polhode.DeckError, r"^<dict>:\d+:\d+: gravty: .*gravity"):
            polhode.Simulation(falling(gravty=[0, 0, 1])).run()
        with self.assertRaisesRegex(polhode.FileError, "no_such_deck.yaml"):
            polhode.Simulation("no_such_deck.yaml")
        with self.assertRaises(polhode.SettingError):
            polhode.Simulation(falling()).set("gravity.0.x", 1)

    def test_errors_are_those_of_the_command_line(self):
        with tempfile.TemporaryDirectory() as folder:
            deck = os.path.join(folder, "wrong.yaml")
            pathlib.Path(deck).write_text(polhode._yaml(falling(gravty=1, bodies={}), indent=1))
            said = subprocess.run([os.environ["POLHODE_BINARY"], "check", deck], capture_output=True, text=True, check=False)
            with self.assertRaises(polhode.DeckError) as caught:
                polhode.Simulation(deck).start()
            self.assertEqual(str(caught.exception).strip(), said.stderr.strip())

    def test_a_solution_that_fails_is_an_exception(self):
        stopped = polhode.Simulation(TOP)
        stopped.set("analysis.newton.max_iterations", 1)
        stopped.set("analysis.newton.halvings", 0)
        with self.assertRaisesRegex(polhode.SolutionError, "did not converge"):
            stopped.run()


class States(unittest.TestCase):
    def test_arrays_are_read_only_views_that_steps_change(self):
        top = polhode.Simulation(TOP)
        x, R = top.state.positions, top.state.rotations
        for _ in range(5):  # an odd and an even number of steps
            before = x.copy()
            top.step()
            self.assertGreater(abs(x - before).max(), 1e-3)
            self.assertTrue((x == top.state.positions).all())
        self.assertTrue(numpy.allclose(R[0] @ R[0].T, numpy.eye(3), atol=1e-13))
        self.assertFalse(x.flags.owndata or x.flags.writeable)
        with self.assertRaises(ValueError):
            x[0, 0] = 1
        del top
        gc.collect()
        self.assertEqual(x.shape, (1, 3))  # the simulation lives as long as its arrays

    def test_results_have_units(self):
        mass = polhode.Simulation(falling()).run()
        z = mass.results["nodes/position"]
        self.assertEqual((z.shape, z.units, z.frame), ((101, 1, 3), "m", "inertial"))
        self.assertIn("/time", mass.results)

    def test_a_linear_model_is_that_of_the_equations(self):
        cart = polhode.Simulation(CART)
        cart.set("nodes.bob.position", [0, 0, 1])
        cart.set("signals.force", {"type": "external"})
        model = cart.linearize(["joints.rail.motor"], ["joints.pin.coordinates"])
        rates = sorted(numpy.linalg.eigvals(model.A).real)
        self.assertAlmostEqual(rates[-1], (9.81 * 2.5 / 2) ** 0.5, places=6)  # sqrt(g (M + m) / (M l))
        self.assertEqual((model.A.shape, model.inputs), ((4, 4), ["joints.rail.motor"]))

    def test_loops_of_control_are_cut(self):
        cart = polhode.Simulation(CART)
        cart.set("nodes.bob.position", [0, 0, 1])
        cart.set("signals.phi", "from_start")
        held = cart.linearize(["signals.force"], ["joints.pin.coordinates"])
        self.assertLess(max(numpy.linalg.eigvals(held.A).real), -0.1)
        cut = cart.linearize(["signals.force"], ["joints.pin.coordinates"], open=["signals.force"])
        self.assertAlmostEqual(max(numpy.linalg.eigvals(cut.A).real), (9.81 * 2.5 / 2) ** 0.5, places=6)
        self.assertTrue(numpy.allclose(cut.B, held.B))
        with self.assertRaisesRegex(polhode.DeckError, "signals.forse"):
            cart.linearize([], [], open=["signals.forse"])
        with self.assertRaisesRegex(ValueError, "go with `inputs`"):
            cart.linearize(open=["signals.force"])

    def test_delays_have_approximants_of_the_order_that_is_asked_for(self):
        cart = polhode.Simulation(CART)
        cart.set("nodes.bob.position", [0, 0, 1])
        cart.set("signals.phi", "from_start")
        cart.set("signals.late", {"type": "delay", "input": "x", "time": 0.1})
        states = cart.linearize(["signals.force"], ["signals.late"], pade=2).A.shape[0]
        self.assertEqual(cart.linearize(["signals.force"], ["signals.late"], pade=5).A.shape[0], states + 3)
        self.assertEqual(cart.linearize(["signals.force"], ["signals.late"]).A.shape[0], states + 1)
        with self.assertRaisesRegex(ValueError, "1, 10"):
            cart.linearize([], [], pade=0)

    def test_names_that_are_none_are_refused(self):
        cart = polhode.Simulation(CART)
        with self.assertRaisesRegex(KeyError, "there is no such signal; did you mean 'force'"):
            cart.signals["forse"]
        with self.assertRaisesRegex(ValueError, "type: external"):
            cart.signals["phi"] = 1


@unittest.skipIf("POLHODE_SANITIZED" in os.environ, "the sanitizer takes memory and time of its own")
class Costs(unittest.TestCase):
    def test_a_thousand_simulations_leave_nothing(self):
        deck = falling()

        def make(count):
            for _ in range(count):
                mass = polhode.Simulation(deck)
                mass.step()
                mass.state.positions.sum()

        make(200)
        gc.collect()
        tracemalloc.start()
        before, traced = resident(), tracemalloc.get_traced_memory()[0]
        make(1000)
        gc.collect()
        grown, kept = resident() - before, tracemalloc.get_traced_memory()[0] - traced
        tracemalloc.stop()
        self.assertLess(grown, 1_000_000)  # a simulation has some 100 kB
        self.assertLess(kept, 20_000)

    def test_a_step_from_python_costs_two_microseconds_more_at_most(self):
        """Against the same steps in one call; the least of several, with the state in use."""
        def seconds_of(drive):
            top = polhode.Simulation(TOP)
            top.state.positions.sum()
            begin = time.process_time()
            drive(top)
            return (time.process_time() - begin) / 1000

        def step(top):
            while top.step():
                pass

        whole, stepped = (min(seconds_of(drive) for _ in range(9)) for drive in (polhode.Simulation._run, step))
        self.assertLess(stepped - whole, 2e-6, f"a step: {whole:.3g} s in one call, {stepped:.3g} s from Python")


if __name__ == "__main__":
    unittest.main()
