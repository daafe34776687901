"""Reads the games of `evaluate --csv`, and draws their largest tiles and scores."""

import csv
import dataclasses
import math
import os
import re
import statistics

from intervals import mean_interval

from .curves import Unreadable
from .style import COLORS, PAPER, new_figure, note, share, thousands, tile_color

# The number of bars of a distribution, about.
BARS = 50
# The exponent of the tile that smaller ones are counted with.
LEAST = 9


@dataclasses.dataclass
class Games:
    """The games of a player."""

    label: str
    scores: list
    largest: list  # the exponent of the largest tile of each game


def read_games(argument):
    """The games of every player in FILE or LABEL=FILE, in the order of the file."""
    label, separator, path = argument.partition("=")
    if os.path.exists(argument) or not separator:
        label, path = "", argument
    players = {}
    try:
        with open(path, encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                games = players.setdefault(row["player"], Games(short(row["player"]), [], []))
                games.scores.append(int(row["score"]))
                games.largest.append(int(row["largestTile"]).bit_length() - 1)
    except OSError as error:
        raise Unreadable(f"{path}: cannot be read: {error.strerror}") from error
    except (KeyError, TypeError, ValueError) as error:
        raise Unreadable(f"{path}: not the games of 'evaluate --csv'") from error
    if not players:
        raise Unreadable(f"{path}: has no games")
    if label:
        for games in players.values():
            games.label = label if len(players) == 1 else f"{label}, {games.label}"
    return list(players.values())


def short(player):
    """The name of a player without the path of its model."""
    return re.sub(r"^learned:(?:model=(?:[^,]*/)?)?", "", player)


def tiles_picture(players, title=""):
    """For each player, a bar with the shares of games by their largest tile."""
    figure, ((axes,),) = new_figure(1, 1, figsize=(7.2, 1.2 + 0.42 * len(players)))
    largest = [[max(exponent, LEAST) for exponent in games.largest] for games in players]
    for exponent in sorted(set().union(*largest)):
        shares = [tiles.count(exponent) / len(tiles) for tiles in largest]
        lefts = [sum(tile < exponent for tile in tiles) / len(tiles) for tiles in largest]
        label = f"{1 << exponent}" + (" or less" if exponent == LEAST else "")
        axes.barh(range(len(players)), shares, left=lefts, color=tile_color(exponent), label=label, height=0.72)
        for place, (part, left) in enumerate(zip(shares, lefts)):
            if part >= 0.06:
                # Colours that stay in a dark viewer, because the bar does.
                axes.text(left + part / 2, place, f"{100 * part:.0f} %", ha="center", va="center", fontsize=8,
                          color="#fefefe" if exponent < 13 else "#111111")
    axes.set_yticks(range(len(players)), [games.label for games in players])
    axes.set_ylim(len(players) - 0.5, -0.5)
    axes.set_xlim(0, 1)
    axes.xaxis.set_major_formatter(share)
    axes.set_xlabel("share of games")
    axes.grid(axis="y", visible=False)
    axes.tick_params(axis="y", length=0)
    axes.set_title(title)
    axes.legend(title="largest tile", loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False, fontsize=8.5)
    return figure


def scores_picture(players, title=""):
    """For each player, the distribution of its scores, with the mean and its interval."""
    figure, axes = new_figure(
        len(players), 1, figsize=(7.2, 0.7 + 1.45 * len(players)), sharex=True)
    width = nice_width(max(max(games.scores) for games in players) / BARS)
    edges = [width * edge for edge in range(max(max(games.scores) for games in players) // width + 2)]
    for index, ((panel,), games) in enumerate(zip(axes, players)):
        color = COLORS[index % len(COLORS)]
        panel.hist(games.scores, edges, weights=[1 / len(games.scores)] * len(games.scores), color=color,
                   alpha=0.55, edgecolor=PAPER, linewidth=0.4)
        mean, (low, high) = statistics.fmean(games.scores), mean_interval(games.scores)
        panel.axvspan(low, high, color=color, alpha=0.3, linewidth=0)
        panel.axvline(mean, color=color, lw=1.2)
        # A single game says nothing about others.
        interval = f" [{low:,.0f}, {high:,.0f}]" if len(games.scores) > 1 else ""
        count = f"{len(games.scores):,} game" + ("" if len(games.scores) == 1 else "s")
        panel.set_title(f"{games.label}: mean {mean:,.0f}{interval}, {count}", fontsize=9)
        panel.yaxis.set_major_formatter(share)
        panel.set_ylabel("games")
    panel.set_xlim(0, edges[-1])
    panel.xaxis.set_major_formatter(thousands)
    panel.set_xlabel("score")
    if title:
        figure.suptitle(title, x=0.02, ha="left", fontsize=10, fontweight="bold")
    note(figure, f"Bars: the share of games in every {width:,} points. Lines: means with their 95 % intervals.")
    figure.tight_layout(h_pad=1)
    return figure


def nice_width(width):
    """The next of 1, 2, 5, 10, 20, … that is at least a width."""
    power = 10 ** max(0, math.floor(math.log10(max(width, 1))))
    return next(digit * power for digit in (1, 2, 5, 10) if digit * power >= width)
