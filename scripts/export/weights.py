"""Reads weight files, and writes the models of learn2048.c and learn2048.mjs. Imported, not run."""

import json
import struct

import numpy as np

MAGIC = 0x4D383432
VERSION = 3


class Weights:
    """A .safetensors file of learn2048: its shape, and its tables in the order of the file."""

    def __init__(self, path):
        self.path = path
        with open(path, "rb") as file:
            length = int.from_bytes(file.read(8), "little")
            header = json.loads(file.read(length))
        self.start, metadata = 8 + length, header.pop("__metadata__", {})
        if metadata.get("format") != "learn2048-weights":
            raise ValueError("not weights of learn2048")
        if metadata["formatVersion"] != "1":
            raise ValueError(f"this script does not read version {metadata['formatVersion']} of the format")
        if metadata["boardSize"] != "4":
            raise ValueError("the model is not for 4x4 boards")
        self.tiles = json.loads(metadata.get("stages", '{"exponents": []}'))["exponents"]
        self.stages = len(self.tiles) + 1
        self.downgrading = int(metadata.get("downgrading", 0))
        # By largest tile, in the order in which a game meets the levels: from the highest missing tile down to 5, for
        # none, and then with a pair above the missing tile up to the highest again.
        self.offsets = json.loads(metadata.get("levelOffsets", "{}"))
        patterns = json.loads(metadata["patterns"])
        self.patterns = [[int(cell, 16) for cell in cells] for cells in patterns]
        self.places = [header[f"pattern.{f'stage{stage}.' if stage else ''}{cells}"]["data_offsets"]
                       for stage in range(self.stages) for cells in patterns]

    def tables(self):
        """The tables, one after the other: first the patterns of stage 0."""
        for place, (start, end) in enumerate(self.places):
            table = np.fromfile(self.path, "<f4", (end - start) // 4, offset=self.start + start)
            if len(table) != 16 ** len(self.patterns[place % len(self.patterns)]):
                raise ValueError("the file is not complete")
            yield table


# MARK: Writing

def write_model(weights, file):
    """Writes what learn2048.c and learn2048.mjs read. Everything is 32-bit words, the lowest byte first."""
    words(file, MAGIC, VERSION, len(weights.patterns), sum(1 << tile for tile in weights.tiles), weights.downgrading)
    for largest in range(weights.downgrading or 16, 16):
        row = weights.offsets.get(str(1 << largest), [0] * (2 * largest - 11))
        table = np.zeros((2, 16), "<f4")
        table[0, 5:largest] = row[largest - 6::-1]
        table[1, 6:largest] = row[largest - 5:]
        file.write(table.tobytes())
    for cells in weights.patterns:
        words(file, len(cells), *cells)
    for table in weights.tables():
        write_table(table, file)


def write_table(table, file):
    """Writes a table: one bit per entry, 1 if its weight is not 0, and the weights that are not 0.

    A weight is two bytes, its number in a list of the different weights, if that is shorter.
    """
    kept = table[table != 0]
    levels, codes = np.unique(kept, return_inverse=True)
    has_levels = len(levels) <= 1 << 16 and 4 * len(levels) + 2 * len(kept) < 4 * len(kept)
    words(file, len(kept), len(levels) if has_levels else 0)
    bits = np.packbits(table != 0, bitorder="little")
    file.write(bits.tobytes() + bytes(-len(bits) % 4))
    if has_levels:
        file.write(levels.astype("<f4").tobytes())
        file.write(codes.astype("<u2").tobytes() + bytes(2 * (len(codes) % 2)))
    else:
        file.write(kept.astype("<f4").tobytes())


def words(file, *numbers):
    file.write(struct.pack(f"<{len(numbers)}I", *numbers))
