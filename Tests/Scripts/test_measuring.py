"""Tests of what the measuring scripts compute. They need nothing but Python."""

import argparse
import contextlib
import importlib.machinery
import importlib.util
import io
import math
import os
import statistics
import tempfile
import unittest

from support import SCRIPTS
from common import Parser, count
from intervals import mean_interval, student_quantile


def script(name):
    """A script, as a module."""
    path = os.path.join(SCRIPTS, "measurements", name)
    loader = importlib.machinery.SourceFileLoader(name.replace("-", "_"), path)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


class ArgumentTests(unittest.TestCase):
    def test_wrong_arguments_end_with_64_and_name_the_help(self):
        parser = Parser("Does something.")
        parser.add_argument("--games", type=count, default=1)
        self.assertEqual(parser.parse_args(["--games", "20"]).games, 20)
        for wrong in (["--games", "0"], ["--games", "-1"], ["--games", "1.5"], ["--gamse", "1"], ["more"]):
            errors = io.StringIO()
            with contextlib.redirect_stderr(errors), self.assertRaises(SystemExit) as end:
                parser.parse_args(wrong)
            self.assertEqual(end.exception.code, 64)
            self.assertRegex(errors.getvalue(), r"^.*: .*\. See '.* --help'\.\n$")


class IntervalTests(unittest.TestCase):
    def test_few_games_have_students_intervals(self):
        scores = list(range(0, 1000, 100))
        error = statistics.stdev(scores) / math.sqrt(len(scores))
        low, high = mean_interval(scores)
        width = 2 * student_quantile(0.975, len(scores) - 1) * error
        self.assertAlmostEqual((high - low) / width, 1, delta=0.08)
        self.assertGreater(high - low, 2 * 1.96 * error * 1.05)

    def test_a_single_game_is_a_point(self):
        self.assertEqual(mean_interval([7]), (7, 7))


class ModelCurveTests(unittest.TestCase):
    def rows(self, full, compact):
        """The rows of two models with these scores, without a program that plays."""
        module = script("model-curve")
        with tempfile.TemporaryDirectory() as directory:
            module.inspected = lambda program, model: {
                "path": model, "bytes": 9, "weights": 4, "checksum": "1", "kept": 2, "compact": {}}
            module.evaluated = lambda program, arguments, model, temporary: (
                {"mean": 0, "ci95": [0, 0]}, compact if model.endswith(".compact") else full)
            module.run = lambda *command: ""
            arguments = argparse.Namespace(model="m", setting=["8:2"], games=len(full), read_games=5)
            with contextlib.redirect_stderr(io.StringIO()):
                return module.curve("learn2048", arguments, directory, directory)

    def test_differences_have_the_intervals_of_evaluate(self):
        _, row = self.rows([10, 20, 30, 40], [11, 23, 32, 44])
        self.assertEqual(row["difference"], 2.5)
        self.assertEqual(row["differenceCi95"], list(mean_interval([1, 3, 2, 4])))

    def test_one_game(self):
        _, row = self.rows([10], [13])
        self.assertEqual((row["difference"], row["differenceCi95"]), (3, [3, 3]))
        with contextlib.redirect_stdout(io.StringIO()) as output:
            script("model-curve").show([{"setting": "8:2", "bytes": 9, "kept": 2, "mean": 0, "ci95": [0, 0], **row}])
        self.assertIn("+3 [3, 3]", output.getvalue())


if __name__ == "__main__":
    unittest.main()
