#!/bin/sh
# Installs the distribution's Redis and PostgreSQL, unless they are there already.
set -eu

CDPATH= cd -- "$(dirname -- "$0")"

../apt.sh redis-server '/usr/lib/postgresql/*/bin/postgres=postgresql'
