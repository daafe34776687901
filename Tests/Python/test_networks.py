"""Networks: values and moves as the program computes them, updates, files and views."""

import gc

import numpy as np
import pytest
from conftest import analyze

import learn2048


# All tiles differ, so all features do.
BOARD = learn2048.boards(["123456789ABCDEF0"])


def legal(boards):
    return boards[learn2048.moves(boards).legal.any(-1)]


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_moves_are_those_of_analyze(run, network, boards, depth):
    """Equal in every bit."""
    boards = legal(boards)[:: 1 if depth == 1 else 9]
    choice = network.best_moves(boards, depth, threads=2)
    for best, values, document in zip(*choice, analyze(boards, "--model", run.path, "--depth", str(depth)), strict=True):
        expected = [np.nan if move["value"] is None else move["value"] for move in document["moves"]]
        assert np.array_equal(values, expected, equal_nan=True)
        assert learn2048.MOVES[best] == document["best"]


def test_bundled_model():
    board = "1120342010000000"
    network = learn2048.load("default")
    values = network.best_moves(board).values
    [document] = analyze([board], "--depth", "1")
    assert [move["value"] for move in document["moves"] if move["legal"]] == values[~np.isnan(values)].tolist()


def test_values_are_sums_of_the_tables(boards):
    network = learn2048.Network(["012", "4569"])
    generator = np.random.default_rng(1)
    tables = {}
    for pattern in network.patterns:
        table = network.table(pattern)
        table[...] = generator.normal(size=table.shape).astype(np.float32)
        tables[pattern] = table.reshape([16] * len(pattern))
    # Without downgrading, larger tiles are read as 32768.
    read = np.minimum(boards, 15)
    expected = np.zeros(len(boards))
    for image in range(8):
        image_boards = read.transpose(0, 2, 1) if image & 4 else read
        image_boards = image_boards[:, ::-1] if image & 2 else image_boards
        image_boards = image_boards[:, :, ::-1] if image & 1 else image_boards
        flat = image_boards.reshape(-1, 16)
        for pattern, table in tables.items():
            expected += table[tuple(flat[:, int(cell, 16)] for cell in pattern)]
    assert np.allclose(network.values(boards), expected, atol=1e-4)


def test_td_update():
    network = learn2048.Network("4x5")
    network.update(BOARD, [64], 0.5)
    assert network.values(BOARD)[0] == pytest.approx(32)
    network.update(BOARD, [-32], 0.5)
    assert network.values(BOARD)[0] == pytest.approx(16)


def test_tc_update():
    """The first step is that of TD, and steps vanish once the errors of a weight cancel out."""
    network = learn2048.Network("4x5")
    network.update(BOARD, [64], 1, "tc")
    assert network.values(BOARD)[0] == pytest.approx(64)
    network.update(BOARD, [-64], 1, "tc")
    assert network.values(BOARD)[0] == pytest.approx(0)
    network.update(BOARD, [64], 1, "tc")
    assert network.values(BOARD)[0] == pytest.approx(0)


def test_td_step(boards):
    network = learn2048.Network("4x5")
    first, second = boards[:8], boards[8:16]
    network.update(second, np.full(8, 100), 1)
    before = network.values(first), network.values(second)
    ended = np.arange(8) % 2 == 0
    errors = network.td_step(first, np.full(8, 4), second, ended, 0.1)
    assert np.allclose(errors, np.where(ended, 0, 4 + before[1]) - before[0])
    assert not np.array_equal(network.values(first), before[0])


def test_updates_repeat(boards):
    """The same weights as once, in batches of any size, with one thread."""
    errors = np.linspace(-100, 100, len(boards))
    networks = [learn2048.Network("4x5") for _ in range(2)]
    networks[0].update(boards, errors, 0.1)
    networks[1].update(boards, errors, 0.1)
    assert np.array_equal(networks[0].weights, networks[1].weights)
    several = learn2048.Network("4x5")
    many = np.repeat(boards, 8, axis=0)
    several.update(many, np.ones(len(many)), 0.1, threads=2)
    assert np.isfinite(several.values(boards)).all()


def test_save_and_load(network, boards, tmp_path):
    path = tmp_path / "copy.safetensors"
    network.save(path)
    copy = learn2048.load(path)
    assert np.array_equal(copy.weights, network.weights) and copy.config == network.config
    assert copy.episodes == network.episodes == 300
    learned = learn2048.Network(["0123"], game={"fourProbability": 0.2})
    learned.update(boards, np.ones(len(boards)), 1)
    learned.save(path)
    copy = learn2048.load(path)
    assert copy.config["game"]["fourProbability"] == 0.2 and np.array_equal(copy.values(boards), learned.values(boards))


def test_views_outlive_networks():
    network = learn2048.Network(["0123"])
    table = network.table("0123")
    table[...] = 3
    assert network.values("1000000000000000") == 24
    network.close()
    del network
    gc.collect()
    assert table.sum() == 3 * 16 ** 4
    table[...] = 4
    assert table.max() == 4


def test_small_boards(tmp_path):
    network = learn2048.Network(["012", "456"], game={"boardSize": 3})
    assert network.size == 3
    environments = learn2048.VectorEnv(10, size=3)
    boards, _ = environments.reset(seed=1)
    assert boards.shape == (10, 3, 3) and network.values(boards).shape == (10,)
    assert set(network.best_moves(boards).best) <= set(range(4))
    with pytest.raises(learn2048.UsageError, match="outside the 3x3"):
        network.values(np.ones((4, 4), int))
