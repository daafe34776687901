"""Values afterstates of 4x4 boards with any network: with stages or downgrading, both or neither."""

import json
from types import SimpleNamespace

import numpy as np
from safetensors import safe_open


def load(path):
    """A network: its tables by stage and cells, the tiles that begin stages, and the downgraded exponent."""
    with safe_open(path, "np") as file:
        metadata = file.metadata()
        patterns = json.loads(metadata["patterns"])
        tiles = json.loads(metadata.get("stages", '{"exponents": []}'))["exponents"]
        return SimpleNamespace(
            tiles=tiles, downgrading=int(metadata.get("downgrading", 0)),
            tables=[{tuple(int(cell, 16) for cell in p): file.get_tensor(f"pattern.{prefix}{p}")
                     for p in patterns}
                    for prefix in [""] + [f"stage{stage}." for stage in range(1, len(tiles) + 1)]])


def value(afterstate, network):
    """The value of an afterstate, such as "0000000000001020": the points expected from it on."""
    exponents = np.array([int(digit, 36) for digit in afterstate])
    if network.downgrading:
        exponents = downgraded(exponents, 16)
    exponents = np.minimum(exponents, 15)
    stage = sum(exponents.max() >= tile for tile in network.tiles)
    if network.downgrading:
        exponents = downgraded(exponents, network.downgrading)
    square = exponents.reshape(4, 4)
    images = [np.rot90(s, k).ravel() for s in (square, square.T) for k in range(4)]
    return sum(float(weight(network, stage, cells, image[list(cells)]))
               for cells in network.tables[0] for image in images)


def weight(network, stage, cells, contents):
    """The weight for the contents of cells: if a stage has not learned it, that of the stage before."""
    found = network.tables[stage][cells][tuple(contents)]
    if found != 0 or stage == 0:
        return found
    return weight(network, stage - 1, cells, contents)


def downgraded(exponents, threshold):
    """The exponents with the largest tiles halved until the largest is below the threshold, or none is missing.

    A step halves every tile above the largest missing one from 64 on.
    """
    exponents, largest = exponents.copy(), exponents.max()
    while largest >= threshold:
        missing = [tile for tile in range(6, largest) if tile not in exponents]
        if not missing:
            break
        exponents[exponents > missing[-1]] -= 1
        largest -= 1
    return exponents
