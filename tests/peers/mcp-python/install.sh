#!/bin/sh
# Installs the pinned Python clients next to this script, unless they are there already: `mcp` 2 and FastMCP, which is built on
# it, in `.venv`, and `mcp` 1 in `.venv-1`.
set -eu

CDPATH= cd -- "$(dirname -- "$0")"

# Python may have come without pip.
pip() {
    if ! python3 -m pip --version >/dev/null 2>&1; then
        ../apt.sh python3-pip
    fi
    python3 -m pip "$@" >&2
}

install() {
    # What is installed is known by the list it was installed from.
    if ! cmp -s "$1" "$2/installed.txt"; then
        python3 -m venv --clear --without-pip "$2" >&2
        pip --python "$2/bin/python" install --quiet --no-deps --no-compile --requirement "$1"
        cp "$1" "$2/installed.txt"
    fi
}

install requirements.txt .venv
install requirements-1.txt .venv-1
