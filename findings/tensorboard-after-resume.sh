#!/usr/bin/env bash
# Expected: after a run that went back to step 60 and went on, the readers of TensorBoard show the same curve: either
# what was played last, or both.
# Seen: three readers of one event file disagree. `tensorboard` keeps the later points; `tensorboard --load_fast=false`
# keeps both, so the curve runs back; EventAccumulator keeps the later ones only if the file has the start of a session
# (SessionLog) there. Of 30,000 points, both commands keep 1,000, but not the same, and EventAccumulator 10,000. Of two
# files whose steps overlap, `tensorboard` shows only the one with the later name if that starts at step 0.
# Versions: tensorboard 2.21.0, tensorboard-data-server 0.7.2.
# Why it matters: a killed run of hours repeats episodes. Write a SessionLog at each resume, continue one file, and
# pass --samples_per_plugin scalars=100000 before reading peaks off a curve.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python" || { echo "python3 with its module venv is missing (Debian: python3-venv)"; exit 1; }
"$folder/python/bin/pip" install --quiet --disable-pip-version-check \
  tensorboard==2.21.0 tensorboard-data-server==0.7.2 numpy==2.4.6 protobuf==7.36.2

cat >"$folder/read.py" <<'END'
import json
import logging
import os
import socket
import subprocess
import sys
import time
import urllib.request
from importlib.metadata import version

from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
from tensorboard.compat.proto.event_pb2 import Event, SessionLog
from tensorboard.compat.proto.summary_pb2 import Summary
from tensorboard.summary.writer.record_writer import RecordWriter

logging.disable(logging.WARNING)
folder = sys.argv[1]
logs = os.path.join(folder, "logs")


def write(run, start, events):
    os.makedirs(os.path.join(logs, run), exist_ok=True)
    with open(os.path.join(logs, run, f"events.out.tfevents.{start}.machine"), "wb") as file:
        writer = RecordWriter(file)
        for event in [Event(wall_time=start, file_version="brain.Event:2"), *events]:
            writer.write(event.SerializeToString())


def points(start, steps, value):
    return [Event(wall_time=start + step, step=step,
                  summary=Summary(value=[Summary.Value(tag="score", simple_value=value)])) for step in steps]


FIRST, SECOND = 1_000_000_000, 1_000_001_000
session = Event(wall_time=SECOND, step=60, session_log=SessionLog(status=SessionLog.START))
former, latter = points(FIRST, range(100), 1), points(SECOND, range(60, 121), 2)
write("back", FIRST, former + latter)
write("back, session", FIRST, former + [session] + latter)
write("two files", FIRST, points(FIRST, range(50, 150), 1))
write("two files", SECOND, points(SECOND, range(100), 2))
write("long", FIRST, points(FIRST, range(30_000), 1))
RUNS = ["back", "back, session", "two files", "long"]


def served(*options):
    """The steps and values of each run, from a server on a free port of this machine."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [os.path.join(folder, "python", "bin", "tensorboard"), "--logdir", logs, "--host", "127.0.0.1",
               "--port", str(port), "--reload_interval", "1", *options]
    address = f"http://127.0.0.1:{port}/data/plugin/scalars/scalars?tag=score&run="
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    former, latest = None, {}
    try:
        for _ in range(60):
            time.sleep(2)
            try:
                for run in RUNS:
                    with urllib.request.urlopen(address + urllib.request.quote(run)) as answer:
                        latest[run] = [(step, value) for _, step, value in json.load(answer)]
            except OSError:
                continue
            # All is read when the last points are there, and nothing changes.
            if latest == former and latest["long"][-1][0] == 29_999:
                return latest
            former = dict(latest)
        sys.exit("the server has not read the files within two minutes")
    finally:
        server.terminate()
        server.wait()


def accumulated():
    result = {}
    for run in RUNS:
        accumulator = EventAccumulator(os.path.join(logs, run)).Reload()
        result[run] = [(event.step, event.value) for event in accumulator.Scalars("score")]
    return result


print("tensorboard", version("tensorboard"), "with tensorboard-data-server", version("tensorboard-data-server"))
readers = {"tensorboard": served(), "--load_fast=false": served("--load_fast=false"), "EventAccumulator": accumulated()}
counts = {}
for run in RUNS:
    for name, reader in readers.items():
        steps = [step for step, _ in reader[run]]
        former = sum(value == 1 for _, value in reader[run])
        counts[run, name] = former, len(steps) - former
        print(f"{run:14} {name:18} {former:5} of the first, {len(steps) - former:3} of the second, "
              f"{'in order' if steps == sorted(steps) else 'the steps go back'}")
expected = {"back": [(60, 61), (100, 61), (100, 61)], "back, session": [(60, 61), (100, 61), (60, 61)],
            "two files": [(0, 100), (100, 100), (100, 100)], "long": [(1000, 0), (1000, 0), (10_000, 0)]}
if any(counts[run, name] != count for run in RUNS for name, count in zip(readers, expected[run])):
    sys.exit("this differs from the head comment")
fast, slow = readers["tensorboard"]["long"], readers["--load_fast=false"]["long"]
print(f"both commands keep {len(set(fast) & set(slow))} points of the long run")
if fast == slow:
    sys.exit("this differs from the head comment")
END
"$folder/python/bin/python" "$folder/read.py" "$folder"
