#!/usr/bin/env bash
# Expected: State.score of jumanji's Game2048 is "the sum of all tile values on the board", as its documentation says.
# Seen: it is the sum of the rewards so far, which is the usual score of 2048. After 300 random moves at most, it is
# several times the sum of the tiles.
# Versions: jumanji 1.1.2, jax 0.10.2.
# Why it matters: agents and tables that convert the one into the other, or that count moves by the sum of the tiles
# (which grows by 2.2 per move), are wrong by a factor.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python" || { echo "python3 with its module venv is missing (Debian: python3-venv)"; exit 1; }
"$folder/python/bin/pip" install --quiet --disable-pip-version-check jumanji==1.1.2 jax==0.10.2 jaxlib==0.10.2 requests

"$folder/python/bin/python" - <<'END'
import sys
from importlib.metadata import version

import jax
import numpy as np
from jumanji.environments import Game2048

print("jumanji", version("jumanji"), "jax", version("jax"))
documented = "the sum of all tile values on the board" in " ".join(Game2048.__doc__.split())
environment = Game2048()
reset, step = jax.jit(environment.reset), jax.jit(environment.step)
random = np.random.default_rng(1)
GAMES = 20
equal_rewards = equal_tiles = 0
ratios = []
for seed in range(GAMES):
    state, timestep = reset(jax.random.PRNGKey(seed))
    rewards, moves = 0.0, 0
    while not timestep.last() and moves < 300:
        state, timestep = step(state, random.choice(np.flatnonzero(state.action_mask)))
        rewards += float(timestep.reward)
        moves += 1
    tiles = int(sum(2 ** int(exponent) for exponent in np.asarray(state.board).ravel() if exponent))
    equal_rewards += float(state.score) == rewards
    equal_tiles += float(state.score) == tiles
    ratios.append(float(state.score) / tiles)
print(f"documented as the sum of the tiles: {documented}")
print(f"of {GAMES} games, the score equals the sum of rewards in {equal_rewards}, the sum of the tiles in {equal_tiles}")
print(f"score / sum of tiles: {min(ratios):.1f} to {max(ratios):.1f}")
if not (documented and equal_rewards == GAMES and equal_tiles == 0 and min(ratios) > 2):
    sys.exit("this differs from the head comment")
END
