"""Reads learning curves: of runs, of TDL2048+, and from tables."""

import bisect
import csv
import dataclasses
import json
import os
import re

# The share of a run that a point of play while learning is the mean of.
SMOOTHING = 0.03


@dataclasses.dataclass
class Point:
    """One measurement of a curve. low and high bound its interval, or are the score itself."""

    minutes: float
    games: float
    score: float
    low: float
    high: float


@dataclasses.dataclass
class Curve:
    """A line to draw."""

    label: str
    points: list
    note: str  # what the points are: play while learning, evaluations, …
    play: list = dataclasses.field(default_factory=list)  # play while learning, where points are others


class Unreadable(Exception):
    """What is wrong with a file."""


def read_reports(text):
    """The reports in the text of a metrics.jsonl."""
    reports = []
    for line in text.splitlines():
        try:
            reports.append(json.loads(line))
        except json.JSONDecodeError:
            continue  # the end of a file that is being written, or whose writer was killed
    return [report for report in reports if isinstance(report, dict) and "episodes" in report]


def minutes(report):
    """The minutes of training until a report."""
    return report.get("trainingSeconds", report["wallSeconds"]) / 60


def metrics_curve(text):
    """The points of a run's metrics.jsonl, what they are, and those of play while learning beside them."""
    reports = read_reports(text)
    play = [Point(minutes(r), r["episodes"], score, score, score) for r, score in means(reports)]
    evaluations = [
        Point(minutes(r), r["episodes"], r["evaluation"]["meanScore"], *r["evaluation"]["ci95"])
        for r in reports if r.get("evaluation")]
    if evaluations:
        return evaluations, "greedy evaluation", play
    return play, "play while learning", []


def windows(reports):
    """Reports with the games since the one before, each as a number of games and their report.

    There are only so many that each has a share of SMOOTHING of all episodes so far, because the means of
    few games hide the curve.
    """
    found, window, before = [], [], 0
    for report in reports:
        # "games": where not all episodes are
        window.append((report.get("games", report["episodes"] - before), report))
        before = report["episodes"]
        covered = found[-1][0]["episodes"] if found else 0
        if sum(games for games, _ in window) > 0 and before - covered >= SMOOTHING * before:
            found.append((report, window))
            window = []
    return found


def means(reports):
    """Reports with the mean score of the games in their windows."""
    return [(report, sum(games * part["meanScore"] for games, part in window)
             / sum(games for games, _ in window)) for report, window in windows(reports)]


@dataclasses.dataclass
class TileHistory:
    """The shares of games by their largest tile while a run learns."""

    label: str
    games: list  # games of training, ascending
    reached: dict  # for each exponent, the share of games that reached it, at each of these


def read_tile_history(argument):
    """The tile history of a run, or of LABEL=RUN."""
    label, separator, path = argument.partition("=")
    if os.path.exists(argument) or not separator:
        label, path = os.path.basename(os.path.normpath(argument)), argument
    found = windows([report for report in read_reports(read_text(path)) if "reached" in report])
    exponents = {int(tile).bit_length() - 1 for _, window in found for _, r in window for tile in r["reached"]}
    if not exponents:
        raise Unreadable(f"{path}: has no shares of tiles. Name a run.")
    return TileHistory(label, [report["episodes"] for report, _ in found], {
        exponent: [sum(games * part["reached"].get(str(1 << exponent), 0) for games, part in window)
                   / sum(games for games, _ in window) for _, window in found]
        for exponent in sorted(exponents)})


def tdl2048_curve(text):
    """The points of what TDL2048+ prints while training; its tests between are left out.

    `optimize: 100x1000`, or `optimize: 100` with blocks of 1000, begins a training, and `evaluate:` a test.
    A block is `7/50 1234ms 5678.9ops [0]`, where the thread in brackets is left out if there is but one,
    and `local:  avg=… max=…` on the next line.
    """
    points, minutes, games = [], 0, 0
    for part in re.split(r"^(?=optimize:|evaluate:)", text, flags=re.MULTILINE):
        size = re.match(r"optimize: *\d+(?:x(\d+))?", part)
        blocks = re.findall(r"^(\d+)/\d+ (\d+)ms [0-9.]+ops(?: \[(\d+)\])?\nlocal: +avg=(\d+)", part,
                            re.MULTILINE)
        if not size or not blocks:
            continue
        threads = {thread for _, _, thread, _ in blocks}
        rounds = {}
        for number, milliseconds, _, score in blocks:
            rounds.setdefault(int(number), []).append((int(milliseconds), int(score)))
        for number in sorted(rounds):
            found = rounds[number]
            if len(found) < len(threads):
                break  # the end of a file that is being written
            minutes += sum(ms for ms, _ in found) / len(found) / 60000
            games += len(found) * int(size.group(1) or 1000)
            score = sum(score for _, score in found) / len(found)
            points.append(Point(minutes, games, score, score, score))
    if not points:
        raise Unreadable("has no training that TDL2048+ printed")
    return points, "play while learning", []


# What the rows of a table are, by the content of its column kind.
KINDS = {"": "other program", "evaluation": "greedy evaluation", "play": "play while learning"}


def csv_curve(text):
    """The points of a table with columns minutes, games, score, and perhaps low, high and kind."""
    points = {kind: [] for kind in KINDS}
    for number, row in enumerate(csv.DictReader(text.splitlines()), start=2):
        try:
            score = float(row["score"])
            point = Point(float(row["minutes"]), float(row["games"]), score,
                          float(row.get("low") or score), float(row.get("high") or score))
            points[row.get("kind") or ""].append(point)
        except (KeyError, TypeError, ValueError) as error:
            raise Unreadable(
                f"line {number} lacks a number for minutes, games or score, or has another kind than "
                "evaluation or play") from error
    kinds = [kind for kind in KINDS if points[kind]] or [""]
    return points[kinds[0]], KINDS[kinds[0]], points["play"] if kinds[0] == "evaluation" else []


def read_text(path):
    """The content of a file, or of the metrics.jsonl of a run directory."""
    try:
        with open(os.path.join(path, "metrics.jsonl") if os.path.isdir(path) else path,
                  encoding="utf-8") as file:
            return file.read()
    except (OSError, UnicodeDecodeError) as error:
        raise Unreadable(f"cannot be read: {error}") from error


def read_points(path):
    """The points of one file or run directory, what they are, and those of play beside them."""
    text = read_text(path)
    if path.endswith(".csv"):
        points, note, play = csv_curve(text)
    elif "TDL2048" in text[:1000] or re.search("^optimize:", text, re.MULTILINE):
        points, note, play = tdl2048_curve(text)
    else:
        points, note, play = metrics_curve(text)
    # Neither axis has a place for what took no time.
    points, play = ([p for p in some if p.minutes > 0 and p.games > 0] for some in (points, play))
    if not points:
        raise Unreadable("has no points to draw")
    return points, note, play


def at(points, axis, place_on_axis):
    """A curve between two of its points, by the straight line; axis is minutes or games."""
    places = [getattr(p, axis) for p in points]
    place = bisect.bisect_left(places, place_on_axis)
    if place == 0:
        return points[0]
    if place == len(points):
        return points[-1]
    a, b = points[place - 1], points[place]
    share = (place_on_axis - places[place - 1]) / (places[place] - places[place - 1])
    return Point(*(x + share * (y - x) for x, y in zip(dataclasses.astuple(a), dataclasses.astuple(b))))


def merged(seeds, axis="games"):
    """One curve of several seeds: means where the first has its points on an axis, as far as all go."""
    if len(seeds) == 1:
        return seeds[0]
    def of(point):
        return getattr(point, axis)

    first = max(of(points[0]) for points in seeds)
    last = min(of(points[-1]) for points in seeds)
    places = [of(p) for p in seeds[0] if first <= of(p) <= last] or [last]
    if places[-1] < last:
        places.append(last)
    result = []
    for place in places:
        here = [at(points, axis, place) for points in seeds]
        scores = [p.score for p in here]
        result.append(Point(sum(p.minutes for p in here) / len(here), sum(p.games for p in here) / len(here),
                            sum(scores) / len(scores), min(scores), max(scores)))
    return result


def read_curve(argument):
    """The curve that an argument names."""
    label, separator, paths = argument.partition("=")
    if os.path.exists(argument) or not separator:
        label, paths = "", argument
    readings = []
    for path in [argument] if os.path.exists(argument) else paths.split(","):
        try:
            readings.append(read_points(path))
        except Unreadable as error:
            raise Unreadable(f"{path}: {error}. Name a run, a log of TDL2048+ or a .csv file.") from error
    return seeds_curve(label or os.path.basename(os.path.normpath(paths.split(",")[0])), readings)


def seeds_curve(label, readings, axis="games"):
    """One curve of what read_points gave for several seeds."""
    seeds, notes, plays = zip(*readings)
    return Curve(label, merged(seeds, axis), " and ".join(sorted(set(notes))),
                 merged(plays, axis) if all(plays) else [])
