# SPDX-License-Identifier: BSD-3-Clause
"""Puts the page together: markup, style, scripts, three.js and the scenes, in one file that needs no network."""
import base64
import hashlib
import html
import json
import os
import sys

from results import ResultsError

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "page")
THREE = ("/usr/share/javascript/three/three.min.js", "/usr/share/javascript/three/build/three.min.js")
SCRIPTS = ("core", "colors", "data", "pose", "shaders", "shapes", "bodies", "beams", "joints", "links", "arrows",
           "trails", "ground", "beam_colors", "stage", "camera", "labels", "picking", "timeline", "plot", "channels",
           "selection", "search", "layers", "modes", "runs", "export", "keys", "live", "main")
NOTICE = """/*! three.js r111, https://threejs.org, the MIT License
Copyright (c) 2010-2019 three.js authors
Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation
the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and
to permit persons to whom the Software is furnished to do so, subject to the following conditions: The above
copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software. THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT
LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT
SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION
OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER
DEALINGS IN THE SOFTWARE. */
"""


def read(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as file:
        return file.read()


def three():
    for path in (os.environ.get("POLHODE_THREE", ""), *THREE):
        if path and os.path.isfile(path):
            with open(path, encoding="utf-8") as file:
                return NOTICE + file.read()
    raise ResultsError("three.js is missing; in Debian: apt-get install libjs-three "
                       "(elsewhere: POLHODE_THREE=path of three.min.js, r111)")


def plain_json(value):
    """JSON that cannot end a <script>: no "<" and none of the line ends of JavaScript."""
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def source_of(script):
    """The value of Content-Security-Policy that allows this very text."""
    digest = base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode("ascii")
    return f"'sha256-{digest}'"


def page_of(title, document, blocks, picture, live=False):
    """The whole page. `document`: what the scripts need to know; `blocks`: base64 texts, one a run."""
    scripts = [three(), "\n".join(read(f"{name}.js") for name in SCRIPTS)]
    style = read("style.css")
    for script in (*scripts, style):
        assert "</script" not in script.lower() and "</style" not in script.lower()
    policy = "; ".join([
        "default-src 'none'", "script-src " + " ".join(map(source_of, scripts)), "style-src " + source_of(style),
        "img-src data: blob:", "media-src blob:", "connect-src " + ("'self'" if live else "'none'"), "base-uri 'none'",
        "form-action 'none'"])
    data = [f'<script type="application/json" id="document">{plain_json(document)}</script>']
    data += [f'<script type="text/plain" id="block-{i}">{block}</script>' for i, block in enumerate(blocks)]
    parts = {"POLICY": policy, "TITLE": html.escape(title), "STYLE": style, "PICTURE": picture, "DATA": "\n".join(data),
             "SCRIPTS": "\n".join(f"<script>{script}</script>" for script in scripts)}
    text = read("page.html")
    # One pass: what a title contains is never replaced again.
    pieces = text.split("@@")
    return "".join(piece if i % 2 == 0 else parts[piece] for i, piece in enumerate(pieces))


def run_tool(name, make):
    """Exit status of a tool that makes a file, whose name it prints: the one that make() gives, or a status."""
    try:
        made = make()
    except (ResultsError, OSError, KeyError, ValueError) as error:
        print(f"scripts/{name}: {error}", file=sys.stderr)
        return 1
    if isinstance(made, int):
        return made
    print(made)
    return 0
