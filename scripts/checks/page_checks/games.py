"""Checks of playing: keys, losses, other tabs, and games that are won, lost or finished by the program."""

import json
import time


def keys(page):
    """Keys move, none is dropped while the server keeps up, and undo takes the moves back one by one."""
    page.set_board("1000000000000000")
    top = page.browser.value("document.getElementById('new').getBoundingClientRect().top")
    # Of these, each changes the board, wherever a tile appears.
    for moves in range(3, 13, 3):
        for key in ["ArrowRight", "ArrowLeft", "ArrowRight"] if moves % 2 else ["ArrowLeft", "ArrowRight", "ArrowLeft"]:
            page.browser.key(key)
        page.wait_for_moves(moves)
    for key in "wasdhjkl":
        page.browser.key(key)
        time.sleep(0.05)
    page.settle()
    moves, cells = page.number("moves"), page.board()
    page.require(moves > 12, "letters move")
    # The letters of other scripts are those at their places.
    page.browser.value(
        "document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'г', code: 'KeyU', bubbles: true }))")
    page.wait_for_moves(moves - 1)
    page.browser.key("b")
    page.require(page.text("spoken").startswith("row 1: "), "the board is read")
    page.browser.key(" ")
    page.wait_for_moves(moves)
    cells = page.board()
    page.browser.key("u")
    page.wait_for_moves(moves - 1)
    page.require(page.board() != cells, "undo changes the board")
    page.browser.key("?")
    page.browser.wait_for("document.querySelector('#board .hint').checkVisibility()", "the hint is on the board")
    page.picture("hint")
    page.browser.key(" ")
    page.wait_for_moves(moves)
    page.require(
        page.browser.value("document.getElementById('new').getBoundingClientRect().top") == top, "nothing jumps")


def reload(page):
    """The game and its history survive a reload."""
    before = [page.number("moves"), page.text("score"), page.text("seed"), page.board()]
    time.sleep(0.5)
    page.browser.reload()
    page.browser.wait_for("document.querySelectorAll('#board .tile').length > 0", "the game is back")
    after = [page.number("moves"), page.text("score"), page.text("seed"), page.board()]
    page.require(before == after, f"the game is the same: {before}, {after}")
    page.browser.key("u")
    page.wait_for_moves(before[0] - 1)


def losses(page):
    """Losses are hidden unless they are asked for, and help is named."""
    losses = "[...document.querySelectorAll('#moveValues .value')].map(element => element.textContent).join('')"
    page.browser.wait_for(f"{losses} !== ''", "losses are shown")
    page.browser.click("#values")
    page.require(page.browser.value(losses) == "", "losses are hidden")
    page.browser.key("n")
    page.wait_for_moves(0)
    page.require(page.text("scoreLabel") == "score", "a new game is the person's own")
    page.browser.key("?")
    page.browser.wait_for(
        "document.getElementById('scoreLabel').textContent === 'score with help'", "a hint counts as help")
    page.browser.wait_for("document.querySelector('#board .hint').checkVisibility()", "the hint is on the board")
    page.require(page.browser.value(losses) == "", "losses stay hidden")
    page.browser.click("#values")
    page.browser.wait_for(f"{losses} !== ''", "losses are shown again")


def other_tabs(page):
    """A tab in which nothing happens leaves the game of another tab alone."""
    time.sleep(0.5)
    kept = page.browser.value("localStorage.getItem('learn2048.game4')")
    page.browser.value("localStorage.setItem('learn2048.game4', 'of another tab')")
    page.browser.value("window.dispatchEvent(new Event('pagehide'))")
    found = page.browser.value("localStorage.getItem('learn2048.game4')")
    page.require(found == "of another tab", "an idle tab saves nothing")
    page.browser.value(f"localStorage.setItem('learn2048.game4', {json.dumps(kept)})")
    # A game that another tab continues is taken over there and here.
    page.set_board("1000000000000000")
    time.sleep(0.5)
    page.browser.value("void (window.other = window.open(location.href))")
    moves = "window.other.document.getElementById('moves')?.textContent"
    page.browser.wait_for(
        f"{moves} === '0' && window.other.document.querySelector('#board .tile') !== null",
        "the other tab has the game")
    for key in ("ArrowRight", "ArrowLeft"):
        page.browser.key(key)
    page.wait_for_moves(2)
    page.browser.wait_for(f"{moves} === '2'", "the other tab follows")
    page.browser.value(
        "void window.other.document.body.dispatchEvent("
        "new window.other.KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }))")
    page.browser.wait_for(f"{moves} === '3'", "the other tab moves")
    time.sleep(0.5)
    # This tab was hidden, and takes the game over when it is shown.
    page.browser.value("window.other.close()")
    page.browser.call("Page.bringToFront")
    page.wait_for_moves(3)
    page.require(page.text("message").startswith("Another tab "), "the page says so")
    # A tab that has missed the event does not write over the game either.
    time.sleep(0.5)
    page.browser.key("u")
    page.browser.value("localStorage.setItem('learn2048.game4', 'own\\ns,18446744073709551611,1,0,0,3000000000000002')")
    time.sleep(0.5)
    page.require(
        page.browser.value("localStorage.getItem('learn2048.game4')").endswith("3000000000000002"), "the game is kept")
    page.require(page.text("seed") == "18446744073709551611", "the game is taken over, also its large seed")


def winning(page):
    """A tile of 2048 wins, and the game goes on if the person wants that."""
    page.set_board("AA00000000000000")
    page.browser.key("ArrowLeft")
    page.browser.wait_for("document.getElementById('keepGoing').checkVisibility()", "the game is won")
    page.require(page.text("overlayTitle") == "You win!", "the overlay says so")
    page.require(page.text("score") == "2,048", "the score is 2,048")
    page.require(page.text("spoken").startswith("left, 2048 points"), "the move is announced")
    page.picture("won")
    page.browser.key("ArrowRight")
    page.browser.key("Enter")
    page.browser.wait_for("!document.getElementById('overlay').checkVisibility()", "the game goes on")
    page.browser.key("ArrowRight")
    page.wait_for_moves(2)
    page.browser.key("u")
    page.browser.wait_for(
        "document.getElementById('spoken').textContent.startsWith('Undone: 1 move, ')", "undo is announced")
    # A game that is over remains so when undo leads back to it after a reload.
    page.set_board("1212212112122121")
    page.set_board("1000000000000000")
    time.sleep(0.5)
    page.browser.reload()
    page.browser.wait_for("document.querySelectorAll('#board .tile').length > 0", "the game is back")
    page.browser.key("u")
    page.browser.wait_for("document.getElementById('overlay').checkVisibility()", "the game is over")
    for key in ("p", " "):
        page.browser.key(key)
    page.browser.key("n")
    page.browser.wait_for(
        "document.getElementById('message').textContent.startsWith('New game. Undo ')", "undo is offered")
    page.browser.key("u")
    page.browser.wait_for("document.getElementById('overlay').checkVisibility()", "the game is over")
    page.require(
        page.text("overlayTitle") == "Game over" and not page.is_shown("reviewGame"), "there is nothing to review")
    page.set_board("1000000000000000")
    page.require(page.text("message") == "The board is set.", "the page says so")
    page.set_value("text", "0000000000000000", "input")
    page.browser.click("#setBoard button:not([type])")
    page.browser.wait_for(
        "document.getElementById('boardMessage').textContent.startsWith('The board is empty')",
        "an empty board is rejected")


def players(page):
    """Any player can be entered, and what the server says about it is shown."""
    page.set_value("playerSelect", "other")
    page.set_value("playerField", "learned:depth=5")
    page.browser.wait_for(
        "document.getElementById('playerMessage').textContent.includes('at most 4 plies')", "the error is shown")
    # The browser reports every answer with an error.
    page.browser.errors = [error for error in page.browser.errors if "depth%3D5" not in error]
    page.require("Still playing: " in page.text("playerMessage"), "the page says who plays")
    # A late answer does not replace a later choice.
    page.hold("/api/analyze")
    page.set_value("playerField", "learned:nodes=400")
    page.set_value("playerSelect", "learned:depth=2")
    page.release()
    time.sleep(0.5)
    page.require(
        page.browser.value("localStorage.getItem('learn2048.player')") == "learned:depth=2", "the later choice counts")
    page.set_value("playerSelect", "other")
    page.set_value("playerField", "learned:nodes=500")
    page.browser.wait_for("document.getElementById('asked').textContent !== ''", "the player answers")
    page.set_value("playerSelect", "learned:depth=1")


def full_speed(page):
    """The program finishes a game at full speed."""
    page.set_value("pace", 0, "input")
    page.browser.click("#values")
    page.browser.key("n")
    page.wait_for_moves(0)
    for key in ["ArrowLeft", "ArrowDown"] * 8:
        page.browser.key(key)
        time.sleep(0.05)
    page.browser.wait_for("document.getElementById('score').textContent !== '0'", "moves earn points")
    page.settle()
    page.browser.wait_for(
        "!document.getElementById('gain').classList.contains('rises')", "the points do not rise again")
    best = page.number("best")
    page.require(best >= page.number("score") > 0, "the person's games count for the best score")
    start = time.monotonic()
    page.browser.key("p")
    page.browser.wait_for("document.getElementById('reviewGame').checkVisibility()", "the game is over", 60)
    moves = page.number("moves")
    page.picture("over")
    page.require(moves > 20, "the program has played")
    page.require(page.number("best") == best < page.number("score"), "those with moves of the program do not")
    page.browser.click("#values")
    return f"{moves} moves, {moves / (time.monotonic() - start):.0f} per second"
