#!/bin/sh
# Installs the distribution's Redis and nginx, unless they are there already.
set -eu

CDPATH= cd -- "$(dirname -- "$0")"

../apt.sh redis-server nginx
