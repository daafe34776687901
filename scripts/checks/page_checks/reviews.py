"""Checks of reviews: of the game that was played, of pasted boards, and of recorded games."""

import json
import os
import re

from common import run


def compare_review(page, boards):
    """The page shows what learn2048 review prints for the boards."""
    path = os.path.join(page.scratch, "boards.txt")
    with open(path, "w", encoding="ascii") as file:
        file.write("\n".join(boards))
    review = json.loads(run(page.program, "review", path, "--model", "small", "--json", directory=page.scratch))
    accuracy = page.browser.value("document.querySelector('.accuracyText').textContent")
    page.require(accuracy == f"{100 * review['accuracy']:.1f} %", f"the accuracy {accuracy} is {review['accuracy']}")
    counts = [int(count.replace(",", "")) for count in re.findall(r"([\d,]+) (?:best|small|loss|large)", page.text("losses"))]
    expected = [review[grade] for grade in ("best", "small", "medium", "large")]
    page.require(counts == expected, f"'{page.text('losses')}' has {expected}")
    found = page.browser.value(
        "[...document.querySelectorAll('#moments button')].map(button => button.ariaLabel)")
    moves = [review["moves"][number - 1] for number in review["moments"]]
    expected = [f"Move {move['number']}: {move['played']} instead of {move['best']}," for move in moves]
    page.require(len(found) == len(expected) and all(one.startswith(other) for one, other in zip(found, expected)),
                 f"the moments {found} are {expected}")


def review(page):
    """The finished game is reviewed as on the command line, and can be stepped through."""
    page.browser.click("#reviewGame")
    page.wait_for_review()
    played = page.browser.value("import('/page/play.js').then(play => play.playedGame())")
    scores = played["scores"]
    compare_review(page, [
        f"{index} start {scores[0]} {board}" if index == 0 else
        f"{index} {played['moves'][index - 1]} +{scores[index] - scores[index - 1]} {scores[index]} {board}"
        for index, board in enumerate(played["boards"])])
    page.picture("review")
    last = len(played["moves"])
    for key, place in [("End", last), ("ArrowLeft", last - 1), ("Home", 0), ("ArrowRight", 1)]:
        page.browser.key(key)
        page.require(
            page.browser.value("Number(document.getElementById('place').value)") == place, f"{key} goes to {place}")
    moment = page.browser.value("document.querySelector('#moments button').ariaLabel.match(/\\d+/)[0]")
    page.browser.click("#moments button")
    page.require(page.text("reviewMessage").replace(",", "").startswith(f"Move {moment}:"), "the moment is shown")
    cells = page.board("reviewBoard")
    page.browser.click("#curve")
    page.require(page.board("reviewBoard") != cells, "a click on the curve shows another board")
    page.browser.key("Home")
    page.browser.key("n")
    mistake = page.text("reviewMove")
    page.browser.key("n")
    page.browser.key("p")
    page.require(page.text("reviewMove") == mistake, "n and p go from one larger loss to the next")
    # The address has the game and the move.
    page.set_value("place", 5, "input")
    page.browser.wait_for("location.hash === '#/review/current/move/6'", "the address has the move")
    page.browser.reload()
    page.browser.wait_for(
        "document.getElementById('reviewMove').textContent.startsWith('6 of ')", "the review survives a reload")
    page.wait_for_review()
    # The address of the move that is shown, which is noted a little later, does not replace one that has just been
    # entered, even if the page hears of it late.
    late = page.browser.call(
        "Page.addScriptToEvaluateOnNewDocument",
        source="addEventListener('hashchange', event => { if (!event.isTrusted) return; "
        "event.stopImmediatePropagation();"
        "setTimeout(() => dispatchEvent(new HashChangeEvent('hashchange')), 1000); })")
    page.browser.reload()
    page.wait_for_review()
    page.browser.click("#following")
    page.browser.value("location.hash = '#/review/current/move/9'")
    page.browser.wait_for(
        "document.getElementById('reviewMove').textContent.startsWith('9 of ')", "the address is that of move 9")
    page.browser.call("Page.removeScriptToEvaluateOnNewDocument", **late)
    page.browser.reload()
    page.wait_for_review()
    cells = page.board("reviewBoard")
    page.browser.click("#playFromHere")
    page.browser.wait_for("document.getElementById('play').checkVisibility()", "the game is open")
    page.require(page.board() == cells, "the game resumes from the board of the review")
    page.require(page.browser.value("scrollY") == 0, "the board is on the screen")
    # A game that has gone on is reviewed up to its end, and nothing twice.
    page.set_board("1000000000000000")
    for key in ("ArrowRight", "ArrowLeft"):
        page.browser.key(key)
    page.wait_for_moves(2)
    page.open_view("Review")
    page.browser.wait_for("document.getElementById('reviewMove').textContent === '1 of 2'", "the game is reviewed")
    page.wait_for_review()
    page.open_view("Play")
    page.browser.key("ArrowRight")
    page.wait_for_moves(3)
    page.browser.value(
        "(() => { const real = window.fetch; window.analysed = []; window.fetch = (address, options) => { "
        "if (address.startsWith('/api/analyze')) window.analysed.push(address); return real(address, options); }; })()")
    page.open_view("Review")
    page.wait_for_review()
    page.require(page.text("reviewMove") == "1 of 3", "the review has the last move")
    page.require(page.browser.value("window.analysed.length") == 1, "only the last move is analysed")


def other_games(page):
    """Pasted boards and recorded games are reviewed, and errors name the line."""
    page.open_view("Review")
    for text, error in (("1000000000000000\n1000000000000000", "Line 2: no move leads"),
                        ("URDLURDL", "The text has 8 moves and no boards"),
                        ("2,2,4/0,0,0,0,0/0,0,0,0/0,0,0,0\n0", "Line 1: row 1 of the board has 3 values")):
        page.set_value("pasted", text)
        page.browser.click("#reviewPasted")
        page.browser.wait_for(
            f"document.getElementById('sourceMessage').textContent.startsWith({json.dumps(error)})", "the error is shown")
    # The browser notes answers that say what is wrong.
    page.browser.errors = [error for error in page.browser.errors if "/api/played" not in error]
    boards = ["0110000000000000", "2000000000000001", "0000000010002001"]
    page.set_value("pasted", "\n".join(boards))
    page.browser.click("#reviewPasted")
    page.browser.wait_for("document.getElementById('reviewMove').textContent === '1 of 2'", "the boards are open")
    page.wait_for_review()
    compare_review(page, boards)
    page.browser.key("End")
    page.browser.wait_for("location.hash === '#/review/pasted/end'", "the address has the end")
    page.browser.reload()
    page.browser.wait_for(
        "document.getElementById('reviewMove').textContent === '– of 2'", "pasted boards survive a reload")
    page.wait_for_review()
    compare_review(page, boards)
    # As the command line reads boards.
    page.set_value("pasted", ". 2 2 .\n- - - -\n0 0 0 0\n0 0 0 0\nMove 2\n[[4,0,0,0],[0,0,0,0],[0,0,0,0],[0,0,0,2]]")
    page.browser.click("#reviewPasted")
    page.browser.wait_for("document.getElementById('reviewMove').textContent.endsWith(' of 1')", "the log is open")
    page.wait_for_review()
    compare_review(page, ["0110000000000000", "2000000000000001"])
    page.browser.click("#reviewRecorded")
    page.require(page.text("sourceMessage").endswith("from 1 to 2."), "the games are counted")
    listed = page.browser.value(
        "[...document.querySelectorAll('#recordedGames option')].map(option => option.value).join()")
    page.require(listed == "1,2", "the games are listed")
    play_recorded(page, 2)
    play_recorded(page, 1)
    compare_review(page, run(page.program, "replay", "games", "--game", 1, directory=page.scratch).splitlines())


def play_recorded(page, number):
    """Opens a recorded game. Whoever plays on from a board of the first one gets its tiles."""
    page.open_view("Play")
    seed = page.text("seed")
    page.open_view("Review")
    page.set_value("recordedGame", number)
    page.browser.click("#reviewRecorded")
    page.browser.wait_for(f"location.hash.startsWith('#/review/recorded/{number}/')", "the recorded game is open")
    page.set_value("place", 3, "input")
    page.browser.wait_for("location.hash.endsWith('/move/4')", "the address has the move")
    page.browser.reload()
    page.browser.wait_for(
        "document.getElementById('reviewMove').textContent.startsWith('4 of ')", "the review survives a reload")
    page.wait_for_review()
    played = page.text("reviewMessage").split()[4].strip(",")
    page.set_value("place", 4, "input")
    cells = page.board("reviewBoard")
    page.set_value("place", 3, "input")
    page.browser.click("#playFromHere")
    page.wait_for_moves(3)
    if number == 1:
        page.browser.key(f"Arrow{played.capitalize()}")
        page.wait_for_moves(4)
        page.browser.wait_for(
            "JSON.stringify([...document.querySelectorAll('#board [role=gridcell]')].map(cell => cell.textContent))"
            f" === {json.dumps(json.dumps(cells, separators=(',', ':')))}", "the tiles are those of the game")
    else:
        page.require(page.text("seed") == seed, "the seed of another game is not taken over")
    page.open_view("Review")
