# SPDX-License-Identifier: BSD-3-Clause
"""A page that follows a run: served on this machine alone, it asks for newer states once a second.

The address has a secret part, and requests whose host is not this machine are refused, so that neither other users nor
pages of other sites that are open in the same browser can read the results.
"""
import http.server
import json
import os
import secrets
import sys
import threading
import time
import urllib.parse

from page import page_of, plain_json
from results import ResultsError

ROOM = 12_000_000  # bytes of numbers before compression: they are sent again and again


class News:
    """The newest document of the files, made again when one of them has changed."""

    def __init__(self, paths, document_of):
        self.paths = paths
        self.document_of = document_of
        self.lock = threading.Lock()
        self.stamp = None
        self.version = 0
        self.made = None

    def _stamp(self):
        return [(os.stat(path).st_mtime_ns, os.stat(path).st_size) for path in self.paths]

    def update(self):
        """(version, document, blocks, picture); a file that is just being written gives what there was before."""
        with self.lock:
            stamp = self._stamp()
            if stamp != self.stamp:
                try:
                    self.made = self.document_of(self.paths, ROOM)
                    self.stamp = stamp
                    self.version += 1
                except (ResultsError, OSError, KeyError, ValueError, RuntimeError):
                    if self.made is None:
                        raise
            return (self.version, *self.made)


def handler_of(news, token, title_of):
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            host = (self.headers.get("Host") or "").rsplit(":", 1)[0]
            address = urllib.parse.urlsplit(self.path)
            if host not in ("127.0.0.1", "localhost") or not address.path.startswith(f"/{token}/"):
                return self.send_error(403)
            name = address.path[len(token) + 2:]
            if name == "":
                version, document, blocks, picture = news.update()
                text = page_of(title_of(document), {**document, "live": version}, blocks, picture, live=True)
                return self.answer(200, text, "text/html; charset=utf-8")
            if name != "news":
                return self.send_error(404)
            version, document, blocks, _ = news.update()
            if str(version) in urllib.parse.parse_qs(address.query).get("version", []):
                return self.answer(204, "", "text/plain")
            text = plain_json({"version": version, "runs": document["runs"], "blocks": blocks})
            return self.answer(200, text, "application/json")

        def answer(self, status, text, kind):
            data = text.encode("utf-8")
            self.send_response(status)
            for name, value in (("Content-Type", kind), ("Content-Length", str(len(data))),
                                ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"),
                                ("Referrer-Policy", "no-referrer")):
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_):
            pass

    return Handler


def serve(paths, port, document_of, title_of):
    news = News(paths, document_of)
    is_waiting = False
    while True:
        try:
            news.update()
            break
        except (ResultsError, OSError) as error:
            if not is_waiting:
                print(f"scripts/view: waiting for the first state ({error})", file=sys.stderr, flush=True)
            is_waiting = True
            time.sleep(0.5)
    token = secrets.token_urlsafe(12)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", port), handler_of(news, token, title_of))
    print(f"http://127.0.0.1:{server.server_address[1]}/{token}/", flush=True)
    print("Open this address in a browser on this machine; Ctrl+C ends it.", file=sys.stderr, flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass
    return 0
