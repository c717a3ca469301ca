# SPDX-License-Identifier: BSD-3-Clause
"""scripts/lint finds what it says it finds. The part that needs clang-query is skipped where that is missing."""
import importlib.machinery
import importlib.util
import pathlib
import shutil
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
LOADER = importlib.machinery.SourceFileLoader("lint", str(ROOT / "scripts/lint"))
lint = importlib.util.module_from_spec(importlib.util.spec_from_loader("lint", LOADER))
LOADER.exec_module(lint)

SOURCE = """\
int f(int);
void all(int a, int b) {
  int x, y;
  x = 1, y = 2;
  if (a) x = 3, y = 4;
  a ? f(1) : f(2);
  if (b) a ? f(1) : f(2);
  for (int i = 0, j = 3; i < j; ++i, --j) a ? f(i) : f(j);
  while (--x > 0) a ? f(1) : f(2);
  switch (a) {
    case 1: a ? f(1) : f(2);
  }
  if (a ? b : x) f(1);
  x = a ? b : y;
  f(a ? x : y);
}
template <class T>
void generic(T a) {
  a ? f(1) : f(2);
}
"""
WRONG = {3, 4, 5, 6, 7, 8, 9, 11, 19}


class Lint(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root, lint.ROOT = pathlib.Path(folder.name), pathlib.Path(folder.name)
        self.addCleanup(setattr, lint, "ROOT", ROOT)
        (self.root / "src/io").mkdir(parents=True)

    def write(self, text, name="src/wrong.hpp"):
        (self.root / name).write_text(text)

    @unittest.skipUnless(shutil.which("clang-query"), "needs clang-query")
    def test_chains_conditional_statements_and_several_declarators_are_found_by_line(self):
        self.write(SOURCE, "src/wrong.cpp")
        findings, errors = lint.parse((), ["src/wrong.cpp"], self.root)
        self.assertEqual({line for _, line in findings}, WRONG)
        self.assertEqual(errors, {})

    @unittest.skipUnless(shutil.which("clang-query"), "needs clang-query")
    def test_a_source_that_clang_cannot_parse_is_an_error(self):
        self.write("int f() { return unknown; }\n", "src/wrong.cpp")
        self.assertIn("src/wrong.cpp:1: use of undeclared identifier",
                      lint.parse((), ["src/wrong.cpp"], self.root)[1]["src/wrong.cpp"])

    @unittest.skipUnless(shutil.which("clang-query"), "needs clang-query")
    def test_tests_that_are_read_together_do_not_clash_and_keep_their_lines(self):
        paths = ["src/one.cpp", "src/two.cpp"]
        for path in paths:
            self.write("namespace {\nint f() {\n  int x, y;\n  return x = y = 0;\n}\n\n}  // namespace\n", path)
        findings, errors = lint.parse((), paths, self.root)
        self.assertEqual(set(findings), {(path, 3) for path in paths})
        self.assertEqual(errors, {})

    def test_several_members_on_a_line_are_found(self):
        self.write("struct A {\n  int a, b;\n  double c = 1, d = f(1, 2);\n  std::pair<int, int> e;\n  int g(int, int);\n"
                   "  using T = std::pair<int, int>;\n};\nenum class E { a, b };\nint h(int a,\n      int b, int c);\n")
        self.assertEqual({line for _, line in lint.members([])}, {2, 3})

    def test_comments_count_without_blank_lines_and_licence(self):
        self.write("// SPDX-License-Identifier: BSD-3-Clause\n// Why.\n\nint a;\nint b;\nint c;  // units\n",
                   "src/io/some.cpp")
        self.assertEqual(lint.comment_shares()["sources", "io"], (1, 4))


if __name__ == "__main__":
    unittest.main()
