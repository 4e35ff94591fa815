#!/bin/sh
# Installs the pinned Python SDK next to this script, unless it is there already, and prints the
# path of its Python.
set -eu

CDPATH= cd -- "$(dirname -- "$0")"
# What is installed is known by the list it was installed from.
installed=.venv/installed-requirements.txt

if ! [ -x .venv/bin/python ] || ! cmp -s requirements.txt "$installed"; then
    python3 -m venv --clear .venv >&2
    .venv/bin/python -m pip install --quiet --no-deps --requirement requirements.txt >&2
    # The program that comes with it is large and is not used here.
    rm -rf .venv/lib/python*/site-packages/claude_agent_sdk/_bundled
    cp requirements.txt "$installed"
fi

printf '%s\n' "$PWD/.venv/bin/python"
