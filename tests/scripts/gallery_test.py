# SPDX-License-Identifier: BSD-3-Clause
"""scripts/gallery without a browser: pages of decks, the index, names that are no markup, decks that fail."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/viewer"))

from gallery import index_of, pages_of, sentence_of  # noqa: E402

MARKUP = "<script>alert(1)</script>&"
DECK = f"""# A mass on a spring: {MARKUP}
# it swings.
#
# Source   none
format: polhode-deck/1
title: "{MARKUP}"
nodes: {{bob: {{position: [1, 0, 0], dofs: translation}}}}
bodies: {{bob: {{type: point_mass, node: bob, mass: 1}}}}
forces: {{spring: {{type: spring_damper, connects: [ground, bob], at: [[0, 0, 0], [1, 0, 0]], stiffness: 1}}}}
analysis: {{type: transient, duration: 1, step: 0.1}}
"""


class Gallery(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.folder = pathlib.Path(self.temporary.name)

    def deck(self, name, text=DECK):
        deck = self.folder / name
        deck.parent.mkdir(exist_ok=True)
        deck.write_text(text)
        return deck

    def call(self, *arguments, program=None):
        environment = dict(os.environ) | ({"POLHODE_BINARY": str(program)} if program else {})
        return subprocess.run([ROOT / "scripts/gallery", *arguments], capture_output=True, text=True, check=False,
                              env=environment)

    def test_the_sentence_of_a_deck_is_the_first_paragraph_of_its_head(self):
        self.assertEqual(sentence_of(self.deck("a.yaml")), f"A mass on a spring: {MARKUP} it swings.")
        self.assertEqual(sentence_of(self.deck("b.yaml", "format: polhode-deck/1\n# later\n")), "")

    def test_decks_of_the_same_name_have_pages_of_their_own(self):
        decks = [pathlib.Path(name) for name in ("/a/one.yaml", "/b/one.yaml", "/c/a/one.yaml", "/index.yaml")]
        self.assertEqual(pages_of(decks), ["a_one.html", "b_one.html", "a_one_2.html", "index_2.html"])

    def test_names_in_the_index_are_text(self):
        text, failed = index_of([{"deck": pathlib.Path(f'/{MARKUP[1:7]}/"><b>.yaml'), "title": MARKUP, "text": MARKUP,
                                  "page": '"><b>.html', "picture": "", "problem": MARKUP}])
        self.assertEqual(failed, 1)
        self.assertNotIn("<script", text)
        self.assertNotIn("<b>", text)
        self.assertIn("default-src 'none'", text)

    def test_what_is_missing_is_said_before_anything_is_run(self):
        done = self.call(self.folder / "none.yaml", "-o", self.folder / "out")
        self.assertEqual((done.returncode, "no such file" in done.stderr), (1, True))
        done = self.call(self.deck("a.yaml"), "-o", self.folder / "out", program=self.folder / "none")
        self.assertEqual((done.returncode, "POLHODE_BINARY" in done.stderr), (1, True))
        self.assertFalse((self.folder / "out").exists())

    @unittest.skipUnless("POLHODE_BINARY" in os.environ, "needs the program")
    def test_decks_become_pages_and_those_that_fail_are_listed(self):
        out = self.folder / "out"
        good, bad = self.deck("good.yaml"), self.deck("bad.yaml", DECK.replace("mass: 1", "mass: none"))
        done = self.call(good, bad, "-o", out)
        self.assertEqual((done.returncode, done.stdout.strip()), (1, str(out / "index.html")), done.stderr)
        self.assertEqual(sorted(file.name for file in out.iterdir()), ["good.html", "index.html"])
        text = (out / "index.html").read_text()
        self.assertEqual(re.findall(r'href="([^"]*)"', text), ["good.html"])
        self.assertIn(re.search(r"<svg.*?</svg>", text)[0], (out / "good.html").read_text())
        self.assertIn("2 models, 1 failed", text)
        self.assertIn("bad.yaml", text)
        self.assertNotIn("<script", text)
        self.assertNotRegex(text, r"https?:|\bsrc=")
        self.assertEqual(self.call(good, "-o", out).returncode, 0)


if __name__ == "__main__":
    unittest.main()
