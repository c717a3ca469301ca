# SPDX-License-Identifier: BSD-3-Clause
"""Pictures of pages of scripts/view for the documents: the whole page, or what its button "Picture" saves.

screenshot.py                                           those of docs/pictures anew (CMake target `docs_pictures`)
screenshot.py PAGE.html PICTURE.png [JAVASCRIPT ...]    of one page, after these statements
"""
import base64
import os
import pathlib
import subprocess
import sys
import tempfile

from PIL import Image

from browser import Browser

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("POLHODE_BINARY", str(ROOT / "build/release/polhode"))
PAGE, OWN = (1180, 700), (1452, 570)  # of the window; the list on the left has 272 pixels, header and timeline 108
MOST = 150_000  # bytes of a picture
COLORED = ["View.setColor('forces.0')", "View.setLayer('reactions', true)"]
TRAIL = "View.toggleTrail(View.shown[0], View.shown[0].scene.nodes.indexOf('{}'))"
PICTURES = {  # name in docs/pictures: deck, whole page, statements
    "four_bar.png": ("benchmarks/four_bar", False, [
        *COLORED, TRAIL.format("B_bc"), TRAIL.format("C_bc"), "View.timeline.set(2.3)"]),
    "view.png": ("benchmarks/four_bar", True, [
        *COLORED, TRAIL.format("C_bc"), "View.timeline.set(2.3)",
        "View.choose(View.findThing(View.shown[0], 'joint', 'hinge_C'))"]),
}


def compress(picture):
    with Image.open(picture) as image:
        small = image.convert("RGB").quantize(256, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    small.save(picture, optimize=True)


def take(page, picture, statements, whole=True):
    with Browser(*(PAGE if whole else OWN)) as browser:
        browser.open(page)
        for statement in statements:
            browser.run(statement)
        browser.run("new Promise(done => setTimeout(done, 800))")
        if whole:
            browser.screenshot(picture)
        else:
            data = browser.run("(() => { View.draw(); const canvas = View.make('canvas'); View.compose(canvas); "
                               "return canvas.toDataURL('image/png'); })()")
            pathlib.Path(picture).write_bytes(base64.b64decode(data.partition(",")[2]))
    compress(picture)


def take_all():
    with tempfile.TemporaryDirectory() as folder:
        for name, (deck, whole, statements) in PICTURES.items():
            results = pathlib.Path(folder, pathlib.Path(deck).name + ".h5")
            if not results.exists():
                subprocess.run([PROGRAM, "run", ROOT / f"inputs/{deck}.yaml", "-o", results, "--quiet"], check=True)
                subprocess.run([ROOT / "scripts/view", results], check=True, stdout=subprocess.DEVNULL)
            picture = ROOT / "docs/pictures" / name
            take(results.with_suffix(".html"), picture, statements, whole)
            size = picture.stat().st_size
            print(f"{picture.relative_to(ROOT)}  {size} bytes")
            if size > MOST:
                sys.exit(f"{picture.name}: more than {MOST} bytes")


if __name__ == "__main__":
    if len(sys.argv) > 2:
        take(sys.argv[1], sys.argv[2], sys.argv[3:])
    else:
        take_all()
