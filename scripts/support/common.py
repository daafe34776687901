"""What the Python scripts share. Imported, not run."""

import argparse
import hashlib
import os
import shutil
import signal
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
