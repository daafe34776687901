"""Functions that the measuring scripts share. Imported, not run."""

import argparse
import hashlib
import math
import os
import random
import shutil
import signal
import statistics
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
NAME = os.path.relpath(sys.argv[0], ROOT)

# As exceptions, so that the program that is being measured ends too, and temporary files go.
for number in (signal.SIGTERM, signal.SIGHUP):
    # nohup starts scripts with SIGHUP ignored.
    if signal.getsignal(number) != signal.SIG_IGN:
        signal.signal(number, lambda number, _: sys.exit(128 + number))


def say(*words):
    print(*words, file=sys.stderr, flush=True)


def fail(message):
    say(f"{NAME}: {message}")
    sys.exit(2)


def run(*command, stdin=None):
    """The standard output of a program; ends the script if it fails."""
    command = [str(word) for word in command]
    try:
        done = subprocess.run(command, capture_output=True, text=True, input=stdin)
    except OSError as error:
        fail(f"cannot run {command[0]}: {error.strerror}")
    if done.returncode != 0:
        fail(f"exit code {done.returncode} of {' '.join(command)}\n{done.stdout}{done.stderr}")
    return done.stdout


def learn2048(path):
    """The executable to measure: that of the path, or else what scripts/build makes."""
    path = os.path.abspath(path or run(os.path.join(ROOT, "scripts", "build")).splitlines()[-1])
    if shutil.which(path) is None:
        fail(f"cannot run {path}: not an executable file")
    return path


def file_checksum(path):
    """The SHA-256 of a file, in hexadecimal digits."""
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def identity(found):
    """The checksum of the weights that `inspect --json` found. A path may hold others later, and a file may move."""
    # Only the weight files of TDL2048+ have none.
    return found.get("checksum") or file_checksum(found["path"])


def tile(text):
    """The exponent of a tile."""
    if not text.isdigit() or int(text) < 2 or int(text) & (int(text) - 1):
        raise argparse.ArgumentTypeError(f"'{text}' is not a tile, such as 2048")
    return int(text).bit_length() - 1


def spread(values, form="{:.3f}"):
    """A median with the smallest and largest value."""
    median, low, high = statistics.median(values), min(values), max(values)
    return f"{form.format(median)} ({form.format(low)}-{form.format(high)})"


def bootstrap(statistic, games, resamples=2000, seed=2048):
    """The 95 % percentile interval of a statistic of games drawn with replacement.

    `statistic` takes a list of game numbers below `games`, so that several players' games are drawn
    together. Percentiles are expanded for few games, as those of `learn2048 evaluate` are.
    """
    source = random.Random(seed)
    values = sorted(statistic(source.choices(range(games), k=games)) for _ in range(resamples))
    tail = tail_share(games)
    return values[round(tail * (resamples - 1))], values[round((1 - tail) * (resamples - 1))]


def tail_share(games):
    """The share of resamples on either side of an interval: 2.5 % for many games, fewer for few."""
    if games == 1:
        return 0
    freedom = games - 1
    return statistics.NormalDist().cdf(-math.sqrt(games / freedom) * student_quantile(0.975, freedom))


def student_quantile(probability, freedom):
    """Student's t quantile by the first terms of its expansion around the normal one.

    Source: Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.5.
    """
    z = statistics.NormalDist().inv_cdf(probability)
    return (z + (z**3 + z) / (4 * freedom) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
            + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * freedom**3))


def mean_interval(scores):
    """The 95 % bootstrap interval of a mean."""
    return bootstrap(lambda games: statistics.fmean(scores[game] for game in games), len(scores))
