#!/bin/sh
# Installs the pinned Claude Code next to this script, unless it is there already, and prints the
# path of the program.
set -eu

CDPATH= cd -- "$(dirname -- "$0")"
package=node_modules/@anthropic-ai/claude-code
program=$package/bin/claude.exe
# What is installed is known by the lock file it was installed from.
installed=node_modules/.installed-lock.json

# Two at once would remove each other's files.
exec 9<package-lock.json
if command -v flock >/dev/null; then flock 9; fi
if ! [ -x "$program" ] || ! cmp -s package-lock.json "$installed"; then
    # npm may refuse to run install scripts; the one script that is needed, which puts the native
    # program in place, runs here.
    npm ci --ignore-scripts --no-audit --no-fund >&2
    node "$package/install.cjs" >&2
    env -i PATH="$PATH" "$program" --version >&2
    cp package-lock.json "$installed"
fi

printf '%s\n' "$PWD/$program"
