# SPDX-License-Identifier: BSD-3-Clause
"""scripts/view RESULTS.h5 ... [-o page.html] [--live]: results as one page that opens in any browser, without network.

Several files are shown side by side or on top of each other. Of a study, the cases whose results were kept can be
picked. --live serves the page on this machine, and the page follows a run that goes on.
"""
import argparse
import os
import sys

import model  # noqa: F401 -- finds the pictures' modules

import numpy as np

from page import page_of, run_tool
from picture import picture_of
from results import ResultsError
from chosen import runs_of
from scene import scene_of

ROOM = 22_000_000  # bytes of numbers before compression: a page below 30 MB


def still(scene, results):
    """The picture of the last state."""
    position = np.asarray(results.file["/nodes/position"][results.count - 1])
    rotation = np.asarray(results.file["/nodes/rotation"][results.count - 1]) if "/nodes/rotation" in results.file \
        else np.tile([1.0, 0, 0, 0], (len(position), 1))
    lines = [(beam["name"], results.beam_nodes(beam["name"])) for beam in scene["beams"]]
    return picture_of({**scene, "lines": lines}, position, rotation)


def document_of(paths, room=ROOM):
    """Document for the page, blocks of numbers, and the still picture of the first run."""
    runs, table = runs_of(paths)
    scenes, blocks, picture = [], [], ""
    for run in runs:
        scene, packer, results = scene_of(run["path"], room // len(runs))
        scene["label"] = run["label"]
        scene["file"] = os.path.basename(run["path"])
        scene["case"] = run.get("case")
        if not scenes:
            picture = still(scene, results)
        scenes.append(scene)
        blocks.append(packer.text())
    return {"version": 1, "runs": scenes, "study": table}, blocks, picture


def title_of(document):
    study = document["study"]
    return study["title"] if study else document["runs"][0]["title"]


def save_page(document, blocks, picture, output):
    text = page_of(title_of(document), document, blocks, picture)
    part = f"{output}.polhode-part"
    try:
        with open(part, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(part, output)
    except OSError as error:
        raise ResultsError(f"{output}: cannot be written ({error.strerror})") from error


def write_page(paths, output):
    save_page(*document_of(paths), output)


def main():
    parser = argparse.ArgumentParser(prog="scripts/view", description=__doc__.split("\n\n")[0])
    parser.add_argument("results", nargs="+", help="results files, or the table of a study")
    parser.add_argument("-o", "--output", help="the page; default: the first file's name with .html")
    parser.add_argument("--live", action="store_true", help="serve the page on this machine and follow the run")
    parser.add_argument("--port", type=int, default=0, help="of --live; default: any free one")
    options = parser.parse_args()

    def make():
        if options.live:
            from live import serve
            return serve(options.results, options.port, document_of, title_of)
        output = options.output or os.path.splitext(options.results[0])[0] + ".html"
        write_page(options.results, output)
        return output

    return run_tool("view", make)


if __name__ == "__main__":
    sys.exit(main())
