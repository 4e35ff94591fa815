#!/bin/sh
# Installs the distribution's Chromium and the pinned Playwright next to this script, unless they
# are there already.
set -eu

CDPATH= cd -- "$(dirname -- "$0")"

command -v chromium >/dev/null || ../apt.sh --no-install-recommends chromium
../npm.sh
