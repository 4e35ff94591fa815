#!/bin/sh
# Installs the distribution's Redis and PostgreSQL, unless they are there already.
set -eu

CDPATH= cd -- "$(dirname -- "$0")"

missing=
command -v redis-server >/dev/null || missing="$missing redis-server"
ls /usr/lib/postgresql/*/bin/postgres >/dev/null 2>&1 || missing="$missing postgresql"
if [ -n "$missing" ]; then
    # shellcheck disable=SC2086 # They are words.
    ../apt.sh $missing
fi
