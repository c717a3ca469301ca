# SPDX-License-Identifier: BSD-3-Clause
"""Pages of scripts/view in a real browser: they show what the results hold, and do what people do to them."""
import io
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

import h5py
import numpy as np
from PIL import Image

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from browser import Browser  # noqa: E402
from lattice import lattice_deck  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("POLHODE_BINARY", str(ROOT / "build/release/polhode"))
BENCHMARKS, EXAMPLES = ROOT / "inputs/benchmarks", ROOT / "inputs/examples"
DECKS = {  # name: folder, settings
    "heavy_top": (BENCHMARKS, {"analysis.duration": 0.5}), "four_bar": (BENCHMARKS, {}),
    "right_angle_beam": (BENCHMARKS, {}), "vehicle_over_bump": (BENCHMARKS, {}), "cantilever_modes": (BENCHMARKS, {}),
    "bend_45_degrees": (BENCHMARKS, {"analysis.first_step": 0.5}), "boom_of_hexapods": (EXAMPLES, {}),
    "blade_turn": (EXAMPLES, {}), "engine_on_mounts": (EXAMPLES, {}), "gears": (EXAMPLES, {})}
PRECISE = 1e-3  # of the picture's width: positions on it against positions of the file


def run(deck, output, settings=None):
    options = [part for path, value in (settings or {}).items() for part in ("--set", f"{path}={value}")]
    subprocess.run([PROGRAM, "run", deck, "-o", output, "--quiet", "--force", *options], check=True,
                   capture_output=True)


def view(*arguments):
    return subprocess.run([ROOT / "scripts/view", *arguments], capture_output=True, text=True, check=False)


class Pages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = pathlib.Path(cls.folder.name)
        cls.browser = Browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.folder.cleanup()

    def results_of(self, name):
        results = self.path / f"{name}.h5"
        if not results.exists():
            folder, settings = DECKS[name]
            run(folder / f"{name}.yaml", results, settings)
        return results

    def page_of(self, name):
        page = self.path / f"{name}.html"
        if not page.exists():
            done = view(self.results_of(name), "-o", page)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(done.stdout.strip(), str(page))
        return page

    def open(self, name):
        seconds = self.browser.open(self.page_of(name))
        self.assertIsNone(self.browser.run("View.failed || null"))
        self.drawn()
        self.assertEqual(self.browser.problems(), [])
        return seconds

    def drawn(self):
        """Waits until what has changed is on the screen."""
        self.browser.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def box_of(self, element):
        return self.browser.run(
            f"(({{x, y, width, height}}) => [x, y, width, height])(View.byId('{element}').getBoundingClientRect())")

    def picture(self):
        """Pixels of the stage [height, width, 3], without what stands around and above it."""
        self.drawn()
        x, y, width, height = map(int, self.box_of("view"))
        with Image.open(io.BytesIO(self.browser.screenshot())) as image:
            pixels = np.asarray(image.convert("RGB"), dtype=float)
        return pixels[y + 50:y + height, x:x + width]

    def painted(self):
        """Share of the pixels that are neither background nor grid."""
        self.browser.run("View.setLayer('ground', false); View.setLayer('names', false)")
        pixels = self.picture()
        background = pixels[2, 2]
        return float((np.abs(pixels - background).max(axis=2) > 24).mean())

    def changed(self, before, share):
        """Share of the pixels that differ from `before` at a share of the run."""
        self.show_state(int(share * (self.browser.run("View.shown[0].states") - 1)))
        return float((np.abs(self.picture() - before).max(axis=2) > 24).mean())

    def show_state(self, state):
        self.browser.run(f"View.timeline.set(View.shown[0].clock[{state}])")
        self.drawn()

    def assert_positions(self, results, run=0, states=(0, 0.4, 1)):
        """The page's own camera puts the nodes where the file has them."""
        with h5py.File(results) as file:
            position, origin = file["nodes/position"][()], None
        count = self.browser.run(f"View.runs[{run}].states")
        stored = np.unique(np.append(np.arange(0, len(position), -(-len(position) // count)), len(position) - 1))
        nodes = np.unique(np.linspace(0, position.shape[1] - 1, 40).astype(int)).tolist()
        for share in states:
            row = int(share * (count - 1))
            self.show_state(row)
            shown, matrices, size, origin = self.browser.run(
                f"""(() => {{ const run = View.runs[{run}], camera = View.camera.camera;
                return [{nodes}.map(n => View.project(run, run.pose.point(n)).slice(0, 2)),
                [camera.projectionMatrix.toArray(), camera.matrixWorldInverse.toArray()],
                [...View.sideOf(run), View.canvas.clientHeight], run.scene.origin]; }})()""")
            projection, inverse = (np.array(matrix).reshape(4, 4).T for matrix in matrices)
            here = np.column_stack([position[stored[row]][nodes] - origin, np.ones(len(nodes))])
            clip = here @ inverse.T @ projection.T
            x = size[0] + (0.5 + clip[:, 0] / clip[:, 3] / 2) * size[1]
            y = (0.5 - clip[:, 1] / clip[:, 3] / 2) * size[2]
            error = np.abs(np.array(shown) - np.column_stack([x, y])).max() / size[1]
            self.assertLess(error, PRECISE, f"state {row}")

    def test_pages_of_ten_decks_show_the_motion_of_the_file(self):
        for name in DECKS:
            with self.subTest(deck=name):
                self.open(name)
                self.assertEqual(self.browser.requests(), [f"file://{self.page_of(name)}"])
                self.browser.run("if (View.shown[0].scene.modes.length) View.setMode(null); View.timeline.pause()")
                self.assertGreater(self.painted(), 0.001)
                first = self.picture()
                self.assertGreater(first.std(), 3)
                self.assert_positions(self.results_of(name))
                if name != "cantilever_modes":
                    self.assertGreater(max(self.changed(first, share) for share in (0.2, 0.5, 1)), 5e-4)
                self.assertEqual(self.browser.problems(), [])

    def test_the_page_of_the_four_bar_is_small_and_opens_soon(self):
        self.assertLess(self.page_of("four_bar").stat().st_size, 2e6)
        self.browser.call("Performance.enable", timeDomain="threadTicks")  # what other programs take does not count
        self.open("four_bar")
        metrics = {one["name"]: one["value"] for one in self.browser.call("Performance.getMetrics")["metrics"]}
        self.browser.call("Performance.disable")
        self.assertLess(metrics["TaskDuration"], 1)

    def test_pages_of_one_file_are_the_same_bytes(self):
        other = self.path / "again.html"
        view(self.results_of("gears"), "-o", other)
        self.assertEqual(other.read_bytes(), self.page_of("gears").read_bytes())

    def test_keys_move_the_clock(self):
        self.open("four_bar")
        self.browser.key("End")
        self.assertEqual(self.browser.run("View.timeline.clock === View.timeline.duration"), True)
        self.browser.key("ArrowLeft")
        self.assertEqual(self.browser.run("View.shown[0].placeAt(View.timeline.clock)"), 499)
        self.browser.key("Home")
        self.browser.key("ArrowRight")
        self.browser.key("ArrowRight")
        self.assertAlmostEqual(self.browser.run("View.timeline.clock"), 0.04, places=9)
        self.drawn()
        self.assertIn("state 3 of 501", self.browser.run("View.byId('clock').textContent"))
        self.browser.key(" ")
        before = self.browser.run("View.frames")
        self.browser.wait(f"View.frames > {before} + 3 && View.timeline.clock > 0.05")
        self.browser.key(" ")
        self.assertFalse(self.browser.run("View.timeline.isPlaying"))
        self.browser.key("d")
        self.assertEqual(self.browser.run("document.documentElement.dataset.theme"), "dark")

    def test_the_clock_ends_or_begins_again(self):
        self.open("gears")
        self.browser.run("View.timeline.loop.checked = false; View.timeline.set(View.timeline.duration - 1e-4)")
        self.browser.run("View.timeline.play()")
        self.browser.wait("!View.timeline.isPlaying")
        self.assertTrue(self.browser.run("View.timeline.clock === View.timeline.duration"))
        self.browser.run("View.timeline.loop.checked = true; View.timeline.play(); View.timeline.advance(1e6)")
        self.assertTrue(self.browser.run("View.timeline.isPlaying && View.timeline.clock < View.timeline.duration"))

    def place(self, kind, name):
        """Where a thing is in the window."""
        return self.browser.run(f"""(() => {{ const thing = View.findThing(View.shown[0], "{kind}", "{name}");
            const [x, y] = View.project(thing.run, View.placeOf(thing)), box = View.canvas.getBoundingClientRect();
            return [x + box.left, y + box.top]; }})()""")

    def test_a_click_names_what_is_there_and_shows_its_numbers_at_that_time(self):
        self.open("gears")
        for kind, name in (("joint", "shaft"), ("body", "load")):
            self.browser.run("View.choose(null)")
            self.show_state(200)
            self.browser.click(*self.place(kind, name))
            self.assertEqual(self.browser.run("View.chosen && [View.chosen.kind, View.chosen.name]"), [kind, name])
            self.assertEqual(self.browser.run("View.byId('selectedName').textContent"), name)
        self.drawn()
        with h5py.File(self.results_of("gears")) as file:
            names = [one.decode() for one in file["nodes/names"]]
            height = file["nodes/position"][200, names.index("load"), 2]
        rows = self.browser.run("[...document.querySelectorAll('#numbers tr')].map("
                                "row => [...row.children].map(cell => cell.textContent))")
        self.assertAlmostEqual(float(dict(rows)["position z [m]"]), height, delta=2e-4 * abs(height))
        self.browser.click(400, 700)
        self.assertIsNone(self.browser.run("View.chosen"))

    def test_a_thin_beam_is_hit(self):
        self.open("right_angle_beam")
        name = self.browser.run("View.shown[0].scene.beams[0].name")
        self.browser.click(*self.place("beam", name))
        self.assertEqual(self.browser.run("View.chosen && View.chosen.kind"), "beam")

    def test_a_click_on_the_plot_goes_to_the_time(self):
        self.open("four_bar")
        self.browser.run("View.choose(View.findThing(View.shown[0], 'joint', 'hinge_C'))")
        self.drawn()
        x, y, width, height = self.box_of("plot")
        left, right = self.browser.run("[View.selection.plot.left, View.selection.plot.right]")
        self.browser.click(x + left + 0.25 * (width - left - right), y + height / 2)
        self.assertAlmostEqual(self.browser.run("View.timeline.clock"), 2.5, delta=0.03)

    def test_plots_have_the_numbers_of_the_file(self):
        self.open("four_bar")
        self.browser.run("View.choose(View.findThing(View.shown[0], 'joint', 'hinge_C'))")
        values = self.browser.run("View.selection.plot.curves.series.map(s => s.values)")
        with h5py.File(self.results_of("four_bar")) as file:
            force = file["joints/hinge_C/force"][()]
        self.assertLess(np.abs(np.array(values).T - force).max(), 1e-4 * np.abs(force).max())

    def test_search_finds_by_a_part_of_the_name(self):
        self.open("vehicle_over_bump")
        self.browser.key("/")
        self.assertEqual(self.browser.run("document.activeElement.id"), "search")
        for letter in "strut":
            self.browser.key(letter)
        names = self.browser.run("[...document.querySelectorAll('#found .name')].map(e => e.textContent)")
        self.assertEqual(len(names), 4)
        self.assertTrue(all(name.startswith("strut") for name in names))
        self.browser.key("Enter")
        self.assertEqual(self.browser.run("View.chosen.kind"), "force")

    def test_layers_take_things_off_the_picture(self):
        self.open("boom_of_hexapods")
        whole = self.painted()
        self.browser.run("View.byId('layer-bodies').click()")
        self.assertLess(self.painted(), 0.7 * whole)

    def test_dragging_turns_and_the_wheel_zooms(self):
        self.open("heavy_top")
        before = self.browser.run("[View.camera.azimuth, View.camera.distance]")
        self.browser.drag((700, 400), (800, 430))
        self.assertAlmostEqual(self.browser.run("View.camera.azimuth"), before[0] - 0.8, places=6)
        self.browser.call("Input.dispatchMouseEvent", type="mouseWheel", x=700, y=400, deltaX=0, deltaY=-100)
        self.browser.wait(f"View.camera.distance < 0.95 * {before[1]}")
        self.browser.key("5")
        self.drawn()
        self.assertLess(self.browser.run("Math.abs(View.camera.direction().z - 1)"), 1e-3)

    def test_a_followed_body_stays_in_the_middle(self):
        self.open("gears")
        self.browser.run("View.choose(View.findThing(View.shown[0], 'body', 'load')); View.followThing(View.chosen)")
        for state in (0, 300, 600):
            self.show_state(state)
            x, y = self.browser.run("View.project(View.shown[0], View.placeOf(View.chosen)).slice(0, 2)")
            width, height = self.browser.run("[View.canvas.clientWidth, View.canvas.clientHeight]")
            self.assertLess(max(abs(x - width / 2), abs(y - height / 2)), 1.0)

    def test_colors_of_beams_follow_their_section_forces(self):
        self.open("four_bar")
        self.browser.run("View.setColor('forces.0')")
        self.show_state(100)
        values, low, high = self.browser.run("""(() => { const run = View.shown[0], from = 1 + run.pose.nodes;
            return [[...run.pose.sweepNodes.keys()].map(m => run.pose.data[8 * (from + m) + 3]), View.colorRange.low,
            View.colorRange.high]; })()""")
        with h5py.File(self.results_of("four_bar")) as file:
            axial = file["beams/forces"][:, :, 0]
        ends = [axial[100, 0], (axial[100, 0] + axial[100, 1]) / 2]  # an end, and between two points
        self.assertLess(abs(low + values[0] * (high - low) - ends[0]), 2e-4 * np.abs(axial).max())
        self.assertLess(abs(low + values[1] * (high - low) - ends[1]), 2e-4 * np.abs(axial).max())
        self.assertAlmostEqual(high, np.abs(axial).max(), delta=2e-3 * high)
        self.assertFalse(self.browser.run("View.byId('scale').hidden"))

    def test_magnified_deflections_are_multiples(self):
        self.open("bend_45_degrees")
        self.browser.run("Object.assign(View.options, {chords: false, magnify: 2})")
        self.browser.run("View.timeline.set(View.timeline.duration)")
        self.drawn()
        tip = self.browser.run("View.shown[0].pose.point(View.shown[0].scene.nodes.indexOf('tip'))")
        with h5py.File(self.results_of("bend_45_degrees")) as file:
            place = [one.decode() for one in file["nodes/names"]].index("tip")
            x = file["nodes/position"][:, place]
        origin = self.browser.run("View.shown[0].scene.origin")
        self.assertLess(np.abs(np.array(tip) + origin - (x[0] + 2 * (x[-1] - x[0]))).max(), 1e-3)

    def test_magnified_beams_keep_their_ends(self):
        self.open("four_bar")
        self.browser.run("View.options.chords = true; View.options.magnify = 10; View.timeline.set(3.1)")
        self.drawn()
        apart = self.browser.run("""(() => { const { pose, scene } = View.shown[0];
            const ends = scene.beams.flatMap(b => [b.first, b.first + b.count - 1]);
            return Math.max(...ends.flatMap(m => [0, 1, 2].map(c =>
            Math.abs(pose.data[8 * (1 + pose.nodes + m) + c] - pose.data[8 * (1 + pose.sweepNodes[m]) + c])))); })()""")
        self.assertLess(apart, 1e-6)

    def test_modes_swing_in_their_shapes(self):
        self.open("cantilever_modes")
        names = self.browser.run("[...document.querySelectorAll('#modes .name')].map(e => e.textContent)")
        self.assertEqual(len(names), 10)
        self.assertTrue(names[0].startswith("1: 0.55959 Hz"), names[0])
        self.browser.run("document.querySelectorAll('#modes button')[1].click()")
        self.browser.run("View.timeline.pause(); View.options.phase = 0; View.invalidate()")
        self.drawn()
        moved = self.browser.run("""(() => { const { pose, scene } = View.shown[0], tip = scene.nodes.indexOf('tip');
            return pose.point(tip).map((c, k) => c - pose.first[8 * tip + k]); })()""")
        size = self.browser.run("View.shown[0].scene.look.size")
        self.assertAlmostEqual(abs(moved[1]), 0.12 * size, delta=0.01 * size)  # the second mode bends along y
        self.assertLess(abs(moved[2]), 1e-4)

    def test_statics_have_load_steps(self):
        self.open("bend_45_degrees")
        self.browser.key("Home")
        self.browser.key("ArrowRight")
        self.drawn()
        self.assertIn("load factor 0.5", self.browser.run("View.byId('clock').textContent"))

    def test_a_study_offers_its_cases(self):
        study = self.path / "study.yaml"
        study.write_text(f"format: polhode-study/1\ntitle: Masses\ndeck: {BENCHMARKS / 'heavy_top.yaml'}\n"
                         "vary: {bodies.top.mass: [10, 15, 20], analysis.duration: [0.2]}\nsampling: grid\n"
                         "responses: {height: {min: nodes.centre.position.z}}\nkeep: all\n")
        subprocess.run([PROGRAM, "sweep", study, "-o", self.path / "study.h5"], check=True, capture_output=True)
        done = view(self.path / "study.h5")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.browser.open(self.path / "study.html")
        rows = self.browser.run("[...document.querySelectorAll('#runs tbody tr')].map(r => r.textContent)")
        self.assertEqual(len(rows), 3)
        self.browser.run("document.querySelectorAll('#runs tbody tr')[2].click()")
        self.browser.wait("View.shown[0].number === 2")
        self.assert_positions(self.path / "study.cases/2.h5", 2)
        self.assertEqual(self.browser.problems(), [])
        shutil.rmtree(self.path / "study.cases")
        done = view(self.path / "study.h5")
        self.assertEqual(done.returncode, 1)
        self.assertIn("keep: all", done.stderr)

    def test_two_files_are_compared_side_by_side_and_on_top_of_each_other(self):
        run(BENCHMARKS / "four_bar.yaml", self.path / "soft.h5",
            {"sections.BC.stiffness.EA": 4e5, "parameters.tilt": 0.3})
        page = self.path / "both.html"
        self.assertEqual(view(self.results_of("four_bar"), self.path / "soft.h5", "-o", page).returncode, 0)
        self.browser.open(page)
        self.drawn()
        self.assertEqual(self.browser.run("View.shown.map(run => View.sideOf(run)[0] > 0)"), [False, True])
        self.assert_positions(self.results_of("four_bar"), 0)
        self.browser.run("View.choose(View.findThing(View.shown[1], 'joint', 'hinge_B'))")
        self.assertEqual(self.browser.run("View.selection.plot.curves.series.filter(s => s.dashed).length"), 3)
        self.browser.run("View.choose(null); document.querySelector('[data-key=over]').click()")
        self.browser.wait("View.isOverlaid()")
        self.assert_positions(self.results_of("four_bar"), 0)
        self.assertEqual(self.browser.problems(), [])

    def test_names_are_text(self):
        results, page = self.path / "names.h5", self.path / "names.html"
        evil = "</script><script>window.broken=1</script>\"'&@@DATA@@"
        run(EXAMPLES / "pendulum.yaml", results)
        with h5py.File(results, "r+") as file:
            deck = file["deck"][()].decode()
            for table in ("nodes", "bodies", "joints"):
                name = file[f"{table}/names"][0].decode()
                new = f"{table}{evil}"
                file[f"{table}/names"][0] = new
                quoted = "'" + new.replace("'", "''") + "'"
                deck = re.sub(rf"(?<![\w.]){name}(?=\s*[:,\]}}])", lambda _: quoted, deck)
            del file["deck"]
            file["deck"] = deck
            file.attrs["title"] = evil + "<img src=x onerror=window.broken=2>"
        self.assertEqual(view(results, "-o", page).returncode, 0)
        self.browser.open(page)
        self.drawn()
        self.assertIsNone(self.browser.run("window.broken || null"))
        self.assertEqual(self.browser.run("document.title"), evil + "<img src=x onerror=window.broken=2>")
        names = self.browser.run("[...document.querySelectorAll('#found .name')].map(e => e.textContent)")
        self.assertIn("nodes" + evil, names)
        self.assertEqual(self.browser.problems(), [])

    def test_the_page_may_not_reach_the_network(self):
        self.open("gears")
        refused = self.browser.run("fetch('http://127.0.0.1:9/').then(() => 'sent', () => 'refused')")
        self.assertEqual(refused, "refused")
        self.assertTrue(any("Content Security Policy" in text for text in self.browser.problems()))

    def test_a_killed_run_is_shown_as_far_as_it_came(self):
        results = self.path / "killed.h5"
        shutil.copy(self.results_of("gears"), results)
        with h5py.File(results, "r+") as file:
            file.attrs["status"] = "running"
            file["nodes/position"].resize(100, axis=0)
        self.assertEqual(view(results).returncode, 0)
        self.browser.open(self.path / "killed.html")
        self.assertEqual(self.browser.run("View.shown[0].states"), 100)
        self.assertIn("so far", self.browser.run("View.byId('notes').textContent"))

    def test_a_lattice_of_many_beams_is_thinned_and_says_so(self):
        deck = self.path / "lattice.yaml"
        deck.write_text(lattice_deck(9, 41, 12))
        run(deck, self.path / "lattice.h5")
        self.assertEqual(view(self.path / "lattice.h5").returncode, 0)
        page = self.path / "lattice.html"
        self.assertLess(page.stat().st_size, 30e6)
        self.browser.open(page)
        self.drawn()
        self.assertEqual(self.browser.run("View.shown[0].scene.beams.length"), 11660)
        self.assert_positions(self.path / "lattice.h5", states=(0, 1))
        self.assertGreater(self.painted(), 0.01)
        self.assertEqual(self.browser.problems(), [])

    def test_two_thousand_elements_take_little_script_a_frame(self):
        deck = self.path / "middle.yaml"
        deck.write_text(lattice_deck(5, 21, 12))
        run(deck, self.path / "middle.h5")
        view(self.path / "middle.h5")
        self.browser.open(self.path / "middle.html")
        self.assertGreater(self.browser.run("View.shown[0].scene.beams.length"), 2000)
        self.browser.run("View.setColor('forces.0')")
        times = []
        for k in range(40):
            self.browser.run(f"View.timeline.set(View.timeline.duration * {k} / 41)")
            times.append(self.browser.run("(View.draw(), View.scriptTime)"))
        self.assertLess(min(times), 8)

    def test_a_live_page_follows_the_run(self):
        whole, results = self.results_of("gears"), self.path / "going_on.h5"
        shutil.copy(whole, results)
        with h5py.File(results, "r+") as file:
            file.attrs["status"] = "running"
            file["nodes/position"].resize(50, axis=0)
        server = subprocess.Popen([ROOT / "scripts/view", "--live", results], stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL, text=True)
        self.addCleanup(server.stdout.close)
        self.addCleanup(server.wait)
        self.addCleanup(server.terminate)
        address = server.stdout.readline().strip()
        self.assertRegex(address, r"^http://127\.0\.0\.1:\d+/[\w-]{16}/$")
        self.browser.open(address)
        self.assertEqual(self.browser.run("View.shown[0].states"), 50)
        self.browser.run("View.timeline.set(View.timeline.duration)")
        self.browser.run("""(() => { View.choose(View.findThing(View.shown[0], "body", "load"));
            View.followThing(View.chosen); View.toggleTrail(View.shown[0], View.chosen.item.node, null); })()""")
        time.sleep(0.05)
        shutil.copy(whole, self.path / "next.h5")
        os.replace(self.path / "next.h5", results)
        self.browser.wait("View.shown.length && View.shown[0].states === 601")
        self.browser.wait("View.timeline.clock === View.timeline.duration")
        self.browser.run("View.draw()")
        apart = self.browser.run("""(() => { const at = View.placeOf(View.chosen), to = View.camera.target;
            return Math.hypot(at[0] - to.x, at[1] - to.y, at[2] - to.z); })()""")
        self.assertLess(apart, 1e-6, "the camera goes with the body of the newest states")
        self.assertEqual(self.browser.run("View.shown[0].trails.map(one => one.run === View.shown[0])"), [True])
        host = address.split("/")[2]
        self.assertEqual({url.split("/")[2] for url in self.browser.requests()}, {host})
        self.assertEqual(self.browser.problems(), [])

    def test_a_film_is_recorded(self):
        self.open("gears")
        self.browser.call("Browser.setDownloadBehavior", behavior="deny")
        self.browser.run("View.timeline.speed.value = '5'; View.toggleFilm()")
        self.browser.wait("View.filmBytes > 0")
        self.assertGreater(self.browser.run("View.filmBytes"), 3000)

    def test_without_webgl_there_is_a_sentence_and_a_still_picture(self):
        with Browser(flags=("--disable-gpu", "--disable-3d-apis")) as browser:
            browser.open(self.page_of("four_bar"))
            self.assertIn("no WebGL", browser.run("View.failed"))
            self.assertGreater(browser.run("document.querySelectorAll('#still polyline').length"), 2)
            self.assertFalse(browser.run("View.byId('still').hidden"))


if __name__ == "__main__":
    unittest.main()
