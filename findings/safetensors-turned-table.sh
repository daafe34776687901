#!/usr/bin/env bash
# Expected: a lookup table whose axes NumPy has permuted, to name the cells of its pattern in another order, is saved
# by safetensors with the numbers that NumPy shows.
# Seen: save() writes the numbers in the order of the memory, under the new shape, without an error. So every entry of
# a turned table belongs to other tiles. Version 0.7.0 wrote what NumPy shows.
# Versions: safetensors 0.8.0 and 0.7.0, NumPy 2.4.6. Upstream: issue 825 of safetensors/safetensors.
# Why it matters: patterns are mirrored and renamed by transposing tables. Save numpy.ascontiguousarray(table).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python" || { echo "python3 with its module venv is missing (Debian: python3-venv)"; exit 1; }

for version in 0.7.0 0.8.0; do
  "$folder/python/bin/pip" install --quiet --disable-pip-version-check safetensors==$version numpy==2.4.6
  "$folder/python/bin/python" - <<'END'
import sys
from importlib.metadata import version

import numpy as np
from safetensors.numpy import load, save

# A pattern of three cells: the entry of the exponents 1, 2, 3 is 123, and so on.
table = np.array([[[100 * a + 10 * b + c for c in range(10)] for b in range(10)] for a in range(10)], np.float32)
mirrored = table.transpose(2, 1, 0)
release = version("safetensors")
saved = load(save({"pattern.210": mirrored}))["pattern.210"]
copied = load(save({"pattern.210": np.ascontiguousarray(mirrored)}))["pattern.210"]
print(f"safetensors {release}: the entry of 3, 2, 1 is {mirrored[3, 2, 1]:g} before saving, {saved[3, 2, 1]:g} after, "
      f"{copied[3, 2, 1]:g} after with ascontiguousarray; {(saved != mirrored).mean():.0%} of the entries differ")
as_stated = np.array_equal(saved, table if release == "0.8.0" else mirrored) and np.array_equal(copied, mirrored)
sys.exit(None if as_stated else "this differs from the head comment")
END
done
