# SPDX-License-Identifier: BSD-3-Clause
"""scripts/view without a browser: packed numbers, shapes of bodies and beams, what a page contains, messages."""
import gzip
import hashlib
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import h5py
import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "scripts/viewer"), str(ROOT / "tests/scripts")]

import model  # noqa: E402, F401 -- finds the pictures' modules
from live import News  # noqa: E402
from loads import factors  # noqa: E402
from look import first_look  # noqa: E402
from motion import rotation_matrices  # noqa: E402
from numbers_of_decks import Numbers  # noqa: E402
from packing import Packer  # noqa: E402
from page import plain_json, three  # noqa: E402
from picture import picture_of  # noqa: E402
from pictures_test import write_results  # noqa: E402
from results import ResultsError  # noqa: E402
from scene import corners_of, fitting_states  # noqa: E402
from sections import Sweep, frames  # noqa: E402
from solids import ellipsoid, given_shape, quaternion  # noqa: E402
from view import document_of, title_of, write_page  # noqa: E402


def unpacked(packer, name):
    """What page/data.js makes of a history."""
    block = gzip.decompress(packer.block())
    entry = packer.index[name]
    rows, columns = entry["shape"][0], int(np.prod(entry["shape"][1:]))
    count = rows * columns
    planes = np.frombuffer(block, np.uint8, count * entry["depth"], entry["at"]).reshape(entry["depth"], columns, rows)
    codes = sum(planes[k].astype(np.int64) << (8 * k) for k in range(entry["depth"]))
    whole = np.cumsum(np.where(codes & 1, -((codes + 1) >> 1), codes >> 1), axis=1) % (1 << (8 * entry["depth"]))
    low, step = (np.frombuffer(block, "<f4", columns, entry[key]).astype(float) for key in ("low", "step"))
    return (low + whole.T * step).reshape(entry["shape"])


class Packing(unittest.TestCase):
    def test_histories_come_back_within_half_a_level_of_their_range(self):
        random = np.random.default_rng(1)
        values = np.cumsum(random.normal(size=(60, 7)), axis=0) * np.logspace(-6, 6, 7)
        for depth in (1, 2, 3):
            packer = Packer()
            packer.add("before", np.arange(3), "i4")
            packer.add_history("x", values, depth)
            error = np.abs(unpacked(packer, "x") - values) / np.ptp(values, axis=0)
            self.assertLess(error.max(), 0.51 / (2 ** (8 * depth) - 1) + 2e-7)

    def test_constants_and_gaps_are_kept(self):
        packer = Packer()
        packer.add_history("x", np.array([[5.0, np.nan], [5.0, 1.0], [5.0, np.inf]]), 2)
        self.assertEqual(unpacked(packer, "x").round(6).tolist(), [[5, 0], [5, 1], [5, 0]])

    def test_smooth_motions_compress(self):
        packer = Packer()
        packer.add_history("x", np.sin(np.linspace(0, 20, 2000))[:, None] * np.ones(10), 2)
        self.assertLess(len(packer.block()), 0.6 * packer.size)


class Shapes(unittest.TestCase):
    numbers = Numbers({})

    def test_a_matrix_and_its_quaternion_are_one_rotation(self):
        for q in ([1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0.6, 0.8], [0.5, -0.5, 0.5, 0.5]):
            matrix = rotation_matrices(q)
            self.assertLess(np.abs(rotation_matrices(quaternion(matrix)) - matrix).max(), 1e-12)

    def test_a_cylinder_lies_along_its_axis(self):
        for along, axis in (("x", 0), ("y", 1), ("z", 2)):
            body = {"shape": "cylinder", "radius": 0.1, "length": 2, "along": along}
            solid = given_shape(body, self.numbers)
            reach = rotation_matrices(solid["turn"]) @ [0, 0, solid["half"][2]]
            self.assertAlmostEqual(reach[axis], 1)

    def test_an_ellipsoid_has_the_inertia_it_was_made_from(self):
        half = np.array([0.3, 0.5, 0.9])
        inertia = 4 / 5 * np.diag([half[1]**2 + half[2]**2, half[0]**2 + half[2]**2, half[0]**2 + half[1]**2])
        turn = rotation_matrices([0.5, 0.5, -0.5, 0.5])
        solid = ellipsoid(4, turn @ inertia @ turn.T, 1e-3)
        axes = rotation_matrices(solid["turn"])
        again = axes @ np.diag(solid["half"]) ** 2 @ axes.T
        self.assertLess(np.abs(again - turn @ np.diag(half**2) @ turn.T).max(), 1e-12)

    def test_sections_turn_by_the_twist(self):
        points = np.array([[0, 0, 0], [1, 0, 0], [2, 0, 0]], dtype=float)
        beam = {"section": "s", "orientation": [0, 1, 0], "stations": [0, 1], "twist": [0, 1.0], "sections": ["s", "t"]}
        sections = {"s": {"shape": "rectangle", "width": 0.2, "height": 0.1},
                    "t": {"shape": "rectangle", "width": 0.1, "height": 0.1}}
        sweep = Sweep(beam, sections, self.numbers, points, np.broadcast_to(np.eye(3), (3, 3, 3)), 1.0)
        y = rotation_matrices(sweep.turns)[:, :, 1]
        self.assertLess(np.abs(y - [[0, np.cos(a), np.sin(a)] for a in (0, 0.5, 1)]).max(), 1e-12)
        self.assertEqual(sweep.dimensions[:, 0].round(12).tolist(), [0.1, 0.075, 0.05])

    def test_frames_of_an_arc_follow_its_tangents(self):
        angle = np.linspace(0, 1, 9)
        points = np.stack([np.sin(angle), 1 - np.cos(angle), 0 * angle], axis=1)
        x = frames(points, [0, 0, 1], 0 * angle)[:, :, 0]
        self.assertLess(np.abs(x - np.stack([np.cos(angle), np.sin(angle), 0 * angle], axis=1)).max(), 1e-12)

    def test_sections_without_a_shape_that_are_thick_for_their_beam_are_drawn_thin(self):
        section = {"stiffness": {"EA": 1, "GAy": 1, "GAz": 1, "GJ": 1, "EIy": 0.06, "EIz": 0.06}}
        points = np.array([[0, 0, 0], [0.24, 0, 0]], dtype=float)
        rotations = np.broadcast_to(np.eye(3), (2, 3, 3))
        sweep = Sweep({"section": "s"}, {"s": section}, self.numbers, points, rotations, 0.3)
        self.assertTrue(sweep.is_thinned)
        self.assertLess(sweep.dimensions[:, :2].max(), 0.01)

    def test_the_first_look_has_gravity_downwards_and_a_plane_model_in_front(self):
        path = np.array([[[0, 0, 0], [2, 0, 0], [1, 1, 0]]], dtype=float)
        look = first_look(path, np.zeros((0, 3)), [0, -9.81, 0])
        self.assertEqual(look["up"], [0, 1, 0])
        self.assertGreater(look["from"][2], 0.9)
        self.assertFalse(look["travels"])
        self.assertTrue(first_look(path + np.arange(40)[:, None, None], np.zeros((0, 3)), [0, 0, 0])["travels"])

    def test_histories_of_loads_are_worked_out(self):
        times = np.array([0, 0.5, 1])
        self.assertEqual(factors("=a*t^2", {"a": 4}, times).tolist(), [0, 1, 4])
        self.assertEqual(factors({"table": {"time": [0, 1], "value": [2, 4]}}, {}, times).tolist(), [2, 3, 4])
        self.assertEqual(factors(3, {}, times).tolist(), [3, 3, 3])
        self.assertIsNone(factors({"file": "gusts.csv", "columns": [1, 2]}, {}, times))
        self.assertIsNone(factors("=unknown(t)", {}, times))


class Pages(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.results = pathlib.Path(self.temporary.name, "crank.h5")
        write_results(self.results)

    def refused(self, *arguments):
        done = subprocess.run([ROOT / "scripts/view", *arguments], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertNotIn("Traceback", done.stderr)
        return done.stderr

    def test_a_scene_has_what_the_deck_and_the_results_have(self):
        document, _, picture = document_of([self.results])
        scene = document["runs"][0]
        self.assertEqual(scene["nodes"], ["base", "bob"])
        self.assertEqual(scene["bodies"][0]["solid"]["half"], [0.5, 1.0, 0.25])
        self.assertEqual(scene["joints"][0]["nodes"], [0, 1])
        self.assertEqual(scene["joints"][0]["points"][1], [-1, 0, 0])
        self.assertEqual(scene["forces"][0]["nodes"], [-1, 1])
        self.assertEqual(scene["supports"][0]["name"], "base")
        labels = {(one["group"], one["label"]) for one in scene["channels"]}
        self.assertLessEqual({("joints", "force"), ("joints", "coordinates"), ("run", "total energy")}, labels)
        self.assertIn("polyline", picture)

    def test_states_are_thinned_to_the_room_and_the_page_says_so(self):
        document, _, _ = document_of([self.results], room=4 * 7 * 2 * 7)
        scene = document["runs"][0]
        self.assertEqual(len(scene["time"]), 8)
        self.assertEqual(scene["time"][-1], 1)
        self.assertIn("one in 3 of the 21 stored states", scene["notes"][0])

    def test_states_are_thinned_until_section_forces_fit(self):
        class Lattice:  # what fitting_states reads
            def __init__(self, beams):
                self.node_names = ["n"] * 1000
                self.file = {"/beams/forces": np.zeros((1, beams, 6))}
                self.table_names = lambda group: ["b"] * beams
        room = 40 * 2 * 14000
        self.assertEqual(fitting_states(Lattice(0), room), 40)
        states = fitting_states(Lattice(3000), room)
        self.assertLess(states * (14000 + 18000), room - 3000 * 100)
        self.assertGreater(states, 12)
        self.assertEqual(fitting_states(Lattice(30000), room), 12)

    def test_large_models_have_fewer_corners(self):
        self.assertEqual([corners_of(n) for n in (1, 3000, 3001, 20001, 50000)], [20, 10, 6, 4, 3])

    def test_a_still_picture_of_many_lines_has_some_of_all_and_says_so(self):
        count = 13000
        position = np.zeros((2 * count, 3))
        position[:, 0] = np.repeat(np.arange(count), 2)
        position[1::2, 2] = 100
        lines = [(str(k), [2 * k, 2 * k + 1]) for k in range(count)]
        scene = {"lines": lines, "bodies": [], "joints": [], "forces": [],
                 "look": {"from": [0.0, -1.0, 0.0], "up": [0.0, 0.0, 1.0]}}
        picture = picture_of(scene, position, np.tile([1.0, 0, 0, 0], (2 * count, 1)))
        places = [float(x) for x in re.findall(r'points="([\d.-]+),', picture)]
        self.assertEqual(len(places), -(-count // 3))
        self.assertLess(min(places), 100)
        self.assertGreater(max(places), 800)
        self.assertIn(f"one in 3 of {count} lines", picture)

    def test_a_page_is_one_file_with_a_policy_against_the_network(self):
        page = pathlib.Path(self.temporary.name, "page.html")
        write_page([self.results], page)
        text = page.read_text()
        policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)[1]
        self.assertIn("default-src 'none'", policy)
        self.assertIn("connect-src 'none'", policy)
        self.assertNotIn("unsafe", policy)
        self.assertNotRegex(text.replace(three(), ""), r"<(script|link|img|iframe)[^>]*\b(src|href)=")
        self.assertIn("MIT License", text)
        self.assertEqual(list(page.parent.glob("*.polhode-part")), [])

    def test_json_cannot_end_a_script(self):
        text = plain_json({"name": "</script><!--\u2028&"})
        self.assertNotRegex(text, "[<>&\u2028]")

    def test_unfinished_results_are_shown_so_far(self):
        write_results(self.results, unfinished=True)
        document, _, _ = document_of([self.results])
        self.assertEqual(len(document["runs"][0]["time"]), 17)
        self.assertIn("so far", document["runs"][0]["notes"][0])

    def test_what_is_no_results_file_is_refused_with_a_sentence(self):
        empty = pathlib.Path(self.temporary.name, "empty.h5")
        empty.write_bytes(b"")
        self.assertIn("cannot be opened", self.refused(empty))
        self.assertIn("no such file", self.refused(pathlib.Path(self.temporary.name, "none.h5")))
        with h5py.File(self.results, "r+") as file:
            file.attrs["format"] = "polhode-results/9"
        self.assertIn("polhode-results/9", self.refused(self.results))

    def test_results_without_states_or_nodes_are_refused_with_a_sentence(self):
        with h5py.File(self.results, "r+") as file:
            del file["nodes/position"]
        self.assertIn("holds no positions of nodes", self.refused(self.results))
        write_results(self.results)
        with h5py.File(self.results, "r+") as file:
            file["time"].resize(0, axis=0)
        self.assertIn("holds no state yet", self.refused(self.results))

    def test_a_page_that_cannot_be_written_is_a_sentence(self):
        self.assertIn("cannot be written", self.refused(self.results, "-o", "/proc/none/page.html"))

    def test_live_news_keep_the_old_states_while_the_file_is_being_written(self):
        news = News([self.results], document_of)
        self.assertEqual(news.update()[0], 1)
        self.assertEqual(news.update()[0], 1)
        whole = self.results.read_bytes()
        self.results.write_bytes(whole[:1000])
        version, document, _, _ = news.update()
        self.assertEqual((version, len(document["runs"][0]["time"])), (1, 21))
        self.results.write_bytes(whole)
        os.utime(self.results, ns=(1, 1))
        self.assertEqual(news.update()[0], 2)
        self.assertEqual(title_of(document), "Crank")

    def test_a_report_has_model_run_extremes_and_hashes(self):
        page = pathlib.Path(self.temporary.name, "report.html")
        done = subprocess.run([ROOT / "scripts/report", self.results, "-o", page], capture_output=True, text=True,
                              check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        text = page.read_text()
        self.assertIn("joints: revolute", text)
        self.assertIn(hashlib.sha256(self.results.read_bytes()).hexdigest(), text)
        self.assertIn("default-src 'none'", text)
        self.assertNotIn("<script", text)
        cells = r"<td>displacement \[m\]</td><td>(\w+)</td><td[^>]*>([\d.]+)</td><td[^>]*>([\d.]+)</td>"
        name, value, time = re.findall(cells, text)[0]
        self.assertEqual((name, time), ("bob", "1"))
        self.assertAlmostEqual(float(value), 2 * np.sin(0.5), places=4)

    def test_without_three_js_the_message_names_the_package(self):
        import page
        found, page.THREE = page.THREE, ()
        self.addCleanup(setattr, page, "THREE", found)
        with self.assertRaisesRegex(ResultsError, "libjs-three"):
            three()


if __name__ == "__main__":
    unittest.main()
