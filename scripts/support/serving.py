"""Small models and recorded games, and a server of them, for checks. Imported, not run."""

import contextlib
import subprocess

from common import ROOT, fail, run


def train_small(program, directory, name, patterns, *options):
    """Trains a small network for a moment."""
    run(program, "train", "--config", f"{ROOT}/Configs/quick.json", "--run", name, "--episodes", 40, "--threads", 1,
        "--set", f"network.patterns={patterns}", "--set", "evaluation.games=2", *options, directory=directory)


def record_games(program, directory):
    """Records two games in the file games."""
    run(program, "evaluate", "--against", "greedy", "--games", 2, "--record", "games", "--json", directory=directory)


@contextlib.contextmanager
def serving(program, *options, port=0, directory=None, errors=subprocess.DEVNULL):
    """A server, as its process and its address, until the end of the block. Port 0 is a free one."""
    server = subprocess.Popen([program, "serve", "--port", str(port), *options], cwd=directory,
                              stdout=subprocess.PIPE, stderr=errors, text=True)
    try:
        address = server.stdout.readline().strip()
        if not address:
            fail(f"{program} serve did not start")
        yield server, address
    finally:
        server.terminate()
        server.wait()
