# SPDX-License-Identifier: BSD-3-Clause
"""scripts/gallery [DECK.yaml ...] [-o FOLDER]: runs decks, makes a page of each, and an index of their pictures.

Without decks those of inputs/examples and inputs/benchmarks are run. The program is that of POLHODE_BINARY, else of
build/release. Decks that fail are listed with their message; the exit status is 1 then.
"""
import argparse
import html
import os
import pathlib
import subprocess
import sys
import tempfile
import urllib.parse

import model  # noqa: F401 -- finds the pictures' modules

from page import read, run_tool, source_of, three
from results import ResultsError
from view import document_of, save_page, title_of

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("POLHODE_BINARY", str(ROOT / "build/release/polhode"))
FOLDERS = ("inputs/examples", "inputs/benchmarks")
ENOUGH = 600  # seconds that a run may take


def sentence_of(deck):
    """The first paragraph of the comment at the head of a deck."""
    lines = []
    for line in deck.read_text(encoding="utf-8", errors="replace").splitlines():
        if not line.startswith("#") or not line[1:].strip():
            break
        lines.append(line[1:].strip())
    return " ".join(lines)


def pages_of(decks):
    """A name for the page of each deck: that of the deck, with its folder and a number where names are the same."""
    names, taken = [], {"index.html"}
    stems = [deck.stem for deck in decks]
    for deck in decks:
        stem = deck.stem if stems.count(deck.stem) == 1 else f"{deck.resolve().parent.name}_{deck.stem}"
        name, number = f"{stem}.html", 1
        while name in taken:
            number += 1
            name = f"{stem}_{number}.html"
        taken.add(name)
        names.append(name)
    return names


def run(deck, results):
    """Runs a deck; None, or what went wrong."""
    try:
        done = subprocess.run([PROGRAM, "run", deck, "-o", results, "--quiet"], capture_output=True, text=True,
                              errors="replace", timeout=ENOUGH, check=False)
    except subprocess.TimeoutExpired:
        return f"not done after {ENOUGH} s"
    if done.returncode == 0:
        return None
    return done.stderr.strip() or f"exit status {done.returncode}"


def entry_of(deck, page, folder):
    """What the index shows of a deck; makes its page, as far as there are results."""
    entry = {"deck": deck, "text": sentence_of(deck), "title": deck.stem, "page": None, "picture": ""}
    with tempfile.TemporaryDirectory() as place:
        results = pathlib.Path(place, deck.stem + ".h5")
        entry["problem"] = run(deck, results)
        if not results.is_file():
            return entry
        try:
            document, blocks, picture = document_of([str(results)])
            save_page(document, blocks, picture, str(folder / page))
        except ResultsError as error:
            entry["problem"] = entry["problem"] or str(error).replace(str(results), results.name)
            return entry
    return {**entry, "title": title_of(document), "page": page, "picture": picture}


def card_of(entry):
    text = (f"{entry['picture']}<h3>{html.escape(entry['title'])}</h3><p>{html.escape(entry['text'])}</p>"
            f'<p class="file">{html.escape(entry["deck"].name)}</p>')
    if entry["page"]:
        text = f'<a href="{html.escape(urllib.parse.quote(entry["page"]))}">{text}</a>'
    if entry["problem"]:
        text += f'<p class="bad">failed</p><pre>{html.escape(entry["problem"])}</pre>'
    return f"<article>{text}</article>"


def index_of(entries):
    style = read("gallery.css")
    failed = sum(entry["problem"] is not None for entry in entries)
    parts = []
    for folder in dict.fromkeys(entry["deck"].parent for entry in entries):
        cards = "\n".join(card_of(entry) for entry in entries if entry["deck"].parent == folder)
        parts.append(f"<h2>{html.escape(folder.name.capitalize())}</h2>\n<main>\n{cards}\n</main>")
    count = f"{len(entries)} models" + (f", {failed} failed" if failed else "")
    return ('<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" '
            f'content="default-src \'none\'; style-src {source_of(style)}">\n'
            '<meta name="viewport" content="width=device-width">\n<title>Models</title>\n'
            f"<style>{style}</style></head>\n<body><h1>Models in motion</h1><p>{count}; click a picture to see it "
            f"move.</p>\n{chr(10).join(parts)}\n</body></html>\n"), failed


def make_gallery(decks, folder):
    """Name of the index, and how many decks failed."""
    for deck in decks:
        if not deck.is_file():
            raise ResultsError(f"{deck}: no such file")
    if not os.access(PROGRAM, os.X_OK):
        raise ResultsError(f"{PROGRAM} is missing: build it (scripts/setup), or name another by POLHODE_BINARY")
    three()  # says what is missing before anything is run
    folder.mkdir(parents=True, exist_ok=True)
    entries = []
    for deck, page in zip(decks, pages_of(decks)):
        entries.append(entry_of(deck, page, folder))
        print(f"{deck}: {'failed' if entries[-1]['problem'] else page}", file=sys.stderr, flush=True)
    index = folder / "index.html"
    text, failed = index_of(entries)
    index.write_text(text, encoding="utf-8")
    return index, failed


def main():
    parser = argparse.ArgumentParser(prog="scripts/gallery", description=__doc__.split("\n\n")[0])
    parser.add_argument("decks", nargs="*", type=pathlib.Path,
                        help="decks; default: those of inputs/examples and inputs/benchmarks")
    parser.add_argument("-o", "--output", type=pathlib.Path, default=ROOT / "results/gallery",
                        help="folder of the pages; default: results/gallery")
    options = parser.parse_args()
    decks = options.decks or [deck for folder in FOLDERS for deck in sorted((ROOT / folder).glob("*.yaml"))]

    def make():
        index, failed = make_gallery([deck.absolute() for deck in decks], options.output)
        print(index)
        return int(failed > 0)

    return run_tool("gallery", make)


if __name__ == "__main__":
    sys.exit(main())
