#!/bin/sh
# Installs the pinned Python clients next to this script, unless they are there already: `mcp` 2 and
# FastMCP, which is built on it, in `.venv`, and `mcp` 1 in `.venv-1`.
set -eu

CDPATH= cd -- "$(dirname -- "$0")"

../venv.sh requirements.txt .venv
../venv.sh requirements-1.txt .venv-1
