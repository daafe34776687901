"""Checks of what a device shows: roles for screen readers, sizes of phones, touches, and forced colours."""

PHONES = [(390, 844), (360, 640), (844, 390)]
# At these sizes not everything fits, but everything can be read.
SMALL_PHONES = [(320, 568), (568, 320), (640, 360), (667, 375)]


def roles(page):
    """Screen readers get rows and cells, and everything has a name."""
    count = "(role) => document.querySelectorAll(`#board [role=${role}]`).length"
    page.require(page.browser.value(f"['row', 'gridcell'].map({count})") == [4, 16], "the board has rows and cells")
    nameless = page.browser.value(
        "[...document.querySelectorAll('button, select, textarea, input')].filter(element => "
        "!element.labels?.length && !(element.matches('button') && element.textContent.trim()) && !element.ariaLabel)"
        ".map(element => element.id)")
    page.require(nameless == [], f"controls without a name: {nameless}")


def phones(page):
    """On phones, the board and the controls fit, swipes move, and other touches scroll."""
    page.open_view("Review")
    page.browser.wait_for("document.getElementById('recordedPlayer').value !== ''", "there are recorded games")
    player = page.browser.value("encodeURIComponent(document.getElementById('recordedPlayer').value)")
    page.browser.value(f"location.hash = '#/review/recorded/1/{player}/move/100'")
    page.browser.wait_for(
        "document.getElementById('reviewMove').textContent.startsWith('100 of ')", "the address opens a recorded game")
    page.wait_for_review()
    page.browser.value(
        "document.getElementById('recordedPlayer')"
        ".append(new Option('learned:model=another-model,probability=0.001,depth=4'))")
    for width, height in PHONES:
        for scheme in ("light", "dark"):
            page.browser.size(width, height, is_phone=True)
            page.browser.scheme(scheme)
            for view in ("Review", "Runs", "Play"):
                page.open_view(view)
                page.require(page.browser.value("scrollY") == 0, f"{view} at {width}x{height} opens at its top")
                outside = page.browser.value(
                    f"[...document.querySelectorAll('#{view.lower()} :is(.scores, .stage, .message, .buttons)')]"
                    ".filter(element => {"
                    "const box = element.getBoundingClientRect(); return box.top + scrollY < 0 || box.left < 0 || "
                    f"box.bottom + scrollY > {height} || box.right > {width}; }}).map(element => element.className)")
                page.require(outside == [], f"{view} at {width}x{height}: {outside} do not fit")
                require_width(page, view, width, height)
                page.picture(f"{view.lower()}-{width}x{height}-{scheme}")
        page.open_view("Runs")
        page.browser.value("scrollTo(0, 0)")
        page.browser.tap("#chart")
        page.require(
            page.browser.value("document.querySelector('.legendPlace').textContent").startswith("At "),
            "a tap reads values")
        page.open_view("Play")
        set_board_by_touch(page)
        page.browser.swipe("#board", 90, 10)
        page.wait_for_moves(1)
        page.browser.swipe("#board", -90, 10)
        page.wait_for_moves(2)
        page.browser.tap("#undo")
        page.wait_for_moves(1)
        page.browser.value("window.scrollTo(0, 0)")
        page.browser.swipe("#message", 0, -120)
        page.browser.wait_for("scrollY > 20", "a touch outside the board scrolls")
        # A board that is set far below is on the screen.
        page.browser.value("void (document.getElementById('details').open = true)")
        page.set_value("text", "2000000000000001", "input")
        page.browser.tap("#setBoard button:not([type])")
        page.browser.wait_for(
            "document.getElementById('message').textContent === 'The board is set.'", "the board is set")
        page.require(
            page.browser.value("document.getElementById('board').getBoundingClientRect().top >= -1"),
            "the board is on the screen")
    for width, height in SMALL_PHONES:
        page.browser.size(width, height, is_phone=True)
        for view in ("Review", "Runs", "Play"):
            page.open_view(view)
            require_width(page, view, width, height)
        cut = page.browser.value("[...document.querySelectorAll('#play .buttons button')]"
                                 ".filter(button => button.scrollWidth > button.clientWidth).map(button => button.id)")
        page.require(cut == [], f"the texts of {cut} are cut at {width}x{height}")
        page.picture(f"play-{width}x{height}")


def require_width(page, view, width, height):
    # On a phone, innerWidth grows along with what is too wide.
    # Curves are drawn again a little after the size has changed.
    page.browser.wait_for(
        f"document.documentElement.scrollWidth <= {width}", f"{view} at {width}x{height} does not scroll sideways")


def set_board_by_touch(page):
    page.browser.value("import('/page/play.js').then(play => play.playFrom({ board: '1000000000000000' }))")
    page.browser.value("window.scrollTo(0, 0)")
    page.wait_for_moves(0)


def forced_colors(page):
    """Cells, tiles and the current view have borders where backgrounds are forced."""
    page.browser.size(1280, 900)
    page.browser.call("Emulation.setEmulatedMedia", features=[{"name": "forced-colors", "value": "active"}])
    page.open_view("Play")
    widths = page.browser.value(
        "['.cell', '.tile', 'nav a[aria-current]']"
        ".map(name => getComputedStyle(document.querySelector(name)).borderTopWidth)")
    page.require("0px" not in widths, f"the borders are {widths}")
    page.picture("forced-colors")
    page.browser.scheme("light")
