# SPDX-License-Identifier: BSD-3-Clause
"""scripts/plot and scripts/animate on a small results file, finished or not, and the geometry behind them."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import h5py
import matplotlib
import numpy as np

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/pictures"))

from convergence import Convergence, is_convergence  # noqa: E402
from model_page import Model, start_of  # noqa: E402
from motion import Motion, given_solid, is_inside, rotation_matrices, solid_of  # noqa: E402
from numbers_of_decks import Numbers  # noqa: E402
import plot  # noqa: E402
from plot import panels_of  # noqa: E402
from results import Results, ResultsError  # noqa: E402
from runs import rotation_vector, slope  # noqa: E402
from shown_nodes import note_on, shown_nodes  # noqa: E402
from signals import panels_of_signals  # noqa: E402
from style import COLORS  # noqa: E402
from study import Study, draw_page as draw_study, is_study  # noqa: E402

DECK = """
format: polhode-deck/1
parameters: {m: 3, half: "=L/2", L: 2}
nodes: {base: {position: [0, 0, 0], fixed: true}, bob: {position: ["=half", 0, 0]}}
bodies: {bob: {type: rigid_body, node: bob, mass: "=m", shape: box, size: [1, 2, 0.5]}}
joints: {pivot: {type: revolute, connects: [base, bob], at: [0, 0, 0], axis: [0, 0, 1]}}
forces: {spring: {type: spring_damper, connects: [ground, bob], at: [[0, 3, 0], ["=2*half", 0, 0]], stiffness: 1}}
analysis: {type: transient, duration: 1, step: 0.05, integrator: {method: lie_alpha}}
"""


def share(file, group, quantity, data, links, units=""):
    """A history of all entities of a group, with the paths of its tables (version 2)."""
    dataset = file.create_dataset(f"{group}/{quantity}", data=data, maxshape=(None, *data.shape[1:]))
    dataset.attrs.update({"units": units, **{key: f"/{group}/{table}" for key, table in links.items()}})


def share_results(path):
    """Makes version 2 of a file of version 1: what joints and bodies have stands together, with a joint `gear` that has
    no force and two coordinates."""
    with h5py.File(path, "r+") as file:
        file.attrs["format"] = "polhode-results/2"
        force, angle = file["joints/pivot/force"][()], file["joints/pivot/coordinates"][()]
        body = {key: data[()] for key, data in file["bodies/bob"].items()}
        del file["joints"], file["bodies"]
        file["joints/names"] = np.array(["gear", "pivot"], dtype="S5")  # as large groups have them
        file["joints/items"] = np.array([-1, 1])
        file["joints/coordinate_ranges"] = np.array([[0, 2], [2, 1]])
        file["joints/coordinates_units"] = np.array(["m", "rad"], dtype=h5py.string_dtype())
        forces = np.stack([0 * force, force], axis=1)
        share(file, "joints", "force", forces, {"names": "names", "items": "items"}, "N")
        share(file, "joints", "coordinates", np.hstack([angle + 1, angle + 2, angle]),
              {"names": "names", "ranges": "coordinate_ranges", "units_by_name": "coordinates_units"}, "m, rad")
        file["bodies/names"] = np.array(["bob"], dtype=h5py.string_dtype())
        for key, data in body.items():
            file["bodies/" + key] = data.reshape(1, *data.shape) if data.shape != (1,) else data
        file["beams/names"] = np.array(["arm", "leg"], dtype=h5py.string_dtype())
        file["beams/node_ranges"] = np.array([[0, 2], [2, 3]])
        file["beams/nodes"] = np.array([0, 1, 1, 0, 1])


def write_results(path, unfinished=False):
    """A body on a crank that turns about z by t radians."""
    time = np.linspace(0, 1, 21)
    position = np.zeros((21, 2, 3))
    position[:, 1, 0], position[:, 1, 1] = np.cos(time), np.sin(time)
    rotation = np.zeros((21, 2, 4))
    rotation[:, :, 0] = 1
    rotation[:, 1, 0], rotation[:, 1, 3] = np.cos(time / 2), np.sin(time / 2)
    with h5py.File(path, "w") as file:
        file.attrs.update({"format": "polhode-results/1", "title": "Crank",
                           "status": "running" if unfinished else "completed"})
        file["deck"] = DECK
        file["nodes/names"] = np.array(["base", "bob"], dtype=h5py.string_dtype())
        histories = {"time": time, "nodes/position": position, "nodes/rotation": rotation,
                     "energy/kinetic": 0 * time + 2, "energy/total": 0 * time + 2,
                     "joints/pivot/force": position[:, 1], "joints/pivot/moment": 0 * position[:, 1],
                     "joints/pivot/coordinates": time[:, None],
                     "solver/time": time[1:], "solver/newton_iterations": np.full(20, 3)}
        for name, data in histories.items():
            # A run that was killed may leave one history longer than another.
            data = data[:-4] if unfinished and name == "nodes/position" else data
            file.create_dataset(name, data=data, maxshape=(None, *data.shape[1:]))
        size = np.array([1, 2, 0.5])
        body = {"mass": [3.0], "center_of_mass": np.zeros(3), "inertia": np.diag(3 / 12 * (size @ size - size**2))}
        for name, data in body.items():  # as the program works them out from the shape
            file["bodies/bob/" + name] = data
        file["joints/pivot/offsets"] = np.zeros((2, 3))  # does not change in time


class Pictures(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.results = pathlib.Path(self.temporary.name, "crank.h5")
        write_results(self.results)

    def run_script(self, name, *arguments, on=None):
        command = [ROOT / "scripts" / name, on or self.results, *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    def test_plot_leaves_a_picture_beside_the_results(self):
        done = self.run_script("plot")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.strip(), str(self.results.with_suffix(".png")))
        self.assertTrue(self.results.with_suffix(".png").read_bytes().startswith(b"\x89PNG"))

    def test_signals_are_chosen_by_name_component_and_wildcard(self):
        results = Results(str(self.results))
        wanted = ["nodes.bob.position.y", "joints.*.force", "energy.total", "nodes.*.position"]
        panels = panels_of_signals(results, wanted)
        self.assertEqual([[name for name, _ in series] for _, _, series in panels[:3]],
                         [wanted[:1], [f"joints.pivot.force.{letter}" for letter in "xyz"], wanted[2:3]])
        self.assertLess(np.abs(panels[0][2][0][1] - np.sin(results.time)).max(), 1e-12)
        self.assertEqual(len(panels[3][2]), 6)
        results.file.close()
        share_results(self.results)
        shared = panels_of_signals(Results(str(self.results)), ["joints.pivot.force.x", "joints.gear.coordinates[1]"])
        self.assertLess(np.abs(shared[0][2][0][1] - np.cos(results.time)).max(), 1e-12)
        self.assertLess(np.abs(shared[1][2][0][1] - results.time - 2).max(), 1e-12)
        done = self.run_script("plot", "--signals", "joints.pivot.*,nodes.bob.velocity.z")
        self.assertEqual(done.returncode, 1)
        done = self.run_script("plot", "--signals", "joints.pivot.*,energy.*")
        self.assertEqual(done.returncode, 0, done.stderr)

    def panels_of_page(self):
        """(title, names of the curves) of the whole page."""
        results = Results(str(self.results))
        panels = panels_of(results, shown_nodes(results, None)[0])
        results.file.close()
        figure, grid = pyplot.subplots(len(panels))
        for axes, draw in zip(grid, panels):
            draw(axes)
        pyplot.close(figure)
        return [(axes.get_title(loc="left"), sorted(line.get_label() for line in axes.lines)) for axes in grid]

    def test_signals_of_a_controlled_machine_are_shown_by_size_and_without_a_unit(self):
        self.assertNotIn("Signals", [title for title, _ in self.panels_of_page()])
        with h5py.File(self.results, "r+") as file:
            course = np.linspace(0, 1, len(file["time"]))
            for name, size in {"torque": 1e4, "force": 100, "angle": 1, "rate": 2, "off": 0}.items():
                data = file.create_dataset(f"signals/{name}", data=size * course, maxshape=(None,))
                data.attrs["units"] = "1"
        self.assertEqual([names for title, names in self.panels_of_page() if title == "Signals"],
                         [["torque"], ["force"], ["angle", "rate"]])
        self.assertEqual(panels_of_signals(Results(str(self.results)), ["signals.torque"])[0][1], "")

    def test_coordinates_that_are_round_off_are_left_out_and_each_curve_has_a_color_of_its_own(self):
        with h5py.File(self.results, "r+") as file:
            angle = file["joints/pivot/coordinates"][()]
            del file["joints/pivot/coordinates"]
            file["joints/pivot/coordinates"] = np.hstack([angle, 2 * angle, 1e-15 * angle])
        drawn = []
        for panel in plot.coordinate_panels(Results(str(self.results))):
            axes = pyplot.figure().add_subplot()
            panel(axes)
            drawn.append([(line.get_label(), line.get_color()) for line in axes.get_lines()])
        self.assertEqual([[label for label, _ in panel] for panel in drawn], [["pivot [0]", "pivot [1]"]])
        self.assertEqual(plot.colors_in(["a", "b", "c", "d"], {"b": COLORS[0], "d": COLORS[2]}),
                         [COLORS[k] for k in (1, 0, 3, 2)])
        self.assertEqual(plot.colors_in(["a", "b"], {"a": COLORS[0], "b": COLORS[0]}), COLORS[:2])
        self.assertNotEqual(*[color for _, color in drawn[0]])

    def test_unknown_signals_and_nodes_are_answered_with_near_names(self):
        with self.assertRaisesRegex(ResultsError, "no signal joints.pivto.force; near names: joints.pivot.force"):
            panels_of_signals(Results(str(self.results)), ["joints.pivto.force"])
        self.assertRegex(self.run_script("plot", "--nodes", "bop").stderr, "no node bop; near names: bob")

    def test_bodies_in_films_have_the_shapes_of_the_deck(self):
        plate = {"shape": "box", "size": [1, 1, 0.1]}
        faces = given_solid(plate, Numbers({}))
        self.assertEqual(len(faces), 6)  # a square plate, no disc
        self.assertEqual(np.ptp(np.concatenate(faces), axis=0).round(12).tolist(), [1, 1, 0.1])
        rotor = given_solid({"shape": "cylinder", "radius": 2, "length": 0.5, "along": "y"}, Numbers({}))
        self.assertEqual(np.ptp(np.concatenate(rotor), axis=0).round(12).tolist(), [4, 0.5, 4])
        self.assertTrue(is_inside(rotor, np.array([1.9, 0, 0])))
        self.assertFalse(is_inside(rotor, np.array([2.5, 0, 0])))

    @unittest.skipUnless("POLHODE_BINARY" in os.environ, "needs the program")
    def test_plot_draws_observed_orders(self):
        deck = ROOT / "inputs/benchmarks/pendulum.yaml"
        subprocess.run([os.environ["POLHODE_BINARY"], "convergence", deck, "--steps", "0.02,0.01", "--to", "1", "-o",
                        self.results], check=True, capture_output=True)
        done = self.run_script("plot")
        self.assertEqual(done.returncode, 0, done.stderr)
        data = Convergence(self.results)
        self.assertAlmostEqual(data.order["position", "whole"], 2, delta=0.1)
        self.assertIn("multipliers", data.components)
        self.assertFalse(is_convergence(self.results.with_suffix(".png")))

    @unittest.skipUnless("POLHODE_BINARY" in os.environ, "needs the program")
    def test_plot_draws_tables_of_studies(self):
        for sampling, method in (("grid", ""), ("grid", "[lie_alpha, ul_crv]"), ("{sobol: {samples: 8}}", ""),
                                 ("{sobol: {samples: 8}}", "[lie_alpha, ul_crv]")):
            with self.subTest(sampling=sampling, method=method):
                varied = {"bodies.top.mass": "{linspace: [10, 20, 4]}", "gravity.2": "{linspace: [-10, -5, 4]}",
                          "analysis.duration": "[0.01]", "analysis.integrator.method": method}
                lines = [f"  {path}: {values}" for path, values in varied.items() if values]
                study = self.results.with_suffix(".yaml")
                study.write_text("\n".join([
                    "format: polhode-study/1", f"deck: {ROOT}/inputs/benchmarks/heavy_top.yaml", "vary:", *lines,
                    f"sampling: {sampling}", "responses: {height: {last: nodes.centre.position.z}}"]))
                self.results.unlink(missing_ok=True)
                self.results.with_suffix(".rows").unlink(missing_ok=True)
                subprocess.run([os.environ["POLHODE_BINARY"], "sweep", study, "-o", self.results], check=True,
                               capture_output=True)
                draw_study(self.results, self.results.with_suffix(".png"))
                self.assertTrue(self.results.with_suffix(".png").read_bytes().startswith(b"\x89PNG"))
                self.results.with_suffix(".png").unlink()
                table = Study(self.results)
                self.assertEqual(list(table.columns)[:2], ["case", "bodies.top.mass"])
                self.assertEqual(table.varied, [path for path in varied if varied[path] and "duration" not in path])
                self.assertTrue(is_study(self.results))
                self.assertFalse(is_study(study))
        self.assertEqual(self.run_script("plot").returncode, 0)

    def test_plot_draws_what_an_unfinished_file_holds(self):
        write_results(self.results, unfinished=True)
        done = self.run_script("plot")
        self.assertEqual(done.returncode, 0, done.stderr)
        results = Results(str(self.results))
        self.assertEqual(len(results.time), 17)
        self.assertIn("UNFINISHED", results.subtitle())

    def test_results_of_all_joints_together_are_read_by_name(self):
        alone = Results(str(self.results))
        paths = ("/joints/pivot/force", "/joints/pivot/coordinates")
        expected = [alone.history(path) for path in paths]
        mass = alone.body("bob")["mass"]
        alone.file.close()
        share_results(self.results)
        together = Results(str(self.results))
        for path, data in zip(paths, expected):
            np.testing.assert_array_equal(together.history(path), data)
        self.assertEqual(together.names("joints"), ["pivot", "gear"])  # the deck's first
        self.assertTrue(together.has("/joints/gear/coordinates"))
        self.assertFalse(together.has("/joints/gear/force"))
        self.assertFalse(together.has("/joints/none/force"))
        self.assertEqual(together.history("/joints/gear/coordinates").shape, (21, 2))
        self.assertEqual([together.units(f"/joints/{name}/coordinates") for name in ("gear", "pivot")], ["m", "rad"])
        self.assertEqual(together.units("/joints/pivot/force"), "N")
        self.assertEqual(together.body("bob")["mass"], mass)
        self.assertIsNone(together.body("none"))
        self.assertEqual(list(together.beam_nodes("leg")), [1, 0, 1])
        together.file.close()
        done = self.run_script("plot")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_plot_names_the_nodes_that_there_are(self):
        done = self.run_script("plot", "--nodes", "bobb")
        self.assertEqual(done.returncode, 1)
        self.assertIn("no node bobb; near names: bob", done.stderr)

    def test_nodes_that_are_not_shown_are_named(self):
        names = [f"n{i:02}" for i in range(20)]
        with h5py.File(self.results, "r+") as file:
            del file["nodes/names"], file["deck"]
            file["deck"] = "format: polhode-deck/1\n"
            file["nodes/names"] = np.array(names, dtype=h5py.string_dtype())
            for name, width in (("position", 3), ("rotation", 4)):
                del file[f"nodes/{name}"]
                data = np.zeros((21, 20, width)) + np.linspace(0, 1, 21)[:, None, None] * np.arange(20)[:, None]
                file.create_dataset(f"nodes/{name}", data=data, maxshape=(None, *data.shape[1:]))
        shown, hidden = shown_nodes(Results(str(self.results)), [])
        self.assertEqual(len(shown), 7)
        self.assertEqual(sorted(hidden + [name for name, _ in shown]), names[1:])  # n00 is at rest
        self.assertIn(f"{hidden[7]} and 4 more", note_on(hidden))
        self.assertRegex(self.run_script("plot").stderr, f"without {hidden[0]}, .* and 4 more .*--nodes {hidden[0]},")
        self.assertEqual(self.run_script("plot", "--nodes", ",".join(names)).stderr, "")
        self.assertEqual(len(shown_nodes(Results(str(self.results)), names)[0]), 20)

    def test_plot_draws_the_model_of_a_deck(self):
        if "POLHODE_BINARY" not in os.environ:
            self.skipTest("needs the program")
        for deck, kinds in (("examples/turbine", {"revolute": 5}), ("examples/rope_and_wheel", {})):
            picture = self.results.with_name("model.png")
            done = self.run_script("plot", "-o", picture, on=ROOT / "inputs" / f"{deck}.yaml")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertTrue(picture.read_bytes().startswith(b"\x89PNG"))
            model = Model(start_of(str(ROOT / "inputs" / f"{deck}.yaml")))
            for kind, count in kinds.items():  # also those that instances of parts bring
                self.assertEqual(len(model.joints[kind]), count)
            self.assertTrue(model.lines["beams"] or model.lines["cables"])
        wrong = self.results.with_name("wrong.yaml")
        wrong.write_text("format: polhode-deck/1\nnodes: {a: {positon: [0, 0, 0]}}\n")
        done = self.run_script("plot", on=wrong)
        self.assertIn("did you mean 'position'", done.stderr)
        self.assertEqual(done.returncode, 1)

    def test_points_of_joints_go_with_initial_coordinates(self):
        if "POLHODE_BINARY" not in os.environ:
            self.skipTest("needs the program")
        model = Model(start_of(str(ROOT / "inputs/examples/folded_arm.yaml")))
        motion = model.motion
        self.assertTrue(motion.deck_poses)
        hinges = [joint for joint in motion.deck["joints"].values() if joint["type"] == "revolute"]
        self.assertGreaterEqual(len(hinges), 2)
        for hinge in hinges:  # the point is the same of both nodes
            on_a, on_b = motion._ends(hinge)[1]
            np.testing.assert_allclose(on_a[0], on_b[0], atol=1e-9)
        moved = [np.linalg.norm(model.x[i] - x) for i, (x, _) in motion.deck_poses.items()]
        self.assertGreater(max(moved), 0.1)

    def test_orientations_of_all_forms_are_the_same(self):
        turn = Numbers({}).rotation({"axis": [0, 0, 2], "angle_deg": 30})
        c, s = np.cos(np.pi / 6), 0.5
        np.testing.assert_allclose(turn, [[c, -s, 0], [s, c, 0], [0, 0, 1]], atol=1e-15)
        for form in ({"rotation_vector": [0, 0, "=pi/6"]}, {"axis": [0, 0, 1], "angle": "=pi/6"},
                     {"quaternion": [np.cos(np.pi / 12), 0, 0, np.sin(np.pi / 12)]},
                     {"matrix": turn.tolist()}, {"x_axis": [c, s, 0], "y_axis": [0, 1, 0]}):
            np.testing.assert_allclose(Numbers({}).rotation(form), turn, atol=1e-15)

    def test_a_file_of_another_kind_is_refused(self):
        self.results.write_text("no results")
        with self.assertRaises(ResultsError):
            Results(str(self.results))

    def test_animate_makes_a_film_of_at_most_the_frames_asked_for(self):
        done = self.run_script("animate", "--frames", "4", "--view", "30,40")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(self.results.with_suffix(".gif").read_bytes().startswith(b"GIF8"))

    def test_a_thinned_history_keeps_the_first_and_the_last_state(self):
        results = Results(str(self.results), max_states=6)
        self.assertLessEqual(len(results.time), 7)
        self.assertEqual((results.time[0], results.time[-1]), (0, 1))

    def test_points_of_a_body_move_with_it(self):
        motion = Motion(Results(str(self.results)), range(21))
        np.testing.assert_allclose(motion.points["pivot"][0], 0, atol=1e-15)  # the pin stays where it is
        np.testing.assert_allclose(motion.carried("bob", (2, 0, 0)), 2 * motion.x[:, 1], atol=1e-15)

    def test_a_body_by_shape_is_drawn_as_that_shape(self):
        _, faces, _, _ = Motion(Results(str(self.results)), range(21)).bodies["bob"]
        np.testing.assert_allclose(np.ptp(np.concatenate(faces), axis=0), [1, 2, 0.5], rtol=1e-12)

    def test_a_spring_is_a_line_between_its_points(self):
        motion = Motion(Results(str(self.results)), range(21))
        (on_ground, on_body), = motion.links
        np.testing.assert_allclose(on_ground, np.tile([0, 3, 0], (21, 1)), atol=1e-15)
        np.testing.assert_allclose(on_body, 2 * motion.x[:, 1], atol=1e-15)

    def test_rotation_vector_is_the_angle_about_the_axis(self):
        psi = rotation_vector(Results(str(self.results)), "bob")
        np.testing.assert_allclose(psi[:, 2], np.linspace(0, 1, 21), atol=1e-14)


class Geometry(unittest.TestCase):
    def test_the_solid_of_a_body_has_the_inertia_of_the_body(self):
        mass, lengths = 3.0, np.array([1.0, 2.0, 0.5])
        inertia = np.diag(mass / 12 * (lengths @ lengths - lengths**2))
        corners = np.concatenate(solid_of(mass, inertia, 0))
        np.testing.assert_allclose(np.ptp(corners, axis=0), lengths, rtol=1e-12)
        radius, height = 0.7, 2.0
        across = mass * (3 * radius**2 + height**2) / 12
        corners = np.concatenate(solid_of(mass, np.diag([across, across, mass * radius**2 / 2]), 0))
        np.testing.assert_allclose(np.ptp(corners, axis=0), [2 * radius, 2 * radius, height], rtol=1e-12)

    def test_rotation_matrices_of_unit_quaternions(self):
        turned = rotation_matrices([np.cos(0.3), 0, 0, np.sin(0.3)])
        np.testing.assert_allclose(turned @ [1, 0, 0], [np.cos(0.6), np.sin(0.6), 0], atol=1e-15)

    def test_slope_of_a_second_order_error_is_two(self):
        steps = np.array([0.1, 0.05, 0.02])
        self.assertAlmostEqual(slope(steps, 7 * steps**2), 2, places=12)


class DeckNumbers(unittest.TestCase):
    def test_expressions_follow_the_syntax_of_the_deck(self):
        numbers = Numbers({"m": 3, "L": "=m/6", "a": "=b", "b": "=a"})
        for text, value in [("=m*L^2/12", 0.0625), ("=-2^2", -4), ("=m > 2 ? 1 : 2", 1),
                            ("=m < 2 ? 1 : m < 4 ? 5 : 6", 5), ("=sqrt(m+1)*cos(pi)", -2), ("2.5e0", 2.5), (7, 7)]:
            self.assertAlmostEqual(numbers.number(text), value, places=12, msg=text)
        for text in ("=a", "=nobody", "=1 +", None, "=__import__('os')"):
            self.assertEqual(numbers.number(text, default=-1), -1, msg=text)


if __name__ == "__main__":
    unittest.main()
