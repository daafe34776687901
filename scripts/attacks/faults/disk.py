"""Rebuilds a disk from a record of calls, as a power failure could have left it."""

import collections
import os

from common import fail

from .kinds import CLEANING, POWER_MODES
from .program import bytes_of


class Node:
    """A file, or a directory, as it is and as it surely is on the disk."""

    def __init__(self, content=None):
        self.content = {} if content is None else content
        self.flushed = self.content.copy() if self.is_directory else self.content
        # Changes since the last flush, oldest first.
        self.changes = []

    @property
    def is_directory(self):
        return isinstance(self.content, dict)

    def change(self, change):
        self.changes.append(change)
        self.content = apply(self.content, change)

    def flush(self):
        self.flushed = self.content.copy() if self.is_directory else self.content
        self.changes = []


def apply(content, change):
    kind, *values = change
    if kind == "write":
        offset, data = values
        content = content.ljust(offset, b"\0")
        return content[:offset] + data + content[offset + len(data):]
    if kind == "truncate":
        return content[:values[0]].ljust(values[0], b"\0")
    content = dict(content)
    if kind == "add":
        content[values[0]] = values[1]
    elif kind == "remove":
        content.pop(values[0], None)
    else:
        content.pop(values[0], None)
        content[values[1]] = values[2]
    return content


class Disk:
    """A directory and what the calls of a record do to it."""

    def __init__(self, directory):
        self.root = self.read(directory)
        self.open = {}

    def read(self, path):
        if not os.path.isdir(path):
            return Node(bytes_of(path))
        return Node({name: self.read(os.path.join(path, name)) for name in os.listdir(path)})

    def find(self, path):
        node = self.root
        for part in path.split("/"):
            if part not in ("", "."):
                node = node.content[part]
        return node

    def place(self, path):
        parent, _, name = path.rstrip("/").rpartition("/")
        return self.find(parent), name

    def carry_out(self, call):
        kind, path = call.kind, call.path
        if kind == "open":
            descriptor, is_new, is_cut = (int(word) for word in call.detail.split())
            parent, name = self.place(path)
            if is_new:
                parent.change(("add", name, Node(b"")))
            node = parent.content[name]
            if is_cut:
                node.change(("truncate", 0))
            self.open[descriptor] = node
        elif kind == "close":
            self.open.pop(int(call.detail), None)
        elif kind == "write":
            descriptor, offset = (int(word) for word in call.detail.split())
            self.open[descriptor].change(("write", offset, call.data))
        elif kind == "truncate":
            descriptor, length = (int(word) for word in call.detail.split())
            self.open[descriptor].change(("truncate", length))
        elif kind == "fsync":
            self.open[int(call.detail.split()[0])].flush()
        elif kind == "dirsync":
            self.find(path).flush()
        elif kind == "mkdir":
            parent, name = self.place(path)
            parent.change(("add", name, Node({})))
        elif kind in CLEANING:
            parent, name = self.place(path)
            parent.change(("remove", name))
        elif kind == "rename":
            old, source = self.place(call.source)
            new, name = self.place(path)
            if old is not new:
                fail(f"a rename between directories is not simulated: {call.source} to {path}")
            new.change(("rename", source, name, old.content[source]))
        else:
            fail(f"the call '{kind}' is not simulated")

    def after_failure(self, mode, generator):
        """The files, by path, and the directories that a power failure now could leave."""
        names, contents = POWER_MODES[mode]
        files = {}

        def survivors(node, how):
            if how in ("lost", "kept"):
                return node.flushed if how == "lost" else node.content
            content = node.flushed
            for change in node.changes:
                if generator.random() < 0.5:
                    content = apply(content, change)
            return content

        def visit(node, path):
            if node.is_directory:
                files[path + "/"] = None
                for name, inner in sorted(survivors(node, names).items()):
                    visit(inner, f"{path}/{name}")
                return
            content, whole = node.flushed, node.content
            if contents == "zeros" and node.changes:
                content = content[:len(whole)].ljust(len(whole), b"\0")
            elif contents == "halves" and node.changes:
                content = whole[:(len(content) + len(whole)) // 2]
            elif contents in ("mixed", "kept"):
                content = survivors(node, contents)
                if contents == "mixed" and node.changes and generator.random() < 0.3:
                    content = content.ljust(len(whole), b"\0")
            files[path] = content

        visit(self.root, "")
        return files


class Call:
    def __init__(self, line, data):
        self.kind, self.name, self.path, self.source, self.detail, _ = line.split("\t")
        self.data = data


def recorded(path):
    """The calls of a record, in their order."""
    content = bytes_of(path)
    calls, place = [], 0
    while place < len(content):
        end = content.index(b"\n", place)
        line = content[place:end].decode()
        count = int(line.rpartition("\t")[2])
        calls.append(Call(line, content[end + 1:end + 1 + count]))
        place = end + 1 + count
    return calls


def reached_disk(calls):
    """The names of the renames that have surely reached the disk."""
    waiting, done = collections.defaultdict(list), []
    for call in calls:
        if call.kind == "rename":
            waiting[os.path.dirname(call.path) or "."].append(call.name)
        elif call.kind == "dirsync":
            done += waiting.pop(call.path.rstrip("/"), [])
    return done
