"""Runs the program, and checks how it ended and which files it left."""

import os
import re
import signal
import subprocess

from common import fail

from .kinds import CLEANING

# Docs/Reference/ExitCodes.md: success, cannot create, and input/output.
DOCUMENTED = {0, 73, 74}
FINISHED = 64
LIMIT = 120


class Ended:
    """How a program has ended, and what it printed to standard error."""

    def __init__(self, code, errors):
        self.code, self.errors = code, errors
        lines = [line for line in errors.splitlines() if line.startswith("learn2048: ")]
        logged = ("learn2048: warning: ", "learn2048: error: ")
        self.warnings = [line for line in lines if line.startswith(logged)]
        self.messages = [line for line in lines if not line.startswith(logged)]

    @property
    def is_killed(self):
        return self.code == -signal.SIGKILL


class Program:
    def __init__(self, path, shim):
        self.path, self.shim = path, shim

    def run(self, directory, arguments, limits=None, **variables):
        environment = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
        environment.update(OPENBLAS_NUM_THREADS="1", NO_COLOR="1")
        if variables:
            environment.update(variables, LD_PRELOAD=self.shim, TORTURE_ROOT=directory)
        try:
            done = subprocess.run(
                [self.path, *arguments], cwd=directory, env=environment, preexec_fn=limits,
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=LIMIT)
        except subprocess.TimeoutExpired:
            return Ended(None, f"still running after {LIMIT} s"), ""
        return Ended(done.returncode, done.stderr.decode(errors="replace")), done.stdout.decode()

    def must_run(self, directory, arguments):
        ended, output = self.run(directory, arguments)
        if ended.code != 0:
            fail(f"exit code {ended.code} of {' '.join(arguments)}\n{ended.errors}")
        return output


def temporaries(directory):
    return sorted(
        os.path.relpath(os.path.join(parent, name), directory)
        for parent, _, names in os.walk(directory) for name in names if ".tmp-" in name)


def bytes_of(path):
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None


class Case:
    """How a scenario was disturbed and what may follow from that."""

    def __init__(self, program, directory, fault, ended=None, call=None, done=()):
        self.program, self.directory, self.fault = program, directory, fault
        self.ended, self.call = ended, call
        # Calls that are known to have reached the disk, and whether the program was finished before.
        self.done = done
        self.was_finished = False
        # Nothing can be removed from a dead disk, or by a call that fails.
        self.may_leave = fault == "dead-disk" or call is not None and call.split()[0] in CLEANING
        self.problems = []

    def path(self, name):
        return os.path.join(self.directory, name)

    def expect(self, is_so, problem):
        if not is_so:
            self.problems.append(problem)
        return is_so

    @property
    def ended_itself(self):
        return self.ended is not None and not self.ended.is_killed

    def check_end(self):
        """The exit code, the message and the files that a program leaves which ends by itself."""
        ended = self.ended
        if not self.expect(ended.code in DOCUMENTED, f"exit code {ended.code}: {ended.errors}"):
            return
        if not self.may_leave:
            left = temporaries(self.directory)
            self.expect(not left, f"temporary files are left: {' '.join(left)}")
        if ended.code == 0:
            self.expect(not ended.messages, f"exit code 0 with the message {ended.messages}")
        else:
            last = ended.errors.splitlines()[-1:]
            if self.expect(len(ended.messages) == 1 and last == ended.messages, f"not one message: {ended.errors}"):
                self.expect(
                    re.search(r"(Models|\./|out|games)[^:]*: \S", ended.messages[0]),
                    f"the message names no file: {ended.messages[0]}")
        if self.call is None or self.fault.startswith(("short-write", "kill")):
            return
        kind, name, _ = self.call.split()
        base = os.path.basename(re.sub(r"/\.([^/]*)\.tmp$", r"/\1", "/" + name))
        # A trial of a sweep says in its log what did not end it.
        log = os.path.join(self.directory, os.path.dirname(name), "log.txt").replace("/checkpoints/", "/")
        said = ended.messages + ended.warnings
        if "/runs/" in name:
            said += (bytes_of(log) or b"").decode(errors="replace").splitlines()
        is_named = any(base in line for line in said)
        if ended.code != 0 and self.fault in ("input-output", "no-space", "no-quota"):
            self.expect(is_named, f"the message does not name {base}: {ended.errors}")
        elif ended.code == 0 and kind in ("open", "write", "truncate", "fsync", "rename"):
            # The number of the process in the lock is for messages only.
            is_quiet = base == "lock" or base.endswith(".lock") or base == "log.txt" and "/runs/" in name
            self.expect(is_named or is_quiet, f"no message names {base}: {ended.errors}")
