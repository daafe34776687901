"""Tests of what the plots read. They need nothing but Python."""

import json
import os
import tempfile
import unittest

from support import write
from pictures.curves import (
    Point, Unreadable, csv_curve, means, merged, metrics_curve, read_curve, read_tile_history, tdl2048_curve)
from pictures.games import nice_width, read_games, short
from pictures.places import IMAGES, count_places, replayed_boards
from pictures.style import apart, minutes_text, thousands
from pictures.sweeps import Row, read_sweep

LOG = """TDL2048+ by Hung Guei
optimize: 2x100

001/002 6000ms 10.00ops [1]
local:  avg=1000 max=5000 tile=512 win=0.00%
total:  avg=1000 max=5000 tile=512 win=0.00%

001/002 12000ms 10.00ops [0]
local:  avg=2000 max=5000 tile=512 win=0.00%

002/002 6000ms 10.00ops [0]
local:  avg=4000 max=5000 tile=512 win=0.00%
"""
# The same with one thread.
ALONE = LOG.replace(" [0]", "").replace(" [1]", "").replace("001/002 12000ms", "003/003 60000ms")


class TDL2048Tests(unittest.TestCase):
    def test_a_round_is_one_point_and_an_unfinished_one_is_left_out(self):
        points, note, _ = tdl2048_curve(LOG)
        self.assertEqual(points, [Point(0.15, 200, 1500, 1500, 1500)])
        self.assertEqual(note, "play while learning")

    def test_one_thread(self):
        points, _, _ = tdl2048_curve(ALONE)
        self.assertEqual([(p.games, p.score) for p in points], [(100, 1000), (200, 4000), (300, 2000)])
        self.assertAlmostEqual(points[-1].minutes, 1.2)

    def test_a_training_a_test_and_more_training(self):
        sessions = ALONE.replace("2x100", "2") + ALONE.replace("optimize", "evaluate") + ALONE
        points, _, _ = tdl2048_curve(sessions)
        self.assertEqual([p.games for p in points], [1000, 2000, 3000, 3100, 3200, 3300])
        self.assertEqual([p.score for p in points], [1000, 4000, 2000] * 2)

    def test_other_texts_are_rejected(self):
        for text in ("", "optimize: 2x100\n", LOG.replace("optimize: 2x100", "")):
            with self.assertRaises(Unreadable):
                tdl2048_curve(text)


class MetricsTests(unittest.TestCase):
    reports = [
        {"episodes": 10, "wallSeconds": 90, "trainingSeconds": 60, "meanScore": 5, "reached": {"512": 0.5}},
        {"episodes": 20, "wallSeconds": 200, "trainingSeconds": 120, "meanScore": 7,
         "reached": {"512": 1, "1024": 0.25}, "evaluation": {"meanScore": 9, "ci95": [8, 10]}}]
    text = "\n".join(map(json.dumps, reports)) + '\n{"episodes": 3'

    def test_evaluations_with_their_intervals_and_play_beside_them(self):
        learning = [Point(1, 10, 5, 5, 5), Point(2, 20, 7, 7, 7)]
        self.assertEqual(metrics_curve(self.text), ([Point(2, 20, 9, 8, 10)], "greedy evaluation", learning))

    def test_without_evaluations_play_is_the_curve(self):
        report = {"episodes": 20, "wallSeconds": 200, "meanScore": 7}
        self.assertEqual(metrics_curve(json.dumps(report)),
                         ([Point(200 / 60, 20, 7, 7, 7)], "play while learning", []))

    def test_means_are_of_a_share_of_all_episodes(self):
        many = [{"episodes": 1000 + n, "meanScore": n, "games": 1 if n == 2 else 3} for n in range(1, 41)]
        self.assertEqual([(r["episodes"], mean) for r, mean in means(many)],
                         [(1001, 1), (1032, (sum(range(3, 33)) * 3 + 2) / 91)])

    def test_tile_history(self):
        with tempfile.TemporaryDirectory() as directory:
            write(directory, "run/metrics.jsonl", self.text)
            history = read_tile_history(os.path.join(directory, "run"))
            self.assertEqual((history.label, history.games), ("run", [10, 20]))
            self.assertEqual(history.reached, {9: [0.5, 1], 10: [0, 0.25]})
            self.assertEqual(read_tile_history(f"a run={directory}/run").label, "a run")
            with self.assertRaises(Unreadable):
                read_tile_history(write(directory, "other", "{}"))


class TableTests(unittest.TestCase):
    def test_intervals_are_optional(self):
        points, note, play = csv_curve("games,minutes,score,low,high\n10,1,5,4,6\n20,2,7,,\n")
        self.assertEqual(points, [Point(1, 10, 5, 4, 6), Point(2, 20, 7, 7, 7)])
        self.assertEqual((note, play), ("other program", []))

    def test_kinds(self):
        text = "games,minutes,score,kind\n10,1,5,play\n20,2,7,evaluation\n"
        self.assertEqual(csv_curve(text),
                         ([Point(2, 20, 7, 7, 7)], "greedy evaluation", [Point(1, 10, 5, 5, 5)]))
        self.assertEqual(csv_curve(text[:text.index("20")])[1:], ("play while learning", []))

    def test_an_error_names_the_line(self):
        for line in ("10,x,5,", "10,1,5,guess"):
            with self.assertRaisesRegex(Unreadable, "line 3"):
                csv_curve("games,minutes,score,kind\n5,1,2,\n" + line)

    def test_a_label_and_seeds(self):
        with tempfile.TemporaryDirectory() as directory:
            one = write(directory, "one.csv", "minutes,games,score\n1,10,100\n3,30,300\n")
            two = write(directory, "two.csv", "minutes,games,score\n2,20,100\n4,40,300\n0,0,5\n")
            self.assertEqual(read_curve(one).label, "one.csv")
            curve = read_curve(f"both={one},{two}")
            self.assertEqual((curve.label, curve.points), ("both", [Point(3, 30, 250, 200, 300)]))
            with self.assertRaisesRegex(Unreadable, "none"):
                read_curve(os.path.join(directory, "none"))


class CurveTests(unittest.TestCase):
    def test_seeds_are_merged_as_far_as_all_go(self):
        one = [Point(1, 10, 100, 90, 110), Point(3, 30, 300, 290, 310)]
        two = [Point(2, 20, 100, 90, 110), Point(4, 40, 300, 290, 310)]
        self.assertIs(merged([one]), one)
        self.assertEqual(merged([one, two]), [Point(3, 30, 250, 200, 300)])
        self.assertEqual(merged([one, two], "minutes"), [Point(3, 30, 250, 200, 300)])

    def test_labels_stand_apart(self):
        self.assertEqual(apart([0, 10, 20], 5), [0, 10, 20])
        self.assertEqual(apart([10, 10], 4), [8, 12])
        self.assertEqual(apart([0, 1, 100], 4), [-1.5, 2.5, 100])

    def test_axis_labels(self):
        self.assertEqual([thousands(n) for n in (0, 500, 1500, 2e6)], ["0", "500", "1.5k", "2M"])
        self.assertEqual([minutes_text(m) for m in (0.5, 5, 90)], ["30 s", "5 min", "1.5 h"])


class SweepTests(unittest.TestCase):
    def test_the_last_row_of_every_variant(self):
        rows = [{"variant": "a", "rung": 0, "budget": 4, "budgetUnit": "moves", "mean": 1, "scores": [1]},
                {"variant": "b", "rung": 1, "budget": 9, "budgetUnit": "moves", "mean": 3, "ci95": [2, 4],
                 "scores": [2, 4]}]
        with tempfile.TemporaryDirectory() as directory:
            write(directory, "plan.json", '{"variants": [{"name": "a"}, {"name": "b"}], "budget": {"moves": 9}}')
            write(directory, "results.jsonl", "\n".join(map(json.dumps, rows)))
            os.mkdir(os.path.join(directory, "runs"))
            _, found, curves = read_sweep(directory)
        self.assertEqual(found, [Row("a", 1, (1, 1), [1], "4 moves"), Row("b", 3, (2, 4), [2, 4], "")])
        self.assertEqual(curves, [])

    def test_another_directory_is_rejected(self):
        with tempfile.TemporaryDirectory() as directory, self.assertRaisesRegex(Unreadable, "not a sweep"):
            read_sweep(directory)


class GamesTests(unittest.TestCase):
    text = ('game,player,score,moves,largestTile,seconds\n1,"learned:model=Models/x,depth=1",100,9,16,0.1\n'
            '1,heuristic:depth=2,30,5,8,0.1\n2,"learned:model=Models/x,depth=1",300,9,32,0.1\n')

    def test_the_games_of_every_player(self):
        with tempfile.TemporaryDirectory() as directory:
            path = write(directory, "games.csv", self.text)
            learned, heuristic = read_games(path)
            self.assertEqual((learned.label, learned.scores, learned.largest), ("x,depth=1", [100, 300], [4, 5]))
            self.assertEqual((heuristic.label, heuristic.scores), ("heuristic:depth=2", [30]))
            self.assertEqual([games.label for games in read_games("a=" + path)],
                             ["a, x,depth=1", "a, heuristic:depth=2"])
            for bad in ("", "score\n5\n", self.text.replace("100,9", "many,9")):
                with self.assertRaises(Unreadable):
                    read_games(write(directory, "bad.csv", bad))
            with self.assertRaisesRegex(Unreadable, "cannot be read"):
                read_games(os.path.join(directory, "none.csv"))

    def test_names_and_numbers(self):
        self.assertEqual(short("learned:depth=1"), "depth=1")
        self.assertEqual([nice_width(w) for w in (0.5, 1, 3, 20, 5001)], [1, 1, 5, 20, 10000])


class PlacesTests(unittest.TestCase):
    def test_the_lines_of_replay(self):
        lines = ("# learned:depth=1, game 1 of 20, seed 1\n0 start 0 0000000001000010\n"
                 "1 left +0 0 0010000010001000\n12 up +4 8 H000000000000000\nscore 262976 in 9899 moves\n")
        boards = replayed_boards(lines)
        self.assertEqual([sum(board) for board in boards], [3, 17])

    def test_the_images_are_the_symmetries(self):
        self.assertEqual(len({tuple(cells) for cells in IMAGES}), 8)
        neighbours = {frozenset((a, b)) for a in range(16) for b in range(16)
                      if b - a == 4 or b - a == 1 and a // 4 == b // 4}
        for cells in IMAGES:
            self.assertEqual(sorted(cells), list(range(16)))
            self.assertEqual({frozenset(cells[cell] for cell in pair) for pair in neighbours}, neighbours)

    def test_boards_are_turned_and_counted(self):
        corner = [0] * 12 + [0, 3, 5, 9]  # 9 at the bottom right, 5 to its left
        edge = [4, 0, 9, 0] + [0] * 12  # without a tile in the corner beside the 9
        small = [8] + [0] * 15
        shares, total = count_places([corner, edge, small], 9)
        self.assertEqual(total, 2)
        self.assertEqual((shares[0][0], shares[0][1]), (0.5, 0.5))
        # The 5 is beside the 9; the 4 is in the other corner.
        self.assertEqual((shares[1][1], shares[1][3]), (0.5, 0.5))
        self.assertEqual((sum(shares[2]), sum(shares[3])), (0.5, 0))

    def test_all_images_of_a_board_count_alike(self):
        board = [11, 7, 3, 1, 10, 2, 0, 0, 9, 0, 0, 0, 8, 0, 1, 0]
        found = [count_places([[board[cell] for cell in cells]], 9) for cells in IMAGES]
        self.assertTrue(all(shares == found[0] for shares in found))

    def test_no_board_with_the_tile(self):
        with self.assertRaisesRegex(Unreadable, "4096"):
            count_places([[1] * 16], 12)


if __name__ == "__main__":
    unittest.main()
