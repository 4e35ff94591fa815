#!/bin/sh
# Installs the pinned TypeScript SDK next to this script, unless it is there already.
set -eu

CDPATH= cd -- "$(dirname -- "$0")"
# What is installed is known by the lock file it was installed from.
installed=node_modules/.installed-lock.json

if ! cmp -s package-lock.json "$installed"; then
    # The program that comes with it is an optional dependency, is large and is not used here.
    npm ci --ignore-scripts --omit=optional --no-audit --no-fund >&2
    cp package-lock.json "$installed"
fi

printf '%s\n' "$PWD/node_modules/@anthropic-ai/claude-agent-sdk"
