#!/bin/sh
# Installs what package-lock.json in the current folder pins, unless it is there already:
# `npm.sh OPTION...`, with more options of `npm ci`.
set -eu

# Two at once would remove each other's files.
exec 9<package-lock.json
if command -v flock >/dev/null; then flock 9; fi
# What is installed is known by the lock file it was installed from.
installed=node_modules/.installed-lock.json
if ! cmp -s package-lock.json "$installed"; then
    npm ci --ignore-scripts --no-audit --no-fund "$@" >&2
    cp package-lock.json "$installed"
fi
