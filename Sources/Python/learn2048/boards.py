"""Boards as arrays of exponents, and their moves."""

from typing import NamedTuple

import numpy as np

from . import _library as library

#: The names of the moves, by their numbers.
MOVES = ("up", "down", "left", "right")
_DIGITS = "0123456789ABCDEFGH"


def boards(value):
    """Returns boards as an array of exponents, `[..., 4, 4]` of type uint8.

    `value` is an array whose last axes are `4, 4` or `16`, a text of a board as on the command line, such as
    "1020000000000000" or "2,0,4,0/0,0,0,0/0,0,0,0/0,0,0,0", or a list of texts. Smaller boards, of `2, 2` or `3, 3`, are placed in the upper left corner.
    An array of this form is returned as it is.

    Raises:
        ValueError: `value` is none of these, or has something else than an exponent.
    """
    if isinstance(value, str):
        return _from_text(value)
    if isinstance(value, (list, tuple)) and value and all(isinstance(item, str) for item in value):
        return np.stack([_from_text(item) for item in value])
    array = np.asarray(value)
    if array.dtype.kind not in "iu":
        raise ValueError(f"boards are arrays of integers, not of {array.dtype}")
    if array.ndim >= 2 and array.shape[-2:] in ((2, 2), (3, 3)):
        wide = np.zeros((*array.shape[:-2], 4, 4), array.dtype)
        wide[..., :array.shape[-2], :array.shape[-1]] = array
        array = wide
    elif array.ndim >= 1 and array.shape[-1] == 16:
        array = array.reshape(*array.shape[:-1], 4, 4)
    elif array.ndim < 2 or array.shape[-2:] != (4, 4):
        raise ValueError(f"boards have the shape [..., 4, 4] or [..., 16], not {list(array.shape)}")
    if array.dtype != np.uint8:
        if array.size and not 0 <= array.min() <= array.max() <= library.LARGEST_EXPONENT:
            raise ValueError(f"exponents are 0 (empty) to {library.LARGEST_EXPONENT}, not {array.min()} to {array.max()}")
        array = array.astype(np.uint8)
    return np.ascontiguousarray(array)


def _from_text(text):
    array = np.empty((4, 4), np.uint8)
    library.call("board", library.text(text, "a board"), array.ctypes.data)
    return array


def text(board):
    """Returns one board as 16 exponents in base 18."""
    return "".join(_DIGITS[exponent] for exponent in boards(board).reshape(16))


class Moves(NamedTuple):
    """The four moves of boards, in the order of `MOVES`.

    Attributes:
        afterstates: the boards after the moves and before the spawns, `[..., 4, 4, 4]`; the board itself if illegal.
        rewards: the points, `[..., 4]`; 0 if illegal.
        legal: whether each move is legal, `[..., 4]`.
    """

    afterstates: np.ndarray
    rewards: np.ndarray
    legal: np.ndarray


def moves(value, *, size=4, threads=None):
    """Returns the four moves of boards of `size` × `size` cells, as `Moves`."""
    array = boards(value)
    shape = array.shape[:-2]
    result = Moves(np.empty((*shape, 4, 4, 4), np.uint8), np.empty((*shape, 4), np.int32),
                   np.empty((*shape, 4), np.bool_))
    library.call("moves", size, array.ctypes.data, array.size // 16, *map(library.address, result),
                 library.threads(threads))
    return result
