"""Wrong input of every kind is an exception, and none reads or writes out of bounds."""

import ctypes
import subprocess
import sys

import numpy as np
import pytest

import learn2048
from learn2048 import _library as library

USAGE, CLOSED = 1, 2


@pytest.mark.parametrize("value", [
    [[0.5] * 16], np.zeros((4, 5), int), np.zeros(15, int), np.full(16, 18), np.full(16, -1), np.full(16, 255, np.uint8),
    "123", "Z" * 16, "2,0,4/0,0,0,0,0/0,0,0,0/0,0,0,0", 7, None, "", ["1020000000000000", "x"], np.zeros((2, 16), bool)])
def test_boards(network, value):
    for function in (network.values, network.best_moves, learn2048.moves, learn2048.Player("greedy").moves):
        with pytest.raises(ValueError):
            function(value)


def test_forms_of_boards():
    text = "1120000000000003"
    array = learn2048.boards(text)
    assert learn2048.text(array) == text and learn2048.boards(array) is array
    for form in (array.reshape(16), array.astype(np.int64), np.asfortranarray(array), array.tolist(), [text][0]):
        assert (learn2048.boards(form) == array).all()
    for form in ("2 2 4 0 / 0 0 0 0 / 0 0 0 0 / 0 0 0 8", "[[2,2,4,0],[0,0,0,0],[0,0,0,0],[0,0,0,8]]"):
        assert (learn2048.boards(form) == array).all()
    with pytest.raises(learn2048.UsageError, match="row 1 of the board has 3 values"):
        learn2048.boards("2,0,4/0,0,0,0,0/0,0,0,0/0,0,0,0")
    assert learn2048.boards([text, text]).shape == (2, 4, 4)
    assert learn2048.moves(np.zeros((0, 4, 4), np.uint8)).legal.shape == (0, 4)
    assert learn2048.moves(np.zeros((2, 3, 16), np.uint8)).afterstates.shape == (2, 3, 4, 4, 4)


@pytest.mark.parametrize("options", [
    {"num_envs": 0}, {"num_envs": 1 << 25}, {"num_envs": 2.5}, {"size": 5}, {"start_tiles": 3}, {"four_probability": 1.5},
    {"four_probability": float("nan")}, {"illegal": "ignore"}, {"autoreset_mode": "Later"}, {"observation": "pixels"},
    {"goal": 2000}, {"goal": 1}, {"threads": 0}, {"threads": 10 ** 6}, {"render_mode": "human"}])
def test_options(options):
    with pytest.raises(ValueError):
        learn2048.VectorEnv(**{"num_envs": 2, **options})


@pytest.mark.parametrize("actions", [[0], [0, 1, 2], [0, 4], [0, -1], [[0, 1]], [0, 1 << 40]])
def test_actions(actions):
    environments = learn2048.VectorEnv(2)
    environments.reset(seed=1)
    with pytest.raises(ValueError):
        environments.step(actions)


def test_resets():
    environments = learn2048.VectorEnv(2)
    with pytest.raises(learn2048.UsageError, match="have not been reset"):
        environments.step([0, 0])
    with pytest.raises(learn2048.UsageError, match="first reset"):
        environments.reset(options={"reset_mask": np.array([True, False])})
    for arguments in ({"seed": -1}, {"seed": [1]}, {"seed": "x"}, {"options": {"boards": np.zeros((2, 4, 4), int)}},
                      {"options": {"boards": "1000000000000000"}}, {"options": {"reset_mask": [1, 0]}}):
        with pytest.raises((ValueError, TypeError)):
            environments.reset(**arguments)
    with pytest.raises(ValueError):
        environments.sample(np.zeros(1, np.int64))


@pytest.mark.parametrize("arguments", [
    ([], {}), (["0123", "0123"], {}), (["01x"], {}), (["0123456789"], {}), ("nine", {}), (["0123"], {"stages": "x"}),
    (["0123"], {"downgradeTile": 7}), (["0123"], {"unknown": 1}), (["0123"], {"game": {"boardSize": 9}})])
def test_network_settings(arguments):
    with pytest.raises(learn2048.UsageError):
        learn2048.Network(arguments[0], **arguments[1])


def test_updates(boards):
    network = learn2048.Network(["0123"])
    for errors in ([1.0], np.full(len(boards), np.nan), np.full(len(boards), np.inf)):
        with pytest.raises(ValueError):
            network.update(boards, errors, 0.1)
    for rate, method in ((-1, "td"), (float("nan"), "td"), (0.1, "adam"), (0.1, "")):
        with pytest.raises(learn2048.UsageError):
            network.update(boards, np.ones(len(boards)), rate, method)
    assert not network.weights.any()
    with pytest.raises(ValueError):
        network.table("4567")


def test_files(network, tmp_path):
    with pytest.raises(FileNotFoundError, match="no such model"):
        learn2048.load(tmp_path / "missing")
    path = tmp_path / "damaged"
    path.write_bytes(b"nonsense" * 100)
    with pytest.raises(learn2048.DataError, match="neither a safetensors nor"):
        learn2048.load(path)
    with pytest.raises(learn2048.FileError):
        network.save(tmp_path / "no" / "directory")
    with pytest.raises(ValueError, match="zero byte"):
        learn2048.load("a\0b")


@pytest.mark.parametrize("text", ["", "chess", "learned:depth=0", "learned:depth", "greedy:depth=1", "learned:model=none"])
def test_players(text):
    with pytest.raises(learn2048.Error):
        learn2048.Player(text)


def test_closed_objects(boards):
    network, environment, player = learn2048.Network(["01"]), learn2048.Env(), learn2048.Player("greedy")
    environment.reset(seed=1)
    for thing in (network, environment, player):
        thing.close()
        thing.close()
    for use in (lambda: network.values(boards), lambda: network.best_moves(boards), lambda: network.weights,
                lambda: environment.step(0), lambda: environment.reset(), lambda: player.moves(boards),
                lambda: player.play(1), lambda: network.save("x"), lambda: learn2048.Player(network=network)):
        with pytest.raises(learn2048.ClosedError):
            use()


def test_raw_calls():
    """The C interface itself: null pointers, wrong counts, and handles that are closed, invented or of another kind."""
    def status(name, *arguments):
        return library._functions[name](*arguments)

    environment = learn2048.Env()
    environment.reset(seed=1)
    number, view = environment._batch.handle.number, library.View()
    moves = np.zeros(1, np.int64).ctypes.data
    boards = np.zeros(16, np.uint8).ctypes.data
    for name, *arguments in (
            ("environments_step", number, 1, None, view), ("environments_step", number, 1, moves, None),
            ("environments_step", number, 2, moves, view), ("environments_step", number, -1, moves, view),
            ("environments_sample", number, 1, None), ("environments_open", None, ctypes.c_int64()),
            ("environments_open", library.EnvironmentOptions(), None),
            ("moves", 4, None, 1, boards, boards, boards, 1), ("moves", 4, boards, -1, boards, boards, boards, 1),
            ("moves", 4, boards, 1 << 62, boards, boards, boards, 1), ("network_load", None, ctypes.c_int64()),
            ("network_load", b"default", None), ("network_load", b"\xff\xfe", ctypes.c_int64()),
            ("game_replay", None, 5, 4, 0.1, None, None, None, 0, library.GameResult()),
            ("game_replay", boards, -5, 4, 0.1, None, None, None, 0, library.GameResult())):
        assert status(name, *arguments) == USAGE, name
        assert library.result()
    for handle in (0, -1, 10 ** 12):
        assert status("environments_step", handle, 1, moves, view) == CLOSED
        assert status("close", handle) == CLOSED
    assert status("network_describe", number) == CLOSED
    # A view without arrays is allowed.
    assert status("environments_step", number, 1, moves, view) == 0


def test_import_is_quick():
    """Without Gymnasium, which is imported with what needs it. A wide limit, for busy machines."""
    code = ("import numpy, time; start = time.process_time(); import learn2048, sys; "
            "print(time.process_time() - start); assert 'gymnasium' not in sys.modules")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert float(done.stdout) < 1
