"""2048 for reinforcement learning: fast environments, n-tuple networks, strong players, reviews and training runs.

Boards are arrays of exponents: 0 is an empty cell, and `e` the tile `2 ** e`. Moves are 0 (up), 1 (down), 2 (left) and
3 (right). All functions that take boards take one board or many, and release the interpreter lock.
"""

import importlib
import sys

from . import _library
from .boards import MOVES, Moves, boards, moves, text
from .errors import (BusyError, ClosedError, DataError, Error, FileError, MissingError, OutOfMemoryError, TrainingError,
                     UsageError)
from .networks import Network, load
from .players import Choice, Game, Player, review
from .runs import Run, Training, train

__version__ = _library.VERSION
# Gymnasium takes long to import, so what needs it is imported when it is used.
_LAZY = ("Env", "VectorEnv", "register")
__all__ = ["MOVES", "BusyError", "Choice", "ClosedError", "DataError", "Error", "FileError", "Game", "MissingError",
           "Moves", "Network", "OutOfMemoryError", "Player", "Run", "Training", "TrainingError", "UsageError", "boards",
           "load", "moves", "review", "text", "train", *_LAZY]


def __getattr__(name):
    if name in _LAZY:
        return getattr(importlib.import_module(".environments", __name__), name)
    raise AttributeError(f"module 'learn2048' has no attribute {name!r}")


def __dir__():
    return sorted({*globals(), *_LAZY})


if "gymnasium" in sys.modules:
    __getattr__("register")()
