"""N-tuple networks: values, updates and views of the tables."""

import ctypes
import json
import weakref

import numpy as np

from . import _library as library
from .boards import boards as board_array


class Network:
    """An n-tuple network, which values afterstates in points.

    Args:
        patterns: cell strings, such as `["012345", "456789"]`, or a name, such as "4x6".
        game: further keys of a configuration's `game`, such as `{"fourProbability": 0.2}`.
        **settings: further keys of a configuration's `network`, such as `downgradeTile=32768`.

    Any number of threads may use a network. Updates on several threads at once lose some of their steps.
    """

    def __init__(self, patterns="4x6", *, game=None, **settings):
        configuration = {"network": {"patterns": patterns, **settings}}
        if game:
            configuration["game"] = game
        self._open("network_create", json.dumps(configuration).encode())

    @classmethod
    def _loaded(cls, model):
        network = cls.__new__(cls)
        network._open("network_load", library.text(model, "model"))
        return network

    def _open(self, function, argument):
        self._handle = library.Handle(function, argument)
        library.call("network_describe", self._handle.number)
        self._about = json.loads(library.result())
        self._players = {}

    @property
    def patterns(self):
        """The cell strings of the patterns."""
        return list(self._about["patterns"])

    @property
    def size(self):
        """The number of rows of a board."""
        return self._about["boardSize"]

    @property
    def features(self):
        """The number of weights that a value is the sum of: eight for each pattern."""
        return self._about["features"]

    @property
    def config(self):
        """The configuration of the run that trained the network."""
        return json.loads(self._about["config"])

    @property
    def episodes(self):
        """The number of episodes that the network was trained for."""
        return self._about["episodes"]

    def __repr__(self):
        return f"<learn2048.Network {' '.join(self.patterns)}, {self._about['weights']:,} weights>"

    def values(self, afterstates, *, threads=None):
        """Returns the values of afterstates in points, float32 `[...]`."""
        array = board_array(afterstates)
        values = np.empty(array.shape[:-2], np.float32)
        library.call("network_values", self._handle.number, array.ctypes.data, array.size // 16, values.ctypes.data,
                     library.threads(threads))
        return values

    def best_moves(self, boards, depth=1, *, threads=None):
        """Returns the best moves of boards by a search of `depth` plies, and the action values, as `Player.moves` does."""
        player = self._players.get(depth)
        if player is None:
            from .players import Player
            # A player of the library does not refer to this object, so the two do not keep each other alive.
            player = self._players[depth] = Player(f"learned:depth={depth}", network=self)
        return player.moves(boards, threads=threads)

    def update(self, afterstates, errors, learning_rate, method="td", *, threads=1):
        """Moves the values of afterstates by shares of errors, in points, in place.

        Each of the `features` weights of an afterstate moves by `learning_rate / features` of the error, with "td".
        With "tc", temporal coherence learning, the step is multiplied by the coherence of the weight's errors; the
        network keeps the two sums for that.

        With one thread, results repeat exactly.
        """
        array = board_array(afterstates)
        errors = np.ascontiguousarray(errors, np.float32)
        if errors.shape != array.shape[:-2]:
            raise ValueError(f"there are errors of shape {list(errors.shape)} for boards of shape {list(array.shape[:-2])}")
        library.call("network_update", self._handle.number, array.ctypes.data, errors.ctypes.data, errors.size,
                     learning_rate, library.text(method, "method"), library.threads(threads))

    def td_step(self, afterstates, rewards, next_afterstates, terminated, learning_rate, method="td", *, threads=1):
        """Updates the values of afterstates by one-step TD errors, and returns these.

        The error is `reward + value(next afterstate) - value(afterstate)`, with the reward of the next move, and
        `-value(afterstate)` where the episode has ended.
        """
        terminated = np.asarray(terminated, np.bool_)
        following = np.asarray(rewards, np.float32) + self.values(next_afterstates, threads=threads)
        errors = np.where(terminated, np.float32(0), following) - self.values(afterstates, threads=threads)
        self.update(afterstates, errors, learning_rate, method, threads=threads)
        return errors

    def save(self, path):
        """Writes a weight file, which `learn2048` reads and `load` returns."""
        library.call("network_save", self._handle.number, library.text(path, "path"))

    @property
    def weights(self):
        """All weights as one array without copying: the tables of each stage in turn, with gaps between them."""
        address, count = ctypes.c_void_p(), ctypes.c_int64()
        library.call("network_weights", self._handle.number, address, count)
        buffer = (ctypes.c_float * count.value).from_address(address.value)
        # A handle for the array, which may outlive the network.
        shared = library.Handle("share", self._handle.number)
        weakref.finalize(buffer, shared.close)
        return np.ctypeslib.as_array(buffer)

    def table(self, pattern, stage=0):
        """Returns the table of a pattern without copying, `[2] * 4n` for n cells.

        The axes are the bits of the exponents in listed order of the cells, the highest bit first, so
        `table.reshape([16] * n)` is a copy whose axes are the cells.
        """
        for table in self._about["tables"]:
            if table["pattern"] == pattern and table["stage"] == stage:
                break
        else:
            raise ValueError(f"there is no pattern {pattern!r} in stage {stage!r}; patterns are {' '.join(self.patterns)}")
        cells = len(table["places"])
        flat = self.weights[table["offset"]:table["offset"] + table["count"]]
        # Axis 0 is the highest bit of an index in memory.
        axes = [4 * cells - 1 - (bit * cells + place) for place in table["places"] for bit in (3, 2, 1, 0)]
        return flat.reshape([2] * (4 * cells)).transpose(axes)

    def close(self):
        """Frees the network, unless arrays or players use it. Later calls raise `ClosedError`."""
        self._players.clear()
        self._handle.close()


def load(model="default"):
    """Loads a network: "default", a run's name or directory, `RUN@EPISODES`, or the path of a weight file.

    Raises:
        MissingError, DataError, OutOfMemoryError.
    """
    return Network._loaded(model)
