# Functions and settings that the shell scripts share. Sourced, not run.

set -euo pipefail
script=$(cd "$(dirname "$0")" && pwd)/$(basename "$0")
start_directory=$PWD
cd "$(dirname "${BASH_SOURCE[0]}")/.."
script=${script#"$PWD"/}

# Arrays that may be empty are expanded as ${array[@]+"${array[@]}"}, because bash 3.2, which macOS has, takes an empty
# array for an unset variable.

say() { printf '%s\n' "$*" >&2; }

fail() {
  say "$script: $*"
  exit 1
}

# Ends the script because of wrong arguments.
reject() { # MESSAGE
  say "$script: $*. See '$script --help'."
  exit 64
}

# Prints the absolute path of a file that is named relative to the directory in which the script was started.
absolute() { # PATH
  case "$1" in
    /*) printf '%s\n' "$1" ;;
    *) printf '%s\n' "$start_directory/$1" ;;
  esac
}

# Prints the comment at the head of the script if the arguments ask for help.
answer_help() { # ARGUMENT...
  local argument
  for argument in "$@"; do
    case "$argument" in
      -h | --help)
        awk 'NR > 1 { if (!/^#/) exit; sub(/^# ?/, ""); print }' "$script"
        exit 0
        ;;
    esac
  done
}

# Answers --help, and rejects arguments that the script does not know.
check_arguments() { # KNOWN... -- ARGUMENT...
  local known=()
  while [ "$1" != -- ]; do
    known+=("$1")
    shift
  done
  shift
  answer_help "$@"
  local argument name
  for argument in "$@"; do
    for name in ${known[@]+"${known[@]}"}; do
      [ "$argument" = "$name" ] && continue 2
    done
    reject "unknown argument '$argument'"
  done
}

# Installs missing libraries (OpenBLAS, liblzma, libzstd and OpenSSL) with the package manager of Debian or Homebrew. Arguments
# are further packages of Debian.
install_missing() {
  command -v swift >/dev/null || fail "no Swift toolchain on the path. Install one from https://www.swift.org/install."
  if [ "$(uname)" = Darwin ]; then
    local formula
    for formula in openblas xz zstd openssl@3; do
      brew list "$formula" >/dev/null 2>&1 || brew install "$formula"
      # Homebrew does not link OpenBLAS into the common paths, because macOS has a BLAS.
      PKG_CONFIG_PATH=$(brew --prefix "$formula")/lib/pkgconfig:${PKG_CONFIG_PATH:-}
    done
    export PKG_CONFIG_PATH
    return
  fi
  local missing=() package
  for package in libopenblas-dev liblzma-dev libzstd-dev libssl-dev pkg-config "$@"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' ||
      missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return
  say "installing ${missing[*]}"
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null ||
      fail "cannot install ${missing[*]} without sudo. Run 'apt-get install ${missing[*]}' as root first."
    as_root=(sudo)
  fi
  # The package index is updated only if the installation fails, because an old index may name removed packages.
  ${as_root[@]+"${as_root[@]}"} env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "${missing[@]}" >&2 || {
    ${as_root[@]+"${as_root[@]}"} apt-get update -qq >&2
    ${as_root[@]+"${as_root[@]}"} env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "${missing[@]}" >&2
  }
}

# Code is compiled for the processor of this machine. LEARN2048_CPU=baseline compiles for any processor of the
# architecture instead, in a separate directory.
#
# Tests see internal declarations, which -enable-testing allows. Everything is built with it, so that the executable and
# the tests share one build.
build_directory=.build
build_flags=(-c release -Xswiftc -enable-testing)
if [ "${LEARN2048_CPU:-native}" = native ]; then
  case "$(uname -m)" in
    x86_64) build_flags+=(-Xcc -march=native) ;;
    arm64 | aarch64) build_flags+=(-Xcc -mcpu=native) ;;
  esac
else
  build_directory=.build/baseline
fi

# Builds a product, and prints the directory of its executable. To be used in an assignment, which fails if this does.
build_product() { # PRODUCT
  swift build "${build_flags[@]}" --scratch-path "$build_directory" --product "$1" >&2 &&
    swift build "${build_flags[@]}" --scratch-path "$build_directory" --show-bin-path
}

# Lets tests keep their files in memory if there is room. They save hundreds of small runs, and a disk makes every file that
# replaces another wait.
keep_files_in_memory() {
  local memory=/dev/shm room
  [ -z "${TMPDIR:-}" ] && [ -w "$memory" ] || return 0
  room=$(df --output=avail -k "$memory" | tail -1)
  if [ "$room" -ge 4194304 ]; then export TMPDIR=$memory; fi
}

# Builds everything: the executables, the example and the tests.
build_tests() { swift build "${build_flags[@]}" --scratch-path "$build_directory" --build-tests; }

# The version of the build: the tag of the commit, such as 1.2.0, or a later commit, such as 1.2.0-3-g1a2b3c4.
LEARN2048_VERSION=$(git describe --tags --always --dirty=-modified 2>/dev/null || echo unknown)
export LEARN2048_VERSION=${LEARN2048_VERSION#v}
