"""Medians and confidence intervals of measurements. Imported, not run."""

import math
import random
import statistics


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
