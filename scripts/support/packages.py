"""Python packages for the scripts. Imported, not run."""

import importlib.metadata
import importlib.util
import os
import shutil
import subprocess
import sys

from common import ROOT, fail, say

# The releases that work.
RELEASES = {"gymnasium_2048": "gymnasium_2048==0.1.2", "jumanji": "jumanji==1.1.0", "matplotlib": "matplotlib>=3.6,<4",
            "numpy": "numpy>=1.24", "open_spiel": "open_spiel==2.0.2", "pgx": "pgx==2.6.0", "requests": "requests>=2",
            "safetensors": "safetensors>=0.3", "schemathesis": "schemathesis==4.32.5", "wheel": "wheel>=0.40"}


def require(*names, environment="python"):
    """Makes sure that packages can be imported, in the pinned release if there is one.

    If one is missing, all are installed from PyPI into a virtual environment, `.build/ENVIRONMENT`, and the
    script starts again in it. The packages of the system are never changed.
    """
    missing = [name for name in names if importlib.util.find_spec(name) is None or not is_pinned_release(name)]
    if not missing:
        return
    directory = os.path.join(ROOT, ".build", environment)
    python = os.path.join(directory, "bin", "python3")
    if os.path.realpath(sys.prefix) != os.path.realpath(directory) and has(python, names):
        os.execv(python, [python, *sys.argv])
    say(f"installing {', '.join(missing)} from PyPI in .build/{environment}")
    try:
        if not os.path.exists(python):
            subprocess.run([sys.executable, "-m", "venv", directory], check=True, stdout=sys.stderr)
    except subprocess.CalledProcessError:
        # A half-made environment would be used next time.
        shutil.rmtree(directory, ignore_errors=True)
        fail("cannot make a virtual environment. Install the package python3-venv.")
    releases = [RELEASES[name] for name in names]
    done = subprocess.run([python, "-m", "pip", "install", "-q", *releases], stdout=sys.stderr, check=False)
    if done.returncode != 0 or not has(python, names):
        fail(f"cannot install {', '.join(names)}. Check the connection to PyPI, or delete .build/{environment}.")
    os.execv(python, [python, *sys.argv])


def has(python, names):
    """Whether a Python exists, and can import packages in the releases that are pinned."""
    if not os.path.exists(python):
        return False
    code = (f"import sys; sys.path.insert(0, {os.path.dirname(__file__)!r}); import packages, {', '.join(names)}; "
            f"sys.exit(not all(map(packages.is_pinned_release, {names!r})))")
    done = subprocess.run([python, "-c", code], capture_output=True, check=False)
    return done.returncode == 0


def is_pinned_release(name):
    """Whether a package is installed in the release that is pinned, if one is."""
    release = RELEASES[name].partition("==")[2]
    try:
        return not release or importlib.metadata.version(name) == release
    except importlib.metadata.PackageNotFoundError:
        return False
