# Sourced by the other scripts: checks for, and on Debian or Ubuntu installs, what Cupola builds with.

fail() {
  echo "error: $*" >&2
  exit 1
}

# Each argument is a Debian package and what pkg-config calls it.
require_packages() {
  # ImageIO and Accelerate come with macOS.
  [ "$(uname)" != Darwin ] || return 0
  local missing=() wanted
  command -v pkg-config >/dev/null || missing+=(pkg-config)
  for wanted in "$@"; do
    [ ${#missing[@]} -eq 0 ] && pkg-config --exists "${wanted#*:}" || missing+=("${wanted%%:*}")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  command -v apt-get >/dev/null ||
    fail "of ${missing[*]} something is missing and there is no apt-get; install the development packages"
  [ "$(id -u)" = 0 ] || fail "run this first: sudo apt-get install ${missing[*]}"
  echo "== installing ${missing[*]}"
  export DEBIAN_FRONTEND=noninteractive
  { apt-get update -qq && apt-get install -y -qq "${missing[@]}"; } >/dev/null ||
    fail "apt-get could not install ${missing[*]}"
}

# swift build ARGUMENTS, which compiles nothing again that is there: SwiftPM keeps traits and sanitizers in sets, whose order, and
# with it all commands, would differ from run to run without the variable. Tests and programs run without it.
swift_build() { SWIFT_DETERMINISTIC_HASHING=1 swift build "$@"; }

cd "$(dirname "${BASH_SOURCE[0]}")/.." || fail "cannot enter the repository"

command -v swift >/dev/null ||
  fail "no swift found; install Swift 6.2 or later from https://www.swift.org/install and put it on PATH"

require_packages libjpeg-dev:libjpeg libopenblas-dev:openblas zlib1g-dev:zlib
