"""Players, their games, and reviews."""

import ctypes
import json
from typing import NamedTuple

import numpy as np

from . import _library as library
from .boards import boards as board_array


class Choice(NamedTuple):
    """What a player makes of boards.

    Attributes:
        best: the numbers of the best moves, int8 `[...]`; -1 without a legal move.
        values: the action values, float64 `[..., 4]`; NaN for a move that is not legal or has none.
    """

    best: np.ndarray
    values: np.ndarray


class Player:
    """A player of a PLAYER text, such as "learned:depth=3" or "expectimax:evaluator=rowScore,depth=2".

    Args:
        text: as on the command line; the reference of players lists all.
        network: the network of a player that names no model; the bundled one by default.
    """

    def __init__(self, text="learned:depth=3", *, network=None):
        number = network._handle.number if network is not None else 0
        if network is not None and not number:
            # The library takes 0 for no network.
            number = -1
        self._handle = library.Handle("player_open", library.text(text, "text"), number)
        self.name = library.result().decode()

    def __repr__(self):
        return f"<learn2048.Player {self.name}>"

    def moves(self, boards, *, threads=None):
        """Returns the best moves and the action values of boards, as `Choice`.

        Each board is analysed by itself, so the values are those of `learn2048 analyze`.
        """
        array = board_array(boards)
        shape = array.shape[:-2]
        choice = Choice(np.empty(shape, np.int8), np.empty((*shape, 4), np.float64))
        library.call("player_moves", self._handle.number, array.ctypes.data, array.size // 16, choice.values.ctypes.data,
                     choice.best.ctypes.data, library.threads(threads))
        return choice

    def play(self, seed, game=0):
        """Plays a game, with the random spawns of game number `game`, from 0, of `learn2048 evaluate --seed SEED`."""
        if not 0 <= seed < 1 << 64:
            raise ValueError(f"seed is {seed!r}, not a number from 0 to 2^64 - 1")
        result = library.GameResult()
        library.call("player_play", self._handle.number, seed, game, result)
        return Game(library.result(), size=result.size, four_probability=result.four_probability)

    def close(self):
        """Frees the player. Later calls raise `ClosedError`."""
        self._handle.close()


class Game:
    """A recorded game.

    Args:
        record: its bytes: the tiles of the start, and a byte for each move with its spawn.
        size, four_probability: the rules.

    Attributes:
        score: the points.
        boards: the board before each move and the last one, `[n + 1, 4, 4]`.
        moves: the numbers of the moves, int64 `[n]`.
        rewards: the points of the moves, int32 `[n]`.
        largest_tile: the largest tile at the end.
    """

    def __init__(self, record, *, size=4, four_probability=0.1):
        self.record, self.size, self.four_probability = bytes(record), size, four_probability
        data = np.frombuffer(self.record, np.uint8)
        rules = (data.ctypes.data, len(data), size, four_probability)
        result = library.GameResult()
        library.call("game_replay", *rules, None, None, None, 0, result)
        self.boards = np.zeros((result.moves + 1, 4, 4), np.uint8)
        self.moves, self.rewards = np.zeros(result.moves, np.int64), np.zeros(result.moves, np.int32)
        library.call("game_replay", *rules, self.boards.ctypes.data, self.moves.ctypes.data, self.rewards.ctypes.data,
                     result.moves, result)
        if not result.moves:
            self.boards[0] = _start(self.record)
        self.score, self.largest_tile = result.score, 1 << result.largest_exponent

    def __repr__(self):
        return f"<learn2048.Game of {len(self.moves):,} moves, {self.score:,} points>"


def _start(record):
    """The board of the first two bytes of a record."""
    board = np.zeros(16, np.uint8)
    for byte in record[:2]:
        board[byte >> 2 & 15] = 2 if byte >> 6 & 1 else 1
    return board.reshape(4, 4)


def review(game, player="learned:depth=3", *, network=None, threads=None):
    """Reviews a game: the loss of every move, in points, as `learn2048 review --json` and the web page show it.

    Args:
        game: a `Game`.
        player: a `Player` or a PLAYER text, whose values are points.

    Returns:
        A dict with `accuracy`, `moments`, `moves` with `loss`, `share`, `best` and `played` for each, and so on.
    """
    player = player if isinstance(player, Player) else Player(player, network=network)
    data = np.frombuffer(game.record, np.uint8)
    library.call("player_review", player._handle.number, data.ctypes.data, len(data), library.threads(threads))
    return json.loads(library.result())
