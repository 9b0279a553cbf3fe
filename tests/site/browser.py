# SPDX-License-Identifier: Apache-2.0
"""A real browser, Chromium without a display, over the pipe of its DevTools protocol; needs nothing but Python's own library."""
import json
import os
import select
import shutil
import subprocess
import time

PROGRAMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
QUIET = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync", "--disable-extensions", "--disable-default-apps", "--hide-scrollbars")
PATIENCE = 60 # seconds, for a machine that is busy


def program():
    return next(filter(None, map(shutil.which, PROGRAMS)), None)


class Browser:
    """One page. `requests` has every address that it asked for, `errors` what its console and its scripts complained about."""

    def __init__(self, directory):
        down, self.down = os.pipe()
        self.up, up = os.pipe()
        self.process = subprocess.Popen(
            ["sh", "-c", f'exec "$@" 3<&{down} 4>&{up}', "sh", program(), *QUIET, "--remote-debugging-pipe",
             f"--user-data-dir={directory}", "about:blank"], pass_fds=(down, up), env=os.environ | {"HOME": directory},
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(down)
        os.close(up)
        self.number, self.received, self.session = 0, b"", None
        self.requests, self.errors, self.loaded = [], [], 0
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Network", "Runtime", "Log"):
            self.call(domain + ".enable")

    def close(self):
        try:
            os.write(self.down, b'{"id": 0, "method": "Browser.close"}\0')
            self.process.wait(10)
        except (BrokenPipeError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        os.close(self.down)
        os.close(self.up)

    def message(self, end):
        """The next message from the browser."""
        while b"\0" not in self.received:
            if not select.select([self.up], [], [], max(0, end - time.monotonic()))[0]:
                raise TimeoutError(f"the browser says nothing for {PATIENCE} s")
            data = os.read(self.up, 1 << 16)
            if not data:
                raise EOFError(f"{program()} ended with {self.process.wait(PATIENCE)}")
            self.received += data
        text, _, self.received = self.received.partition(b"\0")
        return json.loads(text)

    def note(self, message):
        method, values = message.get("method"), message.get("params", {})
        if method == "Network.requestWillBeSent":
            self.requests.append(values["request"]["url"])
        elif method == "Page.loadEventFired":
            self.loaded += 1
        elif method == "Runtime.exceptionThrown":
            self.errors.append(json.dumps(values["exceptionDetails"])[:400])
        elif method == "Runtime.consoleAPICalled" and values["type"] in ("error", "assert"):
            self.errors.append(json.dumps(values["args"])[:400])
        elif method == "Log.entryAdded" and values["entry"]["level"] == "error":
            self.errors.append(f"{values['entry']['text']} {values['entry'].get('url', '')}")

    def call(self, method, **values):
        self.number += 1
        message = {"id": self.number, "method": method, "params": values}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.down, json.dumps(message).encode() + b"\0")
        end = time.monotonic() + PATIENCE
        while (answer := self.message(end)).get("id") != self.number:
            self.note(answer)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']}")
        return answer["result"]

    def value(self, script):
        """What an expression of JavaScript is in the page."""
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{script}: {json.dumps(result['exceptionDetails'])[:400]}")
        return result["result"].get("value")

    def after_load(self, act):
        """Does something that loads another page, and waits until that is there."""
        before, end = self.loaded, time.monotonic() + PATIENCE
        act()
        while self.loaded == before:
            self.note(self.message(end))

    def open(self, address):
        self.after_load(lambda: self.call("Page.navigate", url=address))

    def until(self, script):
        """Waits until an expression is true; returns it."""
        end = time.monotonic() + PATIENCE
        while not (value := self.value(script)):
            if time.monotonic() > end:
                raise TimeoutError(f"{self.value('location.href')}: this does not come true in {PATIENCE} s: {script}")
            time.sleep(0.05)
        return value

    def write(self, text):
        self.call("Input.insertText", text=text)

    def press_enter(self):
        key = {"key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 13, "text": "\r"}
        self.call("Input.dispatchKeyEvent", type="keyDown", **key)
        self.call("Input.dispatchKeyEvent", type="keyUp", **key)

    def click(self, selector):
        """Where the element is on the screen."""
        place = self.value(f"""(() => {{ const found = document.querySelector({json.dumps(selector)});
            found.scrollIntoView({{block: 'center', behavior: 'instant'}}); const box = found.getClientRects()[0];
            return {{x: box.x + box.width / 2, y: box.y + box.height / 2}}; }})()""")
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, button="left", clickCount=1, **place)

    def width(self, pixels, height=900, phone=False):
        self.call("Emulation.setDeviceMetricsOverride", width=pixels, height=height, deviceScaleFactor=1, mobile=phone)
