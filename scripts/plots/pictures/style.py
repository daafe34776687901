"""The style of all pictures, and how they are saved."""

import textwrap

# Okabe and Ito's colours, told apart by nearly everyone.
COLORS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"]
STYLES = ["-", "--", ":"]
PAPER, INK, FAINT, AXIS, GRID = "#ffffff", "#333333", "#777777", "#999999", "#e6e6e6"
# What these colours are in a viewer with a dark background.
DARK = {PAPER: "#0d1117", INK: "#d7dde3", FAINT: "#9aa4ae", AXIS: "#6e7681", GRID: "#2b3138",
        "#000000": "#f0f0f0", "#0072B2": "#4ba3dc"}


def new_figure(rows, columns, **options):
    """A figure without a window, and its axes as rows of a list."""
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
    pyplot.rcParams.update({
        "font.family": "DejaVu Sans", "font.size": 9, "axes.titlesize": 10, "axes.titleweight": "bold",
        "axes.titlelocation": "left", "axes.spines.top": False, "axes.spines.right": False,
        "axes.edgecolor": AXIS, "axes.labelcolor": INK, "text.color": INK, "xtick.color": INK,
        "ytick.color": INK, "axes.grid": True, "grid.color": GRID, "grid.linewidth": 0.6,
        "axes.axisbelow": True, "figure.facecolor": PAPER, "axes.facecolor": PAPER, "svg.fonttype": "none",
        "svg.hashsalt": "learn2048", "lines.linewidth": 1.8,
    })
    return pyplot.subplots(rows, columns, squeeze=False, **options)


def note(figure, text, y=0.0):
    """Adds a text below a figure."""
    text = textwrap.fill(text, round(15 * figure.get_figwidth()))
    figure.text(0.01, y, text, fontsize=7.5, color=FAINT, va="top")


def save(figure, path):
    """Saves a figure as .svg, or as .png if the path ends so, and returns the path."""
    path = path if path.endswith((".svg", ".png")) else path + ".svg"
    is_svg = path.endswith(".svg")
    figure.savefig(path, dpi=150, bbox_inches="tight",
                   metadata={"Date": None, "Creator": None} if is_svg else {"Software": None})
    if is_svg:
        with open(path, encoding="utf-8") as file:
            content = file.read()
        with open(path, "w", encoding="utf-8") as file:
            # The first tag of the picture.
            start = content.index(">", content.index("<svg")) + 1
            file.write(f"{content[:start]}\n <style>{dark_style()}</style>{content[start:]}")
    return path


def dark_style():
    """The style sheet that changes the colours of the style in a dark viewer."""
    rules = "".join(
        f'[style*="{role}: {color.lower()}"] {{ {role}: {dark} !important; }} '
        for color, dark in DARK.items() for role in ("fill", "stroke"))
    return f"@media (prefers-color-scheme: dark) {{ {rules}}}"


def share(value, _=None):
    """An axis label such as 40 %."""
    return f"{100 * value:.3g} %"


def tile_color(exponent):
    """The colour of a tile, from 512 and less to 131072: the same in every picture."""
    from matplotlib import colormaps, colors
    return colors.to_hex(colormaps["viridis"](min(max((exponent - 9) / 8, 0), 1)))


def thousands(value, _=None):
    """An axis label such as 120k."""
    if value >= 1e6:
        return f"{value / 1e6:g}M"
    return f"{value / 1e3:g}k" if value >= 1e3 else f"{value:g}"


def minutes_text(value, _=None):
    """An axis label such as 30 s, 5 min or 2 h."""
    for limit, unit, text in ((60, 60, "h"), (1, 1, "min")):
        if value >= limit:
            return f"{value / unit:.3g} {text}"
    return f"{60 * value:.3g} s"


MINUTE_TICKS = [m / 60 for m in (0.1, 0.2, 0.5, 1, 2, 5, 10, 30)] + [
    1, 2, 5, 10, 30, 60, 120, 300, 600, 1500, 3000, 6000]
GAME_TICKS = [digit * 10 ** power for power in range(10) for digit in (1, 2, 5)]


def apart(values, distance):
    """The values moved as little as makes neighbours stand a distance apart."""
    order = sorted(range(len(values)), key=values.__getitem__)
    groups = []
    for index in order:
        groups.append(([index], values[index]))
        # A group is its members around the mean of where they want to be; groups that overlap join.
        while len(groups) > 1:
            (a, centre_a), (b, centre_b) = groups[-2:]
            if centre_b - centre_a >= distance * (len(a) + len(b)) / 2:
                break
            members = a + b
            groups[-2:] = [(members, sum(values[i] - distance * k for k, i in enumerate(members))
                            / len(members) + distance * (len(members) - 1) / 2)]
    placed = list(values)
    for members, centre in groups:
        for k, index in enumerate(members):
            placed[index] = centre + distance * (k - (len(members) - 1) / 2)
    return placed
