#!/bin/sh
# Installs the pinned Inspector and conformance suite next to this script, unless they are there
# already.
set -eu

CDPATH= cd -- "$(dirname -- "$0")"
# What is installed is known by the lock file it was installed from.
installed=node_modules/.installed-lock.json

if ! cmp -s package-lock.json "$installed"; then
    # It warns that the Node that runs it is too old for them; they run on the one that it installs.
    npm ci --ignore-scripts --omit=optional --prefer-offline --no-audit --no-fund --loglevel=error >&2
    cp package-lock.json "$installed"
fi
