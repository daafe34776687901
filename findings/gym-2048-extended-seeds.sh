#!/usr/bin/env bash
# Expected: an environment of Gymnasium starts the same episode again after reset(seed=1).
# Seen: gym-2048-extended draws its tiles from Python's global generator, and never from the one that it seeds. Twenty
# resets with one seed give many boards. random.seed(1) before the reset makes it repeat.
# Versions: gym-2048-extended 2.5, gymnasium 1.3.0, NumPy 2.4.6.
# Why it matters: players cannot be compared on the same games by their seeds, and environments of one process draw
# from one sequence: what one plays changes the games of the others.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python" || { echo "python3 with its module venv is missing (Debian: python3-venv)"; exit 1; }
"$folder/python/bin/pip" install --quiet --disable-pip-version-check \
  gym-2048-extended==2.5 gymnasium==1.3.0 numpy==2.4.6 pygame==2.6.1

"$folder/python/bin/python" - <<'END'
import random
import sys
from importlib.metadata import version

import gym_2048
import gymnasium

print("gym-2048-extended", version("gym-2048-extended"), "with gymnasium", version("gymnasium"))
environment = gymnasium.make("2048-extended-v2")


def start(seed_python):
    if seed_python:
        random.seed(1)
    board, _ = environment.reset(seed=1)
    return board.copy()


boards = [start(False) for _ in range(20)]
for board in boards[:2]:
    print(f"reset(seed=1):\n{board}")
kinds = len({board.tobytes() for board in boards})
with_python = len({start(True).tobytes() for _ in range(20)})
print(f"20 resets: {kinds} different boards; with random.seed(1) before each: {with_python}")
if not (kinds > 5 and with_python == 1):
    sys.exit("this differs from the head comment")
END
