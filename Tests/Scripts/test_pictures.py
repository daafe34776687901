"""Tests of what the plots draw. They need matplotlib."""

import os
import re
import tempfile
import unittest
import xml.etree.ElementTree

from support import write
from intervals import mean_interval
from pictures.curve_pictures import curves_picture, tile_history_picture
from pictures.curves import Curve, Point, TileHistory
from pictures.games import Games, scores_picture, tiles_picture
from pictures.places import count_places, places_picture
from pictures.style import DARK, save
from pictures.sweeps import sweep_picture


def texts(figure):
    """Every text of a figure, empty ones left out."""
    from matplotlib.text import Text
    figure.canvas.draw()
    return [text.get_text() for text in figure.findobj(Text) if text.get_text()]


class PictureTests(unittest.TestCase):

    def tearDown(self):
        from matplotlib import pyplot
        pyplot.close("all")

    def assert_texts(self, figure, *expected):
        found = " ".join(" ".join(texts(figure)).split())
        for text in expected:
            self.assertIn(text, found)


class CurvePictureTests(PictureTests):
    curves = [
        Curve("one", [Point(1, 1000, 50, 40, 60), Point(20, 9000, 100, 90, 120)], "greedy evaluation",
              play=[Point(0.5, 500, 10, 10, 10), Point(15, 8000, 70, 70, 70)]),
        Curve("other", [Point(2, 2000, 30, 30, 30)], "other program")]

    def test_points_and_intervals(self):
        left, right = curves_picture(self.curves).axes
        for axes, x in ((left, [1, 20]), (right, [1000, 9000])):
            thin, main, other = axes.lines
            self.assertEqual(main.get_xydata().tolist(), [[x[0], 50], [x[1], 100]])
            self.assertEqual(thin.get_ydata().tolist(), [10, 70])
            self.assertEqual(other.get_ydata().tolist(), [30])
            self.assertLess(thin.get_linewidth(), main.get_linewidth())
            band, = axes.collections
            corners = {tuple(corner) for corner in band.get_paths()[0].vertices.tolist()}
            self.assertLessEqual({(x[0], 40), (x[0], 60), (x[1], 90), (x[1], 120)}, corners)
            self.assertNotEqual(main.get_color(), other.get_color())

    def test_labels_and_ranges(self):
        figure = curves_picture(self.curves, "a title")
        left, right = figure.axes
        self.assertEqual((left.get_xlabel(), right.get_xlabel(), left.get_ylabel()),
                         ("training time", "games of training", "mean score of a game"))
        self.assertEqual(left.get_ylim(), (0, 1.06 * 120))
        self.assertEqual(left.get_xscale(), "log")
        self.assert_texts(figure, "a title", "one", "other", "5 min", "1k", "Greedy evaluation: one.",
                          "Other program: other.", "Thin lines", "95 % interval")

    def test_short_ranges_are_linear(self):
        left, _ = curves_picture(self.curves[1:]).axes
        self.assertEqual(left.get_xscale(), "linear")

    def test_tile_history(self):
        history = TileHistory("run", [10, 20], {11: [0.5, 1], 12: [0.1, 0.4]})
        axes, = tile_history_picture([history]).axes
        # The largest tile is below.
        largest, smaller = axes.collections
        self.assertEqual(max(y for _, y in largest.get_paths()[0].vertices), 0.4)
        self.assertEqual(max(y for _, y in smaller.get_paths()[0].vertices), 1)
        self.assertEqual((axes.get_xlim(), axes.get_ylim()), ((10, 20), (0, 1)))
        self.assertEqual([text.get_text() for text in axes.get_legend().get_texts()], ["2048", "4096"])
        self.assertEqual((axes.get_xlabel(), axes.get_ylabel()), ("games of training", "share of games"))


class SweepPictureTests(PictureTests):
    def test_variants_with_their_scores(self):
        with tempfile.TemporaryDirectory() as directory:
            write(directory, "plan.json", '{"variants": [{"name": "a"}, {"name": "b"}], "budget": {"moves": 9}}')
            write(directory, "results.jsonl", '{"variant": "a", "rung": 0, "budget": 4, "budgetUnit": "moves", '
                  '"mean": 1000, "scores": [1000]}\n{"variant": "b", "rung": 1, "budget": 9, '
                  '"budgetUnit": "moves", "mean": 3000, "ci95": [2000, 4000], "scores": [2500, 3500]}\n')
            write(directory, "runs/1-seed1/metrics.jsonl",
                  '{"episodes": 10, "wallSeconds": 60, "meanScore": 500}\n')
            figure = sweep_picture(directory)
        results, curve = figure.axes
        self.assertEqual([label.get_text() for label in results.get_yticklabels()], ["b", "a"])
        interval, seeds, mean = results.lines[:3]
        self.assertEqual(list(interval.get_xdata()), [2000, 4000])
        self.assertEqual((list(seeds.get_xdata()), list(mean.get_xdata())), ([2500, 3500], [3000]))
        self.assertEqual(curve.lines[0].get_xydata().tolist(), [[1, 500]])
        self.assert_texts(figure, "mean score of greedy play", "9 moves of training each",
                          "1,000 (dropped after 4 moves)", "training time")


class GamesPictureTests(PictureTests):
    players = [Games("a", [1000, 2000, 2500, 9000], [9, 8, 11, 12]), Games("b", [500, 500], [11, 11])]

    def test_tiles(self):
        figure = tiles_picture(self.players, "tiles")
        axes, = figure.axes
        bars = {container.get_label(): [(bar.get_x(), bar.get_width()) for bar in container]
                for container in axes.containers}
        self.assertEqual(bars, {"512 or less": [(0, 0.5), (0, 0)], "2048": [(0.5, 0.25), (0, 1)],
                                "4096": [(0.75, 0.25), (1, 0)]})
        self.assertEqual([label.get_text() for label in axes.get_yticklabels()], ["a", "b"])
        self.assertEqual((axes.get_xlim(), axes.get_xlabel()), ((0, 1), "share of games"))
        self.assert_texts(figure, "50 %", "25 %", "100 %", "largest tile", "tiles")

    def test_scores(self):
        figure = scores_picture(self.players)
        upper, lower = figure.axes
        bars = [(bar.get_x(), bar.get_height()) for bar in upper.patches if 0 < bar.get_height() < 1]
        self.assertEqual(bars, [(1000, 0.25), (2000, 0.25), (2400, 0.25), (9000, 0.25)])
        self.assertEqual(list(upper.lines[0].get_xdata()), [3625, 3625])
        self.assertEqual(lower.get_xlim(), (0, 9200))
        self.assertEqual((lower.get_xlabel(), lower.get_ylabel()), ("score", "games"))
        self.assert_texts(figure, "a: mean 3,625", "4 games", "b: mean 500 [500, 500], 2 games", "every 200 points")

    def test_intervals_of_few_scores_are_those_of_evaluate(self):
        low, high = mean_interval(self.players[0].scores)
        figure = scores_picture([self.players[0], Games("c", [500], [9])])
        self.assert_texts(figure, f"a: mean 3,625 [{low:,.0f}, {high:,.0f}], 4 games", "c: mean 500, 1 game")


class PlacesPictureTests(PictureTests):
    def test_shares_stand_in_their_cells(self):
        boards = [[12, 11, 3, 0] + [0] * 12] * 3 + [[0, 12, 5, 0] + [0] * 12]
        shares, total = count_places(boards, 11)
        figure = places_picture(shares, total, 11)
        self.assertEqual([axes.get_title(loc="left") for axes in figure.axes],
                         ["largest tile", "second largest", "third largest", "fourth largest"])
        image = figure.axes[0].images[0].get_array()
        self.assertEqual((image.shape, image[0, 0], image[0, 1], image.sum()), ((4, 4), 0.75, 0.25, 1))
        found = {text.get_position(): text.get_text() for text in figure.axes[1].texts}
        self.assertEqual(found, {(1, 0): "75 %", (2, 0): "25 %"})
        self.assertEqual((figure.axes[0].get_xlabel(), figure.axes[0].get_ylabel()), ("column", "row"))
        self.assert_texts(figure, "Share of 4 boards with a tile of at least 2048")


class SavingTests(PictureTests):
    def test_the_file_is_the_same_at_any_time_and_has_dark_colours(self):
        with tempfile.TemporaryDirectory() as directory:
            files = [save(curves_picture(CurvePictureTests.curves), os.path.join(directory, name))
                     for name in ("one", "other.svg")]
            self.assertEqual([os.path.basename(path) for path in files], ["one.svg", "other.svg"])
            contents = []
            for path in files:
                with open(path, encoding="utf-8") as file:
                    contents.append(file.read())
            png = save(curves_picture(CurvePictureTests.curves), os.path.join(directory, "one.png"))
            with open(png, "rb") as file:
                self.assertEqual(file.read(4), b"\x89PNG")
        self.assertEqual(contents[0], contents[1])
        root = xml.etree.ElementTree.fromstring(contents[0])
        space = "{http://www.w3.org/2000/svg}"
        style = root.find(space + "style").text
        self.assertTrue(style.startswith("@media (prefers-color-scheme: dark)"))
        # Every colour of texts and of the paper has a dark one.
        colors = {re.search(r"fill: (#\w+)", text.get("style"))[1] for text in root.iter(space + "text")}
        dark = {color.lower() for color in DARK}
        self.assertLessEqual(colors - {"#d55e00"}, dark)
        self.assertIn("fill: #ffffff", contents[0].split("</style>", 1)[1])
        for color in dark:
            self.assertIn(f'[style*="fill: {color}"]', style)


if __name__ == "__main__":
    unittest.main()
