"""Values afterstates of 4x4 boards with any network: with stages or downgrading, both or neither."""

import json
from types import SimpleNamespace

import numpy as np
from safetensors import safe_open


def load(path):
    """A network: its tables by stage and cells, the tiles that begin stages, the downgraded exponent, and the offsets
    of levels by largest tile."""
    with safe_open(path, "np") as file:
        metadata = file.metadata()
        patterns = json.loads(metadata["patterns"])
        tiles = json.loads(metadata.get("stages", '{"exponents": []}'))["exponents"]
        return SimpleNamespace(
            tiles=tiles, downgrading=int(metadata.get("downgrading", 0)),
            offsets=json.loads(metadata.get("levelOffsets", "{}")),
            tables=[{tuple(int(cell, 16) for cell in p): file.get_tensor(f"pattern.{prefix}{p}")
                     for p in patterns}
                    for prefix in [""] + [f"stage{stage}." for stage in range(1, len(tiles) + 1)]])


def value(afterstate, network):
    """The value of an afterstate, such as "0000000000001020": the points expected from it on."""
    exponents = np.array([int(digit, 36) for digit in afterstate])
    offset = 0
    if network.downgrading:
        exponents, _ = downgraded(exponents, 16, {})
    exponents = np.minimum(exponents, 15)
    stage = sum(exponents.max() >= tile for tile in network.tiles)
    if network.downgrading:
        exponents, offset = downgraded(exponents, network.downgrading, network.offsets)
    square = exponents.reshape(4, 4)
    images = [np.rot90(s, k).ravel() for s in (square, square.T) for k in range(4)]
    return offset + sum(float(weight(network, stage, cells, image[list(cells)]))
                        for cells in network.tables[0] for image in images)


def weight(network, stage, cells, contents):
    """The weight for the contents of cells: if a stage has not learned it, that of the stage before."""
    found = network.tables[stage][cells][tuple(contents)]
    if found != 0 or stage == 0:
        return found
    return weight(network, stage - 1, cells, contents)


def downgraded(exponents, threshold, offsets):
    """The exponents with the largest tiles halved until the largest is below the threshold, or none is missing.

    A step halves every tile above the largest missing one from 64 on, whose exponent counts as 5 if none is missing.
    Also returns the sum of the offsets of the steps. They are listed by largest tile: from the highest missing tile
    down, and then, for boards with a pair above the missing tile, up again.
    """
    exponents, largest, offset = exponents.copy(), int(exponents.max()), 0
    while largest >= threshold:
        missing = max([tile for tile in range(6, largest) if tile not in exponents], default=5)
        is_rising = missing > 5 and sum(exponents == missing + 1) > 1
        place = largest - 11 + missing if is_rising else largest - 1 - missing
        offset += offsets[str(2 ** largest)][place] if str(2 ** largest) in offsets else 0
        if missing == 5:
            break
        exponents[exponents > missing] -= 1
        largest -= 1
    return exponents, offset
