"""Players, games and reviews."""

import csv
import subprocess

import numpy as np
import pytest
from conftest import analyze

import learn2048
from learn2048 import runs


def test_players_are_those_of_analyze(run, network, boards):
    boards = boards[learn2048.moves(boards).legal.any(-1)][:20]
    for text in ("heuristic:depth=2", "random", "montecarlo:simulations=10"):
        documents = analyze(boards, "--player", text)
        choice = learn2048.Player(text).moves(boards)
        for best, values, document in zip(*choice, documents, strict=True):
            expected = [np.nan if move["value"] is None else move["value"] for move in document["moves"]]
            assert np.array_equal(values, expected, equal_nan=True) and learn2048.MOVES[best] == document["best"]
    # The network of an object, and the one of a MODEL text.
    own = learn2048.Player("learned:depth=2", network=network).moves(boards)
    named = learn2048.Player(f"learned:model={run.path},depth=2").moves(boards)
    assert np.array_equal(own.values, named.values, equal_nan=True)


def test_game_over_has_no_move(network):
    over = np.array([[1, 2] * 2, [2, 1] * 2] * 2)
    for text in ("greedy", "learned:depth=1", "heuristic:depth=2"):
        choice = learn2048.Player(text, network=network).moves(over)
        assert choice.best == -1 and np.isnan(choice.values).all()


def test_games_are_those_of_evaluate(tmp_path):
    path = tmp_path / "games.csv"
    subprocess.run([runs.program(), "evaluate", "--against", "greedy", "--games", "3", "--seed", "12", "--csv", path],
                   capture_output=True, check=True)
    with open(path, encoding="ascii") as file:
        rows = [line for line in file if not line.startswith("#")]
    scores = [int(row["score"]) for row in csv.DictReader(rows)]
    player = learn2048.Player("greedy")
    games = [player.play(12, game) for game in range(3)]
    assert [game.score for game in games] == scores
    for game in games:
        assert game.rewards.sum() == game.score and game.boards.shape == (len(game.moves) + 1, 4, 4)
        assert game.largest_tile == 2 ** int(game.boards[-1].max())
        following = learn2048.moves(game.boards[:-1])
        chosen = np.arange(len(game.moves)), game.moves
        assert (following.rewards[chosen] == game.rewards).all()
        assert ((game.boards[1:] != following.afterstates[chosen]).sum((1, 2)) == 1).all()


def test_review(network):
    game = learn2048.Player("greedy").play(3)
    review = learn2048.review(game, "learned:depth=1", network=network, threads=2)
    values = network.best_moves(game.boards[:-1]).values
    losses = np.nanmax(values, 1) - values[np.arange(len(game.moves)), game.moves]
    assert [move["loss"] for move in review["moves"]] == losses.tolist()
    assert review["score"] == game.score and review["best"] == (losses == 0).sum()
    with pytest.raises(learn2048.UsageError, match="not points"):
        learn2048.review(game, "heuristic:depth=1")


def test_records_are_checked():
    record = learn2048.Player("greedy").play(3).record
    assert learn2048.Game(record).record == record
    # A game that has just begun.
    assert (learn2048.Game(record[:2]).boards[0] > 0).sum() == 2
    for bad in (b"", record[:1], record + b"\xff", bytes([record[0]]) * 2, b"\x80" * 200_000):
        with pytest.raises(learn2048.Error):
            learn2048.Game(bad)
