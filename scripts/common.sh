# What the scripts share. Sourced, not run.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

say() { printf '%s\n' "$*" >&2; }

fail() {
  say "$(basename "$0"): $*"
  exit 1
}

# Installs what is missing: OpenBLAS and liblzma, by Debian's or Homebrew's package manager. Arguments are
# further packages of Debian.
install_missing() {
  command -v swift >/dev/null || fail "there is no Swift toolchain on the path; see https://www.swift.org/install"
  if [ "$(uname)" = Darwin ]; then
    local formula
    for formula in openblas xz; do
      brew list "$formula" >/dev/null 2>&1 || brew install "$formula"
      # Homebrew keeps OpenBLAS out of the common paths, beside Apple's own BLAS.
      PKG_CONFIG_PATH=$(brew --prefix "$formula")/lib/pkgconfig:${PKG_CONFIG_PATH:-}
    done
    export PKG_CONFIG_PATH
    return
  fi
  local missing=() package
  for package in libopenblas-dev liblzma-dev pkg-config "$@"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' ||
      missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return
  say "installing ${missing[*]}"
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null ||
      fail "cannot install ${missing[*]}: run 'apt-get install ${missing[*]}' as root first"
    as_root=(sudo)
  fi
  # An old index may name packages that are gone; a new one is needed only then.
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "${missing[@]}" >&2 || {
    "${as_root[@]}" apt-get update -qq >&2
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "${missing[@]}" >&2
  }
}

# The code of C and Swift alike is made for this machine's processor. LEARN2048_CPU=baseline makes
# code for any processor of the architecture instead, beside it.
build_directory=.build
build_flags=(-c release)
if [ "${LEARN2048_CPU:-native}" = native ]; then
  case "$(uname -m)" in
    x86_64) build_flags+=(-Xcc -march=native) ;;
    arm64 | aarch64) build_flags+=(-Xcc -mcpu=native) ;;
  esac
else
  build_directory=.build/baseline
fi

# The tag of the commit, such as 1.2.0, or what `git describe` makes of it, such as 1.2.0-3-g1a2b3c4.
LEARN2048_VERSION=$(git describe --tags --always --dirty=-modified 2>/dev/null || echo unknown)
export LEARN2048_VERSION=${LEARN2048_VERSION#v}
