"""Checks with servers that are late, hang, are restarted, or answer other machines."""

import time

from serving import serving


def slow_server(page):
    """Answers that are late count only for the board they were asked for."""
    delay = ("(() => { const real = window.fetch; window.fetch = async (...all) => { "
             "await new Promise(done => setTimeout(done, 300)); return real(...all); }; })()")
    page.browser.value(delay)
    page.set_value("pace", 100, "input")
    page.set_board("1234567800000000")
    # A move, a new game and playing on, before any of them is answered.
    for keys in (["n"], ["ArrowLeft"], [" "]):
        for key in [*keys, "p"]:
            page.browser.key(key)
            time.sleep(0.05)
        page.browser.wait_for("Number(document.getElementById('moves').textContent) > 2", "the program plays", 20)
        page.browser.key("p")
        page.settle()
        played = page.browser.value(
            "Promise.all([import('/page/play.js'), import('/page/rules.js')])"
            ".then(async ([{ playedGame }, { writeGame }]) => { const game = playedGame(); "
            "const read = await fetch('/api/played', { method: 'POST', body: writeGame(game, '') }); "
            "return JSON.stringify((await read.json()).scores) === JSON.stringify(game.scores); })")
        page.require(played, f"the game follows the rules after {keys} and p")
    # A hint that is asked for while a move is on its way is that of the board after it.
    page.browser.key("ArrowLeft")
    page.browser.key("ArrowUp")
    page.browser.key("?")
    page.settle()
    page.browser.wait_for("document.querySelector('#board .hint').checkVisibility()", "the hint is on the board")
    page.browser.reload()
    page.browser.wait_for("document.querySelectorAll('#board .tile').length > 0", "the game is back")


def hanging_server(page):
    """A server that hangs is noticed, keys do not pile up, and nothing that is out of date is searched."""
    page.set_value("pace", 100, "input")
    page.set_board("1000000000000000")
    page.hold("/api/move")
    for key in ["ArrowRight", "ArrowLeft"] * 20:
        page.browser.key(key)
    page.browser.wait_for(
        "document.getElementById('message').textContent === 'Waiting for the server …'",
        "the page says that it waits", 3)
    page.browser.key("u")
    page.release()
    page.settle()
    page.require(1 <= page.number("moves") <= 3, f"few keys wait: {page.number('moves')} moves")
    # A program that thinks long.
    page.set_value("playerSelect", "learned:depth=2")
    page.set_board("1000000000000000")
    page.hold("/api/analyze")
    page.browser.key("ArrowRight")
    page.wait_for_moves(1)
    page.browser.key("?")
    page.browser.wait_for(
        "document.getElementById('message').textContent.startsWith('Thinking: ')", "the page says that it thinks", 3)
    page.browser.key(" ")
    time.sleep(0.2)
    page.browser.key("ArrowLeft")
    page.wait_for_moves(2)
    page.browser.wait_for("window.aborted > 0", "the search ends with the board it was for")
    page.browser.key("p")
    time.sleep(0.2)
    before = page.browser.value("window.aborted")
    page.browser.key("p")
    page.browser.wait_for(f"window.aborted > {before}", "the search ends with playing on")
    page.require(page.number("moves") == 2, "the program has made no move")
    page.release()
    page.browser.wait_for(
        "document.getElementById('milliseconds').textContent.endsWith(' ms')", "the values of the board are shown")
    page.require(not page.text("message").startswith("Thinking"), "nobody waits for anything")


def other_machines(page):
    """With --host, the printed address opens the page, which keeps the token; without the token nothing opens."""
    with serving(page.program, "--model", "small", "--host", "0.0.0.0", directory=page.scratch) as (_, printed):
        address, token = printed.split("?")
        page.browser.open(address)
        page.require("requires its token" in page.browser.value("document.body.textContent"), "the token is required")
        page.browser.open(f"{address}?{token}")
        page.browser.wait_for("document.querySelectorAll('#board .tile').length > 0", "the page opens")
        page.require(page.browser.value("location.href") == address, "the address of the page has no token any more")
        page.browser.reload()
        page.browser.wait_for("document.querySelectorAll('#board .tile').length > 0", "the page opens again")
        page.browser.value("void (document.getElementById('details').open = true)")
        page.browser.click("#copyGame")
        page.browser.wait_for(
            "document.getElementById('boardMessage').textContent.includes('clipboard')", "the game is copied")
        # The browser reports every answer with an error, and asks for the icon of the page that was refused.
        page.browser.errors = [error for error in page.browser.errors if " 403 " not in error]


def restart(page):
    """A server that goes and comes back with another model is noticed, and the page shows that model."""
    def serve(model, *options, port=0):
        return serving(page.program, "--model", model, *options, port=port, directory=page.scratch)
    with serve("small") as (_, address):
        page.browser.open(address)
        page.browser.wait_for("document.querySelectorAll('#board .tile').length > 0", "a game begins")
        page.browser.click("#values")
        port = address.rstrip("/").rpartition(":")[2]
        # A review goes on when the server is there again, and offers its games.
        page.set_board("0110000000000000")
        page.browser.key("ArrowLeft")
        page.wait_for_moves(1)
        page.open_view("Review")
        page.wait_for_review()
        page.require(not page.is_shown("recorded"), "no games are offered")
    page.set_value("reviewerSelect", "learned:depth=2")
    page.browser.wait_for(
        "document.getElementById('sourceMessage').textContent.includes('does not answer')", "the error is shown")
    with serve("small", "--games", "games", port=port):
        page.browser.wait_for("document.getElementById('sourceMessage').textContent === ''", "the error has gone", 20)
        page.wait_for_review()
        page.browser.wait_for("document.getElementById('recorded').checkVisibility()", "there are games")
        page.open_view("Play")
    page.browser.key("n")
    page.browser.wait_for(
        "document.getElementById('message').textContent.includes('does not answer')", "the error is shown")
    with serve("other", port=port):
        page.browser.wait_for(
            "document.getElementById('model')?.textContent.startsWith('other,') === true",
            "the other model is shown", 20)
        page.browser.wait_for("document.getElementById('asked').textContent !== ''", "the other model answers")
        options = page.browser.value("document.getElementById('playerSelect').options[0].textContent")
        page.require(options.startswith("other, "), f"the player is the other model, not {options}")
        page.require("does not answer" not in page.text("message"), "the error has gone")
    # The browser reports every request without an answer.
    page.browser.errors = [error for error in page.browser.errors if "ERR_CONNECTION" not in error]
