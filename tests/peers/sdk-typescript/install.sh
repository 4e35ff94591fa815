#!/bin/sh
# Installs the pinned TypeScript SDK next to this script, unless it is there already.
set -eu

CDPATH= cd -- "$(dirname -- "$0")"
# The program that comes with it is an optional dependency, is large and is not used here.
../npm.sh --omit=optional

printf '%s\n' "$PWD/node_modules/@anthropic-ai/claude-agent-sdk"
