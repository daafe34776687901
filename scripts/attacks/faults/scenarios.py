"""The commands that are disturbed, and what must be true afterwards."""

import csv
import json
import os

from common import fail

from .program import FINISHED, bytes_of, temporaries

CONFIGURATION = {
    "episodes": 120, "threads": 1, "seed": 7, "network": {"patterns": ["01", "456"]},
    "learning": {"method": "tc"}, "report": {"everyEpisodes": 40},
    "checkpoint": {"everySeconds": 0, "everyEpisodes": 40, "keep": 1},
    "evaluation": {"everyEpisodes": 40, "games": 2},
}
PLAN = {
    "base": {"threads": 1, "network": {"patterns": ["01", "45"]}, "report": {"everyEpisodes": 20}},
    "grid": {"learning.learningRate": [0.1, 0.5]}, "seeds": 1, "budget": {"episodes": 40},
    "rungs": [{"episodes": 20, "keep": 0.5}], "evaluation": {"games": 4},
}


class Scenario:
    """A command, the files that it begins with, and what must be true when it was disturbed."""

    def __init__(self, name, arguments, description):
        self.name, self.arguments, self.description = name, arguments, description
        self.template = None

    def prepare(self, program, directory):
        """Makes the files that the command begins with."""
        for name, content in (("tiny.json", CONFIGURATION), ("plan.json", PLAN)):
            with open(os.path.join(directory, name), "w") as file:
                json.dump(content, file)

    def learn(self, program, directory):
        """Remembers what the undisturbed command has done."""

    def check(self, case):
        raise NotImplementedError


class RunScenario(Scenario):
    """A training: it resumes to the weights and reports of an undisturbed one."""

    def __init__(self, name, run, arguments, description, resume=(), former=0):
        super().__init__(name, arguments, description)
        self.run, self.resume, self.former = "Models/" + run, list(resume), former

    def prepare(self, program, directory):
        super().prepare(program, directory)
        program.must_run(directory, ["train", "--config", "tiny.json", "--run", "run"])

    def saved(self, program, directory):
        ended, output = program.run(directory, ["inspect", "--json", self.run])
        if ended.code != 0:
            return None, ended.errors
        run = json.loads(output)["run"]
        sums = {weights["episodes"]: weights["checksum"] for weights in run["weights"]}
        return (run.get("episodes"), sums), None

    def reports(self, directory):
        lines = (bytes_of(os.path.join(directory, self.run, "metrics.jsonl")) or b"").splitlines()
        return [json.loads(line)["episodes"] for line in lines]

    def learn(self, program, directory):
        self.expected, _ = self.saved(program, directory)
        self.expected_reports = self.reports(directory)
        self.step = 40

    def is_last(self, found):
        """Whether these are the last weights of the undisturbed run. An older checkpoint may be missing."""
        episodes, sums = self.expected
        return found is not None and found[0] == episodes and found[1].get(episodes) == sums[episodes]

    def check(self, case):
        run = case.path(self.run)
        names = os.listdir(run + "/checkpoints") if os.path.isdir(run + "/checkpoints") else []
        committed = self.committed(case)
        if not os.path.exists(run + "/config.json"):
            case.expect(committed is None, "the run is gone")
            if case.ended_itself and not case.may_leave:
                case.expect(not os.path.exists(run), f"a start that failed left {self.run}")
                case.expect(case.ended.code != 0, "exit code 0 without a run")
            return
        found = None
        if any(not name.startswith(".") for name in names):
            found, error = self.saved(case.program, case.directory)
            if not case.expect(error is None, f"inspect: {error}"):
                return
            if committed is not None:
                case.expect((found[0] or 0) >= committed, f"{found[0]} of {committed} saved episodes are left")
        if case.ended_itself and case.ended.code == 0:
            case.expect(self.is_last(found), f"exit code 0 with the weights {found}")
        resumed, _ = case.program.run(case.directory, ["train", "--resume", self.run, *self.resume])
        case.expect(resumed.code in (0, FINISHED), f"--resume: exit code {resumed.code}: {resumed.errors}")
        found, error = self.saved(case.program, case.directory)
        if case.expect(error is None, f"inspect after --resume: {error}"):
            case.expect(self.is_last(found), f"after --resume the weights are {found}, not {self.expected}")
        try:
            reports = self.reports(case.directory)
        except ValueError as error:
            reports = str(error)
        case.expect(reports == self.expected_reports, f"after --resume the reports are {reports}")
        left = temporaries(case.directory)
        case.expect(not left, f"temporary files are left after --resume: {' '.join(left)}")

    def committed(self, case):
        """The episodes of the last save that has reached the disk; None without a run that has."""
        state = f"rename {self.run}/checkpoints/state.safetensors "
        saves = sum(call.startswith(state) for call in case.done)
        if saves or self.former:
            return self.former + saves * self.step
        return 0 if any(call.startswith(f"rename {self.run}/config.json ") for call in case.done) else None


class InitScenario(RunScenario):
    """A new run from the weights of another, which are its first checkpoint."""

    def committed(self, case):
        return 0 if any(call.startswith(f"rename {self.run}/config.json ") for call in case.done) else None


class FileScenario(RunScenario):
    """A command that writes files: the old ones, or those of an undisturbed command."""

    def __init__(self, name, arguments, description, outputs, former=()):
        super().__init__(name, "run", arguments, description)
        self.outputs, self.former_command = outputs, former

    def prepare(self, program, directory):
        super().prepare(program, directory)
        if self.former_command:
            program.must_run(directory, self.former_command)
        self.old = self.contents(directory)

    def contents(self, directory):
        """The content of the files, without the seconds in a table of games."""
        contents = {name: bytes_of(os.path.join(directory, name)) for name in self.outputs}
        for name, content in contents.items():
            if name.endswith(".csv") and content:
                lines = csv.reader(content.decode().splitlines())
                contents[name] = [line[:5] + line[6:] for line in lines]
        return contents

    def learn(self, program, directory):
        self.new = self.contents(directory)

    def check(self, case):
        for name, found in self.contents(case.directory).items():
            case.expect(found in (self.old[name], self.new[name]), f"{name} is neither old nor new")
            is_new = case.ended_itself and case.ended.code == 0 or case.was_finished
            is_new = is_new or any(call.startswith(f"rename {name} ") for call in case.done)
            case.expect(not is_new or found == self.new[name], f"{name} is not new")
            # Such a command replaces nothing that exists.
            if self.old[name] is None and found is not None:
                os.remove(case.path(name))
        again, _ = case.program.run(case.directory, self.arguments)
        case.expect(again.code == 0, f"without a fault: exit code {again.code}: {again.errors}")
        case.expect(self.contents(case.directory) == self.new, "without a fault, the files differ")
        left = temporaries(case.directory)
        case.expect(not left, f"temporary files are left after another start: {' '.join(left)}")


class SweepScenario(Scenario):
    """A sweep: it resumes to the same results."""

    sweep = "Models/sweep"

    def __init__(self, name, arguments, description, program_prepares=None):
        super().__init__(name, arguments, description)
        self.kill_at = program_prepares

    def prepare(self, program, directory):
        super().prepare(program, directory)
        if self.kill_at:
            ended, _ = program.run(
                directory, ["sweep", "--plan", "plan.json", "--run", "sweep", "--threads", "1"],
                TORTURE_AT=self.kill_at, TORTURE_FAULT="kill-after")
            if not ended.is_killed:
                fail(f"the sweep was not killed at '{self.kill_at}'")

    def results(self, directory):
        lines = (bytes_of(os.path.join(directory, self.sweep, "trials.jsonl")) or b"").splitlines()
        results = [json.loads(line) for line in lines]
        for result in results:
            del result["seconds"]
        return results

    def learn(self, program, directory):
        self.expected = self.results(directory)

    def check(self, case):
        sweep = case.path(self.sweep)
        if not os.path.exists(sweep + "/plan.json"):
            case.expect(
                not any(call.startswith(f"rename {self.sweep}/plan.json ") for call in case.done),
                "the sweep is gone")
            if case.ended_itself and not case.may_leave:
                case.expect(not os.path.exists(sweep), f"a start that failed left {self.sweep}")
            return
        is_finished = case.ended_itself and case.ended.code == 0 or case.was_finished
        trials = sum(call.startswith(f"rename {self.sweep}/trials.jsonl ") for call in case.done)
        try:
            found = self.results(case.directory)
        except ValueError as error:
            found = None
            case.expect(False, f"trials.jsonl: {error}")
        if found is not None:
            case.expect(
                found == self.expected[:len(found)] and len(found) >= trials,
                f"{len(found)} of {trials} trials are there, or others")
            case.expect(not is_finished or found == self.expected, "results are missing at the end")
        resumed, _ = case.program.run(case.directory, ["sweep", "--resume", "sweep", "--threads", "1"])
        case.expect(resumed.code == 0, f"--resume: exit code {resumed.code}: {resumed.errors}")
        try:
            found = self.results(case.directory)
        except ValueError as error:
            found = str(error)
        case.expect(found == self.expected, f"after --resume the results are {found}")
        left = temporaries(case.directory)
        case.expect(not left, f"temporary files are left after --resume: {' '.join(left)}")
        weights = [name for parent, _, names in os.walk(sweep) for name in names if "safetensors" in name]
        case.expect(not weights, f"weights are left after --resume: {' '.join(weights)}")


RECORD = ["evaluate", "run", "--depth", "1", "--record", "games", "--csv", "out.csv", "--threads", "1"]
SCENARIOS = [
    RunScenario(
        "train", "new", ["train", "--config", "tiny.json", "--run", "new"],
        "a new run with saves in the background and a best checkpoint"),
    RunScenario(
        "resume", "run", ["train", "--resume", "run", "--episodes", "240"],
        "the same, from a finished run on", ["--episodes", "240"], former=120),
    InitScenario(
        "init", "copy", ["train", "--config", "tiny.json", "--run", "copy", "--init", "run"],
        "a new run from the weights of another"),
    *[FileScenario(
        f"convert-{end}", ["convert", "run", f"out.{end}", *more], f"a conversion to .{end}", [f"out.{end}"])
      for end, more in (("safetensors", []), ("w", []), ("compact", ["--games", "10"]))],
    FileScenario(
        "average", ["average", "run", "run@best", "--output", "out.safetensors"],
        "an average of two checkpoints", ["out.safetensors"]),
    FileScenario(
        "evaluate", [*RECORD, "--games", "12", "--resume"], "recorded games that are resumed", ["games", "out.csv"],
        former=[*RECORD, "--games", "10"]),
    SweepScenario(
        "sweep", ["sweep", "--plan", "plan.json", "--run", "sweep", "--threads", "1"], "a new sweep"),
    SweepScenario(
        "sweep-resume", ["sweep", "--resume", "sweep", "--threads", "1"],
        "a sweep that was killed in its second trial",
        "rename Models/sweep/runs/2-learningRate=0.5-seed1/checkpoints/state.safetensors 1"),
]
