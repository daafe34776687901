#!/usr/bin/env bash
# Expected: saxpy, y = a x + y, treats all elements alike, and one build of OpenBLAS computes the same on every
# processor.
# Seen: the routines for Haswell and Zen round a x + y once, but the last elements of a vector, up to 31, twice.
# Vectors with equal elements come back unequal, and a row has other bits if its batch is longer. The routines for
# SkylakeX round once everywhere, those for Sandybridge twice. OpenBLAS chooses by processor when it starts.
# Versions: libopenblas0-pthread 0.3.21+ds-4 of Debian 12, amd64; NumPy 1.26.4 only compares.
# Why it matters: the λ-return of a move has other bits on another processor or in another batch. Equal bits everywhere
# come from sscal first, then saxpy with a = 1, since each then rounds once. With a power of two as λ, both forms
# agree.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

package=libopenblas0-pthread
found=$(dpkg-query --show --showformat '${Version}' "$package" 2>/dev/null) || found=none
echo "$package $found"
if [ "$found" != 0.3.21+ds-4 ] || [ "$(uname -m)" != x86_64 ]; then
  echo "this tests $package 0.3.21+ds-4 of Debian 12 on x86-64: install it with apt-get install $package"
  exit 1
fi
if ! grep -qw fma /proc/cpuinfo || ! grep -qw avx2 /proc/cpuinfo; then
  echo "the routines for Haswell and Zen require a processor with AVX2 and FMA"
  exit 1
fi
python3 -m venv "$folder/python" || { echo "python3 with its module venv is missing (Debian: python3-venv)"; exit 1; }
"$folder/python/bin/pip" install --quiet --disable-pip-version-check numpy==1.26.4

cat >"$folder/axpy.py" <<'END'
import ctypes
import sys

import numpy as np

blas = ctypes.CDLL("/usr/lib/x86_64-linux-gnu/openblas-pthread/libopenblas.so.0")
blas.openblas_get_corename.restype = ctypes.c_char_p
blas.openblas_set_num_threads(1)


def address(array):
    return ctypes.c_void_p(array.ctypes.data)


def axpy(a, x, y):
    result = y.copy()
    blas.cblas_saxpy(ctypes.c_int(len(x)), ctypes.c_float(a), address(x), 1, address(result), 1)
    return result


def scaled(a, x):
    result = x.copy()
    blas.cblas_sscal(ctypes.c_int(len(x)), ctypes.c_float(a), address(result), 1)
    return result


core = blas.openblas_get_corename().decode()
if core != sys.argv[1]:
    sys.exit(f"OpenBLAS has chosen {core}")
a = np.float32(0.6)
x, y = (np.full(100, 0.1, np.float32) for _ in "xy")
twice = a * x[0] + y[0]
once = np.float32(np.float64(a) * np.float64(x[0]) + np.float64(y[0]))
result = axpy(a, x, y)
kinds = ["once" if value == once else "twice" if value == twice else "?" for value in result]
runs = [(kind, kinds.count(kind)) for kind in dict.fromkeys(kinds)]
print(f"{core}: 0.6 * 0.1 + 0.1, 100 times: " + ", then ".join(
    f"{count} x {result[kinds.index(kind)]:.8g} (rounded {kind})" for kind, count in runs))
# What does not depend on the routines, over many lengths and values.
random = np.random.default_rng(1)
for length in list(range(1, 140)) + [1000, 10001]:
    x, y = random.normal(size=(2, length)).astype(np.float32)
    if not (np.array_equal(axpy(1, scaled(a, x), y), a * x + y)
            and np.array_equal(axpy(0.5, x, y), np.float32(0.5) * x + y)):
        sys.exit(f"sscal then saxpy, or a = 0.5, differ from the plain sum for {length} elements")
if runs != {"Haswell": [("once", 96), ("twice", 4)], "Zen": [("once", 96), ("twice", 4)],
            "SkylakeX": [("once", 100)], "Sandybridge": [("twice", 100)]}[core]:
    sys.exit("this differs from the head comment")
END
cores="Haswell Zen Sandybridge"
if grep -qw avx512vl /proc/cpuinfo; then cores="$cores SkylakeX"; else echo "SkylakeX is not tried: no AVX-512"; fi
for core in $cores; do
  OPENBLAS_CORETYPE=$core "$folder/python/bin/python" "$folder/axpy.py" "$core"
done
