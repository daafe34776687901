"""Packs the files of the Python package into a wheel. Called by scripts/build-wheel.

The arguments are the directory of the files, the version of the build and the directory of the wheel, whose path is
printed.
"""

import glob
import os
import platform
import re
import subprocess
import sys

from common import ROOT, fail
from packages import require


def public_version(version):
    """A version of the build, such as 1.2.0-3-g1a2b3c4, as Python writes versions: 1.2.0.post3+g1a2b3c4."""
    match = re.fullmatch(r"(?:(\d+(?:\.\d+)*)(?:-(\d+)-g)?)?([0-9a-f]{7,})?(-modified)?", version)
    if not match:
        return "0"
    release, later, commit, is_modified = match.groups()
    local = ".".join(filter(None, ["g" + commit if commit else None, "modified" if is_modified else None]))
    return (release or "0") + (f".post{later}" if later else "") + (f"+{local}" if local else "")


def main():
    require("wheel")
    tree, version, output = sys.argv[1:]
    version = public_version(version)
    information = os.path.join(tree, f"learn2048-{version}.dist-info")
    os.makedirs(information)
    with open(os.path.join(ROOT, "Sources", "Python", "METADATA"), encoding="utf-8") as file:
        metadata = file.read().replace("@VERSION@", version)
    tag = f"py3-none-linux_{platform.machine()}"
    wheel = f"Wheel-Version: 1.0\nGenerator: learn2048\nRoot-Is-Purelib: false\nTag: {tag}\n"
    for name, text in ("METADATA", metadata), ("WHEEL", wheel):
        with open(os.path.join(information, name), "w", encoding="utf-8") as file:
            file.write(text)
    os.makedirs(output, exist_ok=True)
    for old in glob.glob(os.path.join(output, "learn2048-*.whl")):
        os.unlink(old)
    done = subprocess.run([sys.executable, "-m", "wheel", "pack", tree, "--dest-dir", output], stdout=sys.stderr, check=False)
    if done.returncode != 0:
        fail("cannot pack the wheel")
    print(os.path.join(output, f"learn2048-{version}-{tag}.whl"))


if __name__ == "__main__":
    main()
