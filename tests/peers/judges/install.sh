#!/bin/sh
# Installs the pinned Inspector and conformance suite next to this script, unless they are there
# already.
set -eu

CDPATH= cd -- "$(dirname -- "$0")"
# It warns that the Node that runs it is too old for them; they run on the one that it installs.
../npm.sh --omit=optional --prefer-offline --loglevel=error
