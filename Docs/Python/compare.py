"""Compares the values of an example with those of learn2048:

  learn2048 analyze --file boards.txt --model ntuple.safetensors --depth 1 --json |
    python3 Docs/Python/compare.py value ntuple.safetensors

The first argument is the example: value or staged. The exit code is 1 if a value differs by more than the
rounding of single precision. Boards without a legal move are left out.
"""

import argparse
import importlib
import json
import sys

# The relative error of a sum of dozens of floats.
PRECISION = 4e-7


def legal_moves(documents):
    """The legal moves in the documents of analyze."""
    return [move for board in documents for move in board.get("moves", []) if move["legal"]]


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("example", choices=["value", "staged"])
    parser.add_argument("model", help="a .safetensors file")
    arguments = parser.parse_args()

    example = importlib.import_module(arguments.example)
    network = example.load(arguments.model)
    documents = json.load(sys.stdin)
    moves = legal_moves(documents if isinstance(documents, list) else [documents])
    if not moves:
        sys.exit("compare.py: no board has a legal move")
    largest = max(abs(move["value"] - move["reward"]) for move in moves)
    # In parts of the tolerance. The sum of reward and value is a float, too.
    errors = [abs(move["reward"] + example.value(move["afterstate"], network) - move["value"])
              / (PRECISION * (largest + move["reward"])) for move in moves]
    worst = max(range(len(moves)), key=errors.__getitem__)
    print(f"{len(moves)} moves, values of afterstates up to {largest:.1f}: "
          f"{errors[worst]:.2f} of the tolerance at {moves[worst]['afterstate']}")
    sys.exit(0 if errors[worst] <= 1 else 1)


if __name__ == "__main__":
    main()
