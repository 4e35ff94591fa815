#!/bin/sh
# Installs the pinned TypeScript clients next to this script, unless they are there already.
set -eu

CDPATH= cd -- "$(dirname -- "$0")"
../npm.sh --prefer-offline
