# SPDX-License-Identifier: BSD-3-Clause
"""The examples of docs/python.md: blocks of Python run one after the other, that of C is the program that is tested."""
import os
import pathlib
import re
import runpy
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/python.md").read_text()


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.S | re.M)


class Guide(unittest.TestCase):
    def test_blocks_of_python_run(self):
        found = blocks("python")
        self.assertGreater(len(found), 4)
        names = {"__name__": "guide"}
        with tempfile.TemporaryDirectory() as folder:
            os.symlink(ROOT / "inputs", os.path.join(folder, "inputs"))
            here = os.getcwd()
            os.chdir(folder)
            try:
                for number, block in enumerate(found):
                    with self.subTest(block=number):
                        exec(compile(block, f"block {number}", "exec"), names)
            finally:
                os.chdir(here)

    def test_the_regulator_of_a_linear_model_holds_the_pole(self):
        example = runpy.run_path(str(ROOT / "docs/examples/python/cart_and_pole.py"))
        gains = example["gains"]()
        self.assertLess(abs(gains - [10, 121.88, 14.439, 36.061]).max(), 1e-2)  # those of the deck
        history = example["balance"](gains)
        self.assertEqual(history.shape, (2001, 6))
        self.assertLess(abs(history[-1, 2]), 1e-3)

    def test_the_program_in_c_is_the_one_that_is_tested(self):
        (program,) = blocks("c")
        self.assertIn(program, (ROOT / "docs/examples/c/balance.c").read_text())


if __name__ == "__main__":
    unittest.main()
