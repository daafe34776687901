"""2048 as environments in the manner of Gymnasium, which is optional."""

import os

import numpy as np

from . import _library as library
from .boards import boards as board_array

try:
    import gymnasium
    from gymnasium.vector import AutoresetMode
except ImportError:
    gymnasium = AutoresetMode = None

_Env = gymnasium.Env if gymnasium else object
_VectorEnv = gymnasium.vector.VectorEnv if gymnasium else object

_ILLEGAL = ("refuse", "no-op", "end")
_RESETS = ("Disabled", "NextStep", "SameStep")
#: The number of planes of an observation, and of the tile values.
PLANES = 18
_TILES = np.array([0] + [1 << exponent for exponent in range(1, PLANES)], np.int32)


def _index(value, names, option):
    value = getattr(value, "value", value)
    if value not in names:
        raise ValueError(f"{option} is {value!r}, not one of {', '.join(names)}")
    return names.index(value)


class _Batch:
    """Environments of the library with arrays that every step writes."""

    def __init__(self, count, *, size, four_probability, start_tiles, illegal, illegal_reward, autoreset, observation,
                 goal, threads):
        self.count, self.size = count, size
        self.observation = _index(observation, ("exponents", "planes", "tiles"), "observation")
        options = library.EnvironmentOptions(
            count, size, start_tiles, four_probability, _index(illegal, _ILLEGAL, "illegal"), illegal_reward,
            _index(autoreset, _RESETS, "autoreset_mode"), _goal_exponent(goal), library.threads(threads))
        self.handle = library.Handle("environments_open", options)
        self.boards = np.zeros((count, 4, 4), np.uint8)
        self.legal = np.zeros((count, 4), np.bool_)
        self.rewards = np.zeros(count, np.float32)
        self.terminated = np.zeros(count, np.bool_)
        self.scores = np.zeros(count, np.int32)
        self.final_boards = np.zeros((count, 4, 4), np.uint8)
        self.view = library.View(*(array.ctypes.data for array in (
            self.boards, self.legal, self.rewards, self.terminated, self.scores, self.final_boards)))

    def reset(self, seeds=None, selected=None, boards=None):
        library.call("environments_reset", self.handle.number, self.count, library.address(selected),
                     library.address(seeds), library.address(boards), self.view)

    def step(self, moves):
        library.call("environments_step", self.handle.number, self.count, moves.ctypes.data, self.view)

    def sample(self, out):
        library.call("environments_sample", self.handle.number, self.count, out.ctypes.data)

    def observe(self, boards):
        """Boards in the form of observations, which may be the same memory."""
        boards = boards[..., :self.size, :self.size]
        if self.observation == 1:
            planes = np.arange(PLANES, dtype=np.uint8).reshape(PLANES, 1, 1)
            return np.equal(boards[..., None, :, :], planes).view(np.uint8)
        return _TILES[boards] if self.observation == 2 else boards

    def space(self):
        size, spaces = self.size, gymnasium.spaces
        return (spaces.Box(0, PLANES - 1, (size, size), np.uint8),
                spaces.Box(0, 1, (PLANES, size, size), np.uint8),
                spaces.Box(0, int(_TILES[-1]), (size, size), np.int32))[self.observation]


def _goal_exponent(goal):
    if goal is None:
        return 0
    if goal not in _TILES[1:]:
        raise ValueError(f"goal is {goal!r}, not a tile such as 2048")
    return int(goal).bit_length() - 1


def _random_seed():
    return int.from_bytes(os.urandom(6), "little")


def _checked_seed(seed):
    if not isinstance(seed, (int, np.integer)) or not 0 <= seed < 1 << 64:
        raise ValueError(f"seed is {seed!r}, not a number from 0 to 2^64 - 1")
    return int(seed)


class Env(_Env):
    """One game as a `gymnasium.Env`.

    Actions are 0 (up), 1 (down), 2 (left), 3 (right). The reward is the points of the move. `info` has `action_mask`,
    int8 with 1 for a legal move, and the `score`. An episode ends when no move is legal; it is never truncated.

    Episode `e` after `reset(seed=s)`, from 0, has the random spawns of game `e` of `learn2048 evaluate --seed s`.

    Args:
        observation: "exponents" (uint8, `[size, size]`), "planes" (one-hot, uint8, `[18, size, size]`) or "tiles"
            (int32).
        illegal: what a move that changes nothing does: "refuse" raises `UsageError`, "no-op" leaves the board, "end"
            ends the episode.
        illegal_reward: the reward of such a move.
        four_probability: the probability that a new tile is a 4.
        start_tiles: the number of tiles at the start, 1 or 2.
        size: the number of rows: 2, 3 or 4.
        goal: the tile that ends an episode when it is made, such as 2048; by default none does.
        render_mode: None, or "ansi", with which `render` returns the tiles as text.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 4}

    def __init__(self, *, observation="exponents", illegal="no-op", illegal_reward=0.0, four_probability=0.1,
                 start_tiles=2, size=4, goal=None, render_mode=None):
        if render_mode not in (None, "ansi"):
            raise ValueError(f"render_mode is {render_mode!r}, not None or 'ansi'")
        self.render_mode = render_mode
        self._batch = _Batch(1, size=size, four_probability=four_probability, start_tiles=start_tiles, illegal=illegal,
                             illegal_reward=illegal_reward, autoreset="Disabled", observation=observation, goal=goal,
                             threads=1)
        self._move = np.zeros(1, np.int64)
        self._has_begun = False
        if gymnasium:
            self.observation_space = self._batch.space()
            self.action_space = gymnasium.spaces.Discrete(4)

    def reset(self, *, seed=None, options=None):
        """Starts an episode. `options={"board": …}` starts it from a board, as `learn2048.boards` reads it."""
        if gymnasium:
            super().reset(seed=seed)
        board = (options or {}).get("board")
        if board is not None:
            board = board_array(board)
            if board.size != 16:
                raise ValueError("an episode starts from one board")
        seeds = None
        if seed is not None or not self._has_begun:
            seeds = np.array([_random_seed() if seed is None else _checked_seed(seed)], np.uint64)
        self._batch.reset(seeds, boards=board)
        self._has_begun = True
        return self._observation(), self._info()

    def step(self, action):
        """Plays a move. Returns the observation, the reward, whether the episode has ended, False, and the info."""
        self._move[0] = action
        batch = self._batch
        batch.step(self._move)
        return self._observation(), float(batch.rewards[0]), bool(batch.terminated[0]), False, self._info()

    def sample(self):
        """Returns a random legal move, the same for the same seed, episode and number of moves."""
        self._batch.sample(self._move)
        return int(self._move[0])

    def _observation(self):
        # A copy, because the next step writes the boards.
        return np.array(self._batch.observe(self._batch.boards[0]))

    def _info(self):
        return {"action_mask": self._batch.legal[0].astype(np.int8), "score": int(self._batch.scores[0])}

    def render(self):
        """Returns the tiles as text if the render mode is "ansi"."""
        if self.render_mode == "ansi":
            size = self._batch.size
            rows = _TILES[self._batch.boards[0, :size, :size]]
            return "\n".join(" ".join(f"{tile or '.':>6}" for tile in row) for row in rows) + "\n"
        return None

    def close(self):
        """Frees the game. Later calls raise `ClosedError`."""
        self._batch.handle.close()


class VectorEnv(_VectorEnv):
    """Many games that are stepped together in place on all cores, as a `gymnasium.vector.VectorEnv`.

    The options are those of `Env`, and:

    Args:
        num_envs: the number of games.
        autoreset_mode: "NextStep", "SameStep" or "Disabled", or a member of `gymnasium.vector.AutoresetMode`.
        threads: the number of threads; one per core by default. Results do not depend on it.
        copy: whether results are copies. Without, they are views that the next step writes, which saves time.

    `infos` has `action_mask` (bool, `[num_envs, 4]`) and `score` (before an automatic reset). With "SameStep", it has
    `final_obs` and `final_info` as Gymnasium defines them. `reset(seed=s)` gives environment `i` the seed `s + i`.
    """

    def __init__(self, num_envs, *, observation="exponents", illegal="no-op", illegal_reward=0.0, four_probability=0.1,
                 start_tiles=2, size=4, goal=None, autoreset_mode="NextStep", threads=None, copy=True, render_mode=None):
        if render_mode is not None:
            raise ValueError("a VectorEnv is not rendered")
        mode = getattr(autoreset_mode, "value", autoreset_mode)
        if not isinstance(num_envs, (int, np.integer)) or not 1 <= num_envs <= 1 << 24:
            raise ValueError(f"num_envs is {num_envs!r}, not a number from 1 to 2^24")
        self.num_envs, self.copy, self.closed, self.render_mode = int(num_envs), copy, False, None
        self._batch = _Batch(self.num_envs, size=size, four_probability=four_probability, start_tiles=start_tiles,
                             illegal=illegal, illegal_reward=illegal_reward, autoreset=mode, observation=observation,
                             goal=goal, threads=threads)
        self._has_begun = False
        self._is_same_step = mode == "SameStep"
        self._truncated = np.zeros(self.num_envs, np.bool_)
        self._moves = np.zeros(self.num_envs, np.int64)
        self._no_moves = np.zeros((self.num_envs, 4), np.bool_)
        self.metadata = {"autoreset_mode": AutoresetMode(mode) if AutoresetMode else mode, "render_modes": []}
        if gymnasium:
            self.single_observation_space = self._batch.space()
            self.single_action_space = gymnasium.spaces.Discrete(4)
            batched = gymnasium.vector.utils.batch_space
            self.observation_space = batched(self.single_observation_space, self.num_envs)
            self.action_space = batched(self.single_action_space, self.num_envs)

    def reset(self, *, seed=None, options=None):
        """Starts episodes in all environments, or with `options={"reset_mask": …}` in those that are True.

        `seed` is a number, or a list of a number for each. `options={"boards": …}` are boards to start from.
        """
        options = options or {}
        selected = options.get("reset_mask")
        if selected is not None:
            selected = np.ascontiguousarray(selected)
            if selected.dtype != np.bool_ or selected.shape != (self.num_envs,):
                raise ValueError(f"reset_mask is an array of {self.num_envs} truth values")
        starts = options.get("boards")
        if starts is not None:
            starts = board_array(starts)
            if starts.shape != (self.num_envs, 4, 4):
                raise ValueError(f"boards are {self.num_envs} boards")
        self._batch.reset(self._seeds(seed), selected, starts)
        self._has_begun = True
        return self._results()[0], self._infos()

    def _seeds(self, seed):
        if seed is None and self._has_begun:
            return None
        if seed is None:
            seed = _random_seed()
        if isinstance(seed, (int, np.integer)):
            # Beyond 2^64, seeds start again with 0.
            return np.uint64(_checked_seed(seed)) + np.arange(self.num_envs, dtype=np.uint64)
        seeds = [_checked_seed(each) for each in seed]
        if len(seeds) != self.num_envs:
            raise ValueError(f"seed has {len(seeds)} numbers for {self.num_envs} environments")
        return np.array(seeds, np.uint64)

    def step(self, actions):
        """Plays a move in every environment.

        Returns the observations, the rewards (float32), which episodes have ended, which are truncated (none), and the
        infos.
        """
        moves = np.ascontiguousarray(actions, np.int64)
        if moves.shape != (self.num_envs,):
            raise ValueError(f"actions have the shape {list(moves.shape)} for {self.num_envs} environments")
        self._batch.step(moves)
        return *self._results(), self._infos()

    def sample(self, out=None):
        """Returns a random legal move for every environment, int64; 0 where the episode is over.

        The moves depend on the seed, the episode and the number of its moves. `out` is an array for them.
        """
        out = self._moves.copy() if out is None else out
        if out.dtype != np.int64 or out.shape != (self.num_envs,) or not out.flags.carray:
            raise ValueError(f"out is a contiguous array of {self.num_envs} int64")
        self._batch.sample(out)
        return out

    def _kept(self, array):
        return array.copy() if self.copy else array

    def _results(self):
        batch = self._batch
        boards = batch.observe(batch.boards)
        if batch.observation == 0:
            boards = self._kept(boards)
        return boards, self._kept(batch.rewards), self._kept(batch.terminated), self._kept(self._truncated)

    def _infos(self):
        batch = self._batch
        infos = {"action_mask": self._kept(batch.legal), "score": self._kept(batch.scores)}
        if self._is_same_step and np.count_nonzero(batch.terminated):
            ended = self._kept(batch.terminated)
            final = batch.observe(batch.final_boards)
            infos["final_obs"] = self._kept(final) if batch.observation == 0 else final
            infos["final_info"] = {
                "action_mask": self._kept(self._no_moves), "_action_mask": ended,
                "score": self._kept(batch.scores), "_score": ended}
            infos["_final_obs"] = infos["_final_info"] = ended
        return infos

    def close(self, **_):
        """Frees the games. Later calls raise `ClosedError`."""
        self._batch.handle.close()
        self.closed = True


def register():
    """Registers `learn2048/2048-v0` with Gymnasium. Importing `learn2048` does so if Gymnasium is imported already."""
    if gymnasium is None:
        raise ImportError("register requires Gymnasium. Install it with: pip install gymnasium")
    if "learn2048/2048-v0" not in gymnasium.registry:
        gymnasium.register("learn2048/2048-v0", entry_point="learn2048:Env", vector_entry_point="learn2048:VectorEnv")
