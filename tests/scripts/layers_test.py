# SPDX-License-Identifier: BSD-3-Clause
"""scripts/check_layers finds what it is there to find."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SPDX = "// SPDX-License-Identifier: BSD-3-Clause\n"


class CheckLayers(unittest.TestCase):
    def problems(self, path, text):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, path)
            file.parent.mkdir(parents=True)
            file.write_text(text)
            done = subprocess.run([sys.executable, ROOT / "scripts/check_layers", folder], capture_output=True, text=True,
                                  check=False)
            self.assertEqual(done.returncode, 1 if done.stdout else 0, done.stderr)
            return done.stdout

    def test_a_part_may_include_what_stands_to_its_left(self):
        self.assertEqual(self.problems("src/io/a.cpp", SPDX + '#include "polhode/math/so3.hpp"\n#include <hdf5.h>\n'), "")

    def test_a_part_must_not_include_what_stands_to_its_right(self):
        found = self.problems("src/model/a.cpp", SPDX + '#include "polhode/io/deck.hpp"\n')
        self.assertIn("src/model/a.cpp:2: model must not include io", found)

    def test_libraries_stay_in_their_parts(self):
        for path, include in [("src/model/a.cpp", "yaml-cpp/yaml.h"), ("src/analyses/a.cpp", "hdf5.h"),
                              ("src/analyses/a.cpp", "H5public.h"), ("src/integrators/a.cpp", "klu.h"),
                              ("src/integrators/a.cpp", "suitesparse/klu.h"), ("src/assembly/a.cpp", "umfpack.h"),
                              ("src/io/a.cpp", "CLI/CLI.hpp"), ("include/polhode/io/a.hpp", "yaml-cpp/yaml.h"),
                              ("include/polhode/assembly/a.hpp", "klu.h"),
                              ("include/polhode/cli/a.hpp", "spdlog/spdlog.h")]:
            self.assertIn("include", self.problems(path, SPDX + f"#include <{include}>\n"), f"{path} {include}")

    def test_nothing_outside_the_elements_names_a_kind(self):
        found = self.problems("src/io/a.cpp", SPDX + '#include "elements/joints/revolute/revolute.hpp"\n')
        self.assertIn("only the catalog knows a kind", found)

    def test_every_file_has_its_licence_and_a_readable_length(self):
        self.assertIn("SPDX", self.problems("src/io/a.cpp", "// a file\n"))
        self.assertIn("501 lines", self.problems("tests/io/a_test.cpp", SPDX + "\n" * 500))


if __name__ == "__main__":
    unittest.main()
