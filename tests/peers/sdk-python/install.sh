#!/bin/sh
# Installs the pinned Python SDK next to this script, unless it is there already, and prints the
# path of its Python.
set -eu

CDPATH= cd -- "$(dirname -- "$0")"

../venv.sh requirements.txt .venv
# The program that comes with it is large and is not used here.
rm -rf .venv/lib/python*/site-packages/claude_agent_sdk/_bundled

printf '%s\n' "$PWD/.venv/bin/python"
