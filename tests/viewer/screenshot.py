# SPDX-License-Identifier: BSD-3-Clause
"""A picture of a page of scripts/view, for the documents: screenshot.py PAGE.html PICTURE.png [JAVASCRIPT ...]

docs/pictures/view.png, of the four-bar:
  screenshot.py four_bar.html docs/pictures/view.png "View.setColor('forces.0')" "View.timeline.set(3.1)" \
    "View.choose(View.findThing(View.shown[0], 'joint', 'hinge_C'))" "View.setLayer('reactions', true)"
"""
import sys

from PIL import Image

from browser import Browser

page, picture, *statements = sys.argv[1:]
with Browser(1180, 700) as browser:
    browser.open(page)
    for statement in statements:
        browser.run(statement)
    browser.run("new Promise(done => setTimeout(done, 800))")
    browser.screenshot(picture)
with Image.open(picture) as image:
    small = image.convert("RGB").quantize(256, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
small.save(picture, optimize=True)
