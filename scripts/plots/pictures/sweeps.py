"""Reads and draws the results of sweeps."""

import dataclasses
import json
import os

from .curve_pictures import draw_curves, nice_limits
from .curves import Unreadable, read_points, seeds_curve
from .style import COLORS, PAPER, new_figure, note, thousands


@dataclasses.dataclass
class Row:
    """A line of a sweep's results.jsonl."""

    variant: str
    mean: float
    interval: tuple
    scores: list
    dropped: str  # where the variant was dropped; empty if it went all the way


def read_sweep(directory):
    """The last row of every variant, and its curve from the runs, in the order of the plan."""
    try:
        with open(os.path.join(directory, "plan.json"), encoding="utf-8") as file:
            plan = json.load(file)
        with open(os.path.join(directory, "results.jsonl"), encoding="utf-8") as file:
            lines = [json.loads(line) for line in file]
    except (OSError, ValueError) as error:
        raise Unreadable(f"{directory}: not a sweep with results: {error}") from error
    whole = max(line["rung"] for line in lines) if lines else 0
    rows, curves = [], []
    names = [variant["name"] for variant in plan["variants"]]
    folders = sorted(os.listdir(os.path.join(directory, "runs")))
    for index, name in enumerate(names):
        of_variant = [line for line in lines if line["variant"] == name]
        if not of_variant:
            continue
        last = max(of_variant, key=lambda line: line["rung"])
        # It has diverged.
        if "mean" not in last:
            continue
        dropped = "" if last["rung"] == whole else f"{last['budget']:g} {last['budgetUnit']}"
        mean = last["mean"]
        rows.append(Row(name, mean, tuple(last.get("ci95") or (mean, mean)), last["scores"], dropped))
        prefix = str(index + 1).rjust(len(str(len(names))), "0") + "-"
        readings = []
        for folder in folders:
            if folder.startswith(prefix):
                try:
                    readings.append(read_points(os.path.join(directory, "runs", folder)))
                except Unreadable:
                    continue
        if readings:
            # Seeds that had equal seconds came differently far in games.
            curves.append(seeds_curve(name, readings, "minutes" if "seconds" in plan["budget"] else "games"))
    if not rows:
        raise Unreadable(f"{directory}: no results yet")
    return plan, rows, curves


def sweep_picture(directory, title=""):
    """The score of every variant with its interval and seeds, and its learning curve."""
    plan, rows, curves = read_sweep(directory)
    panels = 2 if curves else 1
    height = max(2.6, 0.9 + 0.36 * len(rows))
    figure, axes = new_figure(
        1, panels, figsize=(5.2 * panels, height), gridspec_kw={"wspace": 0.28})
    left = axes[0][0]
    order = {row.variant: index for index, row in enumerate(rows)}
    ranked = sorted(rows, key=lambda row: (row.dropped != "", -row.mean))
    for place, row in enumerate(ranked):
        color = COLORS[order[row.variant] % len(COLORS)]
        alpha = 0.45 if row.dropped else 1
        left.plot(row.interval, (place, place), color=color, lw=5, alpha=0.25 * alpha,
                  solid_capstyle="butt")
        # Below the bar, so that the mean hides none.
        left.plot(row.scores, [place + 0.2] * len(row.scores), "o", color=color, ms=3.5, mfc=PAPER,
                  alpha=alpha)
        left.plot([row.mean], [place], "D", color=color, ms=5.5, alpha=alpha)
        label = f"{row.mean:,.0f}" + (f"  (dropped after {row.dropped})" if row.dropped else "")
        left.annotate(label, (row.mean, place), xytext=(0, 7), textcoords="offset points", ha="center",
                      fontsize=7.5, color=color)
    left.set_yticks(range(len(ranked)), [row.variant for row in ranked])
    left.set_ylim(len(ranked) - 0.5, -0.7)
    left.grid(axis="y", visible=False)
    left.tick_params(axis="y", length=0)
    # Where an interval is much wider than what it is of, the scores decide the axis.
    values = [value for row in rows for value in row.scores]
    span = max(max(values) - min(values), 0.05 * max(values))
    left.set_xlim(max(0, min(values) - span), max(values) + span)
    left.xaxis.set_major_formatter(thousands)
    left.set_xlabel("mean score of greedy play")
    unit, amount = next(iter(plan["budget"].items()))
    left.set_title(title or f"{amount:g} {unit} of training each" if unit == "seconds"
                   else title or f"{amount:,.0f} {unit} of training each")
    text = "Circles: seeds. Diamonds: their mean. Bars: its 95 % interval (Student)."
    if panels == 2:
        draw_curves(axes[0][1], curves, "minutes", nice_limits(curves))
        axes[0][1].set_xlabel("training time")
        axes[0][1].set_title("on the way: " + (curves[0].note if len({c.note for c in curves}) == 1
                                                else "learning curves"))
        text += " Bands: lowest to highest seed."
    note(figure, text, y=-0.06)
    return figure
