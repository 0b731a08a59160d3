# Sourced by the other scripts: changes to the repository's folder and defines shared functions.

caller=$PWD
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
script=$PWD/Scripts/${0##*/}

fail() {
  echo "error: $*" >&2
  exit 1
}

# stage NAME COMMAND...: prints the name, runs the command, and prints its duration.
stage() {
  local name=$1 start=$SECONDS status=0
  shift
  echo "== $name"
  "$@" || status=$?
  echo "== $name: $((SECONDS - start)) s"
  return $status
}

# Installs Debian packages, or prints the missing ones.
install_packages() {
  command -v apt-get >/dev/null || fail "apt-get not found; install the packages that contain $*"
  [ "$(id -u)" = 0 ] || fail "missing packages; run: sudo apt-get install $*"
  echo "== installing $*" >&2
  export DEBIAN_FRONTEND=noninteractive
  { apt-get update -qq && apt-get install -y -qq --no-install-recommends "$@"; } >/dev/null || fail "apt-get could not install $*"
}

# Each argument is a Debian package, a colon and its name in pkg-config.
require_packages() {
  # macOS includes ImageIO and Accelerate.
  [ "$(uname)" != Darwin ] || return 0
  local missing=() wanted
  command -v pkg-config >/dev/null || missing+=(pkg-config)
  for wanted in "$@"; do
    [ ${#missing[@]} -eq 0 ] && pkg-config --exists "${wanted#*:}" || missing+=("${wanted%%:*}")
  done
  [ ${#missing[@]} -eq 0 ] || install_packages "${missing[@]}"
}

# Each argument is a command or a folder, followed by :PACKAGE if its Debian package has another name.
require_commands() {
  local missing=() wanted
  for wanted in "$@"; do
    [ -d "${wanted%%:*}" ] || command -v "${wanted%%:*}" >/dev/null || missing+=("${wanted#*:}")
  done
  [ ${#missing[@]} -eq 0 ] || install_packages "${missing[@]}"
}

require_swift() {
  command -v swift >/dev/null ||
    fail "swift not found; install Swift 6.2 or later from https://www.swift.org/install and put it on PATH"
  require_packages libjpeg-dev:libjpeg libopenblas-dev:openblas zlib1g-dev:zlib
}

# Runs swift build. Without this variable, SwiftPM orders traits and sanitizers differently in each run and recompiles
# everything. Tests and programs run without the variable.
swift_build() { SWIFT_DETERMINISTIC_HASHING=1 swift build "$@"; }

# Sets CUPOLA to the command from the last release build; builds it if it is missing.
require_cupola() {
  CUPOLA=${CUPOLA:-$PWD/.build/release/cupola}
  export CUPOLA
  [ -x "$CUPOLA" ] || { require_swift && swift_build -c release --product cupola >&2; }
}

rebuild_cupola() {
  require_swift
  swift_build -c release --product cupola >&2
  CUPOLA=$(swift_build -c release --show-bin-path)/cupola
  export CUPOLA
}

# python_for GROUP: prints the path of Python in a virtual environment with the group's packages from
# Scripts/requirements.txt. Each group has its own environment in .build/python, which is recreated if the group's
# packages change.
python_for() {
  local folder=$PWD/.build/python/$1 needed
  needed=$(awk -v group="$1" '
    { for (field = 3; field <= NF; field++) if ($2 == "#" && $field == group) print $1 }' Scripts/requirements.txt)
  [ -n "$needed" ] || fail "Scripts/requirements.txt has no group $1"
  python3 -c 'import ensurepip, venv' 2>/dev/null || install_packages python3-venv
  if [ "$needed" != "$(cat "$folder/packages" 2>/dev/null)" ]; then
    mkdir -p "$(dirname "$folder")"
    { python3 -m venv --clear "$folder" && echo "$needed" >"$folder/wanted" &&
      "$folder/bin/pip" install -q --disable-pip-version-check -r "$folder/wanted"; } >&2 ||
      fail "pip could not install group $1 of Scripts/requirements.txt"
    mv "$folder/wanted" "$folder/packages"
  fi
  echo "$folder/bin/python"
}

# run_python GROUP ARGUMENTS...: runs Python with a group's packages and the modules of Scripts. -P excludes the
# script's own folder, where onnx.py would hide the package onnx.
run_python() {
  local python
  python=$(python_for "$1") || exit 1
  shift
  "$python" -P "$@"
}

# Prints the package's library products, each after its dependencies.
libraries() { sed -n 's/^ *\.library(name: "\([^"]*\)".*/\1/p' Package.swift; }

# MARK: - Scripts with several parts, each a function part_NAME or a file in a folder

# list_parts FOLDER: prints the name and summary of each part of the script.
list_parts() {
  local file
  {
    sed -n 's/^part_\([a-z-]*\)() { # /\1|/p' "$script"
    for file in "$1"/*; do echo "${file##*/}|$(header "$file" | head -n 1)"; done
  } | LC_ALL=C sort | sed 's/\.$//' | while IFS='|' read -r name text; do printf '  %-14s %s\n' "$name" "$text"; done
}

# header FILE: prints the comment or docstring at the start of a script.
header() {
  awk 'NR == 1 || /^# needs:/ { next }
    /^"""/ { if (inside) exit; inside = 1; sub(/^"""/, "") }
    inside { print; next }
    /^#/ { sub(/^# ?/, ""); print; next }
    { exit }' "$1"
}

is_part() { declare -F "part_$2" >/dev/null || [ -f "$1/$2" ]; }

# run_part FOLDER PART ARGUMENT...: runs a part in the caller's folder, so that relative paths work. First provides the
# requirements in its line "# needs:": cupola, build (a new release build), python:GROUP, and commands as in
# require_commands.
run_part() {
  local file=$PWD/$1/$2 part=$2 need commands=() python=()
  shift 2
  export PYTHONPATH=$PWD/Scripts PYTHONDONTWRITEBYTECODE=1
  if declare -F "part_$part" >/dev/null; then
    [ "${1:-}" != --help ] || { sed -n "/^part_$part() {/,/^  [^# ]/s/.* # \\{0,1\\}\\|^  # //p" "$script" && return; }
    "part_$part" "$@"
    return
  fi
  if [ "${1:-}" = --help ]; then
    header "$file"
    return
  fi
  for need in $(sed -n '2s/^# needs: //p' "$file"); do
    case $need in
    cupola) require_cupola ;;
    build) rebuild_cupola ;;
    python:*) python=("$(python_for "${need#*:}")" -P) || exit 1 ;;
    *) commands+=("$need") ;;
    esac
  done
  [ ${#commands[@]} -eq 0 ] || require_commands "${commands[@]}"
  cd "$caller"
  ${python[@]+"${python[@]}"} "$file" "$@"
}

# run_parts FOLDER WORD...: runs the given parts. Words after the last part are passed to it as arguments.
run_parts() {
  local folder=$1 parts=()
  shift
  while [ $# -gt 0 ] && is_part "$folder" "$1"; do
    parts+=("$1")
    shift
  done
  [ ${#parts[@]} -gt 0 ] || fail "unknown part $1; run Scripts/${script##*/} to list the parts"
  if [ ${#parts[@]} -eq 1 ]; then
    run_part "$folder" "${parts[0]}" "$@"
  else
    [ $# -eq 0 ] || fail "arguments need a single part: $*"
    local part failed=()
    for part in "${parts[@]}"; do
      (cd "$caller" && stage "$part" "$script" "$part") || failed+=("$part")
    done
    # The output of later parts hides earlier failures.
    [ ${#failed[@]} -eq 0 ] || fail "failed: ${failed[*]}"
  fi
}
