"""Runs, and the program that trains."""

import numpy as np
import pytest

import learn2048

CONFIG = {"episodes": 200, "threads": 1, "network": {"patterns": ["0123"]}, "report": {"everyEpisodes": 50}}


def test_run_files(run, network):
    assert run.config["learning"]["method"] == "tc" and run.config["seed"] == 5
    assert [report["episodes"] for report in run.reports] == [100, 200, 300]
    assert run.metrics["episodes"].tolist() == [100, 200, 300] and np.isfinite(run.metrics["meanScore"]).all()
    assert run.checkpoints[-1] == 300
    assert np.array_equal(run.load(300).weights, network.weights)
    with pytest.raises(learn2048.MissingError, match="no such run"):
        learn2048.Run("/nowhere")


def test_train_yields_reports(tmp_path):
    with learn2048.train(CONFIG, tmp_path / "run", set={"seed": 3}) as training:
        reports = list(training)
    assert [report["episodes"] for report in reports] == [50, 100, 150, 200] == [
        report["episodes"] for report in training.run.reports]
    assert training.run.config["seed"] == 3


def test_train_stops_and_resumes(tmp_path):
    path = tmp_path / "run"
    with learn2048.train({**CONFIG, "episodes": 10 ** 9}, path) as training:
        next(iter(training))
    begun = training.run.checkpoints[-1]
    assert 50 <= begun < 10 ** 9
    run = learn2048.train(run=path, resume=True, episodes=begun + 100).wait()
    assert run.checkpoints[-1] == begun + 100


def test_train_raises(tmp_path):
    with pytest.raises(learn2048.TrainingError, match="unknown key 'lerning'. Did you mean 'learning'") as failure:
        learn2048.train({**CONFIG, "lerning": {}}, tmp_path / "run").wait()
    assert failure.value.exit_code == 78
    with pytest.raises(ValueError, match="requires a run"):
        learn2048.train(CONFIG)
