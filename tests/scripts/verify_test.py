# SPDX-License-Identifier: BSD-3-Clause
"""The pages of numbers: how they are printed, and that a number which has changed is found."""
import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "scripts/pictures"), str(ROOT / "scripts/verification")]

from page import Numbers, TEMPLATES, PLACE, differences, text_of  # noqa: E402


class Pages(unittest.TestCase):
    def test_numbers_are_printed_as_the_page_asks(self):
        for value, form, text in ((7.268e-3, ".2e", "7.27e-3"), (-0.1, "+.2f", "−0.10"), (8.72, "s3", "8.72"),
                                  (0.1216, "s3", "0.122"), (9.996e-3, "s3", "1.00e-2"), (2.9e-4, "s3", "2.90e-4"),
                                  (122.4, "s3", "122"), (True, "yes", "yes"), (False, "yes", "**no**"),
                                  (3e-12, "<1e-9", "below 1e-9"), (3e-8, "<1e-9", "3e-08"), (0.0, "s3", "0.00")):
            self.assertEqual(text_of(value, form), text)

    def test_a_number_may_differ_by_one_unit_of_its_last_digit(self):
        old = "x 7.27e-3 m at h = 1e-3, −0.10 J, 2 × 5 elements"
        for new in ("x 7.28e-3 m at h = 1e-3, −0.11 J, 2 × 5 elements", old):
            self.assertEqual(differences(old, new), [])
        for new in ("x 7.29e-3 m at h = 1e-3, −0.10 J, 2 × 5 elements",
                    "x 7.27e-2 m at h = 1e-3, −0.10 J, 2 × 5 elements",
                    "x 7.27e-3 m at h = 1e-3, −0.12 J, 2 × 5 elements",
                    "x 7.27e-3 m at h = 1e-3, 0.10 J, 2 × 5 elements",
                    "y 7.27e-3 m at h = 1e-3, −0.10 J, 2 × 5 elements", old + "\nmore"):
            self.assertEqual(len(differences(old, new)), 1, new)

    def test_lists_and_mappings_are_told_apart(self):
        numbers = Numbers()
        numbers.put("x", {"a": [1, 2]})
        numbers.holds("s", 1 < 2)
        self.assertEqual(numbers, {"x.a.0": 1, "x.a.1": 2, "s": True})

    def test_every_page_states_what_holds(self):
        for name in ("heavy_top", "velocity_projection", "right_angle_beam", "four_bar", "mechanisms", "statics", "spin_up_beam"):
            forms = [form for _, form in PLACE.findall((TEMPLATES / f"{name}.md").read_text())]
            self.assertIn("yes", forms, name)


if __name__ == "__main__":
    unittest.main()
