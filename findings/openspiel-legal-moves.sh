#!/usr/bin/env bash
# Expected: the legal actions of OpenSpiel's game "2048" depend on the board: every slide that changes it.
# Seen: a tile that the last move made cannot merge again in the list of legal actions, although it may by then. Equal
# boards have different legal actions, and between 1 and 3 % of the legal moves of random games are not offered.
# Versions: open-spiel 2.0.2.
# Why it matters: policies, tables and scores of 2048 programs take legality from the board. A player that is good at
# merging loses moves here, and a table of boards from OpenSpiel has contradictions.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python" || { echo "python3 with its module venv is missing (Debian: python3-venv)"; exit 1; }
"$folder/python/bin/pip" install --quiet --disable-pip-version-check open-spiel==2.0.2 numpy==2.4.6

"$folder/python/bin/python" - <<'END'
import sys
from importlib.metadata import version

import numpy as np
import pyspiel

print("open-spiel", version("open-spiel"))
NAMES = ["up", "right", "down", "left"]
random = np.random.default_rng(1)
game = pyspiel.load_game("2048")


def slide_left(row):
    tiles, result = [tile for tile in row if tile], []
    while tiles:
        tile = tiles.pop(0)
        if tiles and tiles[0] == tile:
            tile += tiles.pop(0)
        result.append(tile)
    return result + [0] * (4 - len(result))


def has_gap_towards(row):
    """Whether a tile of the row slides without a merge."""
    return any(row[cell] == 0 and row[cell + 1] for cell in range(3))


def turned(board, action):
    """The board as rows that the action slides to the left."""
    return np.rot90(board, [1, 2, 3, 0][action]).tolist()


def after_spawn(state):
    while state.is_chance_node():
        outcomes, odds = zip(*state.chance_outcomes())
        state.apply_action(int(random.choice(outcomes, p=odds)))
    return np.array(str(state).split(), int).reshape(4, 4)


legal = hidden = merges = 0
seen, contradiction = {}, None
# Complete games for the share, and the first moves of many for boards that occur twice.
for number in range(3100):
    is_complete = number < 100
    state = game.new_initial_state()
    board, moves = after_spawn(state), 0
    while not state.is_terminal() and (is_complete or moves < 3):
        offered = state.legal_actions()
        changing = [action for action in range(4) if any(slide_left(row) != row for row in turned(board, action))]
        if set(offered) - set(changing):
            sys.exit("an offered move changes nothing: this is not what was seen")
        for action in set(changing) - set(offered) if is_complete else ():
            merges += not any(has_gap_towards(row) for row in turned(board, action))
        if is_complete:
            legal, hidden = legal + len(changing), hidden + len(changing) - len(offered)
        other = seen.setdefault(board.tobytes(), offered)
        if other != offered and contradiction is None:
            contradiction = board, other, offered
        if not offered:
            break
        state.apply_action(int(random.choice(offered)))
        board, moves = after_spawn(state), moves + 1

share = hidden / legal
print(f"{hidden} of {legal} legal moves are not offered ({share:.2%}); {merges} of them only merge")
if contradiction is not None:
    board, *offers = contradiction
    print(f"one board:\n{board}")
    for offer in offers:
        print("offered:", ", ".join(NAMES[action] for action in offer))
if not (0.01 < share < 0.03 and merges == hidden and contradiction is not None):
    sys.exit("this differs from the head comment")
END
