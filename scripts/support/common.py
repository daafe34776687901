"""What the Python scripts share. Imported, not run."""

import argparse
import hashlib
import json
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


class Parser(argparse.ArgumentParser):
    """Reads the arguments of a script. Its --help begins with the script's description."""

    def __init__(self, description, **options):
        super().__init__(
            prog=NAME, description=description, formatter_class=argparse.RawDescriptionHelpFormatter, **options)

    def add_learn2048(self):
        self.add_argument("--learn2048", type=executable, metavar="FILE",
                          help="learn2048 executable (default: the one that scripts/build builds)")

    def add_threads(self):
        self.add_argument("--threads", type=count, metavar="N",
                          help="number of games in parallel (default: one per core)")

    def add_json(self, what="results"):
        self.add_argument("--json", metavar="FILE", help=f"also write the {what} to this file")

    def error(self, message):
        self.exit(64, f"{NAME}: {message}. See '{NAME} --help'.\n")


def count(text):
    """A whole number above 0."""
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number above 0")
    return int(text)


def tile(text):
    """The exponent of a tile."""
    if not text.isdecimal() or int(text) < 2 or int(text) & (int(text) - 1):
        raise argparse.ArgumentTypeError(f"'{text}' is not a tile, such as 2048")
    return int(text).bit_length() - 1


def executable(text):
    """The absolute path of a program."""
    path = os.path.abspath(text)
    if shutil.which(path) is None:
        raise argparse.ArgumentTypeError(f"'{text}' is not an executable file")
    return path


def option(name, value):
    """An option and its value as words of a command; none if there is no value."""
    return [] if value is None else [name, value]


def run(*command, stdin=None, directory=None):
    """The standard output of a program; ends the script if it fails."""
    command = [str(word) for word in command]
    try:
        done = subprocess.run(command, capture_output=True, text=True, input=stdin, cwd=directory)
    except OSError as error:
        fail(f"cannot run {command[0]}: {error.strerror}")
    if done.returncode != 0:
        fail(f"exit code {done.returncode} of {' '.join(command)}\n{done.stdout}{done.stderr}")
    return done.stdout


def learn2048(path):
    """The executable at a path, or the one that scripts/build builds."""
    return path or run(f"{ROOT}/scripts/build").splitlines()[-1]


def in_turn(programs, number):
    """The programs in the order of a round. Whoever is second finds the machine as the first has left it."""
    return programs if number % 2 == 0 else programs[::-1]


def write_json(path, document):
    """Writes a document to a file, if there is a path."""
    if path:
        with open(path, "w", encoding="utf-8") as file:
            json.dump(document, file, indent=1)


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
