#!/bin/sh
# Installs the distribution's Redis and PostgreSQL, and next to this script the pinned moto, a
# server with the API of S3, unless they are there already.
set -eu

CDPATH= cd -- "$(dirname -- "$0")"

../apt.sh redis-server '/usr/lib/postgresql/*/bin/postgres=postgresql'
../venv.sh requirements.txt .venv
