#!/bin/sh
# Installs the distribution's NATS, unless it is there already.
set -eu

CDPATH= cd -- "$(dirname -- "$0")"

../apt.sh nats-server
