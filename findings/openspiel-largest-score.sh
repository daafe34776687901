#!/usr/bin/env bash
# Expected: max_utility() of a game of OpenSpiel is an upper bound of returns(), by which searches scale values.
# Seen: scores of "2048" exceed it. The bound is the score of one largest tile made of 2s, and leaves out what the
# other tiles have scored: 1792 for max_tile=256, but a third of the games of a simple player score more, one 2816.
# Versions: open-spiel 2.0.2.
# Why it matters: scaled to the bound, values exceed 1, and are clipped or taken for better than a win. Scale scores of
# 2048 by what players reach.
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
random = np.random.default_rng(1)
GAMES = 100
DOWN, LEFT, RIGHT, UP = 2, 3, 1, 0
is_as_stated = True
for largest in 64, 128, 256:
    game = pyspiel.load_game("2048", {"max_tile": largest})
    scores = []
    for _ in range(GAMES):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, odds = zip(*state.chance_outcomes())
                state.apply_action(int(random.choice(outcomes, p=odds)))
            else:
                offered = state.legal_actions()
                action = next(action for action in (DOWN, LEFT, RIGHT, UP) if action in offered)
                state.apply_action(action if random.random() < 0.9 else int(random.choice(offered)))
        scores.append(state.returns()[0])
    bound = game.max_utility()
    above = sum(score > bound for score in scores)
    print(f"max_tile {largest}: max_utility {bound:g}, largest score {max(scores):g}, {above} of {GAMES} games above")
    is_as_stated &= above > GAMES / 5 and bound == largest * (np.log2(largest) - 1)
if not is_as_stated:
    sys.exit("this differs from the head comment")
END
