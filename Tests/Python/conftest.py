"""What the tests of the Python package share."""

import json
import subprocess

import numpy as np
import pytest

import learn2048
from learn2048 import runs


def slid(lines):
    """Lines after a slide to their starts, and the points: the reference that shares nothing with the library."""
    lines = packed(lines.astype(np.int64))
    points = np.zeros(len(lines), np.int64)
    for place in range(lines.shape[1] - 1):
        merges = (lines[:, place] == lines[:, place + 1]) & (lines[:, place] > 0) & (lines[:, place] < 17)
        lines[:, place] += merges
        points += np.where(merges, 1 << lines[:, place], 0)
        lines[merges, place + 1] = 0
    return packed(lines), points


def packed(lines):
    """Lines with their tiles at the start, in order."""
    return np.take_along_axis(lines, np.argsort(lines == 0, axis=1, kind="stable"), axis=1)


def slid_boards(boards, move):
    """Boards after a move, and the points."""
    def turned(boards):
        boards = boards.transpose(0, 2, 1) if move < 2 else boards
        return boards[:, :, ::-1] if move % 2 else boards

    def turned_back(boards):
        boards = boards[:, :, ::-1] if move % 2 else boards
        return boards.transpose(0, 2, 1) if move < 2 else boards

    count, size = boards.shape[:2]
    lines, points = slid(turned(boards).reshape(-1, size))
    return turned_back(lines.reshape(count, size, size)), points.reshape(count, size).sum(1)


@pytest.fixture(scope="session")
def run(tmp_path_factory):
    """A small run with stages and downgrading, in a separate directory."""
    path = tmp_path_factory.mktemp("runs") / "small"
    config = {"episodes": 300, "threads": 1, "seed": 5,
              "network": {"patterns": ["0123", "4569a", "05", "6"], "stages": "largestTile", "stageTiles": [128, 256],
                          "downgradeTile": 1024},
              "learning": {"method": "tc", "learningRate": 1}, "report": {"everyEpisodes": 100}}
    return learn2048.train(config, path).wait()


@pytest.fixture(scope="session")
def network(run):
    return run.load()


@pytest.fixture(scope="session")
def boards():
    """Boards of random play, and some with large tiles."""
    environments = learn2048.VectorEnv(64)
    observations, _ = environments.reset(seed=11)
    seen = []
    for _ in range(60):
        seen.append(observations)
        observations = environments.step(environments.sample())[0]
    boards = np.concatenate(seen)[::7].copy()
    large = np.random.default_rng(3).integers(0, 18, (100, 4, 4)).astype(np.uint8)
    return np.concatenate([boards, large])


def analyze(boards, *options):
    """The documents of `learn2048 analyze` on boards that have a legal move."""
    text = "\n".join(learn2048.text(board) for board in boards) + "\n"
    command = [runs.program(), "analyze", "--file", "-", "--json", *options]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
