# Sourced by scripts that run exports: virtual environments in .build/exports, made anew when their packages change.

environment() { # NAME: prints the Python that has what Scripts/exports/requirements-NAME.txt pins
  local folder=".build/exports/venv-$1" needed="Scripts/exports/requirements-$1.txt"
  if ! cmp -s "$needed" "$folder/requirements.txt"; then
    mkdir -p .build/exports
    python3 -m venv --clear "$folder" >&2 || return 1
    "$folder/bin/pip" install -q --disable-pip-version-check -r "$needed" >&2 || return 1
    cp "$needed" "$folder/requirements.txt"
  fi
  echo "$folder/bin/python"
}
