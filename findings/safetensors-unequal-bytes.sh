#!/usr/bin/env bash
# Expected: safetensors writes equal tensors and metadata to equal bytes, since it sorts the tensors.
# Seen: it does not sort the metadata. With eight keys, ten saves of one process have several orders of the keys and so
# several hashes. The order is drawn again in every save. The tensors are those of any other save.
# Versions: safetensors 0.8.0, NumPy 2.4.6.
# Why it matters: a network known by the hash of its file changes its name if it is loaded and saved, and stores keep
# every copy. Hash the bytes behind the header, or write the header with sorted keys.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python" || { echo "python3 with its module venv is missing (Debian: python3-venv)"; exit 1; }
"$folder/python/bin/pip" install --quiet --disable-pip-version-check safetensors==0.8.0 numpy==2.4.6

"$folder/python/bin/python" - <<'END'
import hashlib
import json
import sys
from importlib.metadata import version

import numpy as np
from safetensors.numpy import save

tensors = {name: np.arange(16, dtype=np.float32) for name in ("pattern.0", "pattern.1")}
metadata = {f"key{number}": str(number) for number in range(8)}
files = [save(tensors, metadata) for _ in range(10)]
starts = [8 + int.from_bytes(file[:8], "little") for file in files]
headers = [json.loads(file[8:start]) for file, start in zip(files, starts)]
print("safetensors", version("safetensors"))
for file, header in list(zip(files, headers))[:3]:
    print(hashlib.sha256(file).hexdigest()[:16], "with the keys", *(key[3:] for key in header["__metadata__"]))
hashes = len({hashlib.sha256(file).digest() for file in files})
bodies = len({file[start:] for file, start in zip(files, starts)})
print(f"10 files: {hashes} hashes, {bodies} sequence of numbers")
# Ten draws out of 8! orders are all equal once in 10^41 runs.
if not (hashes > 1 and bodies == 1 and all(header == headers[0] for header in headers)):
    sys.exit("this differs from the head comment")
END
