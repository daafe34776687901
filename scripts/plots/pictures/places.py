"""Reads recorded games, and draws where their largest tiles stand."""

import re

from .curves import Unreadable
from .style import new_figure, note

DIGITS = "0123456789ABCDEFGHI"
RANKS = ["largest tile", "second largest", "third largest", "fourth largest"]
# For each image of the board, the cell that comes to each place.
IMAGES = [[(4 * (3 - r if flip & 1 else r) + (3 - c if flip & 2 else c)) if flip < 4 else
           (4 * (3 - c if flip & 1 else c) + (3 - r if flip & 2 else r))
           for r in range(4) for c in range(4)] for flip in range(8)]


def replayed_boards(replay):
    """The boards in the lines that `learn2048 replay` prints."""
    boards = re.findall(r"^\d+ \w+ \S+ \d+ ([0-9A-I]{16})$", replay, re.MULTILINE)
    return [[DIGITS.index(digit) for digit in board] for board in boards]


def count_places(boards, least):
    """For each of RANKS and each cell, the share of boards on which that tile stands there.

    Boards whose largest tile has an exponent below `least` do not count. Every board is turned such that its
    largest tile comes as early as possible, row by row, and then such that larger tiles come before smaller ones.
    """
    counts = [[0] * 16 for _ in RANKS]
    total = 0
    for board in boards:
        largest = max(board)
        if largest < least:
            continue
        total += 1
        images = ([board[cell] for cell in cells] for cells in IMAGES)
        image = max(images, key=lambda image: (-image.index(largest), image))
        order = sorted(range(16), key=lambda cell: -image[cell])
        for rank, counted in enumerate(counts):
            if image[order[rank]] > 0:
                counted[order[rank]] += 1
    if total == 0:
        raise Unreadable(f"no board has a tile of {1 << least}. Name a smaller tile with --from.")
    return [[count / total for count in counted] for counted in counts], total


def places_picture(shares, total, least, title=""):
    """A heat map of the board for each rank of tiles."""
    figure, (axes,) = new_figure(1, len(RANKS), figsize=(9.6, 2.9))
    for panel, rank, cells in zip(axes, RANKS, shares):
        panel.imshow([cells[row:row + 4] for row in range(0, 16, 4)], cmap="YlGnBu", vmin=0, vmax=1)
        for cell, part in enumerate(cells):
            if part >= 0.005:
                # Colours that stay in a dark viewer, because the map does.
                panel.text(cell % 4, cell // 4, f"{100 * part:.0f} %", ha="center", va="center", fontsize=8.5,
                           color="#fefefe" if part > 0.5 else "#111111")
        panel.set_title(rank)
        panel.set_xticks(range(4), range(1, 5))
        panel.set_yticks(range(4), range(1, 5))
        panel.set_xlabel("column")
        panel.grid(visible=False)
        panel.tick_params(length=0)
    axes[0].set_ylabel("row")
    if title:
        figure.suptitle(title, x=0.02, ha="left", fontsize=10, fontweight="bold")
    note(figure, f"Share of {total:,} boards with a tile of at least {1 << least}, each turned such that its "
         "largest tile is as far up and left as possible.")
    figure.tight_layout(w_pad=1.5)
    return figure
