"""Draws learning curves, and the largest tiles of games while learning."""

from .style import (
    COLORS, GAME_TICKS, MINUTE_TICKS, STYLES, apart, minutes_text, new_figure, note, share, thousands,
    tile_color)


def draw_curves(axes, curves, attribute, limits, labels=True):
    """Curves against minutes or games, with direct labels."""
    ends = []
    for index, curve in enumerate(curves):
        color = COLORS[index % len(COLORS)]
        style = STYLES[index // len(COLORS) % len(STYLES)]
        x = [getattr(p, attribute) for p in curve.points]
        y = [p.score for p in curve.points]
        low, high = [p.low for p in curve.points], [p.high for p in curve.points]
        if low != high:
            axes.fill_between(x, low, high, color=color, alpha=0.18, linewidth=0)
        if curve.play:
            axes.plot([getattr(p, attribute) for p in curve.play], [p.score for p in curve.play],
                      color=color, lw=0.7, alpha=0.45)
        marker = "o" if len(x) <= 25 else None
        axes.plot(x, y, style, color=color, marker=marker, markersize=3)
        ends.append((x[-1], y[-1], color, curve.label))
    first = min(getattr(points[0], attribute) for c in curves for points in (c.points, c.play) if points)
    last = max(getattr(c.points[-1], attribute) for c in curves)
    if last > 8 * first:
        axes.set_xscale("log")
        ticks = MINUTE_TICKS if attribute == "minutes" else GAME_TICKS
        ticks = [t for t in ticks if first * 0.9 <= t <= last * 1.1]
        while len(ticks) > 7:
            ticks = ticks[::-2][::-1]
        axes.set_xticks(ticks)
    axes.xaxis.set_major_formatter(minutes_text if attribute == "minutes" else thousands)
    axes.minorticks_off()
    axes.set_ylim(*limits)
    axes.yaxis.set_major_formatter(thousands)
    if not labels:
        return
    # Labels stand at the right, level with the ends of their lines where there is room.
    height = 0.062 * (limits[1] - limits[0])
    for (x, y, color, label), place in zip(ends, apart([end[1] for end in ends], height)):
        axes.annotate(label, (x, y), xytext=(1.02, (place - limits[0]) / (limits[1] - limits[0])),
                      textcoords="axes fraction", va="center", color=color, fontsize=8.5,
                      arrowprops={"arrowstyle": "-", "color": color, "lw": 0.6, "alpha": 0.5,
                                  "shrinkA": 1, "shrinkB": 2}, annotation_clip=False)


def nice_limits(curves):
    """From 0 to a little above the highest."""
    return 0, 1.06 * max(p.high for c in curves for p in c.points)


def curves_picture(curves, title=""):
    """Scores against minutes of training and against games, with intervals."""
    figure, ((left, right),) = new_figure(1, 2, figsize=(9.6, 3.9), sharey=True)
    limits = nice_limits(curves)
    draw_curves(left, curves, "minutes", limits, labels=False)
    draw_curves(right, curves, "games", limits)
    left.set_ylabel("mean score of a game")
    left.set_xlabel("training time")
    right.set_xlabel("games of training")
    left.set_title(title)
    note(figure, caption(curves))
    figure.tight_layout(w_pad=2)
    return figure


def caption(curves):
    """What the points are, said once if it is the same for all."""
    notes = {}
    for curve in curves:
        notes.setdefault(curve.note, []).append(curve.label)
    if len(notes) == 1:
        text = f"Points: {next(iter(notes))}."
    else:
        text = " ".join(f"{note[0].upper()}{note[1:]}: {', '.join(labels)}." for note, labels in notes.items())
    if any(curve.play for curve in curves):
        text += " Thin lines: their play while learning."
    return text + " Bands: 95 % interval of one run, or lowest to highest of several seeds."


def tile_history_picture(histories, title=""):
    """For each run, the shares of games by their largest tile, stacked, against games of training."""
    figure, axes = new_figure(len(histories), 1, figsize=(7.2, 0.6 + 2.5 * len(histories)))
    for (panel,), history in zip(axes, histories):
        exponents = sorted(history.reached)
        # The share of games that ended with a tile, from the largest down, so that large tiles are below.
        shares, above = [], [0] * len(history.games)
        for exponent in reversed(exponents):
            shares.append([reached - more for reached, more in zip(history.reached[exponent], above)])
            above = history.reached[exponent]
        labels = [f"{1 << exponent}" for exponent in reversed(exponents)]
        colors = [tile_color(exponent) for exponent in reversed(exponents)]
        panel.stackplot(history.games, shares, colors=colors, labels=labels, linewidth=0)
        panel.set_ylim(0, 1)
        panel.set_xlim(history.games[0], history.games[-1])
        panel.xaxis.set_major_formatter(thousands)
        panel.yaxis.set_major_formatter(share)
        panel.set_ylabel("share of games")
        panel.set_title(title if title and len(histories) == 1 else history.label)
        panel.legend(*(items[::-1] for items in panel.get_legend_handles_labels()), title="largest tile",
                     loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False, fontsize=8.5)
    axes[-1][0].set_xlabel("games of training")
    note(figure, f"Games while learning. The space above them: games that did not reach {1 << exponents[0]}.")
    figure.tight_layout(h_pad=1.5)
    return figure
