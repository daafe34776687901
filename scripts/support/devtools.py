"""A headless Chromium that a script steers through the DevTools protocol. Needs nothing but Python.

The protocol is JSON over a WebSocket, of which this has what a local client needs: RFC 6455, without extensions.
"""

import base64
import json
import os
import select
import socket
import struct
import subprocess
import tempfile
import time
import urllib.request


class Timeout(Exception):
    """Something did not happen in time."""


class WebSocket:
    """A connection of text messages."""

    def __init__(self, address):
        host, path = address.removeprefix("ws://").split("/", 1)
        name, port = host.split(":")
        self.socket = socket.create_connection((name, int(port)))
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall((
            f"GET /{path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n").encode())
        self.received = b""
        while b"\r\n\r\n" not in self.received:
            self._receive(10)
        head, self.received = self.received.split(b"\r\n\r\n", 1)
        if b" 101 " not in head.split(b"\r\n")[0]:
            raise OSError(f"no WebSocket: {head.decode(errors='replace')}")

    def _receive(self, seconds):
        if not select.select([self.socket], [], [], seconds)[0]:
            raise Timeout("the browser does not answer")
        part = self.socket.recv(1 << 16)
        if not part:
            raise OSError("the browser has closed the connection")
        self.received += part

    def send(self, text):
        """Sends a message, masked as a client must."""
        data = text.encode()
        length = len(data)
        head = (struct.pack("!BB", 0x81, 0x80 | length) if length < 126
                else struct.pack("!BBH", 0x81, 0xFE, length) if length < 1 << 16
                else struct.pack("!BBQ", 0x81, 0xFF, length))
        # The mask hides messages from proxies; there is none here, so it may be zero.
        self.socket.sendall(head + bytes(4) + data)

    def message(self, seconds):
        """Waits for the next message."""
        whole = b""
        while True:
            final, kind, data = self._frame(seconds)
            if kind in (0, 1, 2):
                whole += data
                if final:
                    return whole.decode()

    def _frame(self, seconds):
        self._need(2, seconds)
        length, start = self.received[1] & 0x7F, 2
        if length >= 126:
            size = 2 if length == 126 else 8
            self._need(2 + size, seconds)
            length, start = int.from_bytes(self.received[2:2 + size], "big"), 2 + size
        self._need(start + length, seconds)
        first, data = self.received[0], self.received[start:start + length]
        self.received = self.received[start + length:]
        return first & 0x80, first & 0x0F, data

    def _need(self, count, seconds):
        while len(self.received) < count:
            self._receive(seconds)


class Browser:
    """One page of a headless Chromium, with an empty profile."""

    def __init__(self, executable="chromium"):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.process = subprocess.Popen(
            [executable, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
             "--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage",
             "--hide-scrollbars", "--remote-debugging-port=0", f"--user-data-dir={self.profile.name}", "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        # What the page has written to the console as an error, and exceptions that it has not caught.
        self.errors = []
        self.count = 0
        try:
            self.connection = WebSocket(self._page_address())
            for domain in ("Page", "Runtime", "Log"):
                self.call(f"{domain}.enable")
        except BaseException:
            self.close()
            raise

    def _page_address(self):
        path = os.path.join(self.profile.name, "DevToolsActivePort")
        wait(lambda: os.path.exists(path) and open(path, encoding="utf-8").read().count("\n") >= 1, "Chromium starts", 30)
        with open(path, encoding="utf-8") as file:
            port = file.readline().strip()
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))

        def pages():
            with opener.open(f"http://127.0.0.1:{port}/json/list", timeout=10) as answer:
                return [page for page in json.load(answer) if page["type"] == "page"]
        return wait(pages, "Chromium opens a page", 10)[0]["webSocketDebuggerUrl"]

    def call(self, method, **parameters):
        """Calls a method of the protocol, and returns its result."""
        self.count += 1
        number = self.count
        self.connection.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while True:
            message = json.loads(self.connection.message(60))
            if message.get("id") == number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']['message']}")
                return message["result"]
            self._note(message)

    def _note(self, message):
        parameters = message.get("params", {})
        if message.get("method") == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description") or details["text"])
        elif message.get("method") == "Runtime.consoleAPICalled" and parameters["type"] == "error":
            self.errors.append(" ".join(str(value.get("value", "")) for value in parameters["args"]))
        elif message.get("method") == "Log.entryAdded" and parameters["entry"]["level"] == "error":
            entry = parameters["entry"]
            self.errors.append(f"{entry['text']} {entry.get('url', '')}")

    def value(self, expression):
        """The value of an expression of JavaScript, awaited if it is a promise."""
        result = self.call(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True, userGesture=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{expression}: {result['exceptionDetails'].get('exception', {}).get('description')}")
        return result["result"].get("value")

    def wait_for(self, expression, what, seconds=10):
        """Waits until an expression is true, and returns its value."""
        return wait(lambda: self.value(expression), what, seconds)

    def open(self, address):
        self.call("Page.navigate", url=address)
        self.wait_for("document.readyState === 'complete'", f"{address} opens")

    def reload(self):
        self.value("window.isOld = true")
        self.call("Page.reload")
        self.wait_for("!window.isOld && document.readyState === 'complete'", "the page opens again")

    def size(self, width, height, is_phone=False):
        self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=is_phone)
        self.call("Emulation.setTouchEmulationEnabled", enabled=is_phone)

    def scheme(self, name):
        """Chooses light or dark colours."""
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name}])

    def key(self, key, text=""):
        """Presses and releases a key."""
        codes = {"ArrowUp": 38, "ArrowDown": 40, "ArrowLeft": 37, "ArrowRight": 39, "Enter": 13, "Tab": 9, " ": 32}
        code = codes.get(key) or ord(key.upper()[0])
        text = text or (key if len(key) == 1 else "\r" if key == "Enter" else "")
        common = {"key": key, "windowsVirtualKeyCode": code, "code": key if len(key) > 1 else ""}
        self.call("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", text=text, **common)
        self.call("Input.dispatchKeyEvent", type="keyUp", **common)

    def tap(self, selector):
        """Touches the middle of an element. A touch soon after a swipe may not be a tap, so it is repeated."""
        for _ in range(3):
            x, y = self._middle(selector)
            self.value("window.tapped = false; document.addEventListener('click', () => { window.tapped = true; }, { once: true, capture: true })")
            self._touch("touchStart", x, y)
            self.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
            try:
                return self.wait_for("window.tapped", f"{selector} is tapped", 1)
            except Timeout:
                pass
        raise Timeout(f"{selector} cannot be tapped")

    def swipe(self, selector, right, down):
        """Moves a finger from the middle of an element."""
        x, y = self._middle(selector)
        self._touch("touchStart", x, y)
        for step in range(1, 6):
            self._touch("touchMove", x + right * step / 5, y + down * step / 5)
        self.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def _touch(self, kind, x, y):
        self.call("Input.dispatchTouchEvent", type=kind, touchPoints=[{"x": x, "y": y}])

    def click(self, selector):
        """Presses the mouse on an element."""
        x, y = self._middle(selector)
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def _middle(self, selector):
        """The middle of an element, once it is on the screen."""
        return self.wait_for(
            f"(() => {{ const element = document.querySelector({json.dumps(selector)});"
            "if (!element?.checkVisibility()) return null;"
            "element.scrollIntoView({block: 'nearest'}); const box = element.getBoundingClientRect();"
            "return [box.x + box.width / 2, box.y + box.height / 2]; })()", f"there is {selector}")

    def screenshot(self, path):
        data = self.call("Page.captureScreenshot", format="png")["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def close(self):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.profile.cleanup()


def wait(condition, what, seconds):
    """Waits until a condition holds, and returns its value."""
    end = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise Timeout(f"it takes more than {seconds} s until {what}")
        time.sleep(0.02)
