"""Disturbs scenarios with every kind of fault, and reports the broken promises."""

import collections
import hashlib
import os
import random
import resource
import shlex
import shutil
import subprocess

from common import fail, say

from .disk import Disk, reached_disk, recorded
from .kinds import CALL_FAULTS, FAULTS, FILE_SIZE, FILE_SYSTEM, POWER, POWER_MODES, READ_ONLY
from .program import Case

ORDINARY_USER = 65534


class Attack:
    def __init__(self, program, arguments, work):
        self.program, self.arguments, self.work = program, arguments, work
        self.counts = collections.Counter()
        self.codes = collections.defaultdict(collections.Counter)
        self.broken = 0
        self.number = 0
        self.skipped = set()

    def is_due(self):
        """Whether the next case belongs to the sample."""
        self.number += 1
        return (self.number + self.arguments.seed) % self.arguments.every == 0 or self.arguments.at is not None

    def fresh(self, scenario):
        directory = os.path.join(self.work, "case")
        shutil.rmtree(directory, ignore_errors=True)
        shutil.copytree(scenario.template, directory)
        return directory

    def learn(self, scenario):
        """Carries the scenario out undisturbed, twice; returns its calls."""
        scenario.template = os.path.join(self.work, "template-" + scenario.name)
        os.mkdir(scenario.template)
        scenario.prepare(self.program, scenario.template)
        record = os.path.join(self.work, "record")
        self.program.must_run(self.fresh(scenario), scenario.arguments)
        scenario.learn(self.program, os.path.join(self.work, "case"))
        ended, _ = self.program.run(self.fresh(scenario), scenario.arguments, TORTURE_LOG=record)
        case = Case(self.program, os.path.join(self.work, "case"), "none", ended)
        self.check(scenario, case, "")
        if case.problems:
            fail(f"{scenario.name} is wrong without a fault")
        return recorded(record)

    def check(self, scenario, case, place):
        self.counts[scenario.name, case.fault] += 1
        if case.ended:
            self.codes[scenario.name, case.fault]["killed" if case.ended.is_killed else case.ended.code] += 1
            if case.ended_itself:
                case.check_end()
        else:
            self.codes[scenario.name, case.fault]["power"] += 1
        scenario.check(case)
        if case.problems:
            self.broken += 1
            command = ["scripts/attacks/torture", "--scenario", scenario.name, "--fault", case.fault, "--at", place]
            if self.arguments.seed:
                command += ["--seed", str(self.arguments.seed)]
            if self.arguments.learn2048:
                command += ["--learn2048", self.arguments.learn2048]
            print(f"BROKEN {scenario.name}, {case.fault}, {place}", flush=True)
            for problem in case.problems:
                print("  " + problem.strip().replace("\n", "\n    "))
            print("  repeat: " + shlex.join(command), flush=True)
        if self.arguments.at is not None and case.ended and case.fault != "none":
            say(case.ended.errors)

    def attack(self, scenario):
        calls = self.learn(scenario)
        for fault in self.arguments.fault or FAULTS:
            if fault == POWER:
                self.fail_power(scenario, calls)
            elif fault == FILE_SYSTEM:
                self.fill_file_system(scenario)
            elif fault == FILE_SIZE:
                self.limit_files(scenario)
            elif fault == READ_ONLY:
                self.forbid_writing(scenario)
            else:
                self.fail_calls(scenario, fault, calls)

    def places(self, places):
        """The places of the sample, or the one that --at names."""
        if self.arguments.at is None:
            return [place for place in places if self.is_due()]
        if self.arguments.at not in places:
            fail(f"unknown case '{self.arguments.at}'. The names of cases are those of a report.")
        return [self.arguments.at]

    def fail_calls(self, scenario, fault, calls):
        text, kinds = CALL_FAULTS[fault]
        for place in self.places([call.name for call in calls if call.kind in kinds]):
            directory = self.fresh(scenario)
            ended, _ = self.program.run(directory, scenario.arguments, TORTURE_AT=place, TORTURE_FAULT=text)
            self.check(scenario, Case(self.program, directory, fault, ended, call=place), place)

    def fail_power(self, scenario, calls):
        disk = Disk(scenario.template)
        seen, places = set(), []
        for number, call in enumerate(calls, 1):
            disk.carry_out(call)
            done = reached_disk(calls[:number])
            for mode in POWER_MODES:
                place = f"{call.name}, {mode}"
                places.append(place)
                generator = random.Random(f"{self.arguments.seed} {place}")
                files = disk.after_failure(mode, generator)
                digest = hashlib.sha256(repr((sorted(files.items()), len(done))).encode()).digest()
                if self.arguments.at is not None:
                    if place != self.arguments.at:
                        continue
                elif digest in seen:
                    continue
                seen.add(digest)
                if not self.is_due():
                    continue
                directory = os.path.join(self.work, "case")
                shutil.rmtree(directory, ignore_errors=True)
                for path, content in files.items():
                    if content is None:
                        os.mkdir(directory + path)
                    else:
                        with open(directory + path, "wb") as file:
                            file.write(content)
                case = Case(self.program, directory, POWER, done=done)
                case.was_finished = number == len(calls)
                self.check(scenario, case, place)
        if self.arguments.at is not None:
            self.places(places)

    def fill_file_system(self, scenario):
        """Runs the program on file systems with little space."""
        mount = os.path.join(self.work, "disk")
        os.makedirs(mount, exist_ok=True)
        for place in self.places([str(size) for size in (*range(0, 96, 4), *range(96, 256, 16))]):
            command = ["mount", "-t", "tmpfs", "-o", "size=64m", "none", mount]
            if shutil.which("mount") is None or subprocess.run(command, stderr=subprocess.DEVNULL).returncode:
                self.skipped.add(f"{FILE_SYSTEM}: no file system can be mounted")
                return
            try:
                directory = os.path.join(mount, "case")
                shutil.copytree(scenario.template, directory)
                status = os.statvfs(mount)
                used = (status.f_blocks - status.f_bfree) * status.f_frsize // 1024
                subprocess.run(["mount", "-o", f"remount,size={used + int(place)}k", mount], check=True)
                ended, _ = self.program.run(directory, scenario.arguments)
                subprocess.run(["mount", "-o", "remount,size=64m", mount], check=True)
                self.check(scenario, Case(self.program, directory, FILE_SYSTEM, ended), place)
            finally:
                subprocess.run(["umount", mount], check=True)

    def limit_files(self, scenario):
        """Runs the program with a limit on the size of files, in bytes."""
        sizes = [0, 1, 60, 100, 150, *range(200, 2000, 200), *range(2000, 8000, 500), *range(8000, 80000, 4000)]
        for place in self.places([str(size) for size in sizes]):
            size = int(place)

            def limits():
                resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

            directory = self.fresh(scenario)
            ended, _ = self.program.run(directory, scenario.arguments, limits)
            self.check(scenario, Case(self.program, directory, FILE_SIZE, ended), place)

    def forbid_writing(self, scenario):
        """Runs the program as an ordinary user, who may not write to one directory."""
        is_root = os.geteuid() == 0

        def become():
            if is_root:
                os.setgroups([])
                os.setgid(ORDINARY_USER)
                os.setuid(ORDINARY_USER)

        directories = [
            os.path.relpath(parent, scenario.template) for parent, _, _ in os.walk(scenario.template)]
        for place in self.places(sorted(directories)):
            directory = self.fresh(scenario)
            forbidden = os.path.normpath(os.path.join(directory, place))
            if is_root:
                for parent, inner, names in os.walk(directory):
                    for name in [".", *inner, *names]:
                        os.chown(os.path.join(parent, name), ORDINARY_USER, ORDINARY_USER)
            os.chmod(forbidden, 0o555)
            try:
                ended, _ = self.program.run(directory, scenario.arguments, become)
            except PermissionError:
                self.skipped.add(f"{READ_ONLY}: an ordinary user may not run {self.program.path}")
                return
            finally:
                os.chmod(forbidden, 0o755)
            self.check(scenario, Case(self.program, directory, READ_ONLY, ended), place)

    def report(self, seconds):
        print(f"{'scenario':<20}{'fault':<18}{'cases':>6}  exit codes")
        for (scenario, fault), count in self.counts.items():
            if fault != "none":
                codes = self.codes[scenario, fault].items()
                text = "  ".join(f"{code}: {number}" for code, number in sorted(codes, key=lambda item: str(item[0])))
                print(f"{scenario:<20}{fault:<18}{count:>6}  {text}")
        for text in sorted(self.skipped):
            print(f"left out: {text}")
        total = sum(count for (_, fault), count in self.counts.items() if fault != "none")
        print(f"{total} cases in {seconds:.0f} s, {self.broken} of them broke a promise")
