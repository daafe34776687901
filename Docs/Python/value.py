"""Values afterstates of 4x4 boards with a plain network: one stage, no downgrading.

staged.py reads every network.
"""

import json

import numpy as np
from safetensors import safe_open


def load(path):
    """The tables of a network, by the cells that they read."""
    with safe_open(path, "np") as file:
        metadata = file.metadata()
        if "stages" in metadata or "downgrading" in metadata:
            raise ValueError("this network has stages or downgrading: use staged.py")
        patterns = json.loads(metadata["patterns"])
        return {tuple(int(cell, 16) for cell in p): file.get_tensor(f"pattern.{p}") for p in patterns}


def value(afterstate, tables):
    """The value of an afterstate, such as "0000000000001020": the points expected from it on."""
    exponents = np.minimum([int(digit, 36) for digit in afterstate], 15)
    square = exponents.reshape(4, 4)
    images = np.array([np.rot90(s, k).ravel() for s in (square, square.T) for k in range(4)])
    return sum(float(table[tuple(images[:, cells].T)].sum()) for cells, table in tables.items())
