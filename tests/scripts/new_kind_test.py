# SPDX-License-Identifier: BSD-3-Clause
"""scripts/new_kind starts a kind that stands complete and in its place in the catalog."""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


class NewKind(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = pathlib.Path(self.folder.name)
        (self.root / "scripts").mkdir()
        shutil.copy(ROOT / "scripts/new_kind", self.root / "scripts")
        shutil.copytree(ROOT / "elements", self.root / "elements")

    def new_kind(self, *arguments):
        return subprocess.run([sys.executable, self.root / "scripts/new_kind", *arguments], capture_output=True, text=True, check=False)

    def catalog(self):
        return (self.root / "elements/catalog.cpp").read_text()

    def test_has_all_files_under_its_own_name(self):
        for family, folder, name, simplest in [("joint", "joints", "ball_and_socket", "spherical"),
                                               ("body", "bodies", "pebble", "point_mass"), ("force", "forces", "wind", "load")]:
            done = self.new_kind(family, name)
            self.assertEqual(done.returncode, 0, done.stderr)
            camel = "".join(word.capitalize() for word in simplest.split("_"))
            for ending in (".hpp", ".cpp", ".md", "_test.cpp"):
                text = (self.root / "elements" / folder / name / (name + ending)).read_text()
                self.assertIn(name, text)
                for old in (rf"\b{simplest}(_info)?\b(?! factor)", rf"\b{simplest}s::", rf"namespace {simplest}s\b", rf"\b{camel}::", rf"struct {camel}\b"):
                    self.assertIsNone(re.search(old, text), f"{name}{ending}: {old}")

    def test_has_the_words_of_the_template_that_are_not_its_name(self):
        self.assertEqual(self.new_kind("force", "wind").returncode, 0)
        for ending, words in [(".cpp", (r"\.load_factor\b", r"\bdiscrete_")), (".hpp", (r"\bload factor\b", r"\bdiscrete_"))]:
            template = (ROOT / "elements/forces/load" / ("load" + ending)).read_text()
            copy = (self.root / "elements/forces/wind" / ("wind" + ending)).read_text()
            for word in words:
                self.assertGreater(len(re.findall(word, template)), 0, word)
                self.assertEqual(len(re.findall(word, copy)), len(re.findall(word, template)), word)

    def test_declares_nothing_that_its_template_declares(self):
        declared = r"^(?:struct|namespace|extern const model::KindInfo) (\w+)(?! \w)"
        for family, folder, name, simplest in [("joint", "joints", "ball", "spherical"), ("body", "bodies", "pebble", "point_mass"),
                                               ("force", "forces", "wind", "load")]:
            self.assertEqual(self.new_kind(family, name).returncode, 0)
            copy = set(re.findall(declared, (self.root / "elements" / folder / name / (name + ".hpp")).read_text(), re.M))
            template = set(re.findall(declared, (ROOT / "elements" / folder / simplest / (simplest + ".hpp")).read_text(), re.M))
            self.assertEqual(copy & template, {"polhode"} & template, name)

    def test_stands_in_the_catalog_sorted_by_family_and_name(self):
        before = re.findall(r"::(\w+)_info", self.catalog())
        for family, name in [("joint", "aaa"), ("force", "aaa_f"), ("body", "zzz")]:
            self.assertEqual(self.new_kind(family, name).returncode, 0)
        after = re.findall(r"::(\w+)_info", self.catalog())
        self.assertEqual([kind for kind in after if kind in before], before)
        first_joint = next(kind for kind in before if (ROOT / "elements/joints" / kind).is_dir())
        first_force = next(kind for kind in before if (ROOT / "elements/forces" / kind).is_dir())
        self.assertEqual(after[after.index(first_joint) - 1], "aaa")
        self.assertEqual(after[after.index(first_force) - 1], "aaa_f")
        last_body = [kind for kind in before if (ROOT / "elements/bodies" / kind).is_dir()][-1]
        self.assertEqual(after[after.index(last_body) + 1], "zzz")
        includes = re.findall(r'#include "(elements/.*)"', self.catalog())
        self.assertEqual(includes, sorted(includes))

    def test_refuses_what_it_cannot_make(self):
        before = self.catalog()
        for arguments in [("joint", "revolute"), ("joint", "Universal"), ("wheel", "tyre"), ("joint",)]:
            self.assertEqual(self.new_kind(*arguments).returncode, 1, arguments)
        self.assertEqual(self.catalog(), before)


if __name__ == "__main__":
    unittest.main()
