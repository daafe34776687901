"""What the tests of scripts share."""

import os
import sys

SCRIPTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts")
sys.path[:0] = [os.path.join(SCRIPTS, folder) for folder in ("support", "plots")]


def write(directory, name, text):
    """Writes a file, and returns its path."""
    path = os.path.join(directory, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path
