#!/bin/sh
# Installs the distribution's Chromium and the pinned Playwright next to this script, unless they
# are there already.
set -eu

CDPATH= cd -- "$(dirname -- "$0")"
# What is installed is known by the lock file it was installed from.
installed=node_modules/.installed-lock.json

command -v chromium >/dev/null || ../apt.sh --no-install-recommends chromium
if ! cmp -s package-lock.json "$installed"; then
    npm ci --ignore-scripts --no-audit --no-fund >&2
    cp package-lock.json "$installed"
fi
