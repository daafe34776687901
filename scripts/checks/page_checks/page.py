"""The page in the browser: what it shows, and what a person does with it."""

import json
import os
import time

from devtools import wait


class Page:
    """A page of learn2048 serve, with the program and the scratch directory it is served from."""

    def __init__(self, program, browser, scratch, screenshots):
        self.program, self.browser, self.scratch, self.screenshots = program, browser, scratch, screenshots

    def require(self, condition, what):
        if not condition:
            raise AssertionError(what)

    def text(self, name):
        return self.browser.value(f"document.getElementById('{name}').textContent")

    def number(self, name):
        return int(self.text(name).replace(",", ""))

    def board(self, name="board"):
        """The cells as a screen reader has them."""
        return self.browser.value(
            f"[...document.querySelectorAll('#{name} [role=gridcell]')].map(cell => cell.textContent)")

    def is_shown(self, name):
        return self.browser.value(f"document.getElementById('{name}').checkVisibility()")

    def open_view(self, view):
        """Clicks the tab of a view, which is shown a little later: the address changes first."""
        self.browser.click(f"#to{view}")
        self.browser.wait_for(f"document.getElementById('to{view}').hasAttribute('aria-current')", f"{view} is open")

    def wait_for_moves(self, count):
        self.browser.wait_for(f"document.getElementById('moves').textContent === '{count}'", f"there are {count} moves")

    def settle(self):
        """Waits until no key waits for its turn: the number of moves stays the same for a while."""
        moves, since = None, time.monotonic()
        while time.monotonic() < since + 1:
            if self.text("moves") != moves:
                moves, since = self.text("moves"), time.monotonic()
            time.sleep(0.02)

    def wait_for_review(self):
        self.browser.wait_for(
            "(() => { const count = document.getElementById('reviewMove').textContent.split(' of ')[1];"
            "return document.getElementById('progressText').textContent.startsWith(`${count} of ${count} moves`); })()",
            "the review is complete", 60)

    def set_value(self, name, value, event="change"):
        self.browser.value(
            f"(() => {{ const element = document.getElementById('{name}'); element.value = {json.dumps(value)};"
            f"element.dispatchEvent(new Event('{event}', {{ bubbles: true }})); }})()")

    def set_board(self, board):
        self.browser.value("void (document.getElementById('details').open = true)")
        self.set_value("text", board, "input")
        self.browser.click("#setBoard button:not([type])")
        tiles = [str(2 ** int(digit, 18)) if digit != "0" else "empty" for digit in board]
        wait(lambda: self.board() == tiles, "the board is set", 10)

    def picture(self, name):
        if self.screenshots:
            self.browser.screenshot(os.path.join(self.screenshots, f"{name}.png"))

    def hold(self, path):
        """Lets requests to a path wait, until they are released."""
        self.browser.value(
            "(() => { const real = window.fetch, held = []; window.aborted = 0; window.fetch = (address, options) => "
            f"address.startsWith('{path}') ? new Promise((resolve, reject) => {{ "
            "held.push(() => real(address, options).then(resolve, reject));"
            "options.signal?.addEventListener('abort', () => { window.aborted += 1; "
            "reject(options.signal.reason); }); }) : real(address, options);"
            "window.release = () => { window.fetch = real; for (const go of held) go(); }; })()")

    def release(self):
        self.browser.value("window.release()")
