#!/bin/sh
# Installs the distribution's Redis and nginx, unless they are there already.
set -eu

CDPATH= cd -- "$(dirname -- "$0")"
# Where nginx is, and only the PATH of root leads.
PATH=$PATH:/usr/sbin

missing=
for program in redis-server nginx; do
    command -v "$program" >/dev/null || missing="$missing $program"
done
if [ -n "$missing" ]; then
    # shellcheck disable=SC2086 # They are words.
    ../apt.sh $missing
fi
