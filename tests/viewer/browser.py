# SPDX-License-Identifier: BSD-3-Clause
"""A headless Chromium that a test drives over a pipe, by the DevTools protocol."""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

CHROMIUM = next((path for path in map(shutil.which, ("chromium", "chromium-browser", "google-chrome")) if path), None)
ENOUGH = 60  # seconds for any one answer


class Browser:
    def __init__(self, width=1280, height=800, flags=()):
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        command_read, self.command = os.pipe()
        self.answers, answer_write = os.pipe()

        def connect():  # the browser reads commands from 3 and writes answers to 4
            commands, answers = os.dup(command_read), os.dup(answer_write)
            high = [os.dup2(commands, 30), os.dup2(answers, 31)]
            os.dup2(high[0], 3)
            os.dup2(high[1], 4)

        self.process = subprocess.Popen(
            [CHROMIUM, "--headless=new", "--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
             "--remote-debugging-pipe", f"--user-data-dir={self.folder.name}", f"--window-size={width},{height}",
             "--no-first-run", "--hide-scrollbars", "--disable-gpu-sandbox", *flags, "about:blank"],
            preexec_fn=connect, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(command_read)
        os.close(answer_write)
        self.buffer = b""
        self.number = 0
        self.events = []
        self.session = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def close(self):
        os.close(self.command)
        os.close(self.answers)
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.folder.cleanup()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _message(self, until):
        while b"\0" not in self.buffer:
            left = until - time.monotonic()
            if left <= 0 or not select.select([self.answers], [], [], left)[0]:
                raise TimeoutError("no answer of the browser")
            piece = os.read(self.answers, 1 << 20)
            if not piece:
                raise EOFError("the browser has ended")
            self.buffer += piece
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.command, data):]
        until = time.monotonic() + ENOUGH
        while True:
            answer = self._message(until)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def run(self, expression):
        """Value of an expression of JavaScript in the page; promises are awaited."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def wait(self, expression, seconds=ENOUGH):
        until = time.monotonic() + seconds
        while not self.run(expression):
            if time.monotonic() > until:
                raise TimeoutError(f"{expression} did not become true; {self.problems()}")
            time.sleep(0.03)

    def open(self, path):
        """Opens a page of scripts/view and waits until it is ready or says why not; seconds that it took."""
        self.call("Page.navigate", url="about:blank")
        self.run("1")
        self.events = []
        begin = time.monotonic()
        self.call("Page.navigate", url=path if "://" in str(path) else f"file://{os.path.abspath(path)}")
        self.wait("typeof View !== 'undefined' && (View.isReady || View.failed) ? true : false")
        return time.monotonic() - begin

    def problems(self):
        """Errors on the console, exceptions, and requests to anywhere but the page itself."""
        self.run("1")  # what was sent before has arrived
        found = []
        for event in self.events:
            method, parameters = event.get("method"), event.get("params", {})
            if method == "Runtime.exceptionThrown":
                details = parameters["exceptionDetails"]
                found.append(f"{details.get('text')} {details.get('exception', {}).get('description', '')}")
            elif method == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning", "assert"):
                found.append(" ".join(str(a.get("value", a.get("description"))) for a in parameters["args"]))
            elif method == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
                found.append(parameters["entry"]["text"])
        return [text for text in found if "GPU stall" not in text]

    def requests(self):
        return [event["params"]["request"]["url"] for event in self.events
                if event.get("method") == "Network.requestWillBeSent"]

    def screenshot(self, path=None):
        data = base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"])
        if path:
            with open(path, "wb") as file:
                file.write(data)
        return data

    def key(self, key, text=None):
        codes = {" ": "Space"}
        for kind in ("keyDown", "keyUp"):
            parameters = {"type": kind, "key": key, "code": codes.get(key, key)}
            if kind == "keyDown" and len(key) == 1:
                parameters["text"] = text or key
            self.call("Input.dispatchKeyEvent", **parameters)

    def _mouse(self, kind, x, y, is_down):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", buttons=int(is_down), clickCount=1)

    def click(self, x, y):
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        self._mouse("mousePressed", x, y, True)
        self._mouse("mouseReleased", x, y, False)

    def drag(self, start, end, steps=5):
        self._mouse("mousePressed", *start, True)
        for k in range(1, steps + 1):
            x, y = (a + (b - a) * k / steps for a, b in zip(start, end))
            self._mouse("mouseMoved", x, y, True)
        self._mouse("mouseReleased", *end, False)
