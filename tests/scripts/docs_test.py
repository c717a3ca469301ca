# SPDX-License-Identifier: BSD-3-Clause
"""The documents hold together: links, width of prose, contents, names of methods and files, commands, spelling."""
import functools
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("POLHODE_BINARY")
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("elements/**/*.md")])
WIDE = ("CHANGELOG.md", "README.md", "docs/architecture.md", "docs/adding_", "docs/deck.md", "docs/study.md")  # by others
WIDTH = 120
FENCE = re.compile(r"^( *)```.*?^\1```$", re.S | re.M)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
# Words that newcomers misread, and British spellings; names in `code` are free.
AVOIDED = ["colour", "centre", "neighbour", "is told", "are told", "left out", "for their sake", "has a say",
           "with a say"]


def name_of(page):
    return page.relative_to(ROOT).as_posix()


@functools.cache
def text_of(page):
    return page.read_text()


def without_code(text):
    """Blocks of code become as many empty lines, so that line numbers stay."""
    return FENCE.sub(lambda block: "\n" * block[0].count("\n"), text)


def without_formulas(text):
    text = re.sub(r"\$\$.*?\$\$", lambda block: "\n" * block[0].count("\n"), text, flags=re.S)
    return re.sub(r"<!--.*?-->", lambda block: "\n" * block[0].count("\n"), text, flags=re.S)


def anchor_of(heading):
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def anchors_of(page):
    """Anchors of the headings, as GitHub makes them."""
    found, seen = set(), {}
    for heading in re.findall(r"^#+ +(.*)$", without_code(text_of(page)), re.M):
        heading = LINK.sub(lambda link: link[0][1 : link[0].index("]")], heading)
        anchor = anchor_of(heading)
        count = seen.get(anchor, 0)
        seen[anchor] = count + 1
        found.add(anchor if count == 0 else f"{anchor}-{count}")
    return found


def problems_of_links(page):
    for target in LINK.findall(re.sub(r"`[^`]*`", "", without_formulas(without_code(text_of(page))))):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        if not file.exists():
            yield f"{name_of(page)}: {target}: there is no such file"
        elif anchor and file.suffix == ".md" and anchor not in anchors_of(file):
            yield f"{name_of(page)}: {target}: there is no such heading"


def long_lines(page):
    for number, line in enumerate(without_formulas(without_code(text_of(page))).splitlines(), 1):
        is_prose = not line.lstrip().startswith(("|", "#", "![")) and not line.startswith("    ")
        words = re.sub(r"\]\([^)]*\)", "]", re.sub(r"\$[^$]*\$", "$", line))  # formulas and addresses cannot be broken
        if is_prose and len(words) > WIDTH:
            yield f"{name_of(page)}:{number}: {len(words)} columns"


class Documents(unittest.TestCase):
    def test_relative_links_lead_to_files_and_headings(self):
        self.assertEqual([problem for page in PAGES for problem in problems_of_links(page)], [])

    def test_lines_of_prose_have_at_most_120_columns(self):
        pages = [page for page in PAGES if not name_of(page).startswith(WIDE)]
        self.assertEqual([line for page in pages for line in long_lines(page)], [])

    def test_plain_words_and_one_spelling(self):
        found = []
        for page in PAGES:
            if name_of(page) in ("CHANGELOG.md", "docs/deck.md"):
                continue
            for number, line in enumerate(without_code(text_of(page)).splitlines(), 1):
                words = re.sub(r"`[^`]*`", "", line).lower()
                found += [f"{name_of(page)}:{number}: {word}" for word in AVOIDED if word in words]
        self.assertEqual(found, [])

    def test_decisions_have_a_table_of_contents_in_their_order(self):
        page = ROOT / "docs/decisions.md"
        head, _, rest = text_of(page).partition("\n## Contents\n")
        self.assertTrue(rest, "docs/decisions.md needs a heading `## Contents`")
        contents, _, decisions = rest.partition("\n## ")
        listed = re.findall(r"\[([^\]]+)\]\(#", contents)
        headings = re.findall(r"^## (.*)$", "## " + decisions, re.M)
        lines = "\n".join(f"* [{heading}](#{anchor_of(heading)})" for heading in headings)
        self.assertEqual(listed, headings, f"the contents of docs/decisions.md should be\n{lines}")

    def test_examples_name_files_of_the_repository(self):
        missing = {f"{name_of(page)}: {path}" for page in PAGES
                   for path in re.findall(r"\b(?:inputs|scripts)/[\w/]+\.(?:yaml|py|sh)\b", text_of(page))
                   if not (ROOT / path).exists()}
        self.assertEqual(missing, set())


@unittest.skipUnless(PROGRAM, "needs the program")
class DocumentsBesideTheProgram(unittest.TestCase):
    def call(self, *arguments):
        return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, check=True).stdout

    def test_the_theory_has_a_section_for_each_method(self):
        methods = list(choices_of(json.loads(self.call("schema", "deck")), "method"))
        self.assertGreaterEqual(len(methods), 11)
        headings = " ".join(re.findall(r"^#+ (.*)$", text_of(ROOT / "docs/theory.md"), re.M))
        guide = text_of(ROOT / "docs/methods.md")
        for method in methods:
            self.assertRegex(headings, rf"\b{method}\b")
            self.assertIn(f"`{method}`", text_of(ROOT / "docs/theory.md"))
            if method not in ("ul_crv",):
                self.assertIn(method, guide)

    def test_printed_decks_are_valid(self):
        with tempfile.TemporaryDirectory() as folder:
            for page in PAGES:
                for text in re.findall(r"```yaml\n(format: polhode-deck/1\n.*?)\n```", text_of(page), re.S):
                    deck = pathlib.Path(folder, "deck.yaml")
                    deck.write_text(text + "\n")
                    done = subprocess.run([PROGRAM, "check", deck], capture_output=True, text=True, check=False)
                    self.assertEqual(done.returncode, 0, f"{name_of(page)}: {done.stderr}")

    def test_command_lines_use_commands_that_exist(self):
        known = set(re.findall(r"^  (\w+) +", self.call("--help").partition("Subcommands:")[2], re.M))
        for page in PAGES:
            for block in re.findall(r"```sh\n(.*?)```", text_of(page), re.S):
                for command in re.findall(r"^(?:build/release/)?polhode (\w+)", block, re.M):
                    self.assertIn(command, known, name_of(page))


def choices_of(schema, key):
    """The values that the schema allows for a key, wherever it stands."""
    if isinstance(schema, dict):
        for name, value in schema.items():
            if name == key and isinstance(value, dict) and "enum" in value:
                yield from value["enum"]
            yield from choices_of(value, key)
    elif isinstance(schema, list):
        for value in schema:
            yield from choices_of(value, key)


if __name__ == "__main__":
    unittest.main()
