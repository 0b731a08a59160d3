# Sourced by the other scripts: checks for, and on Debian or Ubuntu installs, what Cupola builds with.

fail() {
  echo "error: $*" >&2
  exit 1
}

cd "$(dirname "${BASH_SOURCE[0]}")/.." || fail "cannot enter the repository"

command -v swift >/dev/null ||
  fail "no swift found; install Swift 6.2 or later from https://www.swift.org/install and put it on PATH"

if [ "$(uname)" = Darwin ]; then
  # ImageIO and Accelerate come with the system.
  :
elif ! command -v pkg-config >/dev/null || ! pkg-config --exists libjpeg openblas; then
  command -v apt-get >/dev/null ||
    fail "libjpeg, OpenBLAS or pkg-config is missing and there is no apt-get; install their development packages"
  [ "$(id -u)" = 0 ] ||
    fail "run this first: sudo apt-get install libjpeg-dev libopenblas-dev pkg-config"
  echo "== installing libjpeg-dev libopenblas-dev pkg-config"
  export DEBIAN_FRONTEND=noninteractive
  { apt-get update -qq && apt-get install -y -qq libjpeg-dev libopenblas-dev pkg-config; } >/dev/null ||
    fail "apt-get could not install libjpeg-dev libopenblas-dev pkg-config"
fi
