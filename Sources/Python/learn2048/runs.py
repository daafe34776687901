"""Training runs: their files, and the program that trains."""

import json
import os
import re
import signal
import subprocess
import tempfile

import numpy as np

from . import _library as library
from .errors import MissingError, TrainingError
from .networks import load

_CHECKPOINT = re.compile(r"episodes-(\d+)\.safetensors")


class Run:
    """The files of a training run.

    Args:
        path: its directory, or its name under `Models/`.

    Raises:
        MissingError: there is no run.
    """

    def __init__(self, path):
        path = os.fspath(path)
        named = os.path.join("Models", path)
        self.path = named if os.sep not in path and os.path.isdir(named) else path
        if not os.path.isfile(os.path.join(self.path, "config.json")):
            raise MissingError(f"{path}: no such run. Name a run directory.")

    def __repr__(self):
        return f"<learn2048.Run {self.path}>"

    @property
    def config(self):
        """The resolved configuration."""
        with open(os.path.join(self.path, "config.json"), encoding="utf-8") as file:
            return json.load(file)

    @property
    def reports(self):
        """The reports, as dicts with the keys of the reference of metrics."""
        try:
            with open(os.path.join(self.path, "metrics.jsonl"), encoding="utf-8") as file:
                lines = file.read().split("\n")
        except FileNotFoundError:
            return []
        # A report that is being written has no end yet.
        return [json.loads(line) for line in lines[:-1] if line]

    @property
    def metrics(self):
        """The numbers of all reports as float64 arrays by their keys, such as "evaluation.meanScore"; NaN if missing."""
        reports = [dict(_numbers(report)) for report in self.reports]
        keys = sorted({key for report in reports for key in report})
        return {key: np.array([report.get(key, np.nan) for report in reports], np.float64) for key in keys}

    @property
    def checkpoints(self):
        """The episodes of the checkpoints, ascending."""
        try:
            names = os.listdir(os.path.join(self.path, "checkpoints"))
        except FileNotFoundError:
            return []
        return sorted(int(match[1]) for match in map(_CHECKPOINT.fullmatch, names) if match)

    def load(self, checkpoint="best"):
        """Loads the network of a checkpoint: "best", "latest", or its number of episodes."""
        return load(f"{self.path}@{checkpoint}")


def _numbers(report, prefix=""):
    for key, value in report.items():
        if isinstance(value, dict):
            yield from _numbers(value, f"{prefix}{key}.")
        elif isinstance(value, (int, float)):
            yield prefix + key, value


class Training:
    """A training in another process. Iterating yields its reports as they come; `train` documents the rest.

    Attributes:
        run: the `Run`.
    """

    def __init__(self, command, path, configuration):
        self._path, self._configuration = path, configuration
        self._errors = tempfile.TemporaryFile()
        self._is_stopped = False
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=self._errors, text=True)

    @property
    def run(self):
        return Run(self._path)

    def __iter__(self):
        for line in self._process.stdout:
            yield json.loads(line)
        self.wait()

    def stop(self):
        """Asks the training to save its state and end. The remaining reports still come."""
        self._is_stopped = True
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)

    def wait(self):
        """Waits for the end, and returns the run.

        Raises:
            TrainingError: the training failed.
        """
        if not self._process.stdout.closed:
            self._process.stdout.read()
            self._process.stdout.close()
        code = self._process.wait()
        if self._configuration and os.path.exists(self._configuration):
            os.unlink(self._configuration)
        if code != 0 and not (self._is_stopped and code == 128 + signal.SIGTERM):
            self._errors.seek(0)
            lines = self._errors.read().decode("utf-8", "replace").strip().split("\n")
            raise TrainingError("\n".join(lines[-10:]), code)
        return self.run

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if self._process.poll() is None:
            self.stop()
        if kind is None:
            self.wait()
        else:
            self._process.communicate()


def train(config=None, run=None, *, resume=False, **options):
    """Starts `learn2048 train` in another process.

        with learn2048.train("Configs/quick.json", "Models/mine", episodes=10_000) as training:
            for report in training:
                print(report["episodes"], report["meanScore"])

    Args:
        config: the path of a configuration, or a dict of its keys.
        run: the directory of the run.
        resume: whether the run exists and is to be resumed; then there is no `config`.
        **options: options of `learn2048 train`, such as `episodes`, `minutes`, `threads`, `seed`, and `set` with a
            dict of keys.

    Returns:
        A `Training`. At the end of a `with` block it is stopped, with its state saved.
    """
    if run is None or (config is None) != resume:
        raise ValueError("train requires a run, and either a config or resume=True")
    path = os.path.abspath(os.fspath(run))
    command = [program(), "train", "--json"]
    temporary = None
    if isinstance(config, dict):
        with tempfile.NamedTemporaryFile("w", suffix=".json", delete=False, encoding="utf-8") as file:
            json.dump(config, file)
        temporary = config = file.name
    command += ["--resume", path] if resume else ["--config", os.fspath(config), "--run", path]
    for key, value in options.items():
        if key == "set":
            for name, setting in value.items():
                setting = setting if isinstance(setting, str) else json.dumps(setting)
                command += ["--set", f"{name}={setting}"]
        elif value is True:
            command.append("--" + key.replace("_", "-"))
        else:
            command += ["--" + key.replace("_", "-"), str(value)]
    return Training(command, path, temporary)


def program():
    """The path of the program `learn2048` of this package."""
    path = os.path.join(library.NATIVE, "learn2048")
    if not os.path.exists(path):
        raise MissingError(f"{path} does not exist. Install the wheel again.")
    return path
