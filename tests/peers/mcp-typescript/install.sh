#!/bin/sh
# Installs the pinned TypeScript clients next to this script, unless they are there already.
set -eu

CDPATH= cd -- "$(dirname -- "$0")"
# What is installed is known by the lock file it was installed from.
installed=node_modules/.installed-lock.json

if ! cmp -s package-lock.json "$installed"; then
    npm ci --ignore-scripts --prefer-offline --no-audit --no-fund >&2
    cp package-lock.json "$installed"
fi
